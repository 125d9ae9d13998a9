"""Turn the outcomes of one submission into its report. The expected values are only ever here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Final

from autograder.diagnosis import name_mistake
from autograder.lesson import Call, Group, Lesson
from autograder.sandbox import Run
from course.compare import Kind, Verdict, compare
from course.judging import judge_examples
from course.outcomes import Answered, NoFunction, Outcome, Raised
from course.report import GroupResult, Report
from course.submission import Cell, Submission
from course.values import Numbers

_DEFINES: Final = re.compile(r"^[ \t]*(?:(?:async[ \t]+)?def[ \t]+solve\b|solve[ \t]*=)", re.MULTILINE)
_DEFINITION: Final = re.compile(r"^def[ \t]+(\w{1,40})", re.MULTILINE)
_ALIKE: Final = 0.6
_MOST_NOTES: Final = 3
_MOST_NAMES: Final = 100
_UNREADABLE: Final = ("SyntaxError", "IndentationError", "TabError", "UnicodeEncodeError")
_CHANGED: Final = "Your function changes its inputs. Work on a copy."


def judge(lesson: Lesson, submission: Submission, shown: Run, hidden: Run) -> Report:
    """Judge what came of the worked examples (`shown`) and of the hidden cases (`hidden`) of one submission.

    What a learner reads of their own prints and error messages comes from `shown` alone: it was read before the
    submission had a hidden input.
    """
    shown, hidden = (_explain(lesson, submission, run) for run in (shown, hidden))
    verdicts = [
        _judge_hidden(call, outcome, want)
        for call, outcome, want in zip(lesson.hidden_calls, hidden.outcomes, lesson.expected, strict=True)
    ]
    outcomes = (*shown.outcomes, *hidden.outcomes)
    shown_verdicts = [compare(o, e.returns) for o, e in zip(shown.outcomes, lesson.examples, strict=True)]
    return Report(
        lesson=lesson.id,
        examples=judge_examples(lesson.examples, shown.outcomes),
        points_for_examples=lesson.example_points,
        groups=_judge_groups(lesson.groups, verdicts),
        hidden_cases=len(verdicts),
        mistake=name_mistake(lesson, outcomes, [*shown_verdicts, *verdicts]),
        notes=(*submission.notes, *_notes(lesson, submission, shown)),
        printed=shown.printed,
        layers=shown.layers,
    )


def _judge_hidden(call: Call, outcome: Outcome, want: Numbers) -> Verdict:
    verdict = compare(outcome, want)
    changed = isinstance(outcome, Answered) and outcome.changed_inputs
    if call.twice and changed and verdict.kind in {Kind.PASSED, Kind.VALUES, Kind.SHAPE}:
        return Verdict(Kind.VALUES, _CHANGED, _CHANGED)
    return verdict


def _judge_groups(groups: Sequence[Group], verdicts: Sequence[Verdict]) -> tuple[GroupResult, ...]:
    results = []
    at = 0
    for group in groups:
        mine = verdicts[at : at + len(group.calls)]
        at += len(group.calls)
        failed = [verdict for verdict in mine if not verdict.passed]
        results.append(
            GroupResult(
                name=group.name,
                sentence=group.sentence,
                points=group.points,
                earned=0.0 if failed else group.points,
                cases=len(mine),
                passed_cases=len(mine) - len(failed),
                says=failed[0].safe if failed else "",
                kind=failed[0].kind if failed else Kind.PASSED,
            )
        )
    return tuple(results)


def _explain(lesson: Lesson, submission: Submission, run: Run) -> Run:
    """Where there is no `solve`, say why: the cell that should define it stopped, or its name is misspelt."""
    if NoFunction("missing") not in run.outcomes:
        return run
    own = [cell for cell in submission.cells if cell.source not in lesson.given]
    stopped = [error for error in run.cell_errors if error.cell in {cell.number for cell in own}]
    defining = [error for error in stopped if _DEFINES.search(_source(own, error.cell))]
    names = _DEFINITION.findall("\n".join(cell.source for cell in own))
    alike = get_close_matches("solve", names[:_MOST_NAMES], n=1, cutoff=_ALIKE)
    if defining or (stopped and not alike):
        instead: Outcome = (defining or stopped)[-1]
    else:
        instead = NoFunction("missing", alike[0] if alike else "")
    return replace(run, outcomes=tuple(instead for _ in run.outcomes))


def _source(cells: Sequence[Cell], number: int) -> str:
    return next(cell.source for cell in cells if cell.number == number)


def _notes(lesson: Lesson, submission: Submission, run: Run) -> tuple[str, ...]:
    """Say which of the student's cells were left out, and which stopped where a name may be missing because of that."""
    own = {cell.number for cell in submission.cells if cell.source not in lesson.given}
    told = {outcome.cell for outcome in run.outcomes if isinstance(outcome, Raised) and outcome in run.cell_errors}
    lost = any(isinstance(outcome, NoFunction | Raised) for outcome in run.outcomes)
    errors = [error for error in run.cell_errors if error.cell in own - told and (lost or _was_left_out(error))]
    return tuple(_say_cell(error) for error in errors[:_MOST_NOTES])


def _was_left_out(error: Raised) -> bool:
    """Tell whether the sandbox ended the cell from outside: then there is no line of it."""
    return error.line == 0 and error.error not in _UNREADABLE


def _say_cell(error: Raised) -> str:
    line = f" in line {error.line}" if error.line else ""
    if error.error in _UNREADABLE:
        return f"Python cannot read cell {error.cell}{line} ({error.message}), so nothing in that cell ran."
    if _was_left_out(error):
        return f"About cell {error.cell}: {error.message}."
    code = f": `{error.code.strip()}`" if error.code.strip() else ""
    return f"Cell {error.cell} stopped with `{error.error}`{line}{code}. A name that this line defines is missing."
