"""Mend a submitted notebook for nbgrader and write the report into it.

Works on plain dicts; nbgrader's notebook nodes are dicts too. The report travels in the autograded notebook's
metadata under `autograder`, from grading to the feedback page. A submission's own entry of that name is dropped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from autograder.lesson import GraderError, Lesson
from autograder.loading import GRADED_CELLS
from course.report import Report
from course.show_html import groups_to_html, to_html
from course.submission import Cell, Submission, grade_id_of, source_of

KEY: Final = "autograder"
_BACKTICKS: Final = re.compile(r"`+")
_CELL_IDS: Final = (4, 5)  # the notebook format in which cells have ids
Notebook = dict[str, Any]


def mend(notebook: Notebook, lesson: Lesson, roles: Sequence[str | None], notes: Sequence[str]) -> None:
    """Give every graded cell its id, kind and points back, exactly once; keep `notes`, which say what was mended.

    `roles` are those of the submission that was read from this notebook.

    Raises:
        NotAStudentsError: this is the author's notebook.
    """
    cells: list[dict[str, Any]] = notebook["cells"]
    refuse_the_authors(notebook)
    for cell in cells:
        cell["metadata"].pop("nbgrader", None)
    graded = {role: cell for role, cell in zip(roles, cells, strict=True) if role is not None}
    for grade_id in GRADED_CELLS:
        if grade_id not in graded:
            graded[grade_id] = _new_cell(notebook, grade_id, lesson.released.get(grade_id, "# This cell was missing."))
            cells.append(graded[grade_id])
        _make_code(graded[grade_id])
        if grade_id in lesson.locked:
            graded[grade_id]["source"] = lesson.locked[grade_id]  # as nbgrader would, but without its alarm
        points = {"examples": lesson.example_points, "hidden": lesson.hidden_points}.get(grade_id)
        graded[grade_id]["metadata"]["nbgrader"] = _mark(grade_id, points)
    for cell in cells:
        if cell["cell_type"] != "code":
            _make_harmless(cell, lesson.texts)
    notebook["metadata"].pop("widgets", None)
    notebook["metadata"][KEY] = {"notes": list(notes)}


class NotAStudentsError(GraderError):
    """What was handed in is no student's work."""


def refuse_the_authors(notebook: Mapping[str, Any]) -> None:
    """Refuse the author's notebook: it is no student's work, and its solution must not be shown.

    It holds both of nbgrader's marks; one of them alone is a comment that a student wrote or copied.

    Raises:
        NotAStudentsError: says what was found.
    """
    text = "\n".join(source_of(cell) for cell in notebook["cells"])
    if "### BEGIN SOLUTION" in text and "### BEGIN HIDDEN TESTS" in text:
        message = "this is the author's notebook, with its solution and hidden tests, not a student's work: not graded"
        raise NotAStudentsError(message)


def notes_of(notebook: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what `mend` noted."""
    return tuple(notebook["metadata"].get(KEY, {}).get("notes", ()))


def write_report(notebook: Notebook, report: Report, facts: Mapping[str, str]) -> None:
    """Make each graded cell's points its only output, and keep the report and `facts` in the metadata."""
    earned = {"examples": report.example_points, "hidden": report.group_points}
    shown = {"examples": to_html(report), "hidden": groups_to_html(report)}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            points = earned.get(grade_id_of(cell) or "")
            cell["execution_count"] = None if points is None else 1
            cell["outputs"] = [] if points is None else [_output(points, shown[grade_id_of(cell) or ""])]
    notebook["metadata"][KEY] = {"report": report.to_json(), **facts}


def write_text(notebook: Notebook) -> str:
    """Write a notebook as one long line: many times faster than with line breaks, and only programs read it."""
    return json.dumps(notebook, ensure_ascii=False, sort_keys=True) + "\n"


def report_of(notebook: Mapping[str, Any]) -> Report:
    """Read the report out of an autograded notebook.

    Raises:
        GraderError: the notebook was not graded by this engine.
    """
    try:
        return Report.from_json(notebook["metadata"][KEY]["report"])
    except (KeyError, ValueError, TypeError) as error:
        message = f"the autograded notebook holds no report of ours ({error}): run `nbgrader autograde --force` again"
        raise GraderError(message) from error


def own_cells(submission: Submission, lesson: Lesson) -> tuple[Cell, ...]:
    """Return the code cells that the student wrote, for the feedback page."""
    return tuple(cell for cell in submission.cells if cell.source not in lesson.given)


def _new_cell(notebook: Mapping[str, Any], grade_id: str, source: str) -> dict[str, Any]:
    cell: dict[str, Any] = {"cell_type": "code", "metadata": {}, "source": source}
    if (notebook.get("nbformat", 4), notebook.get("nbformat_minor", 0)) >= _CELL_IDS:
        cell["id"] = f"put-back-{grade_id}"
    return cell


def _make_code(cell: dict[str, Any]) -> None:
    cell["cell_type"] = "code"
    cell.setdefault("outputs", [])
    cell.setdefault("execution_count", None)
    cell.pop("attachments", None)


def _make_harmless(cell: dict[str, Any], texts: Collection[str]) -> None:
    """Leave the author's text cells as they are, and show a student's own letter by letter.

    Formgrader renders text cells as they stand; inside a fence there is no markup and no link that could be alive.
    """
    text = source_of(cell)
    cell["cell_type"] = "markdown"
    cell.pop("attachments", None)
    if text not in texts and text.strip():
        longest = max(map(len, _BACKTICKS.findall(text)), default=0)
        fence = "`" * max(3, longest + 1)
        cell["source"] = f"{fence}text\n{text}\n{fence}"


def _mark(grade_id: str, points: float | None) -> dict[str, Any]:
    graded = points is not None
    mark: dict[str, Any] = {
        "cell_type": "code",
        "grade": graded,
        "grade_id": grade_id,
        "locked": graded,
        "schema_version": 3,
        "solution": not graded,
        "task": False,
    }
    return mark | ({"points": points} if graded else {})


def _output(points: float, shown: str) -> dict[str, Any]:
    """Write what nbgrader reads as partial credit: one result whose text is a number."""
    data = {"text/plain": repr(float(points)), "text/html": shown}
    return {"output_type": "execute_result", "data": data, "execution_count": 1, "metadata": {}}
