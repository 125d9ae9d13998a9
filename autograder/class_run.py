"""Grade a whole class: many submissions at once, one writer, nothing lost.

Each submission goes read -> run -> judge in a worker of one `Executor` (`autograder.one`). What comes back is
recorded here in batches: files first, then the gradebook in one transaction, then the ledger. A run that is killed
anywhere leaves a whole gradebook, and the next run does what is left.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

from tqdm import tqdm

from autograder.account import Account
from autograder.changes import change_of, show_changes
from autograder.database import url_of
from autograder.gradebook import Gradebook
from autograder.ids import why_no_student
from autograder.late import LateWork
from autograder.ledger import Entry, Status, only_run, say_unwritten
from autograder.lesson import GraderError, Lesson
from autograder.loading import load_lesson
from autograder.marks import Marks
from autograder.one import Graded, Task
from autograder.places import places_of, write_files
from autograder.recording import record
from autograder.sandbox.kernel import PR_SET_PDEATHSIG, prctl
from autograder.sending import batches, send
from autograder.spool import keeping, kept
from autograder.stamps import handed_in, is_same_time, note_untimed
from autograder.strays import find_strays
from autograder.submitted import SUBMITTED, Work, find_work

_BATCH: Final = 100


@dataclass(frozen=True)
class Options:
    """What the command line asks for."""

    lesson_id: str
    students: frozenset[str] | None = None
    workers: int = 2
    regrade: bool = False
    dry_run: bool = False
    db_url: str = ""
    allow_missing: frozenset[str] = frozenset()


def grade_class(root: Path, options: Options, make_executor: Callable[[int], Executor] | None = None) -> int:
    """Grade the class; the exit code is 2 if something was not graded through a fault of ours.

    Raises:
        GraderError: nothing could be begun: no such lesson, no gradebook, another run at work, no room on the disk.
    """
    try:
        with only_run(root):
            lesson = load_lesson(options.lesson_id, root)
            gradebook = Gradebook(url_of(root, options.db_url), lesson)
            try:
                run = _Run(root, options, lesson, gradebook)
                return run.go(make_executor or local_executor)
            finally:
                gradebook.close()
    except OSError as error:
        raise GraderError(say_unwritten(str(error.filename or "something"), error)) from error


def local_executor(workers: int) -> Executor:
    """Start processes that share what this one has loaded; each has a sandbox of its own."""
    return ProcessPoolExecutor(workers, multiprocessing.get_context("fork"), _end_with, (os.getpid(),))


def _end_with(parent: int) -> None:
    """Let a worker end with the process that records its work, however that one ends."""
    with suppress(OSError):  # only Linux can; elsewhere nothing is graded
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    signal.signal(signal.SIGINT, lambda *_: os._exit(1))  # of a Ctrl-C the first process says all there is to say


class _Run:
    """One run over one lesson."""

    def __init__(self, root: Path, options: Options, lesson: Lesson, gradebook: Gradebook) -> None:
        self._root = root
        self._options = options
        self._lesson = lesson
        self._gradebook = gradebook
        self._account = Account(root, lesson, gradebook.by_hand())
        self._before = self._account.ledger.read()
        self._late = LateWork(root, gradebook)
        self._source_cells = gradebook.source_cells()
        self._work = {work.student: work for work in find_work(root, lesson.id, options.students)}
        for student in options.students or ():
            if why_no_student(student) or not (root / SUBMITTED / student).exists():
                message = f"there is no student {student!r} in {SUBMITTED}/: look at the id once more"
                raise GraderError(message)
        self._faults = 0

    def go(self, make_executor: Callable[[int], Executor]) -> int:
        """Grade what is to be graded, and tell."""
        results = self._run(make_executor)
        with ExitStack() as stack:
            if self._options.regrade:
                file = stack.enter_context(TemporaryFile())
                found = [change_of(each, self._account.stands(each.student)) for each in keeping(results, file)]
                changes = show_changes([each for each in found if each])
                if not self._options.dry_run:
                    self._account.begin_regrade(changes)
                results = kept(file)
            if not self._options.dry_run:
                for batch in batches(results, _BATCH):
                    self._record(batch)
        if not self._options.dry_run:
            self._account.close(find_strays(self._root), partly=bool(self._options.students))
        return 2 if self._faults or self._account.is_incomplete else 0

    def _ask(self, work: Work) -> Task | None:
        """Make the task of one student, unless there is nothing to do."""
        if work.file is None:
            self._account.note(work, Status.NOT_GRADABLE, why=work.problem)
            self._tell(work, work.problem)
            return None
        try:
            data = work.file.read_bytes()
            beside = {name: path.read_text(encoding="utf-8", errors="replace") for name, path in work.beside.items()}
        except OSError as error:
            self._account.note(work, Status.NOT_GRADED, why=f"{work.file.name} cannot be read: {error.strerror}")
            return None
        task = Task(
            student=work.student,
            lesson=self._lesson.id,
            name=work.file.name,
            data=data,
            beside=beside,
            notes=(*work.notes, *note_untimed(work.folder)),
            by_hand=replace(self._account.stands(work.student), penalty=0.0),
            source_cells=self._source_cells,
            allow_missing=self._options.allow_missing,
            may_cost=self._late.may_cost(work.student, work.folder),
        )
        known = self._before.get(work.student)
        if known and not self._options.regrade and self._is_done(work, task, known):
            self._account.keep(work, task.notes, known)
            return None
        return task

    def _is_done(self, work: Work, task: Task, known: Entry) -> bool:
        """Tell whether this very work was graded, with whatever lesson, and its page and its marks are there."""
        places = self._places(work.student)
        same = known.sha256 == task.sha256 and is_same_time(work.folder, places[0].parent)
        marks = self._account.stands(work.student).automatic.values()  # none in another gradebook
        same = same and bool(marks) and None not in marks and all(path.exists() for path in places)
        return same and self._account.show(work, known, places)

    def _run(self, make_executor: Callable[[int], Executor]) -> Iterator[Graded]:
        """Send the tasks out and show how it goes; results come as they are ready."""
        with tqdm(total=len(self._work), unit=" submissions") as bar:
            for sent in send(make_executor, self._options.workers, self._root, self._tasks(bar)):
                results = [self._charge(graded) for graded in sent]
                self._faults += sum(bool(result.fault) for result in results)
                bar.update(len(results))
                bar.set_postfix_str(f"faults of ours: {self._faults}", refresh=False)
                yield from results

    def _tasks(self, bar: tqdm[object]) -> Iterator[Task]:
        """Make the tasks one after the other; what there is nothing to do for is done at once."""
        for work in self._work.values():
            try:
                task = self._ask(work)
            except Exception:  # noqa: BLE001  # a bug of ours with this work must not stop the others
                task = None
                self._account.note(work, Status.NOT_GRADED, why=_bug())
            if task is None:
                bar.update()
            else:
                yield task

    def _charge(self, graded: Graded) -> Graded:
        try:
            return self._late.charge(graded, self._work[graded.student].folder)
        except Exception:  # noqa: BLE001  # the same
            return _failed(graded, _bug())

    def _record(self, batch: Sequence[Graded]) -> None:
        """Write files, then the gradebook, then the ledger. What could not be written is not graded."""
        written = [self._with_files(graded) for graded in batch]
        good = [marks for _, marks in written if marks]
        why = record(self._gradebook, good)
        results = [_failed(graded, why[graded.student]) if graded.student in why else graded for graded, _ in written]
        for graded in results:
            status = Status.MENDED if graded.notes else Status.GRADED
            status = Status.NOT_GRADABLE if graded.problem else Status.NOT_GRADED if graded.fault else status
            self._account.note(self._work[graded.student], status, graded.problem or graded.fault, graded)
            if graded.problem:
                self._tell(self._work[graded.student], graded.problem)
        self._account.enter([marks.student for marks in good if marks.student not in why])

    def _with_files(self, graded: Graded) -> tuple[Graded, Marks | None]:
        """Write the files of one result; return it with its marks, or why it does not count."""
        if graded.fault or graded.problem:
            return graded, None
        folder = self._work[graded.student].folder
        try:
            marks = Marks(graded.student, graded.points, graded.comment, handed_in(folder), graded.penalty)
            write_files(graded, self._places(graded.student), folder)
        except OSError as error:
            return _failed(graded, say_unwritten("the feedback page or the autograded notebook", error)), None
        except Exception:  # noqa: BLE001  # the same
            return _failed(graded, _bug()), None
        return graded, marks

    def _tell(self, work: Work, problem: str) -> None:
        if not self._options.dry_run:
            self._account.tell(work, problem, self._before.get(work.student), self._places(work.student))

    def _places(self, student: str) -> tuple[Path, Path]:
        return places_of(self._root, student, self._lesson)


def _failed(graded: Graded, fault: str) -> Graded:
    """Return the result of a submission that was graded but could not be recorded."""
    return Graded(graded.student, graded.sha256, fault=fault)


def _bug() -> str:
    """Tell the bug of ours that is being handled."""
    return traceback.format_exc(limit=-4)
