"""The class-wide command: the same records as nbgrader's own commands, nothing lost, nothing done twice."""

import csv
import fcntl
import json
import sqlite3
import subprocess
import sys

import pytest
from conftest import LESSON, solve_cell
from course_root import Round

from autograder.sample_class import SAMPLE_CLASS, fill_in

pytestmark = pytest.mark.slow

STAMP = "2026-01-31 12:00:00 UTC"
ROWS = """
    select student.id, base_cell.name, grade.auto_score, grade.manual_score, grade.needs_manual_grade,
           comment.auto_comment, submitted_assignment.timestamp, submitted_notebook.late_submission_penalty
    from submitted_notebook
    join submitted_assignment on submitted_assignment.id = submitted_notebook.assignment_id
    join student on student.id = submitted_assignment.student_id
    left join grade on grade.notebook_id = submitted_notebook.id
    left join base_cell on base_cell.id = grade.cell_id
    left join comment on comment.notebook_id = submitted_notebook.id
    order by student.id, base_cell.name
"""


def start(folder, students):
    """Make a course root with these submissions."""
    this = Round(folder)
    this.release()
    released = this.notebook("release").read_text("utf-8")
    for student, answer in students.items():
        path = this.notebook("submitted", student)
        path.parent.mkdir(parents=True)
        path.write_text(answer if isinstance(answer, str) else fill_in(released, answer), encoding="utf-8")
        path.with_name("timestamp.txt").write_text(STAMP, encoding="utf-8")
    return this


def grade(this, *words, expect=0):
    """Run `autograder grade`."""
    command = [sys.executable, "-m", "autograder", "grade", LESSON, *words]
    done = subprocess.run(command, cwd=this.course, env=this.environment, capture_output=True, text=True, check=False)
    assert done.returncode == expect, done.stdout + done.stderr
    return done.stdout + done.stderr


def rows(this):
    """Return what the gradebook says, without the ids that are made up anew each time."""
    with sqlite3.connect(this.course / "gradebook.db") as database:
        return database.execute(ROWS).fetchall()


def receipt(this):
    """Return the receipt's entries by student."""
    story = json.loads((this.course / "receipts" / f"{LESSON}.json").read_text(encoding="utf-8"))
    return {entry["student"]: entry for entry in story["work"]}


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """The sample class graded both ways."""
    one_by_one = start(tmp_path_factory.mktemp("one-by-one"), SAMPLE_CLASS)
    one_by_one.run("autograde", LESSON)
    one_by_one.run("generate_feedback", LESSON)
    at_once = start(tmp_path_factory.mktemp("at-once"), SAMPLE_CLASS)
    grade(at_once)
    return one_by_one, at_once


def test_gradebook_rows_are_those_of_nbgrader(both):
    """Scores, comments, times and flags are the same, row by row."""
    one_by_one, at_once = both

    assert rows(at_once) == rows(one_by_one)
    assert len(rows(at_once)) == 2 * len(SAMPLE_CLASS)


@pytest.mark.parametrize("student", SAMPLE_CLASS)
def test_feedback_pages_are_those_of_nbgrader(both, student):
    """The page a student gets is the same, to the byte."""
    one, other = (this.course / "feedback" / student / LESSON / "attention.html" for this in both)

    assert other.read_text("utf-8") == one.read_text("utf-8")


@pytest.mark.parametrize("student", SAMPLE_CLASS)
def test_autograded_cells_are_those_of_nbgrader(both, student):
    """Sources, marks, outputs and points of the autograded notebook are the same."""
    one, other = (
        [
            (c["cell_type"], "".join(c["source"]), c["metadata"].get("nbgrader"), c.get("outputs"))
            for c in json.loads(this.notebook("autograded", student).read_text("utf-8"))["cells"]
        ]
        for this in both
    )

    assert [(kind, source) for kind, source, _, _ in other] == [(kind, source) for kind, source, _, _ in one]
    for (_, _, mark, outputs), (_, _, mark_one, outputs_one) in zip(other, one, strict=True):
        assert {**(mark or {})}.get("points") == {**(mark_one or {})}.get("points")
        assert [_plain(o) for o in outputs or []] == [_plain(o) for o in outputs_one or []]


def _plain(output):
    return "".join(output["data"]["text/plain"])


def test_nbgrader_goes_on_with_what_was_written(both):
    """Nbgrader's own autograde has nothing left to do; release_feedback and export work."""
    _, at_once = both
    at_once.run("release_assignment", LESSON)
    at_once.run("autograde", LESSON)
    at_once.run("release_feedback", LESSON)
    at_once.run("export")
    with (at_once.course / "grades.csv").open(encoding="utf-8", newline="") as file:
        scores = {row["student_id"]: row["score"] for row in csv.DictReader(file)}

    assert "Skipping existing assignment" in at_once.said["autograde"]
    assert scores["student-01"] == "15.0"
    assert len(scores) == len(SAMPLE_CLASS)


def test_a_second_run_does_nothing_again(both):
    """An unchanged submission of an unchanged lesson is not run again; a changed one is."""
    _, at_once = both
    before = at_once.notebook("autograded", "student-02").stat().st_mtime_ns
    path = at_once.notebook("submitted", "student-03")
    old = path.read_text("utf-8")
    path.write_text(fill_in(old, SAMPLE_CLASS["student-01"]), encoding="utf-8")
    grade(at_once)
    work = receipt(at_once)

    assert work["student-02"]["status"] == "unchanged, graded before"
    assert at_once.notebook("autograded", "student-02").stat().st_mtime_ns == before
    assert work["student-03"]["points"] == 15


@pytest.fixture
def small(tmp_path):
    """A fresh class of twelve."""
    return start(tmp_path, {f"s{number:02}": SAMPLE_CLASS["student-01"] for number in range(12)})


def test_every_file_is_in_the_receipt(small):
    """Broken, foreign and odd files are told with the reason; the others are graded."""
    small.notebook("submitted", "s00").write_text("{", encoding="utf-8")
    small.notebook("submitted", "s01").unlink()
    (small.notebook("submitted", "s02").with_name("holiday.png")).write_bytes(b"\x89PNG")
    renamed = small.notebook("submitted", "s03")
    renamed.rename(renamed.with_name("attention (1).ipynb"))
    small.notebook("submitted", "s11").write_bytes(small.notebook("source").read_bytes())
    for student, mark in (("s05", "### BEGIN SOLUTION"), ("s06", "### BEGIN HIDDEN TESTS")):  # copied, as comments are
        notebook = json.loads(small.notebook("submitted", student).read_text(encoding="utf-8"))
        solve_cell(notebook)["source"] = f"{mark}\n{''.join(solve_cell(notebook)['source'])}"
        small.notebook("submitted", student).write_text(json.dumps(notebook), encoding="utf-8")
    grade(small)
    work = receipt(small)

    assert work["s00"]["status"] == work["s01"]["status"] == work["s11"]["status"] == "not gradable"
    assert "author's notebook" in work["s11"]["why"]
    assert work["s00"]["why"]
    assert any(other.endswith("holiday.png") for other in work["s02"]["others"])
    assert [work[f"s{n:02}"]["points"] for n in range(2, 11)] == [15] * 9
    assert {"seccomp", "rlimits"} <= set(work["s04"]["layers"])
    assert work["s04"]["sha256"]
    assert work["s04"]["lesson_version"]


def test_work_that_cannot_be_graded_has_a_page(small):
    """The student reads why and what to do, as `release_feedback` returns it; a page of earlier work stays."""
    small.notebook("submitted", "s00").write_text("{<b>", encoding="utf-8")
    small.notebook("submitted", "s01").rename(small.notebook("submitted", "s01").with_name("holiday.png"))
    grade(small)
    before = small.notebook("feedback", "s02").with_suffix(".html").read_text("utf-8")
    small.notebook("submitted", "s02").write_text("{", encoding="utf-8")
    grade(small)

    for student, why in (("s00", "not a valid notebook"), ("s01", "no notebook")):
        page = small.notebook("feedback", student).with_suffix(".html")
        text = page.read_text("utf-8")
        assert "Not graded yet" in text
        assert "<b>" not in text
        assert why in text
        assert page.with_name("timestamp.txt").read_text("utf-8") == STAMP
        assert len(page.with_name("submission_secret.txt").read_text("utf-8")) == 128
    assert small.notebook("feedback", "s02").with_suffix(".html").read_text("utf-8") == before


def test_a_regrade_says_first_whose_mark_changes(small):
    """After a hidden case changes, the regrade tells the changes, keeps marks by hand, and a dry run writes nothing."""
    grade(small)
    with sqlite3.connect(small.course / "gradebook.db") as database:
        database.execute("update grade set auto_score = 1")
        database.execute(
            """
            update grade set manual_score = 7 where notebook_id in (
                select submitted_notebook.id from submitted_notebook
                join submitted_assignment on submitted_assignment.id = submitted_notebook.assignment_id
                where submitted_assignment.student_id = 's00'
            )
            """
        )
    database.close()
    told = grade(small, "--dry-run", "--allow-missing", "namespaces")
    kept = rows(small)
    told_again = grade(small, "--regrade")

    for said in (told, told_again):
        assert "11 marks change." in said
        assert "s05: 2 -> 15" in said
        assert "s00: 14 stays" in said
    assert {row[2] for row in kept} == {1}
    assert {row[3] for row in rows(small) if row[0] == "s00"} == {7}
    assert {row[2] for row in rows(small)} == {5, 10}


def test_a_second_run_at_the_same_time_is_refused(small):
    """Two runs at once: the second says so and stops."""
    with (small.course / ".autograder.lock").open("w") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX)
        done = grade(small, expect=2)

    assert "another `autograder grade` is at work" in done


def test_a_fault_of_ours_is_not_graded(small):
    """A lesson whose module is broken stops everything with exit code 2; nothing is recorded."""
    source = small.notebook("source")
    source.write_text(source.read_text("utf-8").replace('"points": 10', '"points": 11'), encoding="utf-8")
    told = grade(small, expect=2)

    assert "do not add up" in told
    assert rows(small) == []


def test_the_gradebook_must_know_the_lesson(tmp_path):
    """Without a gradebook the message says which command to run first."""
    this = Round(tmp_path)
    told = grade(this, expect=2)

    assert "nbgrader generate_assignment" in told


def test_only_one_student(small):
    """`--student` grades that student alone."""
    grade(small, "--student", "s03")

    assert {row[0] for row in rows(small)} == {"s03"}
