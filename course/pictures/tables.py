"""A table of the learner's numbers beside the expected one: drawn as heat maps, and said in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from course.compare import close
from course.pictures.panels import Place, Squares, draw_grid, short
from course.pictures.picture import Picture, Rows, draw
from course.wording import count

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST_SIDE: Final = 30
_MOST_BESIDE: Final = 4  # columns; wider tables stand one above the other
_MOST_SPOKEN: Final = 4
_MOST_ROWS_SPOKEN: Final = 8
_MOST_DIGITS: Final = 5


@dataclass(frozen=True)
class Table:
    """What one call gives, and what it should give: (n_rows, n_columns) each.

    `yours` is None where no such numbers came back, `expected` where nobody knows them here. `hidden` tells which
    squares the lesson masks.
    """

    title: str
    yours: Rows | None
    expected: Rows | None = None
    hidden: Callable[[int, int], bool] = lambda _row, _column: False

    @property
    def rows(self) -> Rows:
        """Return whichever table there is."""
        return self.yours or self.expected or ()

    @property
    def different(self) -> list[Place]:
        """Return the squares whose two numbers are not the same, row by row."""
        if self.yours is None or self.expected is None:
            return []
        return [
            (r, c)
            for r, (got, want) in enumerate(zip(self.yours, self.expected, strict=True))
            for c, numbers in enumerate(zip(got, want, strict=True))
            if not close(*numbers)
        ]

    @property
    def digits(self) -> int:
        """Return how many decimals show every difference."""
        pairs = [(self.yours[r][c], self.expected[r][c]) for r, c in self.different if self.yours and self.expected]
        enough = (n for n in range(2, _MOST_DIGITS) if all(short(got, n) != short(want, n) for got, want in pairs))
        return next(enough, _MOST_DIGITS)


@dataclass(frozen=True)
class Words:
    """What a table's picture is called: `opening` its first sentence, `row` and `column` one of each."""

    opening: str
    row: str
    column: str


def draw_tables(words: Words, tables: Sequence[Table]) -> Picture | None:
    """Draw every table, the learner's beside the expected one. None if a table is too large for a picture, or empty."""
    if not all(table.rows and max(len(table.rows), len(table.rows[0])) <= _MOST_SIDE for table in tables):
        return None
    pairs = any(table.expected is not None for table in tables)
    above = pairs and len(tables[0].rows[0]) > _MOST_BESIDE
    lines = len(tables) * (2 if above else 1)
    height = lines * (62 + max(14, min(42, 340 // len(tables[0].rows))) * len(tables[0].rows)) + 24 * pairs

    def paint(figure: Figure) -> None:
        panels = []
        for table in tables:
            panels.append(_squares(words, table, table.yours, "yours" if pairs else "", table.title))
            if pairs:
                panels.append(_squares(words, table, table.expected, "expected", table.title if above else ""))
        draw_grid(figure, panels, 2 if pairs and not above else 1)
        if pairs:
            figure.supxlabel(_verdict(tables), fontsize=10)

    return draw(_describe(words, tables), height, paint)


def _squares(words: Words, table: Table, rows: Rows | None, whose: str, title: str) -> Squares:
    return Squares(
        rows=rows or (),
        row_labels=[f"{words.row} {at}" for at in range(len(table.rows))],
        column_labels=[f"{words.column} {at}" for at in range(len(table.rows[0]))],
        title=": ".join(filter(None, (title, whose))),
        hidden=frozenset(
            (r, c) for r in range(len(table.rows)) for c in range(len(table.rows[0])) if table.hidden(r, c)
        ),
        outlined=frozenset(table.different if rows is table.yours else ()),
        sums=rows is table.yours,
        digits=table.digits,
    )


def _verdict(tables: Sequence[Table]) -> str:
    """Say in a line whether the tables are the expected ones."""
    missing = [table.title for table in tables if table.yours is None]
    if missing:
        return f"No numbers came back for {missing[0]}."
    number = sum(len(table.different) for table in tables)
    if not number:
        return "Every number is as expected."
    return f"{count(number, 'square')} {'is' if number == 1 else 'are'} different: see the thick border."


def _describe(words: Words, tables: Sequence[Table]) -> str:
    """Say in words what the picture shows."""
    parts = [words.opening]
    for table in tables:
        parts += _describe_table(words, table)
    return " ".join(parts)


def _describe_table(words: Words, table: Table) -> Iterator[str]:
    title = f"{table.title}: " if table.title else ""
    if table.yours is None:
        yield f"{title}your `solve` gives no such numbers here."
        return
    spoken = [_describe_row(words, at, row, table) for at, row in enumerate(table.yours[:_MOST_ROWS_SPOKEN])]
    rest = len(table.yours) - len(spoken)
    yield title + "; ".join([*spoken, f"{count(rest, 'more row')}"] if rest else spoken) + "."
    if table.expected is not None:
        yield _describe_difference(words, table, table.yours, table.expected)


def _describe_row(words: Words, at: int, row: Sequence[float], table: Table) -> str:
    """Name every number of a short row, the largest of a long one."""
    finite = all(map(math.isfinite, row))
    total = f"(sum {short(math.fsum(row)) if finite else 'nan'})"
    if len(row) > _MOST_SPOKEN and finite:
        best = max(range(len(row)), key=row.__getitem__)
        return f"{words.row} {at} has most for {words.column} {best}, {short(row[best], table.digits)} {total}"
    numbers = ", ".join(f"{short(number, table.digits)} for {words.column} {c}" for c, number in enumerate(row))
    return f"{words.row} {at} has {numbers} {total}"


def _describe_difference(words: Words, table: Table, yours: Rows, expected: Rows) -> str:
    different = table.different
    if not different:
        return "Every number is as expected."
    spoken = [
        f"{words.row} {r}, {words.column} {c} is {short(yours[r][c], table.digits)}, "
        f"expected {short(expected[r][c], table.digits)}"
        for r, c in different[:_MOST_SPOKEN]
    ]
    rest = len(different) - len(spoken)
    return f"Different: {'; '.join([*spoken, f'{rest} more'] if rest else spoken)}."
