"""Turn the outcomes of one submission into its report. The expected values are only ever here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from autograder.lesson import Call, Group, Lesson, outcome_of
from autograder.practice import combine
from autograder.sandbox import Run
from course.compare import Kind, Verdict, compare
from course.diagnosis import Known, find_mistake
from course.explaining import cell_notes, explain
from course.judging import judge_examples
from course.outcomes import Answered, Outcome
from course.practice import Pair
from course.report import Clue, GroupResult, LikelyMistake, Report
from course.submission import Submission
from course.teaching import find_clue, name_both
from course.values import Numbers

_CHANGED: Final = "Your function changes its inputs. Make new rows: a copy of the outer list still holds the same rows."


def judge(lesson: Lesson, submission: Submission, shown: Run, hidden: Run) -> Report:
    """Judge what came of the worked examples (`shown`) and of the hidden cases (`hidden`) of one submission.

    What a learner reads of their own prints and error messages comes from `shown` alone: it was read before the
    submission had a hidden input.
    """
    own = [cell for cell in submission.cells if cell.source not in lesson.given]
    shown, hidden = (replace(run, outcomes=explain(run.outcomes, run.cell_errors, own)) for run in (shown, hidden))
    verdicts = [
        _judge_hidden(call, outcome, want)
        for call, outcome, want in zip(lesson.hidden_calls, hidden.outcomes, lesson.expected, strict=True)
    ]
    outcomes = (*shown.outcomes, *hidden.outcomes)
    shown_verdicts = [compare(o, e.returns) for o, e in zip(shown.outcomes, lesson.examples, strict=True)]
    mistake = _name_mistake(lesson, outcomes, [*shown_verdicts, *verdicts])
    return Report(
        lesson=lesson.id,
        examples=judge_examples(lesson.examples, shown.outcomes),
        points_for_examples=lesson.example_points,
        groups=_judge_groups(lesson.groups, verdicts),
        hidden_cases=len(verdicts),
        mistake=mistake,
        clue=None if mistake else _find_clue(lesson, shown.outcomes, shown_verdicts),
        notes=(*submission.notes, *cell_notes(shown.outcomes, shown.cell_errors, own)),
        printed=shown.printed,
        layers=shown.layers,
    )


def _name_mistake(lesson: Lesson, outcomes: Sequence[Outcome], verdicts: Sequence[Verdict]) -> LikelyMistake | None:
    """Name the mistake that explains every case, or two at once that do: a hidden case may refute what examples say."""
    place = find_mistake([row for _, row in lesson.known], outcomes, verdicts)
    if place is not None:
        mistake, _ = lesson.known[place]
        return LikelyMistake(mistake.name, mistake.advice, mistake.step, lesson.steps[mistake.step - 1])
    if lesson.practice is None:
        return None

    def fits(both: Pair) -> bool:
        row = _outcomes_of_both(lesson, both)
        return row is not None and find_mistake([row], outcomes, verdicts) is not None

    return name_both(lesson.practice, outcomes[: len(lesson.examples)], fits)


def _outcomes_of_both(lesson: Lesson, pair: Pair) -> Known | None:
    """Make two mistakes at once in every case."""
    told = lesson.practice.mistakes if lesson.practice else ()
    names = (told[pair.first].name, told[pair.second].name)
    first, second = (next((each for each in lesson.mistakes if each.name == name), None) for name in names)
    both = combine(first, second) if first and second else None
    if both is None:
        return None
    wanted = (*(example.returns for example in lesson.examples), *lesson.expected)
    return Known.of((outcome_of(both, call) for call in lesson.calls), wanted)


def _find_clue(lesson: Lesson, shown: Sequence[Outcome], verdicts: Sequence[Verdict]) -> Clue | None:
    """Say which property the first wrong answer breaks, if it is a wrong answer that fails first."""
    first = next((at for at, each in enumerate(verdicts) if not each.passed), None)
    if first is None or verdicts[first].kind is not Kind.VALUES:
        return None
    says = find_clue(lesson.examples[first:][:1], shown[first:][:1], lesson.steps)
    return Clue(says) if says else None


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
