"""Call the learner's `solve` in their own kernel, on copies of the inputs, and say what came of it."""

from __future__ import annotations

import copy
import inspect
import io
import json
import linecache
import sys
import textwrap
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any, Final

from course.cell_text import is_finished
from course.compare import LEFT_OVER
from course.judging import Example
from course.outcomes import Answered, NoFunction, Outcome, Raised, Stopped, StopReason, numbers_of
from course.values import Numbers, name_type, read_value

_MAX_MESSAGE: Final = 500
_QUICK_SECONDS: Final = 0.1
_ANOTHER: Final = (
    "Called a second time, your function gives another answer for example {}. It keeps something from call to call: "
    "a name outside the function, a list as default value, or random numbers."
)

_stopped: list[object] = []


def was_stopped(solve: object) -> bool:
    """Tell whether the learner had to stop this very function in its last call: it is not to be called again."""
    return any(each is solve for each in _stopped)


def note_stopped(solve: object) -> None:
    """Remember that the learner had to stop this very function."""
    _stopped[:] = [solve]


@dataclass(frozen=True)
class Call:
    """What one call came to, and the names of the arguments that it changed."""

    outcome: Outcome
    changed: tuple[str, ...] = ()
    seconds: float = 0.0


def call_each(solve: object, examples: Sequence[Example]) -> list[Call]:
    """Call `solve` on copies of each example's arguments, in order. Never raises: an interrupt ends the calls."""
    if not callable(solve):
        return [Call(NoFunction(name_type(solve))) for _ in examples]
    calls: list[Call] = []
    try:
        for example in examples:
            calls.append(_call(solve, example))  # noqa: PERF401  # what was reached before an interrupt is kept
    except KeyboardInterrupt:
        note_stopped(solve)
        calls += [Call(Stopped(StopReason.INTERRUPTED))] * (len(examples) - len(calls))
    return calls


def _call(solve: Callable[..., object], example: Example) -> Call:
    """Call `solve` once on copies of the arguments. What it prints is shown as usual, and noticed."""
    arguments = copy.deepcopy(dict(example.arguments))
    screen = _Screen()
    begun = time.perf_counter()
    try:
        with redirect_stdout(screen):
            value = solve(*arguments.values())
    except KeyboardInterrupt:
        raise
    except SystemExit:
        return Call(Stopped(StopReason.EXIT))
    except BaseException as error:  # noqa: BLE001  # a learner's code may raise anything; the report says what
        return Call(_raised(error, solve))
    seconds = time.perf_counter() - begun
    if inspect.iscoroutine(value):
        value.close()  # an `async` function was called; Python would warn about it later
    changed = tuple(name for name, before in example.arguments.items() if _write(before) != _write(arguments[name]))
    return Call(Answered(read_value(value), bool(changed), screen.noticed), changed, seconds)


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


def _text_of(function: object) -> str:
    """Return the text of one function; empty where it cannot be had."""
    try:
        return textwrap.dedent(inspect.getsource(function))  # type: ignore[arg-type]  # what is no function raises
    except (OSError, TypeError):
        return ""


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


def notes_on(solve: object, examples: Sequence[Example], calls: Sequence[Call]) -> tuple[str, ...]:
    """Say which inputs were changed, and which answer is another one the second time."""
    return (*_changed(calls), *_not_the_same(solve, examples, calls))


def _changed(calls: Sequence[Call]) -> tuple[str, ...]:
    names = list(dict.fromkeys(name for call in calls for name in call.changed))
    if not names:
        return ()
    which = f"its input {names[0]}" if len(names) == 1 else f"its inputs {', '.join(names[:-1])} and {names[-1]}"
    return (f"Your function changes {which}. Make new rows: a copy of the outer list still holds the same rows.",)


def _not_the_same(solve: object, examples: Sequence[Example], calls: Sequence[Call]) -> tuple[str, ...]:
    """Make the calls a second time, in silence, where the first time all gave numbers, and quickly."""
    first = [numbers_of(call.outcome) for call in calls]
    if None in first or sum(call.seconds for call in calls) > _QUICK_SECONDS:
        return ()
    with redirect_stdout(io.StringIO()):
        second = [numbers_of(call.outcome) for call in call_each(solve, examples)]
    pairs = enumerate(zip(first, second, strict=True), start=1)
    other = next((number for number, (one, two) in pairs if not _same(one, two)), None)
    return () if other is None else (_ANOTHER.format(other),)


def _same(one: Numbers | None, two: Numbers | None) -> bool:
    """Tell whether both are the same numbers; two that are no numbers (nan) are the same."""
    return one is not None and two is not None and repr(one) == repr(two)
