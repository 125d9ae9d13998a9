"""Load a lesson: the notebook gives the reference, its steps and the examples; the module gives the hidden side."""

from __future__ import annotations

import ast
import hashlib
import importlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from autograder.lesson import Call, GraderError, Group, Lesson, Mistake, Solve, name_of, outcome_of
from course.compare import compare
from course.judging import Example, read_examples
from course.outcomes import Answered
from course.submission import source_of
from course.values import Numbers

GRADED_CELLS: Final = ("solve", "examples", "hidden")
SOLUTION: Final = re.compile(r"[ \t]*### BEGIN SOLUTION\n(.*?)[ \t]*### END SOLUTION\n?", re.DOTALL)
HIDDEN: Final = re.compile(r"[ \t]*### BEGIN HIDDEN TESTS\n.*?[ \t]*### END HIDDEN TESTS\n?", re.DOTALL)
STEP: Final = re.compile(r"^\s*# (\d+)\. (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class _Parts:
    """What is written down of a lesson, before anything is computed."""

    reference_source: str
    examples: tuple[Example, ...]
    example_points: float
    hidden_points: float
    groups: tuple[Group, ...]
    mistakes: tuple[Mistake, ...]
    released: Mapping[str, str]
    locked: Mapping[str, str]
    other_code: frozenset[str]


def load_lesson(lesson_id: str, root: Path) -> Lesson:
    """Load a lesson from the course folder `root`; it is loaded once per process and content.

    Raises:
        GraderError: the notebook or the module is missing, or they do not fit together.
    """
    path = root / "source" / lesson_id / f"{name_of(lesson_id)}.ipynb"
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        message = f"there is no lesson {lesson_id!r}: {path} cannot be read ({error.strerror})"
        raise GraderError(message) from error
    return _load(lesson_id, text)


@cache
def _load(lesson_id: str, text: str) -> Lesson:
    try:
        parts = _read_parts(lesson_id, text)
        reference = _define(parts.reference_source)
    except (ImportError, AttributeError, KeyError, ValueError, SyntaxError) as error:
        message = f"the lesson {lesson_id!r} cannot be loaded: {type(error).__name__}: {error}"
        raise GraderError(message) from error
    _insist(parts, lesson_id)
    example_calls = [Call(tuple(example.arguments.values())) for example in parts.examples]
    hidden_calls = [call for group in parts.groups for call in group.calls]
    expected = tuple(_expect(reference, call) for call in hidden_calls)
    wanted = [*(example.returns for example in parts.examples), *expected]
    outcomes = {
        each.name: tuple(outcome_of(each.solve, call) for call in example_calls + hidden_calls)
        for each in parts.mistakes
    }
    return Lesson(
        id=lesson_id,
        name=name_of(lesson_id),
        reference=reference,
        steps=tuple(title for _, title in STEP.findall(parts.reference_source)),
        examples=parts.examples,
        example_points=parts.example_points,
        groups=parts.groups,
        expected=expected,
        mistakes=parts.mistakes,
        mistake_outcomes=outcomes,
        mistake_passes={
            name: tuple(compare(outcome, want).passed for outcome, want in zip(row, wanted, strict=True))
            for name, row in outcomes.items()
        },
        released=parts.released,
        locked=parts.locked,
        given=frozenset(parts.released.values()) | parts.other_code,
        version=hashlib.sha256(repr((text, parts.groups, expected, outcomes)).encode()).hexdigest()[:12],
    )


def _read_parts(lesson_id: str, text: str) -> _Parts:
    module = importlib.import_module(f"autograder.lessons.{name_of(lesson_id)}")
    cells: Sequence[Mapping[str, Any]] = json.loads(text)["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    graded = {cell["metadata"]["nbgrader"]["grade_id"]: cell for cell in code if "nbgrader" in cell["metadata"]}
    sources = {grade_id: source_of(graded[grade_id]) for grade_id in GRADED_CELLS}
    points = {part: float(graded[part]["metadata"]["nbgrader"]["points"]) for part in ("examples", "hidden")}
    return _Parts(
        reference_source=_reference_source(sources["solve"]),
        examples=_examples(sources["examples"]),
        example_points=points["examples"],
        hidden_points=points["hidden"],
        groups=module.GROUPS,
        mistakes=module.MISTAKES,
        released={part: HIDDEN.sub("", sources[part]).rstrip("\n") for part in ("examples", "hidden")},
        locked={part: sources[part] for part in ("examples", "hidden")},
        other_code=frozenset(source_of(cell) for cell in code if "nbgrader" not in cell["metadata"]),
    )


def _insist(parts: _Parts, lesson_id: str) -> None:
    """Refuse a lesson in which something would earn marks by default."""
    if not parts.groups or not all(group.calls for group in parts.groups):
        message = f"the lesson {lesson_id!r} has an empty list of hidden cases"
        raise GraderError(message)
    if sum(group.points for group in parts.groups) != parts.hidden_points:
        message = f"the hidden groups of {lesson_id!r} do not add up to {parts.hidden_points:g}, the notebook's points"
        raise GraderError(message)


def _reference_source(cell: str) -> str:
    if not SOLUTION.search(cell):
        message = "the cell `solve` has no solution between ### BEGIN SOLUTION and ### END SOLUTION"
        raise ValueError(message)
    return SOLUTION.sub(r"\1", cell)


def _define(source: str) -> Solve:
    """Run the author's own reference solution: trusted code of this repository."""
    names: dict[str, Any] = {"__name__": "reference"}
    exec(compile(source, "reference", "exec"), names)  # noqa: S102
    solve: Solve = names["solve"]
    return solve


def _examples(cell: str) -> tuple[Example, ...]:
    """Read the literal `examples = [...]` of the locked check cell; nothing of it is run."""
    for statement in ast.parse(cell).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "examples":
            return read_examples(ast.literal_eval(statement.value))
    message = "the cell `examples` does not assign `examples`"
    raise ValueError(message)


def _expect(reference: Solve, call: Call) -> Numbers:
    outcome = outcome_of(reference, call)
    if not isinstance(outcome, Answered) or not isinstance(outcome.value, Numbers):
        message = f"the reference solution gives no numbers for a hidden case: {outcome}"
        raise GraderError(message)
    return outcome.value
