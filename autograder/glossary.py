"""Write docs/glossary.md: every word to know of the course, from the notebooks, explained once."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

from autograder.lesson import GraderError
from course.submission import source_of

_WORD: Final = re.compile(r"^- \*\*(.+?)\*\*: (.+)$", re.MULTILINE)
_HEAD: Final = "# Words to know\n\nFrom the lessons' own lists; each word means the same in the whole course.\n\n"


def write_glossary(root: Path) -> None:
    """Write the glossary anew from all source notebooks.

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
    (root / "docs").mkdir(exist_ok=True)
    (root / "docs" / "glossary.md").write_text(_HEAD + "".join(lines), encoding="utf-8")
