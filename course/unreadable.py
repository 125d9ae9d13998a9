"""Say in plain words why Python could not read a cell."""

from __future__ import annotations

import re
from typing import Final

from course.outcomes import Raised
from course.running.cells import compile_cell
from course.running.errors import describe, quote

UNREADABLE: Final = ("SyntaxError", "IndentationError", "TabError", "UnicodeEncodeError")
_TOO_MUCH: Final = (ValueError, RecursionError, MemoryError)
_CELL: Final = "<cell>"
_LONGEST: Final = 60

_MEANS: Final = (
    (r"expected ':'", "A `:` is missing at the end of this line."),
    (r"'(.)' was never closed", r"The bracket `\1` on this line is never closed."),
    (r"unmatched '(.)'", r"The bracket `\1` closes nothing: an opening one is missing, or this one is too many."),
    (
        r"closing parenthesis '(.)' does not match opening parenthesis '(.)'.*",
        r"The bracket `\1` closes a `\2`: the two are not of the same kind.",
    ),
    (r"expected an indented block.*", "What belongs to the line above must be indented: put four spaces in front."),
    (r"unexpected indent", "This line has more spaces in front than the line above it."),
    (r"unindent does not match.*", "The number of spaces in front of this line is not that of any line above it."),
    (r"inconsistent use of tabs.*", "Tabs and spaces are mixed in front of this line. Use spaces only."),
    (r"'(\w+)' outside (?:of )?(?:the )?function", r"This `\1` is outside the function: put spaces in front of it."),
    (r"unterminated (?:triple-quoted )?string literal.*", "A text begins here, and the quote that ends it is missing."),
    (r"EOF while scanning.*", "A text begins here, and the quote that ends it is missing."),
    (r"(?:invalid syntax\. M|cannot assign to .*? here\. M)aybe you meant '=='.*", "To compare, write `==`, not `=`."),
    (r"unexpected EOF while parsing", "The cell ends too early: a bracket is open, or a line is missing."),
    (
        r"invalid (?:non-printable )?character .*",
        "A sign on this line is none of Python's: type the line again.",
    ),
)
_FENCE: Final = "This line marks code in a text or a chat. It is no Python: delete it."
_OTHERWISE: Final = "The fault is on this line or on the one above it."


def why_unreadable(source: str) -> Raised | None:
    """Say where Python cannot read a cell, as an error of cell 0; None where it can, or where it gives up."""
    try:
        compile_cell(source, _CELL, 0)
    except SyntaxError as error:
        return quote(describe(error, {_CELL: 0}), {0: source})
    except _TOO_MUCH:
        return None
    return None


def plain_words(error: Raised) -> str:
    """Say what is wrong in the line that Python could not read, in one or two sentences."""
    code = error.code.strip()
    if code.startswith(("```", "~~~")):
        return _FENCE
    for pattern, words in _MEANS:
        found = re.fullmatch(pattern, error.message)
        if found:
            return found.expand(words)
    return f"{_OTHERWISE} Python says: {error.message.rstrip('.')}."


def place_in_cell(error: Raised) -> str:
    """Name the line and quote it: "line 4, `def solve(scores)`"; "one of its lines" where no line is known."""
    if not error.line:
        return "one of its lines"
    code = error.code.strip()
    quoted = f", `{code[:_LONGEST]}{' ...' if code[_LONGEST:] else ''}`" if code and "`" not in code else ""
    return f"line {error.line}{quoted}"
