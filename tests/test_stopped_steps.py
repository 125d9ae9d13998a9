"""What check says of the steps where an error ended the call, and where a table has too few rows."""

import ast
import builtins
import json

import pytest
from check_helpers import right_already
from conftest import ROOT
from run_cells import run_cell

from course.checking import check
from course.show import to_text
from course.xray import watch

PAIRS = """
def solve(ids, vocab_size, smoothing):
    table = [[smoothing] * vocab_size for _ in range(vocab_size)]
    for i in range(len(ids) - 1):
        a, b = ids[i], ids[i + 1]
        table[a][b] += 1
    out = []
    for row in table:
        total = sum(row)
        out.append([x / total for x in row])
    return out
"""
COUNTS = """
def solve(ids, vocab_size, smoothing):
    table = []
    for a in range(vocab_size):
        table.append([0] * vocab_size)
    for i in range(len(ids) - 1):
        table[ids[i]][ids[i + 1]] += 1
    return [[(n + smoothing) / (sum(row) + smoothing * vocab_size) for n in row] for row in table]
"""
ATTENTION = """
import math
def solve(Q, K, V, causal):
    out = []
    for i in range(len(Q)):
        n = min(i + 1, len(K)) if causal else len(K)
        scores = []
        for j in range(n):
            s = 0
            for a, b in zip(Q[i], K[j]):
                s += a * b
            scores.append(s / math.sqrt(len(Q[i])))
        top = max(scores)
        exps = [math.exp(x - top) for x in scores]
        total = sum(exps)
        weights = [e / total for e in exps]
        out.append([sum(weights[j] * V[j][c] for j in range(n)) for c in range(len(V[0]))])
    return out
"""
LESSONS = {PAIRS: "04_bigram_model", COUNTS: "04_bigram_model", ATTENTION: "09_attention"}


def report(code, *change, monkeypatch):
    """Check the code of a lesson with its own examples, after a change of its text."""
    folder = ROOT / "release" / LESSONS[code]
    old, new = change
    assert old in code
    text = code.replace(old, new)
    name = f"cell of {folder.name}"
    names = run_cell(text, {"__name__": "notebook"}, name)
    lesson = folder.name[3:]
    cells = json.loads((folder / f"{lesson}.ipynb").read_text(encoding="utf-8"))["cells"]
    cell = next(each for each in cells if each["metadata"].get("nbgrader", {}).get("grade_id") == "examples")
    tree = ast.parse("".join(cell["source"]))
    monkeypatch.chdir(folder)
    monkeypatch.setattr("course.checking.remember", lambda _: None)
    return check(names["solve"], ast.literal_eval(tree.body[0].value), lesson=lesson).report


# The code, what is changed, and the step in which the error stands, or the table is too small.
WRONG = {
    "fewer rows, with an error": (PAIRS, "for _ in range(vocab_size)", "for _ in range(len(set(ids)))", 1),
    "too narrow rows": (PAIRS, "[smoothing] * vocab_size for", "[smoothing] * max(ids) for", 1),
    "fewer rows, without an error": (PAIRS, "for _ in range(vocab_size)", "for _ in range(3)", 1),
    "fewer rows by a loop": (COUNTS, "for a in range(vocab_size)", "for a in range(3)", 1),
    "one pair too many": (PAIRS, "range(len(ids) - 1)", "range(len(ids))", 1),
    "one pair too many, counted alone": (COUNTS, "range(len(ids) - 1)", "range(len(ids))", 1),
    "a sum that is 0": (ATTENTION, "total = sum(exps)", "total = 0", 3),
    "a division by 0": (ATTENTION, "e / total", "1 / 0", 3),
    "an error in the scores": (ATTENTION, "K[j])", "K[j + 1])", 2),
    "an error in the mix": (ATTENTION, "V[j][c]", "V[j + 1][c]", 4),
}


@pytest.mark.parametrize("name", WRONG)
def test_no_step_is_called_right_in_which_the_error_stands(name, monkeypatch):
    """Neither that step nor a later one is right already, and no later one is to be read again."""
    code, old, new, step = WRONG[name]
    told = report(code, old, new, monkeypatch=monkeypatch)

    assert max(right_already(told), default=0) < step
    assert told.clue is None or told.clue.step <= step


TOO_SMALL = {
    "rows": (PAIRS, "for _ in range(vocab_size)", "for _ in range(2)", "`table` needs `vocab_size` rows", 3),
    "rows of a loop": (COUNTS, "for a in range(vocab_size)", "for a in range(2)", "`table` needs `vocab_size` rows", 4),
    "numbers": (
        PAIRS,
        "[smoothing] * vocab_size for",
        "[smoothing] * 2 for",
        "Each row of `table` needs `vocab_size` numbers",
        3,
    ),
}


@pytest.mark.parametrize("name", TOO_SMALL)
def test_a_table_that_is_too_small_is_to_be_made_larger(name, monkeypatch):
    """The ids of the text are right, so the line that makes the table is named, not the index."""
    code, old, new, says, line = TOO_SMALL[name]

    assert report(code, old, new, monkeypatch=monkeypatch).action == f"{says}; it is made in line {line}."


# A change of the code, what the report says of it, and the next thing to do.
ERRORS = {
    "a module's name": ("    return out\n", "    return out\nmath = 5\n", "`math` is a module", "than `math`."),
    "None in a module's name": ("    return out\n", "    return out\nmath = None\n", "`math` is a module", "`math`."),
    "input": ("    out = []", "    n = input()\n    out = []", "`input` waits for the keyboard", "Take `input` out"),
    "a 0 in the code": ("e / total", "1 / 0", "divides by the number 0", "in place of the 0"),
    "a list to add to": ("s = 0", "s = []", "`s` is a list (line 9)", "begin with `s = 0`"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_the_cause_of_an_error_is_named(name, monkeypatch):
    """Another value in a module's name, a call that waits, a 0 in the code and a list in place of a sum."""
    old, new, says, action = ERRORS[name]
    told = report(ATTENTION, old, new, monkeypatch=monkeypatch)

    assert says in told.clue.says
    assert action in told.action


def test_decimals_do_not_go_into_an_array_of_whole_numbers():
    """The array is to be made with decimals, in its own line."""
    text = "import numpy as np\ndef solve(x):\n    s = np.array(x)\n    s -= s.mean()\n    return s\n"
    names = run_cell(text)

    told = check(names["solve"], [{"x": [1, 2], "returns": [-0.5, 0.5]}]).report
    assert told.action == "Give the array `dtype=float` in line 3, where it is made."


def test_a_call_never_waits_for_the_keyboard_and_gives_it_back():
    """`input` raises at once inside a call; outside it is what it was."""
    before = builtins.input
    asked = []

    def solve(x):
        asked.append(builtins.input is before)
        return float(input()) + x

    told = check(solve, [{"x": 1.0, "returns": 2.0}]).report
    watch(solve, {"x": 1.0})

    assert "`EOFError`" in to_text(told)
    assert builtins.input is before
    assert not any(asked)


@pytest.mark.parametrize(("lines", "more"), [(200, ""), (201, "... 1 more line is not shown."), (5000, "4,800 more")])
def test_the_prints_of_one_call_are_cut(lines, more, capsys):
    """The first 200 lines are shown, then how many more there were."""

    def solve(x):
        for at in range(lines):
            print("line", at)
        return x

    check(solve, [{"x": 1.0, "returns": 1.0}])
    shown = capsys.readouterr().out

    assert shown.count("line ") - shown.count("more line ") == 200
    assert more in shown
    assert ("not shown" in shown) == bool(more)


def test_the_letters_of_one_call_are_cut(capsys):
    """One very long line does not fill the page."""

    def solve(x):
        print("x" * 1_000_000)
        return x

    check(solve, [{"x": 1.0, "returns": 1.0}])
    shown = capsys.readouterr().out

    assert shown.count("x") == 20_000
    assert "1 more line is not shown." in shown
