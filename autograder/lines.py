"""Write what comes from students as one line of a list: file names hold what they like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_SHOWN: Final = 10


def one_line(text: str) -> str:
    """Return the text without control characters, line ends and broken letters, which could forge another line."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def name_some(students: Sequence[str]) -> str:
    """Name the first few students."""
    more = len(students) - _SHOWN
    return ", ".join(students[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
