"""Reading a notebook: the student's cells are found whatever happened to the notebook."""

import copy
import json
import subprocess
import sys
import time

import pytest
from conftest import LESSON, NEEDS_CASES, points_of
from hypothesis import given, settings
from hypothesis import strategies as st
from shared_cases import made_cases

from course.reading import read_notebook
from course.submission import grade_id_of, read_submission, recognise

RELEASED = {
    "examples": "examples = [1, 2, 3]\ncheck(solve, examples)",
    "hidden": "# Hidden cases run when you hand in.",
}
RIGHT = "def solve(x):\n    return x"


def code(source, grade_id=None, **mark):
    """Make a code cell, with nbgrader's mark if it has an id."""
    metadata = {"nbgrader": {"grade_id": grade_id, **mark}} if grade_id else {}
    return {"cell_type": "code", "metadata": metadata, "source": source, "outputs": [], "execution_count": None}


def text(source):
    """Make a Markdown cell."""
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def notebook(*extra):
    """Make a notebook with the three graded cells; extra cells stand at its end."""
    return {
        "cells": [
            text("# Lesson"),
            code(RIGHT, "solve"),
            code(RELEASED["examples"], "examples"),
            code(RELEASED["hidden"], "hidden"),
            *extra,
        ]
    }


def sources(nb):
    """Return the student's own code as the grader reads it: without the locked cells."""
    return [cell.source for cell in read_submission(nb, RELEASED).cells if cell.source not in RELEASED.values()]


def test_untouched_notebook_needs_no_mending():
    """An untouched notebook gives the student's cell and no note."""
    found = read_submission(notebook(), RELEASED)

    assert [cell.source for cell in found.cells] == [RIGHT, RELEASED["examples"]]
    assert found.notes == ()


def test_cells_are_numbered_as_a_learner_counts_them():
    """A cell's number counts all cells of the notebook from 1, text cells too."""
    found = read_submission(notebook(code("helper = 1")), RELEASED)

    assert [cell.number for cell in found.cells] == [2, 3, 5]


def test_helper_in_another_cell_counts():
    """Every code cell of the student is part of the submission, in order."""
    assert sources(notebook(code("a = 1"), text("words"), code("b = 2"))) == [RIGHT, "a = 1", "b = 2"]


def test_locked_cell_counts_with_its_released_text():
    """Whatever a student wrote into the check cell, the released text is what runs."""
    nb = notebook()
    nb["cells"][2]["source"] = "examples = []\nsolve = None"

    read = read_submission(nb, RELEASED)

    assert [cell.source for cell in read.cells] == [RIGHT, RELEASED["examples"]]
    assert read.notes == ("The locked cell `examples` had been changed; its released text was used.",)


def test_empty_cells_are_left_out():
    """An empty code cell is no code."""
    assert sources(notebook(code("  \n"))) == [RIGHT]


def test_source_as_list_of_lines():
    """A cell stored as a list of lines reads the same."""
    nb = notebook()
    nb["cells"][1]["source"] = RIGHT.splitlines(keepends=True)

    assert sources(nb) == [RIGHT]


@pytest.mark.parametrize("keep_id", [True, False])
def test_all_marks_lost(keep_id):
    """With all metadata gone, the cells are found by their content, and it is said once."""
    nb = copy.deepcopy(notebook())
    for cell in nb["cells"]:
        cell["metadata"] = {"id": "x1"} if keep_id else {}
    found = read_submission(nb, RELEASED)

    assert [cell.source for cell in found.cells] == [RIGHT, RELEASED["examples"]]
    assert len(found.notes) == 1
    assert "another editor" in found.notes[0]


def test_copied_test_cell_is_used_once():
    """A locked cell that was copied keeps its role once; the note names the id."""
    nb = notebook(code(RELEASED["examples"], "examples"))
    found = recognise(nb["cells"], RELEASED)

    assert found.roles.count("examples") == 1
    assert any("`examples` appears 2 times" in note for note in found.notes)


def test_changed_copy_of_a_test_cell_is_not_chosen():
    """Of two cells with one id the one with the released text is the locked cell."""
    nb = notebook()
    nb["cells"].insert(1, code("check = print", "examples"))
    found = recognise(nb["cells"], RELEASED)

    assert found.roles[3] == "examples"


def test_last_of_two_solution_cells_keeps_the_id():
    """Of two copied solution cells both run, in order, so the last one counts."""
    nb = notebook()
    nb["cells"].insert(1, code("def solve(x):\n    return 0", "solve"))
    found = recognise(nb["cells"], RELEASED)

    assert found.roles[2] == "solve"
    assert sources(nb) == ["def solve(x):\n    return 0", RIGHT]


@pytest.mark.parametrize("source", ["def solve(x):\n    return 1", "solve = lambda x: 1", "class solve:\n    pass"])
def test_solution_moved_to_a_cell_of_its_own(source):
    """With the solution cell deleted, the cell that defines `solve` takes its role."""
    nb = notebook(code(source))
    del nb["cells"][1]
    found = recognise(nb["cells"], RELEASED)

    assert found.roles[-1] == "solve"


def test_deleted_locked_cells_are_noted():
    """A deleted locked cell is put back and the note says so."""
    nb = notebook()
    del nb["cells"][2:]

    assert [n for n in read_submission(nb, RELEASED).notes if "was put back" in n]


def test_solution_cell_turned_into_text_still_counts():
    """Code in a solution cell that became a text cell is still the student's code."""
    nb = notebook()
    nb["cells"][1]["cell_type"] = "markdown"

    assert sources(nb) == [RIGHT]


def test_odd_metadata_does_no_harm():
    """Metadata of any other form is read as no mark."""
    assert grade_id_of({"metadata": {"nbgrader": "yes"}}) is None
    assert grade_id_of({}) is None
    assert grade_id_of({"metadata": ["x"]}) is None
    assert grade_id_of({"metadata": {"nbgrader": {"grade_id": ["solve"]}}}) is None


STUB = "def solve(x):\n    # YOUR CODE HERE\n    raise NotImplementedError"
WORKED = f"The worked solution:\n\n```python\n{RIGHT}\n```\nDone."
BLANKED = f"\n\n\n{RIGHT}\n\n"
SPLIT = code("def solve(x):\n    y = x", "solve"), code("    z = y"), code("    return z")


def locked():
    """Return the two locked cells as released."""
    return [code(RELEASED["examples"], "examples"), code(RELEASED["hidden"], "hidden")]


# situation: (cells, the student's own code as it runs, words of the one note or None)
HANDED_IN = {
    "split after a helper": ([code("a = 1", "solve"), code(RIGHT), *locked()], ["a = 1", RIGHT], "not its own cell"),
    "split inside the function": (
        [*SPLIT, *locked()],
        ["def solve(x):\n    y = x\n    z = y\n    return z"],
        "goes on with the function",
    ),
    "merged with the check cell, the student's first": (
        [code(f"{RIGHT}\n\n{RELEASED['examples']}", "solve"), locked()[1]],
        [f"{RIGHT}\n\nexamples = [1, 2, 3]\npass"],
        "also holds lines of the check",
    ),
    "merged with the check cell, the check first": (
        [code(f"{RELEASED['examples']}\n\n{RIGHT}", "examples"), locked()[1]],
        [f"examples = [1, 2, 3]\npass\n\n{RIGHT}"],
        "also holds lines of the check",
    ),
    "moved to the end": ([*locked(), code(RIGHT, "solve")], [RIGHT], None),
    "a helper defined after use": (
        [code("def solve(x):\n    return h(x)", "solve"), *locked(), code("h = abs")],
        ["def solve(x):\n    return h(x)", "h = abs"],
        None,
    ),
    "above its imports": ([code(RIGHT, "solve"), code("import math"), *locked()], [RIGHT, "import math"], None),
    "a raw cell": ([{**code(RIGHT, "solve"), "cell_type": "raw"}, *locked()], [RIGHT], "no code cell"),
    "a text cell with fences": (
        [{**code(WORKED, "solve"), "cell_type": "markdown"}, *locked()],
        [BLANKED],
        "no code cell",
    ),
    "a text cell that lost its mark": ([text(RIGHT), *locked()], [RIGHT], "no code cell"),
    "an answer in a text cell, the stub left": (
        [code(STUB, "solve"), text(WORKED), *locked()],
        [BLANKED],
        "still holds `solve` as it was given",
    ),
    "in another cell below the stub": (
        [code(STUB, "solve"), code(RIGHT), *locked()],
        [RIGHT],
        "cell 2, which is not its own",
    ),
    "in another cell above the stub": ([code(RIGHT), code(STUB, "solve"), *locked()], [RIGHT], "as it was given"),
    "in the check cell, the stub left": (
        [code(STUB, "solve"), code(RIGHT, "examples"), locked()[1]],
        [RIGHT],
        "locked cell `examples` was missing",
    ),
    "the stub alone": ([code(STUB, "solve"), *locked()], [STUB], None),
    "an explanation names solve": (
        [text("Write `def solve`:\ndef solve(x):"), code(STUB, "solve"), *locked()],
        [STUB],
        None,
    ),
    "defined twice": (
        [code(RIGHT, "solve"), code("solve = abs"), *locked()],
        [RIGHT, "solve = abs"],
        "the last one counts",
    ),
    "ids edited": (
        [code(RIGHT, "task1"), code(RELEASED["examples"], "task2"), locked()[1]],
        [RIGHT],
        "not its own cell",
    ),
    "ids swapped": (
        [code(RIGHT, "examples"), code(RELEASED["examples"], "solve"), locked()[1]],
        [RIGHT],
        "not its own cell",
    ),
    "points edited": ([code(RIGHT, "solve", points=99, locked=True), *locked()], [RIGHT], None),
    "indented as a whole": (
        [code("    import math\n    y = 2"), code(RIGHT, "solve"), *locked()],
        ["import math\ny = 2", RIGHT],
        None,
    ),
    "Databricks": (
        [
            {**code(RIGHT), "metadata": {"application/vnd.databricks.v1+cell": {"nuid": "1", "title": ""}}},
            {**code(RELEASED["examples"]), "metadata": {"application/vnd.databricks.v1+cell": {"nuid": "2"}}},
        ],
        [RIGHT],
        "another editor removed them",
    ),
    "Kaggle": (
        [
            {**code(RIGHT), "metadata": {"trusted": True, "execution": {"iopub.status.busy": "2026"}}},
            *({**cell, "metadata": {"trusted": True}} for cell in locked()),
        ],
        [RIGHT],
        "another editor removed them",
    ),
    "imported": ([code("from helpers import solve", "solve"), *locked()], ["from helpers import solve"], None),
    "nothing at all": ([], [], "`solve` was missing"),
}


@pytest.mark.parametrize("situation", HANDED_IN)
def test_what_students_hand_in(situation):
    """The student's code is found and runs in order; each mend is one plain sentence."""
    cells, wanted, note = HANDED_IN[situation]
    found = recognise(cells, RELEASED)
    own = [
        source
        for source, role in zip(found.sources, found.roles, strict=True)
        if source.strip() and role not in RELEASED
    ]

    assert own == wanted
    assert any(note in said for said in found.notes) if note else found.notes == ()
    assert len({*filter(None, found.roles)}) == len([*filter(None, found.roles)])


def test_mending_twice_changes_nothing():
    """A notebook that was mended (roles written back as ids, kinds as code) reads the same again."""
    for cells, wanted, _ in HANDED_IN.values():
        found = recognise(cells, RELEASED)
        mended = [code(cell["source"], role) if role else cell for cell, role in zip(cells, found.roles, strict=True)]
        again = recognise(mended, RELEASED)
        own = [s for s, role in zip(again.sources, again.roles, strict=True) if s.strip() and role not in RELEASED]

        assert own == wanted
        assert [r for r in again.roles if r] == [r for r in found.roles if r]


HELPERS = "import more\n\ndef solve(x):\n    return more.twice(x)\n"
BESIDE = {
    "helpers.py": HELPERS,
    "more.py": "def twice(x):\n    return 2 * x\n",
    "unused.py": "1 / 0",
    "json.py": "x = 1",
}


def run(read):
    """Run a submission's cells in a process of its own and return what `solve(4)` gives."""
    text = "".join(f"exec({cell.source!r}, names)\n" for cell in read.cells if "check(" not in cell.source)
    command = [sys.executable, "-I", "-c", f"names = {{}}\n{text}print(names['solve'](4))"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize(
    "source",
    [
        "from helpers import solve",
        "import helpers as h\nsolve = h.solve",
        "import math, helpers\nsolve = helpers.solve",
        "import os\n%run helpers.py",
        "def solve(x):\n    from helpers import solve as s\n    return s(x)",
    ],
)
def test_solve_in_a_module_beside_the_notebook(source):
    """A module beside the notebook can be imported, and those it imports too; it is said."""
    read = read_submission({"cells": [code(source, "solve"), *locked()]}, RELEASED, BESIDE)

    assert run(read) == "8"
    assert read.cells[0].number == 0
    assert read.notes == tuple(
        f"`{name}.py` beside the notebook was used: a cell imports it." for name in ("helpers", "more")
    )


def test_module_written_by_a_cell():
    """A module that the notebook itself writes with a magic can be imported."""
    cells = [
        code("%%writefile helpers.py\ndef solve(x):\n    return 3"),
        code("from helpers import solve", "solve"),
        *locked(),
    ]
    read = read_submission({"cells": cells}, RELEASED)

    assert "def solve" in read.cells[0].source
    assert read.cells[0].number == 0


@pytest.mark.parametrize("name", ["numpy", "json", "random", "course"])
def test_modules_never_stand_in_for_libraries(name):
    """A student's own numpy.py is left out, and it is said."""
    cells = [code(f"import {name}\n{RIGHT}", "solve"), *locked()]
    read = read_submission({"cells": cells}, RELEASED, {f"{name}.py": "x = 1"})

    assert read.cells[0].number == 1
    assert read.notes == (f"`{name}.py` beside the notebook was left out: a library has that name.",)


def test_huge_module_is_left_out():
    """A module larger than 200 kB is left out."""
    read = read_submission({"cells": [code("import big")]}, RELEASED, {"big.py": "x = 1\n" * 40_000})

    assert any("larger than 200 kB" in note for note in read.notes)


@pytest.mark.parametrize(
    "big",
    [
        "a" * 1_000_000,
        "ab" * 500_000,
        "\n" * 1_000_000,
        " " * 1_000_000,
        "solve " * 150_000,
        "from x import " * 70_000,
        "```\n" * 200_000,
        "x = 1\n" * 150_000,
    ],
)
def test_huge_cells_cost_little(big):
    """Text made to be slow to compare or search takes time in proportion to its length."""
    cells = [code(big), code(big, "solve"), code(big, "examples"), text(big)]
    start = time.process_time()
    read_submission({"cells": cells}, {**RELEASED, "hidden": "a" * 3_000})

    assert time.process_time() - start < 3


def test_many_cells_that_look_like_the_locked_one_cost_little():
    """Thousands of near copies of the locked cell are compared only up to a limit."""
    released = {"examples": "examples = [" + "1, 2, 3, " * 400 + "]"}
    cells = [code(released["examples"].replace("1", str(at), 1)) for at in range(4_000)]
    start = time.process_time()
    found = recognise(cells, released)

    assert found.roles.count("examples") == 1
    assert time.process_time() - start < 3


ODD = st.none() | st.integers() | st.text(max_size=6) | st.lists(st.integers(), max_size=2)
PIECES = st.sampled_from(
    [RIGHT, STUB, WORKED, *RELEASED.values(), "x = 1", "    return 1", "```", "import helpers", "%%file a.py\n1"]
)
ANY_CELL = st.fixed_dictionaries(
    {},
    optional={
        "cell_type": st.sampled_from(["code", "markdown", "raw"]) | ODD,
        "source": PIECES | st.lists(PIECES, max_size=3) | st.lists(PIECES, max_size=3).map("\n".join) | ODD,
        "metadata": ODD
        | st.fixed_dictionaries(
            {"nbgrader": ODD | st.fixed_dictionaries({"grade_id": st.sampled_from(["solve", *RELEASED]) | ODD})}
        ),
    },
)


@settings(max_examples=300, deadline=None)
@given(st.lists(ANY_CELL, max_size=7))
def test_any_cells(cells):
    """Any cells get their roles: each at most once, the same every time, one source a cell."""
    found = recognise(cells, RELEASED)
    named = [role for role in found.roles if role]

    assert len(found.roles) == len(found.sources) == len(cells)
    assert len(named) == len(set(named))
    assert set(named) <= {"solve", *RELEASED}
    assert found == recognise(copy.deepcopy(cells), RELEASED)
    assert all(note.endswith(".") and "\n" not in note for note in found.notes)
    read_submission({"cells": cells}, RELEASED, BESIDE)


@NEEDS_CASES
@pytest.mark.parametrize(
    "place",
    [
        "B01/dup_solve",
        "B01/dup_tests",
        "B01/dup_solve_same_cell_id",
        "B02/colab",
        "B02/vscode",
        "B02/deepnote",
        "B02/bare",
        "B02/colab_plus_extra_cell",
    ],
)
def test_shared_cases_get_full_marks(grader, place):
    """Copied cells and stripped metadata cost a right answer nothing; the mend is said in one note."""
    data = (made_cases() / place / "attention.ipynb").read_bytes()
    report = grader.grade_notebook(read_notebook(data).notebook, LESSON)

    assert points_of(report) == 15
    assert len(report.notes) == 1
    assert ("appears 2 times" if place.startswith("B01") else "another editor") in report.notes[0]


def test_released_notebook_read_from_json_is_untouched(released, lesson):
    """The release itself needs no mending, by way of its bytes too."""
    read = read_notebook(json.dumps(released).encode())

    assert read.notes == ()
    assert read_submission(read.notebook, lesson.released).notes == ()
