"""Run submissions, one after another, each in children of one zygote. This side is trusted and believes no one."""

from __future__ import annotations

import contextlib
import fcntl
import os
import socket
from collections.abc import Collection, Iterator, Sequence
from types import TracebackType
from typing import Final, Self

from autograder.sandbox.calls import PackedCalls
from autograder.sandbox.model import ALL_LAYERS, Run, SandboxError
from autograder.sandbox.rlimits import Room
from autograder.sandbox.rounds import Rounds
from autograder.sandbox.start import Zygote, require
from autograder.sandbox.wire import GATE, MARK, OUTPUT_SLACK_BYTES
from autograder.sandbox.work import Start, Work, fill, for_both
from course.outcomes import Stopped, StopReason
from course.running.limits import Limits
from course.submission import Cell

_KEEPS_ITS_SIZE: Final = 1 | 2  # F_SEAL_SEAL, F_SEAL_SHRINK; see `calls` for why by number
_MOST_FAULT_BYTES: Final = 500
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
        self._alone, self._both = for_both(self._limits)
        self._allow_missing = frozenset(allow_missing)
        self._wanted = _layers
        self._closed = False
        self._zygote: Zygote | None = self._start()

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
            SandboxError: a fault of ours or of this machine; nothing is known of the submission.
        """
        rounds = Rounds(Work(function, tuple(cells), packed, self._limits))
        with self._faults_are_ours(), _scratch("printed") as printed:
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
        first, second = (Rounds(Work(function, tuple(cells), packed, self._both)) for packed in (shown, hidden))
        with self._faults_are_ours():
            with _scratch("printed") as printed:
                passed = False
                while not passed and first.is_unloaded:
                    passed = self._run_gated(first, second, printed)
                if not passed:
                    first.allow(self._alone)
                    self._run_rounds(first, printed)
                    first.hand_on(second)
                before = self._tell(first, printed)
            if not passed and first.hopeless is not None:
                fill(second.answers.outcomes, first.hopeless)
                return before, self._tell(second, None)
            with _scratch("printed") as unread:
                self._run_rounds(second, unread)
            return before, self._tell(second, None)

    def _tell(self, rounds: Rounds, printed: int | None) -> Run:
        text, cut = rounds.printed or (
            ("", False) if printed is None else _printed(printed, self._limits.printed_characters)
        )
        outcomes = tuple(each or Stopped(StopReason.NOT_RUN) for each in rounds.answers.outcomes)
        return Run(outcomes, rounds.cell_errors, text, cut, rounds.used.cpu_seconds, self.layers)

    def close(self) -> None:
        """End the zygote; more than once is fine."""
        self._closed = True
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
        if self._closed:
            message = "the sandbox is closed"
            raise SandboxError(message)
        if self._zygote is None:
            self._zygote = self._start()
        return self._zygote

    def _start(self) -> Zygote:
        room = Room(self._both.memory_bytes, self._both.output_bytes, self._both.total_cpu_seconds)
        try:
            zygote = Zygote(room, self._wanted)
        except OSError as error:
            message = f"the sandbox cannot be started: {error}"
            raise SandboxError(message) from error
        try:
            require(zygote, self._allow_missing)
        except SandboxError:
            zygote.close()
            raise
        return zygote

    def _drop_zygote(self) -> None:
        """End the zygote at once; the next job starts another one."""
        if self._zygote is not None:
            self._zygote.kill()
            self._zygote = None

    @contextlib.contextmanager
    def _faults_are_ours(self) -> Iterator[None]:
        """Tell whatever the system refuses to this side as a fault of ours. The zygote may be in the midst of a job."""
        try:
            yield
        except OSError as error:
            self._drop_zygote()
            message = f"the grader's side of the sandbox failed, so the submission was not graded: {error}"
            raise SandboxError(message) from error
        except KeyboardInterrupt:
            self._drop_zygote()
            raise

    def _run_rounds(self, rounds: Rounds, printed: int) -> None:
        """Start a child, and another after each call that ended one, until every call has its outcome."""
        while rounds.is_open:
            rounds.children += 1
            zygote = self._running()
            with _job_files(rounds) as (job, output, loading):
                zygote.ask([job, rounds.work.packed.file, output, printed, loading], rounds.bounds())
                self._hear_ending(zygote, rounds, output, 0, loading)
                _forget_prints(rounds, printed)

    def _run_gated(self, first: Rounds, second: Rounds, printed: int) -> bool:
        """Have one child make all calls; False if it did not get as far as the hidden ones."""
        zygote = self._running()
        first.children += 1
        gate, theirs = socket.socketpair()
        with gate, theirs, _scratch("later") as later, _job_files(first) as (job, output, loading):
            files = [job, first.work.packed.file, output, printed, loading, theirs.fileno(), later]
            zygote.ask(files, first.bounds())
            theirs.close()
            passed, at = zygote.wait_for(gate), 0
            if passed:
                # What is printed is read now: from here on the child knows hidden inputs, and can still write there.
                first.printed = _printed(printed, self._limits.printed_characters)
                at = os.fstat(output).st_size
                first.answers.read(self._read(output, 0)[:at])
                first.pass_gate(second)
                _copy(second.work.packed.file, later)
                with contextlib.suppress(OSError):  # the child is gone already: its ending says why
                    gate.send(GATE)
            self._hear_ending(zygote, second if passed else first, output, at, loading)
        _forget_prints(first, printed)
        return passed

    def _hear_ending(self, zygote: Zygote, rounds: Rounds, output: int, at: int, loading: int) -> None:
        """Wait for a child's end and read what it wrote, from `at` on."""
        ending = zygote.hear_ending()
        if ending is None:
            self._drop_zygote()
            rounds.fail("the sandbox's process died")
            return
        marks = os.pread(loading, MARK.size, max(os.fstat(loading).st_size - MARK.size, 0))
        fault = "" if marks else os.pread(output, _MOST_FAULT_BYTES, 0).decode("utf-8", "replace")
        if marks:
            rounds.answers.read(self._read(output, at))
        rounds.end(ending, Start.read(marks, fault))

    def _read(self, output: int, at: int) -> bytes:
        return os.pread(output, self._limits.output_bytes + OUTPUT_SLACK_BYTES, at)


@contextlib.contextmanager
def _job_files(rounds: Rounds) -> Iterator[tuple[int, int, int]]:
    """Lend the files that each child has for itself: job, output, loading. What is written into the last one stays."""
    with _scratch("job") as job, _scratch("output") as output, _scratch("loading", _KEEPS_ITS_SIZE) as loading:
        os.write(job, rounds.job())
        yield job, output, loading


@contextlib.contextmanager
def _scratch(name: str, seals: int = 0) -> Iterator[int]:
    """Lend a memory file."""
    file = os.memfd_create(name, os.MFD_CLOEXEC | (os.MFD_ALLOW_SEALING if seals else 0))
    try:
        if seals:
            fcntl.fcntl(file, fcntl.F_ADD_SEALS, seals)
        yield file
    finally:
        os.close(file)


def _copy(source: int, target: int) -> None:
    """Copy a memory file. To a stated place: the child shares the file, and so the place where writing would go on."""
    data = memoryview(os.pread(source, os.fstat(source).st_size, 0))
    at = 0
    while at < len(data):
        at += os.pwrite(target, data[at:], at)


def _forget_prints(rounds: Rounds, printed: int) -> None:
    """Drop what was printed by cells that are going to be run again from the start."""
    if rounds.is_unloaded:
        os.ftruncate(printed, 0)
        os.lseek(printed, 0, os.SEEK_SET)


def _printed(file: int, characters: int) -> tuple[str, bool]:
    """Return what was printed, cut to length with a line that says so."""
    data = os.pread(file, (characters + 1) * _BYTES_PER_CHARACTER, 0)
    text = data.decode("utf-8", "replace").replace("\x00", "\ufffd")
    if len(text) <= characters:
        return text, False
    return f"{text[:characters]}\n[the rest is not shown: more than {characters:,} characters were printed]\n", True
