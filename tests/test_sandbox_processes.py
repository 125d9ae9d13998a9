"""No process outlives its submission or the sandbox, and a zygote that dies is replaced."""

import os
import signal
from pathlib import Path

import pytest

from autograder.lesson import Call
from autograder.sandbox import Cell, Sandbox, SandboxError, pack_calls
from course.outcomes import Answered, Stopped, StopReason
from course.values import Numbers

CALLS = 3
HONEST = "def solve(x):\n    return x\n"
RIGHT = tuple(Answered(Numbers((), (float(x),))) for x in range(CALLS))
CRASH = Stopped(StopReason.CRASH)
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


def test_a_submission_that_kills_the_zygote_is_a_crash(packed, monkeypatch):
    """Two deaths with one submission are its crash; a third in a row is a fault of ours."""
    with Sandbox() as sandbox:
        monkeypatch.setattr("autograder.sandbox.start.Zygote.hear_ending", lambda *_: None)
        assert sandbox.run([Cell(1, HONEST)], packed).outcomes == (CRASH,) * CALLS
        with pytest.raises(SandboxError, match="died 3 times"):
            sandbox.run([Cell(1, HONEST)], packed)
        monkeypatch.undo()


def test_the_zygote_ends_with_the_grader(packed):
    """A sandbox that is closed leaves no process."""
    sandbox = Sandbox()
    pid = sandbox._zygote.pid  # noqa: SLF001
    sandbox.close()
    sandbox.close()
    assert not Path(f"/proc/{pid}").exists()
    with pytest.raises(SandboxError, match="closed"):
        sandbox.run([Cell(1, HONEST)], packed)
