"""What is said of a cell that failed: there is always a reason in words, and its line costs little to find."""

import contextlib
import tracemalloc
from dataclasses import replace

import pytest

from autograder.lesson import Call
from autograder.sandbox import Cell, Sandbox, pack_calls
from course.checking import check
from course.explaining import say_cell
from course.outcomes import Answered, Raised
from course.running.errors import describe, quote
from course.values import Numbers

UNREADABLE_CELLS = {
    "two hundred thousand signs": f"x = {'-' * 200_000}1",
    "ten thousand brackets": f"x = {'(' * 10_000}{')' * 10_000}",
    "a name of names": f"x = a{'.a' * 100_000}",
}


@pytest.mark.parametrize("source", UNREADABLE_CELLS.values(), ids=UNREADABLE_CELLS)
def test_a_cell_that_is_too_much_for_python_says_so(source):
    """A cell that Python has no room to read stops only itself, and there is a reason in words."""
    cells = [Cell(1, source), Cell(2, "def solve(x):\n    return x")]
    with Sandbox() as sandbox, pack_calls([Call((2,))]) as packed:
        result = sandbox.run(cells, packed)

    assert result.outcomes == (Answered(Numbers((), (2.0,))),)
    assert [error.cell for error in result.cell_errors] == [1]
    assert len(say_cell(result.cell_errors[0])) > len("About cell 1: .")


NO_LINES = "{0}.__code__ = {0}.__code__.replace(co_linetable=b'')"
AT_NO_LINE = {
    "in the call": (
        f"def solve(x):\n    return x / 0\n{NO_LINES.format('solve')}",
        Raised("ZeroDivisionError", "{}", 1),
    ),
    "in the cell": (
        f"def solve(x):\n    return x\ndef fail(): 1 / 0\n{NO_LINES.format('fail')}\nfail()",
        Answered(Numbers((), (2.0,))),
    ),
}


@pytest.mark.parametrize(("source", "outcome"), AT_NO_LINE.values(), ids=AT_NO_LINE)
def test_an_error_at_no_line_is_an_error_like_others(source, outcome):
    """Python may know no line for an instruction: the error is told without one, here and by *check*."""
    with Sandbox() as sandbox, pack_calls([Call((2,))]) as packed:
        result = sandbox.run([Cell(1, source)], packed)
    names = {}
    with contextlib.suppress(ZeroDivisionError):
        exec(source, names)  # noqa: S102  # three lines of our own
    report = check(names["solve"], [{"x": 2, "returns": 2.0}], lesson="twice").report
    found = [replace(each, message="{}") if isinstance(each, Raised) else each for each in result.outcomes]

    assert found == [outcome]
    assert report.examples[0].kind == ("raised" if isinstance(outcome, Raised) else "passed")
    assert report.examples[0].line == 0
    assert "line 0" not in str(report)


@pytest.mark.parametrize("error", [MemoryError(), RecursionError(), ValueError(), MemoryError("too much")])
def test_an_error_without_words_and_line_gets_words(error):
    """Where neither a line nor a message says what happened, the kind of error does."""
    assert describe(error, {}).message


def test_the_text_of_a_line_is_quoted_in_a_cell_of_any_length():
    """A line is counted as the compiler does; far down in a cell of megabytes its number stays and its text is left."""
    long = "a = 1\r\nb = 2\rc = 3\n" + "x = 1\n" * 1_000_000
    quoted = [quote(Raised("E", "m", 1, line), {1: long}, 7) for line in (3, 1_000_000, 0, 1_000_005)]

    assert [(each.cell, each.line, each.code) for each in quoted] == [
        (1, 3, "c = 3"),
        (1, 1_000_000, ""),
        (1, 0, ""),
        (1, 0, ""),
    ]
    assert quote(Raised("E", "m", 2, 3), {1: long}, 7) == Raised("E", "m", 7)


def test_errors_in_large_cells_cost_little_memory():
    """To quote one line does not split the whole cell."""
    large = "x = 1\n" * 1_000_000
    tracemalloc.start()
    quote(Raised("E", "m", 1, 3), {1: large})
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert peak < 3 * len(large)
