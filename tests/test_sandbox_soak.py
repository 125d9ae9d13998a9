"""Hundreds of hostile and honest submissions through one sandbox leave nothing behind.

SOAK_SUBMISSIONS=2000 pytest tests/test_sandbox_soak.py      the long run
"""

import os
import random
from dataclasses import dataclass
from operator import eq
from pathlib import Path

import pytest

from autograder.lesson import Call
from autograder.sandbox import Cell, Limits, Sandbox, pack_calls
from course.outcomes import Answered
from course.values import Numbers

SUBMISSIONS = int(os.environ.get("SOAK_SUBMISSIONS", "300"))
WARM_UP = 60
MARKER = f"soak-{os.getpid()}"
SHARED_FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run")  # noqa: S108  # to look into, not to write
GROWTH_MIB = 4
# CPU limits are safe on a loaded machine; the wall limits are only ever reached by code that sleeps.
LIMITS = Limits(
    call_cpu_seconds=0.1, load_cpu_seconds=0.2, call_wall_seconds=0.4, load_wall_seconds=0.4, memory_bytes=96 << 20
)
WRONG = "def solve(x):\n    return -1.0\n"
HONEST = {
    "plain": "def solve(x):\n    return x * 2 + 1\n",
    "numpy": "import numpy as np\ndef solve(x):\n    return np.multiply(x, 2) + 1\n",
    "lambda": "solve = lambda x: x + x + 1",
    "class": "class A:\n    def __call__(self, x):\n        return 2 * x + 1\nsolve = A()",
    "printing": "def solve(x):\n    print('x' * 10_000)\n    return 2 * x + 1\n",
    "a broken cell": "def solve(x):\n    return 2 * x + 1\n1 / 0\n",
    "modules": "import decimal, fractions, heapq, statistics\ndef solve(x):\n    return 2 * x + 1\n",
    "garbage": "kept = [[] for _ in range(20_000)]\nkept.append(kept)\ndef solve(x):\n    return 2 * x + 1\n",
}
# What is done at import, and what in each call. None of it is ever right.
IMPORTING = {
    "exit": "import os\nos._exit(3)",
    "segfault": "import ctypes\nctypes.string_at(0)",
    "an endless loop": "while True: pass",
    "sleep": "import time\ntime.sleep(60)",
    "endless prints": "while True: print('x' * 1000)",
    "a memory bomb": "y = []\nwhile True: y.append(bytearray(1 << 24))",
    "a deep list": "a = []\nfor _ in range(100_000): a = [a]\nsolve = lambda x: a",
    "a syntax error": "def solve(x:\n",
    "nothing": "",
    "closed files": "import os\nos.closerange(3, 100)\ndef solve(x):\n    return x",
    "a patched print": "import builtins, json, math\nbuiltins.len = builtins.print = json.dumps = math.exp = None\n"
    + WRONG,
    "a freed harness": "import gc, sys\nsys.modules.clear()\ngc.collect()\n" + WRONG,
    "an exit handler": "import atexit, signal\natexit.register(print)\nsignal.alarm(1)\n" + WRONG,
}
CALLING = {
    "a file in /tmp": f"open('/tmp/{MARKER}', 'w')",
    "a shared memory file": f"__import__('_posixshmem').shm_open('/{MARKER}', os.O_CREAT | os.O_RDWR, 0o600)",
    "a folder": f"os.mkdir('/dev/shm/{MARKER}')",
    "memory files": "[os.memfd_create('x') for _ in range(100)]",
    "many open files": "[os.open('/dev/null', 0) for _ in range(1000)]",
    "a socket": "socket.socket()",
    "pipes": "os.pipe()",
    "fork": "os.fork()",
    "a thread": "threading.Thread(target=time.sleep, args=(60,)).start()",
    "system": "os.system('sleep 60')",
    "signals": "os.kill(-1, 9)",
    "stop": "os.kill(os.getpid(), 19)",
    "a forged record": "os.write(62, b'\\0\\0\\0\\0\\2\\xff\\xff\\xff\\xff') and None",
    "a flood of records": "[os.write(62, bytes(9) * 1000) for _ in range(300)]",
    "a shorter output": "os.ftruncate(62, 0)",
    "marks": "[os.write(64, b'\\0\\0\\0\\0') for _ in range(1000)]",
    "a giant answer": "[[0.0] * 300_000]",
    "text": "'x' * 10_000_000",
    "mapped memory": "[__import__('mmap').mmap(-1, 1 << 22) for _ in range(100)]",
    "a gigabyte": "bytearray(1 << 30)",
    "an array": "__import__('numpy').ones((1 << 14, 1 << 14))",
    "an exit": "os._exit(0)",
    "a loop": "[0 for _ in iter(int, 1)] if x == 3 else -1.0",
    "recursion": "(lambda f: f(f))(lambda f: f(f))",
    "a timer": "(__import__('signal').setitimer(0, 0.001), time.sleep(0.1))",
}
HOSTILE = IMPORTING | {
    name: f"import os, socket, threading, time\ndef solve(x):\n    return {does}\n" for name, does in CALLING.items()
}
ARGUMENTS = (2.0, 3.0, 5.0)
RIGHT = [Numbers((), (2 * x + 1,)) for x in ARGUMENTS]


@dataclass(frozen=True)
class Traces:
    """What there is of the grader and the sandbox at one moment."""

    descriptors: tuple[int, ...]
    processes: tuple[int, ...]
    files: tuple[str, ...]
    mounts: int


def family(pid):
    """Return a process and all below it."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    return [pid, *(each for child in children for each in family(int(child)))]


def descriptors_of(pid):
    """Count a process's open files; -1 where only root may see them."""
    try:
        return sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())
    except PermissionError:
        return -1


def take_traces(sandbox):
    """Look at everything that could be left behind."""
    processes = family(sandbox._zygote.pid)  # noqa: SLF001  # there is no other way to see it
    folders = [Path(folder) for folder in SHARED_FOLDERS if Path(folder).is_dir()]
    return Traces(
        tuple(map(descriptors_of, (os.getpid(), *processes))),
        tuple(processes),
        tuple(str(path) for folder in folders for path in folder.iterdir() if MARKER in path.name),
        len(Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines()),
    )


def resident_mib(sandbox):
    """Measure the memory of the grader and of each of the sandbox's processes."""
    pages = (
        int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
        for pid in (os.getpid(), *family(sandbox._zygote.pid))  # noqa: SLF001
    )
    return [each * os.sysconf("SC_PAGE_SIZE") / (1 << 20) for each in pages]


def make_class(number):
    """Make a class of honest and hostile submissions, each kind equally often, in an order that is always the same."""
    hostile, honest = list(HOSTILE.items()), list(HONEST.items())
    members = [
        (name, source, not at % 2)
        for at in range(number)
        for name, source in [(hostile if at % 2 else honest)[at // 2 % len(hostile if at % 2 else honest)]]
    ]
    random.Random(7).shuffle(members)  # noqa: S311  # no secret
    return members


def grade(sandbox, packed, members):
    """Run all of them, two thirds with a gate; name those whose marks are not what they should be."""
    misjudged = []
    for at, (name, source, honest) in enumerate(members):
        cells = [Cell(1, source)]
        runs = sandbox.run_both(cells, packed, packed) if at % 3 else (sandbox.run(cells, packed),)
        for run in runs:
            values = [outcome.value if isinstance(outcome, Answered) else None for outcome in run.outcomes]
            rights = list(map(eq, values, RIGHT))
            if not all(rights) if honest else any(rights):
                misjudged.append((name, run.outcomes))
    return misjudged


@pytest.mark.slow
def test_a_long_class_leaves_nothing_behind():
    """Every honest submission is right, no hostile one is, and nothing is more afterwards than it was before."""
    with pack_calls([Call((x,)) for x in ARGUMENTS]) as packed, Sandbox(limits=LIMITS) as sandbox:
        assert grade(sandbox, packed, make_class(WARM_UP)) == []
        traces, before = take_traces(sandbox), resident_mib(sandbox)
        assert grade(sandbox, packed, make_class(SUBMISSIONS)) == []
        after = resident_mib(sandbox)
        assert take_traces(sandbox) == traces

    assert traces.files == ()
    for old, new in zip(before, after, strict=True):
        assert new - old < GROWTH_MIB, (before, after)
    assert not any(Path(f"/proc/{pid}").exists() for pid in traces.processes)
