"""What the kernel keeps of the learner's cells: their text, by the file name of the code. Nothing of it runs."""

from __future__ import annotations

import ast
import linecache
from types import CodeType

from course.running.names import UNREADABLE


def text_of(file: str) -> str:
    """Return the text of a cell, or of a file of the learner's; empty where it is not kept."""
    return "".join(linecache.getlines(file))


def tree_of(text: str) -> ast.Module:
    """Return the statements of a text; none where it holds more than Python, or cannot be read."""
    try:
        return ast.parse(text)
    except UNREADABLE:
        return ast.Module([], [])


def inputs_of(code: CodeType) -> tuple[str, ...]:
    """Return the names of a function's inputs in their order, but for those after a star."""
    return code.co_varnames[: code.co_argcount]
