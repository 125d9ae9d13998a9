"""Print a graded class as a table: who, how many points, what failed first, which mistake it looks like."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from autograder.lesson import GraderError, name_of
from autograder.notebooks import report_of
from course.report import ExampleResult, GroupResult, Report

_HEADINGS = ("student", "points", "first failing", "likely mistake")


@dataclass(frozen=True)
class Row:
    """One line of the table, already as text."""

    student: str
    points: str
    first_failing: str
    mistake: str


def class_rows(lesson_id: str, root: Path) -> tuple[Row, ...]:
    """Read the autograded notebooks of a lesson, in the order of student ids.

    Raises:
        GraderError: nothing is graded yet, or a notebook holds no report of ours.
    """
    found = sorted((root / "autograded").glob(f"*/{lesson_id}/{name_of(lesson_id)}.ipynb"))
    if not found:
        message = f"nothing is graded yet: run `nbgrader autograde {lesson_id}` first"
        raise GraderError(message)
    return tuple(_row(path.parents[1].name, report_of(json.loads(path.read_text(encoding="utf-8")))) for path in found)


def _row(student: str, report: Report) -> Row:
    earned = report.example_points + report.group_points
    most = report.points_for_examples + sum(group.points for group in report.groups)
    mistake = f"{report.mistake.name} (step {report.mistake.step})" if report.mistake else ""
    return Row(student, f"{earned:g}/{most:g}", _say_first(report.first_failing), mistake)


def _say_first(part: ExampleResult | GroupResult | None) -> str:
    if isinstance(part, ExampleResult):
        return f"example {part.number} ({part.kind.replace('_', ' ')})"
    return f"hidden: {part.name}" if part else "-"


def print_class(lesson_id: str, root: Path) -> int:
    """Print the table; the exit code is 0."""
    lines = [_HEADINGS, *((r.student, r.points, r.first_failing, r.mistake) for r in class_rows(lesson_id, root))]
    widths = [max(len(line[column]) for line in lines) for column in range(len(_HEADINGS))]
    for line in lines:
        print("  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip())
    return 0
