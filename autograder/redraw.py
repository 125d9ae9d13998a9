"""Draw a feedback page again from the autograded notebook: no student code is run, and no mark changes."""

from __future__ import annotations

import json
from pathlib import Path

from autograder.feedback_page import FeedbackInput, render_feedback, score_parts
from autograder.lesson import Lesson
from autograder.marks import ByHand
from autograder.notebooks import own_cells, report_of
from autograder.places import write_page
from course.submission import read_submission


def redraw(student: str, lesson: Lesson, stood: ByHand, places: tuple[Path, Path]) -> None:
    """Write the page with what stands in the gradebook now, a person's marks and comments before ours.

    Raises:
        GraderError: the autograded notebook holds no report of ours.
        ValueError: it is no notebook.
        OSError: it cannot be read, or the page cannot be written.
    """
    notebook, page = places
    graded = json.loads(notebook.read_text(encoding="utf-8"))
    report = report_of(graded)
    own = {cell: stood.automatic.get(cell) or 0.0 for cell in ("examples", "hidden")}
    told = FeedbackInput(
        report=report,
        cells=own_cells(read_submission(graded, lesson.released), lesson),
        student_id=student,
        score=stood.total(own),
        max_score=lesson.example_points + lesson.hidden_points,
        cell_scores=score_parts(report, *(stood.part(cell, points) for cell, points in own.items())),
        comments=(stood.comment,) if stood.comment else (),
        late_penalty=stood.penalty,
    )
    write_page(render_feedback(told), page, notebook.parent)
