"""What the text of a loop shows for certain: a value that changes no list, a sum never set back, one list often."""

import pytest
from check_helpers import change, check_in
from own_codes import LISTS
from run_cells import keep_cell

from course.rounds import say_cause
from course.xray import Place

TWO, SEVEN, EIGHT = "02_softmax", "07_layer_norm", "08_causal_softmax"
NINE, TEN = "09_attention", "10_multi_head_attention"
SHARES = """import math


def solve(scores):
    m = max(scores)
    exps = [math.exp(s - m) for s in scores]
    t = sum(exps)
    for e in exps:
        e = e / t
    return exps
"""
ATTENTION = LISTS.replace("t += w[j]", "t = t + w[j]")
NORM = """import math


def solve(X, gain, bias, eps):
    out = []
    for row in X:
        t = 0
        for x in row:
            t += x
        c = [x - t / len(row) for x in row]
        v = sum(x * x for x in c) / len(row)
        new = [x / math.sqrt(v + eps) * g + b for x, g, b in zip(c, gain, bias)]
        out.append(new)
    return out
"""
MASKED = """import math


def solve(scores):
    out = []
    for i, row in enumerate(scores):
        seen = row[:i + 1 + len(row) - len(scores)]
        e = [math.exp(x - max(seen)) for x in seen]
        w = [x / sum(e) for x in e]
        out.append(w + [0.0] * (len(row) - len(w)))
    return out
"""
HEADS = """from earlier import attention


def multiply(rows, table):
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*table)] for row in rows]


def solve(X, W_q, W_k, W_v, W_o, heads, causal):
    Q, K, V = multiply(X, W_q), multiply(X, W_k), multiply(X, W_v)
    w = len(X[0]) // heads
    joined = [[]] * len(X)
    for h in range(heads):
        parts = [[row[h * w:(h + 1) * w] for row in each] for each in (Q, K, V)]
        for i, row in enumerate(attention(*parts, causal)):
            joined[i].extend(row)
    return multiply(joined, W_o)
"""


@pytest.fixture
def press(tmp_path, monkeypatch):
    """Return a function that checks a code, changed in some places, beside the files of its lesson."""
    return lambda lesson, code, *pairs: check_in(tmp_path, monkeypatch, lesson, change(code, *pairs))


@pytest.mark.parametrize("loop", ["for e in exps:", "for i, e in enumerate(exps):"])
def test_a_loop_that_only_renames_is_named_with_the_mistake(press, loop):
    """The known mistake says what the numbers are, the loop says why."""
    report = press(TWO, SHARES, ("for e in exps:\n        e =", f"{loop}\n        e ="))

    assert report.mistake.name == "exps are not divided by their sum"
    assert report.mistake.advice.startswith("Your numbers do not add up to 1.")
    assert "Line 9 only gives `e` a new value: `exps` keeps its old ones." in report.mistake.advice


NEVER = {
    "before the loop": (
        NINE,
        ATTENTION,
        (("            s = 0\n", ""), ("scores = []\n", "scores = []\n        s = 0\n")),
        "Line 10 sets `s` only once, so each round of the loop of line 11 goes on",
        2,
    ),
    "before all loops": (
        NINE,
        ATTENTION,
        (("            s = 0\n", ""), ("out = []\n", "out = []\n    s = 0\n")),
        "Line 6 sets `s` only once, so each round of the loop of line 11 goes on",
        2,
    ),
    "a plain sum": (
        NINE,
        ATTENTION,
        (("            t = 0\n", ""), ("row = []\n", "row = []\n        t = 0\n")),
        "Line 19 sets `t` only once, so each round of the loop of line 20 goes on",
        4,
    ),
    "a sum of a row": (
        SEVEN,
        NORM,
        (("        t = 0\n", ""), ("out = []\n", "out = []\n    t = 0\n")),
        "Line 6 sets `t` only once, so each round of the loop of line 7 goes on",
        1,
    ),
}


@pytest.mark.parametrize("kind", NEVER)
def test_a_sum_that_is_never_set_back_is_named(press, kind):
    """With the line that sets it, the loop that should, and the step whose numbers it spoils."""
    lesson, code, pairs, says, step = NEVER[kind]
    clue = press(lesson, code, *pairs).clue

    assert clue.says.startswith(says)
    assert clue.step == step


ONE_LIST = {
    "in an error": (TEN, HEADS, (), "`joined = [[] for _ in range(len(X))]`"),
    "in the numbers": (
        NINE,
        ATTENTION,
        (
            ("out = []", "out = [[0] * len(V[0])] * len(Q)"),
            ("row.append(t)", "out[i][c] += t"),
            ("out.append(row)", "pass"),
        ),
        "`out = [[0] * len(V[0]) for _ in range(len(Q))]`",
    ),
    "in the shape": (
        NINE,
        ATTENTION,
        (("out = []", "out = len(Q) * [[]]"), ("row.append(t)", "out[i] += [t]"), ("out.append(row)", "pass")),
        "`out = [[] for _ in range(len(Q))]`",
    ),
}


@pytest.mark.parametrize("kind", ONE_LIST)
def test_one_list_that_stands_there_many_times_is_named(press, kind):
    """Whatever it leads to: an error far from it, wrong numbers, or rows that hold all rows."""
    lesson, code, pairs, cure = ONE_LIST[kind]
    clue = press(lesson, code, *pairs).clue

    assert "one and the same list" in clue.says
    assert clue.says.endswith(f"Write {cure}.")


FINE = {
    "read after it is set": "for x in xs:\n        x = x / 2\n        out.append(x)\n    return out",
    "another name": "for x in xs:\n        y = x / 2\n        out.append(y)\n    return out",
    "set back in the loop": "for x in xs:\n        s = 0\n        for y in x:\n            s += y\n        out += [s]",
    "one sum of all": "s = 0\n    for x in xs:\n        for y in x:\n            s += y\n    return s",
    "a counter": "s = 0\n    for x in xs:\n        for y in x:\n            s += 1\n        out.append(s)",
    "rows of their own": "out = [[] for x in xs]\n    for i in range(9):\n        out[i].append(1)",
    "a list of numbers": "out = [0] * 9\n    for i in range(9):\n        out[i] += 1",
    "rows that are replaced": "out = [[]] * 9\n    for i in range(9):\n        out[i] = [1]\n    return out",
    "a loop that only counts": "for i in range(9):\n        i = i + 1\n    return out",
    "a list that goes on": "s = []\n    for x in xs:\n        for y in x:\n            s += y\n        out.append(s)",
    "no Python": "for x in",
}


@pytest.mark.parametrize("kind", FINE)
def test_loops_that_keep_all_are_not_named(kind):
    """Nothing is said of them, whatever else is wrong."""
    file = keep_cell(f"def solve(xs):\n    out = []\n    {FINE[kind]}\n")

    assert say_cause([Place(file, "solve", 1, 2)]) == ""


# What is returned below the loop, or inside it, and what is said.
RETURNS = {
    "the last row": (NINE, ATTENTION, "    return row", "Line 25 returns `row`, a flat list of numbers. Nothing uses"),
    "a row in the loop": (
        NINE,
        ATTENTION,
        "        return row",
        "The `return` in line 25 stands inside the loop of line 6",
    ),
    "a short row in the loop": (EIGHT, MASKED, "        return w", "The `return` in line 11 stands inside the loop"),
    "one row in the loop": (SEVEN, NORM, "        return new", "The `return` in line 14 stands inside the loop"),
    "a list around it": (
        EIGHT,
        MASKED,
        "    return [w + [0.0] * (len(row) - len(w))]",
        "Your answer holds the last row only.",
    ),
}


@pytest.mark.parametrize("kind", RETURNS)
def test_one_row_alone_blames_no_step(press, kind):
    """The steps of the row are right: all rows are to be collected, or were and are not returned."""
    lesson, code, line, says = RETURNS[kind]
    report = press(lesson, code, ("    return out", line))

    assert report.clue.says.startswith(says)
    assert report.clue.step == 0
    assert report.action.startswith(("Begin with an empty list before", "Write `return out`"))
