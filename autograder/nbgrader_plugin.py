"""Where our engine meets nbgrader: three preprocessors, one exporter and one hook, named in `nbgrader_config.py`."""

from __future__ import annotations

import atexit
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from secrets import token_hex
from typing import Any

import nbformat
from nbconvert.exporters import Exporter, NotebookExporter
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.exchange.default import ExchangeCollect
from nbgrader.preprocessors import GetGrades, NbGraderPreprocessor
from nbgrader.utils import determine_grade, is_grade
from traitlets import List, Unicode

from autograder.feedback_page import FeedbackInput, render_feedback, score_parts
from autograder.grader import Grader
from autograder.lesson import GraderError
from autograder.loading import load_lesson
from autograder.notebooks import mend, notes_of, own_cells, report_of, write_report
from autograder.release import write_beside
from autograder.submitted import SECRET, TIMESTAMP
from course.beside import modules_beside
from course.reading import UnreadableError, read_notebook
from course.report import Report
from course.show import summary_line
from course.submission import Submission, read_submission

_NOTES = "autograder_notes"
Resources = dict[str, Any]
Processed = tuple[NotebookNode, Resources]


@cache
def _grader(allow_missing: frozenset[str] = frozenset()) -> Grader:
    """One grader per process: its sandbox is started once for the whole run."""
    grader = Grader(Path.cwd(), allow_missing)
    atexit.register(grader.close)
    return grader


class SubmissionExporter(NotebookExporter):
    """Read a submission whatever happened to it, and never through a link. Stands in for nbgrader's reader."""

    def from_filename(self, filename: str, resources: Resources | None = None, **kwargs: Any) -> Any:  # noqa: ANN401
        """Read, repair and convert one submitted file.

        Raises:
            GraderError: the folder holds a link, or no notebook can be made of the file; the message says why.
        """
        path = Path(filename)
        if path.resolve().is_relative_to(Path("autograded").resolve()):
            # nbgrader's second reading: what we wrote ourselves, notes and all
            return super().from_filename(filename, resources, **kwargs)
        refuse_links(path.parent)
        try:
            read = read_notebook(path.read_bytes(), path.name)
        except UnreadableError as error:
            message = f"{path.name} is not gradable: {error}"
            raise GraderError(message) from error
        resources = {**(resources or {}), _NOTES: read.notes}
        node = nbformat.from_dict(read.notebook)
        return self.from_notebook_node(node, resources, **kwargs)  # type: ignore[no-untyped-call]


def refuse_links(folder: Path) -> None:
    """Refuse a folder that is a link or holds one, or a special file: it could show what is not the student's own.

    Raises:
        GraderError: names the first such file.
    """
    for path in (folder, *folder.rglob("*")):
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            message = f"{path} is a link or a special file, not a file of the student's own: not graded"
            raise GraderError(message)


class MendSubmission(NbGraderPreprocessor):  # type: ignore[misc]  # nbgrader has no type hints
    """Give every graded cell its id, kind and points back, exactly once; note what was mended."""

    def preprocess(self, nb: NotebookNode, resources: Resources) -> Processed:
        """Mend the notebook."""
        lesson = _grader().lesson(resources["nbgrader"]["assignment"])
        read = read_submission(nb, lesson.released, lesson.beside(modules_beside(_submitted(resources))))
        mend(nb, lesson, read.roles, (*resources.get(_NOTES, ()), *read.notes))
        return nbformat.from_dict(nb), resources


def _submitted(resources: Resources) -> Path:
    return Path("submitted", resources["nbgrader"]["student"], resources["nbgrader"]["assignment"])


class GradeSubmission(NbGraderPreprocessor):  # type: ignore[misc]
    """Grade with our engine in place of nbgrader's `Execute`; no kernel is started."""

    allow_missing_layers = List(
        Unicode(),
        help="Layers of the sandbox that may be missing when student code runs; see `autograder doctor`.",
    ).tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: Resources) -> Processed:
        """Write each graded cell's points and report as its only output."""
        grader = _grader(frozenset(self.allow_missing_layers))
        lesson = grader.lesson(resources["nbgrader"]["assignment"])
        cells = read_submission(nb, lesson.released, lesson.beside(modules_beside(_submitted(resources)))).cells
        report = grader.grade(Submission(cells, notes_of(nb)), lesson)
        write_report(nb, report, {})
        nb = nbformat.from_dict(nb)
        _insist_on_points(nb, report)
        return nb, resources


def _insist_on_points(nb: NotebookNode, report: Report) -> None:
    """Refuse to go on if nbgrader would read other points than the report's."""
    reads = {cell.metadata.nbgrader.grade_id: determine_grade(cell)[0] for cell in nb.cells if is_grade(cell)}
    if reads != {"examples": report.example_points, "hidden": report.group_points}:
        message = f"nbgrader would read the points {reads}, which are not those of the report"
        raise GraderError(message)


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


class ScoresOfSubmission(GetGrades):  # type: ignore[misc]
    """Put the gradebook's scores into the notebook as nbgrader does, but what nobody has graded is None, not 0."""

    def _get_score(self, cell: NotebookNode, resources: Resources) -> None:
        super()._get_score(cell, resources)
        where = (cell.metadata.nbgrader.grade_id, self.notebook_id, self.assignment_id, self.student_id)
        grade = self.gradebook.find_grade(*where)
        if grade.auto_score is None and grade.manual_score is None:
            cell.metadata.nbgrader.score = None


class FeedbackExporter(Exporter):
    """Write the page a student gets: nothing of the notebook but the student's own code is on it."""

    def __init__(self, **kwargs: Any) -> None:  # noqa: ANN401  # passed on to traitlets
        super().__init__(**kwargs)  # type: ignore[no-untyped-call]
        self.file_extension = ".html"

    def from_notebook_node(self, nb: NotebookNode, resources: Resources | None = None, **kwargs: Any) -> Any:  # noqa: ANN401
        """Render the feedback page from the report and the gradebook's scores."""
        nb, resources = super().from_notebook_node(nb, resources, **kwargs)
        report, marks = report_of(nb), resources["nbgrader"]
        lesson = _grader().lesson(marks["assignment"])
        scores = {c.metadata.nbgrader.grade_id: c.metadata.nbgrader.get("score") for c in nb.cells if is_grade(c)}
        comments = [c.metadata.nbgrader.get("comment") for c in nb.cells if "nbgrader" in c.metadata]
        page = FeedbackInput(
            report=report,
            cells=own_cells(read_submission(nb, lesson.released), lesson),
            student_id=marks["student"],
            score=marks.get("score"),
            max_score=marks.get("max_score", 0.0),
            cell_scores=score_parts(report, scores.get("examples"), scores.get("hidden")),
            comments=tuple(text for text in comments if text and text != summary_line(report)),
            late_penalty=marks.get("late_penalty", 0.0),
        )
        return render_feedback(page), resources


def write_files_beside(assignment: str, student: str, notebooks: Sequence[str]) -> None:
    """Write the practice file and `earlier.py` into `source/`, from where nbgrader copies them into the release.

    nbgrader calls this before it makes a release, also for Formgrader's button. An assignment of the instructor's own
    that is not one of our lessons stays as it is.
    """
    del student, notebooks
    with suppress(GraderError):
        write_beside(load_lesson(assignment, Path()), Path())


def make_returnable(assignment: str, student: str, notebooks: Sequence[str]) -> None:
    """Put beside new feedback what `release_feedback` needs, for work that did not come through the exchange.

    nbgrader calls this after it wrote a student's feedback; `notebooks` are that student's autograded files.
    Work from a zip has no secret, so nbgrader would stop for the whole class at such a student.
    """
    del assignment, student  # nbgrader passes what its command line said, which may be a pattern
    for notebook in map(Path, notebooks):
        feedback = Path("feedback", *notebook.parts[-3:-1])
        pages = {f"{path.stem}.html" for path in notebook.parent.glob("*.ipynb")}
        for path in sorted(feedback.rglob("*"), reverse=True):
            if path.is_dir() and not path.is_symlink():
                path.rmdir()
            elif path.relative_to(feedback).as_posix() not in pages | {SECRET, TIMESTAMP}:
                path.unlink()  # nbgrader copies whatever was handed in; only our page goes back
        for name, text in ((SECRET, token_hex(64)), (TIMESTAMP, "")):
            if feedback.is_dir() and not (feedback / name).exists():
                (feedback / name).write_text(text, encoding="utf-8")


class CollectWithoutLinks(ExchangeCollect):  # type: ignore[misc]
    """Collect as nbgrader does, but never through a link: it would copy files that only the instructor may read."""

    src_records: list[dict[str, Any]]

    def init_src(self) -> None:
        """Find what to collect. What is or holds a link is left out here: nbgrader deletes the older work first."""
        super().init_src()
        self.src_records = [each for each in self.src_records if self._is_own(each["filename"])]

    def _is_own(self, name: str) -> bool:
        try:
            refuse_links(Path(self.inbound_path, name))
        except GraderError as error:
            self.log.error("Not collected: %s", error)  # noqa: TRY400  # the sentence says it all
            return False
        return True
