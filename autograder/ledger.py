"""Remember what has been graded, so that nothing is done twice and every file is accounted for.

The ledger has one line of JSON per graded submission, added after the gradebook has it. The receipt is the whole
story of the last run, for people and for programs. Both are in `receipts/`.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from autograder.lesson import GraderError
from autograder.lines import name_some, one_line
from autograder.submitted import SECRET, TIMESTAMP, UNTIMED_SENTENCE

FOLDER: Final = "receipts"
_NBGRADERS: Final = (f"/{TIMESTAMP}", f"/{SECRET}")


class Status(StrEnum):
    """What became of one student's work."""

    GRADED = "graded"
    MENDED = "mended and graded"
    KEPT = "unchanged, graded before"
    NOT_GRADABLE = "not gradable"
    NOT_GRADED = "not graded: a fault of ours"


@dataclass(frozen=True)
class Entry:
    """One student's work in the receipt. `others` are files that are not ours to grade.

    `penalty`: what being late takes off `points`, where the course has a plug-in for late work. `about_files`: those of
    the notes that are about the files and not about what is in them. `given`: what a person gave that is on the page.
    """

    student: str
    status: Status
    file: str = ""
    sha256: str = ""
    points: float | None = None
    penalty: float | None = None
    why: str = ""
    notes: tuple[str, ...] = ()
    about_files: tuple[str, ...] = ()
    given: str = ""
    others: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()
    lesson_version: str = ""
    engine_version: str = ""
    at: str = ""


class Ledger:
    """The ledger of one lesson."""

    def __init__(self, root: Path, lesson_id: str) -> None:
        self._folder = root / FOLDER
        self._lines = self._folder / f"{lesson_id}.ledger.jsonl"
        self._lesson_id = lesson_id

    def read(self) -> dict[str, Entry]:
        """Return the last entry of each student. A line that a killed run left half written is passed over."""
        found: dict[str, Entry] = {}
        with suppress(FileNotFoundError):
            for line in self._lines.read_text(encoding="utf-8").splitlines():
                with suppress(ValueError, TypeError):
                    entry = _entry(json.loads(line))
                    found[entry.student] = entry
        return found

    def add(self, entries: Sequence[Entry]) -> None:
        """Add entries and put them on the disk.

        Raises:
            OSError: the disk is full, or the folder cannot be written.
        """
        self._folder.mkdir(exist_ok=True)
        lines = "".join(json.dumps(asdict(entry)) + "\n" for entry in entries)
        with self._lines.open("ab+") as file:
            if file.tell():
                file.seek(-1, os.SEEK_END)
                lines = lines if file.read() == b"\n" else f"\n{lines}"  # a killed run left half a line
            file.write(lines.encode("ascii"))
            file.flush()
            os.fsync(file.fileno())

    def write_receipt(self, entries: Sequence[Entry], strays: Sequence[str] = (), said: Sequence[str] = ()) -> Path:
        """Write the receipt of a run as JSON and as a summary to read; return the summary's path.

        `strays`: files in `submitted/` that lie in no lesson's folder. `said`: what the run said of all work together.

        Raises:
            OSError: the disk is full, or the folder cannot be written.
        """
        self._folder.mkdir(exist_ok=True)
        work = [asdict(entry) for entry in entries]
        story = {"version": 1, "lesson": self._lesson_id, "at": now(), "work": work, "strays": list(strays)}
        write_whole(self._folder / f"{self._lesson_id}.json", json.dumps(story, indent=1) + "\n")
        summary = self._folder / f"{self._lesson_id}.txt"
        lines = [*summarise(entries), *said, *(one_line(f"in no lesson's folder: {stray}") for stray in strays)]
        write_whole(summary, "\n".join(lines) + "\n")
        return summary

    def read_receipt(self) -> tuple[dict[str, Entry], tuple[str, ...]]:
        """Return the entries of the last run by student, and its strays; nothing where there is no receipt."""
        with suppress(FileNotFoundError):
            story = json.loads((self._folder / f"{self._lesson_id}.json").read_text(encoding="utf-8"))
            return {data["student"]: _entry(data) for data in story["work"]}, tuple(story["strays"])
        return {}, ()


def _entry(data: dict[str, Any]) -> Entry:
    lists = {name: tuple(value) for name, value in data.items() if isinstance(value, list)}
    return Entry(**(data | lists | {"status": Status(data["status"])}))


def count_up(entries: Sequence[Entry]) -> list[str]:
    """Count by status and name what was not graded: what a person needs to see at once."""
    counts = Counter(entry.status for entry in entries)
    lines = [f"{counts[status]:6}  {status}" for status in Status if counts[status]]
    layers = {entry.layers for entry in entries if entry.layers}
    lines += [f"layers of the sandbox: {', '.join(each)}" for each in sorted(layers)]
    untimed = [entry.student for entry in entries if UNTIMED_SENTENCE in entry.notes]
    if untimed:
        lines.append(f"time of handing in not readable, counted as on time: {name_some(untimed)}")
    for entry in entries:
        if entry.status in {Status.NOT_GRADABLE, Status.NOT_GRADED}:
            why = entry.why.strip().splitlines()
            lines.append(f"{entry.student}: {entry.status}: {why[-1] if why else ''}")
    return list(map(one_line, lines))


def summarise(entries: Sequence[Entry]) -> list[str]:
    """Count up, then tell what was mended and which files were not ours."""
    lines = count_up(entries)
    for entry in entries:
        if entry.penalty:
            lines.append(f"{entry.student}: late: {entry.penalty:g} off its {entry.points or 0:g} points")
        lines += [f"{entry.student}: mended: {note}" for note in entry.notes if entry.status is Status.MENDED]
        lines += [f"{entry.student}: not ours: {other}" for other in entry.others if not other.endswith(_NBGRADERS)]
    return list(map(one_line, lines))


def now() -> str:
    """Return the time in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def write_whole(path: Path, text: str, mode: int = 0o644) -> None:
    """Write a file that is either the old one or the new one, never half of it.

    Raises:
        OSError: the disk is full, or the folder cannot be written.
    """
    part = f"{path.parent}/.{path.name}.part"
    data = text.encode("utf-8", "replace")
    try:
        try:
            _write(part, data, mode)
        except (FileNotFoundError, PermissionError):
            path.parent.mkdir(parents=True, exist_ok=True)
            Path(part).unlink(missing_ok=True)  # left by a killed run, and perhaps read-only
            _write(part, data, mode)
        os.replace(part, path)  # noqa: PTH105  # five files a submission: a path object for each takes time
    except OSError:
        with suppress(OSError):
            Path(part).unlink()  # what is half written takes room on a full disk
        raise


def _write(part: str, data: bytes, mode: int) -> None:
    file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        left = memoryview(data)
        while left:
            left = left[os.write(file, left) :]
        os.fchmod(file, mode)
    finally:
        os.close(file)


def say_unwritten(what: str, error: OSError) -> str:
    """Say what could not be written, why, and what to do."""
    full = error.errno in {errno.ENOSPC, errno.EDQUOT}
    mend = "make room on the disk" if full else "mend that"
    return f"{what} could not be written ({error.strerror or error}): {mend}, then run the same command again"


@contextmanager
def only_run(root: Path) -> Iterator[None]:
    """Be the only class-wide run in this course folder.

    Raises:
        GraderError: another run is at work, or the folder cannot be written.
    """
    try:
        opened = (root / ".autograder.lock").open("w")
    except OSError as error:
        raise GraderError(say_unwritten("the lock file of the run", error)) from error
    with opened as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # of this process alone: its workers do not hold it on
        except OSError as error:
            message = "another `autograder grade` is at work in this course folder; wait for it or stop it first"
            raise GraderError(message) from error
        yield
