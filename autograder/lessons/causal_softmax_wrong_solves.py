"""Lesson 08, causal_softmax: the wrong solutions behind the known mistakes.

Each is the causal softmax that is wrong in one way: one of its parts is replaced, the others are right.
"""

# ruff: noqa: D103  # the names say what each does

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

from autograder.lesson import Solve
from autograder.lessons.common_mistakes import LONG_LIMIT, Matrix, Row, exps_of, is_whole, shares_of

Visible = Callable[[int, int, Row], Sequence[int]]  # query number, keys minus queries, its scores -> key numbers
Weigh = Callable[[Row], Row]  # the scores of one query; a hidden one is minus infinity
After = Callable[[Row, list[bool]], object]  # the weights of one query, and which of its keys are visible

HIDDEN: Final = -math.inf


def _visible(i: int, more: int, _row: Row) -> Sequence[int]:
    return range(i + more + 1)


def later(i: int, more: int, row: Row) -> Sequence[int]:
    return range(i + more + 1, len(row))


def every_key(_i: int, _more: int, row: Row) -> Sequence[int]:
    return range(len(row))


def _hide(_score: float) -> float:
    return HIDDEN


def keep(number: float) -> float:
    return number


def softmax_of_open(scores: Row) -> Row:
    return shares_of(exps_of(scores, largest_of(scores)))


def largest_of(scores: Row) -> float:
    return max(open_scores(scores))


def open_scores(scores: Row) -> Row:
    return [score for score in scores if score != HIDDEN]


def _exp_in_arrays(number: float) -> float:
    """Give inf where `exp` overflows, as numpy does."""
    try:
        return math.exp(number)
    except OverflowError:
        return math.inf


def _divide_in_arrays(part: float, total: float) -> float:
    """Divide by 0 as numpy does: 0 / 0 is nan, everything else is inf."""
    if total:
        return part / total
    return math.inf if part > 0 else math.nan


def shares_in_arrays(scores: Row, top: float = 0.0) -> Row:
    exps = [_exp_in_arrays(score - top) for score in scores]
    return [_divide_in_arrays(e, sum(exps)) for e in exps]


def _as_it_is(weights: Row, _seen: list[bool]) -> object:
    return weights


def mask_and_weigh(
    scores: Matrix,
    *,
    visible: Visible = _visible,
    hide: Callable[[float], float] = _hide,
    weigh: Weigh = softmax_of_open,
    after: After = _as_it_is,
) -> list[object]:
    """Choose the keys of each query, hide the other scores, weigh the row, and do something with the weights."""
    rows = []
    for i, row in enumerate(scores):
        chosen = set(visible(i, len(row) - len(scores), row))
        seen = [j in chosen for j in range(len(row))]
        rows.append(after(weigh([s if see else hide(s) for s, see in zip(row, seen, strict=True)]), seen))
    return rows


def right_weights(scores: Matrix) -> Matrix:
    return [[float(weight) for weight in row] for row in mask_and_weigh(scores)]  # type: ignore[attr-defined]


def zeroed(weights: Row, seen: list[bool]) -> Row:
    return [weight if see else 0.0 for weight, see in zip(weights, seen, strict=True)]


def zeroed_and_shared(weights: Row, seen: list[bool]) -> Row:
    return shares_of(zeroed(weights, seen))


def softmax_in_arrays(scores: Row) -> Row:
    """Give a query without any key nan, as numpy does; lists stop with an error."""
    return softmax_of_open(scores) if open_scores(scores) else [math.nan for _ in scores]


def tabled(weigh: Callable[[Matrix], Matrix]) -> Solve:
    """Weigh the whole table at once; a hidden score is minus infinity there."""

    def solve(scores: Matrix) -> Matrix:
        more = len(scores[0]) - len(scores)
        return weigh([[s if j <= i + more else HIDDEN for j, s in enumerate(row)] for i, row in enumerate(scores)])

    return solve


def without_keepdims(*, tops: bool, sums: bool) -> Solve:
    """Let column j meet the largest score of row j, or its sum, as numpy does without `keepdims`."""

    def weigh(table: Matrix) -> Matrix:
        largest = _lined_up([largest_of(row) for row in table], table, turned=tops)
        exps = [
            [_exp_in_arrays(s - top) for s, top in zip(*rows, strict=True)] for rows in zip(table, largest, strict=True)
        ]
        totals = _lined_up([sum(row) for row in exps], table, turned=sums)
        return [list(map(_divide_in_arrays, *rows)) for rows in zip(exps, totals, strict=True)]

    return tabled(weigh)


def _lined_up(numbers: Row, table: Matrix, *, turned: bool) -> Matrix:
    """Give each place of the table its number: that of its row, or `turned`, that of its column if there is one."""
    height, width = len(table), len(table[0])
    if not turned:
        return [[number] * width for number in numbers]
    if height not in {1, width}:
        message = f"operands could not be broadcast together with shapes ({height},{width}) ({height},) "
        raise ValueError(message)
    return [numbers * width if height == 1 else numbers] * height


def top_of_the_row(scores: Matrix, shares: Callable[[Row, float], Row], top: Callable[[Row], float]) -> list[object]:
    """Subtract `top` of the whole row, also of hidden keys."""
    more = len(scores[0]) - len(scores)
    rows = ((row, row[: i + more + 1]) for i, row in enumerate(scores))
    return [shares(seen, top(row)) + [0.0] * (len(row) - len(seen)) for row, seen in rows]


def shares_in_lists(scores: Row, top: float) -> Row:
    return shares_of(exps_of(scores, top))


def top_of_the_table(shares: Callable[[Row, float], Row]) -> Solve:
    return lambda scores: top_of_the_row(scores, shares, lambda _row: max(map(max, scores)))


def infinity_in_whole_numbers(scores: Matrix) -> list[object]:
    """Write minus infinity into an array of whole numbers, which cannot hold it."""
    if is_whole(scores):
        message = "cannot convert float infinity to integer"
        raise OverflowError(message)
    return mask_and_weigh(scores)


def turned_difference(i: int, more: int, row: Row) -> Sequence[int]:
    """Count with queries - keys. A slice with a number below 0 counts from the end."""
    return range(len(row))[: i - more + 1]


def turned_difference_too_long(scores: Matrix) -> Matrix:
    """Put as many zeros behind the weights as the same wrong number says."""
    more, rows = len(scores[0]) - len(scores), []
    for i, row in enumerate(scores):
        count = i - more + 1
        rows.append(softmax_of_open(row[:count]) + [0.0] * (len(row) - count))
    return rows


def zeros_without_keys(scores: Row) -> Row:
    """Leave a query without any key at 0."""
    return softmax_of_open(scores) if open_scores(scores) else [0.0 for _ in scores]


def shifted_by(top: Callable[[Row], float]) -> Weigh:
    return lambda scores: shares_of(exps_of(scores, top(scores)))


def long_softmax(scores: Row) -> Row:
    """Do without the shift, as in numpy's longdouble, which overflows later."""
    return [math.nan for _ in scores] if abs(largest_of(scores)) > LONG_LIMIT else softmax_of_open(scores)


def even(scores: Row) -> Row:
    return shares_of([float(score != HIDDEN) for score in scores])


def scores_as_parts(scores: Row) -> Row:
    return shares_of([0.0 if score == HIDDEN else score for score in scores])


def log_shares(scores: Row) -> Row:
    total = sum(exps_of(scores, largest_of(scores)))
    return [0.0 if score == HIDDEN else score - largest_of(scores) - math.log(total) for score in scores]


def rounded_scores(scores: Row) -> Row:
    return softmax_of_open([round(score, 3) for score in scores])


def first_row_with_these_scores(scores: Matrix) -> list[object]:
    """Look up the number of a row by its scores: two equal rows get the number of the first one."""
    numbers = [scores.index(row) for row in scores]
    return mask_and_weigh(scores, visible=lambda i, more, _row: range(numbers[i] + more + 1))


def weights_into_the_input(scores: Matrix) -> Matrix:
    for row, weights in zip(scores, right_weights(scores), strict=True):
        row[:] = weights
    return [list(row) for row in scores]


def removes_later_keys(scores: Matrix) -> Matrix:
    rows = right_weights(scores)
    for i, row in enumerate(scores):
        del row[len(row) - len(scores) + i + 1 :]
    return rows


def keeping_the_mask() -> Solve:
    """Make a new mask only when the number of queries is another one."""
    last: dict[int, int] = {}

    def solve(scores: Matrix) -> list[object]:
        if len(scores) not in last:
            last.clear()
            last[len(scores)] = len(scores[0]) - len(scores)
        more = last[len(scores)]
        return mask_and_weigh(scores, visible=lambda i, _more, row: range(min(i + more + 1, len(row))))

    return solve
