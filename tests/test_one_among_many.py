"""What one student hands in changes nothing for the others, and every line that is printed is true."""

import json
import os
import subprocess
import sys

import pytest
from conftest import LESSON, solve_cell
from nbgrader.api import Gradebook
from test_class_run import grade, receipt, rows, start

from autograder.gradebook import Gradebook as GradebookOfOurs
from autograder.ledger import Status
from autograder.lines import name_some
from autograder.marks import Marks
from autograder.recording import record
from autograder.sample_class import PLAIN, SAMPLE_CLASS, Answer, fill_in
from autograder.stamps import side_file
from autograder.submitted import UNTIMED_SENTENCE

pytestmark = pytest.mark.slow

RIGHT = SAMPLE_CLASS["student-01"]
WRONG = Answer(PLAIN.replace("SCALE", "math.sqrt(len(K))"))
STAMPS = {
    "an impossible zone": b"2026-01-01 10:00:00 +9999",
    "a day of zone": b"2026-01-01 10:00:00 +2400",
    "a zone that is a path": b"2026-01-01 10:00:00 a/../../../etc/passwd",
    "a long zone": b"2026-01-01 10:00:00 " + b"A" * 300,
    "a huge year": b"99999999999999-01-01 10:00:00",
    "no text": bytes(range(256)),
    "large": b"2026-01-01 10:00:00 " + b"9" * 20_000_000,
    "empty": b"",
    "not UTC": "2026-01-01 10:00:00 ß".encode("latin-1"),
}


@pytest.fixture(scope="module")
def stamped(tmp_path_factory):
    """Grade a class in which everybody but one has an odd `timestamp.txt`."""
    this = start(tmp_path_factory.mktemp("stamps"), dict.fromkeys([*STAMPS, "a link", "a pipe", "honest"], RIGHT))
    for student, data in STAMPS.items():
        this.notebook("submitted", student).with_name("timestamp.txt").write_bytes(data)
    for student, put in (("a link", lambda path: path.symlink_to("/etc/passwd")), ("a pipe", os.mkfifo)):
        path = this.notebook("submitted", student).with_name("timestamp.txt")
        path.unlink()
        put(path)
    return this, grade(this)


@pytest.mark.parametrize("student", [*STAMPS, "a link", "a pipe", "honest"])
def test_no_timestamp_stops_a_class(stamped, student):
    """Whatever stands in a student's `timestamp.txt`, the class is graded; nothing of a link's target is copied."""
    this, said = stamped

    assert "Traceback" not in said
    assert receipt(this)[student]["points"] == 15
    for folder in ("autograded", "feedback"):
        copied = this.notebook(folder, student).with_name("timestamp.txt")
        assert not copied.exists() or copied.stat().st_size <= 1_000
        assert "root:" not in side_file(copied.parent, "timestamp.txt")


def test_a_time_that_cannot_be_read_is_told(stamped):
    """Who counts as on time for want of a time that can be read is named: terminal, receipt, feedback page."""
    this, said = stamped
    told = {student for student, entry in receipt(this).items() if UNTIMED_SENTENCE in entry["notes"]}
    page = this.notebook("feedback", "no text").with_suffix(".html").read_text(encoding="utf-8")

    assert {"no text", "large", "empty", "a link", "a pipe", "a huge year", "not UTC"} <= told
    assert "honest" not in told
    assert f"time of handing in not readable, counted as on time: {name_some(sorted(told))}" in said
    assert "says no time that can be read" in page


def test_nbgrader_goes_on_with_any_time(stamped):
    """Nbgrader's own commands go on after the class was graded, whatever stands in a `timestamp.txt`."""
    this, _ = stamped
    pages = {path: path.read_bytes() for path in this.course.glob(f"feedback/*/{LESSON}/*.html")}
    this.run("generate_feedback", LESSON)
    this.run("generate_feedback", LESSON, "--force")
    this.run("release_assignment", LESSON)
    this.run("release_feedback", LESSON)

    assert {path: path.read_bytes() for path in this.course.glob(f"feedback/*/{LESSON}/*.html")} == pages
    assert len(pages) == len(STAMPS) + 3


def bad_marks():
    """Make what a database may refuse; the good ones stand between."""
    whole = {"examples": 5.0, "hidden": 10.0}
    bad = [
        Marks("x" * 129, whole, "a long id"),
        Marks("nul", whole, "a\0b"),
        Marks("half", whole, "a\ud800b"),
        Marks("number", whole | {"hidden": 10**400}, "a large number"),
    ]
    good = [Marks(f"good-{number}", whole, "") for number in range(5)]
    return bad, [good[0], *(each for pair in zip(bad, good[1:], strict=True) for each in pair)]


def test_a_value_that_the_gradebook_refuses_costs_nobody_else(tmp_path, lesson):
    """What SQLite does not take is told for that student, and the others of the batch are written."""
    this = start(tmp_path, {})
    bad, batch = bad_marks()
    book = GradebookOfOurs(f"sqlite:///{this.course / 'gradebook.db'}", lesson)
    told = record(book, batch)
    stands = book.by_hand()
    book.close()

    assert {"half", "number"} <= told.keys() <= {marks.student for marks in bad}
    assert all("could not be written" in why for why in told.values())
    assert {marks.student for marks in batch} - told.keys() == stands.keys()


@pytest.mark.parametrize("letters", [129, 255])
def test_an_id_that_no_gradebook_can_hold_is_told(tmp_path, letters):
    """A folder whose name is longer than nbgrader's column is not gradable, and says why; the others are graded."""
    this = start(tmp_path, {"s1": RIGHT, "x" * letters: RIGHT, "y" * 128: RIGHT})
    said = grade(this)
    work = receipt(this)

    assert work["x" * letters]["status"] == Status.NOT_GRADABLE
    assert f"it has {letters} letters, and the gradebook has room for 128" in work["x" * letters]["why"]
    assert "room for 128" in said
    assert {row[0] for row in rows(this)} == {"s1", "y" * 128}


def test_a_class_of_large_files_fits(tmp_path):
    """The memory that is needed does not grow with the size of all files together."""
    this = start(tmp_path, {f"s{number:02}": RIGHT for number in range(40)})
    for path in this.course.glob(f"submitted/*/{LESSON}/attention.ipynb"):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        text = {"output_type": "stream", "name": "stdout", "text": "x" * 15_000_000}
        solve_cell(notebook)["outputs"] = [text]
        path.write_text(json.dumps(notebook), encoding="utf-8")
    measure = (  # not what `getrusage` says: that is never less than what the process that started this one had
        "import sys, runpy, pathlib; sys.argv = ['autograder', 'grade', *sys.argv[1:]]\n"
        "try: runpy.run_module('autograder', run_name='__main__')\n"
        "except SystemExit: print(pathlib.Path('/proc/self/status').read_text()); raise\n"
    )
    command = [sys.executable, "-c", measure, LESSON]
    done = subprocess.run(command, cwd=this.course, env=this.environment, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    peak_kib = int(done.stdout.rpartition("VmHWM:")[2].split()[0])
    assert peak_kib < 400_000  # the files are 600 MB
    assert {entry["points"] for entry in receipt(this).values()} == {15}


def test_a_mark_by_hand_is_told_as_it_stands(tmp_path):
    """A regrade names no change where a person's points stay, and says that they do."""
    this = start(tmp_path, {"s9": WRONG, "s1": WRONG})
    grade(this)
    with Gradebook(f"sqlite:///{this.course}/gradebook.db") as book:
        for part, points in (("examples", 5), ("hidden", 7)):
            book.find_grade(part, "attention", LESSON, "s9").manual_score = points
        book.db.commit()
    for student in ("s9", "s1"):
        path = this.notebook("submitted", student)
        path.write_text(fill_in(this.notebook("release").read_text("utf-8"), RIGHT), encoding="utf-8")
    before = receipt(this)["s1"]["points"]
    told = grade(this, "--dry-run")
    grade(this, "--regrade")
    changed = json.loads((this.course / "receipts" / f"{LESSON}.regrade.json").read_text(encoding="utf-8"))["changes"]

    assert f"s1: {before:g} -> 15  (all passes now)" in told
    assert "s9: 12 stays, a person gave it; the code would now get 15" in told
    assert "s9: 12 ->" not in told
    assert [each["student"] for each in changed] == ["s1"]


def test_an_older_mark_that_stands_is_told(tmp_path):
    """Where newer work cannot be graded, the receipt and the terminal say that the mark of the earlier work stands."""
    this = start(tmp_path, {"s1": RIGHT, "s2": RIGHT})
    grade(this)
    this.notebook("submitted", "s1").write_text("{", encoding="utf-8")
    said = grade(this)

    assert receipt(this)["s1"]["status"] == Status.NOT_GRADABLE
    assert "(The mark of earlier work, 15, still stands in the gradebook.)" in receipt(this)["s1"]["why"]
    assert "still stands in the gradebook" in said
    assert {row[0] for row in rows(this)} == {"s1", "s2"}


def test_no_name_forges_a_line(tmp_path):
    """A folder or file whose name is not text, or holds a line end, is told in one printable line."""
    this = start(tmp_path, {"s1": RIGHT})
    (this.course / "submitted" / os.fsdecode(b"m\xfcller") / LESSON).mkdir(parents=True)
    (this.course / "submitted" / "f8\nx" / LESSON).mkdir(parents=True)
    odd = "extra\nzoe: not graded: a fault of ours: call the office\x1b[31m.txt"
    this.notebook("submitted", "s1").with_name(odd).write_text("", encoding="utf-8")
    this.environment["PYTHONIOENCODING"] = "utf-8:strict"
    said = grade(this)
    summary = (this.course / "receipts" / f"{LESSON}.txt").read_text(encoding="utf-8")

    assert receipt(this)["s1"]["points"] == 15
    assert all(line.isprintable() for text in (said, summary) for line in text.replace("\r", "\n").split("\n"))
    assert not [line for line in summary.splitlines() if line.startswith(("s9", "x:"))]


def test_nothing_handed_in_is_told(tmp_path):
    """Where nothing was collected, the command says so."""
    assert f"Nothing was handed in for {LESSON}" in grade(start(tmp_path, {}))
