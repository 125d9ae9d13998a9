"""Name the mistake whose numbers a wrong submission gives, without looking at its code.

A known mistake fits if it explains every case: it passes where the submission passes, it gives the same numbers
where both give numbers, and it fails where the submission has none. Lists and numpy break in different ways
(an IndexError here, wrong numbers there), so a case without numbers only has to fail too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import Enum, auto
from typing import Final

from autograder.lesson import Lesson, Mistake
from course.compare import Kind, Verdict, allowed
from course.outcomes import Answered, Outcome, Raised
from course.report import LikelyMistake
from course.values import Numbers

_NOTHING_TO_NAME: Final = {Kind.MISSING, Kind.NOT_WRITTEN, Kind.NO_RETURN}
_OVERFLOWS: Final = {"OverflowError", "ZeroDivisionError", "FloatingPointError"}


class _Form(Enum):
    """What kind of thing came back."""

    NUMBERS = auto()
    OVERFLOW = auto()
    OTHER = auto()


def name_mistake(lesson: Lesson, outcomes: Sequence[Outcome], verdicts: Sequence[Verdict]) -> LikelyMistake | None:
    """Find the known mistake that explains every case best. Outcomes and verdicts in the order of `lesson.calls`."""
    failing = [at for at, verdict in enumerate(verdicts) if not verdict.passed]
    if not failing or verdicts[failing[0]].kind in _NOTHING_TO_NAME:
        return None
    ranked = [(_agreement(lesson, each, outcomes, failing), each) for each in lesson.mistakes]
    best, mistake = max(ranked, key=lambda pair: pair[0], default=(0, None))
    return _say(lesson, mistake) if mistake is not None and best > 0 else None


def _agreement(lesson: Lesson, mistake: Mistake, outcomes: Sequence[Outcome], failing: Sequence[int]) -> int:
    """Count the failing cases in which both came to the same; 0 if the mistake does not explain a case."""
    known, passes = lesson.mistake_outcomes[mistake.name], lesson.mistake_passes[mistake.name]
    if any(passes[at] for at in failing):
        return 0
    failed = set(failing)
    if any(not passes[at] for at in range(len(outcomes)) if at not in failed):
        return 0
    if not all(_alike(outcomes[at], known[at]) for at in failing):
        return 0
    return sum(_the_same(outcomes[at], known[at]) for at in failing)


def _alike(got: Outcome, known: Outcome) -> bool:
    """Numbers must agree with numbers; overflow goes with overflow; anything that broke goes with anything."""
    forms = _form(got), _form(known)
    if forms == (_Form.NUMBERS, _Form.NUMBERS):
        return _equal(_numbers(got), _numbers(known))
    if _Form.OVERFLOW in forms:
        return forms[0] is forms[1]
    return forms[0] is _Form.OTHER


def _the_same(got: Outcome, known: Outcome) -> bool:
    """Tell whether two alike outcomes are evidence: the same numbers, both overflow, or the same error."""
    if _form(got) is not _form(known):
        return False
    if _form(got) is not _Form.OTHER:
        return True
    if isinstance(got, Raised) and isinstance(known, Raised):
        return got.error == known.error
    return isinstance(got, Answered) and got == known


def _form(outcome: Outcome) -> _Form:
    numbers = _numbers(outcome)
    if numbers is not None:
        return _Form.NUMBERS if all(map(math.isfinite, numbers.flat)) else _Form.OVERFLOW
    if isinstance(outcome, Raised) and outcome.error in _OVERFLOWS:
        return _Form.OVERFLOW
    return _Form.OTHER


def _numbers(outcome: Outcome) -> Numbers | None:
    if isinstance(outcome, Answered) and isinstance(outcome.value, Numbers):
        return outcome.value
    return None


def _equal(got: Numbers | None, known: Numbers | None) -> bool:
    if got is None or known is None or got.shape != known.shape:
        return False
    return all(abs(x - y) <= allowed(y) for x, y in zip(got.flat, known.flat, strict=True))


def _say(lesson: Lesson, mistake: Mistake) -> LikelyMistake:
    return LikelyMistake(mistake.name, mistake.advice, mistake.step, lesson.steps[mistake.step - 1])
