"""Say what is wrong with a gradebook that cannot be read or written, and what to do about it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from sqlalchemy import URL
from sqlalchemy.exc import OperationalError, SQLAlchemyError

_AGAIN: Final = "then run the same command again; it does what is left"
_LOCKED: Final = ("database is locked", "database table is locked", "lock timeout")
_FULL: Final = ("disk is full", "could not extend file")  # SQLite, PostgreSQL


def explain(error: SQLAlchemyError | ValueError | OverflowError, verb: str, url: URL) -> str:
    """Return one sentence: what could not be done, why, and what mends it. `verb`: read or written."""
    text = str(error).partition("\n[SQL")[0]
    if isinstance(error, OperationalError) and any(word in text for word in _LOCKED):
        who = _holders(url) or "another program (Formgrader, or nbgrader at work)"
        return f"the gradebook could not be {verb}: it is locked by {who}. Let that end or stop it, {_AGAIN}"
    if any(word in text for word in _FULL):
        return f"the gradebook could not be {verb}: the disk is full. Make room on it, {_AGAIN}"
    if isinstance(error, OperationalError) and "connection" in text:
        return f"the gradebook cannot be reached: {text}"
    return f"the gradebook could not be {verb} ({error.__class__.__name__}: {text[:300]}). Mend that, {_AGAIN}"


def locked_by(url: URL) -> str:
    """Name the processes that hold a lock on SQLite's file against writers, where Linux tells; "" if none does."""
    return _holders(url, ("WRITE",))


def _holders(url: URL, kinds: tuple[str, ...] = ("READ", "WRITE")) -> str:
    with suppress(OSError, IndexError, ValueError):
        inode = str(Path(url.database or "").stat().st_ino)
        words = map(str.split, Path("/proc/locks").read_text(encoding="ascii").splitlines())
        lines = [line for line in words if line[3] in kinds]
        return " and ".join(sorted({_name(number) for number in _processes(lines, inode)}))
    return ""


def _processes(lines: list[list[str]], inode: str) -> Iterator[int]:
    """Yield who holds what in lines like `1: POSIX ADVISORY WRITE 1234 08:01:5678 0 EOF`."""
    for words in lines:
        if words[1] != "->" and words[5].endswith(f":{inode}") and int(words[4]) not in {-1, 0, os.getpid()}:
            yield int(words[4])


def _name(number: int) -> str:
    command = Path(f"/proc/{number}/cmdline").read_bytes().decode("utf-8", "replace").replace("\0", " ").strip()
    return f"process {number} ({command[:100]})"
