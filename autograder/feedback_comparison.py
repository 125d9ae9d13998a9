"""Show a failing example on the feedback page: a table of numbers, and a picture of the two answers side by side.

The picture is plain SVG written by hand: drawing it must cost far less than grading. Its colours come from the page's
style, so it reads in the light, in the dark and on paper; what is different has an outline and a sign as well.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from course.judging import ACCEPTED
from course.report import Table
from course.wording import Shown, align, count, cut

_MAX_ROWS: Final = 6
_LEFT: Final = 58  # room for "row 12", in pixels like all lengths here
_TOP: Final = 22
_HIGH: Final = 38
_TOO_LARGE, _TOO_SMALL, _NO_NUMBER = "▲", "▼", "✗"


@dataclass(frozen=True)
class TableRow:
    """One line of the table: `label` is expected, got or difference; `first` begins a row of the answer."""

    row: int
    first: bool
    label: str
    cells: tuple[tuple[str, bool], ...]


@dataclass(frozen=True)
class Numbers:
    """The numbers of a failing example, as much as is shown. `many`: the answer has more than one row."""

    columns: tuple[int, ...]
    rows: tuple[TableRow, ...]
    note: str
    many: bool


def table_of(table: Table) -> Numbers:
    """Write expected, got and difference below each other, for each row of the answer."""
    shown = cut(table, max_rows=_MAX_ROWS)
    rows = tuple(line for row in shown.rows for line in _rows(table, row, shown.columns))
    return Numbers(shown.columns, rows, shown.note, len(table.expected) > 1)


def _rows(table: Table, row: int, columns: tuple[int, ...]) -> tuple[TableRow, ...]:
    parts = {"expected": table.expected[row], "got": table.got[row], "difference": table.difference[row]}
    padded = [align([cells[column] for cells in parts.values()]) for column in columns]
    return tuple(
        TableRow(
            row=row,
            first=at == 0,
            label=label,
            cells=tuple((cells[at], label == "difference" and cells[at].strip() != ACCEPTED) for cells in padded),
        )
        for at, label in enumerate(parts)
    )


@dataclass(frozen=True)
class Picture:
    """Two drawings with their captions, and what there is to see in them, in words."""

    expected: Markup
    got: Markup
    says: str
    key: str


def picture_of(table: Table) -> Picture:
    """Draw a failing example; of a large one, the rows and columns that the page's table shows."""
    shown = cut(table, max_rows=_MAX_ROWS)
    numbers = [float(part[row][column]) for part in (table.expected, table.got) for row, column in _places(shown)]
    finite = [abs(number) for number in numbers if math.isfinite(number)]
    grid = _Grid(shown, many=len(table.expected) > 1, top=max(finite, default=0.0) or 1.0, wide=_width(numbers))
    signs = [_sign(table.difference[row][column]) for row, column in _places(shown)]
    half = len(numbers) // 2
    return Picture(
        grid.draw("Expected answer", numbers[:half], [""] * half),
        grid.draw("Your answer", numbers[half:], signs),
        describe(table),
        _key(signs, negative=any(number < 0 for number in numbers)),
    )


def describe(table: Table) -> str:
    """Say where the differences are: how many, which rows and columns are right, and whether all go one way."""
    signs = [[_sign(cell) for cell in row] for row in table.difference]
    wrong = [sign for row in signs for sign in row if sign]
    total = sum(map(len, signs))
    if total == 1:
        return "The number is different."
    if len(wrong) == total:
        said = [f"All {total} numbers are different."]
    else:
        said = [f"{len(wrong)} of {total} numbers {'is' if len(wrong) == 1 else 'are'} different."]
    if len(signs) > 1:
        said += _right("row", signs) + _right("column", list(zip(*signs, strict=True)))
    one_way = {_TOO_LARGE: "too large", _TOO_SMALL: "too small"}.get(wrong[0]) if len(set(wrong)) == 1 else None
    if one_way:
        said.append(f"It is {one_way}." if len(wrong) == 1 else f"They are all {one_way}.")
    return " ".join(said)


def _right(noun: str, lines: Sequence[Sequence[str]]) -> list[str]:
    """Name the rows or columns without a difference, if they are few enough to be named."""
    right = [str(at) for at, line in enumerate(lines) if not any(line)]
    if not right or len(right) > _MAX_ROWS:
        return []
    if len(right) == 1:
        return [f"{noun.capitalize()} {right[0]} is right."]
    return [f"{noun.capitalize()}s {', '.join(right[:-1])} and {right[-1]} are right."]


@dataclass(frozen=True)
class _Grid:
    """What the two drawings share. `top` is the number with the full colour, `wide` the width of a square."""

    shown: Shown
    many: bool
    top: float
    wide: int

    def draw(self, name: str, numbers: Sequence[float], signs: Sequence[str]) -> Markup:
        """Draw one answer; `numbers` and `signs` are row by row."""
        columns, rows = self.shown.columns, self.shown.rows
        width, height = _LEFT + self.wide * len(columns) + 2, _TOP + _HIGH * len(rows) + 2
        label = f"{name}: {count(len(rows), 'row')}, {count(len(columns), 'column')}. The table above has its numbers."
        parts = [f'<text class="at" x="{_LEFT - 8}" y="15">{"column" if self.many else "number"}</text>']
        parts += [
            f'<text x="{_LEFT + self.wide * at + self.wide // 2}" y="15">{column}</text>'
            for at, column in enumerate(columns)
        ]
        if self.many:
            parts += [
                f'<text class="at" x="{_LEFT - 8}" y="{_TOP + _HIGH * at + 24}">row {row}</text>'
                for at, row in enumerate(rows)
            ]
        for at, (number, sign) in enumerate(zip(numbers, signs, strict=True)):
            row, column = divmod(at, len(columns))
            parts.append(self._square(_LEFT + self.wide * column, _TOP + _HIGH * row, number, sign))
        return Markup(  # noqa: S704  # nothing in it but numbers and our own words
            f'<svg role="img" aria-label="{label}" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
            f"{''.join(parts)}</svg>"
        )

    def _square(self, x: int, y: int, number: float, sign: str) -> str:
        strength = min(1.0, abs(number) / self.top) if math.isfinite(number) else 0.0
        kind = f"{'minus' if number < 0 else 'plus'}{' differs' if sign else ''}"
        mark = f'<text class="sign" x="{x + self.wide - 10}" y="{y + 14}">{sign}</text>' if sign else ""
        return (
            f'<rect class="{kind}" x="{x + 2}" y="{y + 2}" width="{self.wide - 4}" height="{_HIGH - 4}" rx="3"'
            f' fill-opacity="{strength:.2f}"/>'
            f'<text class="n" x="{x + self.wide // 2}" y="{y + 27}">{_short(number)}</text>{mark}'
        )


def _places(shown: Shown) -> list[tuple[int, int]]:
    return [(row, column) for row in shown.rows for column in shown.columns]


def _width(numbers: Sequence[float]) -> int:
    return 36 + 8 * max(len(_short(number)) for number in numbers)


def _short(number: float) -> str:
    """Write three digits: enough for a square, the table has the rest."""
    return f"{number:.3g}" if number.is_integer() else f"{number:#.3g}"


def _sign(difference: str) -> str:
    """Give a difference its sign; none if the number was accepted."""
    if difference == ACCEPTED:
        return ""
    return {"+": _TOO_LARGE, "-": _TOO_SMALL}.get(difference[0], _NO_NUMBER)


def _key(signs: Sequence[str], *, negative: bool) -> str:
    """Say what the marks that occur mean."""
    means = {_TOO_LARGE: "too large", _TOO_SMALL: "too small", _NO_NUMBER: "no number"}
    marks = ", ".join(f"{sign} {meaning}" for sign, meaning in means.items() if sign in signs)
    below = " Orange: below 0." if negative else ""
    return f"Outlined: different ({marks}). The stronger the colour, the further from 0.{below}"
