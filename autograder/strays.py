"""List the files in `submitted/` that lie in no student's lesson folder, so that none is overlooked."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from autograder.ids import why_no_student
from autograder.submitted import SUBMITTED, folders_in, walk

_MAX_FILES: Final = 2_000


def find_strays(root: Path) -> tuple[Path, ...]:
    """Return the files of nobody, and those that lie beside the lessons' folders or in a folder that is no lesson's."""
    top = root / SUBMITTED
    lessons = frozenset(folders_in(root / "source"))
    found = (path for name in folders_in(top) for path in _strays_of(top / name, lessons))
    return tuple(sorted([*_loose_in(top), *found]))


def _strays_of(student: Path, lessons: Collection[str]) -> Iterator[Path]:
    """Yield a student's strays: all files, where the id can be nobody's."""
    if why_no_student(student.name):
        yield from _some_in(student)
    elif not student.is_symlink():
        yield from _loose_in(student)
        for name in folders_in(student):
            if name not in lessons:
                yield from _some_in(student / name)


def _loose_in(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            return [folder / entry.name for entry in entries if not entry.is_dir() or entry.name.startswith(".")]
    except OSError:
        return []


def _some_in(folder: Path) -> Iterator[Path]:
    """Yield the folder's files; beyond a limit, and where it is a link, the folder stands for them."""
    if folder.is_symlink():
        yield folder
        return
    paths = walk(folder)
    yield from islice(paths, _MAX_FILES)
    if next(paths, None):
        yield folder
