"""Late work costs what nbgrader's plug-in says, the same with `autograder grade` as with `nbgrader autograde`."""

import csv
import shutil
import sys
from pathlib import Path

import pytest
from conftest import LESSON, ROOT
from nbgrader.api import Gradebook
from test_class_run import grade, rows, start

from autograder.class_table import class_rows
from autograder.late import LateWork
from autograder.sample_class import PLAIN, SAMPLE_CLASS, Answer
from autograder.stamps import handed_in, is_same_time

DUE = "2026-01-31 12:00:00"
RIGHT, HALF = SAMPLE_CLASS["student-01"], Answer(PLAIN.replace("SCALE", "math.sqrt(len(K))"))
TIMES = {
    "timely": "2026-01-31 12:00:00 UTC",
    "late": "2026-01-31 16:00:00 Europe/Berlin",
    "late-and-half-right": "2026-02-03 00:00:00.500 UTC",
    "late-by-hand": "2026-01-31 14:00:00 UTC",
    "late-forgiven": "2026-01-31 16:00:00 UTC",
    "late-and-odd": "2026-01-31 17:00:00 UTC",
    "extended": "2026-02-01 12:00:00 UTC",
    "extended-and-late": "2026-02-02 13:00:00 UTC",
    "without-a-time": "",
}
RULES = '''
from nbgrader.plugins import LateSubmissionPlugin

class Hourly(LateSubmissionPlugin):
    """A point for each hour, kept in range by nbgrader; nothing for one student, less than nothing for another."""

    def late_submission_penalty(self, student_id, score, total_seconds_late):
        given = {"late-forgiven": None, "late-and-odd": -3}
        return given.get(student_id, total_seconds_late / 3600)

class Broken(LateSubmissionPlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return 1 / (student_id != "late") + score * 0
'''
CONFIGURED = {
    "zero": 'c.LateSubmissionPlugin.penalty_method = "zero"\n',
    "a plug-in in the configuration": f"{RULES}\nc.AssignLatePenalties.plugin_class = Hourly\n",
    "none": "",
}
STAGES = "c.Autograde.autograde_preprocessors.remove(stock.AssignLatePenalties)\n"


def configure(this, text):
    """Add lines to the course's configuration."""
    config = (ROOT / "nbgrader_config.py").read_text(encoding="utf-8")
    (this.course / "nbgrader_config.py").write_text(config + text, encoding="utf-8")


def late_class(folder):
    """Make a class with a deadline."""
    this = start(folder, {student: HALF if "half" in student else RIGHT for student in TIMES})
    (this.course / "rules.py").write_text(RULES, encoding="utf-8")
    for student, time in TIMES.items():
        stamp = this.notebook("submitted", student).with_name("timestamp.txt")
        stamp.write_text(time, encoding="utf-8") if time else stamp.unlink()
    with Gradebook(f"sqlite:///{this.course / 'gradebook.db'}") as book:
        book.update_or_create_assignment(LESSON, duedate=f"{DUE} UTC")
    return this


def by_hand(this):
    """Grant extensions, and give one student a score by hand."""
    with Gradebook(f"sqlite:///{this.course / 'gradebook.db'}") as book:
        for student in ("extended", "extended-and-late"):
            book.grant_extension(LESSON, student, days=2)
        book.find_grade("hidden", "attention", LESSON, "late-by-hand").manual_score = 0.25
        book.db.commit()


def exported(this):
    """Return the rows of nbgrader's export, by student."""
    this.run("export")
    with (this.course / "grades.csv").open(encoding="utf-8", newline="") as file:
        return {row["student_id"]: row for row in csv.DictReader(file)}


def pages(this):
    """Return what each student gets back."""
    return {path.parts[-3]: path.read_text("utf-8") for path in this.course.glob(f"feedback/*/{LESSON}/*.html")}


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """A class with a deadline, extensions and a score by hand, graded both ways without a plug-in."""
    one_by_one, at_once = (late_class(tmp_path_factory.mktemp(name)) for name in ("one-by-one", "at-once"))
    one_by_one.run("autograde", LESSON)
    grade(at_once)
    by_hand(one_by_one)
    by_hand(at_once)
    return one_by_one, at_once


def grade_again(both, text):
    """Grade the class again both ways; return what the class-wide command said."""
    one_by_one, at_once = both
    configure(one_by_one, text)
    configure(at_once, text)
    one_by_one.run("autograde", LESSON, "--force")
    one_by_one.run("generate_feedback", LESSON, "--force")
    return grade(at_once, "--regrade")


@pytest.mark.slow
@pytest.mark.parametrize("situation", CONFIGURED)
def test_penalties_are_those_of_nbgrader(both, situation):
    """Gradebook, pages and export are the same both ways, whatever plug-in there is; without one all is free again."""
    grade_again(both, CONFIGURED[situation])
    one_by_one, at_once = both
    penalties = {row[0]: row[-1] for row in rows(at_once)}
    free = {"timely", "extended", "without-a-time"}

    assert rows(at_once) == rows(one_by_one)
    assert pages(at_once) == pages(one_by_one)
    assert exported(at_once) == exported(one_by_one)
    assert all(penalties[student] is None for student in (TIMES if situation == "none" else free))
    if situation == "zero":
        assert penalties["late"] == 15
        assert penalties["late-by-hand"] == 5.25
        assert "15 points off" in pages(at_once)["late"]
    elif situation != "none":
        assert penalties["late"] == 3
        assert penalties["late-and-half-right"] == 5  # not more than the score
        assert penalties["extended-and-late"] == 1
        assert penalties["late-forgiven"] is None
        assert penalties["late-and-odd"] == 0


@pytest.mark.slow
def test_a_penalty_is_told(both):
    """A dry run tells whom the penalty costs what; the report and the export have the score that is left."""
    _, at_once = both
    configure(at_once, CONFIGURED["none"])
    grade(at_once, "--regrade")
    configure(at_once, 'c.AssignLatePenalties.plugin_class = "rules.Hourly"\n')
    told = grade(at_once, "--dry-run")
    grade(at_once, "--regrade")
    report = {row.student: row.points or row.first_failing for row in class_rows(LESSON, at_once.course)}
    export = exported(at_once)

    receipts = (at_once.course / "receipts" / f"{LESSON}.txt").read_text(encoding="utf-8")

    assert "late: 15 -> 12  (all passes now; late, 3 off)" in told
    assert "late: late: 3 off its 15 points" in receipts
    assert "timely: late" not in receipts
    assert "timely:" not in told
    assert report["late"] == "12/15 late, 3 off"
    assert report["late-by-hand"] == "3.25/15 by hand late, 2 off"
    assert report["timely"] == "15/15"
    assert (export["late"]["raw_score"], export["late"]["late_submission_penalty"], export["late"]["score"]) == (
        "15.0",
        "3.0",
        "12.0",
    )


@pytest.mark.slow
def test_a_plug_in_that_fails_is_a_fault_of_ours(both):
    """Where the plug-in fails the work is not graded and the exit code is 2; the others are graded."""
    _, at_once = both
    configure(at_once, 'c.AssignLatePenalties.plugin_class = "rules.Broken"\n')
    told = grade(at_once, "--regrade", expect=2)

    assert "the plug-in for late work failed (ZeroDivisionError" in told
    assert {row[0]: row[-1] for row in rows(at_once)}["late-forgiven"] == 1


@pytest.mark.slow
def test_a_plug_in_that_is_not_there_stops_the_run(both):
    """A plug-in that cannot be loaded is told before anything is graded."""
    _, at_once = both
    configure(at_once, 'c.AssignLatePenalties.plugin_class = "rules.Nothing"\n')
    told = grade(at_once, "--regrade", expect=2)

    assert "cannot be loaded" in told
    assert "mend nbgrader_config.py" in told
    assert "Traceback" not in told


@pytest.mark.slow
def test_the_same_work_handed_in_again_late_is_late(both):
    """Work that is handed in again unchanged after the deadline is graded again, as nbgrader does."""
    _, at_once = both
    configure(at_once, CONFIGURED["zero"])
    stamp = at_once.notebook("submitted", "timely").with_name("timestamp.txt")
    grade(at_once, "--regrade")
    stamp.write_text("2026-01-31 12:00:01 UTC", encoding="utf-8")
    try:
        grade(at_once)
        assert {row[0]: row[-1] for row in rows(at_once)}["timely"] == 15
    finally:
        stamp.write_text(TIMES["timely"], encoding="utf-8")


@pytest.mark.slow
def test_a_course_without_the_stage_charges_nothing(both):
    """Where nbgrader's stage for late work was taken out, its plug-in is not asked."""
    _, at_once = both
    configure(at_once, CONFIGURED["zero"] + STAGES)
    grade(at_once, "--regrade")

    assert {row[-1] for row in rows(at_once)} == {None}


def test_without_a_plug_in_nothing_is_asked(monkeypatch, tmp_path):
    """This project's own configuration has no plug-in: neither the gradebook nor nbgrader is asked for late work."""
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path))
    monkeypatch.setenv("JUPYTER_NO_CONFIG", "1")
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    monkeypatch.setitem(sys.modules, "nbgrader.converters", None)

    assert not LateWork(tmp_path, gradebook=None).may_cost("s01", tmp_path)


STAMPS = {
    "2026-01-31 12:00:00 UTC": "2026-01-31T12:00:00",
    "2026-01-31 12:00:00.250 Europe/Berlin": "2026-01-31T11:00:00.250000",
    "2026-07-31 12:00:00 America/Los_Angeles\n": "2026-07-31T19:00:00",
    "2026-01-31 12:00:00 +0100": "2026-01-31T11:00:00",
    "2026-01-31T12:00:00+01:00": "2026-01-31T11:00:00",
    "2026-01-31 12:00:00": "2026-01-31T12:00:00",
    "soon": None,
    "": None,
}


@pytest.mark.parametrize("text", STAMPS)
def test_times_are_read_as_utc(tmp_path, text):
    """A time with a zone, a place or an offset is read as UTC; what is no time says nothing."""
    (tmp_path / "timestamp.txt").write_text(text, encoding="utf-8")

    moment = handed_in(tmp_path)

    assert (moment and moment.isoformat()) == STAMPS[text]


def test_only_another_time_is_another_time(tmp_path):
    """Work without a time, or with the time it was graded with, is not new; with another one it is."""
    new, old = tmp_path / "new", tmp_path / "old"
    new.mkdir()
    old.mkdir()
    said = [is_same_time(new, old)]
    (new / "timestamp.txt").write_bytes(b"2026-01-31 12:00:00\r\n")
    said.append(is_same_time(new, old))
    (old / "timestamp.txt").write_bytes(b"2026-01-31 12:00:00\n")
    said.append(is_same_time(new, old))
    (new / "timestamp.txt").write_bytes(b"2026-02-01 12:00:00\n")
    said.append(is_same_time(new, old))

    assert said == [True, False, True, False]
    assert is_same_time(Path("nowhere"), old)
