"""Say why a call came to nothing where the cause is a cell: it stopped, was left out, or misspells `solve`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

from course.outcomes import NoFunction, Outcome, Raised
from course.submission import Cell
from course.unreadable import UNREADABLE

_DEFINES: Final = re.compile(r"^[ \t]*(?:(?:async[ \t]+)?def[ \t]+solve\b|solve[ \t]*=)", re.MULTILINE)
_DEFINITION: Final = re.compile(r"^def[ \t]+(\w{1,40})", re.MULTILINE)
_ALIKE: Final = 0.6
_MOST_NOTES: Final = 3
_MOST_NAMES: Final = 100


def explain(outcomes: Sequence[Outcome], cell_errors: Sequence[Raised], own: Sequence[Cell]) -> tuple[Outcome, ...]:
    """Where there is no `solve`, say why: the cell that should define it stopped, or its name is misspelt.

    `own`: the cells that the student wrote.
    """
    if NoFunction("missing") not in outcomes:
        return tuple(outcomes)
    sources = {cell.number: cell.source for cell in own}
    stopped = [error for error in cell_errors if error.cell in sources]
    defining = [error for error in stopped if _DEFINES.search(sources[error.cell])]
    names = _DEFINITION.findall("\n".join(cell.source for cell in own))
    alike = get_close_matches("solve", names[:_MOST_NAMES], n=1, cutoff=_ALIKE)
    if defining or (stopped and not alike):
        instead: Outcome = (defining or stopped)[-1]
    else:
        instead = NoFunction("missing", alike[0] if alike else "")
    return tuple(instead for _ in outcomes)


def cell_notes(outcomes: Sequence[Outcome], cell_errors: Sequence[Raised], own: Sequence[Cell]) -> tuple[str, ...]:
    """Say which of the student's cells were left out, and which stopped where a name may be missing because of that."""
    numbers = {cell.number for cell in own}
    told = {outcome.cell for outcome in outcomes if isinstance(outcome, Raised) and outcome in cell_errors}
    lost = any(isinstance(outcome, NoFunction | Raised) for outcome in outcomes)
    errors = [error for error in cell_errors if error.cell in numbers - told and (lost or _was_left_out(error))]
    return tuple(say_cell(error) for error in errors[:_MOST_NOTES])


def say_cell(error: Raised) -> str:
    """Say what became of a cell that could not be read, stopped or was left out."""
    line = f" in line {error.line}" if error.line else ""
    if error.error in UNREADABLE:
        return f"Python cannot read cell {error.cell}{line} ({error.message}), so nothing in that cell ran."
    if _was_left_out(error):
        return f"About cell {error.cell}: {error.message}."
    code = f": `{error.code.strip()}`" if error.code.strip() else ""
    return f"Cell {error.cell} stopped with `{error.error}`{line}{code}. A name that this line defines is missing."


def _was_left_out(error: Raised) -> bool:
    """Tell whether the cell was ended from outside: then there is no line of it."""
    return error.line == 0 and error.error not in UNREADABLE
