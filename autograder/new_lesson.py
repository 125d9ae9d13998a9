"""Make the two files of a new lesson from the template: a notebook and a module. They hold together from the start."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from autograder.lesson import GraderError, name_of
from course.syllabus import LESSONS

_TEMPLATES: Final = Path(__file__).with_name("templates") / "lesson"
_ID: Final = re.compile(r"\d\d_[a-z][a-z0-9_]*")
_MINUTES: Final = 25


def new_lesson(lesson_id: str, root: Path) -> int:
    """Write `source/<id>/<name>.ipynb` and `autograder/lessons/<name>.py`, and print the author's checklist.

    Raises:
        GraderError: the id is not one, or a file is there already.
    """
    if not _ID.fullmatch(lesson_id):
        message = f"{lesson_id!r} is not the id of a lesson: two digits, _ and a name, such as 12_gpt_logits"
        raise GraderError(message)
    name = name_of(lesson_id)
    known = next((each for each in LESSONS if each.id == lesson_id), None)
    words = {
        "__ID__": lesson_id,
        "__NAME__": name,
        "__NUMBER__": lesson_id[:2],
        "__TITLE__": known.title if known else "TODO: the title",
        "__MINUTES__": str(known.minutes if known else _MINUTES),
    }
    files = {
        root / "source" / lesson_id / f"{name}.ipynb": "notebook.ipynb",
        root / "autograder" / "lessons" / f"{name}.py": "module.py.txt",
    }
    for file in files:
        if file.exists():
            message = f"{file.relative_to(root)} is there already; nothing was written"
            raise GraderError(message)
    for file, template in files.items():
        text = (_TEMPLATES / template).read_text(encoding="utf-8")
        for word, value in words.items():
            text = text.replace(word, value)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        print(f"written: {file.relative_to(root)}")
    print((root / "docs" / "adding-a-lesson.md").read_text(encoding="utf-8"))
    return 0
