"""Look for the numbers of one step among those that a variable held: names and styles do not matter.

The numbers may stand there as one list for each time the step is done, as rows or columns of a table, or as single
numbers one after another. Forms that right solutions use are seen too, "in part": scores with a constant taken from
each row, weights that are divided by their sum only later.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from enum import IntEnum
from itertools import pairwise
from typing import Final

from course.compare import close
from course.values import Numbers
from course.xray import Sighting

Line = tuple[float, ...]
Stream = Sequence[Sighting]
_MATRIX: Final = 2
_ONE: Final = 1.0
_SPREAD: Final = 1e-3  # far above rounding


class Seen(IntEnum):
    """How the numbers of a step were seen."""

    NOT = 0
    IN_PART = 1
    FULLY = 2


class Search:
    """The numbers of one step, one line for each row.

    With `exactly`, they are not looked for in part; with `whole`, not inside a longer row either; with `as_tables`,
    each value must stand in one table.
    """

    def __init__(
        self,
        inputs: Sequence[Numbers],
        values: Sequence[Numbers],
        *,
        exactly: bool = False,
        whole: bool = False,
        as_tables: bool = False,
    ) -> None:
        self._whole = whole
        self._tables = [rows_of(value) for value in values] if as_tables else []
        self._given = [row for each in inputs for row in rows_of(each)]
        self.lines = [line for value in values for line in rows_of(value)]
        self._common = {0.0, 1.0}.union(*(each.flat for each in inputs), *(map(float, each.shape) for each in inputs))
        self.is_weak = all(map(self._could_stand_anywhere, self.lines))
        self.are_shares = not exactly and all(close(sum(line), _ONE) and min(line) >= 0 for line in self.lines)
        spread = any(max(line) - min(line) > _SPREAD for line in self.lines if line)
        self._may_shift = not exactly and not self.are_shares and spread

    def how(self, streams: Sequence[Stream]) -> Seen:
        """Say how the numbers of the step stand in these streams, at best. To find them in part takes longest."""
        if any(map(self.find, streams)):
            return Seen.FULLY
        return Seen.IN_PART if any(map(self.find_in_part, streams)) else Seen.NOT

    def find(self, stream: Stream) -> Sighting | None:
        """Return the sighting after which all numbers have been in this stream."""
        return self.find_together(stream) or (None if self._tables else self.find_one_by_one(stream))

    def find_together(self, stream: Stream) -> Sighting | None:
        """Return it where each line stood there as one: numbers that pass one by one may be in the order by chance."""
        if self._tables:
            return self._find_tables(stream)
        alone = all(len(line) == 1 for line in self.lines)
        return self.find_lines(stream) or (self.find_one_by_one(stream) if alone else None)

    def _find_tables(self, stream: Stream) -> Sighting | None:
        """Return the sighting after which each value has stood in one table, its rows below each other, or turned."""
        found = [next((each for each in stream if _is_in_table(each.numbers, rows)), None) for rows in self._tables]
        there = [each for each in found if each is not None]
        return max(there, key=lambda each: each.moment) if there and len(there) == len(found) else None

    def find_lines(self, stream: Stream) -> Sighting | None:
        """Return the sighting after which every line has been in this stream."""
        return self._all(stream, lines_of, self._holds) or self._find_joined(stream)

    def _find_joined(self, stream: Stream) -> Sighting | None:
        """Return the sighting in which single numbers, written down one after another, stand in one list."""
        if len(self.lines) == 1 or any(len(line) != 1 for line in self.lines):
            return None
        joined = [number for line in self.lines for number in line]
        there = (
            each for each in stream for row in rows_of(each.numbers) if len(row) == len(joined) and _same(row, joined)
        )
        return next(there, None)

    def find_in_part(self, stream: Stream) -> Sighting | None:
        """Return the sighting after which all lines have been in this stream, up to a factor or a constant each."""
        if not self.are_shares and not self._may_shift:
            return None
        return self._all(stream, rows_of, self._holds_in_part) or self._runs_in_part(stream)

    def find_scaled(self, stream: Stream) -> Sighting | None:
        """Return the sighting after which all lines, of two numbers or more, have been there, each up to a factor."""
        return self._all(stream, rows_of, _is_scaled) if all(len(line) > 1 for line in self.lines) else None

    @property
    def only_shifts_an_input(self) -> bool:
        """Tell whether each line is a row of an input with a constant taken from it: any constant would look so."""
        return self._may_shift and all(
            any(len(row) == len(line) and self._holds_in_part(row, line) for row in self._given) for line in self.lines
        )

    def grows(self, streams: Sequence[Stream]) -> bool:
        """Tell whether a list takes up line after line because nobody empties it, and no list holds a line alone."""
        if len(self.lines) <= 1 or not all(self.lines):
            return False
        first, second = self.lines[:2]
        same = _is_scaled if self.are_shares else _same
        rows = {row for stream in streams for each in stream for row in rows_of(each.numbers)}
        if any(_same(row, second) for row in rows):
            return False
        cut = len(first)
        return any(same(row[:cut], first) and same(row[cut:], second) for row in rows)

    def _could_stand_anywhere(self, line: Line) -> bool:
        """Tell whether the numbers mean little: 0, 1, sizes, and what the inputs hold."""
        return all(abs(number) in self._common for number in line)

    def _all(
        self, stream: Stream, lines: Callable[[Numbers], Sequence[Line]], holds: Callable[[Line, Line], bool]
    ) -> Sighting | None:
        """Return the sighting with which every line has been in the stream."""
        missing, looked_at = list(self.lines), set[Line]()
        for each in stream:
            there = set(lines(each.numbers)) - looked_at  # a list that grows is seen many times
            if not there:
                continue
            looked_at |= there
            missing = [line for line in missing if not any(holds(got, line) for got in there)]
            if not missing:
                return each
        return None

    def _holds(self, got: Line, want: Line) -> bool:
        """Find the line itself, or within a longer one whose other numbers are hidden later or are other lines."""
        extra = len(got) - len(want)
        if extra < 0 or not want or (extra and (self.is_weak or self._whole)):
            return False
        if self.are_shares:
            return _same(got[: len(want)], want) and _are_nothing(got[len(want) :])
        starts = range(1) if self._could_stand_anywhere(want) else range(extra + 1)
        return any(_same(got[at : at + len(want)], want) for at in starts)

    def _holds_in_part(self, got: Line, want: Line) -> bool:
        """Find the line up to a factor (shares of a whole) or up to a constant (all others)."""
        head, rest = got[: len(want)], got[len(want) :]
        if len(got) < len(want) or not want or not all(map(math.isfinite, head)):
            return False
        if self.are_shares:
            total = sum(head)
            return total > 0 and _same([number / total for number in head], want) and _are_nothing(rest)
        shift = head[0] - want[0]
        return _same([number - shift for number in head], want)

    def find_one_by_one(self, stream: Stream) -> Sighting | None:
        """Find the numbers in order in a variable that holds one at a time; others may be between."""
        if self.is_weak:
            return None
        wanted = [number for line in self.lines for number in line]
        wanted = [number for at, number in enumerate(wanted) if at == 0 or number != wanted[at - 1]]
        at = 0
        for each in _singles(stream):
            if close(each.numbers.flat[0], wanted[at]):
                at += 1
                if at == len(wanted):
                    return each
        return None

    def _runs_in_part(self, stream: Stream) -> Sighting | None:
        """Find the lines in order in a variable that holds one number at a time, with nothing inside a line."""
        singles = _singles(stream)
        flat = tuple(each.numbers.flat[0] for each in singles)
        end = 0
        for line in self.lines:
            starts = range(end, len(flat) - len(line) + 1)
            start = next((at for at in starts if self._holds_in_part(flat[at : at + len(line)], line)), None)
            if start is None:
                return None
            end = start + len(line)
        return singles[end - 1] if end else None


def is_input(stream: Stream, inputs: Sequence[Numbers]) -> bool:
    """Tell whether a variable only ever held inputs: whole, turned, their first rows, one row or one number."""
    return all(any(_is_part(each.numbers, given) for given in inputs) for each in stream)


def is_counting(stream: Stream) -> bool:
    """Tell whether a variable goes up by 1, as that of a loop does, perhaps again and again from its start."""
    flat = [each.numbers.flat[0] for each in _singles(stream)]
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
    return len(line) < len(longer) and any(_same(longer[at : at + len(line)], line) for at in starts)


def _is_in_table(numbers: Numbers, rows: Sequence[Line]) -> bool:
    """Tell whether a table holds these rows in their order, perhaps with others between, or as its columns."""
    if len(numbers.shape) < _MATRIX:
        return False
    own = rows_of(numbers)
    if len(numbers.shape) == _MATRIX and len(own) == len(rows[0]) and len(own[0]) == len(rows):
        turned = list(zip(*own, strict=True))
        if all(map(_same, turned, rows)):
            return True
    left = iter(own)
    return all(any(_same(got, want) for got in left) for want in rows)


def _singles(stream: Stream) -> list[Sighting]:
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


def _same(got: Sequence[float], want: Sequence[float]) -> bool:
    return len(got) == len(want) and all(map(close, got, want))


def _is_scaled(got: Line, want: Line) -> bool:
    at = max(range(len(want)), key=lambda place: abs(want[place]))
    if len(got) != len(want) or not got[at] or not want[at]:
        return False
    return _same([number * want[at] / got[at] for number in got], want)


def _are_nothing(rest: Sequence[float]) -> bool:
    return all(close(number, 0.0) for number in rest)
