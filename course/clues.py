"""Say which plain property a wrong answer breaks, where no known mistake gives its numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from course.compare import allowed, close, compare, show_number
from course.judging import Example
from course.outcomes import Outcome, numbers_of
from course.practice import StepValues
from course.values import Numbers, read_value

_MATRIX: Final = 2
_MOST_ROWS: Final = 64
_ONE: Final = 1.0
_COLLECT: Final = "Begin with an empty list before the loop, append each row to it, and return it below the loop."
_TWO: Final = 2
Rows = list[tuple[float, ...]]
Places = tuple[str, str]
_TABLE: Final = ("row", "column")
_SEES: Final = re.compile(r"(\w+)s that this (\w+) may see")


def broken_property(got: Numbers, want: Numbers, places: Places | None = _TABLE) -> str:
    """Say in one sentence what the whole answer tells of itself; empty if it tells nothing.

    Looks for a constant factor, a wrong sign, swapped rows and columns, rows in another order, rows that should add up
    to 1, and numbers above the diagonal where the right answer has 0: there a later place matters. `places`: what a
    row and a column stand for; None where a column further to the right is no later place.
    """
    if got.shape != want.shape or not all(map(math.isfinite, got.flat)) or _same(got.flat, want.flat):
        return ""
    return next((said for look in _LOOKS for said in [look(got, want, places)] if said), "")


def broken_shape(got: Numbers, want: Numbers) -> tuple[str, str]:
    """Say which rows are missing, come several times or hold all rows, and what to do; nothing twice where none is so.

    The rows that are there must be right: then it is the loop around them that is not.
    """
    if len(want.shape) == _MATRIX and len(got.shape) == 1:
        return _flat_row(got, _rows(want))
    if not want.shape or len(got.shape) != len(want.shape):
        return "", ""
    rows, right = _rows(got), _rows(want)
    if len(right) <= 1 or not rows or len(right) > _MOST_ROWS or len(set(right)) < len(right):
        return "", ""
    what = "row" if len(want.shape) == _MATRIX else "number"
    less, times = len(right) - len(rows), len(rows) // len(right)
    said = ("", "")
    if what == "row" and all(_same_row(row, want.flat) for row in rows):
        says = "Each row holds the numbers of all rows: its list is not emptied in between."
        said = says, "Make a new list for each row, inside the loop and before its first `append`."
    elif less > 1 and _are_rows(rows, right[-1:]):
        said = f"Your answer holds the last {what} only.", _COLLECT
    elif less > 0 and _are_rows(rows, right[less:]):
        says = f"The first {_count(less, what)} missing, and all others are right."
        cure = "Look where your loop begins: a range that starts at 1 leaves out place 0."
        said = says, f"{cure} Or is a {what} not added to the list?" if len(rows) == 1 else cure
    elif less > 0 and _are_rows(rows, right[:-less]):
        says = f"The last {_count(less, what)} missing, and all others are right."
        said = says, "Look where your loop ends: its range is too short, or something ends it too early."
    elif times > 1 and _are_rows(rows, [row for row in right for _ in range(times)]):
        says = f"Each {what} comes {times} times: the line that adds it to your answer stands inside an inner loop."
        said = says, "Move that line to the left, out of the inner loop."
    return said


def _flat_row(got: Numbers, right: Rows) -> tuple[str, str]:
    """Say which row stands alone where a list of rows is asked for."""
    at = next((at for at, row in enumerate(right) if _same_row(got.flat, row)), None)
    if at is None:
        return "", ""
    which = "the last row" if at == len(right) - 1 else "the first row" if at == 0 else f"row {at}"
    which = which if len(right) > 1 else "the right row"
    return f"Your answer is {which} alone, a flat list. It must be a list of rows.", _COLLECT


def _count(number: int, what: str) -> str:
    return f"{what} is" if number == 1 else f"{number} {what}s are"


def _are_rows(rows: Rows, right: Rows) -> bool:
    return len(rows) == len(right) and all(map(_same_row, rows, right))


def _same_row(row: Sequence[float], other: Sequence[float]) -> bool:
    return len(row) == len(other) and all(map(close, row, other))


def step_returned(
    step_values: Sequence[Sequence[StepValues]], examples: Sequence[Example], outcomes: Sequence[Outcome]
) -> str:
    """Say that the answers hold the numbers of a step that is not the last one, wherever these make a table.

    An answer of another size is not that step's: where the sizes agree, the numbers may be the same by chance.
    """
    last = max((each.step for each in step_values[0]), default=0)
    for step, name in dict.fromkeys((each.step, each.name) for each in step_values[0] if each.step < last):
        same = []
        for example, steps, outcome in zip(examples, step_values, outcomes, strict=False):
            numbers = numbers_of(outcome)
            rows = [value.flat for each in steps if (each.step, each.name) == (step, name) for value in each.values]
            flat = tuple(number for row in rows for number in row)
            is_table = len(set(map(len, rows))) == 1
            if numbers and is_table and len(set(flat)) > 1 and not compare(outcome, example.returns).passed:
                same.append(len(flat) == len(numbers.flat) and compare(outcome, Numbers(numbers.shape, flat)).passed)
        if same and all(same):
            return f"Your answer holds the numbers of step {step}, not those of step {last}."
    return ""


def name_places(inputs: Sequence[object], steps: Sequence[str]) -> Places | None:
    """Say what a row and a column of the answer stand for, by the inputs of the call and the titles of the steps.

    Where one table goes in, they are its rows and columns. Where several do, a column stands for one row of the last
    table if that holds numbers on its diagonal only; the steps say who may see what.
    """
    tables = [each for each in map(read_value, inputs) if isinstance(each, Numbers) and len(each.shape) == _MATRIX]
    if len(tables) <= 1:
        return _TABLE
    sees = next((found for title in steps if (found := _SEES.search(title))), None)
    return (sees[2], sees[1]) if sees and _is_diagonal(tables[-1]) else None


def _is_diagonal(table: Numbers) -> bool:
    rows = enumerate(_rows(table))
    return all(number == 0 or at == column for at, row in rows for column, number in enumerate(row))


def _factor(got: Numbers, want: Numbers, _places: Places | None) -> str:
    pairs = [(g, w) for g, w in zip(got.flat, want.flat, strict=True) if abs(w) > allowed(0.0)]
    if len(pairs) <= 1 or not all(close(g, 0.0) for g, w in zip(got.flat, want.flat, strict=True) if close(w, 0.0)):
        return ""
    factor = pairs[0][0] / pairs[0][1]
    if close(factor, _ONE) or close(factor, 0.0) or not all(close(g, factor * w) for g, w in pairs):
        return ""
    if close(factor, -_ONE):
        return "Every number has the wrong sign."
    return f"Every number is {show_number(factor)} times the right one."


def _turned(got: Numbers, want: Numbers, _places: Places | None) -> str:
    if len(want.shape) != _MATRIX or want.shape[0] != want.shape[1]:
        return ""
    columns = [number for column in zip(*_rows(want), strict=True) for number in column]
    return "Rows and columns are swapped." if _same(got.flat, columns) else ""


def _moved(got: Numbers, want: Numbers, _places: Places | None) -> str:
    if not want.shape or not 1 < want.shape[0] <= _MOST_ROWS:
        return ""
    rows, right = _rows(got), _rows(want)
    what = "row" if len(want.shape) == _MATRIX else "number"
    few = len(set(want.flat)) <= _TWO
    if not _are_in_another_order(rows, right) or (what == "number" and few):
        return ""  # two shares of 1 change places by chance
    if what == "row" and _are_in_another_order(_turn(rows), _turn(right)):
        return "" if few else "The numbers are right, but they stand in another order."
    far = _shift(rows, right) if len(set(right)) > _TWO else 0
    if not far:
        return f"The {what}s are right, but they stand in another order."
    places, way = f"{abs(far)} place{'s' * (abs(far) != 1)}", "early" if far > 0 else "late"
    return f"The {what}s are right, but each stands {places} too {way}."


def _turn(rows: Rows) -> Rows:
    return list(zip(*rows, strict=True))


def _are_in_another_order(rows: Rows, right: Rows) -> bool:
    left = list(right)
    for row in rows:
        match = next((other for other in left if _same(row, other)), None)
        if match is None:
            return False
        left.remove(match)
    return True


def _shift(rows: Rows, right: Rows) -> int:
    """Say how far all rows are moved up, the shorter way round: below 0 where they are moved down; 0 if neither."""
    for by in range(1, len(rows)):
        if all(_same(row, other) for row, other in zip(rows, right[by:] + right[:by], strict=True)):
            return by if by <= len(rows) - by else by - len(rows)
    return 0


def _sums(got: Numbers, want: Numbers, _places: Places | None) -> str:
    """Rows that should add up to 1. A single row of the right answer that does so is not enough to say it is a rule."""
    totals = [sum(row) for row in _rows(want)] if len(want.shape) == _MATRIX else [sum(want.flat)]
    if not want.shape or want.shape[-1] == 1 or not all(close(total, _ONE) for total in totals):
        return ""
    rows = _rows(got) if len(want.shape) == _MATRIX else [got.flat]
    for at, row in enumerate(rows):
        if not close(sum(row), _ONE):
            which = f"Row {at}" if len(rows) > 1 else "Your answer"
            return f"{which} adds up to {show_number(sum(row))}. It should add up to 1."
    return ""


def _future(got: Numbers, want: Numbers, places: Places | None) -> str:
    if len(want.shape) != _MATRIX or want.shape[0] < _MATRIX or places is None:
        return ""
    later = list(_later(_rows(want)))
    if not later or any(number for _, _, number in later):
        return ""
    for row, column, number in _later(_rows(got)):
        if not close(number, 0.0):
            who, what = places
            which = "that number" if places == _TABLE else f"the number in row {row}, column {column}"
            return f"{who.capitalize()} {row} uses {what} {column}, which comes later: {which} should be 0."
    return ""


_LOOKS: Final[tuple[Callable[[Numbers, Numbers, Places | None], str], ...]] = (_turned, _moved, _future, _sums, _factor)


def _later(rows: Rows) -> Iterator[tuple[int, int, float]]:
    for at, row in enumerate(rows):
        for column, number in enumerate(row[at + 1 :], start=at + 1):
            yield at, column, number


def _rows(numbers: Numbers) -> Rows:
    width = len(numbers.flat) // numbers.shape[0] if numbers.shape[0] else 0
    return [numbers.flat[at * width : (at + 1) * width] for at in range(numbers.shape[0])]


def _same(got: Sequence[float], want: Sequence[float]) -> bool:
    return all(close(g, w) for g, w in zip(got, want, strict=True))
