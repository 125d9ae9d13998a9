"""Find each student's work in `submitted/`, whatever the notebook was called; every file is accounted for.

Names and folders come from students, so nothing here follows a link or leaves a student's own folder.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from autograder.fitting import HandedIn, choose, folders_imported
from autograder.ids import why_no_student
from autograder.lesson import name_of
from course.beside import MAX_MODULE_BYTES, MAX_MODULES_BYTES, names_with_room
from course.reading import MAX_FILE_BYTES, is_copy

SUBMITTED: Final = "submitted"
TIMESTAMP: Final = "timestamp.txt"  # nbgrader puts these two beside the work
SECRET: Final = "submission_secret.txt"  # noqa: S105  # a file
LATE_NOTE: Final = "late.txt"  # written by the collector of downloads from a learning platform
LATE_SENTENCE: Final = "The learning platform marked this work as late."
LATE_TEXT: Final = f"{LATE_SENTENCE}\n"
UNTIMED_SENTENCE: Final = f"`{TIMESTAMP}` says no time that can be read: the work counts as handed in on time."
_MOST_OF_A_MARK: Final = 1_000
_MAX_FILES: Final = 2_000
_MAX_DEPTH: Final = 8


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


def find_work(root: Path, lesson_id: str, students: Collection[str] | None = None) -> tuple[Work, ...]:
    """Find the work of all students, or of those named, in the order of their ids."""
    top = root / SUBMITTED
    names = sorted(students) if students is not None else folders_in(top)
    works = (_find_one(top, name, lesson_id, asked=students is not None) for name in names)
    return tuple(work for work in works if work is not None)


def folders_in(top: Path) -> list[str]:
    """Return the names of the folders in a folder, links among them, in order."""
    try:
        with os.scandir(top) as entries:
            return sorted(
                entry.name
                for entry in entries
                if not entry.name.startswith(".") and (entry.is_dir() or entry.is_symlink())
            )
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
    choice = choose(usable, folder, name_of(lesson_id))
    if choice is None:
        problem = "There is no notebook among the files." if files else "The folder is empty."
        return Work(student, folder, others=tuple(file.path for file in files), notes=tuple(notes), problem=problem)
    chosen = choice.path
    modules = [file for file in usable if file.path.parent == chosen.parent and file.path != chosen]
    beside = _with_room(modules, notes)
    used = {chosen, *beside.values()}
    others = tuple(file.path for file in files if file.path not in used)
    notes += folders_imported(usable, chosen)
    if _is_marked_late(folder):
        notes.append(LATE_SENTENCE)
    return Work(student, folder, chosen, beside, others, (*notes, *choice.notes))


def _is_marked_late(folder: Path) -> bool:
    """Tell whether the collector of downloads left its mark, which is no file that the student called so.

    Work that came through nbgrader's own exchange has a time beside it; a download with marks of late work has none.
    """
    mark = folder / LATE_NOTE
    try:
        if (folder / TIMESTAMP).exists() or not stat.S_ISREG(mark.lstat().st_mode):
            return False
        return mark.stat().st_size <= _MOST_OF_A_MARK and mark.read_text(encoding="utf-8") == LATE_TEXT
    except (OSError, ValueError):
        return False


def _with_room(files: list[HandedIn], notes: list[str]) -> dict[str, Path]:
    """Take the Python files, the smallest first, as long as there is room for them together."""
    sizes = {each.path: each.size for each in files if each.path.suffix == ".py" and each.size <= MAX_MODULE_BYTES}
    paths = {path.name: path for path in sizes}
    taken = names_with_room({path.name: size for path, size in sizes.items()})
    left_out = sorted(paths.keys() - set(taken), key=lambda name: (sizes[paths[name]], name))
    if left_out:
        size = f"all together are larger than {MAX_MODULES_BYTES // 1_000_000} MB"
        more = f" and {len(left_out) - 1} more" if len(left_out) > 1 else ""
        notes.append(f"Of the Python files beside the notebook, `{left_out[0]}`{more} could not be used: {size}.")
    return {name: paths[name] for name in sorted(taken)}


def _files_in(folder: Path) -> tuple[list[HandedIn], list[str]]:
    """List the folder's files in the order of their names, links as links, up to a limit."""
    files: list[HandedIn] = []
    notes: list[str] = []
    for path in walk(folder):
        if len(files) >= _MAX_FILES:
            notes.append(f"The folder holds more than {_MAX_FILES} files; the rest was not looked at.")
            break
        found = path.lstat()
        if stat.S_ISLNK(found.st_mode):
            notes.append(f"`{path.relative_to(folder).as_posix()}` is a link and was not followed.")
        readable = stat.S_ISREG(found.st_mode) and found.st_size <= MAX_FILE_BYTES
        if found.st_size > MAX_FILE_BYTES:
            notes.append(f"`{path.relative_to(folder).as_posix()}` is larger than {MAX_FILE_BYTES // 1_000_000} MB.")
        files.append(HandedIn(path, found.st_size, found.st_mtime_ns, readable))
    return files, notes


def walk(folder: Path, depth: int = 0) -> Iterator[Path]:
    """Yield all files, and the folders that are too deep or cannot be read, as they stand for files not looked at."""
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: (entry.is_dir(follow_symlinks=False), entry.name))
    except OSError:
        yield folder
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False) and depth < _MAX_DEPTH:
            yield from walk(folder / entry.name, depth + 1)
        else:
            yield folder / entry.name
