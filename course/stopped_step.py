"""Say at which step a call was when the learner stopped it, from what their variables held. It is not made again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from course.compare import close
from course.errors.spot import find_spot
from course.practice import StepValues
from course.values import Numbers, read_value
from course.xray_kinds import is_choice

_MOST_ROWS: Final = 200  # an endless loop may have filled a list with millions
Rows = tuple[Numbers, ...]


@dataclass(frozen=True)
class _Held:
    """What the variables held: each as one table of numbers where it is one, and each list by its rows."""

    whole: tuple[Numbers, ...]
    lists: tuple[Rows, ...]

    def has(self, number: Numbers) -> bool:
        """Tell whether these numbers were there."""
        return any(_same(each, number) for each in (*self.whole, *(row for rows in self.lists for row in rows)))

    def has_done(self, values: Sequence[Numbers]) -> tuple[int, bool]:
        """Count how many of these rows were written down, and tell whether a list goes on with other ones."""
        counts = [(_right_rows(rows, values), rows) for rows in self.lists if rows]
        right, rows = max(counts, key=lambda each: each[0], default=(0, ()))
        return right, right > 0 and len(rows) > right


def step_when_stopped(
    error: BaseException, solve: object, steps: Sequence[StepValues], arguments: Mapping[str, Any]
) -> int:
    """Return the number of the step that was not done yet, in the round in which the call was; 0 where none is known.

    `steps` are what each step gives in this example, with one value for each round of the loop; `arguments` its inputs.
    """
    spot = find_spot(error, solve)
    if spot is None or not steps:
        return 0
    names = {**(spot.caller.f_locals if spot.caller else {}), **spot.own_names}
    held = _look(names.values(), [read_value(each) for each in arguments.values()])
    rounds = max(len(each.values) for each in steps)
    ends = [each for each in steps if len(each.values) == rounds][-1]
    done, goes_on = held.has_done(ends.values)
    if done == rounds and not goes_on:
        left = [each for each in steps if each.step > ends.step]
        return _first_missing(left, held, 0) or steps[-1].step
    at = max(0, done - 1) if goes_on else done  # a round that comes again was never left
    return _first_missing([each for each in steps if each.step <= ends.step], held, at) or ends.step


def _first_missing(steps: Sequence[StepValues], held: _Held, at: int) -> int:
    """Return the first step whose numbers of this round were not there; 0 where all were.

    A step that only chooses may leave no number behind: it was done where any other numbers were made.
    """
    all_choose = all(map(is_choice, steps))
    for each in steps:
        chosen = is_choice(each) and not all_choose and any(number.flat for number in held.whole)
        if not chosen and not held.has(each.values[min(at, len(each.values) - 1)]):
            return each.step
    return 0


def _look(values: Any, given: Sequence[object]) -> _Held:  # noqa: ANN401  # whatever the learner's variables held
    short = [_cut(each) for each in values]
    whole = [numbers for each in short if isinstance(numbers := read_value(each), Numbers) and numbers not in given]
    listed = [tuple(map(read_value, each)) for each in short if type(each) is list and read_value(each) not in given]
    return _Held(tuple(whole), tuple(tuple(row for row in each if isinstance(row, Numbers)) for each in listed))


def _cut(value: object, deeper: int = 1) -> object:
    if type(value) is not list:
        return value
    return [_cut(each, deeper - 1) if deeper else each for each in value[:_MOST_ROWS]]


def _right_rows(rows: Rows, values: Sequence[Numbers]) -> int:
    right = 0
    for got, want in zip(rows, values, strict=False):
        if not _same(got, want):
            break
        right += 1
    return right


def _same(got: Numbers, want: Numbers) -> bool:
    return got.shape == want.shape and all(map(close, got.flat, want.flat))
