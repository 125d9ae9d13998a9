"""What of the author's cells is run with a submission: only what the student's own cells build on."""

import pytest
from conftest import LESSON, ROOT

from autograder.grader import Grader
from autograder.needed import needed, statements_in
from autograder.sample_class import RIGHT
from course.submission import Cell

SETUP = "import math, numpy as np\nfrom course import check, hint\nsize = 3\ntable = [0, 0, 0]"
CHECK = "examples = [1,\n            2]\ncheck(solve, examples)"
GIVEN = {source: statements_in(source) for source in (SETUP, CHECK)}


def sources(own):
    """Return what is run of a notebook whose own cell is `own`."""
    cells = (Cell(1, SETUP), Cell(2, own), Cell(3, CHECK))
    return {cell.number: cell.source for cell in needed(cells, GIVEN)}


@pytest.mark.parametrize(
    ("own", "kept"),
    [
        ("solve = len", {}),
        ("solve = math.sqrt", {1: "import math, numpy as np"}),
        ("def solve(x):\n    return np.exp(x)", {1: "import math, numpy as np"}),
        ("solve = examples.index", {3: "examples = [1, 2]"}),
        ("solve = table.index", {1: "table = [0, 0, 0]"}),
        ("solve = globals()['hint']", {1: SETUP, 3: CHECK}),
        (
            "def check(*_):\n    global solve\n    solve = None",
            {1: "from course import check, hint", 3: "examples = [1, 2]\ncheck(solve, examples)"},
        ),
    ],
)
def test_only_what_is_mentioned_is_kept(own, kept):
    """A statement of the author's is run where its name stands in the student's cell, with what it builds on itself."""
    assert sources(own) == kept | {2: own}


@pytest.mark.parametrize(
    "cell",
    [
        'table = {}\ntable["half"] = 0.5',
        "table = {}\ntable.update(half=0.5)",
        "import functools\n@functools.cache\ndef help(x):\n    return x",
        "x = [\n]; y = len(x) + 1",
        "import sys\nsys.setrecursionlimit(5000)",
        "%matplotlib inline\nx = 1",
        "for number in range(3):\n    last = number",
    ],
)
def test_a_cell_with_anything_else_is_run_as_it_is(cell):
    """What changes a thing in place, a decorator, a loop, a magic: such a cell of the author's is never cut."""
    assert needed((Cell(1, cell), Cell(2, "solve = 3")), {cell: statements_in(cell)})[0].source == cell


def test_a_star_import_is_kept():
    """Nobody knows what a star brings, so it is kept."""
    star = "from math import *"

    assert needed((Cell(1, star), Cell(2, "solve = sqrt")), {star: statements_in(star)})[0].source == star


@pytest.mark.parametrize("lesson_id", [LESSON, "11_transformer_block"])
def test_the_stub_and_altered_cells_are_the_students(lesson_id):
    """The stub, and an author's cell that a student changed, are run as they stand."""
    with Grader(ROOT) as grader:
        given = grader.lesson(lesson_id).given
    altered = [Cell(at, f"{source}\n# mine") for at, source in enumerate(given)]

    assert needed(altered, given) == tuple(altered)
    assert not any("def solve" in source for source in given)


def test_names_of_the_set_up_cell_can_be_used():
    """`solve` may rely on what the lesson's first cell imports: it is graded as in the notebook."""
    code = RIGHT.replace("import math\n", "")
    with Grader(ROOT) as grader:
        lesson = grader.lesson(LESSON)
        first = next(source for source in lesson.given if "import math" in source)
        cells = needed((Cell(2, first), Cell(8, code)), lesson.given)
        prepared = grader.prepare(lesson)
        shown, hidden = prepared.sandbox.run_both(cells, prepared.examples, prepared.hidden)

    assert "import math" not in code
    assert cells[0].source == "import math"
    assert {type(each).__name__ for each in (*shown.outcomes, *hidden.outcomes)} == {"Answered"}
