"""What the known mistakes of several lessons share: no lesson, and nothing that a lesson must have.

At the top stand the mistakes that any function can make: it changes a right answer, or gives an old one again. Then
come the numbers and tables that go wrong in the same way in several lessons, some of them only in numpy.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from itertools import accumulate
from operator import add
from typing import Any, Final

from autograder.lesson import Solve

Row = list[float]
Matrix = list[Row]

EXP_LIMIT: Final = 700  # a little below the largest number that `math.exp` can take
LONG_LIMIT: Final = 11356  # above it, exp overflows in numpy's longdouble too


class UFuncTypeError(TypeError):
    """What numpy raises where an array of whole numbers cannot take decimals."""


# Any function


def changing(solve: Solve, change: Callable[[Any], object]) -> Solve:
    """Compute the right answer and then hand back something else."""
    return lambda *inputs: change(solve(*inputs))


def alone(solve: Solve, **parts: Any) -> Solve:  # noqa: ANN401  # parts of `solve`
    """Replace parts in a mistake that is told only where it is the only one: it is not combined with any other."""
    return lambda *inputs: solve(*inputs, **parts)


def remembering(solve: Solve, look: Callable[..., object]) -> Solve:
    """Give the last answer again as long as `look` sees the same of the inputs."""
    last: dict[str, object] = {}

    def solve_or_remember(*inputs: object) -> object:
        seen = repr(look(*inputs))
        if seen not in last:
            last.clear()
            last[seen] = solve(*inputs)
        return last[seen]

    return solve_or_remember


def looked_up(solve: Callable[..., Matrix]) -> Solve:
    """Find the place of a row by its numbers, so that an equal row has the place of the first one."""

    def solve_and_look_up(X: Matrix, *others: object) -> Matrix:
        answer = solve(X, *others)
        return [answer[X.index(row)] for row in X]

    return solve_and_look_up


# The shape of an answer


def turned(table: Matrix) -> Matrix:
    """Make rows of the columns."""
    return [list(column) for column in zip(*table, strict=True)]


def flattened(table: Matrix) -> Row:
    """Put all numbers into one list."""
    return [number for row in table for number in row]


def one_row_flat(rows: Matrix) -> Matrix | Row:
    """Lose the outer list where it holds one row."""
    return rows[0] if len(rows) == 1 else rows


def one_column_flat(rows: Matrix) -> Matrix | Row:
    """Lose the inner lists where each holds one number."""
    return [row[0] for row in rows] if len(rows[0]) == 1 else rows


def squeezed(rows: Matrix) -> Matrix | Row | float:
    """Drop every axis of length 1, as np.squeeze does."""
    if len(rows[0]) == 1:
        return rows[0][0] if len(rows) == 1 else one_column_flat(rows)
    return one_row_flat(rows)


# The numbers of an answer


def rounded(digits: int) -> Callable[[Matrix], Matrix]:
    """Cut every number to so many decimals."""
    return lambda rows: [[round(number, digits) for number in row] for row in rows]


def in_32_bits(number: float) -> float:
    """Round to 32 bits."""
    short: float = struct.unpack("f", struct.pack("f", number))[0]
    return short


def is_whole(table: Matrix) -> bool:
    """Tell whether numpy makes an array of whole numbers from this table."""
    return all(isinstance(number, int) for row in table for number in row)


def whole_like(table: Matrix, rows: Matrix) -> Matrix:
    """Put the rows into an array made like `table`, which cuts decimals off where it holds whole numbers only."""
    return [list(map(int, row)) for row in rows] if is_whole(table) else rows


# Sums


def mean_of(numbers: Row) -> float:
    """Divide the sum by how many numbers there are."""
    return sum(numbers) / len(numbers)


def pair_sums(row: Row, other: Row) -> Row:
    """Add two rows number by number."""
    return list(map(add, row, other))


def running_sums(rows: Matrix) -> Matrix:
    """Add to each row the rows before it, as a row does that is not emptied."""
    return list(accumulate(rows, pair_sums))


def identity(size: int) -> Matrix:
    """Make the table that changes nothing in a product."""
    return [[float(i == j) for j in range(size)] for i in range(size)]


# Softmax, right and wrong


def exps_of(scores: Row, top: float = 0.0) -> Row:
    """Raise e to each score, after `top` is subtracted."""
    return [math.exp(score - top) for score in scores]


def exps_of_exps(scores: Row, top: float = 0.0) -> Row:
    """Raise e to what e raised to the scores came to."""
    return exps_of(exps_of(scores, top))


def shares_of(parts: Row) -> Row:
    """Divide each part by the sum of all."""
    total = sum(parts)
    return [part / total for part in parts]


def softmax_of(scores: Row) -> Row:
    """Compute softmax; a score of minus infinity gets no weight."""
    return shares_of(exps_of(scores, max(scores)))


def sigmoid_of(score: float) -> float:
    """Compute a sigmoid, which looks at one score alone."""
    return 1 / (1 + math.exp(-score)) if score > -EXP_LIMIT else 0.0


def best_only(scores: Row) -> Row:
    """Give all the weight to the first of the largest scores."""
    best = scores.index(max(scores))
    return [float(j == best) for j in range(len(scores))]


def best_on_overflow(scores: Row) -> Row:
    """Do without the shift, and where that fails give all the weight to one score."""
    try:
        return shares_of(exps_of(scores))
    except (OverflowError, ZeroDivisionError):
        return best_only(scores)


def one_top(table: Matrix) -> Matrix:
    """Subtract the largest score of the whole table, so that a row far below it loses its weights."""
    top = max(map(max, table))
    return [shares_of(exps_of(row, top)) for row in table]


def over_everything(table: Matrix) -> Matrix:
    """Compute one softmax over all scores of the table."""
    shares, width = softmax_of(flattened(table)), len(table[0])
    return [shares[at : at + width] for at in range(0, len(shares), width)]


def down_the_columns(table: Matrix) -> Matrix:
    """Compute softmax along each column; one that is hidden from every query gets no weight."""
    columns = turned(table)
    return turned([softmax_of(column) if max(column) > -math.inf else [0.0] * len(column) for column in columns])


def sums_of_columns(table: Matrix) -> Matrix:
    """Divide each number by the sum of its column, as numpy does with `axis=0`."""
    exps = [exps_of(row, max(row)) for row in table]
    return turned([shares_of(column) for column in turned(exps)])


def tops_of_columns(table: Matrix) -> Matrix:
    """Subtract the largest score of each column, as numpy does with `axis=0`."""
    tops = [max(column) for column in turned(table)]
    return [shares_of([math.exp(s - top) for s, top in zip(row, tops, strict=True)]) for row in table]


def sums_of_other_rows(table: Matrix) -> Matrix:
    """Divide column j by the sum of row j, as numpy does without `keepdims`; only a square table lets it."""
    exps = [exps_of(row, max(row)) for row in table]
    return [[e / sum(other) for e, other in zip(row, exps, strict=True)] for row in exps]
