"""Print a graded class as a table: who, how many points, what failed first, which mistake it looks like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from autograder.class_report_facts import say_first_failing
from autograder.class_report_records import ClassRecords, Student, read_records
from course.report import Report
from course.wording import clean

_HEADINGS: Final = ("student", "points", "first failing", "likely mistake")
_MOST_ROWS: Final = 60


@dataclass(frozen=True)
class Row:
    """One line of the table, already as text."""

    student: str
    points: str
    first_failing: str
    mistake: str = ""


def class_rows(lesson_id: str, root: Path, db_url: str = "") -> tuple[Row, ...]:
    """Tell of every student of the gradebook or of `submitted/`, in the order of ids; nobody is left out.

    Raises:
        GraderError: there is no such lesson or no gradebook.
    """
    return rows_of(read_records(lesson_id, root, db_url))


def rows_of(records: ClassRecords) -> tuple[Row, ...]:
    """Write one row for each student."""
    return tuple(_row(student, records.most) for student in records.students)


def _row(student: Student, most: float) -> Row:
    if student.report is None or student.points is None:
        return Row(student.id, "", f"not graded: {student.why}" if student.handed_in else "nothing handed in")
    report = student.report
    changed = " by hand" if student.by_hand else ""
    late = f" late, {student.late:g} off" if student.late else ""
    mistake = f"{report.mistake.name} (step {report.mistake.step})" if report.mistake else ""
    return Row(student.id, f"{student.points:g}/{most:g}{changed}{late}", _say_first(report), mistake)


def _say_first(report: Report) -> str:
    part = report.first_failing
    return f"{say_first_failing(report)} ({part.kind.replace('_', ' ')})" if part else "-"


def print_rows(rows: Sequence[Row]) -> None:
    """Print the table; of a large class only the rows without a mark, for the others stand in the files."""
    shown = rows if len(rows) <= _MOST_ROWS else [row for row in rows if not row.points]
    lines: list[Sequence[str]] = [_HEADINGS]
    lines += [(clean(row.student), row.points, clean(row.first_failing), row.mistake) for row in shown]
    widths = [max(len(line[column]) for line in lines) for column in range(len(_HEADINGS))]
    for line in lines:
        print("  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip())
    if len(shown) < len(rows):
        print(f"({len(rows) - len(shown)} students with a mark are in the report.)")
