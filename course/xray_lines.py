"""Compare the rows and columns of tables of numbers: which are the same, cut out of each other, turned or scaled."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from course.compare import close
from course.values import Numbers
from course.xray import Sighting

Line = tuple[float, ...]
Stream = Sequence[Sighting]
_MATRIX: Final = 2
_ONE: Final = 1.0
_AS_LOW: Final = -1e8  # far below every score


def is_input(stream: Stream, inputs: Sequence[Numbers]) -> bool:
    """Tell whether a variable only ever held inputs: whole, turned, their first rows, one row or one number."""
    return all(any(_is_part(each.numbers, given) for given in inputs) for each in stream)


def is_counting(stream: Stream) -> bool:
    """Tell whether a variable goes up by 1, as that of a loop does, perhaps again and again from its start."""
    flat = [each.numbers.flat[0] for each in singles(stream)]
    pairs = pairwise(flat)
    return len(flat) == len(stream) > 1 and all(after in {before + 1, flat[0]} for before, after in pairs)


def lengths_of(stream: Stream) -> Sequence[tuple[int, ...]]:
    """Return the lengths that the lists of a variable had: of each list, and where lists grow only at their ends."""
    whole = tuple(each.numbers.shape[0] for each in stream if len(each.numbers.shape) == 1)
    ends = tuple(one for one, after in pairwise((*whole, 0)) if after <= one)
    return whole, ends


def lines_of(numbers: Numbers) -> Sequence[Line]:
    """Return the rows of a table and its columns; a list is one row; a single number is none."""
    if not numbers.shape:
        return ()
    rows = rows_of(numbers)
    return rows if len(numbers.shape) != _MATRIX else [*rows, *zip(*rows, strict=True)]


def rows_of(numbers: Numbers) -> list[Line]:
    """Return the rows along the last axis; a single number is a row of its own."""
    width = numbers.shape[-1] if numbers.shape else 1
    return [numbers.flat[at : at + width] for at in range(0, len(numbers.flat), width)] if width else []


def is_cut_from(line: Line, longer: Line) -> bool:
    """Tell whether a line is a part of a longer one."""
    starts = range(len(longer) - len(line) + 1)
    return len(line) < len(longer) and any(same_line(longer[at : at + len(line)], line) for at in starts)


def has_between(line: Line, longer: Line) -> bool:
    """Tell whether a longer line has the numbers of a line in their order, but other ones between them."""
    if len(longer) <= len(line) or is_cut_from(line, longer):
        return False
    left = iter(longer)
    return all(any(close(got, want) for got in left) for want in line)


def is_in_table(numbers: Numbers, rows: Sequence[Line]) -> bool:
    """Tell whether a table holds these rows in their order, perhaps with others between, or as its columns.

    Of tables in a table, each counts alone, as do their rows with the same place.
    """
    has_room = len(numbers.flat) >= len(rows) * len(rows[0])
    return has_room and any(_is_one_table(each, rows) for each in _tables_in(numbers))


def _tables_in(numbers: Numbers) -> Iterator[list[Line]]:
    rows, sizes = rows_of(numbers), numbers.shape[:-1]
    for at, size in enumerate(sizes):
        step = math.prod(sizes[at + 1 :])
        for begin in range(len(rows)):
            if begin // step % size == 0:
                yield rows[begin : begin + step * size : step]


def _is_one_table(own: Sequence[Line], rows: Sequence[Line]) -> bool:
    if len(own) == len(rows[0]) and len(own[0]) == len(rows):
        turned = list(zip(*own, strict=True))
        if all(map(same_line, turned, rows)):
            return True
    return is_in_order(own, rows, same_line)


def is_in_order(rows: Sequence[Line], wanted: Sequence[Line], holds: Callable[[Line, Line], bool]) -> bool:
    """Tell whether the wanted rows are all there in their order, perhaps with others between."""
    left = iter(rows)
    return all(any(holds(got, want) for got in left) for want in wanted)


def still_to_add(numbers: Numbers, line: Line) -> bool:
    """Tell whether a line is what the rows of a table, or its columns, add up to: then it stands there by chance."""
    if len(numbers.shape) != _MATRIX or min(numbers.shape) <= 1 or are_nothing(line):
        return False
    rows = rows_of(numbers)
    return any(same_line(list(map(sum, each)), line) for each in (rows, list(zip(*rows, strict=True))))


def singles(stream: Stream) -> list[Sighting]:
    """Return the sightings of one number alone."""
    return [each for each in stream if not each.numbers.shape]


def _is_part(numbers: Numbers, given: Numbers) -> bool:
    if numbers == given or not numbers.flat:
        return True
    if not numbers.shape:
        return numbers.flat[0] in given.flat
    rows, own = rows_of(given), rows_of(numbers)
    if len(numbers.shape) == 1:
        return own[0] in rows
    return own == rows[: len(own)] or own == list(zip(*rows, strict=True))


def same_line(got: Sequence[float], want: Sequence[float]) -> bool:
    """Tell whether two lines hold the same numbers, up to rounding."""
    return len(got) == len(want) and all(map(close, got, want))


def is_scaled(got: Line, want: Line) -> bool:
    """Tell whether one line is the other one times a factor."""
    at = max(range(len(want)), key=lambda place: abs(want[place]))
    if len(got) != len(want) or not got[at] or not want[at]:
        return False
    return same_line([number * want[at] / got[at] for number in got], want)


def are_nothing(rest: Sequence[float]) -> bool:
    """Tell whether all these are 0."""
    return all(close(number, 0.0) for number in rest)


def are_hidden(rest: Sequence[float]) -> bool:
    """Tell whether these are minus infinity, or numbers in its place."""
    return all(number < _AS_LOW for number in rest)


def adds_up_to_1(line: Line) -> bool:
    """Tell whether the numbers of a line could be shares of a whole."""
    return close(sum(line), _ONE) and min(line) >= 0
