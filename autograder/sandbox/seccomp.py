"""Build the system call filter as classic BPF and load it. It is an allowlist; files open for reading only.

The numbers are found by halving, not one after the other: when the filter is loaded the kernel runs it once for every
number there is, and every child loads it.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from itertools import pairwise
from typing import Final

from autograder.sandbox.kernel import check, syscall
from autograder.sandbox.syscalls import MACHINES, Machine

_INSTRUCTION: Final = struct.Struct("=HBBI")
_PROGRAM: Final = struct.Struct("@HP")
_LOAD, _RETURN, _IF_EQUAL, _IF_AT_LEAST, _IF_ANY_BIT = 0x20, 0x06, 0x15, 0x35, 0x45
_NUMBER_AT, _AUDIT_AT, _ARGUMENTS_AT, _ARGUMENT_BYTES = 0, 4, 16, 8
_ALLOW: Final = 0x7FFF0000
_KILL: Final = 0x80000000
_REFUSE: Final = 0x00050000 | errno.EPERM
_SET_FILTER: Final = 1
_ACTION_AVAILABLE: Final = 2
_ERRNO_ACTION: Final = 0x00050000
_CHANGES_FILES: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_IOCTLS: Final = (0x5401, 0x5413, 0x5450, 0x5451)  # TCGETS, TIOCGWINSZ, FIONCLEX, FIOCLEX
# F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC. Not F_SETFL: open files are shared with the children to come.
_FCNTLS: Final = (0, 1, 2, 3, 1030)
_OWN_PROCESS: Final = 0
_LIMIT_OF_CPU: Final = 0

# The first number for which a rule holds, and the rule: instructions that end with a verdict.
_Span = tuple[int, list[bytes]]


class Filter:
    """Keep a compiled filter in memory, ready to be loaded by every child."""

    def __init__(self, code: bytes) -> None:
        self._code = ctypes.create_string_buffer(code, len(code))
        program = _PROGRAM.pack(len(code) // _INSTRUCTION.size, ctypes.addressof(self._code))
        self._program = ctypes.create_string_buffer(program, len(program))
        self._number = MACHINES[os.uname().machine].seccomp

    def load(self) -> None:
        """Bind this process, and all that it starts, to the filter for good."""
        check(syscall(self._number, _SET_FILTER, 0, self._program), "seccomp")


def make_filter() -> Filter:
    """Build this machine's filter.

    Raises:
        OSError: the machine or its kernel cannot filter.
    """
    machine = MACHINES.get(os.uname().machine)
    if machine is None:
        message = f"no table of system calls for {os.uname().machine}"
        raise OSError(message)
    # Asked this way because a container already runs under a filter, which says nothing about ours.
    check(syscall(machine.seccomp, _ACTION_AVAILABLE, 0, struct.pack("I", _ERRNO_ACTION)), "seccomp")
    return Filter(program_of(machine))


def program_of(machine: Machine) -> bytes:
    """Write the filter of one machine as BPF instructions."""
    allow, refuse = [_op(_RETURN, _ALLOW)], [_op(_RETURN, _REFUSE)]
    special = {number: _open_for_reading(flags_place) for number, flags_place in machine.opens.items()}
    special[machine.ioctl] = _only_with(1, _IOCTLS)
    special[machine.fcntl] = _only_with(1, _FCNTLS)
    special[machine.prlimit] = _own_limits()
    rules = dict.fromkeys(machine.plain.values(), allow) | special
    spans = [(0, refuse)]
    for number in sorted(rules):
        if spans[-1][0] == number:
            spans.pop()
        spans += [(number, rules[number]), (number + 1, refuse)]
    head = [_op(_LOAD, _AUDIT_AT), _op(_IF_EQUAL, machine.audit, 1, 0), _op(_RETURN, _KILL), _op(_LOAD, _NUMBER_AT)]
    return b"".join([*head, *_search(_joined(spans))])


def _joined(spans: list[_Span]) -> list[_Span]:
    """Leave out each span that goes on with the rule before it."""
    return [spans[0], *(span for before, span in pairwise(spans) if span[1] is not before[1])]


def _search(spans: list[_Span]) -> list[bytes]:
    """Find the span of the loaded number by halving, and do what its rule says."""
    if len(spans) == 1:
        return spans[0][1]
    middle = len(spans) // 2
    below, above = _search(spans[:middle]), _search(spans[middle:])
    return [_op(_IF_AT_LEAST, spans[middle][0], len(below), 0), *below, *above]


def _own_limits() -> list[bytes]:
    """Allow limits of the own process, but for CPU time: code that lowers it would look as if killed from outside."""
    return [
        _load_argument(1),
        _op(_IF_EQUAL, _LIMIT_OF_CPU, 3, 0),
        _load_argument(0),
        _op(_IF_EQUAL, _OWN_PROCESS, 0, 1),
        _op(_RETURN, _ALLOW),
        _op(_RETURN, _REFUSE),
    ]


def _op(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return _INSTRUCTION.pack(code, if_true, if_false, value)


def _load_argument(place: int) -> bytes:
    """Load the low word of an argument; both machines are little-endian."""
    return _op(_LOAD, _ARGUMENTS_AT + _ARGUMENT_BYTES * place)


def _open_for_reading(flags_place: int) -> list[bytes]:
    return [
        _load_argument(flags_place),
        _op(_IF_ANY_BIT, _CHANGES_FILES, 0, 1),
        _op(_RETURN, _REFUSE),
        _op(_RETURN, _ALLOW),
    ]


def _only_with(place: int, values: tuple[int, ...]) -> list[bytes]:
    """Allow a call when one argument is among `values`."""
    tests = [part for value in values for part in (_op(_IF_EQUAL, value, 0, 1), _op(_RETURN, _ALLOW))]
    return [_load_argument(place), *tests, _op(_RETURN, _REFUSE)]
