"""Lessons 01 to 06: a right list solution with one line changed, as beginners change it, is told its own mistake."""

import pytest
from lesson_helpers import run

from autograder.lesson import Call, outcome_of
from autograder.practice import practice_of
from course.compare import compare
from course.teaching import name_mistake

ENCODE = """\
def solve(text, vocab):
    pieces = vocab
    ids = []
    at = 0
    while at < len(text):
        best = 0
        length = 0
        for i in range(1, len(pieces)):
            if text.startswith(pieces[i], at) and len(pieces[i]) > length:
                best = i
                length = len(pieces[i])
        ids.append(best)
        at = at + max(1, length)
    return ids
"""
SOFTMAX = """\
import math
def solve(scores):
    largest = scores[0]
    for x in scores:
        if x > largest:
            largest = x
    exps = []
    for x in scores:
        exps.append(math.exp(x - largest))
    total = 0
    for x in exps:
        total = total + x
    return [x / total for x in exps]
"""
CROSS_ENTROPY = """\
import math
import numpy as np
def solve(logits, targets):
    losses = []
    for i in range(len(logits)):
        largest = max(logits[i])
        shifted = [x - largest for x in logits[i]]
        total = 0
        for x in shifted:
            total = total + math.exp(x)
        log_sum = math.log(total)
        losses.append(log_sum - shifted[targets[i]])
    return sum(losses) / len(losses)
"""
EMBED = """\
def solve(ids, token_table, position_table, start):
    rows = []
    for i in range(len(ids)):
        token = token_table[ids[i]]
        place = position_table[start + i]
        rows.append([token[c] + place[c] for c in range(len(token))])
    return rows
"""
FEED_FORWARD = """\
import math
def gelu(h):
    return 0.5 * h * (1 + math.tanh(math.sqrt(2 / math.pi) * (h + 0.044715 * h ** 3)))
def solve(X, W1, b1, W2, b2):
    rows = []
    for x in X:
        hidden = []
        for j in range(len(b1)):
            total = 0
            for i in range(len(x)):
                total = total + x[i] * W1[i][j]
            hidden.append(total + b1[j])
        bent = [gelu(h) for h in hidden]
        row = []
        for c in range(len(b2)):
            result = 0
            for j in range(len(bent)):
                result = result + bent[j] * W2[j][c]
            row.append(result + b2[c])
        rows.append(row)
    return rows
"""
RIGHT = {
    "01_encode_text": ENCODE,
    "02_softmax": SOFTMAX,
    "03_cross_entropy": CROSS_ENTROPY,
    "05_embed_tokens": EMBED,
    "06_feed_forward": FEED_FORWARD,
}
MATCH = "text.startswith(pieces[i], at)"
PIECES = "pieces = vocab\n"
SORTED = "ids of a sorted vocabulary"
NO_LOGARITHM = "the logarithm of 0 or less"
CHANGED = [
    ("01", MATCH, "text.startswith(pieces[i])", "always the beginning of the text", 1),
    ("01", MATCH, "pieces[i] in text", "the piece may stand anywhere in the rest", 1),
    ("01", MATCH, "pieces[i] in text[at:]", "the piece may stand anywhere in the rest", 1),
    ("01", PIECES, "pieces = sorted(vocab)\n", SORTED, 3),
    ("01", PIECES, "pieces = sorted(vocab, key=len)\n", SORTED, 3),
    ("01", PIECES, "pieces = sorted(vocab, key=len, reverse=True)\n", SORTED, 3),
    ("01", PIECES, "pieces = vocab[:1] + sorted(vocab[1:])\n", SORTED, 3),
    ("01", PIECES, "pieces = vocab[:1] + sorted(vocab[1:], key=len)\n", SORTED, 3),
    ("02", "x - largest", "largest - x", "largest minus score", 1),
    ("02", "largest = scores[0]", "largest = 0", "a largest score below 0 is not subtracted", 1),
    ("02", "x > largest", "x < largest", "the smallest score is subtracted", 1),
    ("02", "x - largest", "x", "the largest score is not subtracted", 1),
    ("02", "x / total for x in exps", "x - largest - math.log(total) for x in scores",
     "log-softmax instead of softmax", 3),
    ("02", "x / total for x in exps", "x / len(exps) for x in exps", "divided by how many there are", 3),
    ("02", "x / total for x in exps", "x / sum(scores) for x in exps", "divided by the sum of the scores", 3),
    ("02", "math.exp(x - largest)", "2 ** (x - largest)", "powers of 2 instead of e", 2),
    ("02", "math.exp(x - largest)", "x", "no exponential", 2),
    ("03", "total + math.exp(x)", "total + x", NO_LOGARITHM, 2),
    ("03", "total = 0\n", "total = 0\n        log_sum = math.log(total)\n", NO_LOGARITHM, 2),
    ("03", "+ math.exp(x)\n        log_sum = math.log(", "+ x\n        log_sum = np.log(", NO_LOGARITHM, 2),
    ("03", "in shifted:\n", "in range(len(shifted), 0):\n", NO_LOGARITHM, 2),
    ("03", "math.log(total)", "math.log10(total)", "logarithm with base 10", 2),
    ("03", "math.log(total)", "math.log2(total)", "logarithm with base 2", 2),
    ("03", "shifted[targets[i]]", "targets[i]", "the target itself is subtracted", 3),
    ("03", "log_sum - ", "log_sum + ", "the shifted logit is added", 3),
    ("05", "range(len(ids))", "range(start, len(ids))", "ids before start are left out", 1),
    ("05", "start + i", "ids[i]", "position looked up by token id", 2),
    ("06", "range(len(b1))", "range(len(x))", "as many hidden numbers as a token has numbers", 1),
    ("06", "        for j in range(len(b1)):\n            total = 0\n",
     "        total = 0\n        for j in range(len(b1)):\n", "the first sum is not emptied", 1),
    ("06", "    for x in X:\n        hidden = []\n        for j in range(len(b1)):\n            total = 0\n",
     "    total = 0\n    for x in X:\n        hidden = []\n        for j in range(len(b1)):\n",
     "the first sum is not emptied", 1),
    ("06", "        for c in range(len(b2)):\n            result = 0\n",
     "        result = 0\n        for c in range(len(b2)):\n", "the second sum is not emptied", 3),
]  # fmt: skip


UNNAMED = [
    ("03", "math.log(total)", 'int("log")'),
    ("03", "shifted[targets[i]]", "shifted[i][targets[i]]"),
    ("05", "start + i", "start + i + 99"),
    ("06", "W1[i][j]", "W1[i][j + 9]"),
    ("06", "W1[i][j]", "W1[i]"),
]


def named(grader, number, old, new):
    """Return what *check* names in the notebook after this change: it sees the examples and the probes."""
    lesson_id = next(each for each in RIGHT if each.startswith(number))
    assert RIGHT[lesson_id].count(old) == 1
    source = RIGHT[lesson_id].replace(old, new)
    lesson = grader.lesson(lesson_id)
    practice = practice_of(lesson)
    names = {}
    exec(compile(source, "cell", "exec"), names)  # noqa: S102
    calls = (*lesson.example_calls, *lesson.probes)
    outcomes = [outcome_of(names["solve"], Call(call.arguments)) for call in calls]
    return name_mistake(practice, outcomes[: len(lesson.examples)], outcomes[len(lesson.examples) :])


@pytest.mark.parametrize("lesson_id", RIGHT)
def test_the_solutions_that_are_changed_are_right(grader, lesson_id):
    """Before the change every call is right, so the change is the one mistake."""
    lesson = grader.lesson(lesson_id)
    wanted = [*(example.returns for example in lesson.examples), *lesson.expected]

    assert all(compare(*each).passed for each in zip(run(RIGHT[lesson_id], lesson), wanted, strict=True))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("change", CHANGED, ids=lambda each: f"{each[0]} {each[2].strip()}")
def test_one_changed_line_is_told_its_own_mistake(grader, change):
    """The mistake that is named is the one that was made, and the step is the one with the changed line."""
    *line, name, step = change
    mistake = named(grader, *line)

    assert mistake is not None
    assert (mistake.name, mistake.step) == (name, step)


@pytest.mark.parametrize("change", UNNAMED, ids=lambda each: f"{each[0]} {each[2].strip()}")
def test_an_error_that_many_mistakes_end_in_names_none(grader, change):
    """Where every example ends in an error that says little, no mistake is named by it."""
    assert named(grader, *change) is None
