"""Run the learner's `solve` on the worked examples, in the notebook they write it in."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from course.calling import Call, call_each, in_silence, was_stopped
from course.compare import Kind, compare
from course.errors.answers import explain_answer, explain_short
from course.errors.clues import explain
from course.errors.cut import tell_cut
from course.errors.definitions import tell_definition, tell_order
from course.errors.spot import Told
from course.handed_out import EXAMPLES_CHANGED, are_examples, say_no_practice
from course.judging import Example, judge_examples, read_examples
from course.keeping import another_answer, changed_inputs, with_value_read_anew
from course.older import older_code
from course.outcomes import Outcome, numbers_of
from course.practice import Practice, find_practice
from course.report import Clue, ExampleResult, Report
from course.session import LastCheck, remember
from course.show import to_text
from course.show_html import inline_code, to_html
from course.stopped_step import step_when_stopped
from course.teaching import Taught, teach
from course.xray_steps import find_step

_NOT_DEEPER: Final = (
    "The closer look at your code did not work this time, and that is not your fault. The result above is right."
)
_PUT_BACK: Final = "Put the cell with the examples back as it was."
_TEACHABLE: Final = {Kind.RAISED, Kind.TYPE, Kind.SHAPE, Kind.NOT_FINITE, Kind.VALUES}


@dataclass(frozen=True, repr=False)
class CheckResult:
    """What `check` found. It shows itself in a notebook as HTML and in a terminal as text."""

    report: Report

    @property
    def points(self) -> float:
        """One point for each worked example that passes."""
        return float(sum(example.passed for example in self.report.examples))

    def __repr__(self) -> str:
        """Return the report as text."""
        return to_text(self.report)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Return both forms."""
        del include, exclude
        return _both_forms(to_html(self.report), to_text(self.report), self.points)


@dataclass(frozen=True, repr=False)
class NoCheck:
    """Nothing was checked, and why. No points."""

    says: str
    points: float = 0.0

    def __repr__(self) -> str:
        """Return the reason as text."""
        return self.says

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Return both forms."""
        del include, exclude
        return _both_forms(f"<p>{inline_code(self.says)}</p>", self.says, self.points)


def _both_forms(html: str, text: str, points: float) -> dict[str, str]:
    """Return both forms. While stock nbgrader runs the cell, the text is the bare number it gives credit for."""
    return {"text/html": html, "text/plain": str(points) if os.environ.get("NBGRADER_EXECUTION") else text}


def check(
    solve: object, examples: Sequence[Mapping[str, Any]], hidden_cases: int = 0, lesson: str = ""
) -> CheckResult | NoCheck:
    """Call `solve` on every worked example and report the first one that fails.

    An example is a dict: the arguments by name in call order, and the right answer under "returns". `lesson` names the
    practice file beside the notebook, which lets the report name a mistake; without it the answers are only compared.
    Examples that are no such list, or that have other inputs than the lesson's, are not run.
    """
    if not are_examples(examples, _inputs_of(lesson)):
        return NoCheck(EXAMPLES_CHANGED)
    known = read_examples(examples)
    calls = call_each(solve, known)
    report = Report(
        lesson=lesson,
        examples=judge_examples(known, [call.outcome for call in calls]),
        points_for_examples=float(len(known)),
        hidden_cases=hidden_cases,
    )
    practice = None
    try:
        report = replace(report, notes=tuple(filter(None, [older_code(solve)])))
        practice = _practice_of(lesson, known)
        report = replace(report, lesson=practice.lesson if practice else lesson)
        report = _look_deeper(report, practice, solve, known, calls)
        report = _say_what_is_missing(report, practice, lesson)
    except Exception:  # noqa: BLE001  # a fault of ours never costs the learner the report; it is told in it
        report = replace(report, notes=(*report.notes, _NOT_DEEPER))
    remember(LastCheck(solve, practice, report))
    return CheckResult(report)


def _inputs_of(lesson: str) -> Sequence[str]:
    """Return the names of the lesson's inputs; none where they are not known."""
    try:
        practice = find_practice(lesson) if lesson else None
    except Exception:  # noqa: BLE001  # a fault of ours never costs the learner the report
        return ()
    return tuple(practice.examples[0].arguments) if practice else ()


def _say_what_is_missing(report: Report, practice: Practice | None, lesson: str) -> Report:
    """Say in a failing report why it has no mistake and no step; say always that the examples are others."""
    if practice is not None or not lesson:
        return report
    damage = say_no_practice(lesson)
    if not damage:
        return replace(report, notes=(*report.notes, EXAMPLES_CHANGED), action=_PUT_BACK)
    return replace(report, notes=(*report.notes, damage)) if report.first_failing else report


def _practice_of(lesson: str, known: Sequence[Example]) -> Practice | None:
    """Return the practice data of the lesson, unless it is of another version of it."""
    practice = find_practice(lesson) if lesson else None
    return practice if practice is not None and practice.examples == known else None


def _look_deeper(
    report: Report, practice: Practice | None, solve: object, known: Sequence[Example], calls: Sequence[Call]
) -> Report:
    """Add to the report what the failure teaches: what the function leaves behind, else an error, else the numbers."""
    another, changed = another_answer(solve, known, calls), changed_inputs(calls, known)
    at = next((at for at, each in enumerate(report.examples) if not each.passed), None)
    taught = Taught()
    if another and at in another.examples:
        taught = _say(another.told)
    elif at is not None:
        inputs = tuple(known[at].arguments)
        told = tell_order(solve, inputs) or tell_definition(calls[at].error, solve, inputs)
        taught = _say(told) if told else _teach(report.examples[at], practice, solve, calls, known[at])
        answered = numbers_of(calls[at].outcome) is not None
        if changed and at in changed.examples and not (told or taught.mistake) and answered:
            taught = _say(with_value_read_anew(changed.told, solve))
    if changed and taught.mistake:
        changed = replace(changed, told=Told(changed.told.says))  # a copy alone does not make the answer right
    notes = [
        each.told
        for each in (changed, another)
        if each and not (taught.clue and taught.clue.says.startswith(each.told.says))
    ]
    return replace(
        report,
        mistake=taught.mistake,
        clue=taught.clue,
        already=taught.already,
        action=taught.action,
        notes=(*report.notes, *(f"{told.says} {told.action}".rstrip() for told in notes)),
    )


def _say(told: Told) -> Taught:
    return Taught(clue=Clue(told.says), action=told.action)


def _teach(
    failing: ExampleResult, practice: Practice | None, solve: object, calls: Sequence[Call], example: Example
) -> Taught:
    """Look into the error or the answers, then into the running function. `example`: the one that fails."""
    call, shape = calls[failing.number - 1], example.returns.shape
    told = explain(call.error, solve) if call.error else explain_answer(solve, call.outcome, shape)
    taught = Taught()
    early = told or explain_short(solve, call.outcome, (*shape, 0)[0])
    if failing.kind is Kind.SHAPE and early is not None:
        return _say(early)
    if told is not None and told.sure:
        return _say(told)
    numbers = failing.kind in {Kind.VALUES, Kind.NOT_FINITE} and not was_stopped(solve)
    if numbers and (cut := tell_cut(solve, example)):
        return _say(cut)
    if practice is not None and failing.kind in _TEACHABLE:
        unsure = told is not None and told.unsure
        taught = _watch(failing, practice, solve, [each.outcome for each in calls], by_error=unsure)
    if practice is not None and isinstance(call.error, KeyboardInterrupt):
        taught = _where_stopped(failing, practice, solve, call)
    if told is None or taught.mistake is not None:
        return taught
    where = taught.clue or Clue("")
    return replace(taught, clue=replace(where, says=told.says) if told.says or where.step else None, action=told.action)


def _where_stopped(failing: ExampleResult, practice: Practice, solve: object, call: Call) -> Taught:
    """Say at which step the learner stopped the call."""
    at = failing.number - 1
    known = practice.step_values[at], practice.examples[at].arguments
    step = step_when_stopped(call.error, solve, *known) if call.error else 0
    return Taught(clue=Clue("", step, practice.title(step))) if step else Taught()


def _watch(
    failing: ExampleResult, practice: Practice, solve: object, outcomes: Sequence[Outcome], *, by_error: bool
) -> Taught:
    with in_silence():
        probed = [call.outcome for call in call_each(solve, practice.probes)]
    finding = None
    if callable(solve) and not was_stopped(solve):
        both = zip((*outcomes, *probed), practice.cases, strict=True)
        passed = [compare(outcome, case.returns).passed for outcome, case in both]
        with in_silence():
            finding = find_step(solve, [case.arguments for case in practice.cases], passed, practice.step_values)
    return teach(practice, outcomes, probed, finding, failing, by_error=by_error)
