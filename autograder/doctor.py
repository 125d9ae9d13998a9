"""Say what this machine gives the sandbox, what is missing, and what student code could then do.

Nothing is taken on trust: besides asking which layers are on, it runs a submission that tries to get out.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import platform
import resource
import socket
from collections.abc import Collection, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Final

from autograder.lesson import Call
from autograder.sandbox import Cell, Sandbox, SandboxError, pack_calls
from autograder.sandbox.kernel import syscall
from autograder.sandbox.model import ALL_LAYERS
from autograder.sandbox.syscalls import LANDLOCK_CREATE_RULESET
from course.outcomes import Answered, Outcome
from course.values import Numbers

_MANDATORY: Final = ("rlimits", "seccomp")
_ENOUGH_WITH_ONE: Final = ("namespaces", "landlock")
_ASK_LANDLOCK_VERSION: Final = 1
_LANDLOCK_WITH_NETWORK: Final = 4
_LANDLOCK_WITH_SCOPES: Final = 6
_GIVES: Final = {
    "namespaces": "a root folder with only the libraries in it; no processes and no network but its own",
    "uid": "a user without rights in place of root",
    "landlock": "no file but the libraries may be opened",
    "seccomp": "no system call but those that plain Python needs",
    "rlimits": "memory, output, open files and CPU time end",
}
# What student code could do where only this layer is missing.
_DANGERS: Final = {
    "namespaces": "nothing as long as Landlock and seccomp hold: they refuse the same things a second time",
    "uid": "go on as root, if it found a hole in another layer",
    "landlock": "nothing as long as the namespaces hold: there are no files but the libraries in them",
    "seccomp": "open network connections, start programs, write files and signal other processes",
    "rlimits": "use up the memory and the disk",
}
_MENDS: Final = {
    "namespaces": "allow user namespaces (sysctl user.max_user_namespaces; in a container, its own security settings)",
    "uid": "use a Python and a numpy that every user may read, so not under /root; and keep CAP_SETUID in a container",
    "landlock": "use Linux 5.13 or newer with Landlock among its security modules (`lsm=` at boot)",
    "seccomp": "use Linux 4.14 or newer on x86-64 or aarch64",
    "rlimits": "use a system that has them, as every Linux does",
}
_NO_FILES_HIDDEN: Final = (
    "with both missing, read every file that the grader can read, hidden cases and other submissions included"
)
_LIMITS: Final = {
    "open files": resource.RLIMIT_NOFILE,
    "bytes of a file": resource.RLIMIT_FSIZE,
    "bytes of memory": resource.RLIMIT_AS,
    "seconds of CPU time": resource.RLIMIT_CPU,
}
_HONEST: Final = "import numpy as np\ndef solve(x):\n    return np.array([x, x + 1.5])\n"
_HONEST_ARGUMENT: Final = 2.0
_HONEST_ANSWER: Final = Answered(Numbers((2,), (2.0, 3.5)))
_DISCARD_PORT: Final = 9
_GOT_IT: Final = Answered(Numbers((), (1.0,)))
_FORBIDDEN: Final = """
import os, socket
def solve(attempt, what):
    try:
        if attempt == "open":
            open(what).read()
        elif attempt == "connect":
            socket.create_connection(("127.0.0.1", what), 1).close()
        elif os.fork() == 0:
            os._exit(0)
    except OSError:
        return 0.0
    return 1.0
"""
_ATTEMPTS: Final = {
    "open": "open a file of the grader's",
    "connect": "connect to a port of this machine",
    "fork": "start another process",
}


class Mark(IntEnum):
    """How bad a finding is; the worst one is the exit code."""

    FINE = 0
    LESS = 1
    IMPOSSIBLE = 2


@dataclass(frozen=True)
class Finding:
    """One line of the report: `word` stands in its margin, `more` in lines below it."""

    mark: Mark
    word: str
    text: str
    more: tuple[str, ...] = ()


@dataclass(frozen=True)
class Health:
    """What was found out about this machine, by headline."""

    sections: dict[str, tuple[Finding, ...]]

    @property
    def mark(self) -> Mark:
        """Return the worst mark."""
        return max((finding.mark for findings in self.sections.values() for finding in findings), default=Mark.FINE)


_VERDICTS: Final = {
    Mark.FINE: "All is well: submissions can be graded here.",
    Mark.LESS: "Submissions can be graded here, with one wall less than there could be.",
    Mark.IMPOSSIBLE: "Submissions cannot be graded here: mend what is MISSING or FAILED above.",
}


def run_doctor() -> int:
    """Print what this machine gives. Exit codes: 0 all is well, 1 something optional is missing, 2 no grading here."""
    health = examine()
    for headline, findings in health.sections.items():
        print(headline)
        for finding in findings:
            print(f"  {finding.word:12}{finding.text}")
            for line in finding.more:
                print(f"  {'':12}{line}")
        print()
    print(_VERDICTS[health.mark])
    return int(health.mark)


def examine(layers: Collection[str] = ALL_LAYERS) -> Health:
    """Start a sandbox and try it out. `layers`: those to put on; fewer only in tests."""
    found = {"Machine": tuple(_machine())}
    try:
        with Sandbox(allow_missing=ALL_LAYERS, _layers=layers) as sandbox:
            found["Layers of the sandbox"] = tuple(_layers(sandbox.missing))
            found["Self-test"] = tuple(_try_out(sandbox))
    except SandboxError as error:
        found["Sandbox"] = (_failed(str(error)),)
    return Health(found)


def _failed(reason: str) -> Finding:
    return Finding(Mark.IMPOSSIBLE, "FAILED", reason)


def _machine() -> Iterator[Finding]:
    yield Finding(Mark.FINE, "system", f"{platform.system()} {platform.release()} on {platform.machine()}")
    yield Finding(Mark.FINE, "Python", platform.python_version())
    try:
        yield Finding(Mark.FINE, "numpy", importlib.import_module("numpy").__version__)
    except ImportError:
        yield Finding(Mark.IMPOSSIBLE, "numpy", "MISSING: submissions may use it; install it beside the grader")
    yield Finding(Mark.FINE, "user", "root" if os.getuid() == 0 else f"not root (user number {os.getuid()})")
    yield Finding(Mark.FINE, "hard limits", _told_limits())


def _told_limits() -> str:
    """Name the hard limits under which this process was started."""
    told = []
    for name, limit in _LIMITS.items():
        _, hard = resource.getrlimit(limit)
        told.append(f"{name}: {'no limit' if hard == resource.RLIM_INFINITY else f'{hard:,}'}")
    return ", ".join(told)


def _layers(missing: dict[str, str]) -> Iterator[Finding]:
    for name in ALL_LAYERS:
        if name not in missing:
            yield Finding(Mark.FINE, name, f"on: {_GIVES[name]}", _details(name))
        elif name == "uid" and os.getuid() != 0:
            yield Finding(Mark.FINE, name, "not needed: the grader is not root, so student code is not either")
        else:
            yield _missing(name, missing)


def _missing(name: str, missing: dict[str, str]) -> Finding:
    """Say why a layer is off, and what that means."""
    both = set(_ENOUGH_WITH_ONE) <= set(missing)
    mandatory = name in _MANDATORY or name == "uid" or (name in _ENOUGH_WITH_ONE and both)
    danger = _NO_FILES_HIDDEN if name in _ENOUGH_WITH_ONE and both else _DANGERS[name]
    kind = "mandatory" if mandatory else "optional"
    more = (f"why: {missing[name]}", f"student code could: {danger}", f"to mend it: {_MENDS[name]}")
    return Finding(Mark.IMPOSSIBLE if mandatory else Mark.LESS, name, f"MISSING ({kind})", more)


def _details(name: str) -> tuple[str, ...]:
    """Say what this kernel's Landlock covers; the other layers are all or nothing."""
    if name != "landlock":
        return ()
    version = syscall(LANDLOCK_CREATE_RULESET, None, ctypes.c_size_t(0), _ASK_LANDLOCK_VERSION)
    covers = ["files", *(["TCP"] if version >= _LANDLOCK_WITH_NETWORK else [])]
    covers += ["signals", "abstract sockets"] if version >= _LANDLOCK_WITH_SCOPES else []
    return (f"ABI {version}: covers {', '.join(covers)}",)


def _try_out(sandbox: Sandbox) -> Iterator[Finding]:
    """Run an honest submission, one that tries to get out, and the honest one again."""
    yield Finding(Mark.FINE, "ok", "the hard limits leave room for a submission")  # else it would not have started
    honest = _run(sandbox, _HONEST, [Call((_HONEST_ARGUMENT,))])[0]
    yield _said(honest == _HONEST_ANSWER, "an honest submission was right", f"an honest one came to {honest}")
    with ExitStack() as stack:
        targets = {"open": str(Path(__file__).resolve()), "connect": _open_port(stack), "fork": 0}
        outcomes = _run(sandbox, _FORBIDDEN, [Call((attempt, targets[attempt])) for attempt in _ATTEMPTS])
    for does, outcome in zip(_ATTEMPTS.values(), outcomes, strict=True):
        yield _said(outcome != _GOT_IT, f"a forbidden one could not {does}", f"a forbidden one could {does}")
    after = _run(sandbox, _HONEST, [Call((_HONEST_ARGUMENT,))])[0]
    yield _said(after == _HONEST_ANSWER, "the honest one after it was right", f"the honest one after it: {after}")


def _open_port(stack: ExitStack) -> int:
    """Listen, so that only the sandbox can be what refuses a connection; where nobody may, no port is open either."""
    try:
        return int(stack.enter_context(socket.create_server(("127.0.0.1", 0))).getsockname()[1])
    except OSError:
        return _DISCARD_PORT


def _run(sandbox: Sandbox, source: str, calls: list[Call]) -> tuple[Outcome, ...]:
    with pack_calls(calls) as packed:
        return sandbox.run([Cell(1, source)], packed).outcomes


def _said(good: bool, text: str, otherwise: str) -> Finding:  # noqa: FBT001  # it is what is told
    return Finding(Mark.FINE, "ok", text) if good else _failed(otherwise)
