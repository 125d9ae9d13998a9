"""Hold one watched call against the steps of its example: which steps were seen, and where their numbers came to be."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Final

from course.practice import StepValues
from course.values import Numbers
from course.xray import Place, Sighting, Sightings
from course.xray_kinds import Steps, are_scores, is_choice, is_cut, is_cut_from_inputs, is_pick, repeats
from course.xray_lines import adds_up_to_1, is_counting, is_input, lengths_of, rows_of
from course.xray_search import Search, Seen

_MATRIX: Final = 2


@dataclass(frozen=True)
class Look:
    """One call held against the steps of its example.

    `pads`: the last step only puts zeros behind the shares of a whole. `counts`: the steps that count into a table.
    """

    sightings: Sightings
    steps: Steps
    pads: bool = False
    counts: frozenset[int] = frozenset()

    @cached_property
    def streams(self) -> Sequence[Sequence[Sighting]]:
        """Everything that is not just an input again."""
        return [stream for stream in self.sightings.streams if not is_input(stream, self.sightings.inputs)]

    @cached_property
    def judged(self) -> Steps:
        """The steps that can be seen: their numbers are not just counts, and no earlier step has the same ones."""
        last = self.steps[-1].step
        return [
            step for step in self.steps if not is_choice(step) and (step.step == last or not repeats(step, self.steps))
        ]

    @cached_property
    def seen(self) -> Mapping[int, Seen]:
        """How each step that can be seen was seen. All its names must be there; of the last step, the answer."""
        last = self.steps[-1]
        needed = [step for step in self.judged if step.step != last.step or step is last]
        hows = [(step.step, self.how(step)) for step in needed]
        return {number: min(how for other, how in hows if other == number) for number, _ in hows}

    def missing(self, number: int | None) -> tuple[str, ...]:
        """Return the names of a step whose numbers never appear, where those of others do."""
        hows = {step.name: self.how(step) for step in self.judged if step.step == number}
        return tuple(name for name, how in hows.items() if how is Seen.NOT) if any(hows.values()) else ()

    @cached_property
    def first_not_seen(self) -> int | None:
        """The first step whose numbers never appear. What is only looked up shows nothing of the steps before."""
        picked = {step.step for step in self.judged if self.search(step).picks}
        latest = max((step for step, how in self.seen.items() if how and step not in picked), default=0)
        in_part = bool(latest) and self.seen[latest] is Seen.IN_PART
        if in_part and not self.sightings.raised and self._ends_otherwise(latest):
            return latest
        if self.first_growing is not None:
            return self.first_growing
        if in_part and self.sightings.raised and (self.sightings.by_zero or not self.sightings.with_input):
            return latest
        return min((step for step, how in self.seen.items() if step > latest and not how), default=None)

    @cached_property
    def first_growing(self) -> int | None:
        """The first step whose list is never emptied, unless a later step has its numbers nevertheless."""
        growing = {step.step for step in self.judged if self.search(step).grows(self.streams)}
        fine = max((step for step, how in self.seen.items() if how and step not in growing), default=0)
        return min((step for step in growing if step > fine), default=None)

    @cached_property
    def right(self) -> tuple[int, ...]:
        """The steps before that are surely right: their numbers appear, or those of a later one do."""
        end = self.first_not_seen or math.inf
        before = [step for step, how in self.seen.items() if how and step < end]
        if self.sightings.raised:
            before = [step for step in before if self.seen[step] is Seen.FULLY]
        latest = max(filter(self._is_whole, before), default=0)
        latest = max(latest, 0 if self.sightings.raised else (self.first_growing or 1) - 1)
        return tuple(sorted({step.step for step in self.steps if step.step <= latest}))

    def _is_whole(self, number: int) -> bool:
        """Tell whether a step that was seen has all its numbers: an error may have ended the call in between."""
        steps = [step for step in self.judged if step.step == number]
        return not self.sightings.raised or all(map(self._is_there, steps))

    def _is_there(self, step: StepValues) -> bool:
        search = self.search(step, begun=True)
        return bool(search.how(self._streams_above(search)))

    def has_chosen(self, number: int) -> bool:
        """Tell whether a step that counts has counted right: there were lists of just these lengths, one each round.

        A list that is never emptied shows it too: it grows by these numbers. So does what was chosen.
        """
        chosen = [step for step in self.judged if step.step == number]
        if chosen and all(self.how(step) is Seen.FULLY for step in chosen):
            return True
        counted = [step for step in self.steps if step.step == number and is_choice(step)]
        counts = tuple(int(each.flat[0]) for each in counted[0].values) if counted else ()
        widths = {tuple(math.prod(each.shape) for each in step.values) for step in self.steps if not is_choice(step)}
        if counts not in widths or self.sightings.raised:
            return False
        grown = tuple(accumulate(counts))
        return any(lengths in (counts, grown) for stream in self.streams for lengths in lengths_of(stream))

    def shows(self, number: int) -> bool:
        """Tell whether each name of a step that was seen had all its numbers, each line of them together."""
        if self.seen[number] is not Seen.FULLY or number == self.steps[-1].step:
            return self.seen[number] is Seen.FULLY
        searches = [self.search(step) for step in self.judged if step.step == number]
        return all(any(map(search.find_together, self._streams_above(search))) for search in searches)

    def is_weak(self, number: int) -> bool:
        """Tell whether the numbers of a step could stand anywhere in this example."""
        return all(self.search(step).is_weak for step in self.steps if step.step == number)

    def is_sure(self, number: int) -> bool:
        """Tell whether a step that was not seen is wrong here, whatever other examples show."""
        last = self.steps[-1]
        unclear = self.is_weak(number) or (number == last.step and repeats(last, self.steps))
        return not unclear or any(self.is_too_small(each) for each in self.steps if each.step == number)

    def how(self, step: StepValues) -> Seen:
        """Say how the numbers of a step, of this example or of another one, stand in this call."""
        if id(step) not in self._hows:
            self._hows[id(step)] = self._look_for(step)
        return self._hows[id(step)]

    @cached_property
    def _hows(self) -> dict[int, Seen]:
        return {}

    def _look_for(self, step: StepValues) -> Seen:
        search = self.search(step)
        if step.step == self.steps[-1].step and repeats(step, self.steps):
            return Seen.NOT if self.sightings.raised else search.how([[self.returned]])
        return Seen.NOT if self.is_too_small(step) else search.how(self._streams_above(search))

    def _streams_above(self, search: Search) -> Sequence[Sequence[Sighting]]:
        return self._above(self.sightings.streams) if search.picks else self._above_own

    @cached_property
    def _above_own(self) -> Sequence[Sequence[Sighting]]:
        return self._above(self.streams)

    def _above(self, streams: Sequence[Sequence[Sighting]]) -> Sequence[Sequence[Sighting]]:
        """Return all, or what was done above the line of an error: what stands in its line, or below, is not yet right.

        A loop that goes on to count until the error comes is no evidence of anything.
        """
        stopped = self.sightings.stopped
        if not stopped:
            return streams
        streams = [stream for stream in streams if not is_counting(stream)]
        return [[each for each in stream if _is_above(each, stopped)] for stream in streams]

    def is_too_small(self, step: StepValues) -> bool:
        """Tell whether the rows of a step stand in tables with fewer rows: two rows of it are the same."""
        search = self.search(step)
        width = len(search.lines[0])
        rows = step.values[0].shape[0] if len(step.values[0].shape) == _MATRIX else len(search.lines)
        if self.sightings.raised or len(set(search.lines)) == len(search.lines):
            return False
        shapes = [
            [each.numbers.shape for each in stream if len(each.numbers.shape) == _MATRIX]
            for stream in self.streams
            if search.counts or search.find(stream) or search.find_in_part(stream)
        ]
        heights = [max((shape[0] for shape in each if shape[1] == width), default=0) for each in shapes]
        return 0 < max(heights, default=0) < rows

    def search(self, step: StepValues, *, begun: bool = False) -> Search:
        """Return the search for a step's numbers. The last step has no other forms: its numbers are the answer.

        What is only cut out of an earlier step stands there already, so it must stand in a table of its own. Where that
        was not seen, later numbers inside longer rows may come from what was never cut. `begun`:
        where an error ended the call, look for the numbers of all that was begun, not just for the first ones.
        """
        key = id(step), begun
        if key not in self._searches:
            self._searches[key] = self._make_search(step, begun=begun)
        return self._searches[key]

    @cached_property
    def _searches(self) -> dict[tuple[int, bool], Search]:
        return {}

    def _make_search(self, step: StepValues, *, begun: bool) -> Search:
        is_last, cut = step.step == self.steps[-1].step, is_cut(step, self.steps)
        parts = is_cut_from_inputs(step, self.sightings.inputs)
        rounds = self._rounds
        if rounds and begun:
            rounds *= max(1, len(step.values) // len(self.steps[-1].values))
        return Search(
            self.sightings.inputs,
            step.values,
            rounds=rounds,
            exactly=is_last or cut,
            whole=cut or parts or (is_last and len(self.steps) > 1) or self._is_after_lost_cut(step),
            as_tables=cut,
            picks=not is_last and is_pick(step, self.sightings.inputs),
            scores=are_scores(step, self.steps),
            counts=step.step in self.counts,
            parts=parts,
        )

    def _is_after_lost_cut(self, step: StepValues) -> bool:
        before = (each for each in self.steps if each.step < step.step)
        return any(is_cut(each, self.steps) and self.how(each) is Seen.NOT for each in before)

    @cached_property
    def _rounds(self) -> int | None:
        """How often the steps were begun: an error may have ended the first time already. None: as often as needed."""
        if not self.sightings.raised:
            return None
        values = self.steps[-1].values
        done = 1
        while done < len(values) and self._has(values[:done]):
            done += 1
        return done if done == 1 or self._was_begun(done) else done - 1

    def _was_begun(self, rounds: int) -> bool:
        """Tell whether anything of the last round is there: else the error came at the end of the one before."""
        early = [step for step in self.judged if step is not self.steps[-1] and len(step.values) >= rounds]
        searches = [Search(self.sightings.inputs, step.values[:rounds], exactly=True) for step in early]
        return not early or any(search.find(stream) for search in searches for stream in self.streams)

    def _has(self, values: Sequence[Numbers]) -> bool:
        search = Search(self.sightings.inputs, values, exactly=True)
        return any(search.find(stream) for stream in self.streams)

    @cached_property
    def returned(self) -> Sighting:
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
        if bool(answer.find_scaled([self.returned])) or self._goes_on(search, set(map(len, answer.lines))):
            return True
        return self.pads and not all(map(adds_up_to_1, rows_of(self.returned.numbers)))

    def _goes_on(self, search: Search, widths_of_answer: Collection[int]) -> bool:
        """Tell whether another row of the same width comes after all that are there in part."""
        width = len(search.lines[-1])
        if width in widths_of_answer or len(set(search.lines)) < len(search.lines):
            return False  # a row of the answer, or of the next time the step is done, would look the same
        start = min(found.moment for stream in self.streams if (found := search.find_in_part(stream)))
        everything = [each for stream in self.streams for each in stream]
        known = {row for each in everything if each.moment <= start for row in rows_of(each.numbers)}
        later = [each.numbers for each in everything if start < each.moment < self.returned.moment]
        return any(len(row) == width and row not in known for numbers in later for row in rows_of(numbers))


def _is_above(seen: Sighting, stopped: Sequence[Place]) -> bool:
    """Tell whether numbers stand above the line of an error, where the ways to the two part."""
    for one, other in zip((*seen.callers, seen.place), stopped, strict=False):
        if one.home != other.home:
            return True  # a function that the same line had called before
        if one.line != other.line:
            return one.line < other.line
    return False
