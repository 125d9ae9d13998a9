"""Be the clean process: run the cells, call `solve` on each example, say on a pipe what comes of it, and leave.

It is started by `fresh`, through `boot`. What the grader's sandbox has by its jail is here only as near as a
learner's own machine allows: nothing is installed but numpy, the folder is empty, no process can be started.
"""

from __future__ import annotations

import contextlib
import importlib
import marshal
import os
import signal
import sys
from collections.abc import Callable
from marshal import dumps, loads
from os import _exit as leave
from os import write
from typing import Any, Final, NamedTuple

from course.outcomes import Answered, NoFunction, Outcome, Stopped, StopReason
from course.running import names, quiet, talk
from course.running.errors import describe
from course.running.notebook import Notebook
from course.running.printing import Printer, take_over
from course.values import name_type, read_value

NO_MEMORY: Final = 79
_VERSION: Final = 2  # without object references: equal arguments give equal bytes


class Job(NamedTuple):
    """What is asked for. `arguments`: of each call, packed. `first`: the call to go on with. `wanted`: names."""

    cells: list[tuple[int, str]]
    arguments: list[bytes]
    first: int
    wanted: list[str]
    folders: list[str]
    load_cpu_seconds: float
    call_cpu_seconds: float
    memory_bytes: int
    most_seconds: float


def main() -> None:
    """Do one job and end the process."""
    channel = os.dup(1)
    job = Job._make(marshal.loads(sys.stdin.buffer.read()))  # noqa: S302  # `fresh` wrote it
    with open(os.devnull, "r+b", buffering=0) as devnull:  # noqa: PTH123  # its number is needed
        for standard in (0, 1, 2):
            os.dup2(devnull.fileno(), standard)
    _import_numpy(job.folders)
    quiet.install()
    _limit(job.memory_bytes)
    if hasattr(signal, "setitimer"):  # whoever asked may be gone by then
        signal.setitimer(signal.ITIMER_REAL, job.most_seconds)
    try:
        _Work(job, channel).do()
    except MemoryError:
        leave(NO_MEMORY)
    leave(0)


def _import_numpy(folders: list[str]) -> None:
    """Import numpy where it is installed; nothing else can be imported from there afterwards."""
    standard = [entry for entry in sys.path if entry and "-packages" not in entry]
    sys.path[:] = [*folders, *standard]
    with contextlib.suppress(ImportError):
        importlib.import_module("numpy")
    sys.path[:] = standard
    sys.path_importer_cache.clear()


def _limit(memory_bytes: int) -> None:
    """Limit memory and processes as the grader does, where the system can."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415  # not on Windows

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123  # one line; Linux only
            used = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + memory_bytes, used + memory_bytes))


def _limit_cpu(seconds: float) -> None:
    """Let the system end this process when it has used so much CPU time from now on; Windows cannot."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


class _Work:
    """Hold the notebook and the way out."""

    def __init__(self, job: Job, channel: int) -> None:
        self._job = job
        self._channel = channel
        self._printer = Printer(channel, 0)
        self._notebook = Notebook(self._begin_cell)

    def do(self) -> None:
        """Run the cells, then make the calls."""
        take_over(self._printer, Printer(self._channel, 0))
        self._say(talk.READY)
        for number, error in self._notebook.load(self._job.cells):
            self._say(talk.CELL_ERROR, number, talk.write_outcome(error))
        _limit_cpu(0)
        self._say_names()
        function, skipped = self._notebook.find("solve")
        if callable(function):
            for number in range(self._job.first, len(self._job.arguments)):
                self._say(talk.CALL, number)
                self._say(talk.OUTCOME, number, talk.write_outcome(self._call(number, function)))
        else:
            for error in skipped or []:
                self._say(talk.CELL_ERROR, error.cell, talk.write_outcome(error))
            what = "missing" if skipped is not None else name_type(function)
            for number in range(len(self._job.arguments)):
                self._say(talk.OUTCOME, number, talk.write_outcome(NoFunction(what)))
        self._say(talk.DONE)

    def _begin_cell(self, place: int) -> None:
        self._say(talk.CELL, place)
        _limit_cpu(self._job.load_cpu_seconds)

    def _say_names(self) -> None:
        space = self._notebook.names
        wanted = dict.fromkeys([*names.names_used("solve", space), *self._job.wanted])
        texts = {f"<cell {number}>": source for number, source in self._job.cells}
        found = names.look_up(wanted, space, lambda file: texts.get(file, ""))
        self._say(talk.NAMES, 0, {name: tuple(vars(meaning).values()) for name, meaning in found.items()})

    def _call(self, number: int, function: Callable[..., Any]) -> Outcome:
        """Make one call on fresh arguments."""
        packed = self._job.arguments[number]
        arguments = loads(packed)  # noqa: S302  # `fresh` packed it
        printed_before = self._printer.count
        _limit_cpu(self._job.call_cpu_seconds)
        try:
            value = read_value(function(*arguments))
            printed = self._printer.count != printed_before
            return Answered(value, _changed(arguments, packed), printed)
        except MemoryError:
            return Stopped(StopReason.MEMORY)
        except SystemExit:
            return Stopped(StopReason.EXIT)
        except BaseException as error:  # noqa: BLE001  # whatever the student's code raises is an answer
            return describe(error, self._notebook.cell_numbers)
        finally:
            _limit_cpu(0)

    def _say(self, word: str, number: int = 0, said: object = None) -> None:
        line = talk.write_line(word, number, said)
        while line:
            line = line[write(self._channel, line) :]


def _changed(arguments: Any, packed: bytes) -> bool:  # noqa: ANN401  # whatever the student made of them
    try:
        return dumps(arguments, _VERSION) != packed
    except ValueError:
        return True
