"""Numbers that stand somewhere by chance prove no step, and a step inside a line is not blamed."""

import pytest
from check_helpers import change, check_in, right_already

THREE, FOUR, SIX, SEVEN = "03_cross_entropy", "04_bigram_model", "06_feed_forward", "07_layer_norm"
EIGHT, TEN = "08_causal_softmax", "10_multi_head_attention"
CROSS = """import numpy as np


def solve(logits, targets):
    X = np.array(logits, float)
    X = X - X.max(axis=1, keepdims=True)
    sums = np.log(np.exp(X).sum(axis=1))
    losses = sums - X[np.arange(len(targets)), targets]
    return losses.mean()
"""
MASK = """import numpy as np


def solve(scores):
    s = np.array(scores, dtype=float)
    n, m = s.shape
    s[np.tril(np.ones((n, m)), m - n) == 0] = -np.inf
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
"""
COUNTS = """def solve(ids, vocab_size, smoothing):
    table = [[0] * vocab_size for _ in range(vocab_size)]
    for i in range(len(ids) - 1):
        table[ids[i]][ids[i + 1]] += 1
    out = []
    for row in table:
        new = [x + smoothing for x in row]
        out.append([x / sum(new) for x in new])
    return out
"""
FORWARD = """import math


def gelu(h):
    return 0.5 * h * (1 + math.tanh(math.sqrt(2 / math.pi) * (h + 0.044715 * h ** 3)))


def solve(X, W1, b1, W2, b2):
    out = []
    for x in X:
        hidden = []
        for j in range(len(b1)):
            total = b1[j]
            for i in range(len(x)):
                total += x[i] * W1[i][j]
            hidden.append(total)
        bent = [gelu(h) for h in hidden]
        row = []
        for c in range(len(b2)):
            total = b2[c]
            for j in range(len(bent)):
                total += bent[j] * W2[j][c]
            row.append(total)
        out.append(row)
    return out
"""
HEADS = """import numpy as np


def solve(X, W_q, W_k, W_v, W_o, heads, causal):
    X, W_q, W_k, W_v, W_o = [np.array(a, dtype=float) for a in (X, W_q, W_k, W_v, W_o)]
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    n, w = len(X), X.shape[1] // heads
    outs = []
    for h in range(heads):
        s = slice(h * w, (h + 1) * w)
        S = Q[:, s] @ K[:, s].T / np.sqrt(w)
        if causal:
            S = np.where(np.tril(np.ones((n, n))) == 1, S, -np.inf)
        E = np.exp(S - S.max(axis=1, keepdims=True))
        outs.append(E / E.sum(axis=1, keepdims=True) @ V[:, s])
    return np.hstack(outs) @ W_o
"""
NORM = """import numpy as np


def solve(X, gain, bias, eps):
    X = np.array(X, float)
    m = X.mean(axis=1, keepdims=True)
    return (X - m) / np.sqrt(X.var(axis=1, keepdims=True) + eps) * np.array(gain) + np.array(bias)
"""


pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::RuntimeWarning")]


@pytest.fixture
def press(tmp_path, monkeypatch):
    """Return a function that checks a code, changed in some places, beside the files of its lesson."""
    return lambda lesson, *pairs, code: check_in(tmp_path, monkeypatch, lesson, change(code, *pairs))


@pytest.mark.parametrize(
    ("lesson", "code"), [(THREE, CROSS), (EIGHT, MASK), (FOUR, COUNTS), (SIX, FORWARD), (TEN, HEADS), (SEVEN, NORM)]
)
def test_the_codes_pass_unchanged(press, lesson, code):
    """So the change that a test makes is the only mistake."""
    assert press(lesson, code=code).first_failing is None


ADD, PAIRS = "table[ids[i]][ids[i + 1]] += 1", "range(len(ids) - 1)"
CHANCE = {
    "one pair too few": (FOUR, 1, COUNTS, (PAIRS, "range(len(ids) - 2)")),
    "the first pair is left out": (FOUR, 1, COUNTS, (PAIRS, "range(1, len(ids) - 1)")),
    "one pair too many": (FOUR, 1, COUNTS, (PAIRS, "range(len(ids))"), ("i + 1", "(i + 1) % len(ids)")),
    "a pair counts twice": (FOUR, 1, COUNTS, ("+= 1", "+= 2")),
    "a pair counts three times": (FOUR, 1, COUNTS, ("+= 1", "+= 3")),
    "another cell is counted": (FOUR, 1, COUNTS, (ADD, "table[ids[i]][ids[i]] += 1")),
    "the pair before": (FOUR, 1, COUNTS, ("ids[i + 1]", "ids[i - 1]")),
    "one row for all": (
        FOUR,
        1,
        COUNTS,
        ("[[0] * vocab_size for _ in range(vocab_size)]", "[[0] * vocab_size] * vocab_size"),
    ),
    "nothing is counted": (FOUR, 1, COUNTS, (ADD, "pass")),
    "all targets for each row": (THREE, 3, CROSS, ("np.arange(len(targets)), targets", ":, targets")),
    "the later keys stay": (EIGHT, 1, MASK, ("np.tril(np.ones((n, m)), m - n)", "np.triu(np.ones((n, m)), m - n)")),
    "the mask is turned round": (EIGHT, 1, MASK, ("m - n) == 0", "m - n) == 1")),
    "the own key is hidden": (EIGHT, 1, MASK, ("m - n)", "m - n - 1)")),
    "every partial sum is kept": (
        SIX,
        1,
        FORWARD,
        ("            hidden.append(total)", "                hidden.append(total)"),
    ),
}


@pytest.mark.parametrize("kind", CHANCE)
def test_numbers_that_only_pass_by_prove_no_step(press, kind):
    """Counts that still grow, rows mixed with columns, and numbers with others between are not a step's numbers."""
    lesson, step, code, *pairs = CHANCE[kind]
    report = press(lesson, *pairs, code=code)

    assert (report.mistake or report.clue).step == step
    assert max(right_already(report), default=0) < step
    assert "appear in your code" not in (report.mistake.advice if report.mistake else "")


@pytest.mark.parametrize(
    "pair", [("x / sum(new)", "x / len(new)"), ("x + smoothing", "x + 1"), ("[x / sum(new) for x in new]", "new")]
)
def test_right_counts_are_seen(press, pair):
    """A table that is counted to its end shows its step, whatever comes after it."""
    assert press(FOUR, pair, code=COUNTS).already.startswith("step")


TOO_LATE = {
    "sums of the columns": (2, ("sum(axis=1)", "sum(axis=0)")),
    "whole rows of the targets": (3, ("X[np.arange(len(targets)), targets]", "X[targets]")),
    "rows and all columns": (3, ("X[np.arange(len(targets)), targets]", "X[targets, :]")),
}


@pytest.mark.parametrize("kind", TOO_LATE)
def test_a_call_that_stopped_has_no_mistake_of_a_later_step(press, kind):
    """What comes after the line of the error was never done."""
    step, pair = TOO_LATE[kind]
    report = press(THREE, pair, code=CROSS)

    assert report.mistake is None
    assert report.clue.step == step


def test_even_answers_are_not_told_as_two_mistakes(press):
    """Among many pairs one gives the same number everywhere by chance."""
    assert press(FOUR, (ADD, "pass"), code=COUNTS).mistake is None


@pytest.mark.parametrize("result", ["X", "[hidden]"])
def test_rows_that_are_made_but_not_returned_are_seen(press, result):
    """A probe in which two steps have the same numbers says nothing against the others."""
    report = press(SIX, ("return out", f"return {result}"), code=FORWARD)

    assert report.already.startswith("steps 1, 2 and 3")
    assert report.clue.step == 0


INSIDE = {
    "sums of the columns": (TEN, HEADS, ("E.sum(axis=1, keepdims=True)", "E.sum(axis=0)")),
    "one sum for all": (TEN, HEADS, ("E.sum(axis=1, keepdims=True)", "E.sum()")),
    "the largest of the columns": (TEN, HEADS, ("S.max(axis=1, keepdims=True)", "S.max(axis=0)")),
    "powers of 2": (TEN, HEADS, ("np.exp(", "np.exp2(")),
    "no division": (TEN, HEADS, (" / E.sum(axis=1, keepdims=True)", "")),
    "multiplied by the root": (TEN, HEADS, (" / np.sqrt(w)", " * np.sqrt(w)")),
    "the later keys": (TEN, HEADS, ("np.tril", "np.triu")),
    "the variance of everything": (SEVEN, NORM, ("X.var(axis=1, keepdims=True)", "X.var()")),
    "a length for the variance": (SEVEN, NORM, ("X.var(axis=1, keepdims=True)", "np.linalg.norm(X - m)")),
}


@pytest.mark.parametrize("kind", INSIDE)
def test_a_step_inside_a_line_is_not_blamed(press, kind):
    """Where no variable holds anything like its numbers, it may be right: the advice is to print them."""
    lesson, code, pair = INSIDE[kind]
    report = press(lesson, pair, code=code)

    assert report.mistake is not None or report.clue.step == 0
    assert report.mistake is not None or "Give the numbers of step" in report.action
