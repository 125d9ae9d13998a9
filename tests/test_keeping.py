"""What a call leaves behind: a value taken anew from a list that changes, and warnings of calls out of sight."""

import shutil
import sys
import warnings

import pytest
from conftest import ROOT
from test_error_clues import solve_of

from course.checking import check
from course.practice import find_practice

EXAMPLES = [{"x": [1.0, 2.0], "returns": [2.0, 4.0]}, {"x": [3.0, 1.0], "returns": [6.0, 2.0]}]
READ_ANEW = {
    "a list": (
        "def solve(x):\n    for i in range(len(x)):\n        x[i] -= max(x)\n    return x\n",
        "And `max(x)` in line 3 is taken anew",
        "take `max(x)` once, above the loop of line 2.",
    ),
    "a row of a table": (
        "def solve(x):\n    for row in [x]:\n        for i in [0, 1]:\n            row[i] /= sum(row)\n    return x\n",
        "And `sum(row)` in line 4 is taken anew",
        "take `sum(row)` once, above the loop of line 3.",
    ),
    "a while": (
        "def solve(x):\n    i = 0\n    while i < 2:\n        x[i] -= 2 * max(x)\n\n        i += 1\n    return x\n",
        "And `max(x)` in line 4 is taken anew",
        "take `max(x)` once, above the loop of line 3.",
    ),
}


@pytest.mark.parametrize("kind", READ_ANEW)
def test_a_value_that_a_loop_takes_anew_from_what_it_changes_is_told(kind):
    """A copy alone leaves the same wrong numbers: the report also says to take the value above the loop."""
    code, says, action = READ_ANEW[kind]
    report = check(solve_of(code), EXAMPLES).report

    assert says in report.clue.says
    assert report.action.endswith(action)
    assert report.notes == ()


def test_a_value_taken_above_the_loop_is_not_told():
    """Only what is read inside the loop that changes the list counts."""
    code = "def solve(x):\n    top = max(x)\n    for i in range(len(x)):\n        x[i] -= top\n    return x\n"
    report = check(solve_of(code), EXAMPLES).report

    assert "anew" not in report.clue.says
    assert report.action == "Begin `solve` with `x = x[:]`."


def test_only_the_calls_of_the_listed_examples_may_warn(recwarn, monkeypatch, tmp_path, capsys):
    """What a call prints or warns of is shown for the worked examples, once, and never for an input out of sight."""
    shutil.copy(ROOT / "release" / "02_softmax" / "softmax.json", tmp_path)
    monkeypatch.chdir(tmp_path)
    practice = find_practice("softmax")
    examples = [each.arguments | {"returns": each.returns.flat} for each in practice.examples]

    def solve(scores):
        warnings.warn(f"warned of {scores}", RuntimeWarning, stacklevel=1)
        print(f"printed {scores}", file=sys.stderr)
        return scores

    warnings.simplefilter("always")
    check(solve, examples, lesson="softmax")

    seen = [each.arguments["scores"] for each in practice.examples]
    assert len(practice.probes) > 0
    assert [str(each.message) for each in recwarn] == [f"warned of {each}" for each in seen]
    assert capsys.readouterr().err.splitlines() == [f"printed {each}" for each in seen]


def test_an_answer_that_is_none_is_told_before_a_changed_input():
    """With the copy alone the call would still return nothing; the changed input is a note."""
    report = check(solve_of("def solve(x):\n    return x.sort()\n"), EXAMPLES[1:]).report

    assert report.clue.says == "Line 2 returns what `x.sort(...)` gives, and that is always None."
    assert [note.partition(".")[0] for note in report.notes] == ["Your function changes its input x"]
