"""A slip of one line in attention is told by a name that is true of it, with its own step, by check and the grader."""

import pytest
from check_helpers import change, check_in
from lesson_helpers import run

from autograder.judge import judge
from autograder.sandbox import Run
from course.submission import Submission

pytestmark = pytest.mark.slow  # whole checks, one after the other

NINE = "09_attention"
CODE = """import math


def solve(Q, K, V, causal):
    output = []
    for i in range(len(Q)):
        count = i + 1 if causal else len(K)
        scores = []
        for j in range(min(count, len(K))):
            dot = 0
            for t in range(len(Q[i])):
                dot += Q[i][t] * K[j][t]
            scores.append(dot / math.sqrt(len(Q[i])))
        top = max(scores)
        exps = [math.exp(score - top) for score in scores]
        total = sum(exps)
        weights = []
        for e in exps:
            weights.append(e / total)
        row = [0] * len(V[0])
        for j in range(len(weights)):
            for c in range(len(V[0])):
                row[c] += weights[j] * V[j][c]
        output.append(row)
    return output
"""
MIX, DOT = "row[c] += weights[j] * V[j][c]", "dot += Q[i][t] * K[j][t]"
# The step, the name, the change. Only where an example shows it has check a name for it.
SHOWN = {
    "K ends too early": (1, "the last key is left out", ("len(K))):", "len(K) - 1)):")),
    "K ends too early without the mask": (1, "the last key is left out", ("else len(K)", "else len(K) - 1")),
    "K begins too late": (1, "the first key is left out", ("range(min(", "range(1, min(")),
    "K[j - 1]": (2, "the key before is used", (DOT, "dot += Q[i][t] * K[j - 1][t]")),
    "Q[i - 1]": (2, "the query before is used", (DOT, "dot += Q[i - 1][t] * K[j][t]")),
    "Q[0]": (2, "the first query for every row", (DOT, "dot += Q[0][t] * K[j][t]")),
    "= for += in the dot product": (2, "the first products of a dot product are lost", ("dot +=", "dot =")),
    "t from 1": (2, "the first products of a dot product are lost", ("for t in range(", "for t in range(1, ")),
    "squared": (2, "the dot product is squared", ("dot / math", "dot ** 2 / math")),
    "squared at the end": (
        2,
        "the dot product is squared",
        ("dot / math.sqrt(len(Q[i]))", "(dot / math.sqrt(len(Q[i]))) ** 2"),
    ),
    "half the width": (2, "divided by half the width", ("math.sqrt(len(Q[i]))", "(len(Q[i]) * 0.5)")),
    "two roots": (2, "the square root is taken twice", ("math.sqrt(len(Q[i]))", "math.sqrt(math.sqrt(len(Q[i])))")),
    "by the keys": (2, "divided by the number of keys", ("math.sqrt(len(Q[i]))", "len(K)")),
    "by the keys it sees": (2, "divided by the number of keys", ("math.sqrt(len(Q[i]))", "min(count, len(K))")),
    "root of the keys it sees": (
        2,
        "square root of the number of keys",
        ("math.sqrt(len(Q[i]))", "math.sqrt(min(count, len(K)))"),
    ),
    "by the number of exps": (3, "exps are divided by their number", ("e / total", "e / len(exps)")),
    "by the root of the sum": (
        3,
        "exps are divided by the square root of their sum",
        ("e / total", "e / total ** 0.5"),
    ),
    "= for += in the mix": (4, "only the last product of the mix", ("row[c] +=", "row[c] =")),
    "V[i]": (4, "output row i is row i of V", (MIX, "row[c] += weights[j] * V[i][c]")),
    "V[j - 1]": (4, "the value before is used", (MIX, "row[c] += weights[j] * V[j - 1][c]")),
    "V[j + 1]": (4, "the value after is used", (MIX, "row[c] += weights[j] * V[(j + 1) % len(V)][c]")),
    "V backwards": (4, "keys and values run in opposite orders", (MIX, "row[c] += weights[j] * V[-1 - j][c]")),
    "weights backwards": (4, "keys and values run in opposite orders", (MIX, "row[c] += weights[-1 - j] * V[j][c]")),
    "the last keys": (
        1,
        "the last keys instead of the first ones",
        (DOT, "dot += Q[i][t] * K[j + len(K) - min(count, len(K))][t]"),
        (MIX, "row[c] += weights[j] * V[j + len(K) - len(weights)][c]"),
    ),
}
HIDDEN = {
    "the first score": (3, "a score that is not the largest is subtracted", ("max(scores)", "scores[0]")),
    "the last score": (3, "a score that is not the largest is subtracted", ("max(scores)", "scores[-1]")),
    "the smallest score": (3, "a score that is not the largest is subtracted", ("max(scores)", "min(scores)")),
    "the largest size": (3, "a number far above all scores is subtracted", ("max(scores)", "max(map(abs, scores))")),
    "from 0": (3, "a number far above all scores is subtracted", ("max(scores)", "max(0, *scores, 0)")),
    "cut at 500": (3, "large scores are cut", ("score - top", "min(score, 500)")),
}


def grade(lesson, code):
    """Judge a code as the grader does, without the sandbox."""
    outcomes, cut = tuple(run(code, lesson)), len(lesson.examples)
    parts = (outcomes[:cut], outcomes[cut:])
    return judge(lesson, Submission(()), *(Run(each, (), "", False, 0.0, ()) for each in parts))  # noqa: FBT003


def test_the_code_passes_unchanged(grader):
    """So the change that a test makes is the only mistake."""
    assert grade(grader.lesson(NINE), CODE).first_failing is None


@pytest.mark.parametrize("kind", SHOWN)
def test_check_names_the_slip_and_its_step(kind, tmp_path, monkeypatch):
    """The name is true of the line that was changed, and the step is that of this line."""
    step, name, *pairs = SHOWN[kind]
    mistake = check_in(tmp_path, monkeypatch, NINE, change(CODE, *pairs)).mistake

    assert mistake is not None
    assert (mistake.name, mistake.step) == (name, step)


@pytest.mark.parametrize("kind", {**SHOWN, **HIDDEN})
def test_the_grader_names_the_slip(kind, grader):
    """All cases together leave the same name."""
    _, name, *pairs = {**SHOWN, **HIDDEN}[kind]
    mistake = grade(grader.lesson(NINE), change(CODE, *pairs)).mistake

    assert mistake is not None
    assert mistake.name == name


UNNAMED = {
    "a softmax of the output row": (
        ("output.append(row)", "es = [math.exp(r) for r in row]\n        output.append([e / sum(es) for e in es])"),
        "comes later",
    ),
    "the output row divided by its sum": (
        ("output.append(row)", "output.append([r / (sum(row) or 1) for r in row])"),
        "Your answer holds the numbers of step",
    ),
    "1 - w": (("row[c] += weights[j]", "row[c] += (1 - weights[j])"), "too early"),
}


@pytest.mark.parametrize("kind", UNNAMED)
def test_nothing_false_is_said_of_a_slip_that_has_no_name(kind, tmp_path, monkeypatch):
    """A step that the running code shows to be right is not blamed; numbers that agree by chance prove nothing."""
    pair, false = UNNAMED[kind]
    report = check_in(tmp_path, monkeypatch, NINE, change(CODE, pair))

    assert report.mistake is None
    assert report.clue.step in {0, 4}
    assert false not in report.clue.says


def test_hidden_scores_that_are_multiplied_are_no_old_answer(tmp_path, monkeypatch):
    """A hidden score of 0 stays 0 then, and a probe has one: the numbers are those of no other mistake."""
    hidden = "scores.append(dot / math.sqrt(len(Q[i])) * (-1e9 if j >= count else 1))"
    pairs = ("range(min(count, len(K)))", "range(len(K))"), ("scores.append(dot / math.sqrt(len(Q[i])))", hidden)
    report = check_in(tmp_path, monkeypatch, NINE, change(CODE, *pairs))

    assert report.first_failing is not None
    assert report.mistake is None
