"""Hostile and broken work among honest work, graded by real nbgrader commands in one class."""

import csv
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import LESSON, solve_cell
from course_root import Round

from autograder.class_table import class_rows
from autograder.sample_class import RIGHT

pytestmark = pytest.mark.slow

HONEST = "student-00"
SCRIPT = "<script>document.title='owned'</script><img src=x onerror=alert(1)>\n\n[look](javascript:alert(1)) $a<b$"


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """One class: an honest student, links, the author's notebook, scripts, broken files; then grade and return."""
    this = Round(tmp_path_factory.mktemp("hostile"))
    this.run("generate_assignment", LESSON)
    this.run("release_assignment", LESSON)
    released = json.loads(this.notebook("release").read_text("utf-8"))
    solve_cell(released)["source"] = RIGHT
    right = json.dumps(released)

    def hand_in(student, data):
        path = this.notebook("submitted", student)
        path.parent.mkdir(parents=True)
        if data is not None:
            path.write_bytes(data)
        return path

    hand_in(HONEST, right.encode())
    source = this.course / "source" / LESSON / "attention.ipynb"
    hand_in("linked-notebook", None).symlink_to(source)
    hand_in("linked-file", right.encode()).with_name("notes.db").symlink_to(this.course / "gradebook.db")
    os.mkfifo(hand_in("pipe", right.encode()).with_name("pipe"))
    hand_in("copied-author", source.read_bytes())
    (hand_in("beside", right.encode()).with_name("gradebook-copy.db")).write_bytes(b"secret")
    scripted = json.loads(right)
    scripted["cells"].insert(1, {"cell_type": "markdown", "id": "live", "metadata": {}, "source": SCRIPT})
    scripted["cells"].insert(1, {"cell_type": "raw", "id": "raw", "metadata": {}, "source": SCRIPT})
    hand_in("scripted", json.dumps(scripted).encode())
    hand_in("marked-up", b"\xef\xbb\xbf" + right.replace("\n", "\r\n").encode())
    hand_in("surrogate", right.replace("# Compute", "\\ud800 # Compute").encode())
    hand_in("utf-16", right.encode("utf-16"))
    hand_in("no-metadata", json.dumps(json.loads(right) | {"metadata": None}).encode())
    hand_in("broken", right.encode()[:2000])
    hand_in("empty", b"")
    with_module = json.loads(right)
    solve_cell(with_module)["source"] = "from answer import solve"
    hand_in("module", json.dumps(with_module).encode()).with_name("answer.py").write_text(RIGHT, encoding="utf-8")
    this.run("autograde", LESSON, expect=1)
    this.run("generate_feedback", LESSON)
    this.run("release_feedback", LESSON)
    this.run("export")
    return this


@pytest.fixture(scope="module")
def scores(played):
    """The exported score of each student, as text."""
    with (played.course / "grades.csv").open(encoding="utf-8", newline="") as file:
        return {row["student_id"]: row["score"] for row in csv.DictReader(file)}


REFUSED = ["linked-notebook", "linked-file", "pipe", "copied-author", "broken", "empty"]
MENDED = [HONEST, "beside", "scripted", "marked-up", "surrogate", "utf-16", "no-metadata", "module"]


@pytest.mark.parametrize("student", MENDED)
def test_readable_work_gets_its_mark(scores, student):
    """A right solution gets full marks, whatever happened to its file and whoever is beside it."""
    assert scores[student] == "15.0"


@pytest.mark.parametrize("student", REFUSED)
def test_work_that_cannot_be_graded_is_blank_and_named(played, scores, student):
    """It is blank in the export, never 0, and has its row in the class table."""
    rows = {row.student: row for row in class_rows(LESSON, played.course)}

    assert scores.get(student, "") == ""
    assert "not graded" in rows[student].first_failing


def test_only_our_page_goes_back(played):
    """Nothing that lay beside a notebook travels to a student with the feedback."""
    for folder in (played.course / "feedback").iterdir():
        names = {path.name for path in (folder / LESSON).iterdir()}
        assert names == {"attention.html", "submission_secret.txt", "timestamp.txt"}, folder.name


def test_no_page_shows_the_solution(played):
    """No feedback page holds a line of the author's notebook that students do not have."""
    for page in (played.course / "feedback").rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert "BEGIN SOLUTION" not in text
        assert "hidden_points" not in text


def test_nothing_alive_reaches_formgrader(played):
    """A student's text cell stands letter by letter inside a fence in the autograded notebook."""
    notebook = json.loads(played.notebook("autograded", "scripted").read_text("utf-8"))
    texts = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] != "code"]

    assert {text for text in texts if "<script" in text or "javascript:" in text} == {f"```text\n{SCRIPT}\n```"}


@pytest.mark.parametrize("way", ["the folder is a link", "a link in it"])
def test_collect_takes_no_links(played, way):
    """`nbgrader collect` leaves a submission that is or holds a link where it is, and keeps what was collected."""
    inbound = played.course / "exchange" / "transformer" / "inbound"
    inbound.mkdir(parents=True, exist_ok=True)
    student = f"linker-{len(way)}"
    before = inbound / f"{student}+{LESSON}+2026-01-01 10:00:00.000000 UTC+x"
    shutil.copytree(played.course / "submitted" / HONEST / LESSON, before)
    (before / "timestamp.txt").write_text("2026-01-01 10:00:00.000000 UTC", encoding="utf-8")
    played.run("collect", LESSON)
    submission = inbound / f"{student}+{LESSON}+2026-01-02 10:00:00.000000 UTC+x"
    if way == "a link in it":
        submission.mkdir()
        (submission / "attention.ipynb").symlink_to(played.course / "source" / LESSON / "attention.ipynb")
    else:
        submission.symlink_to(played.course / "source" / LESSON)
    played.run("collect", LESSON, "--update")

    assert "Not collected" in played.said["collect"]
    collected = played.course / "submitted" / student / LESSON
    assert (collected / "attention.ipynb").read_bytes() == (before / "attention.ipynb").read_bytes()
    assert not collected.is_symlink()


def test_nbgraders_autograde_reads_no_folder_that_is_a_link(played):
    """A submitted folder that leads to somebody else's work gives no points, and the reason is told."""
    borrowed = played.course / "submitted" / "borrower" / LESSON
    borrowed.parent.mkdir()
    borrowed.symlink_to(Path("..", HONEST, LESSON))
    played.run("autograde", LESSON, "--student=borrower", expect=1)
    borrowed.unlink()
    rows = {row.student: row for row in class_rows(LESSON, played.course)}

    assert "is a link" in played.said["autograde"]
    assert "borrower" not in rows or rows["borrower"].points == ""


@pytest.mark.parametrize("limit", ["-n 60", "-f 4000"])
def test_limits_of_the_instructors_shell_are_no_zero(played, limit):
    """Where this machine leaves the sandbox no room, grading is refused, or it works: never a 0 for honest work."""
    command = f"ulimit {limit}; exec {sys.executable} -m nbgrader autograde {LESSON} --force --student={HONEST}"
    subprocess.run(["bash", "-c", command], cwd=played.course, env=played.environment, check=False, capture_output=True)  # noqa: S607
    rows = {row.student: row for row in class_rows(LESSON, played.course)}

    assert rows[HONEST].points in {"15/15", ""}
