"""A name of `solve` that a cell below it uses again, and a `solve` that nobody finds: what is called the cause."""

import math

import pytest

from course.explaining import cell_notes, explain
from course.outcomes import NoFunction, Raised
from course.reused import find_reused
from course.running.fresh import FreshRun
from course.running.names import Meaning, look_up
from course.submission import Cell

SOLVE = "def solve(x):\n    return math.sqrt(x) * max(x, scale)"
IMPORT = "import math"
MODULE = look_up(["math"], {"math": math}, str)["math"]
NOTHING = look_up(["math"], {"math": None}, str)["math"]


def reused(sources, names, *, given=(), code="", **session):
    """Return what is found where the saved notebook has these cells; those numbered in `given` are not the student's.

    `session`: its names under `session`, and `same`.
    """
    cells = [Cell(number, source) for number, source in enumerate(sources, start=1)]
    own = [cell for cell in cells if cell.number not in given]
    run = FreshRun((Raised("AttributeError", "no sqrt", 2, 2, code),), names=names)
    return find_reused(cells, own, run, **{"session": {}, "same": False} | session)


BELOW = {
    "a value": ("math = None", "math", {}),
    "in a loop": ("for math in range(3):\n    pass", "math", {}),
    "in an if": ("if True:\n    math = 3", "math", {}),
    "a function": ("def math():\n    pass", "math", {}),
    "another module": ("import cmath as math", "math", {}),
    "unpacked": ("a, math = 1, 2", "math", {}),
    "a name of Python's own": ("max = 3", "max", {}),
    "the import was given": ("math = None", "math", {"given": [1]}),
}


@pytest.mark.parametrize(("below", "name", "more"), BELOW.values(), ids=BELOW)
def test_the_cell_below_is_named_and_no_other(below, name, more):
    """Whatever the way in which a cell below `solve` gives the name another value, this cell is named."""
    found = reused([IMPORT, SOLVE, "y = 1", below], {name: NOTHING}, **more)[name]

    assert found.says.startswith(f"Cell 4 gives `{name}` another value (None).")
    assert found.next_action.startswith("Use another name in cell 4. Press Ctrl+S")
    assert "1" not in found.says


NO_CAUSE = {
    "the same import again": ([IMPORT, SOLVE, IMPORT], {"math": MODULE}),
    "only above": (["scale = 1", "scale = 2", SOLVE], {"scale": Meaning("x")}),
    "only below": ([SOLVE, "scale = 2"], {"scale": Meaning("x")}),
    "a name inside a function": ([IMPORT, SOLVE, "def other():\n    math = 3"], {"math": MODULE}),
    "a name that solve does not use": (["y = 1", SOLVE, "y = 2"], {"math": MODULE}),
    "no solve": ([IMPORT, "math = None"], {"math": NOTHING}),
    "solve itself": ([SOLVE, SOLVE.replace("x", "y")], {"solve": Meaning("x", "", "x")}),
    "a cell that is given": ([IMPORT, SOLVE, "math = None"], {"math": NOTHING}, (3,)),
}


@pytest.mark.parametrize("kind", NO_CAUSE)
def test_what_is_no_second_value_is_not_named(kind):
    """A name is only named where a cell of the student's below `solve` gives it another meaning than above."""
    sources, names, *given = NO_CAUSE[kind]

    assert not reused(sources, names, given=given[0] if given else ())


SESSIONS = {
    "the check came to something else": ({"math": None}, False, "", True),
    "the value differs": ({"math": math}, True, "", True),
    "the line that stopped uses it": ({"math": None}, True, "return math.sqrt(x)", True),
    "nothing speaks for it": ({"math": None}, True, "return mathematics + x", False),
    "the session has no such name": ({}, True, "", False),
}


@pytest.mark.parametrize(("session", "same", "code", "named"), SESSIONS.values(), ids=SESSIONS)
def test_a_second_value_is_named_where_it_can_be_the_cause(session, same, code, named):
    """In whichever order the cells were run here, it is told; with the same failure and no sign of it, it is not."""
    found = reused([IMPORT, SOLVE, "math = None"], {"math": NOTHING}, session=session, same=same, code=code)

    assert bool(found) == named


ASKING = Raised("NameError", "name 'solve' is not defined", 3, 2, "my_line(solve, examples)")
CELLS = [Cell(2, "def answer(x):\n    return x"), Cell(3, "my_line(solve, examples)"), Cell(4, "1 / 0")]


def test_a_cell_that_only_asks_for_solve_is_no_cause():
    """Without a `solve`, what is missing is `solve`: cells that use it are not blamed, and not noted."""
    outcomes = explain([NoFunction()], [ASKING], CELLS)

    assert outcomes == (NoFunction(),)
    assert not cell_notes(outcomes, [ASKING], CELLS)


def test_a_cell_that_stops_for_another_reason_is_the_cause():
    """Any other error of a cell may be why there is no `solve`."""
    stopped = Raised("ZeroDivisionError", "division by zero", 4, 1, "1 / 0")

    assert explain([NoFunction()], [stopped, ASKING], CELLS) == (stopped,)
