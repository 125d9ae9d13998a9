"""The whole round with real nbgrader commands, in a course root of its own."""

import csv
import json
import shutil
import zipfile
from pathlib import Path

import pytest
from conftest import LESSON, ROOT
from course_root import Round
from nbgrader.api import Gradebook

from autograder.class_table import class_rows
from autograder.sample_class import SAMPLE_CLASS, fill_in

pytestmark = pytest.mark.slow

DESK_STUDENT = "student-04"
POINTS = {
    "student-01": (5, 10),
    "student-02": (5, 10),
    "student-03": (0, 0),
    "student-07": (0, 0),
    "student-09": (5, 10),
    "student-10": (5, 10),
}


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Play the round once; the tests look at what it left."""
    this = Round(tmp_path_factory.mktemp("round"))
    shutil.copytree(ROOT / "release", this.course / "release")  # as in a fresh clone
    this.run("generate_assignment", LESSON)
    this.run("release_assignment", LESSON)
    this.run("list", at=this.desk)
    this.run("fetch_assignment", LESSON, at=this.desk)
    fetched = this.desk / LESSON / "attention.ipynb"
    fetched.write_text(fill_in(fetched.read_text("utf-8"), SAMPLE_CLASS[DESK_STUDENT]), encoding="utf-8")
    this.run("validate", str(fetched), at=this.desk)
    this.run("submit", LESSON, f"--student={DESK_STUDENT}", at=this.desk)
    this.run("collect", LESSON)
    archive = this.course / "downloaded" / LESSON / "archive"
    archive.mkdir(parents=True)
    released = this.notebook("release").read_text("utf-8")
    with zipfile.ZipFile(archive / "class.zip", "w") as packed:
        for student, answer in SAMPLE_CLASS.items():
            if student != DESK_STUDENT:
                packed.writestr(f"{student}_attempt_2026-01-31-12-00-00_attention.ipynb", fill_in(released, answer))
    this.run("zip_collect", LESSON)
    this.run("autograde", LESSON)
    this.run("generate_feedback", LESSON)
    this.run("release_feedback", LESSON)
    this.run("fetch_feedback", LESSON, at=this.desk)
    this.run("export")
    this.run("generate_solution", LESSON)
    return this


def test_release_is_the_committed_one(played):
    """`nbgrader generate_assignment` gives exactly the committed release."""
    committed = ROOT / "release" / LESSON / "attention.ipynb"

    assert played.notebook("release").read_bytes() == committed.read_bytes()


def test_student_sees_the_assignment(played):
    """`nbgrader list` names the released lesson."""
    assert LESSON in played.said["list"]


def test_validate_tells_a_wrong_answer(played):
    """`nbgrader validate` says that a wrong solution fails, without a traceback."""
    assert "VALIDATION FAILED ON 1 CELL" in played.said["validate"]
    assert "Traceback" not in played.said["validate"]


@pytest.mark.parametrize("student", SAMPLE_CLASS)
def test_whole_class_is_in_the_gradebook(played, student):
    """Every student's work is graded, the examples and the hidden cases each in their own cell."""
    with Gradebook(f"sqlite:///{played.course}/gradebook.db") as gradebook:
        notebook = gradebook.find_submission_notebook("attention", LESSON, student)
        scores = {grade.name: (grade.auto_score, grade.max_score) for grade in notebook.grades}
        waiting = notebook.needs_manual_grade

    assert not waiting
    assert (scores["examples"][1], scores["hidden"][1]) == (5, 10)
    if student in POINTS:
        assert (scores["examples"][0], scores["hidden"][0]) == POINTS[student]
    else:
        assert scores["examples"][0] + scores["hidden"][0] < 15


def test_solution_cell_has_a_comment_for_the_instructor(played):
    """The automatic comment of the solution cell says what failed first and the likely mistake."""
    with Gradebook(f"sqlite:///{played.course}/gradebook.db") as gradebook:
        comment = gradebook.find_comment("solve", "attention", LESSON, DESK_STUDENT).comment

    assert "xample 5" in comment
    assert "tep" in comment


def test_class_table_names_first_failure_and_mistake(played):
    """The class table gives points, the first failing case and the likely mistake of each student."""
    rows = {row.student: row for row in class_rows(LESSON, played.course)}

    assert list(rows) == sorted(SAMPLE_CLASS)
    assert rows["student-08"].first_failing == "hidden: one token (stopped)"
    assert rows["student-01"].points == "15/15"
    assert rows[DESK_STUDENT].first_failing == "example 5 (values)"
    assert "(step" in rows[DESK_STUDENT].mistake
    assert "large" in rows["student-05"].first_failing


@pytest.mark.parametrize("student", SAMPLE_CLASS)
def test_feedback_page_is_whole_and_hides_what_is_hidden(played, student):
    """Each student gets a page without network, hidden code or stored inputs."""
    page = (played.course / "feedback" / student / LESSON / "attention.html").read_text("utf-8")

    assert '<html lang="en">' in page
    assert "hidden_points" not in page
    assert "BEGIN" not in page
    assert "<script" not in page
    assert "http://" not in page
    assert "https://" not in page


def test_student_fetches_the_feedback(played):
    """`nbgrader fetch_feedback` brings the page to the student's desk."""
    pages = list((played.desk / LESSON / "feedback").rglob("attention.html"))

    assert len(pages) == 1


def test_export_has_every_student(played):
    """`nbgrader export` writes one row per student with the score."""
    with (played.course / "grades.csv").open(encoding="utf-8", newline="") as file:
        scores = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}

    assert set(scores) == set(SAMPLE_CLASS)
    assert scores["student-01"] == 15
    assert scores["student-03"] == 0


def test_solution_notebook_explains_the_steps(played):
    """`nbgrader generate_solution` gives the solution with its step-by-step explanation, run without an error."""
    notebook = json.loads(played.notebook("solution").read_text("utf-8"))
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", ())]

    assert any("solution-only" in cell["metadata"].get("tags", ()) for cell in notebook["cells"])
    assert not [output for output in outputs if output["output_type"] == "error"]


def test_nothing_is_written_outside(played):
    """Nothing is written into the home folder."""
    assert not list(Path(played.environment["HOME"]).iterdir())


def test_nobody_is_left_out_of_the_table(played):
    """Work that was not graded, and a student who handed in nothing, have their rows."""
    broken = played.course / "submitted" / "student-98" / LESSON
    broken.mkdir(parents=True)
    (broken / "attention.ipynb").write_text("{", encoding="utf-8")
    with Gradebook(f"sqlite:///{played.course}/gradebook.db") as gradebook:
        gradebook.add_student("student-99")
    rows = {row.student: row for row in class_rows(LESSON, played.course)}
    shutil.rmtree(broken.parent)

    assert "not graded" in rows["student-98"].first_failing
    assert rows["student-99"].first_failing == "nothing handed in"


def test_a_grade_by_hand_survives_and_is_shown(played):
    """A manual grade and comment outlive a regrade; the page and the table say that a person changed the points."""
    student = "student-06"
    with Gradebook(f"sqlite:///{played.course}/gradebook.db") as gradebook:
        grade = gradebook.find_grade("hidden", "attention", LESSON, student)
        grade.manual_score, grade.extra_credit = 3, 0.5
        gradebook.find_comment("solve", "attention", LESSON, student).manual_comment = "Nearly there <3"
        gradebook.db.commit()
    played.run("autograde", LESSON, "--force", f"--student={student}")
    played.run("generate_feedback", LESSON, "--force", f"--student={student}")
    page = (played.course / "feedback" / student / LESSON / "attention.html").read_text("utf-8")
    row = next(row for row in class_rows(LESSON, played.course) if row.student == student)

    assert "6.5 of 15 points" in page
    assert "3.5 of 10 points</strong> (changed by your instructor)" in page
    assert "Nearly there &lt;3" in page
    assert row.points == "6.5/15 by hand"


def test_no_false_alarm_about_changed_cells(played):
    """Grading honest work warns of no changed cell: a real warning must stand out."""
    assert "has changed" not in played.said["autograde"]
