"""Be the child: put on the last layers, run the cells, call the function, write one record per call, leave.

Everything below runs beside student code, which may do with this process what it likes. All that is
needed later is therefore bound to names of our own before the first cell runs. Nothing written here is
believed by the grader beyond being an answer.
"""

from __future__ import annotations

import builtins
import gc
import io
import os
import resource
import sys
from collections.abc import Callable
from dataclasses import dataclass
from marshal import dumps, loads
from math import ceil
from os import _exit as leave
from os import read, write
from types import ModuleType
from typing import Any, Final, NamedTuple

from autograder.sandbox import answers
from autograder.sandbox.cells import compile_cell, future_flags
from autograder.sandbox.printing import Printer
from autograder.sandbox.seccomp import Filter
from autograder.sandbox.wire import GATE, INPUT, MAX_CELL_ERRORS, OUTPUT_SLACK_BYTES, Exit, Tag

# High numbers, so that code that closes "everything" below them does itself no harm.
_GATE_FILE: Final = 60
_LATER_FILE: Final = 61
_OUTPUT_FILE: Final = 62
_PRINTED_FILE: Final = 63
_MOST_FILES: Final = 64
_FIRST_FREE_FILE: Final = 3
_STANDARD_FILES: Final = (0, 1, 2)
_MARSHAL_VERSION: Final = 2  # the version in which the inputs were packed
_NOTEBOOK: Final = "notebook"


@dataclass(frozen=True)
class Setting:
    """What the zygote prepares once for all children."""

    devnull: int
    address_space_bytes: int
    filter: Filter | None
    rlimits: bool


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
    job_file, inputs_file, output_file, printed_file, *gated = files
    os.setpgid(0, 0)  # its own group, to be killed as one
    for standard in _STANDARD_FILES:
        os.dup2(setting.devnull, standard)
    job = Job._make(loads(_read_all(job_file)))  # noqa: S302  # the grader wrote it
    inputs = _read_all(inputs_file)
    os.dup2(output_file, _OUTPUT_FILE, inheritable=False)
    os.dup2(printed_file, _PRINTED_FILE, inheritable=False)
    for file, number in zip(gated, (_GATE_FILE, _LATER_FILE), strict=False):
        os.dup2(file, number, inheritable=False)
    os.closerange(_FIRST_FREE_FILE, _GATE_FILE if gated else _OUTPUT_FILE)
    if setting.rlimits:
        _set_rlimits(setting, job)
    if setting.filter is not None:
        try:
            setting.filter.load()
        except OSError:
            leave(Exit.NO_JAIL)
    gc.enable()
    _Work(job, inputs).do(gated=bool(gated))
    leave(Exit.FINISHED)


def _read_all(file: int) -> bytes:
    return os.pread(file, os.fstat(file).st_size, 0)


def _set_rlimits(setting: Setting, job: Job) -> None:
    cpu_seconds = ceil(job.cpu_seconds) + 1
    for limit, value in (
        (resource.RLIMIT_AS, setting.address_space_bytes + job.memory_bytes),
        (resource.RLIMIT_CPU, cpu_seconds),
        (resource.RLIMIT_FSIZE, job.output_bytes + OUTPUT_SLACK_BYTES),
        (resource.RLIMIT_NOFILE, _MOST_FILES),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, 0),
    ):
        resource.setrlimit(limit, (value, value))


class _Work:
    """Hold the notebook's namespace and the two files that lead out."""

    def __init__(self, job: Job, inputs: bytes) -> None:
        self._job = job
        self._inputs = inputs
        self._room = job.output_bytes
        self._printer = Printer(_PRINTED_FILE, job.printed_characters)
        self._cell_numbers: dict[str, int] = {}
        self._module = ModuleType("__main__")

    def do(self, *, gated: bool) -> None:
        """Run the cells, then make the calls. With a gate, make the later calls once the grader lets us through."""
        # The first time only: a second child runs the cells again, and should not print it all again.
        self._printer.mute = self._job.first_call > 0
        errors = self._load()
        self._printer.mute = False
        self._send(b"".join(errors) + answers.loaded())
        names = vars(self._module)
        names["__name__"] = _NOTEBOOK
        function = names.get(self._job.function)
        if not callable(function):
            self._send(answers.no_function(function, missing=self._job.function not in names))
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

    def _load(self) -> list[bytes]:
        """Run every cell in one namespace. A cell that fails stops itself, not those after it."""
        sys.modules["__main__"] = sys.modules[_NOTEBOOK] = self._module
        sys.stdout = sys.__stdout__ = self._printer  # type: ignore[misc, assignment]  # print needs no more
        builtins.print = self._printer.print
        sys.stderr = sys.__stderr__ = Printer(_PRINTED_FILE, 0)  # type: ignore[misc, assignment]
        sys.stdin = sys.__stdin__ = io.StringIO("")  # type: ignore[misc, assignment]
        names = vars(self._module)
        names.update(__builtins__=builtins, In=[""], Out={}, _="", __="", ___="")
        flags, errors = 0, []
        for number, source in self._job.cells:
            file_name = f"<cell {number}>"
            self._cell_numbers[file_name] = number
            try:
                code = compile_cell(source, file_name, flags)
                if code is not None:
                    flags |= future_flags(code)
                    exec(code, names)  # noqa: S102  # this is what the jail is for
            except BaseException as error:  # noqa: BLE001  # also exit(), also an interrupt
                errors.append(answers.error(number, Tag.CELL_ERROR, error, self._cell_numbers))
        return errors[:MAX_CELL_ERRORS]

    def _call(self, number: int, function: Callable[..., object], blob: bytes, twice: int) -> bytes:
        """Make one call on fresh arguments and write down what came of it."""
        arguments = loads(blob)  # noqa: S302  # the grader packed it
        printed_before = self._printer.count
        try:
            value = function(*arguments)
            if twice:
                value = function(*arguments)
            printed = self._printer.count != printed_before
            return answers.answer(number, value, changed=_changed(arguments, blob), printed=printed)
        except MemoryError:
            return answers.stopped(number, "memory")
        except SystemExit:
            return answers.stopped(number, "exit")
        except BaseException as error:  # noqa: BLE001  # whatever the student's code raises is an answer
            return answers.error(number, Tag.ERROR, error, self._cell_numbers)

    def _send_answer(self, number: int, record: bytes) -> None:
        if len(record) > self._room:
            record = answers.stopped(number, "size")
        self._room -= len(record)
        self._send(record)

    @staticmethod
    def _send(record: bytes) -> None:
        try:
            sent = write(_OUTPUT_FILE, record)
        except OSError:
            sent = 0
        if sent < len(record):
            leave(Exit.NO_CHANNEL)


def _changed(arguments: Any, blob: bytes) -> bool:  # noqa: ANN401  # whatever the student made of them
    """Tell whether the call changed its arguments. Compares bytes, so that no code of the student's is run."""
    try:
        return dumps(arguments, _MARSHAL_VERSION) != blob
    except ValueError:
        return True
