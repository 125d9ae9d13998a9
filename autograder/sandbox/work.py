"""What one submission asks for, what its children have used, and what the end of a child means for its calls."""

from __future__ import annotations

import marshal
import os
import signal
from dataclasses import dataclass, replace
from typing import Final

from autograder.sandbox.calls import PackedCalls
from autograder.sandbox.model import Limits
from autograder.sandbox.parse import Answers
from autograder.sandbox.watch import Bounds, Ending
from autograder.sandbox.wire import End, Exit
from course.outcomes import Outcome, Stopped, StopReason
from course.submission import Cell

_LARGE_SHARE: Final = 0.5
_NOTHING_LEFT: Final = 0.01


@dataclass(frozen=True)
class Used:
    """What the children of one run have used so far."""

    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0

    def leaves_nothing_of(self, limits: Limits) -> bool:
        """Tell whether another child would have no time at all."""
        cpu_left = limits.total_cpu_seconds - self.cpu_seconds
        wall_left = limits.total_wall_seconds - self.wall_seconds
        return min(cpu_left, wall_left) < _NOTHING_LEFT


@dataclass(frozen=True)
class Work:
    """One submission and the calls to make."""

    function: str
    cells: tuple[Cell, ...]
    packed: PackedCalls
    limits: Limits

    def with_twice_the_time(self) -> Work:
        """Return the same work with the totals of two runs."""
        limits = self.limits
        twice = replace(
            limits,
            total_cpu_seconds=2 * limits.total_cpu_seconds,
            total_wall_seconds=2 * limits.total_wall_seconds,
        )
        return replace(self, limits=twice)

    def job(self, first: int, used: Used) -> bytes:
        """Write what the child has to know; see `child.Job`."""
        limits = self.limits
        cells = [(cell.number, cell.source) for cell in self.cells]
        room = (limits.memory_bytes, limits.output_bytes, limits.printed_characters)
        return marshal.dumps((self.function, first, cells, *room, limits.total_cpu_seconds - used.cpu_seconds))

    def bounds(self, used: Used) -> Bounds:
        """Say what the next child may use."""
        limits = self.limits
        return Bounds(
            load_cpu=limits.load_cpu_seconds,
            load_wall=limits.load_wall_seconds,
            call_cpu=limits.call_cpu_seconds,
            call_wall=limits.call_wall_seconds,
            total_cpu=limits.total_cpu_seconds - used.cpu_seconds,
            total_wall=limits.total_wall_seconds - used.wall_seconds,
        )


def settle(answers: Answers, ending: Ending, first: int, limits: Limits) -> int | None:
    """Give the calls that the child's end decides their outcome; return the call to go on with, if any."""
    if answers.no_function is not None:
        fill(answers.outcomes, answers.no_function)
        return None
    reason = _reason(ending, limits)
    if not answers.loaded:
        fill(answers.outcomes, Stopped(reason))
        return None
    culprit = next((at for at in range(first, len(answers.outcomes)) if answers.outcomes[at] is None), None)
    if culprit is None or _exit_code(ending) in (Exit.FINISHED, Exit.NO_CHANNEL):
        # It got to the end, or lost its file: what is not readable now will not be another time either.
        fill(answers.outcomes, Stopped(StopReason.CRASH))
        return None
    answers.outcomes[culprit] = Stopped(reason)
    return None if ending.end is End.TOTAL_LIMIT or culprit + 1 >= len(answers.outcomes) else culprit + 1


def fill(outcomes: list[Outcome | None], outcome: Outcome) -> None:
    """Give `outcome` to every call that has none yet."""
    for at, found in enumerate(outcomes):
        if found is None:
            outcomes[at] = outcome


def _exit_code(ending: Ending) -> int | None:
    return os.WEXITSTATUS(ending.status) if os.WIFEXITED(ending.status) else None


def _reason(ending: Ending, limits: Limits) -> StopReason:
    """Name the reason for a child's end by what the kernel says."""
    if ending.end is not End.ITSELF:
        # To fill memory takes time: which limit is met first is chance, and the learner needs the cause.
        large = ending.memory_bytes > _LARGE_SHARE * limits.memory_bytes
        return StopReason.MEMORY if large else StopReason.TIME
    if os.WIFSIGNALED(ending.status):
        by_signal = {signal.SIGXCPU: StopReason.TIME, signal.SIGKILL: StopReason.MEMORY}
        return by_signal.get(signal.Signals(os.WTERMSIG(ending.status)), StopReason.CRASH)
    by_code: dict[int | None, StopReason] = {
        Exit.FINISHED: StopReason.CRASH,
        Exit.NO_CHANNEL: StopReason.CRASH,
        Exit.NO_MEMORY: StopReason.MEMORY,
    }
    return by_code.get(_exit_code(ending), StopReason.EXIT)
