"""Say what a report means: the sentences and cuts that its text, its HTML and the feedback page share."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from course.compare import LEFT_OVER, RETURN_HERE, Kind
from course.judging import ACCEPTED
from course.report import ExampleResult, Report, Table

MAX_ROWS: Final = 3
MAX_COLUMNS: Final = 6
_MAX_SENTENCE: Final = 700
_TERMINAL_COLOURS: Final = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")

_HAPPENS: Final = {
    Kind.MISSING: "cannot run",
    Kind.NOT_WRITTEN: "is not written yet",
    Kind.RAISED: "stops with an error",
    Kind.STOPPED: "has no answer",
    Kind.NO_RETURN: "returns nothing",
    Kind.TYPE: "does not return numbers",
    Kind.SHAPE: "returns the wrong shape",
    Kind.NOT_FINITE: "gives nan or inf",
    Kind.VALUES: "gives a different answer",
    Kind.PASSED: "passes",
}
_NEXT: Final = {
    Kind.MISSING: "Write `solve` in its cell.",
    Kind.NOT_WRITTEN: "Write the code for this call.",
    Kind.STOPPED: "Find this place in your code and change it.",
    Kind.NO_RETURN: "End `solve` with `return` and your result.",
    Kind.TYPE: "Return plain numbers, lists of them, or a numpy array, whichever this lesson asks for.",
    Kind.SHAPE: "Print your result just before `return` and compare its size with what is expected.",
    Kind.NOT_FINITE: "Print the numbers of each step for this call. Find the first step that gives nan or inf.",
    Kind.VALUES: "Print the numbers of each step for this call. Find the first step you did not expect.",
}
STUB: Final = "`solve` is not written yet. Write your code in the cell above, run it, then run this cell again."
_USUAL_ERRORS: Final = {
    "`NameError` (name 'np'": "Add `import numpy as np` at the top of your cell.",
    "`NameError`": "Nothing has this name yet. Check its spelling, or write it first.",
    "object is not callable)": "A name is called like a function, but it holds a value. Look for a line such as "
    "`sum = ...`, give it another name, and restart the kernel.",
    LEFT_OVER: "Delete this line.",
    RETURN_HERE: "Put `return` and your result in the place of this line.",
}
_NO_LINE: Final = "Compare the `def solve` line of your code with this call."


def clean(text: str, limit: int = _MAX_SENTENCE) -> str:
    """Make a learner's text safe to show: no terminal codes, no invisible or broken characters, not too long."""
    if len(text) <= limit and text.replace("\n", "").isprintable():
        return text  # the usual case, many times faster
    plain = _TERMINAL_COLOURS.sub("", text[: 4 * limit]).replace("\r\n", "\n").replace("\t", "    ")
    kept = "".join(each for each in plain if each == "\n" or unicodedata.category(each)[0] != "C")
    return kept if len(kept) <= limit else f"{kept[:limit]} ... (cut)"


def count(number: float, noun: str) -> str:
    """Write a number with its noun: "1 point", "36 hidden cases"."""
    return f"{number:g} {noun}{'' if number == 1 else 's'}"


def first_failing_example(report: Report) -> ExampleResult | None:
    """Return the example that is shown in full."""
    return next((example for example in report.examples if not example.passed), None)


def not_started(report: Report) -> bool:
    """Tell whether there is nothing to compare yet: no example gets past the stub, or there is no function."""
    kinds = {example.kind for example in report.examples}
    return kinds in ({Kind.NOT_WRITTEN}, {Kind.MISSING})


def headline(report: Report) -> str:
    """Say in one sentence how the worked examples went."""
    failing = first_failing_example(report)
    if failing is None:
        number = len(report.examples)
        return f"All {number} examples pass." if number > 1 else "The example passes."
    return f"Example {failing.number} of {len(report.examples)} {_HAPPENS[failing.kind]}."


def mark(report: Report) -> str:
    """Give the sign and the word for the worked examples: pass, fail, or stopped from outside."""
    failing = first_failing_example(report)
    if failing is None:
        return "✓ Pass"
    return "■ Stopped" if failing.kind is Kind.STOPPED else "✗ Fail"


def passed_so_far(report: Report) -> str:
    """List the examples that pass."""
    passed = [str(example.number) for example in report.examples if example.passed]
    return f"Passed so far: {', '.join(passed)}." if passed else "Passed so far: none."


def hand_in(report: Report) -> str:
    """Say what is still to come after the worked examples; empty if nothing is known to come."""
    verb = "is" if report.hidden_cases == 1 else "are"
    return f"{count(report.hidden_cases, 'hidden case')} {verb} run when you hand in." if report.hidden_cases else ""


def likely_cause(report: Report) -> str:
    """Give the advice of the known mistake, if these are its numbers."""
    return clean(report.mistake.advice) if report.mistake else ""


def step_to_reread(report: Report) -> tuple[int, str]:
    """Return the number and the title of the one step to reread; 0 and nothing where none is known."""
    known = report.mistake or report.clue
    return (known.step, known.step_title) if known else (0, "")


def reread(report: Report) -> str:
    """Name the one step to reread, if it is known."""
    step, title = step_to_reread(report)
    return f"step {step}, “{title}”." if step else ""


def next_action(report: Report) -> str:
    """Say the one thing to do about the failing example; empty if all pass."""
    failing = first_failing_example(report)
    if failing is None:
        return ""
    if report.action:
        return clean(report.action)
    step, _ = step_to_reread(report)
    if step and (report.mistake or failing.kind is not Kind.RAISED):
        return f"Change step {step} in your code."
    if failing.kind is Kind.RAISED and _usual_error(failing.says):
        return _usual_error(failing.says)
    if failing.kind is Kind.RAISED:
        cell = f" of cell {failing.cell}" if failing.cell else ""
        return f"Look at line {failing.line}{cell} and the values it uses." if failing.line else _NO_LINE
    return _NEXT[failing.kind]


def _usual_error(says: str) -> str:
    """Say what to do about an error that has one usual cause; empty for the others."""
    return next((advice for words, advice in _USUAL_ERRORS.items() if words in says), "")


@dataclass(frozen=True)
class Shown:
    """The part of a table that is shown: row numbers, column numbers, and a sentence if something was cut."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    note: str


def cut(table: Table, max_rows: int = MAX_ROWS, max_columns: int = MAX_COLUMNS) -> Shown:
    """Choose the rows and columns to show: the largest differences first."""
    wrong = [(r, c) for r, row in enumerate(table.difference) for c, cell in enumerate(row) if cell != ACCEPTED]
    wrong.sort(key=lambda place: -_size(table.difference[place[0]][place[1]]))
    n_rows, n_columns = len(table.expected), len(table.expected[0])
    rows = _choose(n_rows, [r for r, _ in wrong], max_rows)
    columns = _choose(n_columns, [c for r, c in wrong if r in rows], max_columns)
    return Shown(rows, columns, _say_cut(rows, n_rows, columns, n_columns))


def _size(difference: str) -> float:
    size = abs(float(difference))
    return math.inf if math.isnan(size) else size  # nan is the worst difference


def _choose(size: int, wrong: Sequence[int], most: int) -> tuple[int, ...]:
    first = list(dict.fromkeys(wrong)) + [at for at in range(size) if at not in wrong]
    return tuple(sorted(first[:most]))


def _say_cut(rows: Sequence[int], n_rows: int, columns: Sequence[int], n_columns: int) -> str:
    parts = []
    if len(rows) == 1 < n_rows and len(columns) == n_columns:
        return f"Only row {rows[0]} of {n_rows} rows is shown."
    if len(rows) < n_rows:
        parts.append(f"{len(rows)} of {n_rows} rows")
    if len(columns) < n_columns:
        parts.append(f"{len(columns)} of {n_columns} columns")
    verb = "is" if len(parts) == 1 and parts[0].startswith("1 ") else "are"
    return f"The table is large: {' and '.join(parts)} {verb} shown." if parts else ""


def align(cells: Sequence[str]) -> list[str]:
    """Pad numbers so that their points stand below each other."""
    halves = [cell.partition(".") for cell in cells]
    left = max(len(whole) for whole, _, _ in halves)
    right = max(len(point + rest) for _, point, rest in halves)
    return [f"{whole:>{left}}{(point + rest):<{right}}" for whole, point, rest in halves]
