"""Account for every student's work in one run, in the receipt, in the ledger and on the terminal."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from autograder.feedback_page import render_not_gradable, says_not_gradable
from autograder.ids import is_safe_student
from autograder.ledger import Entry, Ledger, Status, count_up, now, say_unwritten
from autograder.lesson import GraderError, Lesson
from autograder.lines import name_some, one_line
from autograder.marks import ByHand
from autograder.one import ENGINE_VERSION, Graded
from autograder.places import write_page
from autograder.redraw import redraw
from autograder.regrades import Change, go_on, read_regrade, write_regrade
from autograder.submitted import SECRET, SUBMITTED, TIMESTAMP, UNTIMED_SENTENCE, Work


class Account:
    """What became of each student's work, and what could not be written down."""

    def __init__(self, root: Path, lesson: Lesson, by_hand: Mapping[str, ByHand]) -> None:
        self.ledger = Ledger(root, lesson.id)
        self._root = root
        self._lesson = lesson
        self._by_hand = by_hand
        self._entries: dict[str, Entry] = {}
        self._unwritten: set[str] = set()
        self._redrawn: list[Entry] = []
        self._changes: list[Change] | None = None
        self._stopped: tuple[Change, ...] = ()

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
            file=self._name(work.file) if work.file else "",
            sha256=graded.sha256 if graded else "",
            points=sum(graded.points.values()) if graded and graded.points else None,
            penalty=graded.penalty if graded else None,
            why=why,
            notes=graded.notes if graded else work.notes,
            about_files=tuple(note for note in graded.notes if note in _about_files(work)) if graded else (),
            given=self.stands(work.student).given() if graded else "",
            layers=graded.layers if graded else (),
            others=tuple(map(self._name, work.others)),
            lesson_version=graded.lesson_version if graded else "",
            engine_version=ENGINE_VERSION,
            at=now(),
        )

    def keep(self, work: Work, about_files: Sequence[str], known: Entry) -> None:
        """Enter that the work was graded before and has not changed. The files and what is said of them are today's."""
        notes = (*about_files, *(note for note in known.notes if note not in {*known.about_files, *about_files}))
        self._entries[work.student] = replace(
            known,
            status=Status.KEPT,
            file=self._name(work.file) if work.file else "",
            others=tuple(map(self._name, work.others)),
            notes=notes,
            about_files=tuple(about_files),
        )

    def show(self, work: Work, known: Entry, places: tuple[Path, Path]) -> bool:
        """Bring onto the page what a person gave since it was drawn; False if only grading again can do that."""
        stood = self.stands(work.student)
        if stood.given() == known.given:
            return True
        try:
            redraw(work.student, self._lesson, stood, places)
        except (GraderError, ValueError):
            return False
        except OSError as error:
            self._unwritten.add(say_unwritten("a feedback page", error))
            return True
        self._redrawn.append(replace(known, given=stood.given()))
        return True

    def begin_regrade(self, changes: Sequence[Change]) -> None:
        """Write down what is to be changed before it is, with what a regrade that was stopped has changed already.

        Raises:
            OSError: the disk is full, or the folder cannot be written.
        """
        earlier = read_regrade(self._root, self._lesson.id, self._by_hand)
        self._stopped = earlier.changes if earlier and not earlier.done else ()
        if self._stopped:
            print(f"{len(self._stopped)} marks were changed before by a regrade that was stopped.")
        self._changes = go_on(self._stopped, changes)
        write_regrade(self._root, self._lesson.id, self._changes, done=False)

    def enter(self, students: Sequence[str]) -> None:
        """Put into the ledger what the gradebook has now."""
        try:
            self.ledger.add([self._entries[student] for student in students])
        except OSError as error:
            self._unwritten.add(say_unwritten("the gradebook has the marks, but the ledger", error))

    def tell(self, work: Work, problem: str, known: Entry | None, places: tuple[Path, Path]) -> None:
        """Write a page that says why the work cannot be graded, unless the student has a page of graded work."""
        if not is_safe_student(work.student) or not (work.file or work.others):
            return
        if _is_of_graded_work(places[1]):
            if known:
                self.show(work, known, places)
            return
        try:
            write_page(render_not_gradable(self._lesson.id, work.student, problem), places[1], work.folder)
        except OSError as error:
            self._unwritten.add(say_unwritten("a feedback page", error))

    def close(self, strays: Sequence[Path], *, partly: bool) -> None:
        """Print the counts and write the receipt. `partly`: only some students' work."""
        entries = [self._entries[student] for student in sorted(self._entries)]
        names, said = [self._name(path) for path in strays], self._say(entries, strays)
        nothing = f"Nothing was handed in for {self._lesson.id}: is it collected, in {SUBMITTED}/<student>/?"
        print("\n".join([*count_up(entries), *said]) if entries else "\n".join([nothing, *said]))
        known, _ = self.ledger.read_receipt() if partly else ({}, ())
        others = [entry for student, entry in known.items() if student not in self._entries]
        try:
            if self._redrawn:
                self.ledger.add(self._redrawn)
            receipt = self.ledger.write_receipt([*entries, *others], names, said)
            print(f"The receipt: {receipt.relative_to(self._root)}")
            if self._changes is not None:
                self._end_regrade(self._changes, partly=partly)
        except OSError as error:
            self._unwritten.add(say_unwritten("the receipt", error))
        for line in sorted(self._unwritten):
            print(f"autograder: {line}", file=sys.stderr)

    def _end_regrade(self, changes: Sequence[Change], *, partly: bool) -> None:
        """Write down what the regrade changed. It is done when all of it is recorded."""
        recorded = {each.student for each in self._entries.values() if each.status in {Status.GRADED, Status.MENDED}}
        recorded |= {change.student for change in self._stopped}
        made = [change for change in changes if change.student in recorded]
        done = len(made) == len(changes) and not (partly and self._stopped)
        write_regrade(self._root, self._lesson.id, made if done else changes, done=done)

    def _say(self, entries: Sequence[Entry], strays: Sequence[Path]) -> list[str]:
        """Say what a person is to look at: marks of an older lesson, new pages, files that nobody looked at."""
        today = self._lesson.version, ENGINE_VERSION
        kept = [each for each in entries if each.status is Status.KEPT]
        older = sum((each.lesson_version, each.engine_version) != today for each in kept)
        lost = [self._name(path) for path in strays if path.name not in {TIMESTAMP, SECRET}]
        said = []
        if older:
            said.append(
                f"the lesson or the grader changed since {older} of these were graded: `autograder grade --regrade "
                f"{self._lesson.id}` takes it to them (`--dry-run` shows what changes)"
            )
        if self._redrawn:
            names = name_some([entry.student for entry in self._redrawn])
            said.append(f"a person's marks or comments are new on the feedback page: {names}")
        if lost:
            said.append(f"files in no lesson's folder, which were not looked at: {name_some(lost)}")
        return list(map(one_line, said))

    def _name(self, path: Path) -> str:
        return str(path.relative_to(self._root))


def _about_files(work: Work) -> tuple[str, ...]:
    return (*work.notes, UNTIMED_SENTENCE)


def _is_of_graded_work(page: Path) -> bool:
    try:
        return not says_not_gradable(page.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return False
