"""Find the student's code in a notebook, whatever happened to the notebook on its way.

A cell is known by its `grade_id`, else by its content: the released text of a locked cell, or `def solve`.
The student's check before handing in and the grader both read notebooks with this module.
Its helpers: `course.recognising` says which cell is which, `course.cell_text` what of a cell is code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from course.beside import bring_modules, import_what_is_run
from course.cell_text import (
    code_in,
    count_parts,
    dedent,
    grade_id_of,
    has_code,
    is_finished,
    is_stub,
    silence_checks,
    source_of,
)
from course.recognising import SOLVE, find_roles

__all__ = ["SOLVE", "Cell", "Recognised", "Submission", "grade_id_of", "read_submission", "recognise", "source_of"]

_BESIDE_NUMBER: Final = 0
_MOST_PARTS: Final = 30


@dataclass(frozen=True)
class Cell:
    """One code cell of the student. `number` counts all cells of the notebook from 1; 0 is no cell of theirs."""

    number: int
    source: str


@dataclass(frozen=True)
class Submission:
    """The student's code cells in order, and one plain sentence for each thing that was mended.

    `roles`: the `grade_id` of each cell of the notebook, as `recognise` gave it.
    """

    cells: tuple[Cell, ...]
    notes: tuple[str, ...] = ()
    roles: tuple[str | None, ...] = ()


@dataclass(frozen=True)
class Recognised:
    """The role of each cell of a notebook (None: the student's own), what had to be mended, and what each cell runs."""

    roles: tuple[str | None, ...]
    notes: tuple[str, ...]
    sources: tuple[str, ...] = ()


def read_submission(
    notebook: Mapping[str, Any], released: Mapping[str, str], beside: Mapping[str, str] | None = None
) -> Submission:
    """Take the code cells that "Restart and Run All" would run. `released`: grade_id of a locked cell to its text.

    A locked cell counts with its released text, whatever was done to it. `beside`: the Python files that lie
    beside the notebook, by name; those that a cell imports can be imported.
    """
    found = recognise(notebook["cells"], released)
    cells = [Cell(number, source) for number, source in enumerate(found.sources, start=1) if has_code(source)]
    brought = bring_modules([cell.source for cell in cells], beside or {})
    if brought.source:
        modules = frozenset(brought.modules)
        cells = [Cell(cell.number, import_what_is_run(cell.source, modules)) for cell in cells]
        cells.insert(0, Cell(_BESIDE_NUMBER, brought.source))
    return Submission(tuple(cells), (*found.notes, *brought.notes), found.roles)


def recognise(cells: Sequence[Mapping[str, Any]], released: Mapping[str, str]) -> Recognised:
    """Give each graded cell its role exactly once, by `grade_id` first and by content where that is lost."""
    found = find_roles(cells, released)
    own = [
        code_in(source_of(cell)) if role == SOLVE or (role is None and cell.get("cell_type") == "code") else ""
        for cell, role in zip(cells, found.roles, strict=True)
    ]
    notes = [*found.notes, *_leave_out_stubs(own), *_silence(own), *_join(own)]
    sources = tuple(
        released[role] if role is not None and role in released else dedent(source)
        for source, role in zip(own, found.roles, strict=True)
    )
    return Recognised(found.roles, tuple(notes), sources)


def _leave_out_stubs(own: list[str]) -> list[str]:
    """Leave out `solve` as it was released where the student wrote it in another cell."""
    stubs = [at for at, source in enumerate(own) if is_stub(source)]
    if not stubs or not any(map(is_finished, own)):
        return []
    for at in stubs:
        own[at] = ""
    return [f"Cell {at + 1} still holds `solve` as it was given; it was left out." for at in stubs]


def _silence(own: list[str]) -> list[str]:
    """Make the check cell's lines harmless where they were merged into the student's cell."""
    notes = []
    for at, source in enumerate(own):
        own[at] = silence_checks(source)
        if own[at] != source:
            notes.append(f"Cell {at + 1} also holds lines of the check or plot cell; they were not run.")
    return notes


def _join(own: list[str]) -> list[str]:
    """Put the parts of `solve` together where it was split over several cells."""
    notes = []
    filled = [at for at, source in enumerate(own) if source.strip()]
    for place, start in enumerate(filled, start=1):
        if not is_finished(own[start]):
            continue
        following = filled[place : place + _MOST_PARTS]
        parts = count_parts(own[start], (own[at] for at in following))
        for at in following[:parts]:
            own[start], own[at] = f"{own[start]}\n{own[at]}", ""
            notes.append(f"Cell {at + 1} goes on with the function of cell {start + 1}; they were joined.")
    return notes
