"""Run submissions, one after another, each in children of one zygote. This side is trusted and believes no one."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Collection, Iterator, Sequence
from types import TracebackType
from typing import Final, Self

from autograder.sandbox.calls import PackedCalls
from autograder.sandbox.model import ALL_LAYERS, Limits, Run, SandboxError
from autograder.sandbox.parse import Answers
from autograder.sandbox.start import Zygote, require
from autograder.sandbox.watch import Ending
from autograder.sandbox.wire import GATE, OUTPUT_SLACK_BYTES, Exit
from autograder.sandbox.work import Used, Work, fill, settle
from course.outcomes import Outcome, Stopped, StopReason
from course.submission import Cell

_MOST_DEATHS: Final = 3
_DEATHS_OF_ONE: Final = 2
_BYTES_PER_CHARACTER: Final = 4


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
        rounds = _Rounds(Work(function, tuple(cells), packed, self._limits))
        with _scratch("printed") as printed:
            self._run_rounds(rounds, printed)
            return self._tell(rounds, printed)

    def run_both(
        self, cells: Sequence[Cell], shown: PackedCalls, hidden: PackedCalls, function: str = "solve"
    ) -> tuple[Run, Run]:
        """Run the cells once, then the shown calls, then the hidden ones: as two runs, for the price of one.

        The child gets the hidden inputs when all that a learner may see has been read, so it cannot show them.

        Raises:
            SandboxError: as in `run`.
        """
        first, second = (_Rounds(Work(function, tuple(cells), packed, self._limits)) for packed in (shown, hidden))
        with _scratch("printed") as printed:
            passed = self._run_gated(first, second, printed)
            if not passed:
                self._run_rounds(first, printed)
            before = self._tell(first, printed)
        if not passed and first.hopeless is not None:
            fill(second.answers.outcomes, first.hopeless)
            return before, self._tell(second, None)
        with _scratch("printed") as unread:
            self._run_rounds(second, unread)
        return before, self._tell(second, None)

    def _tell(self, rounds: _Rounds, printed: int | None) -> Run:
        answers = rounds.answers
        text, cut = ("", False) if printed is None else _printed(printed, self._limits.printed_characters)
        outcomes = tuple(each or Stopped(StopReason.NOT_RUN) for each in answers.outcomes)
        return Run(outcomes, tuple(answers.cell_errors), text, cut, rounds.used.cpu_seconds, self.layers)

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

    def _run_rounds(self, rounds: _Rounds, printed: int) -> None:
        """Start a child, and another after each call that ended one, until every call has its outcome."""
        while rounds.following is not None and rounds.children <= self._limits.restarts:
            rounds.children += 1
            ending = self._run_child(rounds, printed)
            if ending is None:
                # Once may be this machine's fault, so that the same calls get a second chance in a new zygote.
                rounds.deaths += 1
                if rounds.deaths >= _DEATHS_OF_ONE:
                    fill(rounds.answers.outcomes, Stopped(StopReason.CRASH))
                    return
            else:
                rounds.end(ending)

    def _run_child(self, rounds: _Rounds, printed: int) -> Ending | None:
        """Have one child make the calls that are left, and read what it wrote."""
        work, zygote = rounds.work, self._running()
        with _scratch("job") as job, _scratch("output") as output:
            os.write(job, work.job(rounds.following or 0, rounds.used))
            zygote.ask([job, work.packed.file, output, printed], work.bounds(rounds.used))
            ending = self._hear_ending(zygote)
            if ending is not None:
                rounds.answers.read(self._read(output, 0))
                _insist_on_jail(ending, rounds.answers)
        return ending

    def _run_gated(self, first: _Rounds, second: _Rounds, printed: int) -> bool:
        """Have one child make all calls; False if it did not get as far as the hidden ones."""
        work, zygote = first.work.with_twice_the_time(), self._running()
        first.children = second.children = 1
        gate, theirs = socket.socketpair()
        with gate, theirs, _scratch("job") as job, _scratch("output") as output, _scratch("later") as later:
            os.write(job, work.job(0, first.used))
            files = [job, work.packed.file, output, printed, theirs.fileno(), later]
            zygote.ask(files, work.bounds(first.used))
            theirs.close()
            passed, at = zygote.wait_for(gate), 0
            if passed:
                at = os.fstat(output).st_size
                first.answers.read(self._read(output, 0)[:at])
                first.pass_gate(second)
                os.sendfile(later, second.work.packed.file, 0, os.fstat(second.work.packed.file).st_size)
                with contextlib.suppress(OSError):  # the child is gone already: its ending says why
                    gate.send(GATE)
            ending = self._hear_ending(zygote)
            going = second if passed else first
            if ending is None:
                going.deaths += 1
                return passed
            going.answers.read(self._read(output, at))
            _insist_on_jail(ending, going.answers)
            going.end(ending)
        return passed

    def _read(self, output: int, at: int) -> bytes:
        return os.pread(output, self._limits.output_bytes + OUTPUT_SLACK_BYTES, at)

    def _hear_ending(self, zygote: Zygote) -> Ending | None:
        ending = zygote.hear_ending()
        if ending is None:
            self._replace_zygote()
        else:
            self._deaths = 0
        return ending

    def _replace_zygote(self) -> None:
        self._running().kill()
        self._zygote = None
        self._deaths += 1
        if self._deaths >= _MOST_DEATHS:
            message = f"the sandbox's process died {self._deaths} times in a row"
            raise SandboxError(message)
        self._zygote = self._start()


class _Rounds:
    """Follow one set of calls of one submission through the children that make them."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.answers = Answers.of(len(work.packed), work.cells)
        self.used = Used()
        self.following: int | None = 0
        self.children = 0
        self.deaths = 0

    @property
    def hopeless(self) -> Outcome | None:
        """What every call comes to when no function came out of the cells."""
        answers = self.answers
        return answers.no_function or (answers.outcomes[0] if not answers.loaded and not self.deaths else None)

    def end(self, ending: Ending) -> None:
        """Take in how a child ended, and where to go on."""
        self.used = Used(self.used.cpu_seconds + ending.cpu_seconds, self.used.wall_seconds + ending.wall_seconds)
        following = settle(self.answers, ending, self.following or 0, self.work.limits)
        self.following = None if self.used.leaves_nothing_of(self.work.limits) else following

    def pass_gate(self, later: _Rounds) -> None:
        """Close the first calls: what is not answered now never will be. The function is there for the later ones."""
        fill(self.answers.outcomes, self.answers.no_function or Stopped(StopReason.CRASH))
        self.following = None
        later.answers.loaded = True


def _insist_on_jail(ending: Ending, answers: Answers) -> None:
    if os.WIFEXITED(ending.status) and os.WEXITSTATUS(ending.status) == Exit.NO_JAIL and not answers.loaded:
        message = "a child could not put on its system call filter, so no student code was run"
        raise SandboxError(message)


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
