"""Code that hangs, crashes, floods or forges costs itself what it touches, and nothing else."""

import struct
import time

import pytest

from autograder.lesson import Call
from autograder.sandbox import Cell, Limits, Sandbox, pack_calls
from course.outcomes import Answered, NoFunction, Raised, Stopped, StopReason
from course.values import Numbers

CALLS = 6
HONEST = "def solve(x):\n    return x\n"
RIGHT = tuple(Answered(Numbers((), (float(x),))) for x in range(CALLS))
TIME, MEMORY, CRASH = Stopped(StopReason.TIME), Stopped(StopReason.MEMORY), Stopped(StopReason.CRASH)
EXIT, SIZE, NOT_RUN = Stopped(StopReason.EXIT), Stopped(StopReason.SIZE), Stopped(StopReason.NOT_RUN)
# CPU limits are safe on a loaded machine; the wall limits are only ever reached by code that sleeps.
LIMITS = Limits(call_cpu_seconds=0.2, load_cpu_seconds=0.5, memory_bytes=64 << 20)  # soon full, on a busy machine too


@pytest.fixture(scope="module")
def sandbox():
    """One sandbox for all, with short limits."""
    with Sandbox(limits=LIMITS) as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def packed():
    """Calls of `solve` with 0, 1, 2 and so on."""
    with pack_calls([Call((x,)) for x in range(CALLS)]) as packed:
        yield packed


@pytest.fixture
def run(sandbox, packed):
    """Return a function that runs one cell, and then checks that an honest submission is unharmed."""

    def run(source):
        result = sandbox.run([Cell(1, source)], packed)
        assert sandbox.run([Cell(1, HONEST)], packed).outcomes == RIGHT
        return result

    return run


def on_two(does):
    """Write a `solve` that does something on the third call only."""
    return f"import os, sys, signal, ctypes, time\nx = 1\ndef solve(x):\n    if x == 2:\n        {does}\n    return x\n"


COSTS_ONE_CALL = {
    "an endless loop": ("while True: pass", TIME),
    "a long C call": ("sum(range(10 ** 12))", TIME),
    "a regular expression without end": ("__import__('re').match('(a+)+b', 'a' * 40)", TIME),
    "a huge power": ("10 ** 10 ** 8", TIME),
    "a segfault": ("ctypes.string_at(0)", CRASH),
    "os._exit": ("os._exit(0)", EXIT),
    "sys.exit": ("sys.exit(1)", EXIT),
    "exit()": ("exit()", EXIT),
    "a list that grows": ("y = []\n        while True: y.append(bytearray(1 << 27))", MEMORY),
    "a giant array": ("__import__('numpy').ones(1 << 33)", MEMORY),
    "a giant string": ("'x' * (1 << 40)", MEMORY),
    "an error": ("1 / 0", Raised("ZeroDivisionError", "division by zero", 1, 5, "1 / 0")),
    "an interrupt": ("raise KeyboardInterrupt", Raised("KeyboardInterrupt", "", 1, 5, "raise KeyboardInterrupt")),
}


@pytest.mark.parametrize(("does", "outcome"), COSTS_ONE_CALL.values(), ids=COSTS_ONE_CALL)
def test_one_bad_call_costs_one_call(run, does, outcome):
    """The calls before and after a bad one keep their answers."""
    assert run(on_two(does)).outcomes == (*RIGHT[:2], outcome, *RIGHT[3:])


def test_endless_recursion_costs_one_call(run):
    """Plain recursion raises; recursion through C with a raised limit crashes that call only."""
    assert run("def f(): f()\n" + on_two("f()")).outcomes[2].error == "RecursionError"
    bomb = "import sys\nsys.setrecursionlimit(10 ** 8)\ndef f(n): return max(map(f, [n]))\n"
    assert run(bomb + on_two("f(0)")).outcomes == (*RIGHT[:2], CRASH, *RIGHT[3:])


def test_ignored_signals_do_not_help(run):
    """A loop that ignores every signal and clears every timer is ended all the same."""
    ignore = "for n in (1, 2, 14, 15, 24): signal.signal(n, signal.SIG_IGN)\n        signal.alarm(0)\n"
    assert run(on_two(f"{ignore}        while True: pass")).outcomes[2] == TIME


@pytest.mark.slow
def test_sleep_is_ended_by_the_wall_clock(packed):
    """Sleep uses no CPU time, so that the wall limit ends it."""
    with Sandbox(limits=Limits(call_wall_seconds=0.6)) as sandbox:
        outcomes = sandbox.run([Cell(1, on_two("time.sleep(60)"))], packed).outcomes
    assert outcomes == (*RIGHT[:2], TIME, *RIGHT[3:])


ON_ALL = "import time\ndef solve(x):\n    {}\n"


@pytest.mark.slow
def test_what_sleeps_every_time_holds_up_no_class(packed):
    """After two calls that only waited, the rest is not run; what loops every time is made call by call."""
    with Sandbox(limits=Limits(call_wall_seconds=0.6)) as sandbox:
        asleep = sandbox.run([Cell(1, ON_ALL.format("time.sleep(60)"))], packed).outcomes
        shown, hidden = sandbox.run_both(
            [Cell(1, ON_ALL.format("time.sleep(60 * (x > 0))\n    return x"))], packed, packed
        )
    with Sandbox(limits=Limits(call_cpu_seconds=0.05)) as sandbox:
        busy = sandbox.run([Cell(1, ON_ALL.format("while True: pass"))], packed).outcomes

    assert asleep == (TIME, TIME, *[NOT_RUN] * 4)
    assert shown.outcomes == (RIGHT[0], TIME, TIME, *[NOT_RUN] * 3)
    assert hidden.outcomes == (RIGHT[0], TIME, *[NOT_RUN] * 4)
    assert busy == (TIME,) * CALLS


def test_short_sleep_is_honest(run):
    """A call may sleep for a moment."""
    assert run(on_two("time.sleep(0.3)")).outcomes == RIGHT


def test_calls_that_together_take_long_are_honest(run):
    """Each call has its own time; only the total has its own, larger limit."""
    spin = "end = time.process_time() + 0.07\n    while time.process_time() < end: pass\n"
    assert run(f"import time\ndef solve(x):\n    {spin}    return x\n").outcomes == RIGHT


WHILE_LOADING = {
    "an endless loop": ("while True: pass", "TimeoutError"),
    "a crash": ("import ctypes\nctypes.string_at(0)", "Crash"),
    "os._exit": ("import os\nos._exit(0)", "SystemExit"),
    "a lost output file": ("import os\nos.closerange(0, 256)", "Crash"),
}


@pytest.mark.parametrize(("source", "error"), WHILE_LOADING.values(), ids=WHILE_LOADING)
def test_the_cell_of_the_function_that_never_ends_is_named(run, source, error):
    """What ends the child in the cell of `solve` leaves no function, and the cell is named."""
    started = time.monotonic()
    result = run(f"{HONEST}{source}\n")
    assert result.outcomes == (NoFunction("missing"),) * CALLS
    assert [(each.error, each.cell, each.line) for each in result.cell_errors] == [(error, 1, 0)]
    assert time.monotonic() - started < LIMITS.load_wall_seconds


@pytest.mark.slow
def test_other_children_are_bounded(packed):
    """When every call hangs, the last calls are not run, and the total is kept."""
    with Sandbox(limits=Limits(call_cpu_seconds=0.05, restarts=2)) as sandbox:
        run = sandbox.run([Cell(1, "def solve(x):\n    while True: pass")], packed)
    assert run.outcomes == (TIME, TIME, TIME, NOT_RUN, NOT_RUN, NOT_RUN)
    with Sandbox(limits=Limits(total_cpu_seconds=0.15, call_cpu_seconds=0.1)) as sandbox:
        run = sandbox.run([Cell(1, "def solve(x):\n    while True: pass")], packed)
    assert run.outcomes[0] == TIME
    assert run.outcomes[-1] == NOT_RUN
    assert run.cpu_seconds < 0.6


def test_a_list_that_doubles_is_stopped(run):
    """A list that doubles without end is stopped by memory or by time, whichever this machine reaches first."""
    outcomes = run("def solve(x):\n    y = [0]\n    while x == 2:\n        y += y\n    return x\n").outcomes

    assert outcomes[2] in (MEMORY, TIME)
    assert outcomes[:2] + outcomes[3:] == RIGHT[:2] + RIGHT[3:]


def test_a_memory_bomb_at_load_is_an_error_of_its_cell(run):
    """A cell that takes all memory fails; what stood before it works."""
    result = run(f"{HONEST}y = []\nwhile True: y.append(bytearray(1 << 27))\n")
    assert [error.error for error in result.cell_errors] == ["MemoryError"]
    assert run("import mmap\ndef solve(x):\n    return mmap.mmap(-1, 1 << 40) and x").outcomes[0].error in {
        "OSError",
        "MemoryError",
    }


FLOODS = {
    "stdout": "sys.stdout.write('x' * (1 << 20))",
    "stderr": "sys.stderr.write('x' * (1 << 20))",
    "file descriptor 1": "os.write(1, b'x' * (1 << 20))",
    "many lines": "[print() for _ in range(2000)]",
}


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
def test_floods_of_output_are_harmless(run, flood):
    """Whatever is printed, the answers are right and little is kept."""
    result = run(f"import os, sys\ndef solve(x):\n    {flood}\n    return x\n")
    assert [outcome.value for outcome in result.outcomes] == [right.value for right in RIGHT]
    assert len(result.printed) < 4200


def test_too_large_answers_are_said(packed):
    """An answer that does not fit is told apart from one that crashed."""
    with Sandbox(limits=Limits(output_bytes=10_000)) as sandbox:
        big = sandbox.run([Cell(1, "def solve(x):\n    return [0.0] * 900")], packed).outcomes
    assert isinstance(big[0], Answered)
    assert big[-1] == SIZE


def test_a_loop_at_exit_never_runs(run):
    """The child leaves without Python's exit handlers."""
    assert run(f"import atexit, time\natexit.register(time.sleep, 60)\n{HONEST}").outcomes == RIGHT


def forge(record, when="x == 0"):
    """Write a `solve` that writes bytes of its own into every descriptor it has."""
    return (
        f"import os\ndef solve(x):\n    if {when}:\n        for fd in range(3, 64):\n            try:\n"
        f"                os.write(fd, {record!r})\n            except OSError:\n                pass\n    return x\n"
    )


HEADER = struct.Struct("<iBI")
FORGED = {
    "a record of another kind": HEADER.pack(1, 99, 4) + b"abcd",
    "a call that is not there": HEADER.pack(10**6, 2, 2) + b"\0\0",
    "a negative call": HEADER.pack(-5, 2, 2) + b"\0\0",
    "a shape without numbers": HEADER.pack(1, 2, 18) + b"\0\2" + struct.pack("<QQ", 1 << 40, 1 << 40),
    "a shape with too few numbers": HEADER.pack(1, 2, 18) + b"\0\1" + struct.pack("<Qd", 2, 1.0),
    "many axes": HEADER.pack(1, 2, 2) + b"\0\xff",
    "an unknown kind": HEADER.pack(1, 3, 5) + b"\0\x09\1\0x",
    "a text longer than it is": HEADER.pack(1, 4, 12) + struct.pack("<iiHH", 1, 1, 60000, 60000),
    "an empty record": HEADER.pack(1, 4, 0),
    "an unknown reason": HEADER.pack(1, 6, 1) + b"\xff",
}


@pytest.mark.parametrize("record", FORGED.values(), ids=FORGED)
def test_malformed_records_are_ignored(run, record):
    """Bytes that are no record of ours change nothing."""
    assert [outcome.value for outcome in run(forge(record)).outcomes] == [right.value for right in RIGHT]


def test_the_first_record_of_a_call_wins(run):
    """An answer written by hand is an answer: it can be wrong or right, and cannot be replaced later."""
    by_hand = HEADER.pack(3, 2, 10) + b"\0\0" + struct.pack("<d", 7.0)
    outcomes = run(forge(by_hand, "x in (0, 5)")).outcomes
    assert outcomes[3] == Answered(Numbers((), (7.0,)))
    assert outcomes[4] == RIGHT[4]


def test_broken_framing_never_passes(run):
    """After bytes that claim to be endless nothing can be read, so nothing passes."""
    outcomes = run(forge(HEADER.pack(1, 2, 1 << 31))).outcomes
    assert outcomes == (CRASH,) * CALLS


def test_an_output_file_lost_in_a_call_is_a_crash(run):
    """Code that closes the way out gets a clear outcome at once."""
    assert run("import os\ndef solve(x):\n    os.closerange(0, 256)").outcomes == (CRASH,) * CALLS
