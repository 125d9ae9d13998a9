"""Where a student's autograded notebook and feedback page are, and how they get there."""

from __future__ import annotations

from pathlib import Path
from secrets import token_hex
from typing import Final

from autograder.ledger import write_whole
from autograder.lesson import Lesson
from autograder.one import Graded
from autograder.stamps import side_file, stamp_of
from autograder.submitted import SECRET, TIMESTAMP

_READ_ONLY: Final = 0o444


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
    stamp = stamp_of(submitted)
    if stamp:
        write_whole(notebook.with_name(TIMESTAMP), stamp, _READ_ONLY)
    write_page(graded.page, page, submitted)


def write_page(text: str, page: Path, submitted: Path) -> None:
    """Write a feedback page, with what `release_feedback` needs beside it.

    Raises:
        OSError: the disk is full, or the folder cannot be written.
    """
    write_whole(page, text)
    write_whole(page.with_name(TIMESTAMP), stamp_of(submitted))
    secret = side_file(submitted, SECRET)
    if secret or not page.with_name(SECRET).exists():
        write_whole(page.with_name(SECRET), secret or token_hex(64))
