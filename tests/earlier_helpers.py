"""Solutions of a lesson that builds on an earlier one, and its notebook."""

import json

from conftest import ROOT, solve_cell

from autograder.lesson import name_of

FIRST, LATER = "09_attention", "10_multi_head_attention"
LISTS = """
def solve(X, W_q, W_k, W_v, W_o, heads, causal):
    def times(rows, table):
        return [[sum(a * b for a, b in zip(row, column)) for column in zip(*table)] for row in rows]
    Q, K, V = times(X, W_q), times(X, W_k), times(X, W_v)
    w = len(X[0]) // heads
    rows = [[] for _ in X]
    for h in range(heads):
        part = attention(*([row[h * w : h * w + w] for row in table] for table in (Q, K, V)), causal)
        rows = [a + b for a, b in zip(rows, part)]
    return times(rows, W_o)
"""
ARRAYS = """
import numpy as np

def solve(X, W_q, W_k, W_v, W_o, heads, causal):
    parts = [np.split(np.array(X) @ np.array(W), heads, axis=1) for W in (W_q, W_k, W_v)]
    return np.hstack([attention(q, k, v, causal) for q, k, v in zip(*parts)]) @ np.array(W_o)
"""
TAMPERED = "def attention(Q, K, V, causal):\n    return [[0.0 for _ in V[0]] for _ in Q]\n"


def released(lesson_id):
    """Return the released notebook, parsed."""
    return json.loads((ROOT / "release" / lesson_id / f"{name_of(lesson_id)}.ipynb").read_text(encoding="utf-8"))


def with_solve(source, lesson_id=LATER):
    """Return the released notebook with this code in its solution cell."""
    notebook = released(lesson_id)
    solve_cell(notebook)["source"] = source
    return notebook


def source_of(notebook, name):
    """Return the text of the cell with this id."""
    return next("".join(cell["source"]) for cell in notebook["cells"] if cell["id"] == name)
