"""Functions of earlier lessons: which lessons bring them, and that every grading uses the course's."""

import json
import re
import sqlite3
import subprocess
import sys

import pytest
from cell_makers import code
from conftest import ROOT, points_of
from course_root import Round
from earlier_helpers import ARRAYS, FIRST, LATER, LISTS, TAMPERED, with_solve
from lesson_helpers import RIGHT

from autograder.earlier import earlier_module
from autograder.lesson import EARLIER
from course.submission import read_submission
from course.syllabus import LESSONS

# --- what is released ---


@pytest.mark.slow
def test_only_later_lessons_bring_earlier_functions(grader):
    """Exactly the lessons that build on others have `earlier.py`, with functions of lessons before them only."""
    brought = {each.id: grader.lesson(each.id).earlier for each in LESSONS if (ROOT / "source" / each.id).is_dir()}
    found = sorted([*(ROOT / "source").glob(f"*/{EARLIER}"), *(ROOT / "release").glob(f"*/{EARLIER}")])

    assert {file.parent.name for file in found} == {lesson_id for lesson_id, text in brought.items() if text}
    for file in found:
        text = brought[file.parent.name]
        assert file.read_text(encoding="utf-8") == text
        assert all(lesson_id < file.parent.name for lesson_id in re.findall(r'="(\d\d_\w+)"', text))


def test_it_is_the_reference_of_the_earlier_lesson(grader):
    """The module's function gives what the earlier lesson's reference gives, on all of its hidden cases."""
    earlier = earlier_module(grader.lesson(LATER).earlier)
    first = grader.lesson(FIRST)

    assert [earlier.attention(*call.arguments) for call in first.hidden_calls] == [
        first.reference(*call.arguments) for call in first.hidden_calls
    ]


# --- in the grader ---


@pytest.mark.parametrize("source", [LISTS, ARRAYS], ids=["lists", "numpy"])
def test_a_solution_may_call_it(grader, source):
    """A solution that calls `attention`, with lists or arrays, gets full marks; no note tells of the module."""
    report = grader.grade_notebook(with_solve(source), LATER)

    assert points_of(report) == 13
    assert report.notes == ()


def test_a_learner_may_write_everything(grader):
    """A solution with an `attention` of its own gets full marks."""
    own = RIGHT["lists"].replace("def solve", "def attention")

    assert points_of(grader.grade_notebook(with_solve(own + LISTS), LATER)) == 13


def test_the_grader_brings_its_own_module(grader):
    """Whatever lies beside the notebook or is written by a cell, the course's function runs in the grader."""
    lesson = grader.lesson(LATER)
    notebook = with_solve(LISTS)
    notebook["cells"].insert(1, code(f"%%writefile earlier.py\n{TAMPERED}") | {"id": "own"})
    submission = read_submission(notebook, lesson.released, lesson.beside({EARLIER: TAMPERED}))

    assert points_of(grader.grade(submission, lesson)) == 13


def test_a_fault_in_its_use_points_at_the_learners_line(grader):
    """Where `attention` stops because of what it was given, the learner's own line is named, not the course's."""
    report = grader.grade_notebook(with_solve(LISTS.replace("(Q, K, V)), causal)", "(Q, K[:0], V)), causal)")), LATER)
    says = report.examples[0].says

    assert "part = attention(" in says
    assert "max(scores)" not in says


@pytest.mark.slow
@pytest.mark.parametrize("way", ["nbgrader", "class-wide"])
def test_a_tampered_file_is_replaced_when_graded(way, tmp_path):
    """By `nbgrader autograde` and by `autograder grade`, a changed `earlier.py` beside the work changes nothing."""
    this = Round(tmp_path)
    this.run("generate_assignment", LATER)
    folder = this.course / "submitted" / "s1" / LATER
    folder.mkdir(parents=True)
    (folder / "multi_head_attention.ipynb").write_text(json.dumps(with_solve(LISTS)), encoding="utf-8")
    (folder / EARLIER).write_text(TAMPERED, encoding="utf-8")
    if way == "nbgrader":
        this.run("autograde", LATER, "--create")
        kept = (this.course / "autograded" / "s1" / LATER / EARLIER).read_text(encoding="utf-8")
        assert kept == (ROOT / "release" / LATER / EARLIER).read_text(encoding="utf-8")
    else:
        command = [sys.executable, "-m", "autograder", "grade", LATER]
        subprocess.run(command, cwd=this.course, env=this.environment, capture_output=True, check=True)
    with sqlite3.connect(this.course / "gradebook.db") as database:
        points = database.execute("select sum(auto_score) from grade").fetchone()

    assert points == (13,)
