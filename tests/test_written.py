"""Whether `solve` is written: what chooses among files, what the check says and what is graded agree."""

import pytest
from cell_makers import RELEASED, RIGHT, STUB, WORKED, code, locked, text

from course.cell_text import is_stub
from course.submission import read_submission
from course.written import Written, what_is_written

CELLS = {
    "written": ([code(RIGHT, "solve")], Written.FINISHED),
    "the stub": ([code(STUB, "solve")], Written.AS_GIVEN),
    "the stub and helpers": ([code("def dot(a, b):\n    return 1"), code(STUB, "solve")], Written.AS_GIVEN),
    "the stub, written below": ([code(STUB, "solve"), code(RIGHT)], Written.FINISHED),
    "the stub, written in a text cell": ([code(STUB, "solve"), text(WORKED)], Written.FINISHED),
    "the stub without its mark": ([code(STUB)], Written.AS_GIVEN),
    "imported by its name": ([code("from helpers import solve", "solve")], Written.FINISHED),
    "imported with all names": ([code("from helpers import *", "solve")], Written.ELSEWHERE),
    "begun, and the stub still raises": ([code(f"x = 1\n{STUB}", "solve")], Written.AS_GIVEN),
}


@pytest.mark.parametrize(("cells", "wanted"), CELLS.values(), ids=CELLS)
def test_choosing_checking_and_grading_agree(cells, wanted):
    """A file gives way as not written exactly where the check before handing in finds the stub in what is graded."""
    own = read_submission({"cells": [*cells, *locked()]}, RELEASED).cells

    assert what_is_written({"cells": [*cells, *locked()]}) is wanted
    assert any(is_stub(cell.source) for cell in own) == (wanted is Written.AS_GIVEN)


def test_a_notebook_without_a_word_of_solve():
    """Notes of another subject hold nothing of it."""
    assert what_is_written({"cells": [code("x = 1"), text("words")]}) is Written.NOT
