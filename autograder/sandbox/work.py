"""What one submission asks for, what its children have used, and what the end of a child means for its calls."""

from __future__ import annotations

import marshal
import os
import signal
from dataclasses import dataclass, replace
from typing import Final

from autograder.sandbox.calls import PackedCalls
from autograder.sandbox.parse import Answers
from autograder.sandbox.watch import Bounds, Ending
from autograder.sandbox.wire import MARK, STARTED, End, Exit
from course.outcomes import Outcome, Stopped, StopReason
from course.running.limits import Limits
from course.submission import Cell

_LARGE_SHARE: Final = 0.5
_NOTHING_LEFT: Final = 0.01
_ASLEEP_SHARE: Final = 0.02
# What the hidden calls have in any case, however long the shown ones took.
_SECOND_LOOK_SECONDS: Final = 2.0


@dataclass(frozen=True)
class Used:
    """What the children of one run have used so far."""

    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0

    def plus(self, other: Used) -> Used:
        """Return both together."""
        return Used(self.cpu_seconds + other.cpu_seconds, self.wall_seconds + other.wall_seconds)

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

    def without(self, place: int) -> Work:
        """Return the same work without one cell."""
        return replace(self, cells=self.cells[:place] + self.cells[place + 1 :])

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


@dataclass(frozen=True)
class Start:
    """How far a child came while it loaded: `started` when student code may have run, `place` of its last cell.

    The first is a fact, since the mark comes before student code and cannot be taken back. The second is the child's
    word, and decides only which cell of its own is left out. `fault`: why it did not start, if it could say so.
    """

    started: bool
    place: int
    fault: str = ""

    @classmethod
    def read(cls, marks: bytes, fault: str) -> Start:
        """Read the end of the loading file: the last mark."""
        place = MARK.unpack(marks)[0] if len(marks) == MARK.size else STARTED
        return cls(started=bool(marks), place=place, fault=fault)


def for_both(limits: Limits) -> tuple[Limits, Limits]:
    """Return the limits of the shown calls, when they are made alone, and of the shown and hidden ones together.

    CPU time is that of two runs. Wall time is hardly more than that of one: what sleeps must not hold up a class.
    """
    cpu, wall = limits.total_cpu_seconds, limits.total_wall_seconds
    shown = replace(limits, total_cpu_seconds=max(cpu, 2 * cpu - _SECOND_LOOK_SECONDS))
    both = replace(limits, total_cpu_seconds=2 * cpu, total_wall_seconds=wall + _SECOND_LOOK_SECONDS)
    return shown, both


def find_fault(ending: Ending, start: Start, bounds: Bounds, limits: Limits) -> str:
    """Say what happened to a child that was not the student's doing; "" when there is nothing of the kind."""
    if not start.started:
        how = f"ended with wait status {ending.status}" if ending.end is End.ITSELF else "took too long"
        return f"a child could not be started, so no student code was run: {start.fault or how}"
    killed = ending.end is End.ITSELF and os.WIFSIGNALED(ending.status)
    if not killed or os.WTERMSIG(ending.status) != signal.SIGKILL or _is_large(ending, limits):
        return ""
    # The kernel kills at the limit of CPU time; student code cannot send signals, so all else came from outside.
    if ending.cpu_seconds >= bounds.total_cpu:
        return ""
    return "a child was killed from outside (by a person, or by the system for want of memory)"


def fell_asleep(ending: Ending) -> bool:
    """Tell whether a call was ended while it waited: a busy one has far more CPU time, even on a loaded machine."""
    return ending.end is End.CALL_LIMIT and ending.cpu_seconds < _ASLEEP_SHARE * ending.wall_seconds


def settle(answers: Answers, ending: Ending, first: int, limits: Limits) -> int | None:
    """Give the calls that the child's end decides their outcome; return the call to go on with, if any."""
    if answers.no_function is not None:
        fill(answers.outcomes, answers.no_function)
        return None
    culprit = find_open(answers.outcomes, first)
    if culprit is None or _exit_code(ending) in (Exit.FINISHED, Exit.NO_CHANNEL):
        # It got to the end, or lost its file: what is not readable now will not be another time either.
        fill(answers.outcomes, Stopped(StopReason.CRASH))
        return None
    answers.outcomes[culprit] = Stopped(find_reason(ending, limits))
    return None if ending.end is End.TOTAL_LIMIT or culprit + 1 >= len(answers.outcomes) else culprit + 1


def find_open(outcomes: list[Outcome | None], first: int = 0) -> int | None:
    """Return the first call, from `first` on, that has no outcome yet."""
    return next((at for at in range(first, len(outcomes)) if outcomes[at] is None), None)


def fill(outcomes: list[Outcome | None], outcome: Outcome) -> None:
    """Give `outcome` to every call that has none yet."""
    for at, found in enumerate(outcomes):
        if found is None:
            outcomes[at] = outcome


def _exit_code(ending: Ending) -> int | None:
    return os.WEXITSTATUS(ending.status) if os.WIFEXITED(ending.status) else None


def _is_large(ending: Ending, limits: Limits) -> bool:
    return ending.memory_bytes > _LARGE_SHARE * limits.memory_bytes


def find_reason(ending: Ending, limits: Limits) -> StopReason:
    """Name the reason for a child's end by what the kernel says."""
    signalled = os.WTERMSIG(ending.status) if os.WIFSIGNALED(ending.status) else None
    if ending.end is not End.ITSELF or signalled in (signal.SIGXCPU, signal.SIGKILL):
        # To fill memory takes time: which limit is met first is chance, and the learner needs the cause.
        return StopReason.MEMORY if _is_large(ending, limits) else StopReason.TIME
    if signalled is not None:
        return StopReason.CRASH
    by_code: dict[int | None, StopReason] = {
        Exit.FINISHED: StopReason.CRASH,
        Exit.NO_CHANNEL: StopReason.CRASH,
        Exit.NO_MEMORY: StopReason.MEMORY,
    }
    return by_code.get(_exit_code(ending), StopReason.EXIT)
