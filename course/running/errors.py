"""Say where a student's code failed. Runs beside it: whatever an error does when asked, only short text comes out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from traceback import walk_tb
from typing import Final

from course.outcomes import Raised, StopReason

MAX_CELL_ERRORS: Final = 50
MAX_ERROR_NAME: Final = 100
MAX_MESSAGE: Final = 500
SKIPPED: Final = "SkippedCell"
_MAX_CODE: Final = 200
_MOST_SPLIT: Final = 200_000
# Not `error.__traceback__`: a class of the student's may have a property of that name.
TRACEBACK_OF: Final = BaseException.__dict__["__traceback__"].__get__
_NAME_OF_TYPE: Final = type.__dict__["__name__"].__get__
_SLICE: Final = str.__getitem__
_UNREADABLE: Final = (SyntaxError, IndentationError, TabError)
_OWN_FILE: Final = re.compile(r"(?!earlier\.)\w{1,40}\.py")  # `earlier` is the course's own
_NO_ROOM: Final = "it is too long, or nested too deep, for Python to read, so nothing in it ran"
_LEFT_OUT: Final = {
    StopReason.TIME: ("TimeoutError", "this cell took too long and was left out"),
    StopReason.MEMORY: ("MemoryError", "this cell used too much memory and was left out"),
    StopReason.EXIT: ("SystemExit", "this cell ended Python and was left out"),
    StopReason.CRASH: ("Crash", "this cell crashed Python and was left out"),
}


def describe(raised: BaseException, cell_numbers: Mapping[str, int]) -> Raised:
    """Name an error and the innermost line of the student's own cells, which are known by the names of their code."""
    cell, line = _place(raised, cell_numbers)
    try:
        # A syntax error's text repeats its file and line, which are told apart from it.
        message = _SLICE(raised.msg if isinstance(raised, SyntaxError) else str(raised), slice(MAX_MESSAGE))
    except BaseException:  # noqa: BLE001  # an error of the student's own may fail even at this
        message = ""
    name = _SLICE(_NAME_OF_TYPE(type(raised)), slice(MAX_ERROR_NAME))
    file, file_line = _beside(raised)
    if file and type(raised) in _UNREADABLE:  # the cell itself was read
        return Raised("ImportError", f"Python cannot read `{file}`, line {file_line}: {message}", cell, line)
    if file:
        message = f"{message} (in `{file}`, line {file_line})".lstrip()
    if not line and not message:  # nothing of the cell ran
        message = _NO_ROOM if type(raised) is MemoryError else f"Python stopped with `{name}` before it ran"
    return Raised(name, message, cell, line)


def skipped(number: int, magic: str) -> Raised:
    """Say that a cell was not run because it is not Python, as an error of that cell."""
    return Raised(SKIPPED, f"a cell that begins with {magic} is not run", number)


def leave_out(reason: StopReason, cell: int) -> Raised:
    """Say that a cell was left out because nothing came after it."""
    error, message = _LEFT_OUT[reason]
    return Raised(error, message, cell)


def quote(raised: Raised, sources: Mapping[int, str], otherwise: int = 0) -> Raised:
    """Add the text of the line, if there is such a line; `otherwise` is its cell when no line of it is known."""
    source = sources.get(raised.cell)
    code = None if source is None else _line(source, raised.line)
    if code is None:
        return Raised(raised.error, raised.message, raised.cell if source is not None else otherwise)
    return Raised(raised.error, raised.message, raised.cell, raised.line, code.strip()[:_MAX_CODE])


def _line(source: str, number: int) -> str | None:
    """Return one line of a cell, "" where it stands very far down; None if there is no such line.

    Lines are counted as the compiler does, which knows fewer ends of a line than `splitlines`. A cell is split only
    here, and its beginning alone: the lines of a cell of some megabytes take a hundred.
    """
    text = source.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if not 0 < number <= text.count("\n") + 1:
        return None
    lines = text[:_MOST_SPLIT].split("\n")
    return lines[number - 1] if number <= len(lines) else ""


def _beside(raised: BaseException) -> tuple[str, int]:
    """Return the file beside the notebook, and its line, that an error is in; "" where it is in a cell or elsewhere."""
    files = [(frame.f_code.co_filename, line or 0) for frame, line in walk_tb(TRACEBACK_OF(raised))]
    if type(raised) in _UNREADABLE and type(raised.filename) is str:  # type: ignore[attr-defined]
        files.append((raised.filename, raised.lineno or 0))  # type: ignore[attr-defined]
    own = [each for each in files if _OWN_FILE.fullmatch(each[0]) or each[0].startswith("<cell ")]
    file, line = own[-1] if own else ("", 0)
    return (file, line) if _OWN_FILE.fullmatch(file) else ("", 0)


def _place(raised: BaseException, cell_numbers: Mapping[str, int]) -> tuple[int, int]:
    cell, line = 0, 0
    for frame, frame_line in walk_tb(TRACEBACK_OF(raised)):
        if frame.f_code.co_filename in cell_numbers:
            cell, line = cell_numbers[frame.f_code.co_filename], frame_line or 0  # None: an instruction of no line
    if not line and isinstance(raised, SyntaxError) and raised.filename in cell_numbers:
        cell, line = cell_numbers[raised.filename], raised.lineno or 0  # type: ignore[index]  # None is in no such dict
    return cell, line
