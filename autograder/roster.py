"""Read the list of students, and write scores back into the file that Canvas gave.

Ids are text and stay as they are: 007, 0070 and 1e5 are three students.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from autograder.ids import MAX_LETTERS, is_plain, why_no_student

_DELIMITERS: Final = (",", ";", "\t")
_UTF_16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
_SAID_DELIMITER: Final = re.compile(r"\Asep=.\r?\n", re.IGNORECASE)  # a first line that Excel understands
_ID_NAMES: Final = ("id", "student_id", "username", "login")
_FIELDS: Final = ("last_name", "first_name", "email", "canvas_id", "moodle_id")
_KNOWN: Final = (*_ID_NAMES, *_FIELDS, "name")
_MEND: Final = ": correct it, or leave it empty where it is not known"
_ONE_EACH: Final = {"id": "", "canvas_id": _MEND, "moodle_id": _MEND}  # and what to do where two rows have the same
_CANVAS_KEYS: Final = ("SIS User ID", "SIS Login ID", "ID")
_CANVAS_POINTS: Final = "Points Possible"  # in the first column of the row with them


class RosterError(Exception):
    """The file cannot be used as it is. Each problem is one sentence with the number of its line."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


@dataclass(frozen=True)
class Student:
    """One row of the list. The two last ids are those of the learning platforms, where the list has them."""

    id: str
    last_name: str = ""
    first_name: str = ""
    email: str = ""
    canvas_id: str = ""
    moodle_id: str = ""


def read_roster(data: bytes) -> tuple[Student, ...]:
    """Read a list of students as any spreadsheet writes it: commas, semicolons or tabs, with a header line.

    Raises:
        RosterError: a column or an id is missing or there twice, an id is unusable, or a quote is not closed.
    """
    text = _SAID_DELIMITER.sub("\n", _decode(data), count=1)
    lines = list(_rows(text))
    if not lines:
        raise RosterError(["The list of students is empty."])
    header = [name.strip().lower().replace(" ", "_") for name in lines[0][1]]
    if not set(header) & set(_ID_NAMES):
        raise RosterError([f"Line {lines[0][0]}: there is no column `id`; the columns are {', '.join(header)}."])
    twice = [name for name in dict.fromkeys(header) if name in _KNOWN and header.count(name) > 1]
    if twice:
        raise RosterError([f"Line {lines[0][0]}: there are several columns `{name}`: keep one." for name in twice])
    students = [(line, _student(dict(zip(header, row, strict=False)))) for line, row in lines[1:]]
    problems = list(_problems(students))
    if problems:
        raise RosterError(problems)
    return tuple(student for _, student in students)


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not empty, with the number of the last line of each."""
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter_of(text.lstrip()), strict=True)
    read = 0
    try:
        for row in rows:
            read = rows.line_num
            if any(cell.strip() for cell in row):
                yield read, row
    except csv.Error as error:
        why = 'a quote is not closed, or something stands after it. In a cell in quotes, write one quote as two: ""'
        raise RosterError([f"Line {read + 1}: {why}."]) from error


def _student(row: Mapping[str, str]) -> Student:
    cells = {name: cell.strip() for name, cell in row.items()}
    student_id = next(cells[name] for name in _ID_NAMES if name in cells) if set(cells) & set(_ID_NAMES) else ""
    first, _, last = cells.get("name", "").partition(" ")
    known = {"first_name": first, "last_name": last} | {name: cells[name] for name in _FIELDS if name in cells}
    return Student(student_id, **known)


def _problems(students: Sequence[tuple[int, Student]]) -> Iterator[str]:
    seen: dict[tuple[str, str], int] = {}
    for line, student in students:
        why = why_no_student(student.id)
        if not student.id:
            yield f"Line {line}: the id is missing."
        elif why:
            yield f"Line {line}: {student.id[:60]!r} cannot be an id: {why}."
        for name, mend in _ONE_EACH.items():
            value = getattr(student, name)
            first = seen.setdefault((name, value), line)
            if value and first != line:
                yield f"Line {line}: the {name} {value[:60]!r} is already in line {first}{mend}."
        for name in _FIELDS:
            value = getattr(student, name)
            if len(value) > MAX_LETTERS or not is_plain(value):
                yield f"Line {line}: the {name} {value[:60]!r} is longer than {MAX_LETTERS} letters or no plain line."


def _decode(data: bytes) -> str:
    """Read UTF-8 and UTF-16 with their marks, else UTF-8, else what Excel writes in Europe."""
    if data.startswith(_UTF_16_MARKS):
        return data.decode("utf-16", errors="replace").lstrip("\ufeff")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _delimiter_of(text: str) -> str:
    header = re.sub(r'"[^"]*"', "", text.partition("\n")[0])
    return max(_DELIMITERS, key=header.count)


def fill_canvas(data: bytes, scores: Mapping[str, float], column: str) -> bytes:
    """Write the scores (by student id) into one column of Canvas's gradebook file, and change nothing else.

    Every other cell keeps its very characters, so that what begins like a formula stays what it was.
    A student without a score keeps the cell as it is.

    Raises:
        RosterError: there is no such column, a score is no number, or a student is there twice.
    """
    table = _Table(data)
    at, key = table.column(column), table.key(scores)
    wrong = [name for name, score in scores.items() if not math.isfinite(score)]
    if wrong:
        raise RosterError([f"The score of {name!r} is not a number." for name in wrong])
    filled: set[str] = set()
    for row in table.rows[1:]:
        student = _plain(row[key]) if key < len(row) else ""
        if student not in scores:
            continue
        if student in filled:
            raise RosterError([f"The student {student!r} is in the Canvas file twice."])
        filled.add(student)
        row.extend([""] * (at + 1 - len(row)))
        row[at] = f"{scores[student]:.10g}"
    return table.to_bytes()


def points_in_canvas(data: bytes, column: str) -> float | None:
    """Return how many points Canvas has for the assignment, from its row of points; None where it does not say.

    Raises:
        RosterError: there is no such column.
    """
    table = _Table(data)
    at = table.column(column)
    for row in table.rows[1:]:
        if _plain(row[0]) == _CANVAS_POINTS and at < len(row):
            with suppress(ValueError):
                return float(_plain(row[at]))
    return None


def missing_in_canvas(data: bytes, scores: Mapping[str, float]) -> tuple[str, ...]:
    """Return the students with a score whom the Canvas file does not have."""
    table = _Table(data)
    key = table.key(scores)
    there = {_plain(row[key]) for row in table.rows[1:] if key < len(row)}
    return tuple(student for student in scores if student not in there)


class _Table:
    """A CSV file as raw cells, quotes and all: what is not touched is written back as it was."""

    def __init__(self, data: bytes) -> None:
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise RosterError(["The Canvas file is not UTF-8: take it as Canvas gave it."]) from error
        self._mark = "\ufeff" if text.startswith("\ufeff") else ""
        self._delimiter = _delimiter_of(text)
        self.rows: list[list[str]] = [[]]
        self._ends: list[str] = []
        apart = re.escape(self._delimiter)
        cell = re.compile(rf'((?:"[^"]*"|[^"\r\n{apart}])*+)({apart}|\r\n|\n|\r|\Z)')
        for raw, end in _scan(cell, text.removeprefix(self._mark), self._delimiter):
            self.rows[-1].append(raw)
            if end != self._delimiter:
                self._ends.append(end)
                self.rows.append([])
        self.rows.pop()

    def column(self, name: str) -> int:
        """Return the place of an assignment's column; Canvas adds its own number: `09_attention (9001)`."""
        header = [_plain(cell) for cell in self.rows[0]]
        found = [
            at for at, cell in enumerate(header) if cell == name or re.fullmatch(rf"{re.escape(name)} \(\d+\)", cell)
        ]
        if len(found) != 1:
            times = "no column" if not found else f"{len(found)} columns"
            raise RosterError([f"Line 1: the Canvas file has {times} named {name!r}."])
        return found[0]

    def key(self, scores: Mapping[str, float]) -> int:
        """Return the place of the column of ids in which most of the students are found."""
        header = [_plain(cell) for cell in self.rows[0]]
        places = [header.index(name) for name in _CANVAS_KEYS if name in header]
        if not places:
            raise RosterError([f"Line 1: the Canvas file has none of the columns {', '.join(_CANVAS_KEYS)}."])
        return max(places, key=lambda at: sum(at < len(row) and _plain(row[at]) in scores for row in self.rows[1:]))

    def to_bytes(self) -> bytes:
        """Write the file."""
        rows = zip(self.rows, self._ends, strict=True)
        return (self._mark + "".join(self._delimiter.join(row) + end for row, end in rows)).encode("utf-8")


def _scan(cell: re.Pattern[str], text: str, delimiter: str) -> Iterator[tuple[str, str]]:
    """Yield each raw cell with what ends it."""
    at, end = 0, delimiter
    while at < len(text) or end == delimiter:
        found = cell.match(text, at)
        if found is None:
            raise RosterError([f"Line {text.count(chr(10), 0, at) + 1}: a quote is not closed."])
        end, at = found[2], found.end()
        yield found[1], end


def _plain(raw: str) -> str:
    """Return what a raw cell says."""
    text = raw.strip()
    return text[1:-1].replace('""', '"').strip() if len(text) > 1 and text[0] == text[-1] == '"' else text
