"""Grade one submission from its bytes to everything that is written down of it. A pure function of text and lesson.

This is what travels to a worker, on this machine or another: it touches no file, no gradebook, no clock.
"""

from __future__ import annotations

import hashlib
import signal
import threading
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any, Final

from autograder.feedback_page import FeedbackInput, render_feedback, score_parts
from autograder.grader import Grader
from autograder.lesson import GraderError
from autograder.marks import ByHand
from autograder.notebooks import NotAStudentsError, Notebook, mend, own_cells, write_report, write_text
from course.reading import UnreadableError, read_notebook
from course.show import summary_line
from course.submission import Submission, grade_id_of, read_submission

ENGINE_VERSION: Final = "1"
_READING_SECONDS: Final = 10
_AGAIN_SECONDS: Final = 1  # an exception that is raised in a destructor goes no further
_TOO_LONG: Final = "The file took too long to read, so it was not graded. Ask for help with your notebook."


@dataclass(frozen=True)
class Task:
    """One submission as it was handed in, and what the gradebook says by hand."""

    student: str
    lesson: str
    name: str
    data: bytes
    beside: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    by_hand: ByHand = field(default_factory=ByHand)
    source_cells: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    allow_missing: frozenset[str] = frozenset()
    may_cost: bool = False  # it is late, and the course has a plug-in for late work

    @property
    def size(self) -> int:
        """About how many bytes it takes to send it."""
        return len(self.data) + sum(map(len, self.beside.values()))

    @property
    def sha256(self) -> str:
        """Name the content of all that was handed in."""
        digest = hashlib.sha256(self.data)
        for name in sorted(self.beside):
            digest.update(f"\n{name}\n{self.beside[name]}".encode("utf-8", "replace"))
        return digest.hexdigest()


@dataclass(frozen=True)
class Graded:
    """What came of one task. `problem`: the student's file cannot be graded; `fault`: ours, nothing is recorded.

    `late_page`: what the page tells, to be written when the penalty is known.
    """

    student: str
    sha256: str
    lesson_version: str = ""
    points: Mapping[str, float] = field(default_factory=dict)
    comment: str = ""
    notebook: str = ""
    page: str = ""
    notes: tuple[str, ...] = ()
    first_failing: str = ""
    layers: tuple[str, ...] = ()
    problem: str = ""
    fault: str = ""
    penalty: float | None = None
    late_page: FeedbackInput | None = None


_graders: dict[tuple[Path, frozenset[str]], Grader] = {}


def grade_task(root: Path, task: Task) -> Graded:
    """Read, run and judge one submission. Never raises: a fault of ours is told in `fault`."""
    digest = task.sha256
    try:
        key = root, task.allow_missing
        if key not in _graders:
            _graders[key] = Grader(root, task.allow_missing)
            # A worker process ends without `atexit`; its zygote is to be ended and waited for all the same.
            Finalize(None, _graders[key].close, exitpriority=1)
        return _grade(_graders[key], task, digest)
    except (UnreadableError, NotAStudentsError) as error:
        return Graded(task.student, digest, problem=str(error))
    except GraderError as error:
        return Graded(task.student, digest, fault=str(error))
    except Exception:  # noqa: BLE001  # a bug of ours must not stop the others
        return Graded(task.student, digest, fault=traceback.format_exc(limit=-4))


def _grade(grader: Grader, task: Task, digest: str) -> Graded:
    lesson = grader.lesson(task.lesson)
    with limit_reading(_READING_SECONDS):
        read = read_notebook(task.data, task.name)
        submission = read_submission(read.notebook, lesson.released, lesson.beside(task.beside))
    notes = (*task.notes, *read.notes, *submission.notes)
    report = grader.grade(Submission(submission.cells, notes), lesson)
    notebook = read.notebook
    mend(notebook, lesson, submission.roles, notes)
    _restore(notebook, task.source_cells)
    write_report(notebook, report, {"sha256": digest, "lesson": lesson.version, "engine": ENGINE_VERSION})
    points = {"examples": report.example_points, "hidden": report.group_points}
    page = FeedbackInput(
        report=report,
        cells=own_cells(submission, lesson),
        student_id=task.student,
        score=task.by_hand.total(points),
        max_score=lesson.example_points + lesson.hidden_points,
        cell_scores=score_parts(report, *(task.by_hand.part(cell, own) for cell, own in points.items())),
        comments=(task.by_hand.comment,) if task.by_hand.comment else (),
    )
    return Graded(
        student=task.student,
        sha256=digest,
        lesson_version=lesson.version,
        points=points,
        comment=summary_line(report),
        notebook=write_text(notebook),
        page="" if task.may_cost else render_feedback(page),
        notes=report.notes,
        layers=report.layers,
        first_failing=summary_line(report) if report.first_failing else "",
        late_page=page if task.may_cost else None,
    )


@contextmanager
def limit_reading(cpu_seconds: float) -> Iterator[None]:
    """Give what is done inside so much CPU time: it is ours to run, and the student's file says how long it takes.

    Only the main thread can be stopped; in another one, as dask may have it, there is no limit.

    Raises:
        UnreadableError: it took longer.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGPROF, _stop_reading)
    try:
        signal.setitimer(signal.ITIMER_PROF, cpu_seconds, _AGAIN_SECONDS)
        yield
    finally:
        try:
            signal.setitimer(signal.ITIMER_PROF, 0)
        finally:  # a signal that came just before raises at the line above
            signal.signal(signal.SIGPROF, before)


def _stop_reading(*_: object) -> None:
    raise UnreadableError(_TOO_LONG)


def _restore(notebook: Notebook, source_cells: Mapping[str, tuple[str, str]]) -> None:
    """Put the author's text and checksum into the locked cells, as nbgrader's own converter does."""
    for cell in notebook["cells"]:
        grade_id = grade_id_of(cell) or ""
        if grade_id in source_cells:
            mark: dict[str, Any] = cell["metadata"]["nbgrader"]
            source, mark["checksum"] = source_cells[grade_id]
            if mark["locked"]:
                cell["source"] = source
