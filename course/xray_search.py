"""Look for the numbers of one step among those that a variable held: names and styles do not matter.

The numbers may stand there as one list for each time the step is done, as rows or columns of a table, or as single
numbers one after another. Forms that right solutions use are seen too, "in part": scores with a constant taken from
each row, weights that are divided by their sum only later.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import partial
from itertools import groupby
from typing import Final

from course.compare import close
from course.values import Numbers
from course.xray import Sighting
from course.xray_counts import find_counts
from course.xray_lines import (
    Line,
    Stream,
    adds_up_to_1,
    are_hidden,
    are_nothing,
    has_between,
    is_in_order,
    is_in_table,
    is_scaled,
    lines_of,
    rows_of,
    same_line,
    singles,
    still_to_add,
)

_MATRIX: Final = 2
_SPREAD: Final = 1e-3  # far above rounding
_FEW: Final = 2  # so few numbers come in an order by chance


class Seen(IntEnum):
    """How the numbers of a step were seen."""

    NOT = 0
    IN_PART = 1
    FULLY = 2


class Search:
    """The numbers of one step, one line for each row.

    `rounds`: only those of the first times that the step is done. With `exactly`, they are not looked for in part; with
    `whole`, not inside a longer row either; with `as_tables`, each value must stand in one table. `picks`: the lines
    are rows of the inputs, so that only all of them in their order, and no others, are the step's. `scores`: a softmax
    follows, so that a constant may be added to each. `counts`: the lines are counted, so that each number may pass by
    while it still grows. `parts`: the lines are cut from rows of the inputs, so that a table must hold all of them.
    """

    def __init__(  # noqa: PLR0913  # how to look for them
        self,
        inputs: Sequence[Numbers],
        values: Sequence[Numbers],
        *,
        rounds: int | None = None,
        exactly: bool = False,
        whole: bool = False,
        as_tables: bool = False,
        picks: bool = False,
        scores: bool = False,
        counts: bool = False,
        parts: bool = False,
    ) -> None:
        self.picks = picks
        self._parts = parts
        self.counts = counts
        self._whole = whole
        self._tables = [rows_of(value) for value in values[:rounds]] if as_tables else []
        self._given = [row for each in inputs for row in rows_of(each)]
        self.lines = [line for value in values[:rounds] for line in rows_of(value)]
        self._all_lines = [line for value in values for line in rows_of(value)]
        self._common = {0.0, 1.0}.union(*(each.flat for each in inputs), *(map(float, each.shape) for each in inputs))
        self.is_weak = not picks and all(map(self._could_stand_anywhere, self.lines))
        self.are_shares = not exactly and all(map(adds_up_to_1, self.lines))
        spread = any(max(line) - min(line) > _SPREAD for line in self.lines if line)
        self._may_shift = scores and not exactly and not self.are_shares and spread

    def how(self, streams: Sequence[Stream]) -> Seen:
        """Say how the numbers of the step stand in these streams, at best. To find them in part takes longest."""
        if any(map(self.find_together, streams)):
            return Seen.FULLY
        if any(map(self.find, streams)) and not self._is_scattered(streams):
            return Seen.FULLY
        return Seen.IN_PART if any(map(self.find_in_part, streams)) else Seen.NOT

    def _is_scattered(self, streams: Sequence[Stream]) -> bool:
        """Tell whether each line stands in a longer list, with other numbers between its own."""
        lists = {row for stream in streams for each in stream if each.numbers.shape for row in rows_of(each.numbers)}
        return all(len(line) > 1 and any(map(partial(has_between, line), lists)) for line in self.lines)

    def find(self, stream: Stream) -> Sighting | None:
        """Return the sighting after which all numbers have been in this stream."""
        together = self._tables or self.picks or self.counts
        return self.find_together(stream) or (None if together else self.find_one_by_one(stream))

    def find_together(self, stream: Stream) -> Sighting | None:
        """Return it where each line stood there as one: numbers that pass one by one may be in the order by chance."""
        if self.picks:
            return self._find_picks(stream)
        if self.counts:
            return find_counts(stream, self.lines)
        if self._tables:
            return self._find_tables(stream)
        alone = all(len(line) == 1 for line in self.lines)
        return self.find_lines(stream) or (self.find_one_by_one(stream) if alone else None)

    def _find_tables(self, stream: Stream) -> Sighting | None:
        """Return the sighting after which each value has stood in one table, its rows below each other, or turned."""
        found = [next((each for each in stream if is_in_table(each.numbers, rows)), None) for rows in self._tables]
        there = [each for each in found if each is not None]
        return max(there, key=lambda each: each.moment) if there and len(there) == len(found) else None

    def _find_picks(self, stream: Stream) -> Sighting | None:
        """Return the sighting with which the rows, and no others, have been there one by one, or of a table of them."""
        in_turn = [line for line, _ in groupby(self.lines)]  # a variable that stays the same is seen once
        rows = [rows_of(each.numbers) for each in stream]
        if [row for row, _ in groupby(row for each in rows for row in each[:2])] == in_turn:
            return stream[-1]
        return next((each for each, own in zip(stream, rows, strict=True) if own == self.lines), None)

    def find_lines(self, stream: Stream) -> Sighting | None:
        """Return the sighting after which every line has been in this stream."""
        return self._all(stream, lines_of, self._holds) or self._find_joined(stream)

    def _find_joined(self, stream: Stream) -> Sighting | None:
        """Return the sighting in which single numbers, written down one after another, stand in one list."""
        if len(self.lines) == 1 or any(len(line) != 1 for line in self.lines):
            return None
        joined = [number for line in self.lines for number in line]
        there = (each for each in stream for row in rows_of(each.numbers) if same_line(row, joined))
        return next(there, None)

    def find_in_part(self, stream: Stream) -> Sighting | None:
        """Return the sighting after which all lines have been in this stream, up to a factor or a constant each."""
        if not self.are_shares and not self._may_shift:
            return None
        return self._all(stream, self._rows_in_part, self._holds_in_part) or self._runs_in_part(stream)

    def _rows_in_part(self, numbers: Numbers) -> Sequence[Line]:
        """Return the rows of a table that has no other ones: one of many is like a line by chance."""
        rows = rows_of(numbers)
        known = (any(self._holds_in_part(row, line) for line in self._all_lines) or are_nothing(row) for row in rows)
        return rows if len(rows) <= 1 or all(known) else ()

    def find_sums(self, stream: Stream) -> Sighting | None:
        """Return the sighting with which tables have been there whose rows or columns add up to every line."""
        numbers = [each for each in stream if len(each.numbers.shape) > 1]
        found = [next((each for each in numbers if still_to_add(each.numbers, line)), None) for line in self.lines]
        return found[-1] if len(self.lines[0]) > 1 and all(found) else None

    def find_scaled(self, stream: Stream) -> Sighting | None:
        """Return the sighting after which all lines, of two numbers or more, have been there, each up to a factor."""
        return self._all(stream, rows_of, is_scaled) if all(len(line) > 1 for line in self.lines) else None

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
        alike = is_scaled if self.are_shares and len(first) > 1 else same_line  # one number is any other one scaled
        rows = {row for stream in streams for each in stream for row in rows_of(each.numbers)}
        if any(same_line(row, second) for row in rows):
            return False
        cut = len(first)
        return any(alike(row[:cut], first) and alike(row[cut:], second) for row in rows)

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
            if not there or self._stand_by_chance(each.numbers, holds):
                continue
            found = {line for line in missing if any(holds(got, line) for got in there)}
            by_chance = set(filter(partial(still_to_add, each.numbers), found))
            if by_chance and not self._are_all_in(each.numbers, holds):
                found -= by_chance
            else:
                looked_at |= there
            missing = [line for line in missing if line not in found]
            if not missing:
                return each
        return None

    def _stand_by_chance(self, numbers: Numbers, holds: Callable[[Line, Line], bool]) -> bool:
        """Tell whether lines in a table show nothing: single numbers among others, or parts of rows but not of all."""
        if len(numbers.shape) != _MATRIX or min(numbers.shape) <= 1:
            return False
        if all(len(line) == 1 for line in self._all_lines):
            return True
        rows = rows_of(numbers)
        return self._parts and not any(
            is_in_order(each, self.lines, holds) for each in (rows, list(zip(*rows, strict=True)))
        )

    def _are_all_in(self, numbers: Numbers, holds: Callable[[Line, Line], bool]) -> bool:
        """Tell whether the rows of a table, or its columns, are the lines of all times that the step is done."""
        rows, want = rows_of(numbers), self._all_lines
        both = (rows, list(zip(*rows, strict=True)))
        return any(len(each) == len(want) > 1 and all(map(holds, each, want)) for each in both)

    def _holds(self, got: Line, want: Line) -> bool:
        """Find the line itself, or within a longer one whose other numbers are hidden later or are other lines."""
        extra = len(got) - len(want)
        if extra > 0 and want and are_hidden(got[len(want) :]):
            return same_line(got[: len(want)], want)
        if extra < 0 or not want or (extra and (self.is_weak or self._whole)):
            return False
        if self.are_shares:
            return same_line(got[: len(want)], want) and are_nothing(got[len(want) :])
        starts = range(1) if self._could_stand_anywhere(want) else range(extra + 1)
        return any(same_line(got[at : at + len(want)], want) for at in starts)

    def _holds_in_part(self, got: Line, want: Line) -> bool:
        """Find the line up to a factor (shares of a whole) or up to a constant (all others)."""
        head, rest = got[: len(want)], got[len(want) :]
        if len(got) < len(want) or not want or not all(map(math.isfinite, head)):
            return False
        if self.are_shares:
            total = sum(head)
            return total > 0 and same_line([number / total for number in head], want) and are_nothing(rest)
        if self._whole and rest and not are_hidden(rest):
            return False
        shift = head[0] - want[0]
        return same_line([number - shift for number in head], want)

    def find_one_by_one(self, stream: Stream) -> Sighting | None:
        """Find the numbers in order in a variable that holds one at a time; others may be between."""
        if self.is_weak:
            return None
        wanted = [number for line in self.lines for number in line]
        many = len(wanted) > _FEW
        wanted = [number for number, _ in groupby(wanted)]
        alone = singles(stream)
        if many and len(wanted) <= _FEW and not same_line([number for number, _ in groupby(_flat(alone))], wanted):
            return None
        at = 0
        for each in alone:
            if close(each.numbers.flat[0], wanted[at]):
                at += 1
                if at == len(wanted):
                    return each
        return None

    def _runs_in_part(self, stream: Stream) -> Sighting | None:
        """Find the lines in order in a variable that holds one number at a time, and nothing in or between them."""
        alone = singles(stream)
        flat = _flat(alone)
        end = 0
        for line in self.lines:
            starts = range(end, len(flat) - len(line) + 1)
            start = next((at for at in starts if self._holds_in_part(flat[at : at + len(line)], line)), None)
            if start is None or (end and not are_nothing(flat[end:start])):
                return None
            end = start + len(line)
        return alone[end - 1] if end else None


def _flat(alone: Stream) -> Line:
    return tuple(each.numbers.flat[0] for each in alone)
