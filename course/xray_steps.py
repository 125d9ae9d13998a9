"""Hold the numbers that a running `solve` showed against those of each step, and say where it goes another way.

A step counts as seen where all its numbers stand in one variable, whatever its name (see `course.xray_search`). Where a
later step is seen, the earlier ones were right. A step that only counts or chooses (whole single numbers) can stand
anywhere or nowhere: it is named only where the examples together point to it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, Final

from course.practice import StepValues
from course.rounds import say_cause, say_lost_rounds
from course.xray import Place, read_inputs, watch
from course.xray_error import Reached
from course.xray_inside import is_inside
from course.xray_kinds import Steps, counted, is_choice, only_pads
from course.xray_look import Look
from course.xray_search import Seen
from course.xray_shown import say_growing, say_sums

_ONLY_THE_ANSWER: Final = 1


@dataclass(frozen=True)
class Finding:
    """Where `solve` goes another way: the first step whose numbers never appear, and the steps before it that do.

    `step` is None where the numbers of every step appear: then the mistake is in what is returned. `missing` are the
    names of the step whose numbers never appear, where those of others do. `proved` are the steps all of whose numbers
    appear as they are, as those of all steps before them do: whatever is wrong comes after them. `says` is what a list
    or a loop shows of itself, in a sentence, `loop` what a loop does, `cause` what is certain; "" where there is none.
    `inside`: the step may stand inside a line that does more, so that it may be right although it was not seen.
    """

    step: int | None
    right: tuple[int, ...]
    missing: tuple[str, ...] = ()
    proved: tuple[int, ...] = field(default=(), compare=False)
    says: str = field(default="", compare=False)
    cause: str = field(default="", compare=False)
    inside: bool = field(default=False, compare=False)
    loop: str = field(default="", compare=False)


def find_step(
    solve: Callable[..., object],
    examples: Sequence[Mapping[str, Any]],
    passed: Sequence[bool],
    step_values: Sequence[Steps],
) -> Finding | None:
    """Watch `solve` on the failing examples and say where it goes another way; None if that cannot be told.

    `examples` are the arguments by name, `passed` what the check found, `step_values` the right numbers, all in the
    same order.
    """
    failing = [at for at, ok in enumerate(passed) if not ok]
    pads = all(map(only_pads, filter(None, step_values)))
    counts = counted(step_values)
    looks = [Look(watch(solve, examples[at]), step_values[at], pads, counts) for at in failing]
    looks = [look for look in looks if look.steps and look.sightings.streams]  # else there is nothing to hold together
    looks = [look for look in looks if look.sightings.complete and look.judged]
    if not looks:
        return None
    stopped = [look for look in looks if look.sightings.raised]
    first = _earliest([look for look in looks if look not in stopped] or looks)
    if looks[0] in stopped:
        first = min(first, _earliest(stopped), key=lambda look: look.first_not_seen or math.inf)
    reached, last = looks[0].sightings.reached, looks[0].steps[-1].step
    if reached is Reached.LATER and (first.first_not_seen or last) < last and not first.missing(first.first_not_seen):
        return None  # the line of the error does several steps
    right = tuple(step for step in first.right if all(step in look.right for look in _sure(stopped)))
    wrong = last if reached is Reached.END else first.first_not_seen
    choice = _split_by_choice(passed, step_values) or _other_choice(looks, examples, step_values)
    if choice is not None and all(
        choice in look.right if look in stopped else look.has_chosen(choice) for look in looks
    ):
        choice = None
    if choice is not None and (wrong is None or choice < wrong):
        return Finding(choice, (), says=_say_loop(looks), cause=say_cause(_places(looks)))
    if not right and len(first.streams) <= _ONLY_THE_ANSWER:
        return None  # a single expression shows none of its steps
    proved = _proved(looks) if len(looks) == len(failing) else ()
    loop = _say_loop(looks)
    says = say_growing(first) or say_sums(first) or loop
    inside = any(is_inside(look, wrong) for look in looks)
    return Finding(wrong, right, first.missing(wrong), proved, says, say_cause(_places(looks)), inside, loop)


def _say_loop(looks: Sequence[Look]) -> str:
    if any(look.sightings.raised for look in looks):
        return ""  # the error says its own line
    return say_lost_rounds(_places(looks))


def _places(looks: Sequence[Look]) -> Iterator[Place]:
    return (each.place for look in looks for stream in look.sightings.streams for each in stream)


def _proved(looks: Sequence[Look]) -> tuple[int, ...]:
    """Return the steps whose numbers appear in every failing call. Those that could stand anywhere tell nothing."""
    shown: dict[int, list[tuple[bool, bool]]] = {}
    for look in looks:
        for step in look.seen:
            shown.setdefault(step, []).append((look.shows(step), look.is_weak(step)))
    whole = takewhile(lambda step: all(there or weak for there, weak in shown[step]), sorted(shown))
    return tuple(step for step in whole if not all(weak for _, weak in shown[step]))


def _earliest(looks: Sequence[Look]) -> Look:
    """Return the call with the earliest wrong step: a step is right only if it is right everywhere."""
    return min(_sure(looks), key=lambda look: look.first_not_seen or math.inf)


def _sure(looks: Sequence[Look]) -> Sequence[Look]:
    """Return the calls to go by; all of them where none is better.

    Numbers that could stand anywhere count only as long as a call with better ones does not say otherwise.
    """
    shown = {step for look in looks for step, how in look.seen.items() if how is Seen.FULLY and not look.is_weak(step)}
    sure = [look for look in looks if look.first_not_seen not in shown or look.is_sure(look.first_not_seen)]
    return sure or looks


def _choices(steps: Steps) -> dict[int, tuple[StepValues, ...]]:
    numbers = {step.step for step in steps if is_choice(step)}
    return {number: tuple(step for step in steps if step.step == number) for number in sorted(numbers)}


def _split_by_choice(passed: Sequence[bool], step_values: Sequence[Steps]) -> int | None:
    """Find the step that chooses otherwise in every failing example than in any that passes."""
    for number in _choices(step_values[0]):
        chosen = [_choices(steps).get(number) for steps in step_values]
        right = {values for values, ok in zip(chosen, passed, strict=True) if ok}
        wrong = {values for values, ok in zip(chosen, passed, strict=True) if not ok}
        if right and wrong and not right & wrong:
            return number
    return None


def _other_choice(
    looks: Sequence[Look], examples: Sequence[Mapping[str, Any]], step_values: Sequence[Steps]
) -> int | None:
    """Find the step at which a call chose as another example with the same numbers does: it shows what comes there."""
    for look in looks:
        if look.sightings.raised or any(map(look.is_too_small, look.steps)):
            continue
        own = _choices(look.steps)
        for example, other in zip(examples, step_values, strict=True):
            chosen = _choices(other)
            differs = [number for number in own if own[number] != chosen.get(number)]
            if differs and read_inputs(example) == look.sightings.inputs:
                later = [step for step in other if step.step >= (look.first_not_seen or math.inf)]
                if any(len({*step.values}) > 1 and look.how(step) is Seen.FULLY for step in later):
                    return differs[0]
    return None
