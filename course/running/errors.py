"""Say where a student's code failed. Runs beside it: whatever an error does when asked, only short text comes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from traceback import walk_tb
from typing import Final

from course.outcomes import Raised, StopReason

MAX_CELL_ERRORS: Final = 50
MAX_ERROR_NAME: Final = 100
MAX_MESSAGE: Final = 500
SKIPPED: Final = "SkippedCell"
_MAX_CODE: Final = 200
# Not `error.__traceback__`: a class of the student's may have a property of that name.
TRACEBACK_OF: Final = BaseException.__dict__["__traceback__"].__get__
_NAME_OF_TYPE: Final = type.__dict__["__name__"].__get__
_SLICE: Final = str.__getitem__
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
    return Raised(_SLICE(_NAME_OF_TYPE(type(raised)), slice(MAX_ERROR_NAME)), message, cell, line)


def skipped(number: int, magic: str) -> Raised:
    """Say that a cell was not run because it is not Python, as an error of that cell."""
    return Raised(SKIPPED, f"a cell that begins with {magic} is not run", number)


def leave_out(reason: StopReason, cell: int) -> Raised:
    """Say that a cell was left out because nothing came after it."""
    error, message = _LEFT_OUT[reason]
    return Raised(error, message, cell)


def quote(raised: Raised, sources: Mapping[int, Sequence[str]], otherwise: int = 0) -> Raised:
    """Add the text of the line, if there is such a line; `otherwise` is its cell when no line of it is known."""
    lines = sources.get(raised.cell)
    if lines is None or not 0 < raised.line <= len(lines):
        return Raised(raised.error, raised.message, raised.cell if lines is not None else otherwise)
    code = lines[raised.line - 1].strip()[:_MAX_CODE]
    return Raised(raised.error, raised.message, raised.cell, raised.line, code)


def lines_of(source: str) -> list[str]:
    """Split as the compiler counts, which knows fewer ends of a line than `splitlines`."""
    return source.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _place(raised: BaseException, cell_numbers: Mapping[str, int]) -> tuple[int, int]:
    cell, line = 0, 0
    for frame, frame_line in walk_tb(TRACEBACK_OF(raised)):
        if frame.f_code.co_filename in cell_numbers:
            cell, line = cell_numbers[frame.f_code.co_filename], frame_line
    if not line and isinstance(raised, SyntaxError) and raised.filename in cell_numbers:
        cell, line = cell_numbers[raised.filename], raised.lineno or 0  # type: ignore[index]  # None is in no such dict
    return cell, line
