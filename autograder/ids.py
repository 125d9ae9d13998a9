"""Say which ids a student may have: they become folders, and go into any gradebook that nbgrader can use."""

from __future__ import annotations

import os
import unicodedata
from typing import Final

MAX_LETTERS: Final = 128  # of an id, a name, an address: nbgrader's own columns are that wide
_MAX_NAME_BYTES: Final = 255
_NO_LETTERS: Final = ("Cc", "Cs", "Zl", "Zp")  # control characters, halves of a pair, ends of a line


def is_safe_student(name: str) -> bool:
    """Tell whether a student's id fits the gradebook and can be a folder inside `submitted/`, and nothing else."""
    return not why_no_student(name)


def why_no_student(name: str) -> str:
    """Say why this cannot be a student's id; "" if it can."""
    if len(name) > MAX_LETTERS:
        return f"it has {len(name)} letters, and the gradebook has room for {MAX_LETTERS}"
    apart = {os.sep, os.altsep, "/"} & set(name)
    if not name or name.startswith(".") or apart or not is_plain(name) or len(name.encode()) > _MAX_NAME_BYTES:
        return "it is no plain folder name"
    return ""


def is_plain(text: str) -> bool:
    """Tell whether a text is one line of letters, which files and databases of any kind can hold."""
    return not any(unicodedata.category(letter) in _NO_LETTERS for letter in text)
