"""*check* calls a function twice, and says what it keeps from call to call, or changes."""

import json
import sys
import time

import pytest
from run_cells import run_cell

from course.checking import check
from course.compare import compare
from course.errors.texts import line_that_replaces
from course.explaining import explain
from course.outcomes import NoFunction
from course.report import Report
from course.show import to_text
from course.show_html import to_html
from course.submission import Cell
from course.values import read_value

EXAMPLES = [{"x": [1.0, 2.0], "returns": [2.0, 4.0]}, {"x": [3.0], "returns": [6.0]}]


def cell(code):
    """Run a cell, kept as a kernel keeps it; return its `solve`."""
    return run_cell(code)["solve"]


def _twice(x):
    return [2 * each for each in x]


def _remembers_well(x, known={}):  # noqa: B006  # right all the same
    return known.setdefault(tuple(x), [2 * each for each in x])


OUTSIDE = "is made outside of the function, so it keeps what earlier calls left in it."
DEFAULT = "has its default value in the `def` line"
# The cell, what the report says, and the one thing to do.
KEPT = {
    "a list outside": (
        "rows = []\ndef solve(x):\n    for each in x:\n        rows.append(2 * each)\n    return rows\n",
        f"`rows` {OUTSIDE}",
        "Make it inside: begin `solve` with `rows = []`.",
    ),
    "rows of different lengths": (
        "rows = []\ndef solve(x):\n    rows.append(x)\n    return rows\n",
        f"`rows` {OUTSIDE}",
        "Make it inside: begin `solve` with `rows = []`.",
    ),
    "rows that are arrays": (
        "import numpy as np\nrows = []\ndef solve(x):\n    rows.append(np.array(x))\n    return rows\n",
        f"`rows` {OUTSIDE}",
        "Make it inside: begin `solve` with `rows = []`.",
    ),
    "text": (
        "said = []\ndef solve(x):\n    said.append('x')\n    return said\n",
        f"`said` {OUTSIDE}",
        "Make it inside: begin `solve` with `said = []`.",
    ),
    "a default value": (
        "def solve(x, rows=[]):\n    rows += [2 * each for each in x]\n    return rows\n",
        f"`rows` {DEFAULT}",
        "Take `rows` out of the `def` line and begin `solve` with `rows = []`.",
    ),
    "a counter": (
        "n = 0\ndef solve(x):\n    global n\n    n += 1\n    return [n * each for each in x]\n",
        f"`n` {OUTSIDE}",
        "Make it inside: begin `solve` with `n = 0`.",
    ),
    "a dictionary of a helper's": (
        "seen = {}\ndef t():\n    seen[len(seen)] = 1\n    return [*seen]\ndef solve(x):\n    return t()\n",
        f"`seen` {OUTSIDE}",
        "Make it inside: begin `solve` with `seen = {}`.",
    ),
    "an error in the second call only": (
        "left = [2] * 6\ndef solve(x):\n    return [left.pop() * each for each in [*x, 0]][:1]\n",
        f"`left` {OUTSIDE}",
        "Make it inside: begin `solve` with `left = [2] * 6`.",
    ),
    "a list that begins with content": (
        "calls = [0]\ndef solve(x):\n    calls[0] += 1\n    return [calls[0] * each for each in x]\n",
        f"`calls` {OUTSIDE}",
        "Make it inside: begin `solve` with `calls = [0]`.",
    ),
    "a counter that begins with 1": (
        "n = 1\ndef solve(x):\n    global n\n    n += 1\n    return [n * each for each in x]\n",
        f"`n` {OUTSIDE}",
        "Make it inside: begin `solve` with `n = 1`.",
    ),
    "a dictionary with content": (
        "seen: dict = {'a': 1}\ndef solve(x):\n    seen['a'] += 1\n    return [seen['a'] for each in x]\n",
        f"`seen` {OUTSIDE}",
        "Make it inside: begin `solve` with `seen = {'a': 1}`.",
    ),
    "a default value with content": (
        "def solve(x, last=[7]):\n    last[0] += 1\n    return [last[0] for each in x]\n",
        f"`last` {DEFAULT}",
        "Take `last` out of the `def` line and begin `solve` with `last = [7]`.",
    ),
    "a value that no single line gives": (
        "a, rows = 0, [1]\ndef solve(x):\n    rows.append(a)\n    return rows\n",
        f"`rows` {OUTSIDE}",
        "Make it inside: move the line that makes `rows` into `solve`.",
    ),
    "random numbers": (
        "import random\ndef solve(x):\n    return [random.random() for each in x]\n",
        "It uses random numbers",
        "Take the random numbers out of `solve`.",
    ),
}


@pytest.mark.parametrize("kind", KEPT)
def test_what_is_kept_from_call_to_call_explains_the_failure(kind):
    """The report names it in place of other clues, and the next action is to make it inside: text, HTML and JSON."""
    code, says, action = KEPT[kind]
    report = check(cell(code), EXAMPLES).report
    again = Report.from_json(report.to_json())

    assert says in report.clue.says
    assert report.clue.says.startswith("Called a second time, your function gives another answer for example")
    assert report.action == action
    assert report.notes == ()
    assert again == report
    assert json.loads(report.to_json())["action"] == action
    assert f"Next: {action}" in " ".join(to_text(report).split())
    assert action.replace("`", "") in _plain(to_html(report))


def _plain(html):
    return html.replace("</code>", "").replace('<code style="font-family:monospace">', "")


def test_a_changed_input_explains_the_failure_of_its_own_example():
    """The report names it in place of other clues, and the next action is to work on a copy."""
    report = check(cell("def solve(x):\n    x[0] = 0.0\n    return [2 * each for each in x]\n"), EXAMPLES).report

    assert report.clue.says == "Your function changes its input x. Hidden cases look for that, and it costs a point."
    assert report.action == "Begin `solve` with `x = x[:]`."
    assert report.notes == ()


def test_a_copy_of_a_table_has_new_rows():
    """The action is one that helps: a copy of the outer list holds the same rows."""
    code = "def solve(x):\n    x[0][0] = 5.0\n    return x\n"
    report = check(cell(code), [{"x": [[1.0]], "returns": [[2.0]]}]).report

    assert report.action == "Begin `solve` with `x = [row[:] for row in x]`."


def test_what_does_not_explain_the_failure_is_noted():
    """A right answer from a changed input, or a failing example that is the same twice, leaves a note below."""
    changed = check(cell("def solve(x):\n    y = [2 * each for each in x]\n    x.clear()\n    return y\n"), EXAMPLES)
    other = check(
        cell("n = []\ndef solve(x):\n    n.append(x)\n    return [0, 0] if len(x) == 2 else [len(n)]\n"), EXAMPLES
    )

    assert changed.report.notes == (
        (
            "Your function changes its input x. Hidden cases look for that, and it costs a point. "
            "Begin `solve` with `x = x[:]`."
        ),
    )
    assert changed.points == len(EXAMPLES)
    assert "for example 2" in other.report.notes[0]
    assert other.report.action == ""


@pytest.mark.parametrize(
    "solve", [_twice, _remembers_well, lambda _: [float("nan")], lambda _: None, lambda _: 1 / 0, 3]
)
def test_the_same_second_answer_is_not_told(solve):
    """Where both answers are the same, or there is none, nothing is noted; nan is the same as nan."""
    assert check(solve, EXAMPLES).report.notes == ()


def test_the_second_call_is_silent(capsys):
    """What the function prints is on the screen once."""
    check(lambda x: print("here") or [2 * each for each in x], EXAMPLES)

    assert capsys.readouterr().out.count("here") == len(EXAMPLES)


def test_a_slow_function_is_called_once():
    """Nobody waits twice for a slow function."""
    calls = []

    def slow(x):
        calls.append(x)
        time.sleep(0.11)
        return [2 * each for each in x]

    check(slow, EXAMPLES)

    assert len(calls) == len(EXAMPLES)


@pytest.mark.parametrize("line", ["solve = solve([1.0])", "solve = print(solve([1.0]))", "solve = list(solve([1.0]))"])
def test_a_function_replaced_by_its_own_result_is_told_with_the_line(line, monkeypatch):
    """One sentence says which line did it, and one what to do; the grader says it with the cell."""
    code = f"def solve(x):\n    return [2 * each for each in x]\n\n{line}\n"
    monkeypatch.setattr(sys.modules["__main__"], "In", ["", "y = 3", code], raising=False)
    told = f"line 4 of your cell, `{line}`, puts the result of `solve` in its place. Give the result another name"
    first = "Then run the cell with `def solve` again first."
    outcomes = explain([NoFunction("a list")], [], [Cell(2, code)])

    assert told in check(cell(code), EXAMPLES).report.examples[0].says
    assert told.replace("your cell", "cell 2") in compare(outcomes[0], read_value([1.0])).says
    assert compare(outcomes[0], read_value([1.0])).says.endswith(first)


@pytest.mark.parametrize("line", ["solve, x = 1, 2", "for solve in [1]: pass", "solve: int = 3", "solve = [1]"])
def test_another_value_in_the_place_of_the_function_is_told_with_the_line(line, monkeypatch):
    """Every line that gives the name away is found, however it does so; a `def` below it takes the name back."""
    right = "def solve(x):\n    return [2 * each for each in x]\n"
    monkeypatch.setattr(sys.modules["__main__"], "In", ["", right, f"y = 3\n{line}"], raising=False)

    assert f"line 2 of your cell, `{line}`, gives this name a value." in check(1, EXAMPLES).report.examples[0].says
    assert line_that_replaces("solve", f"{line}\n{right}") == (0, "")


def test_another_value_named_solve_is_not_told_so(monkeypatch):
    """Where no line calls it, nothing is said of a result."""
    monkeypatch.setattr(sys.modules["__main__"], "In", ["", "solve = [1]"], raising=False)

    assert "puts the result" not in check([1], EXAMPLES).report.examples[0].says
