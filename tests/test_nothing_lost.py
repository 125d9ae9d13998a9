"""Nothing is lost: a run that is killed, has no room, or finds the gradebook locked; the next one does what is left."""

import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import LESSON, ROOT
from test_class_run import grade, receipt, rows, start

from autograder import sending
from autograder.class_run import local_executor
from autograder.ledger import Entry, Ledger, Status
from autograder.one import Graded, Task
from autograder.sample_class import SAMPLE_CLASS
from autograder.sending import send

KINDS = [SAMPLE_CLASS[f"student-{number}"] for number in ("01", "02", "04", "05", "09", "10")]
CLASS = {f"s{number:02}": KINDS[number % len(KINDS)] for number in range(12)}
# How often a run comes to each stage, at least; see killed_run.py.
STAGES = {"start": 100, "run": 8, "files": 120, "gradebook": 16, "receipt": 4}
PATIENCE_SECONDS = 60


def _copy_of(this, folder):
    """Copy a course root."""
    shutil.copytree(this.course, folder, dirs_exist_ok=True)
    return SimpleNamespace(course=folder, environment=this.environment)


@pytest.fixture(scope="module")
def ungraded(tmp_path_factory):
    """A class of twelve that nobody has graded."""
    return start(tmp_path_factory.mktemp("ungraded"), CLASS)


@pytest.fixture(scope="module")
def undisturbed(ungraded, tmp_path_factory):
    """The same class, graded without a disturbance."""
    this = _copy_of(ungraded, tmp_path_factory.mktemp("undisturbed") / "course-root")
    grade(this)
    return _everything(this)


@pytest.fixture
def here(ungraded, tmp_path):
    """A fresh copy of the ungraded class."""
    return _copy_of(ungraded, tmp_path / "course-root")


def _everything(this):
    """Return each row of the gradebook, page, notebook and ledger's last word, without what is made up anew."""
    places = [path for top in ("autograded", "feedback") for path in (this.course / top).rglob("*") if path.is_file()]
    files = {str(path.relative_to(this.course)): path.read_bytes() for path in places if "secret" not in path.name}
    known = Ledger(this.course, LESSON).read()
    kept = {student: (entry.status, entry.sha256, entry.points, entry.notes) for student, entry in known.items()}
    return rows(this), files, kept


def _is_whole(this):
    """Tell whether the database is whole, and each mark that is in it is one that a run gave, in both cells or none."""
    with closing(sqlite3.connect(this.course / "gradebook.db")) as database:
        assert database.execute("pragma integrity_check").fetchall() == [("ok",)]
    marks = {}
    for student, _, score, *_ in rows(this):
        marks.setdefault(student, []).append(score)
    return all(len(scores) == 2 and None not in scores for scores in marks.values())


def _killed(this, stage, moment):
    """Run the command and kill it, with all its workers; tell whether it was killed before it ended."""
    words = ["--root", str(this.course), "grade", LESSON, "--workers", "2"]
    command = [sys.executable, ROOT / "tests" / "killed_run.py", stage, str(moment), *words]
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    done = subprocess.run(command, cwd=ROOT, env=this.environment, start_new_session=True, check=False, **silent)
    return done.returncode == -signal.SIGKILL


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_a_run_killed_at_five_moments_ends_complete(here, undisturbed, seed):
    """Killed while it starts, runs, writes files, the gradebook and the receipt; one more run gives all as undisturbed.

    Four classes, so twenty random moments.
    """
    rng = random.Random(seed)  # noqa: S311  # moments, not secrets
    for stage, often in STAGES.items():
        moment = rng.randrange(often)

        assert _killed(here, stage, moment), (stage, moment)
        assert _is_whole(here), (stage, moment)
    grade(here)

    assert _everything(here) == undisturbed
    assert {entry["status"] for entry in receipt(here).values()} <= {Status.GRADED, Status.MENDED, Status.KEPT}
    assert not list(here.course.rglob("*.part"))


def _pages_kilobytes(undisturbed):
    """Return how much room the pages and notebooks take, each in whole blocks of 4 kB."""
    return sum(-(-len(data) // 4096) * 4 for data in undisturbed[1].values())


# room: (which folder is on the full disk, kB of room, beyond that of the pages if they are there, words that are said)
FULL = {
    "none at all": (".", None, "the feedback page or the autograded notebook could not be written (No space left"),
    "for the pages alone": (".", 20, "the gradebook could not be written: the disk is full"),
    "for some of the ledger": ("receipts", 4, "the gradebook has the marks, but the ledger could not be written"),
    "for the ledger alone": ("receipts", 12, "the receipt could not be written"),
}


@pytest.fixture
def disk(tmp_path):
    """A disk of 8 MB, and a function that leaves it so many kB of room."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount, unmount = (shutil.which(name) or "false" for name in ("mount", "umount"))
    words = ["-t", "tmpfs", "-o", "size=8m", "none", folder]
    if subprocess.run([mount, *words], check=False, capture_output=True).returncode != 0:
        pytest.skip("a small disk can be mounted by root only, where the machine allows it")

    def leave(kilobytes):
        found = os.statvfs(folder)
        (folder / "filler").write_bytes(bytes(found.f_bavail * found.f_frsize - kilobytes * 1024))

    yield folder, leave
    subprocess.run([unmount, "--lazy", folder], check=True)


@pytest.mark.slow
@pytest.mark.parametrize("situation", FULL)
def test_a_full_disk_is_a_fault_of_ours(here, undisturbed, disk, situation):
    """Without room the run says what to do and nobody gets a wrong mark; with room again it does what is left."""
    (folder, leave), (place, room, words) = disk, FULL[situation]
    if place == ".":
        here = _copy_of(here, folder / "course-root")
        room = 0 if room is None else room + _pages_kilobytes(undisturbed)
    else:
        (here.course / place).symlink_to(folder)
    leave(room)
    told = grade(here, expect=2)

    assert words in told
    assert "ake room on" in told
    assert "Traceback" not in told
    assert _is_whole(here)
    assert set(rows(here)) <= set(undisturbed[0])
    (folder / "filler").unlink()
    done = set(Ledger(here.course, LESSON).read())
    grade(here)

    assert _everything(here) == undisturbed
    assert {student for student, entry in receipt(here).items() if entry["status"] == Status.KEPT} == done
    assert not list(here.course.rglob("*.part"))


LOCKS = {"against writers": ("immediate", "could not be written"), "against all": ("exclusive", "could not be read")}


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "words"), LOCKS.values(), ids=LOCKS)
def test_a_locked_gradebook_is_a_fault_of_ours(here, undisturbed, kind, words):
    """Who locks the gradebook is named, nobody gets a wrong mark, and the next run does what is left."""
    grade(here, "--student", "s03")
    hold = f"import sqlite3; d = sqlite3.connect('gradebook.db'); d.execute('begin {kind}'); print(flush=True); input()"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", hold], cwd=here.course, **pipes) as holder:
        holder.stdout.readline()
        begun = time.monotonic()
        told = grade(here, "--db", f"sqlite:///{here.course}/gradebook.db?timeout=1", expect=2)
        took = time.monotonic() - begun
        holder.communicate(b"\n")

    assert f"{words}: it is locked by process {holder.pid} ({sys.executable} -c" in told
    assert re.search(rf"autograder: the gradebook is locked by process {holder.pid} .*; waiting for it\n", told)
    assert "run the same command again" in told
    assert "Traceback" not in told
    assert took > 1
    assert _is_whole(here)
    assert {row[0] for row in rows(here)} == {"s03"}
    if kind == "immediate":
        statuses = {student: entry["status"] for student, entry in receipt(here).items()}
        assert statuses == dict.fromkeys(CLASS, Status.NOT_GRADED) | {"s03": Status.KEPT}
    grade(here)

    assert _everything(here) == undisturbed
    assert [student for student, entry in receipt(here).items() if entry["status"] == Status.KEPT] == ["s03"]


def _children(number):
    """Return the processes that a process has begun, and that are there now."""
    found = (path.read_text("ascii").split() for path in Path(f"/proc/{number}/task").glob("*/children"))
    return [int(child) for children in found for child in children]


def _is_there(number):
    """Tell whether a process is there and not only waits to be counted."""
    try:
        return Path(f"/proc/{number}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.slow
def test_a_killed_worker_costs_nothing_but_time(here, undisturbed):
    """A worker process that is killed while it grades costs nobody a mark, and its sandbox ends with it."""
    command = [sys.executable, "-m", "autograder", "grade", LESSON, "--workers", "2"]
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, cwd=here.course, env=here.environment, **silent) as run:
        end = time.monotonic() + PATIENCE_SECONDS
        victims = []
        while not victims:
            assert time.monotonic() < end, "no worker had a sandbox"
            assert run.poll() is None
            victims = [child for child in _children(run.pid) if _children(child)]
        sandboxes = _children(victims[0])
        os.kill(victims[0], signal.SIGKILL)

        assert run.wait(PATIENCE_SECONDS) == 0
    assert _everything(here) == undisturbed
    assert {entry["status"] for entry in receipt(here).values()} == {Status.GRADED, Status.MENDED}
    assert not any(map(_is_there, sandboxes))


@pytest.mark.parametrize("at", [0, 7, 39])
def test_what_kills_each_worker_is_a_fault_of_ours_alone(monkeypatch, tmp_path, at):
    """Of forty tasks one kills whoever takes it, and another only the first time: all but that one are graded, once."""

    def grade_or_die(root, task):
        number, mark = int(task.student), root / "unlucky"
        if number == at or (number == 20 and not mark.exists()):
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return Graded(task.student, "")

    monkeypatch.setattr(sending, "grade_task", grade_or_die)
    tasks = [Task(str(number), LESSON, "attention.ipynb", b"") for number in range(40)]
    found = [graded for results in send(local_executor, 2, tmp_path, tasks) for graded in results]

    assert sorted(int(graded.student) for graded in found) == list(range(40))
    assert [graded.student for graded in found if graded.fault] == [str(at)]
    assert all("was killed, twice" in graded.fault for graded in found if graded.fault)


def test_half_a_line_in_the_ledger_costs_nothing_else(tmp_path):
    """What a killed run left half written is passed over, and what is added after it is read."""
    ledger = Ledger(tmp_path, LESSON)
    ledger.add([Entry("s00", Status.GRADED), Entry("s01", Status.GRADED)])
    path = tmp_path / "receipts" / f"{LESSON}.ledger.jsonl"
    path.write_bytes(path.read_bytes()[:-30])
    ledger.add([Entry("s02", Status.GRADED)])

    assert set(ledger.read()) == {"s00", "s02"}
