"""Report on a class: a page to read, the same as CSV and JSON, a short table in the terminal. Nothing is run again."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from autograder.class_report_facts import ClassFacts, Line, count_class
from autograder.class_report_records import read_records
from autograder.class_table import print_rows, rows_of
from autograder.ledger import now, say_unwritten, write_whole
from autograder.lesson import GraderError
from course.wording import count

FOLDER: Final = "reports"
VERSION: Final = 1
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")  # how a spreadsheet knows a formula


def report_class(lesson_id: str, root: Path, db_url: str = "", *, anonymous: bool = False) -> int:
    """Write `reports/<lesson>.html`, `.csv` and `.json`, print the class; the exit code is 0.

    Raises:
        GraderError: there is no such lesson or no gradebook, or a file cannot be written.
    """
    from autograder.class_report_page import render_class  # noqa: PLC0415  # matplotlib: half a second

    records = read_records(lesson_id, root, db_url)
    facts = count_class(records, anonymous=anonymous)
    written_at = now()
    files = {
        "html": render_class(facts, written_at),
        "csv": write_csv(facts),
        "json": json.dumps({"version": VERSION, "at": written_at, **asdict(facts)}, indent=1) + "\n",
    }
    try:
        for kind, text in files.items():
            write_whole(root / FOLDER / f"{lesson_id}.{kind}", text)
    except OSError as error:
        raise GraderError(say_unwritten("the class report", error)) from error
    if not anonymous:
        print_rows(rows_of(records))
    print("\n".join(_summary(facts)))
    print(f"The report: {FOLDER}/{lesson_id}.html, and the same as .csv and .json")
    return 0


def _summary(facts: ClassFacts) -> Iterator[str]:
    graded = f"{facts.graded} graded, {facts.all_right} passed every case."
    yield f"{count(facts.students, 'student')}: {facts.handed_in} handed in, {graded}"
    if facts.steps:
        yield f"Reteach first: {facts.steps[0].label} ({count(facts.steps[0].number, 'student')})."
    if facts.not_graded:
        yield f"Could not be graded: {len(facts.not_graded)}."


def write_csv(facts: ClassFacts) -> str:
    """Write one row for each student and one column for each case; an anonymous table has no ids and no absent ones."""
    file = io.StringIO()
    table = csv.writer(file, lineterminator="\n")
    names = [] if facts.anonymous else ["student"]
    cases = [case.label for case in facts.cases]
    table.writerow([*names, "status", "points", "first failing", "likely mistake", "step", "why not graded", *cases])
    for student, row in sorted(_rows(facts), key=lambda pair: pair[0]):
        table.writerow([_harmless(cell) for cell in (row if facts.anonymous else [student, *row])])
    return file.getvalue()


def _rows(facts: ClassFacts) -> Iterator[tuple[str, Sequence[str]]]:
    why = {work.student: work.why for work in facts.not_graded if work.student}
    for line in facts.lines:
        yield line.student, _graded(line, why.get(line.student, ""))
    for work in facts.not_graded:
        if not work.stands:
            yield work.student, ["not graded", "", "", "", "", work.why, *("" for _ in facts.cases)]
    for student in facts.missing:
        yield student, ["nothing handed in", *("" for _ in range(5 + len(facts.cases)))]


def _graded(line: Line, why: str) -> Sequence[str]:
    step = str(line.step) if line.step else ""
    return ["graded", f"{line.points:g}", line.first_failing, line.mistake, step, why, *line.marks]


def _harmless(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_FORMULA) else cell
