"""Tell what kind of numbers a step gives, by the right numbers alone: a choice, a cut, a repetition, padded shares."""

from __future__ import annotations

from collections.abc import Sequence

from course.practice import StepValues
from course.xray_lines import Line, adds_up_to_1, are_nothing, is_cut_from, rows_of, same_line

Steps = Sequence[StepValues]


def all_rows(step: StepValues) -> Sequence[Line]:
    """Return the rows of all values of a step."""
    return [row for value in step.values for row in rows_of(value)]


def only_pads(steps: Steps) -> bool:
    """Tell whether the last step only puts zeros behind the shares of a whole that an earlier step makes."""
    answer = all_rows(steps[-1])
    shares = (all_rows(each) for each in steps[:-1])
    return any(len(rows) == len(answer) and all(map(_is_padded, answer, rows)) for rows in shares)


def _is_padded(line: Line, share: Line) -> bool:
    cut = len(share)
    return adds_up_to_1(share) and same_line(line[:cut], share) and are_nothing(line[cut:])


def is_choice(step: StepValues) -> bool:
    """Tell whether the step only counts or chooses: whole single numbers, which could stand anywhere or nowhere."""
    return all(not value.shape and value.flat[0].is_integer() for value in step.values)


def repeats(step: StepValues, steps: Steps) -> bool:
    """Tell whether an earlier step has the same numbers here: they are no evidence of this one."""
    return any(each.step < step.step and all_rows(each) == all_rows(step) for each in steps)


def is_cut(step: StepValues, steps: Steps) -> bool:
    """Tell whether every row of a step is a part of a row of an earlier step."""
    before = [row for each in steps if each.step < step.step for row in all_rows(each)]
    return all(value.shape for value in step.values) and all(
        any(is_cut_from(line, row) for row in before) for line in all_rows(step)
    )
