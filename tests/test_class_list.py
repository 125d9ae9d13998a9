"""The verbs `roster` and `canvas`: a list of students into the gradebook, the scores into Canvas's file."""

import csv
import sqlite3
import subprocess
import sys

import pytest
from conftest import LESSON
from course_root import Round
from nbgrader.api import Gradebook
from test_class_run import start

from autograder.sample_class import SAMPLE_CLASS

LIST = '\ufeff"id";"last_name";"first_name";"canvas_id"\r\n' + "".join(
    f'"{student}";"{last}";"First; of {student}";"{number}"\r\n'
    for student, last, number in (
        ("007", "O'Last", 3001),
        ("0070", "Größe", 3002),
        ("s03", "three, quiet", 3003),
        ("s04", "", ""),
    )
)
CANVAS = (
    "\ufeffStudent,ID,SIS Login ID,09_attention (9001)\r\n    Points Possible,,,15\r\n"
    '"O\'Last, First",{},{},\r\n"Größe, First",{},{},7\r\n"quiet, three",{},{},\r\n'
)
BY_LOGIN = CANVAS.format(1, "007", 2, "0070", 3, "s03")
BY_NUMBER = CANVAS.format(3001, "x1", 3002, "x2", 3003, "x3")


def run(this, *words, expect=0):
    """Run one verb of ours and return what it said."""
    command = [sys.executable, "-m", "autograder", *words]
    done = subprocess.run(command, cwd=this.course, env=this.environment, capture_output=True, text=True, check=False)
    assert done.returncode == expect, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


def students(database):
    """Return the students of a gradebook."""
    with sqlite3.connect(database) as connection:
        found = connection.execute("select id, last_name, first_name, email, lms_user_id from student order by id")
        return found.fetchall()


@pytest.fixture
def empty(tmp_path):
    """A course without a gradebook."""
    return Round(tmp_path)


@pytest.mark.slow
def test_a_list_makes_the_gradebook_and_mends_it(empty):
    """A list goes in before the first lesson too; a second one mends names, erases nothing and removes nobody."""
    lists = empty.course / "list.csv"
    lists.write_bytes(LIST.encode())
    first = run(empty, "roster", "list.csv", "--db", "sqlite:///other.db")
    lists.write_text("id,last_name,email\n007,New,s007@example.edu\n0070,,\nmore,,\n", encoding="utf-8")
    second = run(empty, "roster", "list.csv", "--db", "sqlite:///other.db")

    assert "4 students: 4 new, 0 changed, 0 as before." in first
    assert "3 students: 1 new, 1 changed, 1 as before." in second
    assert "not in the list, left as they are: s03, s04." in second
    assert not (empty.course / "gradebook.db").exists()
    assert students(empty.course / "other.db") == [
        ("007", "New", "First; of 007", "s007@example.edu", "3001"),
        ("0070", "Größe", "First; of 0070", None, "3002"),
        ("more", None, None, None, None),
        ("s03", "three, quiet", "First; of s03", None, "3003"),
        ("s04", None, "First; of s04", None, None),
    ]


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Three of four have handed in: one a little late, one so late that nothing is left, one is not graded yet."""
    this = start(tmp_path_factory.mktemp("listed"), dict.fromkeys(("007", "0070", "s04"), SAMPLE_CLASS["student-01"]))
    (this.course / "roster.csv").write_bytes(LIST.encode())
    run(this, "roster", "roster.csv")
    run(this, "grade", LESSON)
    with Gradebook(f"sqlite:///{this.course / 'gradebook.db'}") as book:
        for student, penalty in (("007", 4.5), ("0070", 20)):
            book.find_submission_notebook("attention", LESSON, student).late_submission_penalty = penalty
        book.find_grade("hidden", "attention", LESSON, "s04").auto_score = None
        book.db.commit()
    return this


@pytest.mark.slow
def test_the_whole_list_is_in_the_export(graded):
    """A student who handed in nothing is in nbgrader's export, with the names of the list."""
    graded.run("export")
    with (graded.course / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}

    assert set(rows) == {"007", "0070", "s03", "s04"}
    assert rows["s03"]["last_name"] == "three, quiet"
    assert [rows[student]["score"] for student in ("007", "0070", "s03", "s04")] == ["10.5", "0.0", "0.0", ""]


@pytest.mark.slow
@pytest.mark.parametrize("before", [BY_LOGIN, BY_NUMBER], ids=["ids are logins", "Canvas's own numbers"])
def test_scores_reach_the_canvas_file(graded, before):
    """What counts, less the late penalty, is in a copy of Canvas's file; who is not graded keeps the cell as it was."""
    (graded.course / "canvas.csv").write_bytes(before.encode())
    said = run(graded, "canvas", LESSON, "canvas.csv")
    lines = before.splitlines(keepends=True)
    lines[2:4] = [lines[2].replace(",\r", ",10.5\r"), lines[3].replace(",7\r", ",0\r")]

    assert (graded.course / "canvas-filled.csv").read_bytes().decode() == "".join(lines)
    assert (graded.course / "canvas.csv").read_bytes() == before.encode()
    assert "2 scores are in canvas-filled.csv" in said
    assert "Not graded, so left as they were: s04." in said


@pytest.mark.slow
@pytest.mark.parametrize(("points", "is_told"), [("10", True), ("15.0", False), ("", False), ("none", False)])
def test_other_points_in_canvas_are_told(graded, points, is_told):
    """Where Canvas has other points for the lesson, the command says so; the scores are the course's."""
    before = BY_LOGIN.replace("Points Possible,,,15", f"Points Possible,,,{points}")
    (graded.course / "points.csv").write_bytes(before.encode())
    said = run(graded, "canvas", LESSON, "points.csv")

    assert ("Canvas counts 10 points for it, this lesson has 15" in said) is is_told
    assert "2 scores are in points-filled.csv" in said


@pytest.mark.slow
def test_a_score_without_a_place_is_told(graded):
    """A graded student whom Canvas's file does not have is named, and the exit code is 1."""
    file = graded.course / "short.csv"
    file.write_text("Student,SIS Login ID,Homework\nx,007,\n", encoding="utf-8")
    said = run(graded, "canvas", LESSON, "short.csv", "--column", "Homework", "--to", "out.csv", expect=1)

    assert "Graded, and not in Canvas's file: 0070." in said
    assert (graded.course / "out.csv").read_text(encoding="utf-8").endswith("x,007,10.5\n")


WRONG = {
    "no such list": (["roster", "none.csv"], "none.csv cannot be read: No such file"),
    "an id twice": (["roster", "twice.csv"], "nothing was written:\nLine 3: the id 's1' is already in line 2."),
    "no such Canvas file": (["canvas", LESSON, "none.csv"], "none.csv cannot be read"),
    "no such column": (["canvas", LESSON, "twice.csv"], "Export it anew from Canvas, or name the column by --column."),
    "onto itself": (["canvas", LESSON, "twice.csv", "--to", "./twice.csv"], "another name with --to"),
    "no place for it": (["canvas", LESSON, "canvas.csv", "--to", "no/where.csv"], "cannot be written: No such file"),
    "no such gradebook": (["roster", "one.csv", "--db", "nowhere"], "the gradebook's URL cannot be used"),
}


@pytest.mark.slow
@pytest.mark.parametrize("situation", WRONG)
def test_a_wrong_call_says_what_to_do(graded, situation):
    """What cannot be used is told in a sentence, with exit code 2, and the gradebook stays as it was."""
    (graded.course / "twice.csv").write_text("id\ns1\ns1\n", encoding="utf-8")
    (graded.course / "one.csv").write_text("id\ns1\n", encoding="utf-8")
    (graded.course / "canvas.csv").write_bytes(BY_LOGIN.encode())
    before = students(graded.course / "gradebook.db")
    words, says = WRONG[situation]

    assert says in run(graded, *words, expect=2)
    assert students(graded.course / "gradebook.db") == before
