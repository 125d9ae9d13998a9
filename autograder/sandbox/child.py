"""Be the child: put on the last layers, run the cells, call the function, write one record per call, leave.

Everything below runs beside student code, which may do with this process what it likes. All that is
needed later is therefore bound to names of our own before the first cell runs. Nothing written here is
believed by the grader beyond being an answer.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from dataclasses import dataclass
from marshal import dumps, loads
from os import _exit as leave
from os import read, write
from typing import Any, Final, NamedTuple

from autograder.sandbox import answers
from autograder.sandbox.kernel import PR_SET_PDEATHSIG, prctl
from autograder.sandbox.rlimits import Room, put_on
from autograder.sandbox.seccomp import Filter
from autograder.sandbox.wire import GATE, INPUT, JOB_FILES, MARK, STARTED, Exit, Tag
from course.outcomes import Raised
from course.running.errors import describe
from course.running.notebook import Notebook
from course.running.printing import Printer, Streams, take_over

# High numbers, so that code that closes "everything" below them does itself no harm.
_GATE_FILE: Final = 60
_LATER_FILE: Final = 61
OUTPUT_FILE: Final = 62
PRINTED_FILE: Final = 63
LOADING_FILE: Final = 64  # the highest: see `rlimits.MOST_FILES`
_OUTPUT_PLACE: Final = 2  # among the files of a job
_FIRST_FREE_FILE: Final = 3
_STANDARD_FILES: Final = (0, 1, 2)
MARSHAL_VERSION: Final = 2  # the version in which the inputs were packed
_SIGKILL: Final = 9


@dataclass(frozen=True)
class Setting:
    """What the zygote prepares once for all children."""

    zygote: int
    devnull: int
    address_space_bytes: int
    filter: Filter | None
    rlimits: bool
    streams: Streams


class Job(NamedTuple):
    """What the grader asks for, as it wrote it into the job file. A tuple: each page that is touched here costs."""

    function: str
    first_call: int
    cells: list[tuple[int, str]]
    memory_bytes: int
    output_bytes: int
    printed_characters: int
    cpu_seconds: float


def run_child(setting: Setting, files: list[int]) -> None:
    """Do one job and end the process."""
    gated = len(files) > JOB_FILES
    try:
        work = _get_ready(setting, files)
    except BaseException as error:  # noqa: BLE001  # no student code has run: whatever it is, it is a fault of ours
        _tell_fault(files, f"{type(error).__name__}: {error}")
        leave(Exit.NO_START)
    work.do(gated=gated)
    leave(Exit.FINISHED)


def _get_ready(setting: Setting, files: list[int]) -> Doing:
    """Read the job, put on the last layers, and mark that what comes now is the student's."""
    job_file, inputs_file, output_file, printed_file, loading_file, *gate_files = files
    prctl(PR_SET_PDEATHSIG, _SIGKILL)
    if os.getppid() != setting.zygote:
        leave(Exit.NO_START)
    os.setpgid(0, 0)  # its own group, to be killed as one
    for standard in _STANDARD_FILES:
        os.dup2(setting.devnull, standard)
    job = Job._make(loads(_read_all(job_file)))  # noqa: S302  # the grader wrote it
    inputs = _read_all(inputs_file)
    numbers = (OUTPUT_FILE, PRINTED_FILE, LOADING_FILE, _GATE_FILE, _LATER_FILE)
    for file, number in zip((output_file, printed_file, loading_file, *gate_files), numbers, strict=False):
        os.dup2(file, number, inheritable=False)
    os.closerange(_FIRST_FREE_FILE, _GATE_FILE if gate_files else OUTPUT_FILE)
    if setting.rlimits:
        put_on(Room(job.memory_bytes, job.output_bytes, job.cpu_seconds), setting.address_space_bytes)
    if setting.filter is not None:
        setting.filter.load()
    gc.enable()
    work = Doing(job, inputs)
    if not _mark(STARTED):
        message = "the mark of the start could not be written"
        raise OSError(message)
    return work


def _tell_fault(files: list[int], fault: str) -> None:
    """Write into the output file, which holds nothing yet, why no student code ran."""
    for file in (OUTPUT_FILE, files[_OUTPUT_PLACE]):
        try:
            write(file, fault.encode("utf-8", "replace"))
        except OSError:
            continue
        return


def _mark(place: int) -> bool:
    """Write which cell begins. Nothing can be taken back from that file; student code can close it, at its own cost."""
    try:
        return write(LOADING_FILE, MARK.pack(place)) == MARK.size
    except OSError:
        return False


def _read_all(file: int) -> bytes:
    return os.pread(file, os.fstat(file).st_size, 0)


def _changed(arguments: Any, blob: bytes) -> bool:  # noqa: ANN401  # whatever the student made of them
    """Tell whether the call changed its arguments. Compares bytes, so that no code of the student's is run."""
    try:
        return dumps(arguments, MARSHAL_VERSION) != blob
    except ValueError:
        return True


def _cell_errors(errors: list[tuple[int, Raised]]) -> bytes:
    return b"".join([answers.error(number, Tag.CELL_ERROR, each) for number, each in errors])


class Doing:
    """Hold the notebook and the two files that lead out."""

    def __init__(self, job: Job, inputs: bytes) -> None:
        self._job = job
        self._inputs = inputs
        self._room = job.output_bytes
        self._printer = Printer(PRINTED_FILE, job.printed_characters)
        self._notebook = Notebook(_mark)

    def do(self, *, gated: bool) -> None:
        """Run the cells, then make the calls. With a gate, make the later calls once the grader lets us through."""
        take_over(self._printer, Printer(PRINTED_FILE, 0))
        # The first time only: a second child runs the cells again, and should not print it all again.
        self._printer.mute = self._job.first_call > 0
        errors = self._notebook.load(self._job.cells)
        self._printer.mute = False
        self._send(_cell_errors(errors) + answers.loaded())
        function, skipped = self._notebook.find(self._job.function)
        if not callable(function):
            missing = skipped is not None
            told = [(each.cell, each) for each in skipped or []]
            self._send(_cell_errors(told) + answers.no_function(function, missing=missing))
            return
        self._make_calls(function, self._inputs)
        if gated:
            write(_GATE_FILE, GATE)
            if read(_GATE_FILE, len(GATE)) != GATE:
                leave(Exit.NO_CHANNEL)
            self._printer.mute = True
            self._make_calls(function, _read_all(_LATER_FILE))

    def _make_calls(self, function: Callable[..., object], inputs: bytes) -> None:
        at = number = 0
        while at < len(inputs):
            twice, size = INPUT.unpack_from(inputs, at)
            at += INPUT.size + size
            if number >= self._job.first_call:
                self._send_answer(number, self._call(number, function, inputs[at - size : at], twice))
            number += 1

    def _call(
        self,
        number: int,
        function: Callable[..., object],
        blob: bytes,
        twice: int,
        changed: Callable[[object, bytes], bool] = _changed,
    ) -> bytes:
        """Make one call on fresh arguments and write down what came of it.

        `changed` is bound early, so that it is not found among this module's names by way of a frame. That makes it
        harder to switch off, not impossible: see `wire.Flag`.
        """
        arguments = loads(blob)  # noqa: S302  # the grader packed it
        printed_before = self._printer.count
        try:
            value = function(*arguments)
            if twice:
                value = function(*arguments)
            printed = self._printer.count != printed_before
            return answers.answer(number, value, changed=changed(arguments, blob), printed=printed)
        except MemoryError:
            return answers.stopped(number, "memory")
        except SystemExit:
            return answers.stopped(number, "exit")
        except BaseException as error:  # noqa: BLE001  # whatever the student's code raises is an answer
            return answers.error(number, Tag.ERROR, describe(error, self._notebook.cell_numbers))

    def _send_answer(self, number: int, record: bytes) -> None:
        if len(record) > self._room:
            record = answers.stopped(number, "size")
        self._room -= len(record)
        self._send(record)

    @staticmethod
    def _send(record: bytes) -> None:
        try:
            sent = write(OUTPUT_FILE, record)
        except OSError:
            sent = 0
        if sent < len(record):
            leave(Exit.NO_CHANNEL)
