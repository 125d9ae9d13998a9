"""Work that was graded before: its mark stays as it is, and all that is said of it is true today."""

import copy
import json
import shutil
import signal
import sqlite3
import subprocess
import sys

import pytest
from conftest import LESSON, ROOT
from nbgrader.api import Gradebook
from test_class_run import grade, receipt, rows, start

from autograder.class_report_records import read_records
from autograder.ledger import Status
from autograder.sample_class import PLAIN, SAMPLE_CLASS, Answer, fill_in

pytestmark = pytest.mark.slow

RIGHT, WRONG = SAMPLE_CLASS["student-01"], Answer(PLAIN.replace("SCALE", "math.sqrt(len(K))"))
CLASS = {"s1": RIGHT, "s2": WRONG, "s3": RIGHT, "s4": WRONG, "s5": "", "s6": "{"}
GRADED = sorted(student for student, answer in CLASS.items() if isinstance(answer, Answer))
LATER = "2026-02-05 12:00:00 UTC"
CHANGED = "the lesson or the grader changed since"


@pytest.fixture(scope="module")
def once(tmp_path_factory):
    """A class that was graded once."""
    this = start(tmp_path_factory.mktemp("once"), CLASS)
    grade(this)
    return this


@pytest.fixture
def here(once, tmp_path):
    """A fresh copy of the graded class."""
    this = copy.copy(once)
    this.course = tmp_path / "course-root"
    shutil.copytree(once.course, this.course)
    return this


def change_lesson(this):
    """Make another version of the lesson, and let it be one that gives everybody other marks."""
    source = this.notebook("source")
    notebook = json.loads(source.read_text(encoding="utf-8"))
    notebook["cells"][0]["source"] += "\n\nAnother sentence."
    source.write_text(json.dumps(notebook), encoding="utf-8")
    with sqlite3.connect(this.course / "gradebook.db") as database:
        database.execute("update grade set auto_score = 1")
    database.close()


def page_of(this, student):
    """Return where a student's page is."""
    return this.notebook("feedback", student).with_suffix(".html")


def hand_in(this, student, answer):
    """Hand in again, later."""
    path = this.notebook("submitted", student)
    released = this.notebook("release").read_text(encoding="utf-8")
    path.write_text(answer if isinstance(answer, str) else fill_in(released, answer), encoding="utf-8")
    path.with_name("timestamp.txt").write_text(LATER, encoding="utf-8")


def test_a_changed_lesson_changes_no_mark_unasked(here):
    """After a change of the lesson only new work is graded with it; the others keep their marks, which is said."""
    change_lesson(here)
    hand_in(here, "s2", RIGHT)
    said = grade(here)
    marks = {student: {row[2] for row in rows(here) if row[0] == student} for student in GRADED}
    statuses = {student: receipt(here)[student]["status"] for student in GRADED}
    summary = (here.course / "receipts" / f"{LESSON}.txt").read_text(encoding="utf-8")

    assert marks == {student: {1} for student in GRADED} | {"s2": {5, 10}}
    assert statuses == dict.fromkeys(GRADED, Status.KEPT) | {"s2": Status.GRADED}
    for told in (said, summary):
        assert f"{CHANGED} 3 of these were graded: `autograder grade --regrade {LESSON}`" in told
    assert "s1: 2 -> 15" in grade(here, "--regrade")
    assert CHANGED not in grade(here)


def test_the_receipt_of_kept_work_is_todays(here):
    """Files that came, went or were renamed beside work that is kept are in the receipt as they are now."""
    folder = here.notebook("submitted", "s1").parent
    (folder / "essay.pdf").write_bytes(b"%PDF")
    (folder / "scratch.ipynb").write_text(json.dumps({"note": "def solve"}), encoding="utf-8")
    renamed = here.notebook("submitted", "s3")
    renamed.rename(renamed.with_name("attention (1).ipynb"))
    grade(here)
    with_more = receipt(here)
    (folder / "scratch.ipynb").unlink()
    renamed.with_name("attention (1).ipynb").rename(renamed)
    grade(here)
    again = receipt(here)

    assert {with_more[student]["status"] for student in GRADED} == {Status.KEPT}
    assert {name.rpartition("/")[2] for name in with_more["s1"]["others"]} >= {"essay.pdf", "scratch.ipynb"}
    assert any("`scratch.ipynb`" in note for note in with_more["s1"]["notes"])
    assert with_more["s3"]["file"].endswith("/attention (1).ipynb")
    assert any("`attention (1).ipynb`" in note for note in with_more["s3"]["notes"])
    assert not any("scratch" in told for told in (*again["s1"]["others"], *again["s1"]["notes"]))
    assert (again["s3"]["file"].rpartition("/")[2], again["s3"]["notes"]) == ("attention.ipynb", [])
    assert with_more["s3"]["points"] == again["s3"]["points"] == 15


def test_the_page_gives_the_reason_of_the_newest_file(here):
    """A page of work that could not be graded gives way to a newer reason, with its time; one of graded work stays."""
    before = page_of(here, "s1").read_bytes()
    assert "The file is empty" in page_of(here, "s5").read_text(encoding="utf-8")
    for student in ("s1", "s5", "s6"):
        hand_in(here, student, "%PDF-1.4 hello")
    grade(here)

    for student in ("s5", "s6"):
        page = page_of(here, student)
        assert "PDF" in page.read_text(encoding="utf-8")
        assert page.with_name("timestamp.txt").read_text(encoding="utf-8") == LATER
    assert page_of(here, "s1").read_bytes() == before


def by_hand(this, student, points, comment, extra=None):
    """Give points and a comment as Formgrader does."""
    with Gradebook(f"sqlite:///{this.course}/gradebook.db") as book:
        grade_of = book.find_grade("examples", "attention", LESSON, student)
        grade_of.manual_score, grade_of.extra_credit = points, extra
        book.find_comment("solve", "attention", LESSON, student).manual_comment = comment
        book.db.commit()


def test_what_a_person_gave_comes_onto_the_page(here):
    """Marks and comments by hand come onto the page by a plain run, as nbgrader would write it; no code is run."""
    by_hand(here, "s1", 2, "Ask <me>")
    by_hand(here, "s2", None, "Nearly there", extra=0.5)
    by_hand(here, "s4", 1, None)
    hand_in(here, "s4", "{")
    graded = {student: here.notebook("autograded", student).stat().st_mtime_ns for student in GRADED}
    stamps = {student: page_of(here, student).with_name("timestamp.txt").read_bytes() for student in GRADED}
    untouched = page_of(here, "s3").stat().st_mtime_ns
    said = grade(here)
    ours = {student: page_of(here, student).read_text(encoding="utf-8") for student in GRADED}
    here.run("generate_feedback", LESSON, "--force")

    assert "12 of 15 points" in ours["s1"]
    assert "Ask &lt;me&gt;" in ours["s1"]
    assert "new on the feedback page: s1, s2, s4" in said.replace("s4, s1, s2", "s1, s2, s4")
    assert {here.notebook("autograded", s).stat().st_mtime_ns == graded[s] for s in GRADED} == {True}
    assert page_of(here, "s3").stat().st_mtime_ns != untouched  # nbgrader wrote it just now
    for student in GRADED:
        assert ours[student] == page_of(here, student).read_text(encoding="utf-8"), student
        assert page_of(here, student).with_name("timestamp.txt").read_bytes() == stamps[student]


def test_a_page_is_drawn_again_only_when_it_must(here):
    """After what a person gave is on the page, a further run writes no page; when it is taken back, it does."""
    by_hand(here, "s1", 2, "Ask me")
    before = {student: page_of(here, student).stat().st_mtime_ns for student in GRADED}
    plain = page_of(here, "s1").read_bytes()
    grade(here)
    drawn = {student: page_of(here, student).stat().st_mtime_ns for student in GRADED}
    grade(here)
    after = {student: page_of(here, student).stat().st_mtime_ns for student in GRADED}
    by_hand(here, "s1", None, None)
    grade(here)

    assert {student for student in GRADED if drawn[student] != before[student]} == {"s1"}
    assert after == drawn
    assert page_of(here, "s1").read_bytes() == plain
    assert receipt(here)["s1"]["status"] == Status.KEPT


MOMENTS = (("files", 5), ("gradebook", 3), ("receipt", 3), ("receipt", 5), ("receipt", 7), ("receipt", 10))


def test_a_killed_regrade_loses_no_change(here):
    """Wherever a regrade is killed, the report names whose mark it changed, and after one more run all of them."""
    change_lesson(here)
    counted = {}
    for stage, moment in MOMENTS:
        words = ["--root", str(here.course), "grade", LESSON, "--workers", "1", "--regrade"]
        command = [sys.executable, ROOT / "tests" / "killed_run.py", stage, str(moment), *words]
        done = subprocess.run(
            command, cwd=ROOT, env=here.environment, start_new_session=True, check=False, capture_output=True
        )
        records = read_records(LESSON, here.course)
        changed = {student.id for student in records.students if student.points not in {None, 2}}
        counted[stage, moment] = len(changed)

        assert done.returncode == -signal.SIGKILL, (stage, moment)
        named = {each.student for each in records.regrade.changes} if records.regrade else set()
        assert named == changed, (stage, moment)
    grade(here)
    grade(here, "--regrade")
    changes = read_records(LESSON, here.course).regrade.changes

    assert set(counted.values()) == {0, len(GRADED)}  # killed before and after
    assert [(each.student, each.before) for each in changes] == [(student, 2) for student in GRADED]
    grade(here, "--regrade")
    assert read_records(LESSON, here.course).regrade.changes == ()


STOP = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from autograder import late
from autograder.cli import main
charge = late.LateWork.charge

def stop(*words):
    late.LateWork.charge = charge
    os.killpg(0, signal.SIGINT)
    return charge(*words)

late.LateWork.charge = stop
sys.exit(main(sys.argv[1:]))
"""


def test_ctrl_c_says_how_it_goes_on(tmp_path):
    """Ctrl-C ends the run and its workers with one sentence, and the same command then does what is left."""
    this = start(tmp_path, {f"s{number:02}": RIGHT for number in range(24)})
    command = [sys.executable, "-c", STOP, "grade", LESSON, "--workers", "2"]
    place = {"cwd": this.course, "env": this.environment | {"PYTHONPATH": str(ROOT)}}
    done = subprocess.run(command, **place, start_new_session=True, check=False, capture_output=True, text=True)
    told = done.stdout + done.stderr

    assert done.returncode == 130, told
    assert "Traceback" not in told
    assert told.rstrip().endswith("autograder: stopped: what is graded stays, and the same command does what is left")
    grade(this)
    assert len(rows(this)) == 48


@pytest.mark.parametrize("word", ["s1/", "submitted/s1/"])
def test_a_student_may_be_named_by_the_folder(here, word):
    """A student's id that the shell completed to a folder's name is that student."""
    shutil.rmtree(here.course / "feedback")
    grade(here, "--student", word)

    assert [path.name for path in (here.course / "feedback").iterdir()] == ["s1"]
    assert set(receipt(here)) == set(CLASS)


@pytest.mark.parametrize("word", ["s9", "s9/", "../submitted/s1", "", "."])
def test_an_unknown_student_is_refused(here, word):
    """A student who is not there stops the run, and the receipt stays as it was."""
    before = receipt(here)

    assert "there is no student" in grade(here, "--student", word, expect=2)
    assert receipt(here) == before


def test_files_in_no_lessons_folder_are_told(here):
    """What lies in a folder that is no lesson's is named on the terminal and in the receipt."""
    wrong = here.course / "submitted" / "s1" / "09_Attention" / "attention.ipynb"
    wrong.parent.mkdir()
    shutil.copy(here.notebook("submitted", "s1"), wrong)
    said = grade(here)
    summary = (here.course / "receipts" / f"{LESSON}.txt").read_text(encoding="utf-8")

    assert "in no lesson's folder, which were not looked at: submitted/s1/09_Attention/attention.ipynb" in said
    assert "in no lesson's folder: submitted/s1/09_Attention/attention.ipynb" in summary
