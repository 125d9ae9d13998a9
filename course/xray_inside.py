"""Tell whether a step whose numbers were not seen may stand inside a line that does more."""

from __future__ import annotations

from collections.abc import Sequence

from course.practice import StepValues
from course.values import Numbers
from course.xray_kinds import all_rows, is_cut
from course.xray_lines import is_cut_from, rows_of
from course.xray_look import Look


def is_inside(look: Look, number: int | None) -> bool:
    """Tell whether no variable held anything like the rows of a step: other than inputs, and the answer at the end.

    Then the step may be right although its numbers never appear. What is looked up is a row of the inputs, and an error
    may have come first: of these nothing is told.
    """
    steps = [step for step in look.judged if step.step == number != look.steps[-1].step]
    rows = all(value.shape for step in steps for value in step.values)
    if look.sightings.raised or not steps or not rows or any(look.search(step).picks for step in steps):
        return False
    held = [each.numbers for stream in look.sightings.streams for each in stream if each.numbers.shape]
    held = [each for each in held if each not in look.sightings.inputs]
    if any(is_cut(step, look.steps) for step in steps):
        return not _holds_parts(look, steps, held)
    widths = {value.shape[-1] for step in steps for value in step.values}
    given = {row for each in look.sightings.inputs for row in rows_of(each)}
    made = [each for each in held if each.shape[-1] in widths and not given.issuperset(rows_of(each))]
    return all(each == look.returned.numbers for each in made)


def _holds_parts(look: Look, steps: Sequence[StepValues], held: Sequence[Numbers]) -> bool:
    """Tell whether there was a table of the very shape of a cut, an empty one, or parts of the rows before it."""
    before = {row for step in look.steps if step.step < steps[0].step for row in all_rows(step)}
    shapes = {value.shape for step in steps for value in step.values}
    return any(
        each.shape in shapes or not each.flat or any(is_cut_from(rows_of(each)[0], row) for row in before)
        for each in held
        if len(each.shape) > 1
    )
