"""Watch a running `solve`: which numbers appear in it, in which variable, after which line. Names do not matter.

The call is traced in the learner's own kernel, as a debugger would do it. Only the learner's own code is watched: the
functions that share their globals with `solve`, and modules of the learner's that stand beside the notebook.
What the numbers mean is told in `course.xray_steps`.
"""

from __future__ import annotations

import copy
import io
import sys
import time
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from traceback import walk_tb
from types import CodeType, FrameType
from typing import Any, Final

from course.calling import no_keyboard
from course.values import Numbers, read_value
from course.xray_error import Reached, how_far, uses_input

_PATIENCE: Final = 4  # times the CPU seconds: the machine may have more to do
_MOST_EVENTS: Final = 50_000
_MOST_NUMBERS: Final = 200_000
_MOST_NESTED: Final = 3
_GIVEN: Final = "return"  # no variable can have this name
_NEVER_CHANGES: Final = (int, float, bool, str, type(None))

Home = tuple[str, str, int]  # the file, the name and the first line of a function


@dataclass(frozen=True)
class Place:
    """A line of the learner's: `line` counts from 1 in the cell (or file) `file`; `function` begins at `begins`."""

    file: str
    function: str
    begins: int
    line: int

    @property
    def home(self) -> Home:
        """The function that the line belongs to."""
        return self.file, self.function, self.begins


@dataclass(frozen=True)
class Sighting:
    """Numbers that were there after a line. `moment` counts the events of the whole call.

    `callers` are the lines of the learner's that led there, the outermost first.
    """

    moment: int
    place: Place
    numbers: Numbers
    callers: tuple[Place, ...] = ()


@dataclass(frozen=True)
class Sightings:
    """All numbers that one call showed: for each variable, and for each function's results, in order of time.

    `inputs` are the arguments as numbers. `complete` is false where the watching was given up. `stopped` are the
    learner's lines in which an error ended the call, the outermost first; none where there was no error.
    `by_zero` is true where it was a division by 0; `with_input` where the line of the error itself uses an input.
    `reached`: how far the line of the error had come. `names` are the variables of the streams, in their order.
    """

    streams: tuple[tuple[Sighting, ...], ...]
    inputs: tuple[Numbers, ...]
    complete: bool = True
    stopped: tuple[Place, ...] = ()
    by_zero: bool = False
    with_input: bool = False
    reached: Reached = Reached.UNKNOWN
    names: tuple[str, ...] = ()

    @property
    def raised(self) -> bool:
        """Tell whether an error ended the call."""
        return bool(self.stopped)


def watch(solve: Callable[..., object], arguments: Mapping[str, Any], seconds: float = 1.0) -> Sightings:
    """Call `solve` once more on copies of the arguments and note the numbers it works with.

    Never raises, whatever the learner's code does; its prints are not shown. The call is ended after so many seconds of
    CPU time, or four times as many by the clock.
    Only code that catches every exception can go on then, so watch only what has already come to an end in a check.
    """
    watcher = _Watcher(_own_globals(solve), time.thread_time() + seconds, time.monotonic() + _PATIENCE * seconds)
    before = sys.gettrace()
    stopped: tuple[Place, ...] = ()
    by_zero = with_input = False
    reached = Reached.UNKNOWN
    try:
        copies = copy.deepcopy(dict(arguments))
        with _silence(), no_keyboard():
            sys.settrace(watcher.enter)
            solve(*copies.values())
    except BaseException as error:  # noqa: BLE001  # the check has told the learner's error; here it ends the call
        sys.settrace(before)
        entries = [(frame, line) for frame, line in walk_tb(error.__traceback__) if watcher.is_own(frame)]
        by_zero = isinstance(error, ZeroDivisionError)
        stopped = tuple(_place(frame.f_code, line) for frame, line in entries)
        reached = how_far(error, solve)
        with_input = uses_input(entries, read_inputs(arguments))
    finally:
        sys.settrace(before)
    streams = tuple(map(tuple, watcher.streams.values()))
    complete = not watcher.gave_up
    names = tuple(name for _, name in watcher.streams)
    return Sightings(streams, read_inputs(arguments), complete, stopped, by_zero, with_input, reached, names)


def read_inputs(arguments: Mapping[str, Any]) -> tuple[Numbers, ...]:
    """Return those arguments that are numbers."""
    return tuple(each for each in map(read_value, arguments.values()) if isinstance(each, Numbers))


def unwrap(solve: object) -> Iterator[Any]:
    """Yield the function and the functions inside it: what a decorator, a method or a `partial` was made from."""
    for _ in range(10):
        yield solve
        inner = (getattr(solve, name, None) for name in ("__wrapped__", "__func__", "func"))
        solve = next((each for each in inner if callable(each)), None)
        if solve is None:
            return


def _own_globals(solve: object) -> Collection[int]:
    spaces = [getattr(function, "__globals__", None) for function in unwrap(solve)]
    return {id(space) for space in spaces if space is not None}


class _EnoughError(BaseException):
    """End the call; no `except Exception` in it stops this."""


class _Nowhere(io.TextIOBase):
    """Take prints and keep nothing."""

    def write(self, text: str) -> int:
        return len(text)


def _silence() -> ExitStack:
    stack = ExitStack()
    stack.enter_context(redirect_stdout(_Nowhere()))
    stack.enter_context(redirect_stderr(_Nowhere()))
    stack.enter_context(warnings.catch_warnings(action="ignore"))
    return stack


@dataclass
class _Watcher:
    """One call being watched."""

    own_globals: Collection[int]
    cpu_deadline: float
    deadline: float
    streams: dict[tuple[CodeType, str], list[Sighting]] = field(default_factory=dict)
    gave_up: bool = False
    moment: int = 0
    numbers: int = 0

    def enter(self, frame: FrameType, event: str, arg: object) -> Callable[..., Any] | None:
        """Follow a new call if it is the learner's own. Python calls this; see `sys.settrace`."""
        del event, arg
        self.tick()
        return _Visit(self, frame).step if self.is_own(frame) else None

    def note(self, code: CodeType, name: str, way: tuple[Place, ...], numbers: Numbers) -> None:
        """Keep a sighting: `way` are the lines that led there, the last one its own place."""
        self.tick()
        self.numbers += len(numbers.flat) + 1
        self.streams.setdefault((code, name), []).append(Sighting(self.moment, way[-1], numbers, way[:-1]))

    def tick(self) -> None:
        """Count one more event, and end the call when there were enough."""
        self.moment += 1
        late = time.thread_time() > self.cpu_deadline or time.monotonic() > self.deadline
        if late or self.moment > _MOST_EVENTS or self.numbers > _MOST_NUMBERS:
            self.gave_up = True
            raise _EnoughError

    def is_own(self, frame: FrameType) -> bool:
        """Tell whether the learner wrote this code."""
        if id(frame.f_globals) in self.own_globals:
            return True
        return _is_beside(frame.f_globals.get("__file__"))


@lru_cache(maxsize=256)
def _is_beside(file: object) -> bool:
    """Tell whether this file is a module of the learner's, beside the notebook."""
    return isinstance(file, str) and Path(file).parent == Path.cwd()


class _Visit:
    """One call of one function: what its variables held when last looked at."""

    def __init__(self, watcher: _Watcher, frame: FrameType) -> None:
        self._watcher = watcher
        self._code = frame.f_code
        self._line = frame.f_lineno
        self._held: dict[str, tuple[object, tuple[Numbers, ...]]] = {}
        self.callers = self._find_callers(frame)
        self._look(frame, self.callers or (_place(self._code, self._line),))

    def step(self, frame: FrameType, event: str, arg: object) -> Callable[..., Any]:
        """Note what the line that has just ended changed; at the end of the call, also its result."""
        self._watcher.tick()
        way = (*self.callers, _place(self._code, self._line))
        self._look(frame, way)
        if event == "return":
            for numbers in _tables(arg):
                self._watcher.note(self._code, _GIVEN, way, numbers)
        self._line = frame.f_lineno
        return self.step

    def _find_callers(self, frame: FrameType) -> tuple[Place, ...]:
        """Return the learner's lines that called this, the outermost first: the arguments come from the last one."""
        caller = frame.f_back
        while caller is not None and not self._watcher.is_own(caller):
            caller = caller.f_back
        visit = getattr(caller.f_trace, "__self__", None) if caller is not None else None
        if caller is None or not isinstance(visit, _Visit):
            return ()  # the call came from the course
        return (*visit.callers, _place(caller.f_code, caller.f_lineno))

    def _look(self, frame: FrameType, way: tuple[Place, ...]) -> None:
        for name, value in list(frame.f_locals.items()):
            if name in self._code.co_freevars:
                continue  # the function around it has the same variable
            before = self._held.get(name, (_GIVEN, ()))
            if value is before[0] and isinstance(value, _NEVER_CHANGES):
                continue
            tables = tuple(_tables(value))
            self._held[name] = value, tables
            for numbers in tables:
                if value is not before[0] or numbers not in before[1]:
                    self._watcher.note(self._code, name, way, numbers)


def _place(code: CodeType, line: int) -> Place:
    return Place(code.co_filename, code.co_name, code.co_firstlineno, line)


def _tables(value: object, depth: int = 0) -> Iterator[Numbers]:
    """Read numbers; of rows that differ in length, each row; of a dict, its values."""
    kind = type(value)
    if kind is dict:
        value = list(value.values())  # type: ignore[attr-defined]  # narrowed by the exact type
    numbers = read_value(value)
    if isinstance(numbers, Numbers):
        yield numbers
    elif numbers.kind in {"ragged", "type"} and kind in {list, tuple, dict} and depth < _MOST_NESTED:
        for each in value:  # type: ignore[attr-defined]  # the same
            yield from _tables(each, depth + 1)
