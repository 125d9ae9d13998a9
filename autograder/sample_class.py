"""A sample class for the demo: right, wrong, unfinished, endless, and notebooks that other editors saved."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from course.submission import grade_id_of

Notebook = dict[str, Any]

PLAIN: Final = """\
import math


def solve(Q, K, V, causal):
    rows = []
    for i, query in enumerate(Q):
        seen = K[: i + 1] if causal else K
        scores = [sum(a * b for a, b in zip(query, key)) / SCALE for key in seen]
        top = max(scores)
        powers = [math.exp(score - top) for score in scores]
        weights = [power / sum(powers) for power in powers]
        rows.append([sum(w * value[c] for w, value in zip(weights, V)) for c in range(len(V[0]))])
    return rows
"""
RIGHT: Final = PLAIN.replace("SCALE", "math.sqrt(len(query))")
NUMPY: Final = """\
import numpy as np


def solve(Q, K, V, causal):
    Q, K, V = (np.array(M, dtype=float) for M in (Q, K, V))
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    if causal:
        scores = np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True) @ V
"""


@dataclass(frozen=True)
class Answer:
    """What one sample student wrote (None: nothing yet) and what happened to the notebook afterwards."""

    code: str | None
    then: Callable[[Notebook], None] | None = None


def _copy_solve_cell(notebook: Notebook) -> None:
    """Copy the solution cell, with its id, and break the upper one."""
    at = next(i for i, cell in enumerate(notebook["cells"]) if grade_id_of(cell) == "solve")
    old = json.loads(json.dumps(notebook["cells"][at]))
    old["id"] = "a-copy"
    old["source"] = "# my first try\ndef solve(Q, K, V, causal):\n    return Q\n"
    notebook["cells"].insert(at, old)


def _lose_marks(notebook: Notebook) -> None:
    """Do what some editors do on saving: drop all metadata and cell ids."""
    for cell in notebook["cells"]:
        cell["metadata"] = {}
        cell.pop("id", None)
    notebook["nbformat_minor"] = 4


SAMPLE_CLASS: Final = {
    "student-01": Answer(RIGHT),
    "student-02": Answer(NUMPY),
    "student-03": Answer(None),
    "student-04": Answer(PLAIN.replace("SCALE", "math.sqrt(len(K))")),
    "student-05": Answer(RIGHT.replace("score - top", "score")),
    "student-06": Answer(
        NUMPY.replace("np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)", "scores").replace(
            "return powers / powers.sum(axis=1, keepdims=True) @ V",
            "weights = powers / powers.sum(axis=1, keepdims=True)\n"
            "    return (np.tril(weights) if causal else weights) @ V",
        )
    ),
    "student-07": Answer(RIGHT.replace("return rows", "print(rows)")),
    "student-08": Answer(RIGHT.replace("    rows = []\n", "    rows = []\n    while len(Q) == 1:\n        pass\n")),
    "student-09": Answer(RIGHT, then=_copy_solve_cell),
    "student-10": Answer(NUMPY, then=_lose_marks),
}


def small_class(solution: str) -> dict[str, Answer]:
    """Make three answers to any lesson from its solution: right, not begun, and printing in place of returning."""
    before, _, last = solution.rpartition("return ")
    value, _, after = last.partition("\n")
    return {
        "student-01": Answer(solution),
        "student-02": Answer(None),
        "student-03": Answer(f"{before}print({value})\n{after}"),
    }


def fill_in(released: str, answer: Answer) -> str:
    """Return the released notebook's text with the student's answer written into its solution cell."""
    notebook: Notebook = json.loads(released)
    for cell in notebook["cells"]:
        if grade_id_of(cell) == "solve" and answer.code is not None:
            cell["source"] = answer.code
    if answer.then is not None:
        answer.then(notebook)
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
