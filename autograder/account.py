"""Account for every student's work in one run, in the receipt, in the ledger and on the terminal."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from autograder.feedback_page import render_not_gradable
from autograder.ids import is_safe_student
from autograder.ledger import Change, Entry, Ledger, Status, count_up, now, say_unwritten
from autograder.lesson import Lesson
from autograder.marks import ByHand
from autograder.one import ENGINE_VERSION, Graded
from autograder.places import write_page
from autograder.submitted import SUBMITTED, Work


class Account:
    """What became of each student's work, and what could not be written down."""

    def __init__(self, root: Path, lesson: Lesson, by_hand: Mapping[str, ByHand]) -> None:
        self.ledger = Ledger(root, lesson.id)
        self._root = root
        self._lesson = lesson
        self._by_hand = by_hand
        self._entries: dict[str, Entry] = {}
        self._unwritten: set[str] = set()

    @property
    def is_incomplete(self) -> bool:
        """Tell whether something is left through a fault of ours or of this machine."""
        return bool(self._unwritten) or any(each.status is Status.NOT_GRADED for each in self._entries.values())

    def stands(self, student: str) -> ByHand:
        """Return what stood in the gradebook for one student when the run began."""
        return self._by_hand.get(student, ByHand())

    def note(self, work: Work, status: Status, why: str = "", graded: Graded | None = None) -> None:
        """Enter what became of one student's work."""
        earlier = self.stands(work.student).counted()
        if status in {Status.NOT_GRADABLE, Status.NOT_GRADED} and earlier is not None:
            why = f"{why.rstrip()} (The mark of earlier work, {earlier:g}, still stands in the gradebook.)"
        self._entries[work.student] = Entry(
            student=work.student,
            status=status,
            file=str(work.file.relative_to(self._root)) if work.file else "",
            sha256=graded.sha256 if graded else "",
            points=sum(graded.points.values()) if graded and graded.points else None,
            penalty=graded.penalty if graded else None,
            why=why,
            notes=graded.notes if graded else work.notes,
            layers=graded.layers if graded else (),
            others=tuple(str(path.relative_to(self._root)) for path in work.others),
            lesson_version=graded.lesson_version if graded else "",
            engine_version=ENGINE_VERSION,
            at=now(),
        )

    def keep(self, known: Entry) -> None:
        """Enter that the work was graded before and has not changed."""
        self._entries[known.student] = Entry(**(vars(known) | {"status": Status.KEPT}))

    def enter(self, students: Sequence[str]) -> None:
        """Put into the ledger what the gradebook has now."""
        try:
            self.ledger.add([self._entries[student] for student in students])
        except OSError as error:
            self._unwritten.add(say_unwritten("the gradebook has the marks, but the ledger", error))

    def tell(self, work: Work, problem: str, page: Path) -> None:
        """Write a page that says why the work cannot be graded, unless the student has a page of earlier work."""
        if not is_safe_student(work.student) or not (work.file or work.others) or page.exists():
            return
        try:
            write_page(render_not_gradable(self._lesson.id, work.student, problem), page, work.folder)
        except OSError as error:
            self._unwritten.add(say_unwritten("a feedback page", error))

    def close(self, strays: Sequence[str], changes: Sequence[Change] | None, *, partly: bool) -> None:
        """Print the counts and write the receipt. `changes`: those of a regrade; `partly`: only some students' work."""
        entries = [self._entries[student] for student in sorted(self._entries)]
        nothing = f"Nothing was handed in for {self._lesson.id}: is it collected, in {SUBMITTED}/<student>/?"
        print("\n".join(count_up(entries)) or nothing)
        known, _ = self.ledger.read_receipt() if partly else ({}, ())
        others = [entry for student, entry in known.items() if student not in self._entries]
        recorded = {entry.student for entry in entries if entry.status in {Status.GRADED, Status.MENDED}}
        try:
            if changes is not None:
                self.ledger.write_regrade([change for change in changes if change.student in recorded])
            receipt = self.ledger.write_receipt([*entries, *others], strays)
            print(f"The receipt: {receipt.relative_to(self._root)}")
        except OSError as error:
            self._unwritten.add(say_unwritten("the receipt", error))
        for line in sorted(self._unwritten):
            print(f"autograder: {line}", file=sys.stderr)
