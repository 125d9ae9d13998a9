"""Remember the tries and the opened hints of each lesson, in `.course/progress.json` beside the notebook.

The file is the learner's own: it is read back only here, and it goes along with a submission only where the instructor
turns that on. A file that cannot be read or written costs nothing but the memory.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from course.kept_cells import text_of

FILE: Final = Path(".course") / "progress.json"
_MOST_TRIES: Final = 200
_MAX_BYTES: Final = 1_000_000


@dataclass(frozen=True)
class Try:
    """One press of *check*: when, a name for the code as it was then, which examples passed, and the step to reread."""

    at: str
    code: str
    passed: tuple[bool, ...]
    step: int = 0


@dataclass(frozen=True)
class Opened:
    """One hint that was opened: when, its title, and a name for the code as it was then."""

    at: str
    code: str
    title: str


@dataclass(frozen=True)
class Progress:
    """What is remembered of one lesson, oldest first."""

    tries: tuple[Try, ...] = ()
    hints: tuple[Opened, ...] = ()

    @property
    def passed(self) -> bool:
        """True once every example passed."""
        return any(all(each.passed) for each in self.tries)


def read_progress(lesson: str, folder: Path | None = None) -> Progress:
    """Return what is remembered of a lesson; nothing where there is no file that can be read."""
    try:
        known = _read(folder)[lesson]
        tries = tuple(Try(**each | {"passed": tuple(map(bool, each["passed"]))}) for each in known["tries"])
        return Progress(tries, tuple(Opened(**each) for each in known["hints"]))
    except (KeyError, TypeError):
        return Progress()


def note_try(lesson: str, code: str, passed: tuple[bool, ...], step: int = 0) -> None:
    """Remember a press of *check*. The same code again with the same result is one try."""
    before = read_progress(lesson)
    last = before.tries[-1] if before.tries else None
    if last is None or (last.code, last.passed) != (code, passed):
        tries = (*before.tries, Try(_now(), code, passed, step))[-_MOST_TRIES:]
        _write(lesson, Progress(tries, before.hints))


def note_hint(lesson: str, code: str, title: str) -> None:
    """Remember an opened hint."""
    before = read_progress(lesson)
    _write(lesson, Progress(before.tries, (*before.hints, Opened(_now(), code, title))))


def name_code(function: object) -> str:
    """Name the code of the cell that `function` comes from. Comments and blank lines do not change the name."""
    code = getattr(function, "__code__", None)
    if code is None:
        return hashlib.sha256(repr(type(function)).encode()).hexdigest()[:16]
    source = text_of(code.co_filename)
    try:
        text = ast.dump(ast.parse(source)) if source else ""
    except (SyntaxError, ValueError):
        text = source
    plain = [each for each in code.co_consts if not hasattr(each, "co_code")]  # code inside writes its own address
    return hashlib.sha256((text or repr((code.co_code, code.co_names, plain))).encode()).hexdigest()[:16]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _read(folder: Path | None) -> dict[str, Any]:
    file = (folder or Path()) / FILE
    try:
        if not file.is_file() or file.stat().st_size > _MAX_BYTES:  # a pipe or a device would never end
            return {}
        data = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _write(lesson: str, progress: Progress) -> None:
    with suppress(OSError):
        data = _read(None) | {
            lesson: {
                "tries": [vars(each) for each in progress.tries],
                "hints": [vars(each) for each in progress.hints],
            }
        }
        FILE.parent.mkdir(exist_ok=True)
        part = FILE.with_suffix(f".{os.getpid()}.part")
        part.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
        part.replace(FILE)
