"""Find the names of `solve` that a cell below it uses again for something else. Nothing is run."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator, Mapping, Sequence

from course.differences import AGAIN, SAVE, Difference
from course.kept_cells import text_of
from course.outcomes import Raised
from course.running.fresh import FreshRun
from course.running.names import look_up, names_defined, ways_bound
from course.submission import SOLVE, Cell


def find_reused(
    cells: Sequence[Cell], own: Sequence[Cell], clean: FreshRun, session: Mapping[str, object], *, same: bool
) -> dict[str, Difference]:
    """Find the names whose second value can be why an example fails after a clean start.

    `cells`: all cells of the saved notebook; `own`: the student's. `same`: the clean start came to what the session
    came to. Then a name counts only if its value differs or the line that stopped uses it.
    """
    live = look_up(clean.names, session, text_of)
    stopped = "\n".join(each.code for each in clean.outcomes if isinstance(each, Raised))
    return {
        name: _used_again(name, clean.names[name].shown, cell)
        for name, cell in _bound_again(cells, own, clean.names)
        if not same
        or (name in live and live[name].differs_from(clean.names[name]))
        or re.search(rf"\b{re.escape(name)}\b", stopped)
    }


def _bound_again(cells: Sequence[Cell], own: Sequence[Cell], names: Mapping[str, object]) -> Iterator[tuple[str, int]]:
    """Give each name that has a meaning at `solve` and another further down, with the last cell that gives it one."""
    solve = max((cell.number for cell in own if SOLVE in names_defined(cell.source)), default=0)
    for name in names if solve else ():
        above = {way for cell in cells if cell.number <= solve for way in ways_bound(cell.source, name)}
        below = {cell.number: ways_bound(cell.source, name) for cell in own if cell.number > solve}
        last = max((number for number, ways in below.items() if ways), default=0)
        if last and name != SOLVE and (above or hasattr(builtins, name)) and below[last] - above:
            yield name, last


def _used_again(name: str, shown: str, cell: int) -> Difference:
    value = f" ({shown})" if shown else ""
    return Difference(
        name,
        f"Cell {cell} gives `{name}` another value{value}. A clean start runs this cell too, before it calls `solve`.",
        f"Use another name in cell {cell}. {SAVE}, {AGAIN}",
    )
