"""The stub's own line in a `solve` that is written: where it stands, and what to put in its place."""

import pytest
from before_helpers import LISTS, Session
from test_error_clues import solve_of

from course.cell_text import line_left_over
from course.checking import check
from course.compare import Kind, compare
from course.explaining import explain
from course.outcomes import Raised
from course.submission import Cell, read_submission
from course.values import read_value
from course.wording import headline, next_action, not_started

EXAMPLES = [{"x": [1.0, 2.0], "returns": [2.0, 4.0]}]
HEAD = 'import math\n\n\ndef solve(x):\n    """Double.\n\n    return: the list\n    """\n'
HERE = "put `return` and your result in its place"
DELETE = "delete it"
BEGUN = {
    "at the end": (f"{HEAD}    out = [2 * each for each in x]\n    raise NotImplementedError\n", 10, HERE),
    "with brackets and a note": (f"{HEAD}    out = 2\n    raise NotImplementedError()  # here\n", 10, HERE),
    "above the code": (f"{HEAD}    raise NotImplementedError\n    return [2 * each for each in x]\n", 9, DELETE),
    "above code without return": (f"{HEAD}    raise NotImplementedError\n    out = [2]\n", 9, DELETE),
    "twice": (f"{HEAD}    raise NotImplementedError\n    y = 2\n    raise NotImplementedError\n", 9, DELETE),
    "below a return in a loop": (
        f"{HEAD}    for each in []:\n        return each\n    raise NotImplementedError\n",
        11,
        HERE,
    ),
    "another function below": (
        f"{HEAD}    y = 2\n    raise NotImplementedError\n\ndef f(x):\n    return x\n",
        10,
        HERE,
    ),
}


@pytest.mark.parametrize("kind", BEGUN)
def test_the_line_of_the_stub_is_told_in_the_check_and_by_the_grader(kind):
    """Both name the line and what to do; neither says that nothing is written."""
    code, line, what = BEGUN[kind]
    report = check(solve_of(code), EXAMPLES).report
    said = report.examples[0].says

    assert said.endswith(f"{what}) in line {line}: `{code.splitlines()[line - 1].strip()}`.")
    assert "place of this line" in next_action(report) if what == HERE else next_action(report) == "Delete this line."
    assert "not written" not in headline(report)
    for met in (Raised("NotImplementedError", "", 3), Raised("NotImplementedError", "", 3, line, said[-5:])):
        (outcome,) = explain([met], [], [Cell(2, "x = 1"), Cell(3, code)])
        verdict = compare(outcome, read_value([1.0]))
        assert (verdict.kind, outcome.line) == (Kind.RAISED, line)
        assert f"{what}) in cell 3, line {line}" in verdict.says


STUBS = {
    "as it was given": f"{HEAD}    # YOUR CODE HERE\n    raise NotImplementedError\n",
    "a helper above": f"def f(x):\n    return x\n\n{HEAD}    raise NotImplementedError\n",
    "pass": f"{HEAD}    pass\n    raise NotImplementedError\n",
    "code below it, outside": f"{HEAD}    raise NotImplementedError\n\ny = 2\n",
}


@pytest.mark.parametrize("kind", STUBS)
def test_a_solve_without_lines_of_its_own_is_not_written_yet(kind):
    """The calm sentence stands, in the check and in the grader."""
    code = STUBS[kind]
    report = check(solve_of(code), EXAMPLES).report
    (outcome,) = explain([Raised("NotImplementedError", "", 3)], [], [Cell(3, code)])

    assert not_started(report)
    assert compare(outcome, read_value([1.0])).kind is Kind.NOT_WRITTEN


def test_a_cell_longer_than_anybody_writes_is_not_searched():
    """The grader reads cells of any size: no text makes it search for long."""
    code = f"{HEAD}    y = 2\n    raise NotImplementedError\n"

    assert line_left_over(code) == (10, True)
    assert line_left_over(f"{code}{'# note' * 20_000}") == (0, False)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # zmq and tornado warn about their own event loops; nothing of ours
def test_the_check_before_handing_in_says_it_as_the_grader_does(client, tmp_path, grader, lesson, hand_in):
    """The saved notebook comes to the same sentences, with the cell and the line."""
    session = Session(client, tmp_path, lesson)
    notebook = hand_in(LISTS.replace("return out", "raise NotImplementedError"))
    session.save(notebook)
    report = session.report()

    assert report.examples == grader.grade(read_submission(notebook, lesson.released), lesson).examples
    assert HERE in report.examples[0].says
