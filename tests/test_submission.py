"""Reading a notebook: the student's cells are found whatever happened to the notebook."""

import copy
import json

import pytest
from cell_makers import RELEASED, RIGHT, code, text
from conftest import LESSON, NEEDS_CASES, points_of
from shared_cases import made_cases

from course.reading import read_notebook
from course.submission import grade_id_of, read_submission, recognise


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
