"""Say why a call came to nothing where the cause is a cell: it stopped, was left out, or names `solve` otherwise."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any, Final

from course.cell_text import line_left_over
from course.compare import LEFT_OVER, RETURN_HERE
from course.differences import AGAIN, SAVE, Difference
from course.errors.texts import line_that_replaces
from course.outcomes import NoFunction, Outcome, Raised
from course.running.names import functions_defined, names_defined, names_meant
from course.submission import SOLVE, Cell
from course.unreadable import UNREADABLE

_DEFINES: Final = re.compile(r"^[ \t]*(?:(?:async[ \t]+)?def[ \t]+solve\b|solve[ \t]*=)", re.MULTILINE)
_BESIDE: Final = re.compile(r"`(\w{1,40}\.py)`, line (\d+)")
_DEFINITION: Final = re.compile(r"^def[ \t]+(\w{1,40})", re.MULTILINE)
_ASKS_FOR_SOLVE: Final = f"name '{SOLVE}' is not defined"
_ALIKE: Final = 0.6
_MOST_NOTES: Final = 3
_MOST_NAMES: Final = 100
_MOST_LETTERS: Final = 50_000


def explain(outcomes: Sequence[Outcome], cell_errors: Sequence[Raised], own: Sequence[Cell]) -> tuple[Outcome, ...]:
    """Where there is no `solve`, say why: the cell that should define it stopped, or its name is misspelt.

    Where it ends at the line of the stub, say that this line was left over. `own`: the cells that the student wrote.
    """
    if NoFunction("missing") not in outcomes:
        replaced = _line_that_replaces(own) if any(isinstance(each, NoFunction) for each in outcomes) else {}
        return tuple(
            replace(each, **replaced) if isinstance(each, NoFunction) else _left_over(each, own) for each in outcomes
        )
    sources = {cell.number: cell.source for cell in own}
    stopped = [error for error in cell_errors if error.cell in sources and not _asks_for_solve(error)]
    defining = [error for error in stopped if _DEFINES.search(sources[error.cell])]
    names = _DEFINITION.findall("\n".join(cell.source for cell in own))
    alike = get_close_matches("solve", names[:_MOST_NAMES], n=1, cutoff=_ALIKE)
    if defining or (stopped and not alike):
        instead: Outcome = (defining or stopped)[-1]
    else:
        instead = NoFunction("missing", alike[0] if alike else "")
    return tuple(instead for _ in outcomes)


def _left_over(outcome: Outcome, own: Sequence[Cell]) -> Outcome:
    """Where a call ends at the stub's own line in a `solve` that has other lines too, point to it."""
    if not (isinstance(outcome, Raised) and outcome.error == "NotImplementedError"):
        return outcome
    for cell in own:
        line, is_last = line_left_over(cell.source) if cell.number == outcome.cell else (0, False)
        if line:
            code = cell.source.split("\n")[line - 1].strip()
            message = RETURN_HERE if is_last else LEFT_OVER
            return replace(outcome, message=message, line=outcome.line or line, code=outcome.code or code)
    return outcome


def _line_that_replaces(own: Sequence[Cell]) -> dict[str, Any]:
    """Return the cell, line and code that put something else in the place of `solve`; nothing where none is found.

    Not all of an endless text is read: Python takes up to 500 bytes of memory for each letter.
    """
    letters = 0
    for cell in reversed(own):
        letters += len(cell.source)
        if letters > _MOST_LETTERS:
            break
        line, code = line_that_replaces(SOLVE, cell.source)
        if line:
            return {"cell": cell.number, "line": line, "code": code}
    return {}


def cell_notes(outcomes: Sequence[Outcome], cell_errors: Sequence[Raised], own: Sequence[Cell]) -> tuple[str, ...]:
    """Say which of the student's cells were left out, and which stopped where a name may be missing because of that."""
    numbers = {cell.number for cell in own}
    told = {outcome.cell for outcome in outcomes if isinstance(outcome, Raised) and outcome in cell_errors}
    missing = any(isinstance(outcome, NoFunction) for outcome in outcomes)
    lost = any(isinstance(outcome, NoFunction | Raised) for outcome in outcomes)
    errors = [error for error in cell_errors if error.cell in numbers - told and (lost or _was_left_out(error))]
    errors = [error for error in errors if not (missing and _asks_for_solve(error))]
    return tuple(say_cell(error) for error in errors[:_MOST_NOTES])


def find_other_name(own: Sequence[Cell], inputs: Sequence[str]) -> tuple[Difference, ...]:
    """Find the function that takes what `solve` takes, where no cell has a `solve`. `inputs`: their names."""
    if any(SOLVE in names_defined(cell.source) | names_meant(cell.source) for cell in own):
        return ()
    for cell in reversed(own):
        for name, takes in functions_defined(cell.source).items():
            if takes == tuple(inputs):
                return (_other_name(name, cell.number),)
    return ()


def _other_name(name: str, cell: int) -> Difference:
    return Difference(
        SOLVE,
        f"No cell of the saved notebook defines `solve`, but cell {cell} defines `{name}` with the same inputs.",
        f"If that is your answer, write `def solve` in cell {cell} and run it. {SAVE}, {AGAIN}",
    )


def _asks_for_solve(error: Raised) -> bool:
    """Tell whether a cell stopped only because there is no `solve`: that is no cause."""
    return error.error == "NameError" and error.message.startswith(_ASKS_FOR_SOLVE)


def say_cell(error: Raised) -> str:
    """Say what became of a cell that could not be read, stopped or was left out."""
    line = f" in line {error.line}" if error.line else ""
    if error.error in UNREADABLE:
        return f"Python cannot read cell {error.cell}{line} ({error.message}), so nothing in that cell ran."
    if _was_left_out(error):
        return f"About cell {error.cell}: {error.message}."
    code = f": `{error.code.strip()}`" if error.code.strip() else ""
    beside = _BESIDE.search(error.message)
    why = f" Look at `{beside[1]}`, line {beside[2]}." if beside else ""
    return f"Cell {error.cell} stopped with `{error.error}`{line}{code}. A name that this line defines is missing.{why}"


def _was_left_out(error: Raised) -> bool:
    """Tell whether the cell was ended from outside: then there is no line of it."""
    return error.line == 0 and error.error not in UNREADABLE
