"""Several machines: a real dask scheduler and worker processes give the gradebook that one machine gives."""

import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import LESSON, ROOT
from test_class_run import grade, receipt, rows, start

from autograder import cluster
from autograder.cluster import ROOT_VARIABLE, Needs, connect, needs_of
from autograder.lesson import GraderError
from autograder.sample_class import SAMPLE_CLASS

CLASS = SAMPLE_CLASS | {f"more-{number:02}": SAMPLE_CLASS["student-01"] for number in range(30)}
PATIENCE_SECONDS = 60


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A class that nobody has graded, and the same class graded on this machine alone."""
    ungraded = start(tmp_path_factory.mktemp("ungraded"), CLASS)
    graded = _copy_of(ungraded, tmp_path_factory.mktemp("graded"))
    grade(graded)
    return ungraded, rows(graded)


def _copy_of(this, folder):
    """Copy a course root."""
    shutil.copytree(this.course, folder / "course-root")
    return SimpleNamespace(course=folder / "course-root", environment=this.environment)


@pytest.fixture
def here(course, tmp_path):
    """A fresh copy of the ungraded class."""
    return _copy_of(course[0], tmp_path)


@pytest.fixture
def expected(course):
    """The rows that one machine writes."""
    return course[1]


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory):
    """Start a scheduler; return its file."""
    file = tmp_path_factory.mktemp("dask") / "scheduler.json"
    words = ("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
    with _dask(file.with_suffix(".log"), *words):
        _wait_until(file.exists)
        yield file


@pytest.fixture
def workers(scheduler, tmp_path):
    """Return a function that starts workers, each with its course folder, and waits until the scheduler knows them."""
    with ExitStack() as stack:

        def begin(*roots, threads=1):
            words = ("worker", "--scheduler-file", str(scheduler), "--host", "127.0.0.1", "--nthreads", str(threads))
            words = (*words, "--no-nanny", "--no-dashboard", "--local-directory", str(tmp_path / "scratch"))
            logs = [tmp_path / f"worker-{number}.log" for number in range(len(roots))]
            begun = [_dask(log, *words, root=str(root)) for log, root in zip(logs, roots, strict=True)]
            processes = [stack.enter_context(each) for each in begun]
            for log in logs:
                _wait_until(lambda log=log: "Registered to" in log.read_text("utf-8"))
            return processes

        yield begin


class _dask:  # noqa: N801  # used like a function
    """One process of dask; it is killed in the end."""

    def __init__(self, log, *words, root=""):
        self._log = log.open("w")
        command = [sys.executable, "-m", "dask", *words]
        environment = os.environ | {ROOT_VARIABLE: root}
        self._process = subprocess.Popen(command, cwd=log.parent, env=environment, stdout=self._log, stderr=self._log)

    def __enter__(self):
        return self._process

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait()
        self._log.close()


def _wait_until(true):
    end = time.monotonic() + PATIENCE_SECONDS
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


def _is_grading(worker):
    """Tell whether a worker has a sandbox."""
    threads = Path(f"/proc/{worker.pid}/task").glob("*/children")
    return any(thread.read_text("ascii") for thread in threads)


def _other_lesson(this, folder):
    """Make a course folder whose lesson differs by a word."""
    shutil.copytree(this.course / "source", folder / "source")
    notebook = folder / "source" / LESSON / "attention.ipynb"
    notebook.write_text(notebook.read_text("utf-8").replace("attention", "attentiveness", 1), encoding="utf-8")
    return folder


@pytest.mark.slow
def test_rows_are_those_of_one_machine(here, expected, scheduler, workers):
    """Two workers give the same gradebook row by row, though they have two threads for one sandbox."""
    workers(here.course, here.course, threads=2)
    grade(here, "--dask-file", str(scheduler))

    assert rows(here) == expected
    assert len(expected) == 2 * len(CLASS)


@pytest.mark.slow
def test_a_killed_worker_costs_nothing_but_time(here, expected, scheduler, workers):
    """With one of two workers killed while it grades, the gradebook is the same."""
    victim, _ = workers(here.course, here.course)
    command = [sys.executable, "-m", "autograder", "grade", LESSON, "--dask-file", str(scheduler)]
    with subprocess.Popen(command, cwd=here.course, env=here.environment, stderr=subprocess.DEVNULL) as run:
        _wait_until(lambda: _is_grading(victim))
        victim.send_signal(signal.SIGKILL)
        assert run.poll() is None
        assert run.wait(PATIENCE_SECONDS) == 0

    assert rows(here) == expected


@pytest.mark.slow
def test_a_worker_of_another_lesson_gets_no_work(here, expected, scheduler, workers, tmp_path):
    """Beside a right worker, a wrong one is named and the class is graded."""
    workers(here.course, _other_lesson(here, tmp_path / "other"))
    told = grade(here, "--dask-file", str(scheduler))

    assert "has lesson version" in told
    assert "it gets no work" in told
    assert rows(here) == expected


@pytest.mark.slow
def test_workers_of_another_lesson_alone_are_a_fault_of_ours(here, scheduler, workers, tmp_path):
    """With wrong workers only, nobody is graded, nobody gets a zero, and the receipt says why."""
    other = _other_lesson(here, tmp_path / "other")
    workers(other)
    grade(here, "--dask-file", str(scheduler), expect=2)
    versions = [needs_of(LESSON, root).lesson_version for root in (other, here.course)]
    whys = {entry["why"].partition(" ")[2].partition(" ")[2] for entry in receipt(here).values()}

    assert whys == {"has lesson version {}, this run needs {}".format(*versions)}
    assert {entry["status"] for entry in receipt(here).values()} == {"not graded: a fault of ours"}
    assert rows(here) == []


@pytest.mark.slow
def test_a_lost_scheduler_is_a_fault_of_ours(scheduler, workers):
    """Work that is sent when the connection is gone is refused at once; nobody waits for an answer."""
    workers(ROOT)
    executor = connect(needs_of(LESSON, ROOT), ROOT, scheduler_file=str(scheduler))
    done = executor.submit(Path, ROOT).result(PATIENCE_SECONDS)
    executor.shutdown()

    assert done == ROOT
    with pytest.raises(GraderError, match="the connection to the dask scheduler is lost"):
        executor.submit(Path, ROOT)


def test_a_worker_of_another_engine_is_refused():
    """A worker whose engine has another version says so, and so does one that has no such lesson."""
    other = Needs(LESSON, needs_of(LESSON, ROOT).lesson_version, engine_version="0")

    assert other.refusal(ROOT).endswith("this run needs 0")
    assert "there is no lesson" in Needs("99_nothing", "").refusal(ROOT)
    assert needs_of(LESSON, ROOT).refusal(ROOT) == ""


def test_without_dask_the_message_says_what_to_install(monkeypatch):
    """Where the extra is not installed, the command that installs it is named."""
    monkeypatch.setitem(sys.modules, "distributed", None)

    with pytest.raises(GraderError, match=r"pip install .*\[cluster\]"):
        connect(needs_of(LESSON, ROOT), ROOT, "tcp://127.0.0.1:1")


def test_no_scheduler_is_told(monkeypatch):
    """An address where nobody answers, or a file that is not there, is a fault of ours in one line."""
    monkeypatch.setattr(cluster, "_CONNECT_SECONDS", 1)
    needs = needs_of(LESSON, ROOT)

    with pytest.raises(GraderError, match=r"no dask scheduler answers at tcp://127\.0\.0\.1:1"):
        connect(needs, ROOT, "tcp://127.0.0.1:1")
    with pytest.raises(GraderError, match=r"no dask scheduler answers at nonsense://"):
        connect(needs, ROOT, "nonsense://127.0.0.1:1")
    with pytest.raises(GraderError, match=r"there is no scheduler file nowhere\.json"):
        connect(needs, ROOT, scheduler_file="nowhere.json")
