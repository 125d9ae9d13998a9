"""Find a table of counts among the numbers that a variable held: what still grows has other numbers on the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Final

from course.xray import Sighting
from course.xray_lines import Line, Stream, rows_of, singles

_MATRIX: Final = 2


def find_counts(stream: Stream, rows: Sequence[Line]) -> Sighting | None:
    """Return the sighting with which the counted rows were there: in a table, one after another, or number by number.

    A table that the same line goes on to change is not counted to its end.
    """
    tables = [each for each in stream if len(each.numbers.shape) == _MATRIX]
    whole = next((each for each in _ends(tables) if rows_of(each.numbers) == rows), None)
    return whole or _find_rows(stream, rows) or _find_numbers(stream, rows)


def _ends(tables: Stream) -> Iterator[Sighting]:
    for one, after in pairwise(tables):
        if one.place != after.place or one.numbers.shape != after.numbers.shape:
            yield one
    yield from tables[-1:]


def _find_rows(stream: Stream, rows: Sequence[Line]) -> Sighting | None:
    alone = [each for each in stream if len(each.numbers.shape) == 1]
    left = iter(alone)
    there = all(any(each.numbers.flat == row for each in left) for row in rows)
    return alone[-1] if there and alone[-1].numbers.flat == rows[-1] else None


def _find_numbers(stream: Stream, rows: Sequence[Line]) -> Sighting | None:
    """Find each count where a variable held nothing else, or went up to it before it began again."""
    alone = singles(stream)
    own = [number for number, _ in groupby(each.numbers.flat[0] for each in alone)]
    wanted = [number for row in rows for number in row]
    tops = [one for one, after in pairwise([*own, 0.0]) if one and after <= one]
    there = own == [number for number, _ in groupby(wanted)] or tops == list(filter(None, wanted))
    return alone[-1] if there and alone else None
