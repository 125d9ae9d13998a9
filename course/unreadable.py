"""Say in plain words why Python could not read a cell."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from course.cell_text import first_indent, has_code
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
_NO_BLOCK: Final = re.compile(r"expected an indented block after .* on line (\d+)")
_NEVER_INSIDE: Final = re.compile(r"(?:else|elif|except|finally|def|class|async def|@)\b|@")
_FUNCTION: Final = re.compile(r"(?:async[ \t]+)?def[ \t]+(\w+)")
_FENCE: Final = "This line marks code in a text or a chat. It is no Python: delete it."
_OTHERWISE: Final = "The fault is on this line or on the one above it."


def why_unreadable(source: str) -> Raised | None:
    """Say where Python cannot read a cell, as an error of cell 0; None where it can, or where it gives up."""
    try:
        compile_cell(source, _CELL, 0)
    except SyntaxError as error:
        return _at_the_opening(quote(describe(error, {_CELL: 0}), {0: source}), source)
    except _TOO_MUCH:
        return None
    return None


def _at_the_opening(error: Raised, source: str) -> Raised:
    """Point to the line that begins a block without lines, and not to the line where Python noticed it."""
    opens = _opens(error)
    lines = source.split("\n")
    if not 0 < opens < error.line <= len(lines):
        return error
    indent = len(first_indent(lines[opens - 1]))
    below = lines[error.line - 1]
    outside = has_code(below) and len(first_indent(below)) < indent
    return replace(error, line=opens, code=lines[opens - 1].strip()) if outside or _is_empty(error) else error


def _opens(error: Raised) -> int:
    """Return the line of the block that has no lines; 0 where the error is another."""
    found = _NO_BLOCK.fullmatch(error.message)
    return int(found[1]) if found else 0


def _is_empty(error: Raised) -> bool:
    """Tell whether the line where Python noticed a block without lines cannot belong into it."""
    code = error.code.strip()
    return error.line == _opens(error) or not has_code(code) or _NEVER_INSIDE.match(code) is not None


def plain_words(error: Raised) -> str:
    """Say what is wrong in the line that Python could not read, in one or two sentences."""
    code = error.code.strip()
    if _opens(error) and _is_empty(error):
        name = _FUNCTION.match(code) if error.line == _opens(error) else None
        what = f"`{name[1]}`" if name else f"The block that begins in line {_opens(error)}"
        return f"{what} has no lines yet: write them below it, with four more spaces in front."
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
