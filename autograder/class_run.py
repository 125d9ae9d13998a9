"""Grade a whole class: many submissions at once, one writer, nothing lost.

Each submission goes read -> run -> judge in a worker of one `Executor` (`autograder.one`). What comes back is
recorded here in batches: files first, then the gradebook in one transaction, then the ledger. A run that is killed
anywhere leaves a whole gradebook, and the next run does what is left.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import Final

from dateutil.parser import ParserError
from dateutil.parser import parse as parse_time
from tqdm import tqdm

from autograder.gradebook import ByHand, Gradebook, Marks
from autograder.ledger import Entry, Ledger, Status, count_up, now, only_run, write_whole
from autograder.lesson import GraderError, Lesson
from autograder.loading import load_lesson
from autograder.one import ENGINE_VERSION, Graded, Task
from autograder.sending import batches, send
from autograder.submitted import Work, find_strays, find_work

_BATCH: Final = 100
_READ_ONLY: Final = 0o444


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


@dataclass(frozen=True)
class Change:
    """A mark that a regrade changes."""

    student: str
    before: float | None
    after: float
    why: str


def grade_class(root: Path, options: Options, make_executor: Callable[[int], Executor] | None = None) -> int:
    """Grade the class; the exit code is 2 if something was not graded through a fault of ours.

    Raises:
        GraderError: nothing could be begun: no such lesson, no gradebook, another run at work.
    """
    with only_run(root):
        lesson = load_lesson(options.lesson_id, root)
        gradebook = Gradebook(options.db_url or f"sqlite:///{root / 'gradebook.db'}", lesson)
        try:
            run = _Run(root, options, lesson, gradebook)
            return run.go(make_executor or _local_executor)
        finally:
            gradebook.close()


def _local_executor(workers: int) -> Executor:
    """Start processes that share what this one has loaded; each has a sandbox of its own."""
    return ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("fork"))


class _Run:
    """One run over one lesson."""

    def __init__(self, root: Path, options: Options, lesson: Lesson, gradebook: Gradebook) -> None:
        self._root = root
        self._options = options
        self._lesson = lesson
        self._gradebook = gradebook
        self._ledger = Ledger(root, lesson.id)
        self._before = self._ledger.read()
        self._by_hand = gradebook.by_hand()
        self._source_cells = gradebook.source_cells()
        self._work = {work.student: work for work in find_work(root, lesson.id, options.students)}
        self._entries: dict[str, Entry] = {}
        self._faults = 0

    def go(self, make_executor: Callable[[int], Executor]) -> int:
        """Grade what is to be graded, and tell."""
        tasks = [task for work in self._work.values() for task in self._ask(work)]
        results = self._run(tasks, make_executor)
        if self._options.regrade:
            listed = list(results)
            _show_changes(self._changes(listed))
            results = iter(listed)
        if not self._options.dry_run:
            for batch in batches(results, _BATCH):
                self._record(batch)
            entries = [self._entries[student] for student in sorted(self._entries)]
            strays = [str(path.relative_to(self._root)) for path in find_strays(self._root)]
            print("\n".join(count_up(entries)))
            print(f"The receipt: {self._ledger.write_receipt(entries, strays).relative_to(self._root)}")
        unread = any(entry.status is Status.NOT_GRADED for entry in self._entries.values())
        return 2 if self._faults or unread else 0

    def _ask(self, work: Work) -> Iterator[Task]:
        """Make the task of one student, unless there is nothing to do."""
        if work.file is None:
            self._note(work, Status.NOT_GRADABLE, why=work.problem)
            return
        try:
            data = work.file.read_bytes()
            beside = {name: path.read_text(encoding="utf-8", errors="replace") for name, path in work.beside.items()}
        except OSError as error:
            self._note(work, Status.NOT_GRADED, why=f"{work.file.name} cannot be read: {error.strerror}")
            return
        task = Task(
            student=work.student,
            lesson=self._lesson.id,
            name=work.file.name,
            data=data,
            beside=beside,
            notes=work.notes,
            by_hand=self._by_hand.get(work.student, ByHand()),
            source_cells=self._source_cells,
            allow_missing=self._options.allow_missing,
        )
        known = self._before.get(work.student)
        if known and not self._options.regrade and self._is_done(work, task, known):
            self._entries[work.student] = Entry(**(vars(known) | {"status": Status.KEPT}))
        else:
            yield task

    def _is_done(self, work: Work, task: Task, known: Entry) -> bool:
        """Tell whether this very file was graded with this very lesson, and its page and its marks are there."""
        versions = (known.sha256, known.lesson_version, known.engine_version)
        same = versions == (task.sha256, self._lesson.version, ENGINE_VERSION)
        marks = self._by_hand.get(work.student, ByHand()).automatic.values()  # none in another gradebook
        return same and bool(marks) and None not in marks and all(path.exists() for path in self._places(work.student))

    def _run(self, tasks: Sequence[Task], make_executor: Callable[[int], Executor]) -> Iterator[Graded]:
        """Send the tasks out and show how it goes; results come as they are ready."""
        with make_executor(self._options.workers) as executor, tqdm(total=len(tasks), unit=" submissions") as bar:
            for results in send(executor, self._root, tasks):
                self._faults += sum(bool(result.fault) for result in results)
                bar.update(len(results))
                bar.set_postfix_str(f"faults of ours: {self._faults}", refresh=False)
                yield from results

    def _record(self, batch: Sequence[Graded]) -> None:
        """Write files, then the gradebook, then the ledger."""
        good = [graded for graded in batch if not graded.fault and not graded.problem]
        for graded in good:
            self._write_files(graded)
        try:
            self._gradebook.record([self._marks(graded) for graded in good])
        except GraderError as error:
            good = []
            batch = [Graded(each.student, each.sha256, fault=str(error)) for each in batch]
        for graded in batch:
            status = Status.MENDED if graded.notes else Status.GRADED
            status = Status.NOT_GRADABLE if graded.problem else Status.NOT_GRADED if graded.fault else status
            self._note(self._work[graded.student], status, graded.problem or graded.fault, graded)
        self._ledger.add([self._entries[graded.student] for graded in good])

    def _marks(self, graded: Graded) -> Marks:
        return Marks(graded.student, graded.points, graded.comment, _handed_in(self._work[graded.student].folder))

    def _places(self, student: str) -> tuple[Path, Path]:
        """Return where the autograded notebook and the feedback page of a student are."""
        lesson = self._lesson
        graded, page = (self._root / folder / student / lesson.id for folder in ("autograded", "feedback"))
        return graded / f"{lesson.name}.ipynb", page / f"{lesson.name}.html"

    def _write_files(self, graded: Graded) -> None:
        """Write the autograded notebook and the feedback page, with what `release_feedback` needs beside them."""
        notebook, page = self._places(graded.student)
        write_whole(notebook, graded.notebook, _READ_ONLY)
        write_whole(page, graded.page)
        submitted = self._work[graded.student].folder
        for name, otherwise in (("timestamp.txt", ""), ("submission_secret.txt", token_hex(64))):
            source = submitted / name
            text = source.read_text("utf-8", "replace") if source.is_file() and not source.is_symlink() else otherwise
            if text and name == "timestamp.txt":
                write_whole(notebook.with_name(name), text, _READ_ONLY)
            if not (page.with_name(name)).exists() or source.is_file():
                write_whole(page.with_name(name), text or "unknown")

    def _note(self, work: Work, status: Status, why: str = "", graded: Graded | None = None) -> None:
        self._entries[work.student] = Entry(
            student=work.student,
            status=status,
            file=str(work.file.relative_to(self._root)) if work.file else "",
            sha256=graded.sha256 if graded else "",
            points=sum(graded.points.values()) if graded and graded.points else None,
            why=why,
            notes=graded.notes if graded else work.notes,
            layers=graded.layers if graded else (),
            others=tuple(str(path.relative_to(self._root)) for path in work.others),
            lesson_version=graded.lesson_version if graded else "",
            engine_version=ENGINE_VERSION,
            at=now(),
        )

    def _changes(self, results: Iterable[Graded]) -> list[Change]:
        """Compare with the marks that stand in the gradebook."""
        found = []
        for graded in results:
            if graded.points:
                automatic = self._by_hand.get(graded.student, ByHand()).automatic
                scores = [automatic.get(cell) for cell in graded.points]
                before = None if None in scores else sum(score or 0.0 for score in scores)
                after = sum(graded.points.values())
                if before != after:
                    found.append(Change(graded.student, before, after, graded.first_failing or "all passes now"))
        return sorted(found, key=lambda change: change.student)


def _handed_in(folder: Path) -> datetime | None:
    """Read nbgrader's timestamp as UTC without a zone, as the gradebook keeps it."""
    with suppress(OSError, ParserError, OverflowError, UnicodeDecodeError):
        moment: datetime = parse_time((folder / "timestamp.txt").read_text(encoding="utf-8").strip())
        return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment
    return None


def _show_changes(changes: Sequence[Change]) -> None:
    print(f"{len(changes)} marks change." if changes else "No mark changes.")
    for change in changes:
        before = "none" if change.before is None else f"{change.before:g}"
        print(f"{change.student}: {before} -> {change.after:g}  ({change.why})")
