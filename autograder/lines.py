"""Write what comes from students as one line of a list: file names hold what they like."""

from __future__ import annotations


def one_line(text: str) -> str:
    """Return the text without control characters, line ends and broken letters, which could forge another line."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)
