"""Lesson 02, softmax: the wrong solutions behind the known mistakes.

Each is softmax that is wrong in one way: one of the three steps is replaced, the others are right.
"""

# ruff: noqa: D103  # the names say what each does

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from autograder.lesson import Solve
from autograder.lessons.common_mistakes import LONG_LIMIT, Row, exps_of, shares_of

Step = Callable[[Row], Row]


def below_the_largest(scores: Row) -> Row:
    return _below(max(scores), scores)


def _below(top: float, scores: Row) -> Row:
    return [score - top for score in scores]


def powers_of(base: float) -> Step:
    return lambda shifted: [float(base**number) for number in shifted]


def as_it_is(numbers: Row) -> Row:
    return list(numbers)


def softmax(scores: Row, *, shift: Step = below_the_largest, power: Step = exps_of, share: Step = shares_of) -> Row:
    """Compute softmax with the three steps given."""
    return share(power(shift(scores)))


def shifted_by(top: Callable[[Row], float]) -> Solve:
    """Subtract another number than the largest score."""
    return partial(softmax, shift=lambda scores: _below(top(scores), scores))


def divided_by_the_largest(scores: Row) -> Row:
    return [score / max(scores) for score in scores]


def long_softmax(scores: Row) -> Row:
    """Do without the shift, as in numpy's longdouble, which overflows later."""
    if abs(max(scores)) > LONG_LIMIT:
        return [math.nan for _ in scores]
    return softmax(scores)


def best_only(scores: Row) -> Row:
    return [float(score == max(scores)) for score in scores]


def best_on_overflow(scores: Row) -> Row:
    try:
        return softmax(scores, shift=as_it_is)
    except (OverflowError, ZeroDivisionError):
        return best_only(scores)


def sum_without_shift(scores: Row) -> Row:
    total = sum(exps_of(scores))
    return [e / total for e in exps_of(below_the_largest(scores))]


def e_to_the_sum(scores: Row) -> Row:
    return [math.exp(score) / math.exp(sum(scores)) for score in scores]


def log_shares(exps: Row) -> Row:
    log_total = math.log(sum(exps))
    return [(math.log(e) if e else -math.inf) - log_total for e in exps]


def log_softmax(scores: Row) -> Row:
    """Compute the logarithms from the shifted scores, so that none is minus infinity."""
    shifted = below_the_largest(scores)
    log_total = math.log(sum(exps_of(shifted)))
    return [number - log_total for number in shifted]


def largest_counts_once(exps: Row) -> Row:
    total = 1 + sum(e for e in exps if e < 1)
    return [e / total for e in exps]


def length_one(exps: Row) -> Row:
    length = math.hypot(*exps)
    return [e / length for e in exps]


def sorts_the_input(scores: Row) -> Row:
    before = list(scores)
    scores.sort()
    return [e / sum(exps_of(_below(scores[-1], scores))) for e in exps_of(_below(scores[-1], before))]


def writes_into_the_input(scores: Row) -> Row:
    scores[:] = exps_of(below_the_largest(scores))
    return shares_of(scores)
