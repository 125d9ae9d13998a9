"""Show which example and which hidden group catches which known mistake, so that a lesson's cases can be judged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from textwrap import shorten
from typing import Final

from autograder.lesson import Lesson
from autograder.loading import load_lesson

_WIDTH: Final = 60


@dataclass(frozen=True)
class KillTable:
    """The known mistakes in rows, the cases in columns: examples first, then hidden groups. True: it is caught."""

    examples: tuple[str, ...]
    groups: tuple[str, ...]
    rows: dict[str, tuple[bool, ...]]

    @property
    def survivors(self) -> tuple[str, ...]:
        """The mistakes that pass everything: they would get full marks."""
        return tuple(name for name, caught in self.rows.items() if not any(caught))

    @property
    def idle_groups(self) -> tuple[str, ...]:
        """The hidden groups that add nothing: the examples alone catch every mistake that such a group catches."""
        return tuple(name for at, name in enumerate(self.groups) if not self.added(at))

    def added(self, group: int) -> int:
        """Count the mistakes that this group catches and that every example lets pass."""
        cut = len(self.examples)
        return sum(caught[cut + group] and not any(caught[:cut]) for caught in self.rows.values())

    def alone(self, group: int) -> int:
        """Count the mistakes that this group catches and nothing else does."""
        return sum(caught[len(self.examples) + group] and sum(caught) == 1 for caught in self.rows.values())


def kill_table(lesson: Lesson) -> KillTable:
    """Make the table from what each known mistake gives."""
    examples = tuple(f"example {number}" for number in range(1, 1 + len(lesson.examples)))
    ends = list(accumulate((len(group.calls) for group in lesson.groups), initial=len(examples)))
    parts = [*pairwise(range(1 + len(examples))), *pairwise(ends)]  # where each column begins and ends
    rows = {
        name: tuple(not all(passes[begin:end]) for begin, end in parts)
        for name, passes in lesson.mistake_passes.items()
    }
    return KillTable(examples, tuple(group.name for group in lesson.groups), rows)


def print_kills(lesson_id: str, root: Path) -> int:
    """Print the table; the exit code is 1 if a mistake survives or a hidden group adds nothing.

    Raises:
        GraderError: there is no such lesson.
    """
    table = kill_table(load_lesson(lesson_id, root))
    print("\n".join(_lines(table)))
    return 1 if table.survivors or table.idle_groups else 0


def _lines(table: KillTable) -> Iterator[str]:
    letters = "".join(map(_letter, range(len(table.groups))))
    digits = "".join(str(number % 10) for number in range(1, 1 + len(table.examples)))
    yield f"{'x: caught, .: not caught':{_WIDTH}}  {digits}  {letters}"
    for name, caught in table.rows.items():
        signs = "".join("x" if each else "." for each in caught)
        cut = len(table.examples)
        mark = "  SURVIVES" if name in table.survivors else ""
        yield f"{shorten(name, _WIDTH, placeholder=' ...'):{_WIDTH}}  {signs[:cut]}  {signs[cut:]}{mark}"
    yield ""
    for at, label in enumerate(table.examples):
        yield f"{at + 1}  {label}: {_caught(table, at)}"
    for at, name in enumerate(table.groups):
        adds = f"adds {table.added(at)} to the examples" if table.added(at) else "ADDS NOTHING to the examples"
        yield f"{_letter(at)}  {name}: {_caught(table, len(table.examples) + at)}, {adds}, {table.alone(at)} alone"
    yield ""
    yield f"{len(table.rows)} known mistakes, {len(table.survivors)} survive."
    yield f"{len(table.groups)} hidden groups, {len(table.idle_groups)} add nothing."


def _letter(group: int) -> str:
    return "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[group]


def _caught(table: KillTable, at: int) -> str:
    return f"catches {sum(row[at] for row in table.rows.values())}"
