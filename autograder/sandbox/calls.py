"""Pack the arguments of a lesson's calls into one sealed memory file that every child of every submission reads."""

from __future__ import annotations

import fcntl
import marshal
import os
from collections.abc import Sequence
from types import TracebackType
from typing import Final, Self

from autograder.lesson import Call
from autograder.sandbox.model import SandboxError
from autograder.sandbox.wire import INPUT

# Without object references: equal arguments give equal bytes, which is how a changed argument is noticed.
MARSHAL_VERSION: Final = 2
# F_SEAL_SEAL, _SHRINK, _GROW, _WRITE by number: `fcntl` has the names on Linux only, and elsewhere we want to say so.
_SEALS: Final = 1 | 2 | 4 | 8
_PLAIN: Final = (bool, int, float, str, bytes, type(None))


class PackedCalls:
    """Own the sealed file. No one can write to it any more, not even this process."""

    def __init__(self, calls: Sequence[Call]) -> None:
        self._count = len(calls)
        try:
            self.file = os.memfd_create("inputs", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        except OSError as error:
            message = f"there is no memory file for the cases: {error}"
            raise SandboxError(message) from error
        try:
            _write_all(self.file, b"".join(map(_pack, calls)))
            fcntl.fcntl(self.file, fcntl.F_ADD_SEALS, _SEALS)
        except BaseException:
            self.close()
            raise

    def __len__(self) -> int:
        """Return the number of calls."""
        return self._count

    def close(self) -> None:
        """Give the file back; more than once is fine."""
        if self.file >= 0:
            os.close(self.file)
            self.file = -1

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close the file."""
        self.close()


def pack_calls(calls: Sequence[Call]) -> PackedCalls:
    """Pack `calls` once per lesson.

    Raises:
        SandboxError: an argument is not plain data.
    """
    return PackedCalls(calls)


def _pack(call: Call) -> bytes:
    _require_plain(call.arguments)
    blob = marshal.dumps(call.arguments, MARSHAL_VERSION)
    return INPUT.pack(call.twice, len(blob)) + blob


def _require_plain(value: object) -> None:
    """Refuse what marshal would change without a word, such as an array."""
    if type(value) in (list, tuple):
        for each in value:  # type: ignore[attr-defined]  # narrowed by the exact type
            _require_plain(each)
    elif type(value) is dict:
        for key, each in value.items():
            _require_plain(key)
            _require_plain(each)
    elif type(value) not in _PLAIN:
        message = (
            f"an argument of a case is of type {type(value).__name__}; only plain numbers, text and lists can be sent"
        )
        raise SandboxError(message)


def _write_all(file: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]
