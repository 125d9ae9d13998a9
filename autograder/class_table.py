"""Print a graded class as a table: who, how many points, what failed first, which mistake it looks like."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.gradebook import ByHand, Gradebook
from autograder.lesson import GraderError, Lesson
from autograder.loading import load_lesson
from autograder.notebooks import report_of
from course.report import ExampleResult, GroupResult, Report

_HEADINGS = ("student", "points", "first failing", "likely mistake")


@dataclass(frozen=True)
class Row:
    """One line of the table, already as text."""

    student: str
    points: str
    first_failing: str
    mistake: str = ""


def class_rows(lesson_id: str, root: Path) -> tuple[Row, ...]:
    """Tell of every student of the gradebook or of `submitted/`, in the order of ids; nobody is left out.

    Raises:
        GraderError: there is no such lesson or no gradebook.
    """
    lesson = load_lesson(lesson_id, root)
    gradebook = Gradebook(f"sqlite:///{root / 'gradebook.db'}", lesson)
    try:
        by_hand, students = gradebook.by_hand(), gradebook.students()
    finally:
        gradebook.close()
    handed_in = {path.parent.name for path in (root / "submitted").glob(f"*/{lesson_id}")}
    everyone = sorted(students | handed_in)
    return tuple(_row(student, lesson, root, by_hand.get(student, ByHand())) for student in everyone)


def _row(student: str, lesson: Lesson, root: Path, by_hand: ByHand) -> Row:
    path = root / "autograded" / student / lesson.id / f"{lesson.name}.ipynb"
    if not path.is_file():
        handed_in = (root / "submitted" / student / lesson.id).is_dir()
        return Row(student, "", "not graded: see the grader's messages" if handed_in else "nothing handed in")
    try:
        report = report_of(json.loads(path.read_text(encoding="utf-8")))
    except (GraderError, ValueError) as error:
        return Row(student, "", f"not graded: {error}")
    points = {"examples": report.example_points, "hidden": report.group_points}
    most = lesson.example_points + lesson.hidden_points
    changed = " by hand" if by_hand.total(points) != sum(points.values()) else ""
    mistake = f"{report.mistake.name} (step {report.mistake.step})" if report.mistake else ""
    return Row(student, f"{by_hand.total(points):g}/{most:g}{changed}", _say_first(report), mistake)


def _say_first(report: Report) -> str:
    part = report.first_failing
    if isinstance(part, ExampleResult):
        return f"example {part.number} ({part.kind.replace('_', ' ')})"
    return f"hidden: {part.name} ({part.kind.replace('_', ' ')})" if isinstance(part, GroupResult) else "-"


def print_class(lesson_id: str, root: Path) -> int:
    """Print the table; the exit code is 0."""
    rows = class_rows(lesson_id, root)
    lines: Sequence[Sequence[str]] = [_HEADINGS, *((r.student, r.points, r.first_failing, r.mistake) for r in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(_HEADINGS))]
    for line in lines:
        print("  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip())
    return 0
