"""The verbs `roster` and `canvas`: students into the gradebook, scores out of it into the file that Canvas gave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, MetaData, bindparam, insert, inspect, select, update

from autograder.database import explained, open_database, url_of
from autograder.gradebook import Gradebook
from autograder.ledger import only_run
from autograder.lesson import GraderError
from autograder.lines import name_some
from autograder.loading import load_lesson
from autograder.roster import RosterError, Student, fill_canvas, missing_in_canvas, points_in_canvas, read_roster


def import_roster(root: Path, file: Path, db_url: str = "") -> int:
    """Put every student of the list into the gradebook; the exit code is 0.

    Names and addresses of students who are there already are brought up to date. Nobody is removed, and an empty
    cell of the list erases nothing.

    Raises:
        GraderError: the list or the gradebook cannot be used; nothing was written.
    """
    try:
        students = read_roster(_read(file))
    except RosterError as error:
        message = f"{file} cannot be used, and nothing was written:\n{error}"
        raise GraderError(message) from error
    url = url_of(root, db_url)
    engine = open_database(url)
    try:
        with only_run(root), explained(engine, "written"):
            _insist_on_tables(engine, url)
            with engine.begin() as connection:
                new, changed, others = _write(connection, students)
    finally:
        engine.dispose()
    same = len(students) - new - changed
    print(f"{len(students)} students: {new} new, {changed} changed, {same} as before.")
    if others:
        print(f"In the gradebook and not in the list, left as they are: {name_some(others)}.")
    return 0


def _insist_on_tables(engine: Engine, url: str) -> None:
    """Have nbgrader make the gradebook if there is none yet."""
    if not inspect(engine).has_table("student"):
        from nbgrader.api import Gradebook as NbgradersOwn  # noqa: PLC0415  # it takes two seconds

        NbgradersOwn(url).close()


def _write(connection: Connection, students: Sequence[Student]) -> tuple[int, int, list[str]]:
    """Return how many are new, how many changed, and who is in the gradebook only."""
    metadata = MetaData()
    metadata.reflect(connection, only=["student"])
    table = metadata.tables["student"]
    if "lms_user_id" not in table.c:
        message = "the gradebook is an older nbgrader's: run `nbgrader db upgrade` first"
        raise GraderError(message)
    rows = {student.id: _row(student) for student in students}
    columns = [table.c[name] for name in ("id", *_row(Student("")))]
    found = connection.execute(select(*columns)).mappings()
    before: dict[str, dict[str, str | None]] = {row["id"]: dict(row) for row in found}
    new = [{"id": student, **row} for student, row in rows.items() if student not in before]
    wanted = {student: before[student] | _given(row) for student, row in rows.items() if student in before}
    changed = [row | {"key": student} for student, row in wanted.items() if row != before[student]]
    if new:
        connection.execute(insert(table), new)
    if changed:
        values: dict[str, Any] = {name: bindparam(name) for name in _row(Student(""))}
        connection.execute(update(table).where(table.c.id == bindparam("key")).values(values), changed)
    return len(new), len(changed), sorted(set(before) - set(rows))


def _row(student: Student) -> dict[str, str | None]:
    """Name the cells as nbgrader's table does. The verb `canvas` looks for Canvas's number there."""
    return {
        "first_name": student.first_name or None,
        "last_name": student.last_name or None,
        "email": student.email or None,
        "lms_user_id": student.canvas_id or None,
    }


def _given(row: Mapping[str, str | None]) -> dict[str, str | None]:
    """Return the cells that are not empty."""
    return {name: value for name, value in row.items() if value}


@dataclass(frozen=True)
class CanvasFile:
    """Canvas's gradebook file, the column to fill (the lesson's name if none is given), where the filled one goes."""

    source: Path
    column: str = ""
    target: Path | None = None


def fill_canvas_file(lesson_id: str, root: Path, file: CanvasFile, db_url: str = "") -> int:
    """Write the lesson's scores into a copy of Canvas's file; the exit code is 1 if a score found no place in it.

    Raises:
        GraderError: the file or the gradebook cannot be used; nothing was written.
    """
    target = file.target or file.source.with_name(f"{file.source.stem}-filled{file.source.suffix}")
    if target.resolve() == file.source.resolve():
        message = f"{target} is Canvas's own file: give the filled one another name with --to"
        raise GraderError(message)
    data = _read(file.source)
    lesson, column = load_lesson(lesson_id, root), file.column or lesson_id
    gradebook = Gradebook(url_of(root, db_url), lesson)
    try:
        counted = {student: stands.counted() for student, stands in gradebook.by_hand().items()}
        numbers = gradebook.platform_numbers()
    finally:
        gradebook.close()
    scores = {student: score for student, score in counted.items() if score is not None}
    try:
        names = _names_there(data, scores, numbers)
        missing = missing_in_canvas(data, {names[student]: score for student, score in scores.items()})
        filled = fill_canvas(data, {names[s]: score for s, score in scores.items()}, column)
        points = points_in_canvas(data, column)
    except RosterError as error:
        message = f"{file.source} cannot be filled: {error} Export it anew from Canvas, or name the column by --column."
        raise GraderError(message) from error
    _save(target, filled)
    print(f"{len(scores) - len(missing)} scores are in {target}, for Canvas to import.")
    most = lesson.example_points + lesson.hidden_points
    if points not in {None, most}:
        print(f"Canvas counts {points:g} points for it, this lesson has {most:g}: change that in Canvas.")
    if len(scores) < len(counted):
        print(f"Not graded, so left as they were: {name_some(sorted(set(counted) - set(scores)))}.")
    if missing:
        lost = sorted(student for student in scores if names[student] in missing)
        print(f"Graded, and not in Canvas's file: {name_some(lost)}.")
    return 1 if missing else 0


def _names_there(data: bytes, scores: Mapping[str, float], numbers: Mapping[str, str]) -> dict[str, str]:
    """Return what Canvas calls each student: our id, or Canvas's own number where the file knows more of those."""
    own = {student: student for student in scores}
    theirs = {student: numbers.get(student, student) for student in scores}
    if len(set(theirs.values())) < len(theirs):
        return own
    return min(own, theirs, key=lambda names: len(missing_in_canvas(data, dict.fromkeys(names.values(), 0.0))))


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        message = f"{file} cannot be read: {error.strerror}"
        raise GraderError(message) from error


def _save(target: Path, data: bytes) -> None:
    try:
        target.write_bytes(data)
    except OSError as error:
        message = f"{target} cannot be written: {error.strerror}"
        raise GraderError(message) from error
