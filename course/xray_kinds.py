"""Tell what kind of numbers a step gives, by the right numbers alone: a choice, a cut, a repetition, padded shares."""

from __future__ import annotations

import math
from collections.abc import Sequence

from course.compare import close
from course.practice import StepValues
from course.values import Numbers
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


def counted(step_values: Sequence[Steps]) -> frozenset[int]:
    """Return the steps before the last one whose values are tables of whole numbers in every example."""
    every = [step for steps in step_values for step in steps[:-1]]
    others = {step.step for step in every if not all(map(_is_counted, step.values))}
    return frozenset(step.step for step in every) - others


def _is_counted(value: Numbers) -> bool:
    return len(value.shape) > 1 and all(number.is_integer() for number in value.flat)


def repeats(step: StepValues, steps: Steps) -> bool:
    """Tell whether an earlier step has the same numbers here: they are no evidence of this one."""
    return any(each.step < step.step and all_rows(each) == all_rows(step) for each in steps)


def are_scores(step: StepValues, steps: Steps) -> bool:
    """Tell whether a later step has the softmax of these rows, or the logarithm of the sum of their powers of e.

    Then a constant in a row changes nothing: it may be taken away there or not.
    """
    rows = all_rows(step)
    later = [all_rows(each) for each in steps if each.step > step.step]
    return any(len(each) == len(rows) and all(map(_comes_from, each, rows)) for each in later)


def _comes_from(line: Line, scores: Line) -> bool:
    largest = max(scores, default=0.0)
    powers = [math.exp(score - largest) for score in scores]
    if len(line) == 1 != len(scores):
        return close(line[0], largest + math.log(sum(powers)))
    total = sum(line)
    return total > 0 and same_line([number / total for number in line], [power / sum(powers) for power in powers])


def is_pick(step: StepValues, inputs: Sequence[Numbers]) -> bool:
    """Tell whether every row of a step is a whole row of a table that the function was given: looked up, not made."""
    given = {row for each in inputs if len(each.shape) > 1 for row in rows_of(each)}
    return all(value.shape for value in step.values) and all(row in given for row in all_rows(step))


def is_cut_from_inputs(step: StepValues, inputs: Sequence[Numbers]) -> bool:
    """Tell whether every row of a step is a row that the function was given or a part of one, and some are a part."""
    given = {row for each in inputs for row in rows_of(each)}
    parts = [line for line in all_rows(step) if line not in given]
    return (
        bool(parts)
        and all(value.shape for value in step.values)
        and all(any(is_cut_from(line, row) for row in given) for line in parts)
    )


def is_cut(step: StepValues, steps: Steps) -> bool:
    """Tell whether every row of a step is a part of a row of an earlier step."""
    before = [row for each in steps if each.step < step.step for row in all_rows(each)]
    return all(value.shape for value in step.values) and all(
        any(is_cut_from(line, row) for row in before) for line in all_rows(step)
    )
