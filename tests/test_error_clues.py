"""Errors in a learner's code: what they mean, where they came, and the one thing to do about each.

The errors of beginners stand in `beginner_errors.txt`: a cell, and what its report says and advises.
"""

import json
import shutil
import sys
from pathlib import Path

import pytest
from conftest import ROOT, cell_of
from run_cells import run_cell

from course.checking import check
from course.report import Report

ERRORS = [each.strip() for each in Path(__file__).with_name("beginner_errors.txt").read_text("utf-8").split("\n\n\n")]


def solve_of(code, **names):
    """Run a cell, kept as a kernel keeps it; return its `solve`."""
    return run_cell(code, names, "cell")["solve"]


def check_lesson(code, lesson, folder, monkeypatch):
    """Run a cell and check its function beside the lesson's own files, as in its notebook."""
    name = lesson[3:]
    for each in (f"{name}.ipynb", f"{name}.json", "earlier.py"):
        if (ROOT / "release" / lesson / each).exists():
            shutil.copy(ROOT / "release" / lesson / each, folder)
    monkeypatch.chdir(folder)
    text = "".join(cell_of(json.loads(Path(f"{name}.ipynb").read_text("utf-8")), "examples")["source"])
    names = {}
    exec(text[: text.index("check(solve")], names)  # noqa: S102  # the list of examples
    return check(solve_of(code), names["examples"], lesson=name)


def test_the_errors_are_many():
    """The table is read whole: none of it is lost."""
    assert len({each.splitlines()[0] for each in ERRORS}) == len(ERRORS) >= 60


@pytest.mark.parametrize("entry", ERRORS, ids=lambda each: each.splitlines()[0].strip("# ").partition(":")[0])
def test_an_error_is_said_in_plain_words(entry, tmp_path, monkeypatch):
    """The report names the cause with the values it met, and the one next action, in at most 15 lines."""
    first, says, action, code = entry.split("\n", 3)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "earlier", raising=False)
    result = check_lesson(code, first.rpartition("lesson ")[2], tmp_path, monkeypatch)
    report = result.report

    assert report.clue.says == says.removeprefix("# says: ")
    assert report.action == action.removeprefix("# next: ")
    assert f"Next: {report.action}" in " ".join(repr(result).split())
    assert len(repr(result).splitlines()) <= 15
    assert report.notes == ()
    assert Report.from_json(report.to_json()) == report


STOPPED = {
    "nothing changes": (
        "def solve(x):\n    i = 0\n    while i < len(x):\n        tick()\n",
        "The loop that begins in line 3 may never end. Now `i` is 0, `x` has length 2. No line inside it changes that.",
        "Change `i` in each round of the loop.",
    ),
    "while True": (
        "def solve(x):\n    while True:\n        tick()\n",
        "The loop that begins in line 2 may never end.",
        "Leave the loop of line 2 with `break` or `return` when the work is done.",
    ),
    "the wrong way": (
        "def solve(x):\n    i = 1\n    while i > 0:\n        tick()\n        i += 1\n",
        "The loop that begins in line 3 may never end. Now `i` is 5.",
        "Make sure that each round of the loop brings `i > 0` nearer to its end.",
    ),
    "the outer loop": (
        "def solve(x):\n    while x:\n        for j in [1, 2]:\n            tick()\n",
        "in line 4: `tick()`. The loop that begins in line 2 may never end.",
        "Change `x` in each round of the loop.",
    ),
    "a list that grows": (
        "def solve(x):\n    for each in x:\n        x.append(each)\n        tick()\n",
        "The loop that begins in line 2 may never end.",
        "Do not make `x` longer inside the loop of line 2: use another list for that.",
    ),
    "a helper": (
        "def fill(x):\n    while x:\n        tick()\n\ndef solve(x):\n    return fill(x)\n",
        "in line 3: `tick()`. The loop that begins in line 2 may never end.",
        "Change `x` in each round of the loop.",
    ),
    "a helper may change it": (
        "def solve(x):\n    while x:\n        tick(x)\n",
        "The loop that begins in line 2 may never end. Now `x` has length 2.",
        "Make sure that each round of the loop brings `x` nearer to its end.",
    ),
    "no loop": (
        "def solve(x):\n    tick(5)\n",
        "When you stopped it, your code was in line 2: `tick(5)`.",
        "Find out why your code stays in line 2.",
    ),
}


@pytest.mark.parametrize("kind", STOPPED)
def test_a_stopped_call_names_its_line_and_its_loop(kind):
    """After the square button the report says where the code was, which loop may never end, and what to change."""
    code, says, action = STOPPED[kind]
    rounds = iter(range(4))

    def tick(*given):
        if given == (5,) or next(rounds, None) is None:
            raise KeyboardInterrupt

    report = check(solve_of(code, tick=tick), [{"x": [1.0, 2.0], "returns": [1.0]}]).report

    assert report.clue.says.startswith("When you stopped it, your code was in line ")
    assert says in report.clue.says
    assert report.action == action


def test_an_error_of_the_learners_own_is_left_as_it_is():
    """What they raise themselves has the meaning that they gave it."""
    report = check(solve_of("def solve(x):\n    raise ValueError('not yet')\n"), [{"x": 1, "returns": 1}]).report

    assert report.clue is None
    assert report.action == ""
    assert "(not yet) in line 2" in report.examples[0].says


@pytest.mark.parametrize("name", ["idx", "dk", "x1", "total_of_all"])
def test_no_name_is_guessed_that_is_not_much_like_it(name):
    """A very short name is like too many others: nothing is said, and the next action asks for the spelling."""
    result = check(solve_of(f"def solve(x):\n    y = x\n    return {name}\n"), [{"x": 1, "returns": 1}])

    assert "Did you mean" not in repr(result)
    assert "Nothing has this name yet. Check its spelling, or write it first." in " ".join(repr(result).split())


def test_no_code_of_the_learners_runs_to_tell_an_error():
    """An object of their own is not asked what it is, how long, or what it holds."""
    code = (
        "class Odd:\n    def __getattribute__(self, name):\n        asked.append(name)\n"
        "        return object.__getattribute__(self, name)\n"
        "    def __repr__(self):\n        asked.append('repr')\n        return ''\n"
        "    def __len__(self):\n        asked.append('len')\n        return 1\n"
        "known = {1: Odd(), 'a': Odd()}\n"
        "def solve(x):\n    asked.clear()\n    return known[0] if len(x) == 1 else known['a'] + x[3]\n"
    )
    asked = []
    for x in ([1], [1, 2]):
        report = check(solve_of(code, asked=asked), [{"x": x, "returns": 1}]).report
        assert report.action
        assert asked == []
