"""Find each student's work in `submitted/`, whatever the notebook was called; every file is accounted for.

Names and folders come from students, so nothing here follows a link or leaves a student's own folder.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import Final

from autograder.ids import why_no_student
from autograder.lesson import name_of
from course.beside import MAX_MODULE_BYTES
from course.reading import MAX_FILE_BYTES, is_copy

SUBMITTED: Final = "submitted"
TIMESTAMP: Final = "timestamp.txt"  # nbgrader puts these two beside the work
SECRET: Final = "submission_secret.txt"  # noqa: S105  # a file
LATE_NOTE: Final = "late.txt"  # written by the collector of downloads from a learning platform
LATE_SENTENCE: Final = "The learning platform marked this work as late."
UNTIMED_SENTENCE: Final = f"`{TIMESTAMP}` says no time that can be read: the work counts as handed in on time."
_MAX_MODULES_BYTES: Final = 2_000_000
_MAX_FILES: Final = 2_000
_MAX_DEPTH: Final = 8
_MAX_LOOKED_INTO_BYTES: Final = 5_000_000
_SOLVE_MARKS: Final = (b"def solve", b"solve =", b"solve=", b"check(solve")
_TEXT_ENDINGS: Final = (".ipynb.txt", ".ipynb.json", ".json", ".txt")


@dataclass(frozen=True)
class Work:
    """One student's work on one lesson: the file that counts, and what became of all the others.

    `beside`: Python files that the notebook may import. `others`: not graded and not needed.
    `problem`: why there is nothing to grade, or "".
    """

    student: str
    folder: Path
    file: Path | None = None
    beside: Mapping[str, Path] = field(default_factory=dict)
    others: tuple[Path, ...] = ()
    notes: tuple[str, ...] = ()
    problem: str = ""


class _Fit(IntEnum):
    """How well a file fits, best first."""

    EXACT = 0
    ALIKE = 1
    NOTEBOOK = 2
    HOLLOW = 3
    PYTHON = 4
    ZIP = 5
    TEXT = 6
    EMPTY = 7


@dataclass(frozen=True)
class _File:
    path: Path
    size: int
    modified: int
    readable: bool


def find_work(root: Path, lesson_id: str, students: Collection[str] | None = None) -> tuple[Work, ...]:
    """Find the work of all students, or of those named, in the order of their ids."""
    top = root / SUBMITTED
    names = sorted(students) if students is not None else _folders_in(top)
    works = (_find_one(top, name, lesson_id, asked=students is not None) for name in names)
    return tuple(work for work in works if work is not None)


def find_strays(root: Path) -> tuple[Path, ...]:
    """Return the files in `submitted/` that lie in no student's lesson folder, so that none is overlooked."""
    top = root / SUBMITTED
    loose = [*_loose_in(top), *(path for name in _folders_in(top) for path in _loose_in(top / name))]
    return tuple(sorted(loose))


def _folders_in(top: Path) -> list[str]:
    try:
        with os.scandir(top) as entries:
            return sorted(
                entry.name
                for entry in entries
                if not entry.name.startswith(".") and (entry.is_dir() or entry.is_symlink())
            )
    except OSError:
        return []


def _loose_in(folder: Path) -> list[Path]:
    if folder.is_symlink():
        return []
    try:
        with os.scandir(folder) as entries:
            return [folder / entry.name for entry in entries if not entry.is_dir() or entry.name.startswith(".")]
    except OSError:
        return []


def _find_one(top: Path, student: str, lesson_id: str, *, asked: bool) -> Work | None:
    why = why_no_student(student)
    if why:
        return Work(student, top, problem=f"{student!r} cannot be a student's id: {why}.")
    folder = top / student / lesson_id
    if (top / student).is_symlink() or folder.is_symlink():
        return Work(student, folder, problem="The folder is a link and was not followed.")
    if not folder.is_dir():
        return Work(student, folder, problem="Nothing was handed in.") if asked else None
    files, notes = _files_in(folder)
    usable = [file for file in files if file.readable and not is_copy(file.path.relative_to(folder).as_posix())]
    ranked = _rank(usable, folder, name_of(lesson_id))
    if not ranked:
        problem = "There is no notebook among the files." if files else "The folder is empty."
        return Work(student, folder, others=tuple(file.path for file in files), notes=tuple(notes), problem=problem)
    chosen = ranked[0][1]
    modules = [file for file in usable if file.path.parent == chosen.parent and file.path != chosen]
    beside = _with_room(modules, notes)
    used = {chosen, *beside.values()}
    others = tuple(file.path for file in files if file.path not in used)
    if folder / LATE_NOTE in others:
        notes.append(LATE_SENTENCE)
    return Work(student, folder, chosen, beside, others, (*notes, *_say(ranked, folder, name_of(lesson_id))))


def _with_room(files: list[_File], notes: list[str]) -> dict[str, Path]:
    """Take the Python files, the smallest first, as long as there is room for them together."""
    taken: dict[str, Path] = {}
    left_out, room = [], _MAX_MODULES_BYTES
    for file in sorted(files, key=lambda file: (file.size, file.path.name)):
        if file.path.suffix != ".py" or file.size > MAX_MODULE_BYTES:
            continue
        room -= file.size
        if room >= 0:
            taken[file.path.name] = file.path
        else:
            left_out.append(file.path.name)
    if left_out:
        size = f"all together are larger than {_MAX_MODULES_BYTES // 1_000_000} MB"
        more = f" and {len(left_out) - 1} more" if len(left_out) > 1 else ""
        notes.append(f"Of the Python files beside the notebook, `{left_out[0]}`{more} could not be used: {size}.")
    return dict(sorted(taken.items()))


def _files_in(folder: Path) -> tuple[list[_File], list[str]]:
    """List the folder's files in the order of their names, links as links, up to a limit."""
    files: list[_File] = []
    notes: list[str] = []
    for path in _walk(folder):
        if len(files) >= _MAX_FILES:
            notes.append(f"The folder holds more than {_MAX_FILES} files; the rest was not looked at.")
            break
        found = path.lstat()
        if stat.S_ISLNK(found.st_mode):
            notes.append(f"`{path.relative_to(folder).as_posix()}` is a link and was not followed.")
        readable = stat.S_ISREG(found.st_mode) and found.st_size <= MAX_FILE_BYTES
        if found.st_size > MAX_FILE_BYTES:
            notes.append(f"`{path.relative_to(folder).as_posix()}` is larger than {MAX_FILE_BYTES // 1_000_000} MB.")
        files.append(_File(path, found.st_size, found.st_mtime_ns, readable))
    return files, notes


def _walk(folder: Path, depth: int = 0) -> Iterator[Path]:
    """Yield all files, and the folders that are too deep or cannot be read, as they stand for files not looked at."""
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: (entry.is_dir(follow_symlinks=False), entry.name))
    except OSError:
        yield folder
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False) and depth < _MAX_DEPTH:
            yield from _walk(folder / entry.name, depth + 1)
        else:
            yield folder / entry.name


def _rank(files: list[_File], folder: Path, name: str) -> list[tuple[_Fit, Path]]:
    """Return the files that could be the work: the best fit first, of equal ones the newest."""
    fits = [(_fit(file, folder, name), file) for file in files]
    ranked = sorted(
        ((fit, -file.modified, file.path.name, file.path) for fit, file in fits if fit is not None),
    )
    return [(fit, path) for fit, _, _, path in ranked]


def _fit(file: _File, folder: Path, name: str) -> _Fit | None:
    path, lower = file.path, file.path.name.lower()
    if lower.endswith(".ipynb"):
        return _fit_of_notebook(file, folder, name)
    if not file.size:
        return None
    if lower.endswith(".py"):
        return _Fit.PYTHON if is_name_like(path.name, name) or _holds(file.path, _SOLVE_MARKS[:1]) else None
    if lower.endswith(".zip"):
        return _Fit.ZIP
    return _Fit.TEXT if lower.endswith(_TEXT_ENDINGS) and _holds(file.path, (b'"cells"', b"def solve")) else None


def _fit_of_notebook(file: _File, folder: Path, name: str) -> _Fit | None:
    if not file.size:
        return _Fit.EMPTY
    if file.path == folder / f"{name}.ipynb":
        return _Fit.EXACT
    alike, holds = is_name_like(file.path.name, name), holds_solve(file.path)
    if not holds:
        return _Fit.HOLLOW if alike else None
    return _Fit.ALIKE if alike else _Fit.NOTEBOOK


def holds_solve(path: Path) -> bool:
    """Tell whether a file of any name holds a `solve` or a lesson's check cell."""
    return _holds(path, _SOLVE_MARKS)


def is_name_like(file_name: str, name: str) -> bool:
    """Tell `attention (1).ipynb`, `Copy of attention.ipynb` and `ATTENTION_ana_FINAL.ipynb` from other names."""
    return _letters(name) in _letters(file_name.partition(".")[0])


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _holds(path: Path, marks: Collection[bytes]) -> bool:
    """Look into a file whose name says nothing; UTF-16 is read by leaving out its NUL bytes."""
    try:
        with path.open("rb") as opened:
            text = opened.read(_MAX_LOOKED_INTO_BYTES).replace(b"\0", b"")
    except OSError:
        return False
    return any(mark in text for mark in marks)


def _say(ranked: list[tuple[_Fit, Path]], folder: Path, name: str) -> Iterator[str]:
    (_, chosen), *rest = ranked
    shown = chosen.relative_to(folder).as_posix()
    if chosen != folder / f"{name}.ipynb":
        yield f"The work was handed in as `{shown}` and not as `{name}.ipynb`; it was read all the same."
    notebooks = [path for other, path in rest if other <= _Fit.HOLLOW]
    if notebooks:
        listed = ", ".join(f"`{path.relative_to(folder).as_posix()}`" for path in notebooks[:5])
        yield f"`{shown}` was graded. There were other notebooks, which were not: {listed}."
