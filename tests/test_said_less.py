"""Where what is meant cannot be known, check and hint say less: no input is blamed, no advice leads to a fault."""

import re

import pytest
from check_helpers import change, check_in
from run_cells import run_cell

from course.errors.texts import code_of
from course.errors.unreturned import tell_unreturned
from course.hinting import hint
from course.session import last_check
from course.show_html import to_html

FIVE, SEVEN, TEN = "05_embed_tokens", "07_layer_norm", "10_multi_head_attention"
HEADS = """
import numpy as np
def solve(X, W_q, W_k, W_v, W_o, heads, causal):
    X, W_q, W_k, W_v, W_o = [np.array(a, dtype=float) for a in (X, W_q, W_k, W_v, W_o)]
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    w, n = X.shape[1] // heads, len(X)
    outs = []
    for h in range(heads):
        s = slice(h * w, (h + 1) * w)
        S = Q[:, s] @ K[:, s].T / np.sqrt(w)
        if causal:
            S = np.where(np.tril(np.ones((n, n))) == 1, S, -np.inf)
        E = np.exp(S - S.max(axis=1, keepdims=True))
        outs.append(E / E.sum(axis=1, keepdims=True) @ V[:, s])
    return np.concatenate(outs, axis=1) @ W_o
"""
LOOPS = """
def matmul(A, B):
    out = []
    for row in A:
        new = []
        for c in range(len(B[0])):
            total = 0
            for n in range(len(row)):
                total += row[n] * B[n][c]
            new.append(total)
        out.append(new)
    return out


def solve(X, W_q, W_k, W_v, W_o, heads, causal):
    from earlier import attention
    Q = matmul(X, W_q)
    K = matmul(X, W_k)
    V = matmul(X, W_v)
    w = len(X[0]) // heads
    parts = []
    for h in range(heads):
        q, k, v = [[row[h * w:(h + 1) * w] for row in table] for table in (Q, K, V)]
        parts.append(attention(q, k, v, causal))
    joined = [[x for part in parts for x in part[i]] for i in range(len(X))]
    return matmul(joined, W_o)
"""
PROJECTIONS = {
    "X @ W_q.T": (HEADS, "X @ W_q", "X @ W_q.T", "Q"),
    "X @ W_k.T": (HEADS, "X @ W_k", "X @ W_k.T", "K"),
    "X @ W_v.T": (HEADS, "X @ W_v", "X @ W_v.T", "V"),
    "V from W_q": (LOOPS, "matmul(X, W_v)", "matmul(X, W_q)", "V"),
    "V from W_o": (LOOPS, "matmul(X, W_v)", "matmul(X, W_o)", "V"),
}
EMBED = """
def solve(ids, token_table, position_table, start):
    out = []
    for i in range(len(ids)):
        tok = token_table[ids[i]]
        pos = position_table[start + i]
        row = []
        for c in range(len(tok)):
            row.append(tok[c] + pos[c])
        out.append(row)
    return out
"""


@pytest.mark.parametrize("kind", PROJECTIONS)
def test_an_input_is_no_sum_that_is_still_to_be_made(kind, tmp_path, monkeypatch):
    """The rows of an input may add up to right numbers by chance: only the table that is wrong is named."""
    code, old, new, name = PROJECTIONS[kind]
    report = check_in(tmp_path, monkeypatch, TEN, change(code, (old, new)))

    assert "to be added up" not in repr(report)
    assert report.mistake or report.clue.says.endswith(f"the numbers of {name} do not appear in it.")
    assert (report.mistake or report.clue).step == 1


@pytest.mark.parametrize("ending", ["    print(out)", "    out"])
def test_without_an_answer_the_hint_is_about_the_return(ending, tmp_path, monkeypatch):
    """All numbers may be right: no hint on the steps comes before the `return` is there."""
    check_in(tmp_path, monkeypatch, FIVE, change(EMBED, ("    return out", ending)))
    (first,) = hint().hints

    assert first.title == "What to change first"
    assert first.text.endswith("End `solve` with `return` and your result.")


def test_a_single_number_in_a_hint_has_its_name(tmp_path, monkeypatch):
    """Of "1, then 2" nobody knows what they count."""
    code = """
import numpy as np
def solve(Q, K, V, causal):
    Q, K, V = np.array(Q), np.array(K), np.array(V)
    S = Q @ K.T / np.sqrt(Q.shape[1])
    E = np.exp(S - S.max(axis=1, keepdims=True))
    W = E / E.sum(axis=1, keepdims=True)
    return (np.tril(W) if causal else W) @ V
"""
    check_in(tmp_path, monkeypatch, "09_attention", code)

    assert "gives count = 1, then 2" in repr(hint())


def test_a_changed_input_beside_a_known_mistake_has_no_cure_of_its_own(tmp_path, monkeypatch):
    """A copy would take the note away and leave the answer wrong: the fact is said, and its cure comes later."""
    wrong = ("            row.append(tok[c] + pos[c])", "            tok[c] += pos[c]")
    report = check_in(tmp_path, monkeypatch, FIVE, change(EMBED, wrong, ("append(row)", "append(tok)")))

    assert "Make a new list for each sum" in report.mistake.advice
    assert report.notes == (
        "Your function changes its input token_table. Hidden cases look for that, and it costs a point.",
    )


# What makes an answer whose table has one row, and the place of its first number.
ONE_ROW = {
    "a table": (FIVE, change(EMBED, ("start + i", "i")), "column"),
    "a flat list": ("02_softmax", "def solve(scores):\n    return [1 / len(scores) for s in scores]\n", "position"),
}


@pytest.mark.parametrize("kind", ONE_ROW)
def test_the_table_names_a_place_as_the_sentence_does(kind, tmp_path, monkeypatch):
    """A number of a row stands in a column; one of a flat list, at a position."""
    lesson, code, word = ONE_ROW[kind]
    check_in(tmp_path, monkeypatch, lesson, code)
    report = last_check().report
    failing = next(each for each in report.examples if not each.passed)
    assert re.search(rf"{word} \d", failing.says)
    assert set(re.findall(r"(column|position) \d", to_html(report))) == {word}


# Functions of which it is not known that another list should have been returned.
FINE = {
    "the list itself": "    out = []\n    for x in xs:\n        out.append(x)\n    return out",
    "two lists": "    a, b = [], []\n    for row in xs:\n        a.append(row)\n        b.append(row)\n    return row",
    "a list that is read": "    out = []\n    for row in xs:\n        out.append(row)\n    y = out[0]\n    return y",
    "a list begun anew": "    for row in xs:\n        out = []\n        out.append(row)\n    return row",
    "another item": "    out = []\n    row = xs[0]\n    for x in xs:\n        out.append(x)\n    return row",
    "added to under another name": "    out = []\n    add(xs, out)\n    return out",
    "two ways out": "    out = []\n    if xs:\n        return out\n    for x in xs:\n        pass\n    return out",
}


@pytest.mark.parametrize("kind", FINE)
@pytest.mark.parametrize("got", [(0,), (2,)])
def test_a_list_that_may_be_meant_otherwise_is_not_named(kind, got):
    """Only a list that nothing else uses was forgotten, and only one that nothing adds to stays empty."""
    solve = run_cell(f"def solve(xs):\n{FINE[kind]}\n")["solve"]

    assert tell_unreturned(code_of(solve), got, (3, 2)) is None
