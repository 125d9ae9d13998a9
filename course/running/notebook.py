"""Run the cells of a notebook in one namespace, each as far as it goes. Runs beside student code."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from inspect import CO_COROUTINE
from types import CodeType, ModuleType
from typing import Final

from course.outcomes import Raised
from course.running.cells import cell_magic, compile_cell, compile_rest, future_flags
from course.running.errors import MAX_CELL_ERRORS, TRACEBACK_OF, describe, skipped
from course.running.waiting import finish

NAME_DURING_CALLS: Final = "notebook"


class Notebook:
    """Hold the namespace of the cells. `mark` is told the place of each cell before it begins."""

    def __init__(self, mark: Callable[[int], object]) -> None:
        self._mark = mark
        self._module = ModuleType("__main__")
        self._flags = 0
        self._skipped: list[Raised] = []
        self.cell_numbers: dict[str, int] = {}

    def load(self, cells: list[tuple[int, str]]) -> list[tuple[int, Raised]]:
        """Run every cell; return its number with the first error of each. One that fails does not stop the others."""
        sys.modules["__main__"] = sys.modules[NAME_DURING_CALLS] = self._module
        names = vars(self._module)
        names.update(__builtins__=builtins, In=[""], Out={}, _="", __="", ___="")
        errors = []
        for place, (number, source) in enumerate(cells):
            self._mark(place)
            error = self._run_cell(number, source)
            if error is not None:
                errors.append((number, error))
        names["__name__"] = NAME_DURING_CALLS
        return errors[:MAX_CELL_ERRORS]

    @property
    def names(self) -> dict[str, object]:
        """The namespace that the cells share."""
        return vars(self._module)

    def find(self, name: str) -> tuple[object, list[Raised] | None]:
        """Return what `name` stands for; where there is no such name, also the cells that were skipped."""
        names = vars(self._module)
        return names.get(name), None if name in names else self._skipped[:MAX_CELL_ERRORS]

    def _run_cell(self, number: int, source: str) -> Raised | None:
        file_name = f"<cell {number}>"
        if number:  # cell 0 is ours: it finds the modules beside the notebook
            self.cell_numbers[file_name] = number
        code = None
        try:
            code = compile_cell(source, file_name, self._flags)
            if code is None:
                self._skipped.append(skipped(number, cell_magic(source)))
                return None
            self._flags |= future_flags(code)
            self._execute(code)
        except BaseException as error:  # noqa: BLE001  # also exit(), also an interrupt
            told = describe(error, self.cell_numbers)
            line = _line_of(error, code) if isinstance(error, Exception) else 0
        else:
            return None
        if line:
            self._run_rest(source, file_name, line)
        return told

    def _run_rest(self, source: str, file_name: str, line: int) -> None:
        """Go on after the statement that failed: what fails above `solve`, such as a plot, need not cost `solve`."""
        try:
            for code in compile_rest(source, file_name, self._flags, line):
                try:
                    self._execute(code)
                except Exception:  # noqa: BLE001, S112  # the first error of the cell is the one that is told
                    continue
        except BaseException:  # noqa: BLE001, S110  # the cell asks to end, or the rest of it cannot be read
            pass

    def _execute(self, code: CodeType) -> None:
        names = vars(self._module)
        if code.co_flags & CO_COROUTINE:
            finish(eval(code, names))  # noqa: S307  # this is what the jail is for
        else:
            exec(code, names)  # noqa: S102  # as above


def _line_of(error: BaseException, code: CodeType | None) -> int:
    """Return the line of the cell's own code in which it failed; 0 when nothing of it ran."""
    step = TRACEBACK_OF(error)
    while step is not None:
        if step.tb_frame.f_code is code:
            return int(step.tb_lineno or 0)
        step = step.tb_next
    return 0
