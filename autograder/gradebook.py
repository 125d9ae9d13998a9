"""Write into nbgrader's gradebook in batches: the rows that `nbgrader autograde` would write, a transaction each.

The tables are read from the database itself, so SQLite and PostgreSQL are the same here, and nbgrader, which takes
two seconds to import, is not needed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import uuid4

from sqlalchemy import Connection, MetaData, Table, bindparam, insert, select, update
from sqlalchemy.exc import InvalidRequestError, SQLAlchemyError

from autograder.database import explained, open_database, reading
from autograder.database_faults import explain
from autograder.lesson import GraderError, Lesson
from autograder.marks import ByHand, Deadline, Marks

_TABLES: Final = (
    "assignment",
    "notebook",
    "base_cell",
    "grade_cells",
    "solution_cells",
    "source_cell",
    "student",
    "submitted_assignment",
    "submitted_notebook",
    "grade",
    "comment",
)


_EPOCH: Final = datetime(1970, 1, 1)  # noqa: DTZ001  # the gradebook's times have no zone
_OWNED: Final = ("submitted_notebook", "grade", "comment")
_PARTS: Final[tuple[tuple[str, str, dict[str, Any]], ...]] = (
    ("grade", "examples", {"needs_manual_grade": True}),
    ("grade", "hidden", {"needs_manual_grade": True}),
    ("comment", "solve", {}),
)


@dataclass(frozen=True)
class _Ids:
    """The rows of the lesson itself."""

    assignment: str
    notebook: str
    cells: Mapping[str, str]


class Gradebook:
    """One open gradebook. The class-wide command is its only writer."""

    def __init__(self, url: str, lesson: Lesson) -> None:
        self._known: _Known | None = None
        self._engine = open_database(url)
        try:
            metadata = MetaData()
            metadata.reflect(self._engine, only=_TABLES)
            self._tables: Mapping[str, Table] = metadata.tables
            with self._engine.connect() as connection:
                self._ids = self._find_lesson(connection, lesson)
        except SQLAlchemyError as error:
            self.close()
            no_tables = isinstance(error, InvalidRequestError)
            why = _unknown(lesson) if no_tables else explain(error, "read", self._engine.url)
            raise GraderError(why) from error

    def close(self) -> None:
        """Give the connections back."""
        self._engine.dispose()

    def source_cells(self) -> dict[str, tuple[str, str]]:
        """Return text and checksum of each graded cell as nbgrader keeps them."""
        table = self._tables["source_cell"]
        query = select(table.c.name, table.c.source, table.c.checksum).where(table.c.notebook_id == self._ids.notebook)
        with reading(self._engine) as connection:
            return {name: (source, checksum) for name, source, checksum in connection.execute(query)}

    def students(self) -> set[str]:
        """Return the ids of all students in the gradebook."""
        with reading(self._engine) as connection:
            return set(connection.execute(select(self._tables["student"].c.id)).scalars())

    def platform_numbers(self) -> dict[str, str]:
        """Return the numbers that the learning platform has for students, by student."""
        table = self._tables["student"]
        with reading(self._engine) as connection:
            rows = connection.execute(select(table.c.id, table.c.lms_user_id)).all()
        return {student: number for student, number in rows if number}

    def by_hand(self) -> dict[str, ByHand]:
        """Return what stands in the gradebook for each student of this lesson."""
        t, names = self._tables, {cell: name for name, cell in self._ids.cells.items()}
        notebook, grade, comment, submitted = (t[n] for n in (*_OWNED, "submitted_assignment"))
        ours = (
            select(submitted.c.student_id, notebook.c.id, notebook.c.late_submission_penalty)
            .join(submitted, submitted.c.id == notebook.c.assignment_id)
            .where(notebook.c.notebook_id == self._ids.notebook)
        )
        mine = select(notebook.c.id).where(notebook.c.notebook_id == self._ids.notebook)
        with reading(self._engine) as connection:
            owners = connection.execute(ours).all()
            grades = _by_owner(connection.execute(select(grade).where(grade.c.notebook_id.in_(mine))).all())
            comments = _by_owner(connection.execute(select(comment).where(comment.c.notebook_id.in_(mine))).all())
        return {
            student: ByHand(
                automatic={names[row.cell_id]: row.auto_score for row in grades[key]},
                scores={names[row.cell_id]: row.manual_score for row in grades[key] if row.manual_score is not None},
                extra={names[row.cell_id]: row.extra_credit for row in grades[key] if row.extra_credit is not None},
                comment="\n".join(row.manual_comment for row in comments[key] if row.manual_comment),
                penalty=penalty or 0.0,
            )
            for student, key, penalty in owners
        }

    def deadlines(self) -> tuple[Deadline, dict[str, Deadline]]:
        """Return the deadline of this lesson, and that of each student who has handed in."""
        lesson, work = self._tables["assignment"], self._tables["submitted_assignment"]
        whole = select(lesson.c.duedate).where(lesson.c.id == self._ids.assignment)
        each = select(work.c.student_id, work.c.extension, work.c.timestamp)
        with reading(self._engine) as connection:
            due: datetime | None = connection.execute(whole).scalar_one()
            rows = connection.execute(each.where(work.c.assignment_id == self._ids.assignment)).all()
        found = {student: Deadline(due and due + _length(longer), moment) for student, longer, moment in rows}
        return Deadline(due), found

    def record(self, batch: Sequence[Marks]) -> None:
        """Write one batch in one transaction: all of it or nothing.

        Raises:
            RefusedError: the database does not take a value; nothing of the batch was written.
            GraderError: the database is locked, full or broken; nothing of the batch was written.
        """
        with explained(self._engine, "written"), self._engine.begin() as connection:
            known = self._known or self._read_known(connection)
            self._known = None  # until this is committed: after a failure all is read again
            self._add_missing(connection, known, batch)
            self._write(connection, known, batch)
        self._known = known

    def _find_lesson(self, connection: Connection, lesson: Lesson) -> _Ids:
        t = self._tables
        query = (
            select(t["assignment"].c.id, t["notebook"].c.id)
            .join(t["notebook"], t["notebook"].c.assignment_id == t["assignment"].c.id)
            .where(t["assignment"].c.name == lesson.id, t["notebook"].c.name == lesson.name)
        )
        found = connection.execute(query).first()
        if found is None:
            raise GraderError(_unknown(lesson))
        cells = select(t["base_cell"].c.name, t["base_cell"].c.id, t["grade_cells"].c.max_score).outerjoin(
            t["grade_cells"], t["grade_cells"].c.id == t["base_cell"].c.id
        )
        rows = connection.execute(cells.where(t["base_cell"].c.notebook_id == found[1])).all()
        points = {name: most for name, _, most in rows if most is not None}
        if points != {"examples": lesson.example_points, "hidden": lesson.hidden_points}:
            message = (
                f"the gradebook has other points for {lesson.id} than its notebook: "
                f"run `nbgrader generate_assignment {lesson.id} --force` first"
            )
            raise GraderError(message)
        return _Ids(found[0], found[1], {name: cell for name, cell, _ in rows})

    def _read_known(self, connection: Connection) -> _Known:
        """Read which rows there are, by student."""
        t, ids, names = self._tables, self._ids, {cell: name for name, cell in self._ids.cells.items()}
        notebook, grade, comment, submitted = (t[n] for n in (*_OWNED, "submitted_assignment"))
        work = select(submitted.c.student_id, submitted.c.id).where(submitted.c.assignment_id == ids.assignment)
        assignments: dict[str, str] = dict(connection.execute(work).all())
        student_of = {key: student for student, key in assignments.items()}
        books = select(notebook.c.assignment_id, notebook.c.id).where(notebook.c.notebook_id == ids.notebook)
        notebooks = {student_of[owner]: key for owner, key in connection.execute(books) if owner in student_of}
        owner_of = {key: student for student, key in notebooks.items()}
        parts = {}
        for table in (grade, comment):
            for key, owner, cell in connection.execute(select(table.c.id, table.c.notebook_id, table.c.cell_id)):
                if owner in owner_of and cell in names:
                    parts[owner_of[owner], names[cell]] = key
        students = set(connection.execute(select(t["student"].c.id)).scalars())
        return _Known(students, assignments, notebooks, parts)

    def _add_missing(self, connection: Connection, known: _Known, batch: Sequence[Marks]) -> None:
        """Add the rows that nbgrader makes for a new submission; `known` learns of them."""
        ids, students = self._ids, [marks.student for marks in batch]
        new = [student for student in students if student not in known.students]
        self._insert(connection, "student", [{"id": student} for student in new])
        known.students.update(new)
        new = [student for student in students if student not in known.assignments]
        known.assignments.update((student, uuid4().hex) for student in new)
        rows: list[dict[str, Any]] = [
            {"id": known.assignments[s], "assignment_id": ids.assignment, "student_id": s} for s in new
        ]
        self._insert(connection, "submitted_assignment", rows)
        new = [student for student in students if student not in known.notebooks]
        known.notebooks.update((student, uuid4().hex) for student in new)
        owned = {"notebook_id": ids.notebook, "flagged": False}
        rows = [{"id": known.notebooks[s], "assignment_id": known.assignments[s], **owned} for s in new]
        self._insert(connection, "submitted_notebook", rows)
        for table, cell, more in _PARTS:
            new = [student for student in students if (student, cell) not in known.parts]
            known.parts.update(((student, cell), uuid4().hex) for student in new)
            owned = {"cell_id": ids.cells[cell], **more}
            rows = [{"id": known.parts[s, cell], "notebook_id": known.notebooks[s], **owned} for s in new]
            self._insert(connection, table, rows)

    def _insert(self, connection: Connection, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
        if rows:
            connection.execute(insert(self._tables[table]), rows)

    def _write(self, connection: Connection, known: _Known, batch: Sequence[Marks]) -> None:
        t, parts = self._tables, known.parts
        grades = [
            {"key": parts[m.student, cell], "auto_score": score} for m in batch for cell, score in m.points.items()
        ]
        comments = [{"key": parts[m.student, "solve"], "auto_comment": m.comment} for m in batch]
        # As nbgrader does it: what an earlier grading took off for being late does not stay by itself.
        late, book = {m.student: m.penalty for m in batch}, t["submitted_notebook"]
        of_these = book.c.id.in_([known.notebooks[student] for student in late])
        before = book.c.late_submission_penalty.is_not(None)
        connection.execute(update(book).where(of_these, before).values(late_submission_penalty=None))
        penalties = [
            {"key": known.notebooks[student], "late_submission_penalty": penalty}
            for student, penalty in late.items()
            if penalty is not None
        ]
        times = [{"key": known.assignments[m.student], "timestamp": m.handed_in} for m in batch if m.handed_in]
        # As nbgrader does it: a score that a person gave before is to be looked at again.
        again = {"needs_manual_grade": t["grade"].c.manual_score.is_not(None)}
        for table, values, more in (
            (t["grade"], grades, again),
            (t["comment"], comments, {}),
            (t["submitted_assignment"], times, {}),
            (book, penalties, {}),
        ):
            if values:
                changes: dict[str, Any] = {name: bindparam(name) for name in values[0] if name != "key"} | more
                connection.execute(update(table).where(table.c.id == bindparam("key")).values(changes), values)


@dataclass(frozen=True)
class _Known:
    """The ids of the rows that are there, by student; of grades and comments by student and cell."""

    students: set[str]
    assignments: dict[str, str]
    notebooks: dict[str, str]
    parts: dict[tuple[str, str], str]


def _by_owner(rows: Iterable[Any]) -> defaultdict[str, list[Any]]:
    found: defaultdict[str, list[Any]] = defaultdict(list)
    for row in rows:
        found[row.notebook_id].append(row)
    return found


def _length(extension: timedelta | datetime | None) -> timedelta:
    """Read an extension; SQLite keeps it as a time after the beginning of 1970."""
    return extension - _EPOCH if isinstance(extension, datetime) else extension or timedelta()


def _unknown(lesson: Lesson) -> str:
    return f"the gradebook does not know {lesson.id}: run `nbgrader generate_assignment {lesson.id} --force` first"
