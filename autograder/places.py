"""Where a student's autograded notebook and feedback page are, and how they get there."""

from __future__ import annotations

from pathlib import Path
from secrets import token_hex
from typing import Final

from autograder.ledger import write_whole
from autograder.lesson import Lesson
from autograder.one import Graded

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
    write_whole(page, graded.page)
    for name, otherwise in (("timestamp.txt", ""), ("submission_secret.txt", token_hex(64))):
        source = submitted / name
        text = source.read_text("utf-8", "replace") if source.is_file() and not source.is_symlink() else otherwise
        if text and name == "timestamp.txt":
            write_whole(notebook.with_name(name), text, _READ_ONLY)
        if not (page.with_name(name)).exists() or source.is_file():
            write_whole(page.with_name(name), text or "unknown")
