"""A fault of ours, or of this machine, is never a student's mark; and no student can make theirs look like one."""

import errno
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.lesson import Call
from autograder.sandbox import Cell, Limits, Sandbox, SandboxError, pack_calls
from course.outcomes import Answered, NoFunction
from course.values import Numbers

pytestmark = pytest.mark.slow  # whole processes are started and ended

ROOT = Path(__file__).resolve().parent.parent
HONEST = "def solve(x):\n    return x\n"
RIGHT = (Answered(Numbers((), (2.0,))),)


@pytest.fixture
def packed():
    """The call `solve(2.0)`."""
    with pack_calls([Call((2.0,))]) as packed:
        yield packed


GRADE = """
import sys
from autograder.lesson import Call
from autograder.sandbox import Cell, Sandbox, SandboxError, pack_calls
try:
    with pack_calls([Call((2.0,))]) as packed, Sandbox() as sandbox:
        print(*sandbox.run([Cell(1, "def solve(x): return x")], packed).outcomes[0].value.flat)
except SandboxError as error:
    print("SandboxError", error)
"""
TOO_LOW = {
    "files": ("ulimit -n 60", "RLIMIT_NOFILE"),
    "few files": ("ulimit -n 40", "RLIMIT_NOFILE"),
    "file size": ("ulimit -f 4000", "RLIMIT_FSIZE"),
    "CPU time": ("ulimit -t 4", "RLIMIT_CPU"),
    "memory": ("ulimit -v 300000", "RLIMIT_AS"),
}


def grade_under(shell_limit):
    """Grade an honest submission from a shell with a limit of its own."""
    command = ["/bin/bash", "-c", f'{shell_limit}; exec "$0" "$@"', sys.executable, "-B", "-c", GRADE]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()


@pytest.mark.parametrize(("shell_limit", "name"), TOO_LOW.values(), ids=TOO_LOW)
def test_a_machine_without_room_is_refused_at_the_start(shell_limit, name):
    """Hard limits of the grader's own shell that are too low are named before any student code runs."""
    told = grade_under(shell_limit)

    assert told.startswith("SandboxError")
    assert name in told


def test_soft_limits_are_lifted():
    """A limit that may be raised costs nothing."""
    assert grade_under("ulimit -S -n 40; ulimit -S -f 4000; ulimit -S -t 4; ulimit -S -v 2000000") == "2.0"


def test_a_child_that_cannot_start_is_a_fault_of_ours(packed, monkeypatch):
    """What fails before student code runs is told with its reason, for `run` and for `run_both`."""
    with Sandbox() as sandbox:
        monkeypatch.setattr("autograder.sandbox.rounds.Rounds.job", lambda _: b"")
        for run in (lambda: sandbox.run([Cell(1, HONEST)], packed), lambda: sandbox.run_both([], packed, packed)):
            with pytest.raises(SandboxError, match=r"no student code was run: EOFError.*twice"):
                run()
        monkeypatch.undo()
        assert sandbox.run([Cell(1, HONEST)], packed).outcomes == RIGHT


FAKED = {
    "an exit code of ours": "import os\nos._exit(80)",
    "an exit code of ours, memory": "import os\nos._exit(79)",
    "no output": "import os\nos.closerange(0, 256)\nos._exit(78)",
    "a shorter loading file": "import os\nos.ftruncate(64, 0)",
    "a loading file opened anew": "import os\nos.open('/proc/self/fd/64', os.O_WRONLY | os.O_TRUNC)",
    "a loading file written over": "import os\nos.pwrite(64, b'xxxxxxxx', 0)\nos._exit(80)",
    "a strange mark": "import os\nos.write(64, b'x')\nos._exit(80)",
    "a signal to itself": "import os\nos.kill(os.getpid(), 9)",
    "a limit that kills": "import resource\nresource.setrlimit(resource.RLIMIT_CPU, (0, 0))\nwhile True: pass",
    "no room to write": "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))",
    "no memory": "import resource\nresource.setrlimit(resource.RLIMIT_AS, (1, 1))\n'x' * 10 ** 7",
}


@pytest.mark.parametrize("source", FAKED.values(), ids=FAKED)
def test_student_code_cannot_fake_a_fault_of_ours(packed, source):
    """Whatever a cell does to the process, the submission is settled, and is never a fault of ours."""
    with Sandbox(limits=Limits(load_cpu_seconds=0.4)) as sandbox:
        for run in sandbox.run_both([Cell(1, source)], packed, packed):
            assert not isinstance(run.outcomes[0], Answered)
        assert sandbox.run([Cell(1, HONEST), Cell(2, "import os\nos._exit(80)")], packed).outcomes == RIGHT


def test_a_failure_on_our_side_is_a_fault_of_ours(packed, monkeypatch):
    """Where the system refuses the grader a file, nothing is said of the submission, and the next one runs."""

    def refuse(*_):
        raise OSError(errno.EMFILE, "Too many open files")

    with Sandbox() as sandbox:
        for call in ("memfd_create", "pread"):
            monkeypatch.setattr(f"autograder.sandbox.runner.os.{call}", refuse)
            for run in (sandbox.run, lambda cells, packed: sandbox.run_both(cells, packed, packed)):
                with pytest.raises(SandboxError, match="Too many open files"):
                    run([Cell(1, HONEST)], packed)
            monkeypatch.undo()
            assert sandbox.run([Cell(1, HONEST)], packed).outcomes == RIGHT


def test_what_cannot_be_packed_for_want_of_a_file_is_a_fault_of_ours(monkeypatch):
    """The cases need a memory file too."""

    def refuse(*_):
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr("autograder.sandbox.calls.os.memfd_create", refuse)
    with pytest.raises(SandboxError, match="Too many open files"):
        pack_calls([])


def test_no_cells_are_no_function(packed):
    """A submission without code is settled, too."""
    with Sandbox() as sandbox:
        assert sandbox.run([], packed).outcomes == (NoFunction("missing"),)
