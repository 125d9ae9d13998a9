"""Run the learner's `solve` on the worked examples, in the notebook they write it in."""

from __future__ import annotations

import copy
import inspect
import io
import json
import linecache
import os
import sys
import textwrap
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from typing import Any, Final

from course.cell_text import defines_solve, is_finished
from course.compare import LEFT_OVER, Kind, compare
from course.judging import Example, judge_examples, read_examples
from course.outcomes import Answered, NoFunction, Outcome, Raised, Stopped, StopReason
from course.practice import Practice, find_practice
from course.report import Report
from course.running.cells import compile_cell
from course.session import LastCheck, remember
from course.show import to_html, to_text
from course.teaching import Taught, teach
from course.values import name_type, read_value
from course.xray_steps import find_step

_MAX_MESSAGE: Final = 500
_OLDER: Final = "The last run of your cell did not define `solve`: it stopped first. This is about your older code."
_TEACHABLE: Final = {Kind.RAISED, Kind.TYPE, Kind.SHAPE, Kind.NOT_FINITE, Kind.VALUES}


@dataclass(frozen=True, repr=False)
class CheckResult:
    """What `check` found. It shows itself in a notebook as HTML and in a terminal as text."""

    report: Report

    @property
    def points(self) -> float:
        """One point for each worked example that passes."""
        return float(sum(example.passed for example in self.report.examples))

    def __repr__(self) -> str:
        """Return the report as text."""
        return to_text(self.report)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Return both forms. While stock nbgrader runs the cell, the text is the bare number it gives credit for."""
        del include, exclude
        text = str(self.points) if os.environ.get("NBGRADER_EXECUTION") else to_text(self.report)
        return {"text/html": to_html(self.report), "text/plain": text}


def check(solve: object, examples: Sequence[Mapping[str, Any]], hidden_cases: int = 0, lesson: str = "") -> CheckResult:
    """Call `solve` on every worked example and report the first one that fails.

    An example is a dict: the arguments by name in call order, and the right answer under "returns". `lesson` names the
    practice file beside the notebook, which lets the report name a mistake; without it the answers are only compared.

    Raises:
        ValueError: the examples are not such a list.
    """
    known = read_examples(examples)
    practice = find_practice(lesson) if lesson else None
    if practice is not None and practice.examples != known:
        practice = None  # of another version of the lesson
    calls = _call_each(solve, known)
    older = (_OLDER,) if _is_older(solve) else ()
    outcomes = [call.outcome for call in calls]
    results = judge_examples(known, outcomes)
    first = next((each.kind for each in results if not each.passed), Kind.PASSED)
    report = Report(
        lesson=practice.lesson if practice else lesson,
        examples=results,
        points_for_examples=float(len(known)),
        hidden_cases=hidden_cases,
        notes=(*older, *_notes(calls)),
    )
    if practice is not None and first in _TEACHABLE:
        taught = _teach(practice, solve, outcomes)
        report = replace(report, mistake=taught.mistake, clue=taught.clue, already=taught.already)
    remember(LastCheck(solve, practice, report))
    return CheckResult(report)


def _teach(practice: Practice, solve: object, outcomes: Sequence[Outcome]) -> Taught:
    """Look into the answers, then into the running function."""
    with redirect_stdout(io.StringIO()):  # what the function prints was seen already
        probed = [call.outcome for call in _call_each(solve, practice.probes)]
    finding = None
    if callable(solve) and not was_stopped(solve):
        both = zip((*outcomes, *probed), practice.cases, strict=True)
        passed = [compare(outcome, case.returns).passed for outcome, case in both]
        finding = find_step(solve, [case.arguments for case in practice.cases], passed, practice.step_values)
    return teach(practice, outcomes, probed, finding)


def _source_of(solve: object) -> str:
    """Return the text of the cell that `solve` comes from; empty where there is none."""
    code = getattr(solve, "__code__", None)
    return "".join(linecache.getlines(code.co_filename)) if code else ""


def _text_of(function: object) -> str:
    """Return the text of one function; empty where it cannot be had."""
    try:
        return textwrap.dedent(inspect.getsource(function))  # type: ignore[arg-type]  # what is no function raises
    except (OSError, TypeError):
        return ""


def _is_older(solve: object) -> bool:
    """Tell whether the cell of `solve` was changed and run again, and Python could not read it."""
    inputs = getattr(sys.modules["__main__"], "In", None)
    last = next((text for text in reversed(inputs) if defines_solve(text)), "") if isinstance(inputs, list) else ""
    if not last or last.strip() == _source_of(solve).strip():
        return False
    try:
        compile_cell(last, "<cell>", 0)
    except SyntaxError:
        return True
    except (ValueError, RecursionError, MemoryError):
        return False
    return False


_stopped: list[object] = []


def was_stopped(solve: object) -> bool:
    """Tell whether the learner had to stop this very function in its last call: it is not to be called again."""
    return any(each is solve for each in _stopped)


def note_stopped(solve: object) -> None:
    """Remember that the learner had to stop this very function."""
    _stopped[:] = [solve]


@dataclass(frozen=True)
class _Call:
    outcome: Outcome
    changed: tuple[str, ...] = ()


def _call_each(solve: object, examples: Sequence[Example]) -> list[_Call]:
    if not callable(solve):
        return [_Call(NoFunction(name_type(solve))) for _ in examples]
    calls: list[_Call] = []
    try:
        for example in examples:
            calls.append(_call(solve, example))  # noqa: PERF401  # what was reached before an interrupt is kept
    except KeyboardInterrupt:
        note_stopped(solve)
        calls += [_Call(Stopped(StopReason.INTERRUPTED))] * (len(examples) - len(calls))
    return calls


def _call(solve: Callable[..., object], example: Example) -> _Call:
    """Call `solve` once on copies of the arguments. What it prints is shown as usual, and noticed."""
    arguments = copy.deepcopy(dict(example.arguments))
    screen = _Screen()
    try:
        with redirect_stdout(screen):
            value = solve(*arguments.values())
    except KeyboardInterrupt:
        raise
    except SystemExit:
        return _Call(Stopped(StopReason.EXIT))
    except BaseException as error:  # noqa: BLE001  # a learner's code may raise anything; the report says what
        return _Call(_raised(error, solve))
    if inspect.iscoroutine(value):
        value.close()  # an `async` function was called; Python would warn about it later
    changed = tuple(name for name, before in example.arguments.items() if _write(before) != _write(arguments[name]))
    return _Call(Answered(read_value(value), bool(changed), screen.noticed), changed)


class _Screen(io.TextIOBase):
    """Pass everything on to the screen and remember that there was something."""

    def __init__(self) -> None:
        super().__init__()
        self._screen = sys.stdout
        self.noticed = False

    def write(self, text: str) -> int:
        self.noticed = self.noticed or bool(text.strip())
        return self._screen.write(text)

    def flush(self) -> None:
        self._screen.flush()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # whatever the real screen has
        return getattr(self._screen, name)


def _raised(error: BaseException, solve: object) -> Raised:
    """Point at the innermost line of the notebook: its functions share their globals with `solve`."""
    names = getattr(solve, "__globals__", vars(sys.modules["__main__"]))
    line, code = 0, ""
    for frame, number in traceback.walk_tb(error.__traceback__):
        if frame.f_globals is names:
            line, code = number, linecache.getline(frame.f_code.co_filename, number).strip()
    left_over = isinstance(error, NotImplementedError) and is_finished(_text_of(solve))
    return Raised(type(error).__name__, LEFT_OVER if left_over else _message(error), line=line, code=code)


def _message(error: BaseException) -> str:
    try:
        return str(error)[:_MAX_MESSAGE]
    except Exception:  # noqa: BLE001  # an error class of the learner's own may fail to write itself
        return ""


def _write(value: object) -> str:
    """Write a value so that any change shows."""
    try:
        return json.dumps(value)
    except Exception:  # noqa: BLE001  # something that is not plain data was put there
        return "changed"


def _notes(calls: Sequence[_Call]) -> tuple[str, ...]:
    names = list(dict.fromkeys(name for call in calls for name in call.changed))
    if not names:
        return ()
    which = f"its input {names[0]}" if len(names) == 1 else f"its inputs {', '.join(names[:-1])} and {names[-1]}"
    return (f"Your function changes {which}. Make new rows: a copy of the outer list still holds the same rows.",)
