"""Find the student's code in a notebook, whatever happened to the notebook on its way.

A cell is known by its `grade_id`, else by its content: the released text of a locked cell, or `def solve`.
The student's check before handing in and the grader both read notebooks with this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Final

SOLVE: Final = "solve"
_DEFINES_SOLVE: Final = re.compile(r"^\s*(?:(?:async\s+)?def\s+solve\b|class\s+solve\b|solve\s*=[^=])", re.MULTILINE)
_ALIKE: Final = 0.9


@dataclass(frozen=True)
class Cell:
    """One code cell of the student. `number` counts all cells of the notebook from 1."""

    number: int
    source: str


@dataclass(frozen=True)
class Submission:
    """The student's code cells in order, and one plain sentence for each thing that was mended."""

    cells: tuple[Cell, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Recognised:
    """The role of each cell of a notebook (None: the student's own), and what had to be mended."""

    roles: tuple[str | None, ...]
    notes: tuple[str, ...]


def read_submission(notebook: Mapping[str, Any], released: Mapping[str, str]) -> Submission:
    """Take the code cells that "Restart and Run All" would run. `released`: grade_id of a locked cell to its text.

    A locked cell counts with its released text, whatever was done to it.
    """
    cells: Sequence[Mapping[str, Any]] = notebook["cells"]
    found = recognise(cells, released)
    code = tuple(
        Cell(number, released.get(role or "", source_of(cell)))
        for number, (cell, role) in enumerate(zip(cells, found.roles, strict=True), start=1)
        if cell.get("cell_type") == "code" or role is not None
    )
    return Submission(tuple(cell for cell in code if _has_code(cell.source)), found.notes)


def _has_code(source: str) -> bool:
    return any(line.strip() and not line.lstrip().startswith("#") for line in source.splitlines())


def recognise(cells: Sequence[Mapping[str, Any]], released: Mapping[str, str]) -> Recognised:
    """Give each graded cell its role exactly once, by `grade_id` first and by content where that is lost."""
    roles: list[str | None] = [None] * len(cells)
    notes: list[str] = []
    for grade_id in (SOLVE, *released):
        marked = [at for at, cell in enumerate(cells) if grade_id_of(cell) == grade_id]
        chosen = _choose(cells, marked, grade_id, released)
        if len(marked) > 1:
            notes.append(f"The cell id `{grade_id}` appears {len(marked)} times. Cell {_number(chosen)} was used.")
        if not marked:
            chosen = _find_by_content(cells, roles, grade_id, released)
            notes.append(_note_missing(grade_id, chosen))
        if chosen is not None:
            roles[chosen] = grade_id
    return Recognised(tuple(roles), tuple(_shorten(notes)))


def source_of(cell: Mapping[str, Any]) -> str:
    """Return a cell's text; notebooks store it as one string or as a list of lines."""
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(map(str, source))


def grade_id_of(cell: Mapping[str, Any]) -> str | None:
    """Return the cell's nbgrader id, if its metadata still has one."""
    mark = cell.get("metadata", {}).get("nbgrader")
    return mark.get("grade_id") if isinstance(mark, Mapping) else None


def _choose(
    cells: Sequence[Mapping[str, Any]], marked: Sequence[int], grade_id: str, released: Mapping[str, str]
) -> int | None:
    """Of several cells with one id take the locked cell with the released text, or the last `solve` (it runs last)."""
    if not marked:
        return None
    if grade_id == SOLVE:
        defining = [at for at in marked if _DEFINES_SOLVE.search(source_of(cells[at]))]
        return (defining or marked)[-1]
    return max(marked, key=lambda at: (_likeness(source_of(cells[at]), released[grade_id]), -at))


def _find_by_content(
    cells: Sequence[Mapping[str, Any]], roles: Sequence[str | None], grade_id: str, released: Mapping[str, str]
) -> int | None:
    free = [at for at, cell in enumerate(cells) if roles[at] is None and grade_id_of(cell) is None]
    if grade_id == SOLVE:
        defining = [
            at for at in free if cells[at].get("cell_type") == "code" and _DEFINES_SOLVE.search(source_of(cells[at]))
        ]
        return defining[-1] if defining else None
    alike = {at: _likeness(source_of(cells[at]), released[grade_id]) for at in free}
    best = max(alike, key=alike.__getitem__, default=None)
    return best if best is not None and alike[best] >= _ALIKE else None


def _likeness(text: str, other: str) -> float:
    """Compare two cells without their blanks: 1.0 for the same text."""
    a, b = "".join(text.split()), "".join(other.split())
    if a == b:
        return 1.0
    if not b or not 1 / 2 <= len(a) / len(b) <= 2:  # noqa: PLR2004  # far from each other in length: not alike
        return 0.0
    return SequenceMatcher(None, a, b, autojunk=False).ratio()


def _note_missing(grade_id: str, chosen: int | None) -> str:
    if chosen is None:
        return f"The cell `{grade_id}` was missing and was put back."
    return f"The grading mark of cell {_number(chosen)} (`{grade_id}`) was missing and was put back."


def _shorten(notes: Iterable[str]) -> list[str]:
    """Say it once when every mark was lost: another editor did that, not the student."""
    listed = list(notes)
    lost = [note for note in listed if note.startswith("The grading mark")]
    if len(lost) < 2:  # noqa: PLR2004  # one lost mark is said as it is
        return listed
    once = "The grading marks of the cells were missing (another editor removed them) and were put back."
    return [once, *(note for note in listed if note not in lost)]


def _number(at: int | None) -> int:
    return 0 if at is None else at + 1
