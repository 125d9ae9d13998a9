"""Hold the numbers that a running `solve` showed against those of each step, and say where it goes another way.

A step counts as seen where all its numbers stand in one variable, whatever its name (see `course.xray_search`). Where a
later step is seen, the earlier ones were right. A step that only counts or chooses (whole single numbers) can stand
anywhere or nowhere: it is named only where the examples together point to it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from course.practice import StepValues
from course.values import Numbers
from course.xray import Place, Sighting, Sightings, read_inputs, watch
from course.xray_search import Search, Seen, is_input, rows_of

Steps = Sequence[StepValues]
_ONLY_THE_ANSWER: Final = 1


@dataclass(frozen=True)
class Finding:
    """Where `solve` goes another way: the first step whose numbers never appear, and the steps before it that do.

    `step` is None where the numbers of every step appear: then the mistake is in what is returned. `held`: what the
    names on the line of an error held, in the first failing example.
    """

    step: int | None
    right: tuple[int, ...]
    held: str = field(default="", compare=False)

    def __str__(self) -> str:
        """Say it in one sentence or two."""
        if self.step is None:
            return "The right numbers of every step appear in your code. Look at what happens to them at the end."
        if not self.right:
            return f"Step {self.step} is where your code goes another way."
        return f"{_list_steps(self.right)} right; step {self.step} is where your code goes another way."


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
    looks = [Look(watch(solve, examples[at]), step_values[at]) for at in failing]
    held = looks[0].sightings.held if looks else ""
    looks = [look for look in looks if look.sightings.complete and look.judged]
    if not looks:
        return None
    first = _earliest([look for look in looks if not look.sightings.raised] or looks)
    wrong = first.first_not_seen
    choice = _split_by_choice(passed, step_values) or _other_choice(looks, examples, step_values)
    if choice is not None and (wrong is None or choice < wrong):
        return Finding(choice, (), held)
    if not first.right and len(first.streams) <= _ONLY_THE_ANSWER:
        return None  # a single expression shows none of its steps
    return Finding(wrong, first.right, held)


def first_step_not_seen(sightings: Sightings, steps: Steps) -> int | None:
    """Return the first step whose numbers never appear; None if there is none, or if it cannot be told."""
    return Look(sightings, steps).first_not_seen if sightings.complete else None


def line_of_step(sightings: Sightings, step: StepValues) -> int | None:
    """Return the first line after which all numbers of the step are there; None if they never are."""
    places = places_of_step(sightings, step)
    return places[0].line if places else None


def places_of_step(sightings: Sightings, step: StepValues) -> tuple[Place, ...]:
    """Return the first line after which all numbers of the step are there; then the line that called it, if any.

    A function that starts later is not meant: it was only given the numbers.
    """
    look = Look(sightings, (step,))
    search = look.search(step)
    found = [sighting for stream in look.streams if (sighting := search.find_lines(stream))]
    found = found or [sighting for stream in look.streams if (sighting := search.find_one_by_one(stream))]
    places: dict[tuple[object, ...], Place] = {}
    for each in sorted(found, key=lambda sighting: sighting.moment):
        places.setdefault(_function(each.place), each.place)
    started: dict[tuple[object, ...], int] = {}
    for each in sorted((each for stream in sightings.streams for each in stream), key=lambda each: each.moment):
        started.setdefault(_function(each.place), each.moment)
    first = started[next(iter(places))] if places else 0
    return tuple(place for function, place in places.items() if started[function] <= first)


def _function(place: Place) -> tuple[object, ...]:
    return place.file, place.function, place.begins


@dataclass(frozen=True)
class Look:
    """One call held against the steps of its example."""

    sightings: Sightings
    steps: Steps

    @cached_property
    def streams(self) -> Sequence[Sequence[Sighting]]:
        """Everything that is not just an input again."""
        return [stream for stream in self.sightings.streams if not is_input(stream, self.sightings.inputs)]

    @cached_property
    def judged(self) -> Steps:
        """The steps that can be seen: their numbers are not just counts, and no earlier step has the same ones."""
        last = self.steps[-1].step
        return [step for step in self.steps if not is_choice(step) and (step.step == last or not self._repeats(step))]

    def _repeats(self, step: StepValues) -> bool:
        """Tell whether an earlier step has the same numbers here: they are no evidence of this one."""
        return any(each.step < step.step and _all_rows(each) == _all_rows(step) for each in self.steps)

    @cached_property
    def seen(self) -> Mapping[int, Seen]:
        """How each step that can be seen was seen."""
        return {step.step: self.how(step) for step in self.judged}

    @cached_property
    def first_not_seen(self) -> int | None:
        """The first step whose numbers never appear."""
        latest = max((step for step, how in self.seen.items() if how), default=0)
        if latest and self.seen[latest] is Seen.IN_PART and self._ends_otherwise(latest):
            return latest
        if self._first_growing is not None:
            return self._first_growing
        return min((step for step in self.seen if step > latest), default=None)

    @cached_property
    def _first_growing(self) -> int | None:
        """The first step whose list is never emptied, unless a later step has its numbers nevertheless."""
        growing = {step.step for step in self.judged if self.search(step).grows(self.streams)}
        fine = max((step for step, how in self.seen.items() if how and step not in growing), default=0)
        return min((step for step in growing if step > fine), default=None)

    @cached_property
    def right(self) -> tuple[int, ...]:
        """The steps before that are surely right: their numbers appear, or those of a later one do."""
        end = self.first_not_seen or math.inf
        latest = max((step for step, how in self.seen.items() if how and step < end), default=0)
        latest = max(latest, (self._first_growing or 1) - 1)
        return tuple(sorted({step.step for step in self.steps if step.step <= latest}))

    def is_weak(self, number: int) -> bool:
        """Tell whether the numbers of a step could stand anywhere in this example."""
        return all(self.search(step).is_weak for step in self.steps if step.step == number)

    def how(self, step: StepValues) -> Seen:
        """Say how the numbers of a step, of this example or of another one, stand in this call."""
        search = self.search(step)
        if step.step != self.steps[-1].step and search.is_given:
            in_order = any(map(search.stands_in_order, self.sightings.streams))
            return Seen.FULLY if in_order else max(map(search.how, self.streams), default=Seen.NOT)
        if step.step == self.steps[-1].step and self._repeats(step):
            return search.how([self._returned])
        return max(map(search.how, self.streams), default=Seen.NOT)

    def search(self, step: StepValues) -> Search:
        """Return the search for a step's numbers. The last step has no other forms: its numbers are the answer."""
        is_last = step.step == self.steps[-1].step
        done = step.values[: self._rounds]
        return Search(self.sightings.inputs, done, exactly=is_last, whole=is_last and len(self.steps) > 1)

    @cached_property
    def _rounds(self) -> int | None:
        """How often the steps were begun: an error may have ended the first time already. None: as often as needed."""
        if not self.sightings.raised:
            return None
        values = self.steps[-1].values
        done = 1
        while done < len(values) and self._has(values[:done]):
            done += 1
        return done

    def _has(self, values: Sequence[Numbers]) -> bool:
        search = Search(self.sightings.inputs, values, exactly=True)
        return any(search.find(stream) for stream in self.streams)

    @cached_property
    def _returned(self) -> Sighting:
        """The last numbers of the call: the answer."""
        return max((stream[-1] for stream in self.sightings.streams), key=lambda each: each.moment)

    def _ends_otherwise(self, number: int) -> bool:
        """Tell whether a step whose numbers are there in part has a wrong end; else its end was left for the next step.

        An example is weights that are never divided by their sum, or by the wrong one.
        """
        search = self.search(next(step for step in self.judged if step.step == number))
        if not search.are_shares:
            return search.only_shifts_an_input
        answer = self.search(self.steps[-1])
        return bool(answer.find_scaled([self._returned])) or self._goes_on(search, set(map(len, answer.lines)))

    def _goes_on(self, search: Search, widths_of_answer: Collection[int]) -> bool:
        """Tell whether another row of the same width comes after all that are there in part."""
        width = len(search.lines[-1])
        if width in widths_of_answer or len(set(search.lines)) < len(search.lines):
            return False  # a row of the answer, or of the next time the step is done, would look the same
        start = min(found.moment for stream in self.streams if (found := search.find_in_part(stream)))
        everything = [each for stream in self.streams for each in stream]
        known = {row for each in everything if each.moment <= start for row in rows_of(each.numbers)}
        later = [each.numbers for each in everything if start < each.moment < self._returned.moment]
        return any(len(row) == width and row not in known for numbers in later for row in rows_of(numbers))


def _all_rows(step: StepValues) -> Sequence[tuple[float, ...]]:
    return [row for value in step.values for row in rows_of(value)]


def is_choice(step: StepValues) -> bool:
    """Tell whether the step only counts or chooses: whole single numbers, which could stand anywhere or nowhere."""
    return all(not value.shape and value.flat[0].is_integer() for value in step.values)


def _earliest(looks: Sequence[Look]) -> Look:
    """Return the call with the earliest wrong step: a step is right only if it is right everywhere.

    Numbers that could stand anywhere count only as long as a call with better ones does not say otherwise.
    """
    shown = {step for look in looks for step, how in look.seen.items() if how is Seen.FULLY and not look.is_weak(step)}
    sure = [look for look in looks if look.first_not_seen not in shown or not look.is_weak(look.first_not_seen)]
    return min(sure or looks, key=lambda look: look.first_not_seen or math.inf)


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
    for look in (look for look in looks if not look.sightings.raised):
        own = _choices(look.steps)
        for example, other in zip(examples, step_values, strict=True):
            chosen = _choices(other)
            differs = [number for number in own if own[number] != chosen.get(number)]
            if differs and read_inputs(example) == look.sightings.inputs:
                later = [step for step in other if step.step >= (look.first_not_seen or math.inf)]
                if any(len({*step.values}) > 1 and look.how(step) is Seen.FULLY for step in later):
                    return differs[0]
    return None


def _list_steps(steps: Sequence[int]) -> str:
    if len(steps) == 1:
        return f"Step {steps[0]} is"
    names = list(map(str, steps))
    return f"Steps {', '.join(names[:-1])} and {names[-1]} are"
