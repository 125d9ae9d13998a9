"""Write the page a student gets back: one self-contained HTML file, no script, no network.

Everything a student wrote is escaped and cut. Of a hidden group only its name, its sentence and the
safe words of its verdict are in a report, so nothing else of it can be on the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from jinja2 import Environment
from markupsafe import Markup

from autograder.feedback_comparison import picture_of, table_of
from autograder.templating import templates_in
from course.compare import ABSOLUTE_TOLERANCE, Kind
from course.report import ExampleResult, GroupResult, Report
from course.show_html import inline_code
from course.submission import Cell
from course.wording import (
    clean,
    count,
    first_failing_example,
    headline,
    likely_cause,
    next_action,
    not_started,
    reread,
    step_to_reread,
)

_MAX_CODE_LINES: Final = 200
_MAX_CODE: Final = 8_000
_MAX_CELLS: Final = 6
_MAX_PRINTED: Final = 1_500
_MAX_COMMENT: Final = 1_000
_MAX_SAYS: Final = 300
_MAX_COMMENTS: Final = 5
_MAX_NOTES: Final = 5
_UNREAD: Final = "What you handed in could not be read, so there are no points for it, and no zero either."


@dataclass(frozen=True)
class CellScore:
    """Points of one part of the lesson; `earned` is None while nobody has graded it."""

    name: str
    earned: float | None
    points: float
    by_hand: bool = False


@dataclass(frozen=True)
class FeedbackInput:
    """Everything the page tells. `score` is None while the submission is not graded."""

    report: Report
    cells: tuple[Cell, ...]
    student_id: str
    score: float | None
    max_score: float
    cell_scores: tuple[CellScore, ...] = ()
    comments: tuple[str, ...] = ()
    late_penalty: float = 0.0  # already taken off the score

    @property
    def graded(self) -> bool:
        """True if every part has its points; until then the page shows none, so that "not yet" is never read as 0."""
        return self.score is not None and all(part.earned is not None for part in self.cell_scores)


@dataclass(frozen=True)
class PartRow:
    """One worked example or hidden group, as a line of its table."""

    name: str
    sentence: str
    says: str
    passed: bool
    earned: float
    points: float


@dataclass(frozen=True)
class CodeBlock:
    """One cell of the student's code. `cut` when only its beginning is shown."""

    cell: int
    lines: tuple[CodeLine, ...]
    cut: bool


@dataclass(frozen=True)
class CodeLine:
    """One numbered line of the student's code; `stopped` where the error was."""

    number: int
    text: str
    stopped: bool


def render_feedback(page: FeedbackInput) -> str:
    """Write the whole page."""
    report = page.report
    failing = None if not_started(report) else first_failing_example(report)
    table = failing.table if failing else None
    code = _code(page.cells, failing)
    facts: dict[str, Any] = {
        "page": page,
        "report": report,
        "title": _title(report.lesson),
        "points": _points(page),
        "summary": _summary(report),
        "next_step": _next_step(report),
        "scores": page.cell_scores or _scores(page),
        "failing": failing,
        "failing_group": report.first_failing if isinstance(report.first_failing, GroupResult) else None,
        "not_started": not_started(report),
        "table": table_of(table) if table else None,
        "picture": picture_of(table) if table else None,
        "examples": _example_rows(report, failing),
        "groups": _group_rows(report),
        "cause": likely_cause(report) or (report.clue.says if report.clue else ""),
        "reread": reread(report),
        "code": code,
        "stopped": any(line.stopped for block in code for line in block.lines),
        "printed": clean(report.printed, _MAX_PRINTED).strip("\n"),
        "comments": [clean(text, _MAX_COMMENT) for text in page.comments[:_MAX_COMMENTS]],
        "notes": [clean(note, _MAX_SAYS) for note in report.notes[:_MAX_NOTES]],
        "tolerance": f"{ABSOLUTE_TOLERANCE:.5f}",
    }
    return _environment().get_template("page.html.j2").render(facts)


def render_not_gradable(lesson: str, student_id: str, why: str) -> str:
    """Write the page of work that cannot be graded: `why`, and what to do."""
    facts = {"title": _title(lesson), "student_id": student_id, "unread": _UNREAD, "why": why}
    return _environment().get_template("not_gradable.html.j2").render(facts)


def says_not_gradable(page: str) -> bool:
    """Tell the page of work that cannot be graded from one of graded work, where nothing a student wrote is a tag."""
    return f"<p>{_UNREAD}</p>" in page


@cache
def _environment() -> Environment:
    return templates_in(
        "feedback",
        sentence=lambda text: Markup(inline_code(clean(text, _MAX_SAYS))),  # noqa: S704  # escaped there
        short=_short,
    )


def _title(lesson: str) -> str:
    number, _, name = lesson.partition("_")
    return f"Lesson {number}: {name.replace('_', ' ')}" if name else "Your lesson"


def _points(page: FeedbackInput) -> str:
    if page.score is None or not page.graded:
        return "Not graded yet"
    return f"{_short(page.score)} of {count(page.max_score, 'point')}"


def _short(points: float) -> str:
    return f"{round(points, 2):g}"


def _scores(page: FeedbackInput) -> tuple[CellScore, ...]:
    """Split the points into examples and hidden cases, as the report has them."""
    report = page.report
    return () if page.score is None else score_parts(report, report.example_points, report.group_points)


def score_parts(report: Report, examples: float | None, hidden: float | None) -> tuple[CellScore, ...]:
    """Name the two parts; points that are not the report's were given by hand."""
    points = sum(group.points for group in report.groups)
    parts = [
        CellScore(
            "Worked examples", examples, report.points_for_examples, examples not in {None, report.example_points}
        )
    ]
    if report.groups:
        parts.append(CellScore("Hidden cases", hidden, points, hidden not in {None, report.group_points}))
    return tuple(parts)


def _summary(report: Report) -> str:
    """Say in one sentence how it went."""
    if not_started(report):
        first = report.examples[0]
        return "`solve` is not written yet." if first.kind is Kind.NOT_WRITTEN else first.says
    if first_failing_example(report):
        return headline(report)
    failed = [group for group in report.groups if not group.passed]
    if not failed:
        return "Everything passes. Well done."
    verb = "fails" if len(failed) == 1 else "fail"
    return f"{headline(report)} Of {count(len(report.groups), 'group')} of hidden cases, {len(failed)} still {verb}."


def _example_rows(report: Report, shown: ExampleResult | None) -> list[PartRow]:
    """Give each example its row. `shown` stands in full above; no sentence is said twice."""
    each = report.points_for_examples / len(report.examples)
    first: dict[str, int] = {}
    rows = []
    for example in report.examples:
        alike = first.setdefault(example.says, example.number)
        if example.passed:
            says = ""
        elif example.kind is Kind.NOT_WRITTEN:
            says = "Not written yet."
        elif example is shown:
            says = "Shown in full above."
        else:
            says = example.says if alike == example.number else f"The same as in example {alike}."
        earned = each if example.passed else 0.0
        rows.append(PartRow(f"Example {example.number}", "", says, example.passed, earned, each))
    return rows


def _group_rows(report: Report) -> list[PartRow]:
    """Give each hidden group its row; the same sentence in a row is said once."""
    rows = []
    last = ""
    for group in report.groups:
        says = "The same here." if group.says and group.says == last else group.says
        said = "" if not_started(report) else says
        rows.append(PartRow(group.name, group.sentence, said, group.passed, group.earned, group.points))
        last = group.says
    return rows


def _next_step(report: Report) -> str:
    """Say the one thing to do next."""
    failing = report.first_failing
    if failing is None:
        return "Go on to the next lesson."
    if not_started(report):
        return "Write `solve` in your notebook, run the check cell, and hand in again."
    step, _ = step_to_reread(report)
    if step:
        return f"Read step {step} again and change it in your code."
    if isinstance(failing, ExampleResult):
        return f"Start with example {failing.number}, below. {next_action(report)}"
    return f"Think of a call of your own for “{failing.name}” and try it in your notebook."


def _code(cells: Sequence[Cell], failing: ExampleResult | None) -> list[CodeBlock]:
    """Number the lines of the student's cells and mark the one that stopped; all cells share one allowance."""
    blocks: list[CodeBlock] = []
    room = _MAX_CODE
    for cell in cells[:_MAX_CELLS]:
        lines = clean(cell.source, room).rstrip("\n").split("\n")[:_MAX_CODE_LINES]
        stopped = failing.line if failing and failing.cell == cell.number else 0
        numbered = tuple(CodeLine(number, line, number == stopped) for number, line in enumerate(lines, start=1))
        cut = len(cell.source) > room or cell.source.count("\n") >= _MAX_CODE_LINES
        blocks.append(CodeBlock(cell.number, numbered, cut))
        room = max(0, room - len(cell.source))
    return blocks
