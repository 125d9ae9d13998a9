"""Where our engine meets nbgrader: three preprocessors and one exporter, named in `nbgrader_config.py`.

The report travels from `autograde` to `generate_feedback` in the autograded notebook's metadata, under
`autograder`. A submission's own entry of that name is dropped before anything is read.
"""

from __future__ import annotations

import atexit
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from secrets import token_hex
from typing import Any, Final

from nbconvert.exporters import Exporter
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_output
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import determine_grade

from autograder.feedback_page import FeedbackInput, render_feedback
from autograder.grader import Grader
from autograder.lesson import GraderError
from autograder.loading import GRADED_CELLS
from course.report import Report
from course.show import summary_line, to_html
from course.submission import read_submission, recognise

KEY: Final = "autograder"
Resources = dict[str, Any]
Processed = tuple[NotebookNode, Resources]


@cache
def _grader() -> Grader:
    """One grader per process: its sandbox is started once for the whole run."""
    grader = Grader(Path.cwd())
    atexit.register(grader.close)
    return grader


class MendSubmission(NbGraderPreprocessor):  # type: ignore[misc]  # nbgrader has no type hints
    """Give every graded cell its id, kind and points back, exactly once; note what was mended."""

    def preprocess(self, nb: NotebookNode, resources: Resources) -> Processed:
        """Mend the notebook in place."""
        lesson = _grader().lesson(resources["nbgrader"]["assignment"])
        found = recognise(nb.cells, lesson.released)
        for cell in nb.cells:
            cell.metadata.pop("nbgrader", None)
        cells: dict[str, NotebookNode] = {
            role: cell for role, cell in zip(found.roles, nb.cells, strict=True) if role is not None
        }
        for grade_id in GRADED_CELLS:
            if grade_id not in cells:
                cells[grade_id] = new_code_cell(lesson.released.get(grade_id, "# The cell `solve` was missing."))
                nb.cells.append(cells[grade_id])
            _make_code(cells[grade_id])
            points = {"examples": lesson.example_points, "hidden": lesson.hidden_points}.get(grade_id)
            cells[grade_id].metadata["nbgrader"] = _mark(grade_id, points)
        nb.metadata[KEY] = {"notes": list(found.notes)}
        return nb, resources


def _make_code(cell: NotebookNode) -> None:
    if cell.cell_type != "code":
        cell.cell_type = "code"
        cell.outputs = []
        cell.execution_count = None
        cell.pop("attachments", None)


def _mark(grade_id: str, points: float | None) -> NotebookNode:
    graded = points is not None
    mark = {
        "grade": graded,
        "grade_id": grade_id,
        "locked": graded,
        "schema_version": 3,
        "solution": not graded,
        "task": False,
        "cell_type": "code",
    }
    return NotebookNode(mark | ({"points": points} if graded else {}))


class GradeSubmission(NbGraderPreprocessor):  # type: ignore[misc]
    """Grade with our engine in place of nbgrader's `Execute`; no kernel is started."""

    def preprocess(self, nb: NotebookNode, resources: Resources) -> Processed:
        """Write each graded cell's points and report as its only output."""
        assignment = resources["nbgrader"]["assignment"]
        read = read_submission(nb, _grader().lesson(assignment).released)
        notes = tuple(nb.metadata.get(KEY, {}).get("notes", ()))
        report = _grader().grade(type(read)(read.cells, notes), assignment)
        write_report(nb, report)
        return nb, resources


def write_report(nb: NotebookNode, report: Report) -> None:
    """Put the report into the notebook's graded cells and metadata.

    Raises:
        GraderError: nbgrader would read other points than the report's.
    """
    for cell in nb.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    earned = {"examples": report.example_points, "hidden": report.group_points}
    for grade_id, points in earned.items():
        cell = next(c for c in nb.cells if c.metadata.get("nbgrader", {}).get("grade_id") == grade_id)
        data = {"text/plain": repr(float(points)), "text/html": to_html(report)}
        if grade_id == "hidden":
            del data["text/html"]
        cell.outputs = [new_output("execute_result", data=data, execution_count=1)]
        if determine_grade(cell)[0] != points:
            message = f"nbgrader reads {determine_grade(cell)[0]} points in cell {grade_id!r}, the report says {points}"
            raise GraderError(message)
    nb.metadata[KEY] = {"report": report.to_json()}


class CommentOnSubmission(NbGraderPreprocessor):  # type: ignore[misc]
    """Say in the solution cell's automatic comment what failed first. Runs after `SaveAutoGrades`, which blanks it."""

    def preprocess(self, nb: NotebookNode, resources: Resources) -> Processed:
        """Write the comment into the gradebook."""
        info = resources["nbgrader"]
        with Gradebook(info["db_url"]) as gradebook:
            comment = gradebook.find_comment("solve", info["notebook"], info["assignment"], info["student"])
            comment.auto_comment = summary_line(report_of(nb))
            gradebook.db.commit()
        return nb, resources


def report_of(nb: Any) -> Report:  # noqa: ANN401  # a notebook node or parsed JSON
    """Read the report out of an autograded notebook.

    Raises:
        GraderError: the notebook was not graded by this engine.
    """
    try:
        return Report.from_json(nb["metadata"][KEY]["report"])
    except (KeyError, ValueError, TypeError) as error:
        message = f"the autograded notebook holds no report of ours ({error}): run `nbgrader autograde --force` again"
        raise GraderError(message) from error


class FeedbackExporter(Exporter):
    """Write the page a student gets: nothing of the notebook but the student's own code is on it."""

    def __init__(self, **kwargs: Any) -> None:  # noqa: ANN401  # passed on to traitlets
        super().__init__(**kwargs)  # type: ignore[no-untyped-call]
        self.file_extension = ".html"

    def from_notebook_node(self, nb: NotebookNode, resources: Resources | None = None, **kwargs: Any) -> Any:  # noqa: ANN401
        """Render the feedback page from the report and the gradebook's scores."""
        nb, resources = super().from_notebook_node(nb, resources, **kwargs)
        report = report_of(nb)
        marks = resources["nbgrader"]
        lesson = _grader().lesson(marks["assignment"])
        cells = tuple(c for c in read_submission(nb, lesson.released).cells if c.source not in lesson.given)
        comments = [c.metadata.nbgrader.get("comment") for c in nb.cells if "nbgrader" in c.metadata]
        page = render_feedback(
            FeedbackInput(
                report=report,
                cells=cells,
                student_id=marks["student"],
                score=marks.get("score"),
                max_score=marks.get("max_score", 0.0),
                comments=tuple(text for text in comments if text and text != summary_line(report)),
            )
        )
        return page, resources


def make_returnable(assignment: str, student: str, notebooks: Sequence[str]) -> None:
    """Put beside new feedback what `release_feedback` needs, for work that did not come through the exchange.

    nbgrader calls this after it wrote a student's feedback; `notebooks` are that student's autograded files.
    Work from a zip has no secret, so nbgrader would stop for the whole class at such a student.
    """
    del assignment, student  # nbgrader passes what its command line said, which may be a pattern
    for notebook in map(Path, notebooks):
        feedback = Path("feedback", *notebook.parts[-3:-1])
        for name, text in (("submission_secret.txt", token_hex(64)), ("timestamp.txt", "unknown")):
            if feedback.is_dir() and not (feedback / name).exists():
                (feedback / name).write_text(text, encoding="utf-8")
