"""Call the Linux functions that Python's `os` does not offer. Every failure is an OSError that says which call."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Final

_libc: Final = ctypes.CDLL(None, use_errno=True)
_libc_holding_the_interpreter: Final = ctypes.PyDLL(None)

PR_SET_PDEATHSIG: Final = 1
PR_SET_DUMPABLE: Final = 4
PR_SET_CHILD_SUBREAPER: Final = 36
PR_SET_NO_NEW_PRIVS: Final = 38
_CAPABILITY_VERSION_3: Final = 0x20080522
_CAPABILITY_BYTES: Final = 24
_MNT_DETACH: Final = 2


def check(result: int, what: str) -> int:
    """Return `result`, or raise the OSError that a negative one stands for."""
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
    return result


def syscall(number: int, *arguments: Any) -> int:  # noqa: ANN401  # whatever ctypes can pass
    """Make a system call by number and return what it returned."""
    result: int = _libc.syscall(ctypes.c_long(number), *arguments)
    return result


def fork() -> int:
    """Fork without Python's own hooks, which touch a hundred pages for what one thread does not need.

    Only for a process with one thread. `os.fork` costs a third of a millisecond more.
    """
    result: int = _libc_holding_the_interpreter.fork()
    return check(result, "fork")


def prctl(option: int, value: int) -> None:
    """Set one attribute of this process."""
    check(_libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0), f"prctl {option}")


def drop_capabilities() -> None:
    """Give up every capability, for good."""
    header = _CAPABILITY_VERSION_3.to_bytes(4, "little") + bytes(4)
    check(_libc.capset(header, bytes(_CAPABILITY_BYTES)), "capset")


def unshare(flags: int) -> None:
    """Leave the namespaces named by `flags` for new ones."""
    check(_libc.unshare(flags), "unshare")


def mount(source: str | None, target: str, kind: str | None, flags: int, options: str | None = None) -> None:
    """Mount a file system, or change how one is mounted."""
    texts = [None if text is None else text.encode() for text in (source, target, kind, options)]
    check(_libc.mount(*texts[:3], ctypes.c_ulong(flags), texts[3]), f"mount {target}")


def detach(target: str) -> None:
    """Unmount `target` now, whoever still uses it."""
    check(_libc.umount2(target.encode(), _MNT_DETACH), f"umount {target}")
