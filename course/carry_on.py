"""Put the learner's own functions of earlier lessons in the place of the course's, where those lessons are passed."""

from __future__ import annotations

import ast
import inspect
import io
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, Final

from course.compare import compare
from course.judging import Example
from course.outcomes import Answered
from course.practice import find_practice
from course.progress import read_progress
from course.reading import UnreadableError, read_notebook
from course.submission import read_submission
from course.values import Numbers, read_value, to_lists

_KEPT: Final = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)
_MOST_SECONDS: Final = 2.0  # for all examples of an earlier lesson together, which take a hundredth of it
_LESSON: Final = "of_lesson"
_NOT_SAVED: Final = (
    "You passed lesson {0}, but what its notebook has saved does not pass. "
    "Open lesson {0}, run its check, save it, then run this cell again."
)
Function = Callable[..., object]


@dataclass(frozen=True)
class Own:
    """The learner's own function of an earlier lesson; or None, and in one sentence why the course's is used."""

    function: Function | None
    why_not: str = ""


class _TooSlowError(BaseException):
    """The time is over; no `except Exception` of the learner's stops this."""


def carry_on(names: dict[str, Any], **lessons: str) -> None:
    """Replace functions in `names` by the learner's own, and say whose run. `lessons`: a function's name to its lesson.

    The learner's own one is used where the lesson's folder lies beside this one, its check has passed, and its saved
    `solve` still gives every example in good time. It then takes and returns plain lists, as the course's does.
    """
    for name, lesson in lessons.items():
        own = own_function(Path("..") / lesson, lesson, name)
        whose = "your own" if own.function else "the course's"
        names[name] = own.function or names[name]
        print(f"{name}: {whose} function, from lesson {lesson[:2]}. {own.why_not}".rstrip())


def own_function(folder: Path, lesson: str, called: str = "") -> Own:
    """Return the learner's own `solve` of a lesson, if its check has passed and it is still to be relied on.

    `called` is its name in the notebook, for the words of an error.
    """
    name = lesson.partition("_")[2]
    practice = find_practice(name, folder)
    if practice is None or not read_progress(lesson, folder).passed:
        return Own(None, "Your own function runs here once its check has passed.")
    solve = _define(folder / f"{name}.ipynb")
    try:
        with _limited(_MOST_SECONDS):
            right = solve is not None and all(_gives(solve, each) for each in practice.cases)
    except _TooSlowError:
        return Own(None, "Your own function is too slow now: look at its lesson again.")
    if solve is None or not right:
        return Own(None, _NOT_SAVED.format(lesson[:2]))
    return Own(_as_lists(solve, lesson, called or name))


def own_functions_in(names: Mapping[str, object]) -> dict[str, str]:
    """Return the names that stand for the learner's own functions of earlier lessons, each with its lesson."""
    found = {name: getattr(value, _LESSON, None) for name, value in names.items() if callable(value)}
    return {name: lesson for name, lesson in found.items() if isinstance(lesson, str)}


def _define(notebook: Path) -> Function | None:
    """Run the definitions of a saved notebook, and nothing else of it."""
    try:
        read = read_notebook(notebook.read_bytes(), notebook.name)
        cells = read_submission(read.notebook, {}).cells
    except (OSError, UnreadableError):
        return None
    names: dict[str, Any] = {"__name__": notebook.stem}
    for cell in cells:
        _run(cell.source, names)
    solve = names.get("solve")
    return solve if callable(solve) else None


def _run(source: str, names: dict[str, Any]) -> None:
    try:
        kept: list[ast.stmt] = [each for each in ast.parse(source).body if isinstance(each, _KEPT) and not _calls(each)]
        with redirect_stdout(io.StringIO()):
            exec(compile(ast.Module(kept, []), "<your earlier lesson>", "exec"), names)  # noqa: S102  # the learner's own
    except Exception:  # noqa: BLE001  # a cell that cannot run defines nothing; the examples decide
        return


def _calls(statement: ast.stmt) -> bool:
    """Tell whether a plain assignment calls something: that may take long, draw, or ask for input."""
    plain = isinstance(statement, ast.Assign | ast.AnnAssign)
    return plain and any(isinstance(each, ast.Call) for each in ast.walk(statement))


def _gives(solve: Function, example: Example) -> bool:
    try:
        value = read_value(_called(solve, *example.arguments.values()))
    except Exception:  # noqa: BLE001  # then it does not give the example
        return False
    return compare(Answered(value), example.returns).passed


def _called(solve: Function, *arguments: object) -> object:
    """Call the learner's function on fresh plain lists, without its prints."""
    with redirect_stdout(io.StringIO()):
        return solve(*map(_plain, arguments))


def _plain(value: Any) -> Any:  # noqa: ANN401  # whatever a learner's code passes on
    """Turn numpy's arrays and numbers into Python's, also inside lists; the lists are new ones."""
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value.tolist() if type(value).__module__ == "numpy" and hasattr(value, "tolist") else value


def _as_lists(solve: Function, lesson: str, name: str) -> Function:
    """Take and return plain numbers and lists of them, whatever the learner's function is written with.

    An error in the call speaks of the name that it has here: `solve` is another function in this notebook.
    """
    inputs = _inputs_of(solve)

    def own(*arguments: object) -> object:
        try:
            inputs.bind(*arguments)
        except TypeError:
            message = f"{name}() takes {len(inputs.parameters)} inputs and was given {len(arguments)}"
            raise TypeError(message) from None
        value = _called(solve, *arguments)
        numbers = read_value(value)
        return to_lists(numbers) if isinstance(numbers, Numbers) else value

    own.__doc__ = solve.__doc__
    own.__name__ = name
    vars(own)["__signature__"] = inputs
    setattr(own, _LESSON, lesson)
    return own


def _inputs_of(solve: Function) -> inspect.Signature:
    """Return what a function takes; anything, where it is no plain function."""
    try:
        return inspect.signature(solve)
    except (TypeError, ValueError):
        return inspect.signature(lambda *_arguments: None)


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Stop Python code that runs longer: every line looks at the clock."""
    deadline = time.monotonic() + seconds

    def look(_frame: FrameType, _event: str, _argument: object) -> Any:  # noqa: ANN401  # as `settrace` wants it
        if time.monotonic() > deadline:
            raise _TooSlowError
        return look

    before = sys.gettrace()
    sys.settrace(look)
    try:
        yield
    finally:
        sys.settrace(before)
