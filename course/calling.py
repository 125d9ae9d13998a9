"""Call the learner's `solve` in their own kernel, on copies of the inputs, and say what came of it."""

from __future__ import annotations

import builtins
import copy
import inspect
import io
import json
import sys
import textwrap
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any, Final

from course.cell_text import line_left_over
from course.compare import LEFT_OVER, RETURN_HERE
from course.errors.spot import place_of
from course.errors.texts import cells_run, line_that_replaces
from course.judging import Example
from course.outcomes import Answered, NoFunction, Outcome, Raised, Stopped, StopReason
from course.values import Numbers, name_type, read_value

_MAX_MESSAGE: Final = 500
_MOST_LINES: Final = 200
_MOST_LETTERS: Final = 20_000

_stopped: list[object] = []


def was_stopped(solve: object) -> bool:
    """Tell whether the learner had to stop this very function in its last call: it is not to be called again."""
    return any(each is solve for each in _stopped)


def note_stopped(solve: object) -> None:
    """Remember that the learner had to stop this very function."""
    _stopped[:] = [solve]


@dataclass(frozen=True)
class Call:
    """What one call came to, and the names of the arguments that it changed.

    `written`: the answer as text, before a later call can change it. `error`: what ended the call, with its frames.
    """

    outcome: Outcome
    changed: tuple[str, ...] = ()
    seconds: float = 0.0
    written: str = ""
    error: BaseException | None = None


def call_each(solve: object, examples: Sequence[Example]) -> list[Call]:
    """Call `solve` on copies of each example's arguments, in order. Never raises: an interrupt ends the calls."""
    if not callable(solve):
        return [Call(_no_function(solve)) for _ in examples]
    calls: list[Call] = []
    try:
        for number, example in enumerate(examples, start=1):
            title = f"example {number}:" if len(examples) > 1 else ""
            calls.append(_call(solve, example, title))
    except KeyboardInterrupt as error:
        note_stopped(solve)
        calls += [Call(Stopped(StopReason.INTERRUPTED), error=error)] * (len(examples) - len(calls))
    return calls


def _no_function(solve: object) -> NoFunction:
    found = (line_that_replaces("solve", text) for text in reversed(cells_run()))
    line, code = next((each for each in found if each[0]), (0, ""))
    return NoFunction(name_type(solve), line=line, code=code)


def _call(solve: Callable[..., object], example: Example, title: str) -> Call:
    """Call `solve` once on copies of the arguments. What it prints is shown below the title, and noticed."""
    arguments = copy.deepcopy(dict(example.arguments))
    screen = _Screen(title)
    begun = time.perf_counter()
    try:
        with redirect_stdout(screen), no_keyboard():
            value = solve(*arguments.values())
    except KeyboardInterrupt:
        raise
    except SystemExit as error:
        return Call(Stopped(StopReason.EXIT), error=error)
    except BaseException as error:  # noqa: BLE001  # a learner's code may raise anything; the report says what
        return Call(_raised(error, solve), _changed(example, arguments), time.perf_counter() - begun, error=error)
    finally:
        screen.end()
    seconds = time.perf_counter() - begun
    if inspect.iscoroutine(value):
        value.close()  # an `async` function was called; Python would warn about it later
    changed = _changed(example, arguments)
    answered = Answered(read_value(value), bool(changed), screen.noticed)
    return Call(answered, changed, seconds, _write_answer(answered, value))


@contextmanager
def in_silence() -> Iterator[None]:
    """Show nothing that a call prints or warns of: the learner has seen it, or it is about inputs they never see."""
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextmanager
def no_keyboard() -> Iterator[None]:
    """Let `input` raise EOFError, as it does where nobody sits at the keyboard: a call never waits."""
    before = builtins.input
    builtins.input = _nobody_types
    try:
        yield
    finally:
        builtins.input = before


def _nobody_types(prompt: object = "") -> str:
    del prompt
    message = "nobody types here"
    raise EOFError(message)


def _changed(example: Example, arguments: Mapping[str, object]) -> tuple[str, ...]:
    return tuple(name for name, before in example.arguments.items() if write(before) != write(arguments[name]))


def _write_answer(answered: Answered, value: object) -> str:
    return repr(answered.value) if isinstance(answered.value, Numbers) else write(value)


class _Screen(io.TextIOBase):
    """Pass the first lines on to the screen, below a title, and remember that there was something."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self._screen = sys.stdout
        self._title = title
        self._lines, self._letters = _MOST_LINES, _MOST_LETTERS
        self._hidden = ""  # the last piece that is not shown, and how many lines ended before it
        self._more = 0
        self.noticed = False

    def write(self, text: str) -> int:
        if self._title and text:
            self._screen.write(f"{self._title}\n")
            self._title = ""
        self.noticed = self.noticed or bool(text.strip())
        shown = "".join(text[: self._letters].splitlines(keepends=True)[: self._lines])
        self._letters -= len(shown)
        self._lines -= shown.count("\n")
        self._screen.write(shown)
        self._hide(text[len(shown) :])
        return len(text)

    def _hide(self, text: str) -> None:
        if text:
            self._lines = 0
            self._more += text.count("\n")
            self._hidden = text

    def end(self) -> None:
        """Say how many lines were not shown."""
        more = self._more + (bool(self._hidden) and not self._hidden.endswith("\n"))
        if more:
            self._screen.write(f"\n... {more:,} more line{'s are' if more > 1 else ' is'} not shown.\n")

    def flush(self) -> None:
        self._screen.flush()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # whatever the real screen has
        return getattr(self._screen, name)


def _raised(error: BaseException, solve: object) -> Raised:
    """Point at the innermost line of the learner's own code."""
    line, code = place_of(error, solve)
    message = _message(error)
    if isinstance(error, NotImplementedError):
        left_over, is_last = line_left_over(_text_of(solve))
        message = (RETURN_HERE if is_last else LEFT_OVER) if left_over else message
    return Raised(type(error).__name__, message, line=line, code=code)


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


def write(value: object) -> str:
    """Write a value so that any change shows; what is not plain data is "changed"."""
    try:
        return json.dumps(value, default=_as_list)
    except Exception:  # noqa: BLE001  # something that is not plain data was put there
        return "changed"


def _as_list(value: object) -> object:
    """Return the numbers of an array."""
    if type(value).__module__ != "numpy":
        raise TypeError
    return value.tolist()  # type: ignore[attr-defined]  # arrays and numpy's numbers both have it
