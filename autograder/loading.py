"""Load a lesson: the notebook gives the reference, its steps and the examples; the module gives the hidden side."""

from __future__ import annotations

import hashlib
import importlib
import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from autograder.earlier import earlier_module, earlier_text
from autograder.lesson import Call, GraderError, Group, Lesson, Mistake, Solve, name_of, outcome_of
from autograder.needed import statements_in
from course.diagnosis import Known
from course.judging import Example, examples_in
from course.outcomes import Answered
from course.practice import Hint, Question, find_practice
from course.submission import source_of
from course.syllabus import START
from course.values import Numbers

REFERENCE: Final = "reference"
GRADED_CELLS: Final = ("solve", "examples", "hidden")
SOLUTION: Final = re.compile(r"[ \t]*### BEGIN SOLUTION\n(.*?)[ \t]*### END SOLUTION\n?", re.DOTALL)
HIDDEN: Final = re.compile(r"[ \t]*### BEGIN HIDDEN TESTS\n.*?[ \t]*### END HIDDEN TESTS\n?", re.DOTALL)
HINT: Final = re.compile(r"<details>\s*<summary>Hint \d+: (.*?)</summary>(.*?)</details>", re.DOTALL)
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
    texts: frozenset[str]
    hints: tuple[Hint, ...]
    question: Question | None
    probes: tuple[Call, ...]
    earlier: str


def lesson_ids(root: Path) -> tuple[str, ...]:
    """Return the ids of the lessons in `source/`, in the order of the course."""
    return tuple(sorted(path.name for path in (root / "source").glob("*_*") if path.is_dir() and path.name != START))


def load_lesson(lesson_id: str, root: Path) -> Lesson:
    """Load a lesson from the course folder `root`; it is loaded once per process and content of `source/`.

    Raises:
        GraderError: the notebook or the module is missing, or they do not fit together.
    """
    path = _notebook(lesson_id, root)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        message = f"there is no lesson {lesson_id!r}: {path} cannot be read ({error.strerror})"
        raise GraderError(message) from error
    return _load(lesson_id, text, root, _stamps(lesson_id, path.with_suffix(".json"), root))


def _stamps(lesson_id: str, practice: Path, root: Path) -> tuple[tuple[int, int], ...]:
    """Tell the time and size of the other files that a lesson is made from: its practice data, earlier lessons."""
    earlier: tuple[str, ...] = ()
    with suppress(ImportError):  # `_load` says so
        earlier = getattr(_module(lesson_id), "EARLIER", ())
    stamps = []
    for file in (practice, *(_notebook(each, root) for each in earlier)):
        with suppress(OSError):
            stamp = file.stat()
            stamps.append((stamp.st_mtime_ns, stamp.st_size))
    return tuple(stamps)


def _module(lesson_id: str) -> ModuleType:
    return importlib.import_module(f"autograder.lessons.{name_of(lesson_id)}")


def _notebook(lesson_id: str, root: Path) -> Path:
    return root / "source" / lesson_id / f"{name_of(lesson_id)}.ipynb"


@cache
def _load(lesson_id: str, text: str, root: Path, _others: tuple[tuple[int, int], ...]) -> Lesson:
    try:
        parts = _read_parts(lesson_id, text, root)
        reference = _define(parts.reference_source, parts.earlier)
    except (ImportError, AttributeError, KeyError, ValueError, SyntaxError, OSError) as error:
        message = f"the lesson {lesson_id!r} cannot be loaded: {type(error).__name__}: {error}"
        raise GraderError(message) from error
    _insist(parts, lesson_id)
    example_calls = [Call(tuple(example.arguments.values())) for example in parts.examples]
    hidden_calls = [call for group in parts.groups for call in group.calls]
    expected = tuple(_expect(reference, call) for call in hidden_calls)
    wanted = [*(example.returns for example in parts.examples), *expected]
    known = tuple(
        (each, Known.of((outcome_of(solve, call) for call in example_calls + hidden_calls), wanted))
        for each in parts.mistakes
        for solve in (each.solve, *each.also)
    )
    main = {each.name: row for each, row in reversed(known)}
    outcomes = [(each.name, row.outcomes) for each, row in known]
    practice = find_practice(name_of(lesson_id), root / "source" / lesson_id)
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
        mistake_outcomes={name: row.outcomes for name, row in main.items()},
        mistake_passes={name: row.passes for name, row in main.items()},
        known=known,
        released=parts.released,
        locked=parts.locked,
        given={each: statements_in(each) for each in sorted({*parts.released.values(), *parts.other_code})},
        version=hashlib.sha256(repr((text, parts.earlier, parts.groups, expected, outcomes)).encode()).hexdigest()[:12],
        reference_source=parts.reference_source,
        hints=parts.hints,
        question=parts.question,
        probes=parts.probes,
        earlier=parts.earlier,
        texts=parts.texts,
        practice=practice if practice and practice.examples == parts.examples else None,
    )


def _read_parts(lesson_id: str, text: str, root: Path) -> _Parts:
    module = _module(lesson_id)
    cells: Sequence[Mapping[str, Any]] = json.loads(text)["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    graded = {cell["metadata"]["nbgrader"]["grade_id"]: cell for cell in code if "nbgrader" in cell["metadata"]}
    sources = {grade_id: source_of(graded[grade_id]) for grade_id in GRADED_CELLS}
    points = {part: float(graded[part]["metadata"]["nbgrader"]["points"]) for part in ("examples", "hidden")}
    return _Parts(
        reference_source=_reference_source(sources["solve"]),
        examples=examples_in(sources["examples"]),
        example_points=points["examples"],
        hidden_points=points["hidden"],
        groups=module.GROUPS,
        mistakes=module.MISTAKES,
        released={part: HIDDEN.sub("", sources[part]).rstrip("\n") for part in ("examples", "hidden")},
        locked={part: sources[part] for part in ("examples", "hidden")},
        texts=frozenset(source_of(cell) for cell in cells if cell["cell_type"] == "markdown"),
        other_code=frozenset(source_of(cell) for cell in code if "nbgrader" not in cell["metadata"]),
        hints=tuple(
            Hint(title.strip(), hint.strip())
            for cell in cells
            if cell["cell_type"] == "markdown"
            for title, hint in HINT.findall(source_of(cell))
        ),
        question=getattr(module, "QUESTION", None),
        probes=getattr(module, "PROBES", ()),
        earlier=earlier_text({each: _reference_of(each, root) for each in getattr(module, "EARLIER", ())}),
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


def _reference_of(lesson_id: str, root: Path) -> str:
    """Read the reference solution of another lesson."""
    cells = json.loads(_notebook(lesson_id, root).read_text(encoding="utf-8"))["cells"]
    solve = next(each for each in cells if each["metadata"].get("nbgrader", {}).get("grade_id") == "solve")
    return _reference_source(source_of(solve))


def _define(source: str, earlier: str) -> Solve:
    """Run the author's own reference solution: trusted code of this repository."""
    names: dict[str, Any] = {"__name__": REFERENCE}
    if earlier:
        names |= {name: each for name, each in vars(earlier_module(earlier)).items() if not name.startswith("__")}
    exec(compile(source, REFERENCE, "exec"), names)  # noqa: S102
    solve: Solve = names["solve"]
    return solve


def _expect(reference: Solve, call: Call) -> Numbers:
    outcome = outcome_of(reference, call)
    if not isinstance(outcome, Answered) or not isinstance(outcome.value, Numbers):
        message = f"the reference solution gives no numbers for a hidden case: {outcome}"
        raise GraderError(message)
    return outcome.value
