"""Write what is made from the whole course: the glossary, and the table of lessons in the README."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

from autograder.lesson import GraderError
from course.submission import source_of
from course.syllabus import CHAPTERS

_WORD: Final = re.compile(r"^- \*\*(.+?)\*\*: (.+)$", re.MULTILINE)
_HEAD: Final = "# Words to know\n\nFrom the lessons' own lists; each word means the same in the whole course.\n\n"
_TABLE: Final = re.compile(r"(## The lessons\n\n)(?:\|.*\n)+")


def write_course_pages(root: Path) -> None:
    """Write docs/glossary.md and the README's table anew, where they are.

    Raises:
        GraderError: two lessons explain one word in two ways.
    """
    glossary, readme = root / "docs" / "glossary.md", root / "README.md"
    if glossary.parent.is_dir():
        glossary.write_text(glossary_text(root), encoding="utf-8")
    if readme.is_file():
        text = readme.read_text(encoding="utf-8")
        readme.write_text(_TABLE.sub(lambda found: found[1] + lesson_table(root), text), encoding="utf-8")


def glossary_text(root: Path) -> str:
    """List every word to know of the course, from the notebooks, explained once.

    Raises:
        GraderError: two lessons explain one word in two ways.
    """
    words: dict[str, tuple[str, str]] = {}
    for path in sorted((root / "source").glob("*/*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell.get("id") != "words-to-know":
                continue
            for word, text in _WORD.findall(source_of(cell)):
                first, known = words.setdefault(word, (path.parent.name, text))
                if known != text:
                    message = f"{word!r} is explained in two ways, by {first} and by {path.parent.name}: use one"
                    raise GraderError(message)
    lines = [f"- **{word}**: {text}\n" for word, (_, text) in sorted(words.items(), key=lambda each: each[0].lower())]
    return _HEAD + "".join(lines)


def lesson_table(root: Path) -> str:
    """Write the lessons that are in `source/` as a table, by chapter, from the syllabus."""
    rows = ["| lesson | what you build | minutes | needs | points |", "|---|---|---|---|---|"]
    for number, chapter in enumerate(CHAPTERS, start=1):
        rows.append(f"| **{number}. {chapter.title}** | *{chapter.reward}* | | | |")
        for lesson in chapter.lessons:
            if (root / "source" / lesson.id).is_dir():
                needs = ", ".join(f"{each:02}" for each in lesson.needs)
                rows.append(f"| `{lesson.id}` | {lesson.title} | {lesson.minutes} | {needs} | {lesson.points} |")
    return "\n".join(rows) + "\n"
