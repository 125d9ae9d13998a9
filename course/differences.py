"""Say where the learner's session and a clean start differ: the name, and the cell it comes from. Nothing is run."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from course.carry_on import own_functions_in
from course.cell_text import is_stub
from course.kept_cells import text_of
from course.outcomes import Outcome, Raised
from course.running.cells import cell_magic
from course.running.errors import SKIPPED, skipped
from course.running.fresh import FreshRun
from course.running.names import Meaning, codes_defined, look_up, names_defined, names_meant, names_used
from course.submission import SOLVE, Cell
from course.unreadable import UNREADABLE, place_in_cell, plain_words

_UNKNOWN_NAME: Final = re.compile(r"name '(\w+)' is not defined")
_MOST: Final = 2
SAVE: Final = "Press Ctrl+S (on a Mac Cmd+S) to save"
AGAIN: Final = "then run this cell again."
HAND_IN: Final = "Hand in this notebook."
_TRY_IT_FIRST: Final = "What is saved is right. Run the check cell on your change, and save it only when it passes too."


@dataclass(frozen=True)
class Difference:
    """One name that means something else, or nothing, after a clean start: what is so, and what to do about it.

    `fault`: the error of the cell that should have defined it. `when_right`: what to do instead where the saved work
    passes, and it is not known that the session's does.
    """

    name: str
    says: str
    next_action: str
    fault: Raised | None = None
    when_right: str = HAND_IN


def find_differences(
    own: Sequence[Cell],
    clean: FreshRun,
    session: Mapping[str, object],
    reused: Mapping[str, Difference],
    *,
    same: bool,
) -> tuple[Difference, ...]:
    """Find the differences, the most telling first. `own`: the student's saved cells.

    `reused`: what `find_reused` found; it says more than that a value differs.
    `same`: the clean start came to what the session came to. Then values that differ are of no interest.
    """
    defined = _defined(own)
    used = names_used(SOLVE, session)
    live = look_up(used, session, text_of)
    faults = list(_faults(own, clean, live))
    if faults and faults[0].name == SOLVE:
        return (faults[0],)
    changed = list(_changed(own, clean, live, session))
    if changed and changed[0].name == SOLVE:  # the two functions use different names, so no more can be said
        return (changed[0],)
    found: dict[str, Difference] = {}
    others = () if same else (*_other_values(defined, clean, live), *_carried(used, session))
    hiding = () if same else map(_hides, hidden_builtins(own, clean, session))
    for each in (*faults, *_missing(defined, clean, session, live), *changed, *reused.values(), *others, *hiding):
        found.setdefault(each.name, each)
    return tuple(found.values())[:_MOST]


def _faults(own: Sequence[Cell], clean: FreshRun, live: Mapping[str, Meaning]) -> Iterator[Difference]:
    """Find the cells that should define a name, and that could not be read, were not run, or stopped before it."""
    unknown = [name for name, _ in _unknown_names(clean.outcomes)]
    for name in dict.fromkeys((SOLVE, *unknown, *live)):
        meant = {cell.number for cell in own if name in names_meant(cell.source)}
        errors = [error for error in (*_not_run(own), *clean.cell_errors) if error.cell in meant]
        if errors and name not in clean.names:
            yield _fault(name, errors[-1])


def _not_run(own: Sequence[Cell]) -> list[Raised]:
    """Find the cells that are not Python: they begin with a magic such as "%%bash"."""
    magics = {cell.number: cell_magic(cell.source) for cell in own if not names_defined(cell.source)}
    return [skipped(number, magic) for number, magic in magics.items() if magic]


def _missing(
    defined: Mapping[int, set[str]], clean: FreshRun, session: Mapping[str, object], live: Mapping[str, Meaning]
) -> Iterator[Difference]:
    """Find names that a clean start does not have: in no cell any more, or in one that comes too late."""
    stopped = [each for each in clean.cell_errors if each.cell in defined]
    failed = {each.cell for each in stopped}
    for name, user in _unknown_names([*clean.outcomes, *stopped]):
        cells = _cells_of(name, defined)
        if not cells and name in session:
            yield _deleted(name)
        elif cells and user in failed and min(cells) > user:
            yield _too_late(name, user, min(cells))
    for name in live:
        if name not in clean.names and not _cells_of(name, defined) and not hasattr(builtins, name):
            yield _deleted(name)


def hidden_builtins(own: Sequence[Cell], clean: FreshRun, session: Mapping[str, object]) -> list[str]:
    """Find the functions of Python's own that `solve` uses, and that something of the session alone hides."""
    defined = _defined(own)
    used = [name for name in names_used(SOLVE, session) if name in session and hasattr(builtins, name)]
    return [name for name in used if name not in clean.names and not _cells_of(name, defined)]


def _unknown_names(outcomes: Sequence[Outcome]) -> Iterator[tuple[str, int]]:
    """Give the names that Python did not know, each with the cell that asked for it."""
    for each in outcomes:
        unknown = _UNKNOWN_NAME.search(each.message) if isinstance(each, Raised) else None
        if unknown is not None and isinstance(each, Raised):
            yield unknown[1], each.cell


def _changed(
    own: Sequence[Cell],
    clean: FreshRun,
    live: Mapping[str, Meaning],
    session: Mapping[str, object],
) -> Iterator[Difference]:
    """Find functions that are others after a clean start."""
    defined = _defined(own)
    for name, here in live.items():
        there, cells = clean.names.get(name, Meaning()), _cells_of(name, defined)
        if not cells:
            continue
        if here.code and (here.differs_from(there) or (name == SOLVE and not there.stamp)):
            sources = [cell.number for cell in own if here.code in codes_defined(cell.source, name)]
            if not sources:
                cell = next(each for each in own if each.number == cells[-1])
                yield _unsaved(name, cell, newer=_was_changed(name, cell.source, session))
            elif sources[-1] != cells[-1]:
                yield _replaced(name, sources[-1], cells[-1])


def _other_values(
    defined: Mapping[int, set[str]], clean: FreshRun, live: Mapping[str, Meaning]
) -> Iterator[Difference]:
    """Find all other names that mean something else after a clean start."""
    for name, here in live.items():
        there, cells = clean.names.get(name, Meaning()), _cells_of(name, defined)
        if cells and not here.code and here.differs_from(there):
            yield _other_value(name, here, there, cells)


def _was_changed(name: str, saved: str, session: Mapping[str, object]) -> bool:
    """Tell whether the saved text of a cell was run before another text that defines the name."""
    inputs = session.get("In")
    runs = [each.strip() for each in inputs if isinstance(each, str)] if isinstance(inputs, list) else []
    newest = next((each for each in reversed(runs) if name in names_defined(each)), "")
    return is_stub(saved) or (saved.strip() in runs and newest != saved.strip())


def _defined(own: Sequence[Cell]) -> dict[int, set[str]]:
    return {cell.number: names_defined(cell.source) for cell in own}


def _cells_of(name: str, defined: Mapping[int, set[str]]) -> list[int]:
    return [number for number, names in defined.items() if name in names]


def _carried(used: Sequence[str], session: Mapping[str, object]) -> Iterator[Difference]:
    """Find the learner's own functions of earlier lessons, where the grader has the course's."""
    for name, lesson in own_functions_in({name: session.get(name) for name in used}).items():
        yield Difference(
            name,
            f"Your session uses your own `{name}` of lesson {lesson[:2]}. The grader uses the course's, as above, "
            "and here the two give other answers.",
            f"Look at your lesson {lesson[:2]} again. What counts here is the answer with the course's function.",
            when_right=f"{HAND_IN} Then look at your lesson {lesson[:2]} again.",
        )


def _deleted(name: str) -> Difference:
    return Difference(
        name,
        f"Your session still remembers `{name}`, but no cell of the saved notebook defines it. Was its cell deleted?",
        f"If no cell has `{name}` any more, write it again. {SAVE}, {AGAIN}",
        when_right=f"Write `{name}` again, or take it out of your code: a hidden case may need it. {SAVE}, {AGAIN}",
    )


def _hides(name: str) -> Difference:
    return Difference(
        name,
        f"Only your session has a `{name}` of its own. No cell of the saved notebook makes it, so a clean start uses "
        f"Python's `{name}`.",
        f"If your code needs yours, write it again. If not, run `del {name}` in a new cell and check again.",
    )


def _too_late(name: str, user: int, cell: int) -> Difference:
    return Difference(
        name,
        f"Cell {user} needs `{name}`, but cell {cell} below it defines it. A clean start runs from top to bottom.",
        f"Move cell {cell} above cell {user}. {SAVE}, {AGAIN}",
    )


def _unsaved(name: str, cell: Cell, *, newer: bool) -> Difference:
    if newer:
        return Difference(
            name,
            f"You changed `{name}` (cell {cell.number}) after the last save: your session has the new text, the saved "
            "notebook still has the old one. The saved one is what you hand in.",
            f"{SAVE}, {AGAIN}",
            when_right=_TRY_IT_FIRST,
        )
    return Difference(
        name,
        f"The `{name}` in your session is not the one in the saved notebook (cell {cell.number}). "
        "The saved one is what you hand in.",
        f"Run cell {cell.number}. {SAVE}, {AGAIN}",
    )


def _fault(name: str, error: Raised) -> Difference:
    cell, line = f"cell {error.cell}", f" in line {error.line}" if error.line else ""
    mend = f"Mend {f'line {error.line} of ' if error.line else ''}{cell} and run that cell."
    if error.error in UNREADABLE:
        says = (
            f"Python cannot read {cell}, so there is no `{name}`. Look at {place_in_cell(error)}. {plain_words(error)}"
        )
    elif error.error == SKIPPED:
        says = f"There is no `{name}`: {error.message}, and {cell} is one."
        mend = f"Delete the first line of {cell} and run that cell."
    else:
        reason = f" ({error.message})" if error.message else ""
        says = f"Cell {error.cell} stops{line} with `{error.error}`{reason}, before it defines `{name}`."
    return Difference(name, says, f"{mend} {SAVE}, {AGAIN}", error, when_right=f"{mend} {SAVE}, {AGAIN}")


def _replaced(name: str, first: int, last: int) -> Difference:
    return Difference(
        name,
        f"Cells {first} and {last} both define `{name}`. Your session has the one of cell {first}, "
        f"but a clean start ends with the one of cell {last}.",
        f"Give one of the two another name, or delete it. {SAVE}, {AGAIN}",
    )


def _other_value(name: str, here: Meaning, there: Meaning, cells: Sequence[int]) -> Difference:
    values = f" ({here.shown} in your session, {there.shown} after it)" if here.shown and there.shown else ""
    where = f"cell {cells[0]} sets it" if len(cells) == 1 else f"cells {_listed(cells)} set it"
    return Difference(
        name,
        f"`{name}` has another value after a clean start{values}: {where}.",
        f"{SAVE}, restart the kernel and run all cells. Then look at the check again.",
    )


def _listed(cells: Sequence[int]) -> str:
    return f"{', '.join(map(str, cells[:-1]))} and {cells[-1]}"
