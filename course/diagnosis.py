"""Find the known mistake whose numbers a wrong submission gives, without looking at its code.

A known mistake fits if it fails where the submission fails, passes where it passes, and gives the same numbers where
both give numbers. Lists and numpy break in different ways (an error here, nan or wrong numbers there), so where one of
them has no numbers the other only has to fail too, if they agree elsewhere. Of many cases a few may speak against it:
styles differ.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, Self

from course.compare import Kind, Verdict, allowed, compare
from course.outcomes import Answered, Outcome, Raised, numbers_of
from course.values import Numbers

_NOTHING_TO_NAME: Final = {Kind.MISSING, Kind.NOT_WRITTEN, Kind.NO_RETURN}
_MANY: Final = 20  # so many right answers in the very same cases tell as much as a number does
_USUAL: Final = {"IndexError", "TypeError", "NameError", "KeyError", "AttributeError", "ZeroDivisionError"}
_ROOM: Final = 0.1  # this share of the failing cases may speak against a mistake that explains the others
_HALF: Final = 0.5  # in this share of many cases both must come to the same
_OVERFLOWS: Final = {"OverflowError", "ZeroDivisionError", "FloatingPointError"}


@dataclass(frozen=True)
class Known:
    """What a known mistake comes to in each case, and whether that passes."""

    outcomes: tuple[Outcome, ...]
    passes: tuple[bool, ...]

    @classmethod
    def of(cls, outcomes: Iterable[Outcome], wanted: Iterable[Numbers]) -> Self:
        """Hold what a mistake comes to against the right answers, case by case."""
        kept = tuple(outcomes)
        return cls(kept, tuple(compare(each, want).passed for each, want in zip(kept, wanted, strict=True)))


class _Form(Enum):
    """What kind of thing came back."""

    NUMBERS = auto()
    OVERFLOW = auto()
    OTHER = auto()


class _Evidence(Enum):
    """How much two wrong outcomes that go together tell."""

    NONE = auto()
    WEAK = auto()
    STRONG = auto()


def find_mistake(known: Sequence[Known], outcomes: Sequence[Outcome], verdicts: Sequence[Verdict]) -> int | None:
    """Return the place of the known mistake that explains every case best; None if none does.

    All have their cases in the same order. Of two that explain as much, the first counts.
    """
    failing = [at for at, verdict in enumerate(verdicts) if not verdict.passed]
    if not failing or verdicts[failing[0]].kind in _NOTHING_TO_NAME:
        return None
    best, place = 0, None
    for at, each in enumerate(known):
        agreement = _agreement(each, outcomes, failing)
        if agreement > best:
            best, place = agreement, at
    return place


def sum_up(outcomes: Iterable[Outcome]) -> Numbers | None:
    """Return one number that tells answers apart: all their numbers added up, each times the root of its place.

    None where an outcome is not numbers, or one of them is not finite.
    """
    answers = list(map(numbers_of, outcomes))
    flat = [number for answer in answers if answer is not None for number in answer.flat]
    if None in answers or not all(map(math.isfinite, flat)):
        return None
    return Numbers((), (sum(math.sqrt(at) * number for at, number in enumerate(flat, start=1)),))


def _agreement(known: Known, outcomes: Sequence[Outcome], failing: Sequence[int]) -> int:
    """Count the failing cases in which both came to the same; 0 if too many cases speak against the mistake."""
    against = 0
    room, few = len(failing) * _ROOM, len(outcomes) < _MANY
    failed = set(failing)
    for at, passes in enumerate(known.passes[: len(outcomes)]):
        if passes is (at in failed) or (not passes and _differ(outcomes[at], known.outcomes[at], few=few)):
            against += 1
            if against > room:
                return 0
    evidence = [_evidence(outcomes[at], known.outcomes[at]) for at in failing if not known.passes[at]]
    same = sum(each is not _Evidence.NONE for each in evidence)
    right = len(outcomes) - len(failing)
    if not few and right < _MANY and same < len(failing) * _HALF:
        return 0
    certain = _Evidence.STRONG in evidence or (not against and right >= _MANY)
    return same - against if certain and against <= same * _ROOM else 0


def _differ(got: Outcome, known: Outcome, *, few: bool) -> bool:
    """Tell whether two wrong outcomes speak against each other: both are finite numbers, and not the same ones.

    Where there are few cases, also finite numbers where the mistake has none.
    """
    forms = _form(got), _form(known)
    if forms == (_Form.NUMBERS, _Form.NUMBERS):
        return not _equal(numbers_of(got), numbers_of(known))
    return few and forms[0] is _Form.NUMBERS


def _evidence(got: Outcome, known: Outcome) -> _Evidence:
    """Weigh two wrong outcomes. The same numbers are strong; an error that any wrong code may raise is weak."""
    numbers = numbers_of(got), numbers_of(known)
    if None not in numbers:
        return _Evidence.STRONG if _equal(*numbers) else _Evidence.NONE
    forms = _form(got), _form(known)
    if forms == (_Form.OVERFLOW, _Form.OVERFLOW):
        divided = [each for each in (got, known) if isinstance(each, Raised) and each.error == "ZeroDivisionError"]
        return _Evidence.WEAK if divided else _Evidence.STRONG
    if isinstance(got, Raised) and isinstance(known, Raised) and got.error == known.error:
        told = got.message == known.message and not _says_little(got)
        return _Evidence.STRONG if told else _Evidence.WEAK
    return _Evidence.STRONG if isinstance(got, Answered) and got == known else _Evidence.NONE


def _says_little(error: Raised) -> bool:
    """Tell whether many different mistakes end in this very error."""
    return not error.message or error.error in _USUAL


def _form(outcome: Outcome) -> _Form:
    numbers = numbers_of(outcome)
    if numbers is not None:
        return _Form.NUMBERS if all(map(math.isfinite, numbers.flat)) else _Form.OVERFLOW
    if isinstance(outcome, Raised) and outcome.error in _OVERFLOWS:
        return _Form.OVERFLOW
    return _Form.OTHER


def _equal(got: Numbers | None, known: Numbers | None) -> bool:
    if got is None or known is None or got.shape != known.shape:
        return False
    return all(map(_near, got.flat, known.flat))


def _near(got: float, known: float) -> bool:
    """Tell whether two numbers are the same: nan is the same as nan here."""
    if math.isfinite(known):
        return abs(got - known) <= allowed(known)
    return got == known or (math.isnan(got) and math.isnan(known))
