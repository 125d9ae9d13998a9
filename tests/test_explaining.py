"""Where something else took the place of `solve`, the grader looks for the line once, and not without end."""

import tracemalloc

import pytest

from course import explaining
from course.explaining import explain
from course.outcomes import NoFunction
from course.submission import Cell

REPLACES = "solve = solve([1.0])"
LISTS = [NoFunction("a list", alike=str(at)) for at in range(48)]  # a forged record can make each look different


def test_the_line_that_replaces_solve_is_named_for_every_call():
    """Each call without a function points to the cell and the line that took the name."""
    own = [Cell(2, "def solve(x):\n    return x"), Cell(3, f"x = 1\n{REPLACES}")]

    assert {(each.cell, each.line, each.code) for each in explain(LISTS, [], own)} == {(3, 2, REPLACES)}


@pytest.mark.parametrize("cells", [1, 200])
def test_endless_text_takes_no_endless_memory(cells):
    """Of a text of 1 MB, in one cell or in many, at most a small part is parsed: to parse all takes 400 MB."""
    data = "data = [" + "0," * (500_000 // cells) + "]"
    own = [Cell(1, REPLACES), *(Cell(at + 2, data) for at in range(cells))]
    tracemalloc.start()
    explained = explain(LISTS[:1], [], own)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert explained == tuple(LISTS[:1])
    assert peak < 60_000_000


def test_the_cells_are_read_once_for_all_calls(monkeypatch):
    """Many calls that came to nothing cost no more reading than one."""
    read = []
    monkeypatch.setattr(explaining, "line_that_replaces", lambda _, text: read.append(text) or (0, ""))
    explain(LISTS, [], [Cell(1, REPLACES)])

    assert read == [REPLACES]
