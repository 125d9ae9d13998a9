"""Where a student's autograded notebook and feedback page are, and how they get there."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from secrets import token_hex
from typing import Final

from autograder.ledger import write_whole
from autograder.lesson import Lesson
from autograder.one import Graded
from autograder.submitted import SECRET, TIMESTAMP

_READ_ONLY: Final = 0o444
_MOST_BYTES: Final = 1_000


def places_of(root: Path, student: str, lesson: Lesson) -> tuple[Path, Path]:
    """Return where the autograded notebook and the feedback page of a student are."""
    graded, page = (root / folder / student / lesson.id for folder in ("autograded", "feedback"))
    return graded / f"{lesson.name}.ipynb", page / f"{lesson.name}.html"


def write_files(graded: Graded, places: tuple[Path, Path], submitted: Path) -> None:
    """Write the autograded notebook and the feedback page, with what `release_feedback` needs beside them.

    Raises:
        OSError: the disk is full, or a folder cannot be written.
    """
    notebook, page = places
    write_whole(notebook, graded.notebook, _READ_ONLY)
    stamp = side_file(submitted, TIMESTAMP)
    if stamp:
        write_whole(notebook.with_name(TIMESTAMP), stamp, _READ_ONLY)
    write_page(graded.page, page, submitted)


def write_page(text: str, page: Path, submitted: Path) -> None:
    """Write a feedback page, with what `release_feedback` needs beside it.

    Raises:
        OSError: the disk is full, or the folder cannot be written.
    """
    write_whole(page, text)
    for name, otherwise in ((TIMESTAMP, "unknown"), (SECRET, token_hex(64))):
        said = side_file(submitted, name)
        if said or not page.with_name(name).exists():
            write_whole(page.with_name(name), said or otherwise)


def side_file(folder: Path, name: str) -> str:
    """Return what one of nbgrader's small files beside the work says.

    A student may have put anything there in its place: a link, a pipe or a large file says "".
    """
    try:
        file = os.open(folder / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        state = os.fstat(file)
        if not stat.S_ISREG(state.st_mode) or state.st_size > _MOST_BYTES:
            return ""
        return os.pread(file, _MOST_BYTES, 0).decode("utf-8", "replace").replace("\r\n", "\n")
    except OSError:
        return ""
    finally:
        os.close(file)
