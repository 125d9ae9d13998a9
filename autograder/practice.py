"""Make a lesson's practice data: what *check* in the notebook knows beyond the examples. See `course.practice`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path

from autograder.lesson import Call, GraderError, Lesson, Mistake, Solve, outcome_of
from autograder.step_values import steps_of, trace_steps
from course.compare import compare
from course.diagnosis import sum_up
from course.judging import Example
from course.outcomes import Outcome, Raised, numbers_of
from course.practice import Answer, Gives, KnownMistake, LockedCell, Pair, Practice


def practice_of(lesson: Lesson) -> Practice:
    """Make the practice data of a lesson. A mistake that passes every example is not in it: that would tell a case."""
    shown = [each for each in lesson.mistakes if not all(_passes(lesson, lesson.mistake_outcomes[each.name]))]
    calls = (*lesson.example_calls, *lesson.probes)
    mistakes = tuple(_known(each, each.solve, calls) for each in shown)
    others = [_known(each, solve, calls) for each in shown for solve in each.also]
    steps = steps_of(lesson.reference_source)
    return Practice(
        lesson=lesson.id,
        steps=lesson.steps,
        examples=lesson.examples,
        step_values=tuple(trace_steps(lesson.reference, steps, call) for call in calls),
        mistakes=(*mistakes, *dict.fromkeys(each for each in others if each not in mistakes)),
        pairs=tuple(_pairs(lesson, shown, {each.gives[: len(lesson.examples)] for each in mistakes})),
        probes=tuple(_probes(lesson)),
        hints=lesson.hints,
        question=lesson.question,
        locked=tuple(_locked(lesson)),
        earlier=lesson.earlier,
    )


def write_practice(lesson: Lesson, folder: Path) -> Path:
    """Write the practice file of a lesson into `folder`, where its notebook is."""
    file = folder / f"{lesson.name}.json"
    text = practice_of(lesson).to_json()
    if not file.is_file() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")
    return file


def combine(first: Mistake, second: Mistake) -> Solve | None:
    """Make both mistakes at once, where both are the same function with other parts: `partial(attend, score=...)`."""
    a, b = first.solve, second.solve
    if not isinstance(a, partial) or not isinstance(b, partial) or a.func is not b.func:
        return None
    if a.args or b.args or a.keywords.keys() & b.keywords.keys():
        return None
    return partial(a.func, **a.keywords, **b.keywords)


def _known(mistake: Mistake, solve: Solve, calls: Sequence[Call]) -> KnownMistake:
    return KnownMistake(mistake.name, mistake.advice, mistake.step, _gives(solve, calls), mistake.or_step)


def _locked(lesson: Lesson) -> Iterator[LockedCell]:
    """Give the cells that are no student's, as released: with them the check before handing in reads as the grader."""
    yield from (LockedCell(name, source) for name, source in lesson.released.items())
    yield from (LockedCell("", source) for source in sorted(lesson.given.keys() - set(lesson.released.values())))


def _pairs(lesson: Lesson, mistakes: Sequence[Mistake], known: set[Gives]) -> Iterator[Pair]:
    """Give the pairs whose numbers on the examples are those of no mistake alone, and of no earlier pair.

    Where two mistakes at once give no numbers, too little would tell them apart from others.
    """
    for (i, first), (j, second) in combinations(enumerate(mistakes), 2):
        both = combine(first, second)
        if both is not None:
            shown, probed = (
                [outcome_of(both, call) for call in calls] for calls in (lesson.example_calls, lesson.probes)
            )
            gives, probes = tuple(map(_answer, shown)), sum_up(probed)
            if probes and sum_up(shown) and gives not in known and not all(_passes(lesson, shown)):
                known.add(gives)
                yield Pair(i, j, gives, probes)


def _probes(lesson: Lesson) -> Iterator[Example]:
    names = list(lesson.examples[0].arguments)
    for call in lesson.probes:
        returns = numbers_of(outcome_of(lesson.reference, call))
        if returns is None:
            message = f"the reference solution of {lesson.id!r} gives no numbers for a probe"
            raise GraderError(message)
        yield Example(dict(zip(names, call.arguments, strict=True)), returns)


def _passes(lesson: Lesson, outcomes: Sequence[Outcome]) -> Iterator[bool]:
    for outcome, example in zip(outcomes, lesson.examples, strict=False):  # others may follow
        yield compare(outcome, example.returns).passed


def _gives(solve: Solve, calls: Sequence[Call]) -> Gives:
    return tuple(_answer(outcome_of(solve, call)) for call in calls)


def _answer(outcome: Outcome) -> Answer:
    return f"{outcome.error}: {outcome.message}" if isinstance(outcome, Raised) else numbers_of(outcome)
