"""Follow one set of calls of one submission through the children that make them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from autograder.sandbox.model import SandboxError
from autograder.sandbox.parse import Answers
from autograder.sandbox.watch import Bounds, Ending
from autograder.sandbox.work import Start, Used, Work, fell_asleep, fill, find_fault, find_open, find_reason, settle
from course.outcomes import Outcome, Raised, Stopped, StopReason
from course.running.errors import leave_out
from course.running.limits import MOST_LEFT_OUT, Limits

_FAULTS_OF_ONE: Final = 2
_MOST_ASLEEP: Final = 2  # calls that wait for nothing hold up a class, whatever they leave of the total


class Rounds:
    """Hold what is known so far.

    `following`: the call to go on with; None when there is nothing more to do. `printed`: what was printed, once read.
    """

    def __init__(self, work: Work) -> None:
        self.work = work
        self.answers = Answers.of(len(work.packed), work.cells)
        self.used = Used()
        self.following: int | None = 0
        self.children = 0
        self.printed: tuple[str, bool] | None = None
        self._before = Used()
        self._faults = 0
        self._slept = 0
        self._left_out: list[Raised] = []

    @property
    def cell_errors(self) -> tuple[Raised, ...]:
        """Return the cells that were left out, then the errors of those that ran."""
        return (*self._left_out, *self.answers.cell_errors)

    @property
    def is_open(self) -> bool:
        """Tell whether another child is to be started. One that only found a cell to leave out does not count."""
        uncounted = len(self._left_out) + self._faults
        return self.following is not None and self.children <= self.work.limits.restarts + uncounted

    @property
    def is_unloaded(self) -> bool:
        """Tell whether the cells are still to be brought to their end."""
        return self.is_open and not self.answers.loaded

    @property
    def hopeless(self) -> Outcome | None:
        """What every call comes to when no function came out of the cells."""
        answers = self.answers
        return answers.no_function or (None if answers.loaded else next(iter(answers.outcomes), None))

    def allow(self, limits: Limits) -> None:
        """Go on under other limits."""
        self.work = replace(self.work, limits=limits)
        self._stop_if_nothing_is_left()

    def bounds(self) -> Bounds:
        """Say what the next child may use."""
        return self.work.bounds(self._before.plus(self.used))

    def job(self) -> bytes:
        """Write what the next child has to know."""
        return self.work.job(self.following or 0, self._before.plus(self.used))

    def end(self, ending: Ending, start: Start) -> None:
        """Take in how a child ended, and where to go on.

        Raises:
            SandboxError: it was a fault of ours or of this machine, and not the first.
        """
        fault = find_fault(ending, start, self.bounds(), self.work.limits)
        if fault:
            self.fail(fault)
            return
        self.used = self.used.plus(Used(ending.cpu_seconds, ending.wall_seconds))
        self._slept += fell_asleep(ending)
        answers, limits = self.answers, self.work.limits
        if answers.loaded or answers.no_function is not None:
            self.following = settle(answers, ending, self.following or 0, limits)
        else:
            self._leave_out(start.place, find_reason(ending, limits))
        if self._slept >= _MOST_ASLEEP:
            self.following = None
        self._stop_if_nothing_is_left()

    def fail(self, fault: str) -> None:
        """Make the calls that are left once more after a fault that is not the student's: once it may be chance.

        Raises:
            SandboxError: it is the second one.
        """
        self._faults += 1
        if self._faults >= _FAULTS_OF_ONE:
            message = f"{fault}; this happened twice, so the submission was not graded"
            raise SandboxError(message)
        self.following = find_open(self.answers.outcomes, self.following or 0)

    def hand_on(self, later: Rounds) -> None:
        """Let the later calls have what the cells came to, and the time that is left."""
        later.work = replace(later.work, cells=self.work.cells)
        later._before, later._slept = self.used, self._slept
        later.allow(later.work.limits)

    def pass_gate(self, later: Rounds) -> None:
        """Close the first calls: what is not answered now never will be. The function is there for the later ones."""
        fill(self.answers.outcomes, self.answers.no_function or Stopped(StopReason.CRASH))
        self.following = None
        later.answers.loaded = True
        later.children = 1
        self.hand_on(later)

    def _leave_out(self, place: int, reason: StopReason) -> None:
        """Go on without the cell that was the last to begin, a few times."""
        known = 0 <= place < len(self.work.cells)
        if known:
            self._left_out.append(leave_out(reason, self.work.cells[place].number))
            self.work = self.work.without(place)
        if not known or len(self._left_out) > MOST_LEFT_OUT or self._leaves_nothing():
            fill(self.answers.outcomes, Stopped(reason))
            self.following = None

    def _leaves_nothing(self) -> bool:
        return self._before.plus(self.used).leaves_nothing_of(self.work.limits)

    def _stop_if_nothing_is_left(self) -> None:
        if self._leaves_nothing():
            self.following = None
