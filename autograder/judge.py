"""Turn the outcomes of one submission into its report. The expected values are only ever here."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.diagnosis import name_mistake
from autograder.lesson import Call, Group, Lesson
from autograder.sandbox import Run
from course.compare import Kind, Verdict, compare
from course.judging import judge_examples
from course.outcomes import Answered, NoFunction, Outcome, Raised
from course.report import GroupResult, Report
from course.submission import Submission
from course.values import Numbers

_CHANGED = "Your function changes its inputs. Work on a copy."


def judge(lesson: Lesson, submission: Submission, shown: Run, hidden: Run) -> Report:
    """Judge what came of the worked examples (`shown`) and of the hidden cases (`hidden`) of one submission.

    What a learner reads of their own prints and error messages comes from `shown` alone: it was read before the
    submission had a hidden input.
    """
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
        notes=(*submission.notes, *_notes(shown)),
        printed=shown.printed,
        layers=shown.layers,
    )


def _judge_hidden(call: Call, outcome: Outcome, want: Numbers) -> Verdict:
    verdict = compare(outcome, want)
    if call.twice and verdict.passed and isinstance(outcome, Answered) and outcome.changed_inputs:
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
            )
        )
    return tuple(results)


def _notes(run: Run) -> tuple[str, ...]:
    """Say which cells did not run to their end, where that explains a missing function or name."""
    lost = any(isinstance(o, NoFunction | Raised) for o in run.outcomes)
    return tuple(_say_cell(error) for error in run.cell_errors[:3]) if lost else ()


def _say_cell(error: Raised) -> str:
    line = f" in line {error.line}" if error.line else ""
    code = f": `{error.code.strip()}`" if error.code.strip() else ""
    return f"Cell {error.cell} stopped with `{error.error}`{line}{code}. Names it defines below that line are missing."
