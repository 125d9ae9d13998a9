"""Find the notebook as it is saved, and read it as the grader will."""

from __future__ import annotations

import ast
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from course.beside import GIVEN, modules_beside
from course.judging import Example, examples_in
from course.practice import Practice, find_practice
from course.reading import UnreadableError, read_notebook
from course.submission import Cell, Submission, grade_id_of, read_submission, source_of

_CALL: Final = b"check_before_submitting("
_VS_CODE: Final = "__vsc_ipynb_file__"  # set by VS Code in the session
_JUPYTER: Final = "JPY_SESSION_NAME"  # set by the Jupyter server in the environment
_LOCKED: Final = ("examples", "hidden")
_EXAMPLES: Final = "examples"
_NOWHERE: Final = "The saved notebook was not found from here, so it could not be run from a clean start."


class NotFoundError(Exception):
    """There is no saved notebook to look at; the message is one plain sentence."""


@dataclass(frozen=True)
class Saved:
    """The saved notebook as the grader reads it. `own`: the student's cells. `hidden_cases` is 0 if not known."""

    path: Path
    saved_at: float
    submission: Submission
    own: tuple[Cell, ...]
    examples: tuple[Example, ...]
    hidden_cases: int
    points: float
    notes: tuple[str, ...]


def read_saved(names: Mapping[str, object]) -> Saved:
    """Find and read the notebook of this session. `names`: the names of the session.

    Raises:
        NotFoundError: it is not to be found from here.
        UnreadableError: there is nothing in it to grade.
    """
    path = _find(names)
    try:
        data, saved_at = path.read_bytes(), path.stat().st_mtime
    except OSError as error:
        raise NotFoundError(_NOWHERE) from error
    read = read_notebook(data, path.name)
    cells = read.notebook["cells"]
    asked = _check_call(_text_of(_EXAMPLES, cells))
    lesson = str(asked.get("lesson", path.stem))
    practice = find_practice(path.stem, path.parent) or find_practice(lesson, path.parent)
    released, given = _locked_cells(practice, cells)
    beside = modules_beside(path.parent)
    if practice is not None and practice.earlier:
        beside[f"{GIVEN}.py"] = practice.earlier  # as the grader does
    submission = read_submission(read.notebook, released, beside)
    return Saved(
        path=path,
        saved_at=saved_at,
        submission=submission,
        own=tuple(cell for cell in submission.cells if cell.source not in given),
        examples=_examples_of(released),
        hidden_cases=int(_check_call(released[_EXAMPLES]).get("hidden_cases", 0)),
        points=_points(cells),
        notes=(*read.notes, *_other_name(path, lesson), *submission.notes),
    )


def _find(names: Mapping[str, object]) -> Path:
    """Ask the editor first, then look into the working folder."""
    for told in (names.get(_VS_CODE), os.environ.get(_JUPYTER)):
        if isinstance(told, str) and told.endswith(".ipynb") and Path(told).is_file():
            return Path(told)
    notebooks = sorted(Path().glob("*.ipynb"))
    named_by_lesson = [path for path in notebooks if find_practice(path.stem) is not None]
    found = named_by_lesson or [path for path in notebooks if _calls_us(path)]
    if len(found) > 1:
        listed = ", ".join(f"`{path.name}`" for path in found[:5])
        message = f"There are several notebooks here ({listed}), and it is not known which one you have open."
        raise NotFoundError(message)
    if not found:
        raise NotFoundError(_NOWHERE)
    return found[0]


def _calls_us(path: Path) -> bool:
    try:
        return _CALL in path.read_bytes()
    except OSError:
        return False


def _locked_cells(
    practice: Practice | None, cells: Sequence[Mapping[str, Any]]
) -> tuple[dict[str, str], frozenset[str]]:
    """Return the released text of the graded locked cells, and that of all cells that are not the student's.

    Without practice data they can only be taken from the notebook itself.
    """
    if practice is not None and practice.locked:
        released = {cell.name: cell.source for cell in practice.locked if cell.name}
        return released, frozenset(cell.source for cell in practice.locked)
    found = {name: _text_of(name, cells) for name in _LOCKED}
    released = {name: text for name, text in found.items() if text}
    if _EXAMPLES not in released:
        reason = "The locked cell with the examples is missing. Start again from the lesson's notebook as you got it."
        raise UnreadableError(reason)
    fixed = [source_of(cell) for cell in cells if cell["metadata"].get("editable") is False]
    return released, frozenset([*released.values(), *fixed])


def _examples_of(released: Mapping[str, str]) -> tuple[Example, ...]:
    try:
        return examples_in(released[_EXAMPLES])
    except (ValueError, SyntaxError) as error:
        reason = "The locked cell with the examples was changed. Start again from the lesson's notebook as you got it."
        raise UnreadableError(reason) from error


def _text_of(name: str, cells: Sequence[Mapping[str, Any]]) -> str:
    return next((source_of(cell) for cell in cells if grade_id_of(cell) == name), "")


def _check_call(text: str) -> dict[str, Any]:
    """Return the plain words that the check cell gives to `check`, such as the number of hidden cases."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return {}
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == "check"]
    given = calls[-1].keywords if calls else []
    return {word.arg: word.value.value for word in given if word.arg and isinstance(word.value, ast.Constant)}


def _points(cells: Sequence[Mapping[str, Any]]) -> float:
    marks = [cell["metadata"]["nbgrader"] for cell in cells if grade_id_of(cell) == _EXAMPLES]
    points = marks[0].get("points") if marks else 0
    return float(points) if isinstance(points, int | float) else 0.0


def _other_name(path: Path, lesson: str) -> tuple[str, ...]:
    if path.stem == lesson:
        return ()
    return (f"This notebook is saved as `{path.name}`. Make sure that you hand in this one, and not `{lesson}.ipynb`.",)
