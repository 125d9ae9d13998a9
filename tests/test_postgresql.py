"""The gradebook on PostgreSQL, with a real server and nbgrader's own tables: the same rows as with SQLite."""

import csv
import os
import pwd
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import psycopg
import pytest
from conftest import LESSON
from test_class_run import ROWS, grade, receipt, rows, start
from test_one_among_many import bad_marks

from autograder import cli, gradebook
from autograder import database as database_module
from autograder.lesson import GraderError
from autograder.recording import record
from autograder.sample_class import SAMPLE_CLASS, Answer

pytestmark = pytest.mark.slow

BINARIES = max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), default=None)
ODD = {
    "zwölf o'clock %s": Answer("def solve(Q, K, V, causal):\n    raise ValueError('\\0 %(x)s \\ud800 ' * 9)"),
    "-back\\slash": SAMPLE_CLASS["student-01"],
    "ü" * 127: SAMPLE_CLASS["student-01"],
}


@pytest.fixture(scope="session")
def server():
    """Start a server on a socket in a folder of its own; return that folder."""
    if BINARIES is None:
        assert "CI" not in os.environ, "PostgreSQL is to be tested in CI: .ci/run installs it"
        pytest.skip("PostgreSQL is not installed; on Debian: apt-get install postgresql")
    folder = Path(tempfile.mkdtemp(prefix="postgresql-"))
    user = "postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name  # it refuses to run as root
    shutil.chown(folder, user)

    def run(program, *words):
        command = [BINARIES / program, "-D", folder / "data", *words]
        # Its output goes to a file: the server inherits it and would hold a pipe open.
        with (folder / "log.txt").open("a") as log:
            subprocess.run(
                command, user=user, cwd=folder, stdout=log, stderr=log, check=True, env={"LC_ALL": "C.UTF-8"}
            )

    try:
        run("initdb", "--username=grader", "--auth=trust", "--encoding=UTF8", "--no-sync")
        run("pg_ctl", "start", "-w", "-o", f"-k {folder} -c listen_addresses='' -c fsync=off")
        yield folder
        run("pg_ctl", "stop", "-m", "immediate")
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="module")
def database(server):
    """Make an empty database; return what psycopg and SQLAlchemy call it."""
    words = f"host={server} user=grader dbname="
    with psycopg.connect(f"{words}postgres", autocommit=True) as connection:
        connection.execute("create database course")
    return f"{words}course", f"postgresql+psycopg://grader@/course?host={server}"


@pytest.fixture(scope="module")
def course(tmp_path_factory, database):
    """The sample class and two odd students, graded into SQLite, then into nbgrader's own tables in PostgreSQL."""
    _, url = database
    this = start(tmp_path_factory.mktemp("postgresql"), SAMPLE_CLASS | ODD)
    grade(this)
    this.run("generate_assignment", LESSON, f"--CourseDirectory.db_url={url}")
    grade(this, "--db", url)
    return this


def rows_there(database):
    """Return what the gradebook in PostgreSQL says."""
    with psycopg.connect(database[0]) as connection:
        found = connection.execute(ROWS).fetchall()
    return sorted(map(_plainly, found), key=str)


def _plainly(row):
    """Write a row of either database in one way: SQLite has no truth values and no times."""
    student, cell, score, by_hand, again, comment, moment, penalty = row
    return student, cell, score, by_hand, bool(again), comment, str(moment)[:19], penalty


def test_rows_are_those_of_sqlite(course, database):
    """PostgreSQL has the rows that SQLite has, of odd students too, and a change of gradebook leaves nobody out."""
    assert rows_there(database) == sorted(map(_plainly, rows(course)), key=str)
    assert len(rows_there(database)) == 2 * len(SAMPLE_CLASS | ODD)


def test_nbgrader_goes_on_from_there(course, database):
    """`nbgrader export` takes the same points out of PostgreSQL."""
    course.run("export", f"--CourseDirectory.db_url={database[1]}")
    with (course.course / "grades.csv").open(encoding="utf-8", newline="") as file:
        scores = {row["student_id"]: row["score"] for row in csv.DictReader(file)}

    assert scores["student-01"] == "15.0"
    assert {student.removeprefix("'") for student in scores} == (SAMPLE_CLASS | ODD).keys()  # "'-": no formula


def test_marks_by_hand_stay(course, database):
    """A regrade keeps a person's marks and flags them."""
    with psycopg.connect(database[0]) as connection:
        connection.execute("update grade set manual_score = 7, auto_score = 1, needs_manual_grade = false")
    told = grade(course, "--db", database[1], "--regrade", "--student", "student-01")
    found = [row for row in rows_there(database) if row[0] == "student-01"]

    assert "student-01: 14 stays, a person gave it; the code would now get 15" in told
    assert [(row[2], row[3], row[4]) for row in found] == [(5, 7, True), (10, 7, True)]


def test_nothing_is_done_again(course, database):
    """What PostgreSQL has is not graded again."""
    grade(course, "--db", database[1])

    assert {entry["status"] for entry in receipt(course).values()} == {"unchanged, graded before"}


@pytest.mark.usefixtures("course")
def test_a_locked_table_is_a_fault_of_ours(database, lesson, monkeypatch):
    """Who waits too long for a lock is told; nothing of the batch is written, and the next try works."""
    monkeypatch.setattr(database_module, "_BUSY_SECONDS", 1)
    book = gradebook.Gradebook(database[1], lesson)
    batch = [gradebook.Marks(student, {"examples": 5.0, "hidden": 10.0}, "new") for student in ("late-1", "late-2")]
    with psycopg.connect(database[0]) as other:
        other.execute("lock table grade")
        with pytest.raises(GraderError, match="could not be written"):
            book.record(batch)
    before = book.students()
    book.record(batch)
    after = book.students()
    book.close()

    assert after - before == {"late-1", "late-2"}


@pytest.mark.usefixtures("course")
def test_a_value_that_the_gradebook_refuses_costs_nobody_else(database, lesson):
    """PostgreSQL refuses more than SQLite: each is told for that student, and the others of the batch are written."""
    bad, batch = bad_marks()
    book = gradebook.Gradebook(database[1], lesson)
    before = book.students()
    told = record(book, batch)
    after = book.students()
    book.close()

    assert told.keys() == {marks.student for marks in bad}
    assert all("could not be written" in why for why in told.values())
    assert after - before == {marks.student for marks in batch} - told.keys()


def test_an_id_that_no_gradebook_can_hold_is_told(course, database):
    """A name longer than nbgrader's column is not gradable here too, and stops nobody."""
    work = course.notebook("submitted", "x" * 129)
    shutil.copytree(course.notebook("submitted", "student-01").parent, work.parent)
    grade(course, "--db", database[1], "--regrade")
    shutil.rmtree(work.parent.parent)
    statuses = {student: entry["status"] for student, entry in receipt(course).items()}

    assert statuses.pop("x" * 129) == "not gradable"
    assert {status.partition(" ")[0] for status in statuses.values()} <= {"graded", "mended"}


WRONG_URLS = {
    "no server": ("postgresql+psycopg://grader@/course?host=/nowhere", "the gradebook cannot be reached"),
    "no driver": ("postgresql+pg8000://grader@localhost/course", "[postgresql]"),
    "no URL": ("gradebook", "the gradebook's URL cannot be used"),
}


@pytest.mark.parametrize(("url", "says"), WRONG_URLS.values(), ids=WRONG_URLS)
def test_a_wrong_url_is_told(lesson, url, says):
    """A gradebook that cannot be opened is a fault of ours with a sentence that helps."""
    with pytest.raises(GraderError, match=re.escape(says)):
        gradebook.Gradebook(url, lesson)


def test_the_url_may_stand_in_the_configuration(tmp_path):
    """Without `--db` the gradebook is the one that nbgrader_config.py names, if it names one."""
    config = tmp_path / "nbgrader_config.py"
    config.write_text("c = get_config()\n", encoding="utf-8")
    before = cli._configured_url(tmp_path)  # noqa: SLF001  # what `grade` asks
    config.write_text("c = get_config()\nc.CourseDirectory.db_url = 'postgresql+psycopg:///course'\n", encoding="utf-8")

    assert before == ""
    assert cli._configured_url(tmp_path) == "postgresql+psycopg:///course"  # noqa: SLF001
