"""No process outlives its submission or the sandbox, and a zygote that dies is replaced."""

import contextlib
import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from autograder.lesson import Call
from autograder.sandbox import Cell, Sandbox, SandboxError, pack_calls
from course.outcomes import Answered
from course.values import Numbers

pytestmark = pytest.mark.slow  # whole processes are started and ended

CALLS = 3
HONEST = "def solve(x):\n    return x\n"
RIGHT = tuple(Answered(Numbers((), (float(x),))) for x in range(CALLS))
# Long enough to be found and killed while it loads.
SLEEPS = f"import time\ntime.sleep(0.3)\n{HONEST}"
# A daemon in a session of its own: it leaves the group, and its parent ends first.
DAEMON = """
import os, time
def solve(x):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(60)
        os._exit(0)
    os.wait()
    return x
"""
LAYERS = {
    "in a namespace": ("namespaces", "uid", "landlock"),
    "without one": ("landlock",),
}


@pytest.fixture(scope="module")
def packed():
    """Calls of `solve` with 0, 1 and 2."""
    with pack_calls([Call((x,)) for x in range(CALLS)]) as packed:
        yield packed


def kill_zygote(sandbox):
    """Kill the process that forks: the one started, or its only child where it has its own namespace."""
    pid = sandbox._zygote.pid  # noqa: SLF001  # nothing else can reach it
    inner = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    os.kill(int([pid, *inner][-1]), signal.SIGKILL)


def descendants(pid):
    """Return the processes below `pid`."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    return [*children, *(each for child in children for each in descendants(child))]


def is_gone(pid):
    """Tell whether a process ends within a moment; one that is only not waited for yet has ended."""
    for _ in range(200):
        try:
            if Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.01)
    return False


def wait_for_child(pid, layers=("namespaces",)):
    """Wait until the zygote has a child at work; return all processes below `pid`."""
    expected = 2 if "namespaces" in layers else 1
    for _ in range(500):
        with contextlib.suppress(OSError):
            if len(below := descendants(pid)) >= expected:
                return below
        time.sleep(0.01)
    raise TimeoutError


@contextlib.contextmanager
def child_killer(sandbox, times):
    """Kill the first children of a sandbox with signal 9, as the system does when memory runs out."""
    killed, done = [], threading.Event()

    def look():
        pid = sandbox._zygote.pid  # noqa: SLF001  # as above
        idle = descendants(pid)
        while len(killed) < times and not done.is_set():
            with contextlib.suppress(OSError):
                for child in set(descendants(pid)) - {*idle, *killed}:
                    time.sleep(0.05)  # until it runs student code
                    os.kill(int(child), signal.SIGKILL)
                    killed.append(child)
            time.sleep(0.005)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield killed
    finally:
        done.set()
        thread.join()


def both(sandbox, packed):
    """Run an honest submission on the same calls twice, as shown and as hidden ones."""
    return [run.outcomes for run in sandbox.run_both([Cell(1, HONEST)], packed, packed)]


@pytest.mark.parametrize("layers", LAYERS.values(), ids=LAYERS)
def test_a_daemon_is_killed(layers):
    """A daemon is found and killed before the next submission starts."""
    allowed = {"seccomp", "rlimits", "uid", "namespaces", "landlock"}
    with pack_calls([Call((2.0,))]) as packed, Sandbox(allow_missing=allowed, _layers=layers) as sandbox:
        before = descendants(sandbox._zygote.pid)  # noqa: SLF001  # there is no other way to see it
        outcome = sandbox.run([Cell(1, DAEMON)], packed).outcomes[0]
        assert outcome.value.flat == (2.0,)
        assert descendants(sandbox._zygote.pid) == before  # noqa: SLF001


def test_a_dead_zygote_is_replaced(packed):
    """When the zygote is killed from outside, the submission is run in a new one."""
    with Sandbox() as sandbox:
        kill_zygote(sandbox)
        assert sandbox.run([Cell(1, HONEST)], packed).outcomes == RIGHT
        kill_zygote(sandbox)
        assert sandbox.run([Cell(1, HONEST)], packed).outcomes == RIGHT


def test_two_deaths_of_the_zygote_are_a_fault_of_ours(packed, monkeypatch):
    """No student can kill the zygote, so two deaths are never a mark; the next submission gets a new one."""
    with Sandbox() as sandbox:
        monkeypatch.setattr("autograder.sandbox.start.Zygote.hear_ending", lambda *_: None)
        for run in (lambda: sandbox.run([Cell(1, HONEST)], packed), lambda: both(sandbox, packed)):
            with pytest.raises(SandboxError, match=r"died.*twice"):
                run()
        monkeypatch.undo()
        assert both(sandbox, packed) == [RIGHT, RIGHT]


def test_a_zygote_that_dies_at_once_is_replaced_for_both_runs(packed):
    """The first death costs nothing."""
    with Sandbox() as sandbox:
        kill_zygote(sandbox)
        assert both(sandbox, packed) == [RIGHT, RIGHT]


def test_the_zygote_ends_with_the_process_that_waits_for_it():
    """A kill -9 of the outer process ends the one in the namespace too, although that has changed its user since."""
    with Sandbox() as sandbox:
        pid = sandbox._zygote.pid  # noqa: SLF001  # there is no other way to see it
        below = descendants(pid)
        os.kill(pid, signal.SIGKILL)
        assert all(is_gone(each) for each in below)


@pytest.mark.parametrize("layers", LAYERS.values(), ids=LAYERS)
def test_killing_a_zygote_in_the_midst_of_a_job_leaves_nothing(packed, layers):
    """The process in the namespace and the child at work end with it."""
    allowed = {"seccomp", "rlimits", "uid", "namespaces", "landlock"}
    with Sandbox(allow_missing=allowed, _layers=layers) as sandbox, ThreadPoolExecutor(1) as pool:
        zygote = sandbox._zygote  # noqa: SLF001  # there is no other way to reach it
        run = pool.submit(sandbox.run, [Cell(1, SLEEPS)], packed)
        below = [*wait_for_child(zygote.pid, layers), str(zygote.pid)]
        zygote.kill()
        assert all(is_gone(each) for each in below)
        assert run.result().outcomes == RIGHT


def test_a_child_killed_once_from_outside_is_run_again(packed):
    """What a person or the system kills is not the student's doing: the child is run again."""
    with Sandbox() as sandbox, child_killer(sandbox, times=1) as killed:
        assert sandbox.run([Cell(1, SLEEPS)], packed).outcomes == RIGHT
        assert len(killed) == 1


def test_a_child_killed_twice_from_outside_is_a_fault_of_ours(packed):
    """It is never told as too much memory."""
    with Sandbox() as sandbox, child_killer(sandbox, times=2) as killed:
        with pytest.raises(SandboxError, match=r"killed from outside.*twice"):
            sandbox.run([Cell(1, SLEEPS)], packed)
        assert len(killed) == 2


def test_the_zygote_ends_with_the_grader(packed):
    """A sandbox that is closed leaves no process."""
    sandbox = Sandbox()
    pid = sandbox._zygote.pid  # noqa: SLF001
    sandbox.close()
    sandbox.close()
    assert not Path(f"/proc/{pid}").exists()
    with pytest.raises(SandboxError, match="closed"):
        sandbox.run([Cell(1, HONEST)], packed)


@pytest.mark.parametrize("first_free", range(58, 66))
def test_a_grader_with_many_open_files_grades(packed, first_free):
    """Whatever number the channel to the zygote gets, it meets none of those that a child uses."""
    with contextlib.ExitStack() as held:
        while (file := os.open(os.devnull, os.O_RDONLY)) < first_free:
            held.callback(os.close, file)
        os.close(file)
        with Sandbox() as sandbox:
            assert sandbox.run([Cell(1, HONEST)], packed).outcomes == RIGHT
