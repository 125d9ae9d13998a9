"""Read what is written down of a class: autograded notebooks, the gradebook's marks, the receipts. Nothing is run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from autograder.database import url_of
from autograder.gradebook import Gradebook
from autograder.ledger import Entry, Ledger, Status
from autograder.lesson import GraderError, Lesson
from autograder.loading import load_lesson
from autograder.marks import ByHand
from autograder.notebooks import report_of
from autograder.regrades import Regrade, read_regrade
from course.report import Report

_UNGRADED = (Status.NOT_GRADABLE, Status.NOT_GRADED)


@dataclass(frozen=True)
class Student:
    """What stands of one student. `why`: why the newest work has no mark; an older mark may stand all the same.

    `points` is what counts: marks by hand go before ours, and `late` is taken off already.
    """

    id: str
    handed_in: bool
    report: Report | None = None
    points: float | None = None
    by_hand: bool = False
    late: float = 0.0
    why: str = ""


@dataclass(frozen=True)
class ClassRecords:
    """All that is written down of a class and a lesson. `strays`: files that lie in no lesson's folder."""

    lesson: Lesson
    students: tuple[Student, ...]
    strays: tuple[str, ...] = ()
    regrade: Regrade | None = None

    @property
    def most(self) -> float:
        """The points of the whole lesson."""
        return self.lesson.example_points + self.lesson.hidden_points


def read_records(lesson_id: str, root: Path, db_url: str = "") -> ClassRecords:
    """Read of every student of the gradebook or of `submitted/`, in the order of ids; nobody is left out.

    Raises:
        GraderError: there is no such lesson or no gradebook.
    """
    lesson = load_lesson(lesson_id, root)
    gradebook = Gradebook(url_of(root, db_url), lesson)
    try:
        by_hand, known = gradebook.by_hand(), gradebook.students()
    finally:
        gradebook.close()
    entries, strays = Ledger(root, lesson_id).read_receipt()
    handed_in = {path.parent.name for path in (root / "submitted").glob(f"*/{lesson_id}")}
    reader = _Reader(root, lesson, by_hand, entries, frozenset(handed_in))
    students = tuple(reader.read(student) for student in sorted(known | handed_in))
    return ClassRecords(lesson, students, strays, read_regrade(root, lesson_id, by_hand))


@dataclass(frozen=True)
class _Reader:
    """What is needed to tell of any student."""

    root: Path
    lesson: Lesson
    by_hand: Mapping[str, ByHand]
    entries: Mapping[str, Entry]
    handed_in: frozenset[str]

    def read(self, student: str) -> Student:
        """Tell of one student."""
        path = self.root / "autograded" / student / self.lesson.id / f"{self.lesson.name}.ipynb"
        handed_in = student in self.handed_in
        if not path.is_file():
            why = self._refused(student) or "see the grader's messages"
            return Student(student, handed_in, why=why if handed_in else "")
        try:
            report = report_of(json.loads(path.read_text(encoding="utf-8")))
        except (GraderError, ValueError) as error:
            return Student(student, handed_in=True, why=str(error))
        stood = self.by_hand.get(student, ByHand())
        counted = stood.counted()
        if counted is None:
            why = f"graded before, but the gradebook has no mark for it: run `autograder grade {self.lesson.id}` again"
            return Student(student, handed_in=True, why=self._refused(student, path) or why)
        own = sum(score or 0.0 for score in stood.automatic.values())
        return Student(
            student,
            handed_in=True,
            report=report,
            points=counted,
            by_hand=counted != max(0.0, own - stood.penalty),
            late=stood.penalty,
            why=self._refused(student, path),
        )

    def _refused(self, student: str, graded: Path | None = None) -> str:
        """Say why the last run did not grade this student's work, unless it was graded after that."""
        entry = self.entries.get(student)
        if entry is None or entry.status not in _UNGRADED:
            return ""
        if graded and graded.stat().st_mtime > datetime.fromisoformat(entry.at).timestamp():
            return ""
        said = entry.why.strip().splitlines()  # of a fault of ours, the last line says it
        return said[-1] if said else entry.status
