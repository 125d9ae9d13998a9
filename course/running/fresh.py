"""Run a notebook from a clean start, in a process of its own that cannot outlive its time."""

from __future__ import annotations

import contextlib
import importlib.util
import marshal
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final

from course.outcomes import Outcome, Raised, Stopped, StopReason
from course.running import boot, talk
from course.running.errors import leave_out, quote
from course.running.limits import MOST_LEFT_OUT, SAME_EVERYWHERE, Limits
from course.running.names import Meaning
from course.submission import Cell

_PROGRAM: Final = "course.running.alone"
_NO_MEMORY: Final = 79  # see `alone.NO_MEMORY`
_VERSION: Final = 2
_MOST_SECONDS: Final = 30.0
_START_SECONDS: Final = 15.0
_BROKEN_LINE: Final = (ValueError, KeyError, TypeError, AttributeError)


class FreshError(Exception):
    """No second Python could be started here; the message is one plain sentence."""


@dataclass(frozen=True)
class FreshRun:
    """What came of a clean start: one outcome per call, the cells that failed or were left out, the names of `solve`.

    `names`: what the names stand for that `solve` uses, and those that were asked for.
    """

    outcomes: tuple[Outcome, ...]
    cell_errors: tuple[Raised, ...] = ()
    names: Mapping[str, Meaning] = field(default_factory=dict)


def run_fresh(
    cells: Sequence[Cell], calls: Sequence[tuple[Any, ...]], wanted: Sequence[str], limits: Limits | None = None
) -> FreshRun:
    """Run all cells in a fresh process, then `solve` on each of the calls. `wanted`: names to look at besides its own.

    Raises:
        FreshError: this place has no second Python.
    """
    rounds = _Rounds(list(cells), calls, wanted, limits or Limits())
    while rounds.is_open:
        rounds.run_one()
    return rounds.tell()


class _Rounds:
    """Hold what is known so far: a call or a cell that ends its process costs itself, and the next one goes on."""

    def __init__(
        self, cells: list[Cell], calls: Sequence[tuple[Any, ...]], wanted: Sequence[str], limits: Limits
    ) -> None:
        self._cells = cells
        self._sources = {cell.number: cell.source for cell in cells}
        self._packed = [marshal.dumps(each, _VERSION) for each in calls]
        self._wanted = list(wanted)
        self._limits = limits
        self._deadline = time.monotonic() + _MOST_SECONDS
        self._outcomes: list[Outcome | None] = [None] * len(calls)
        self._left_out: list[Raised] = []
        self._errors: list[Raised] = []
        self._names: dict[str, Meaning] = {}
        self._children = 0
        self._loaded = False
        self._at = 0
        self.is_open = True

    def tell(self) -> FreshRun:
        """Return what is known at the end."""
        outcomes = tuple(each or Stopped(StopReason.NOT_RUN) for each in self._outcomes)
        return FreshRun(outcomes, (*self._left_out, *self._errors), self._names)

    def run_one(self) -> None:
        """Start one process, hear it out, and decide where to go on."""
        self._children += 1
        self._at = -1
        first = next(number for number, each in enumerate(self._outcomes) if each is None)
        limits = self._limits
        cells = [(cell.number, cell.source) for cell in self._cells]
        room = (limits.load_cpu_seconds, limits.call_cpu_seconds, limits.memory_bytes)
        asked = (cells, self._packed, first, self._wanted, _numpy_folders(), *room, _MOST_SECONDS)
        job = marshal.dumps(asked, _VERSION)
        with _process(job) as child:
            reason = self._listen(child)
        if reason is not None:
            self._settle(reason)
        most = limits.restarts + len(self._left_out)
        late = time.monotonic() >= self._deadline
        self.is_open = self.is_open and None in self._outcomes and self._children <= most and not late

    def _listen(self, child: _Child) -> StopReason | None:
        """Take in what the process says until it is done, dead or out of time; return why it ended early."""
        seconds, ready, loaded = _START_SECONDS, False, False
        while True:
            try:
                line = child.lines.get(timeout=max(0.0, min(seconds, self._deadline - time.monotonic())))
            except queue.Empty:
                _insist(ready, "took too long")
                return StopReason.TIME
            if not line:
                _insist(ready, "ended at once")
                return child.why_ended()
            try:
                word, number, said = talk.read_line(line)
                loaded = loaded or word == talk.NAMES
                self._take(word, number, said)
            except _BROKEN_LINE:
                continue
            if word == talk.DONE:
                return None
            ready = True
            seconds = self._limits.call_wall_seconds if loaded else self._limits.load_wall_seconds

    def _take(self, word: str, number: int, said: Any) -> None:  # noqa: ANN401  # JSON
        if word in (talk.CELL, talk.CALL):
            self._at = number
        elif word == talk.NAMES:
            self._loaded, self._at = True, -1
            self._names = {name: Meaning(*map(str, meaning)) for name, meaning in said.items()}
        elif word == talk.CELL_ERROR:
            self._add_error(said, number)
        elif word == talk.OUTCOME and self._outcomes[number] is None:
            outcome = talk.read_outcome(said)
            self._outcomes[number] = quote(outcome, self._sources) if isinstance(outcome, Raised) else outcome

    def _add_error(self, said: dict[str, Any], number: int) -> None:
        """Keep the error of a cell; a second process that runs the cells again says nothing new."""
        error = talk.read_outcome(said)
        if isinstance(error, Raised) and self._children == 1 + len(self._left_out):
            self._errors.append(quote(error, self._sources, number))

    def _settle(self, reason: StopReason) -> None:
        """Give the call its outcome that ended the process, or leave out the cell that did."""
        if self._loaded:
            open_call = self._outcomes.index(None)
            self._outcomes[max(self._at, open_call)] = Stopped(reason)
            return
        if 0 <= self._at < len(self._cells):
            self._left_out.append(leave_out(reason, self._cells.pop(self._at).number))
        if self._at < 0 or len(self._left_out) > MOST_LEFT_OUT:
            self._outcomes = [Stopped(reason)] * len(self._outcomes)


class _Child:
    """One clean process. `lines`: what it says; an empty line is its end."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self.lines: queue.Queue[bytes] = queue.Queue()
        threading.Thread(target=self._hear, args=(process.stdout,), daemon=True).start()

    def why_ended(self) -> StopReason:
        """Name the reason for its end by what the system says."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        code = self._process.returncode
        if code is not None and code < 0:
            timed_out = -code in {signal.SIGPROF, signal.SIGXCPU}
            return StopReason.TIME if timed_out or -code == signal.SIGKILL else StopReason.CRASH
        return StopReason.MEMORY if code == _NO_MEMORY else StopReason.EXIT

    def _hear(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(ValueError, OSError):
            for line in pipe:
                self.lines.put(line)
        self.lines.put(b"")


@contextlib.contextmanager
def _process(job: bytes) -> Iterator[_Child]:
    """Lend a clean process in an empty folder; nothing of it is left afterwards."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        try:
            process = subprocess.Popen(  # noqa: S603  # our own file, by this very Python
                [sys.executable, "-S", "-s", "-P", "-B", boot.__file__, _PROGRAM],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**kept, **SAME_EVERYWHERE},
                cwd=folder,
                start_new_session=True,
            )
        except OSError as error:
            message = "This place cannot start a second Python."
            raise FreshError(message) from error
        try:
            with contextlib.suppress(OSError), process.stdin as pipe:  # type: ignore[union-attr]  # it is a pipe
                pipe.write(job)
            yield _Child(process)
        finally:
            _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the process with all that it may have started."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def _insist(ready: bool, what: str) -> None:  # noqa: FBT001  # one fact
    if not ready:
        message = f"A second Python was started here, but it {what}."
        raise FreshError(message)


def _numpy_folders() -> list[str]:
    """Return the folder that numpy is imported from, as the grader has numpy and no other package."""
    spec = importlib.util.find_spec("numpy")
    return [str(Path(spec.origin).parent.parent)] if spec is not None and spec.origin is not None else []
