"""Run submissions, one after another, each in children of one zygote. This side is trusted and believes no one."""

from __future__ import annotations

import contextlib
import marshal
import os
import signal
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self

from autograder.sandbox.calls import PackedCalls
from autograder.sandbox.model import ALL_LAYERS, Limits, Run, SandboxError
from autograder.sandbox.parse import Answers
from autograder.sandbox.start import Zygote, require
from autograder.sandbox.watch import Bounds, Ending
from autograder.sandbox.wire import OUTPUT_SLACK_BYTES, End, Exit
from course.outcomes import Outcome, Stopped, StopReason
from course.submission import Cell

_MOST_DEATHS: Final = 3
_DEATHS_OF_ONE: Final = 2
_BYTES_PER_CHARACTER: Final = 4
_LARGE_SHARE: Final = 0.5
_NOTHING_LEFT: Final = 0.01


class Sandbox:
    """Hold a zygote for many submissions. It knows no lesson: inputs travel with each job."""

    def __init__(
        self,
        *,
        limits: Limits | None = None,
        allow_missing: Collection[str] = (),
        _layers: Collection[str] = ALL_LAYERS,
    ) -> None:
        self._limits = limits or Limits()
        self._allow_missing = frozenset(allow_missing)
        self._wanted = _layers
        self._deaths = 0
        self._zygote: Zygote | None = None
        self._zygote = self._start()

    @property
    def layers(self) -> tuple[str, ...]:
        """Name the layers that are on."""
        return self._running().layers

    @property
    def missing(self) -> dict[str, str]:
        """Map each layer that is off to the reason."""
        return dict(self._running().missing)

    def run(self, cells: Sequence[Cell], packed: PackedCalls, function: str = "solve") -> Run:
        """Run all cells of a submission, then `function` on each of the packed calls.

        Raises:
            SandboxError: the zygote cannot be started or keeps dying; nothing is known of the submission.
        """
        work = _Work(function, tuple(cells), packed, self._limits)
        answers = Answers.of(len(packed), work.cells)
        with _scratch("printed") as printed:
            used = self._run_rounds(work, answers, printed)
            text, cut = _printed(printed, self._limits.printed_characters)
        outcomes = tuple(each or Stopped(StopReason.NOT_RUN) for each in answers.outcomes)
        return Run(outcomes, tuple(answers.cell_errors), text, cut, used.cpu_seconds, self.layers)

    def close(self) -> None:
        """End the zygote; more than once is fine."""
        if self._zygote is not None:
            self._zygote.close()
            self._zygote = None

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close it."""
        self.close()

    def _running(self) -> Zygote:
        if self._zygote is None:
            message = "the sandbox is closed"
            raise SandboxError(message)
        return self._zygote

    def _start(self) -> Zygote:
        zygote = Zygote(self._wanted)
        try:
            require(zygote, self._allow_missing)
        except SandboxError:
            zygote.close()
            raise
        return zygote

    def _run_rounds(self, work: _Work, answers: Answers, printed: int) -> _Used:
        """Start a child, and another after each call that ended one, until every call has its outcome."""
        used, first, deaths = _Used(), 0, 0
        for _ in range(self._limits.restarts + 1):
            ending = self._run_child(work, answers, printed, first, used)
            if ending is None:
                # Once may be this machine's fault, so that the same calls get a second chance in a new zygote.
                deaths += 1
                if deaths < _DEATHS_OF_ONE:
                    continue
                _fill(answers.outcomes, Stopped(StopReason.CRASH))
                break
            used = _Used(used.cpu_seconds + ending.cpu_seconds, used.wall_seconds + ending.wall_seconds)
            following = _settle(answers, ending, first, self._limits)
            if following is None or used.leaves_nothing_of(self._limits):
                break
            first = following
        return used

    def _run_child(self, work: _Work, answers: Answers, printed: int, first: int, used: _Used) -> Ending | None:
        """Have one child make the calls from `first` on, and read what it wrote."""
        zygote = self._running()
        with _scratch("job") as job, _scratch("output") as output:
            os.write(job, work.job(first, used))
            ending = zygote.run([job, work.packed.file, output, printed], work.bounds(used))
            if ending is None:
                self._replace_zygote()
                return None
            self._deaths = 0
            answers.read(os.pread(output, self._limits.output_bytes + OUTPUT_SLACK_BYTES, 0))
        if os.WIFEXITED(ending.status) and os.WEXITSTATUS(ending.status) == Exit.NO_JAIL and not answers.loaded:
            message = "a child could not put on its system call filter, so no student code was run"
            raise SandboxError(message)
        return ending

    def _replace_zygote(self) -> None:
        self._running().kill()
        self._zygote = None
        self._deaths += 1
        if self._deaths >= _MOST_DEATHS:
            message = f"the sandbox's process died {self._deaths} times in a row"
            raise SandboxError(message)
        self._zygote = self._start()


@dataclass(frozen=True)
class _Used:
    """What the children of one run have used so far."""

    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0

    def leaves_nothing_of(self, limits: Limits) -> bool:
        """Tell whether another child would have no time at all."""
        cpu_left = limits.total_cpu_seconds - self.cpu_seconds
        wall_left = limits.total_wall_seconds - self.wall_seconds
        return min(cpu_left, wall_left) < _NOTHING_LEFT


@dataclass(frozen=True)
class _Work:
    """One submission and the calls to make."""

    function: str
    cells: tuple[Cell, ...]
    packed: PackedCalls
    limits: Limits

    def job(self, first: int, used: _Used) -> bytes:
        """Write what the child has to know; see `child.Job`."""
        limits = self.limits
        cells = [(cell.number, cell.source) for cell in self.cells]
        room = (limits.memory_bytes, limits.output_bytes, limits.printed_characters)
        return marshal.dumps((self.function, first, cells, *room, limits.total_cpu_seconds - used.cpu_seconds))

    def bounds(self, used: _Used) -> Bounds:
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


def _settle(answers: Answers, ending: Ending, first: int, limits: Limits) -> int | None:
    """Give the calls that the child's end decides their outcome; return the call to go on with, if any."""
    if answers.no_function is not None:
        _fill(answers.outcomes, answers.no_function)
        return None
    reason = _reason(ending, limits)
    if not answers.loaded:
        _fill(answers.outcomes, Stopped(reason))
        return None
    culprit = next((at for at in range(first, len(answers.outcomes)) if answers.outcomes[at] is None), None)
    if culprit is None or _exit_code(ending) in (Exit.FINISHED, Exit.NO_CHANNEL):
        # It got to the end, or lost its file: what is not readable now will not be another time either.
        _fill(answers.outcomes, Stopped(StopReason.CRASH))
        return None
    answers.outcomes[culprit] = Stopped(reason)
    return None if ending.end is End.TOTAL_LIMIT or culprit + 1 >= len(answers.outcomes) else culprit + 1


def _fill(outcomes: list[Outcome | None], outcome: Outcome) -> None:
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


@contextlib.contextmanager
def _scratch(name: str) -> Iterator[int]:
    """Lend a memory file."""
    file = os.memfd_create(name, os.MFD_CLOEXEC)
    try:
        yield file
    finally:
        os.close(file)


def _printed(file: int, characters: int) -> tuple[str, bool]:
    """Return what was printed, cut to length with a line that says so."""
    data = os.pread(file, (characters + 1) * _BYTES_PER_CHARACTER, 0)
    text = data.decode("utf-8", "replace").replace("\x00", "\ufffd")
    if len(text) <= characters:
        return text, False
    return f"{text[:characters]}\n[the rest is not shown: more than {characters:,} characters were printed]\n", True
