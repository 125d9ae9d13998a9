"""The whole course in one gradebook: a hundred submissions of each lesson, graded by one command."""

import json
import sqlite3
import subprocess
import sys

import pytest
from conftest import ROOT, solve_cell
from course_root import Round

from autograder.ledger import Status
from autograder.loading import lesson_ids, load_lesson
from course.syllabus import LESSONS

pytestmark = pytest.mark.slow

CLASS = 100
BEGUN = 7  # every seventh handed in the stub
TOTALS = """
    select assignment.name, count(distinct submitted_assignment.student_id), sum(grade.auto_score)
    from grade
    join submitted_notebook on submitted_notebook.id = grade.notebook_id
    join submitted_assignment on submitted_assignment.id = submitted_notebook.assignment_id
    join assignment on assignment.id = submitted_assignment.assignment_id
    group by assignment.name
"""


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Hand in a hundred notebooks of each lesson and run `autograder grade --all`: (the course root, what it said)."""
    this = Round(tmp_path_factory.mktemp("course"))
    for lesson_id in lesson_ids(ROOT):
        this.run("generate_assignment", lesson_id)
        released = next((this.course / "release" / lesson_id).glob("*.ipynb"))
        stub = released.read_text(encoding="utf-8")
        notebook = json.loads(stub)
        own = "from earlier import *\n" if load_lesson(lesson_id, ROOT).earlier else ""
        solve_cell(notebook)["source"] = own + load_lesson(lesson_id, ROOT).reference_source
        for student in range(CLASS):
            path = this.course / "submitted" / f"s{student:03}" / lesson_id / released.name
            path.parent.mkdir(parents=True)
            path.write_text(json.dumps(notebook) if student % BEGUN else stub, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "autograder", "grade", "--all"],
        cwd=this.course,
        env=this.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return this


def test_a_hundred_of_each_lesson_are_graded(graded):
    """No limit of the engine stops a right solution of any lesson: full marks, and the stub has none."""
    with sqlite3.connect(graded.course / "gradebook.db") as database:
        found = {lesson: (students, points) for lesson, students, points in database.execute(TOTALS)}
    solved = sum(bool(student % BEGUN) for student in range(CLASS))

    assert found == {each.id: (CLASS, solved * each.points) for each in LESSONS}


@pytest.mark.parametrize("lesson_id", [each.id for each in LESSONS])
def test_each_has_its_receipt_and_pages(graded, lesson_id):
    """Every one of them is in its lesson's receipt, as graded and not mended, with a page and a notebook."""
    story = json.loads((graded.course / "receipts" / f"{lesson_id}.json").read_text(encoding="utf-8"))

    assert {entry["status"] for entry in story["work"]} == {Status.GRADED}
    assert len(story["work"]) == CLASS
    for folder, kind in (("feedback", "html"), ("autograded", "ipynb")):
        assert len(list((graded.course / folder).glob(f"*/{lesson_id}/*.{kind}"))) == CLASS
