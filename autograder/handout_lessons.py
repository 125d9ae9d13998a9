"""Read `release/` for the handout.

A lesson is its notebook, its practice file and, where it builds on others, `earlier.py`; nothing else may be there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from autograder.lesson import EARLIER, GraderError, name_of
from course.cell_text import is_stub
from course.submission import grade_id_of, source_of
from course.syllabus import START

_CACHE: Final = "__pycache__"


@dataclass(frozen=True)
class ReleasedLesson:
    """One lesson as students get it. `practice` and `earlier` are the texts of these files; "" where it has none."""

    id: str
    name: str
    title: str
    notebook: str
    practice: str
    earlier: str = ""

    @property
    def files(self) -> Iterator[tuple[str, str]]:
        """The lesson's files, each by its path in the handout."""
        yield f"release/{self.id}/{self.name}.ipynb", self.notebook
        if self.practice:
            yield f"release/{self.id}/{self.name}.json", self.practice
        if self.earlier:
            yield f"release/{self.id}/{EARLIER}", self.earlier


def read_release(release: Path) -> tuple[ReleasedLesson, ...]:
    """Read the lessons in `release/`, in order.

    Raises:
        GraderError: there is none, or something there is no part of a released lesson.
    """
    folders = sorted(release.iterdir()) if release.is_dir() else []
    lessons = tuple(_read_lesson(folder) for folder in folders if not _is_rubbish(folder))
    if not lessons:
        message = f"there is no lesson in {release}: `autograder release LESSON` makes one"
        raise GraderError(message)
    return lessons


def _read_lesson(folder: Path) -> ReleasedLesson:
    name = name_of(folder.name)
    known = {f"{name}.ipynb", f"{name}.json", EARLIER}
    files = [path for path in folder.iterdir() if not _is_rubbish(path)] if folder.is_dir() else [folder]
    for path in files:
        if path.name not in known or path.is_symlink() or not path.is_file():
            message = f"{path} is no part of a released lesson: move it away, and nothing is handed out by accident"
            raise GraderError(message)
    texts = {path.name: path.read_text(encoding="utf-8") for path in files}
    if f"{name}.ipynb" not in texts:
        message = f"{folder} has no {name}.ipynb: `autograder release {folder.name}` makes it again"
        raise GraderError(message)
    notebook = texts[f"{name}.ipynb"]
    cells = json.loads(notebook)["cells"]
    _insist_on_stub(folder, notebook, cells)
    practice, earlier = (texts.get(each, "") for each in (f"{name}.json", EARLIER))
    return ReleasedLesson(folder.name, name, _title(cells), notebook, practice, earlier)


def _insist_on_stub(folder: Path, notebook: str, cells: list[dict[str, Any]]) -> None:
    """Refuse the author's notebook, and one in which somebody has worked."""
    solve = [source_of(cell) for cell in cells if grade_id_of(cell) == "solve"]
    touched = any(cell.get("outputs") for cell in cells)
    has_stub = folder.name == START or (solve and all(map(is_stub, solve)))
    if "### BEGIN" in notebook or touched or not has_stub:
        message = f"the notebook in {folder} is not as released: `autograder release {folder.name}` makes it again"
        raise GraderError(message)


def _title(cells: list[dict[str, Any]]) -> str:
    return source_of(cells[0]).partition("\n")[0].removeprefix("# ").strip()


def _is_rubbish(path: Path) -> bool:
    """Tell what editors, kernels and systems leave behind: hidden files and caches."""
    return path.name.startswith(".") or path.name == _CACHE
