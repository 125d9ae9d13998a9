"""Export the grades as nbgrader does, but a grade that was never given is blank, not 0."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any, Final

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.plugins.export import ExportPlugin

_COLUMNS: Final = (
    "assignment",
    "duedate",
    "timestamp",
    "student_id",
    "last_name",
    "first_name",
    "email",
    "raw_score",
    "late_submission_penalty",
    "score",
    "max_score",
)

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


class GradesExport(ExportPlugin):  # type: ignore[misc]  # nbgrader has no type hints
    """Write `grades.csv` with nbgrader's columns. No submission is 0; a submission not graded is blank."""

    def export(self, gradebook: Gradebook) -> None:
        """Write one row for each assignment and student."""
        with Path(self.to or "grades.csv").open("w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, _COLUMNS)
            table.writeheader()
            for assignment in gradebook.assignments:
                for student in gradebook.students:
                    if self._wanted(assignment.name, student.id):
                        row = _row(gradebook, assignment, student)
                        table.writerow({name: _harmless(value) for name, value in row.items()})

    def _wanted(self, assignment: str, student: str) -> bool:
        names = (self.assignment, assignment), (self.student, student)
        return all(not chosen or name in [str(each) for each in chosen] for chosen, name in names)


def _row(gradebook: Gradebook, assignment: Any, student: Any) -> dict[str, Any]:  # noqa: ANN401  # rows of the database
    row = {
        "assignment": assignment.name,
        "duedate": assignment.duedate or "",
        "student_id": student.id,
        "last_name": student.last_name or "",
        "first_name": student.first_name or "",
        "email": student.email or "",
        "max_score": assignment.max_score,
    }
    try:
        submission = gradebook.find_submission(assignment.name, student.id)
    except MissingEntry:
        score = "" if _handed_in(assignment.name, student.id) else 0.0
        return row | {"timestamp": "", "raw_score": score, "late_submission_penalty": score, "score": score}
    row["timestamp"] = submission.timestamp or ""
    if not _is_graded(submission):
        return row | {"raw_score": "", "late_submission_penalty": "", "score": ""}
    penalty = submission.late_submission_penalty
    score = max(0.0, submission.score - penalty)
    return row | {"raw_score": submission.score, "late_submission_penalty": penalty, "score": score}


def _handed_in(assignment: str, student: str) -> bool:
    """Tell whether there is work that no one has graded: it could not be read, or it was a fault of ours."""
    folder = Path("submitted", student, assignment)
    return folder.is_dir() and any(folder.iterdir())


def _harmless(value: Any) -> Any:  # noqa: ANN401  # as a spreadsheet takes it
    """Keep a spreadsheet from running a student's text as a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _is_graded(submission: Any) -> bool:  # noqa: ANN401
    grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
    return all(grade.auto_score is not None or grade.manual_score is not None for grade in grades)
