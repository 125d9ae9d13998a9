"""Lesson 07, layer_norm: the wrong solutions behind the known mistakes.

Each is layer norm that is wrong in one way: one of the four steps is replaced, the others are right.
"""

# ruff: noqa: D103  # the names say what each does

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Final

from autograder.lesson import Solve
from autograder.lessons.common_mistakes import (
    Matrix,
    Row,
    UFuncTypeError,
    flattened,
    in_32_bits,
    is_whole,
    mean_of,
    turned,
)

Centre = Callable[[Row], Row]  # one row -> the row without its mean
Variance = Callable[[Row, Row], float]  # the row without its mean, the row as it was
Divide = Callable[[Row, float, float], Row]  # the row without its mean, the variance, eps
Finish = Callable[[Row, Row, Row], Row]  # the standardised row, gain, bias

CUT: Final = 3
_NEARLY: Final = 0.01
USUAL_EPS: Final = 1e-5


def centre_row(row: Row) -> Row:
    return minus(mean_of(row))(row)


def minus(number: float) -> Centre:
    return lambda row: [each - number for each in row]


def squares_of(numbers: Row) -> Row:
    return [number * number for number in numbers]


def variance_of(centred: Row, _row: Row) -> float:
    return mean_of(squares_of(centred))


def _divide(centred: Row, variance: float, eps: float) -> Row:
    return _divided(centred, math.sqrt(variance + eps))


def _divided(numbers: Row, divisor: float) -> Row:
    return [number / divisor for number in numbers]


def finish_row(standardised: Row, gain: Row, bias: Row) -> Row:
    return [s * g + b for s, g, b in zip(standardised, gain, bias, strict=True)]


def normalise(  # noqa: PLR0913  # one argument per input and one per step
    X: Matrix,
    gain: Row,
    bias: Row,
    eps: float,
    *,
    centre: Centre = centre_row,
    variance: Variance = variance_of,
    divide: Divide = _divide,
    finish: Finish = finish_row,
) -> Matrix:
    """Compute layer norm with the four steps given: subtract the mean, find the variance, divide, finish."""
    output = []
    for row in X:
        centred = centre(row)
        output.append(finish(divide(centred, variance(centred, row), eps), gain, bias))
    return output


def divided_by(divisor: Callable[[float, float], float]) -> Solve:
    """Divide by something else made of variance and eps."""
    return partial(normalise, divide=lambda centred, variance, eps: _divided(centred, divisor(variance, eps)))


def scaled(finish: Callable[[float, float, float], float]) -> Solve:
    """Finish each number with something else made of it, its gain and its bias."""
    return partial(normalise, finish=lambda row, gain, bias: list(map(finish, row, gain, bias)))


def with_statistics(rows_of: Callable[[Matrix, int], Row]) -> Solve:
    """Take mean and variance from other numbers than the row's own."""

    def solve(X: Matrix, gain: Row, bias: Row, eps: float) -> Matrix:
        output = []
        for at, row in enumerate(X):
            numbers = rows_of(X, at)
            standardised = _divide(minus(mean_of(numbers))(row), variance_of(centre_row(numbers), numbers), eps)
            output.append(finish_row(standardised, gain, bias))
        return output

    return solve


def down_the_columns(X: Matrix, gain: Row, bias: Row, eps: float) -> Matrix:
    columns = [_divide(centre_row(column), variance_of(centre_row(column), column), eps) for column in turned(X)]
    return [finish_row(row, gain, bias) for row in turned(columns)]


def divided_by_the_rows(X: Matrix, gain: Row, bias: Row, eps: float) -> Matrix:
    """Divide the sum of a row by the number of rows, not by its own length."""

    def mean(numbers: Row) -> float:
        return sum(numbers) / len(X)

    return normalise(
        X,
        gain,
        bias,
        eps,
        centre=lambda row: minus(mean(row))(row),
        variance=lambda centred, _row: mean(squares_of(centred)),
    )


def one_variance(X: Matrix, gain: Row, bias: Row, eps: float) -> Matrix:
    numbers = flattened(X)
    variance = variance_of(centre_row(numbers), numbers)
    return normalise(X, gain, bias, eps, variance=lambda _centred, _row: variance)


def without_keepdims(X: Matrix, gain: Row, bias: Row, eps: float) -> Matrix:
    """Give column j the mean and variance of row j, as numpy does without `keepdims`; other sizes do not fit."""
    if len(X) == 1:
        return normalise(X, gain, bias, eps)
    if len(X[0]) not in {1, len(X)}:
        raise ValueError
    means = [mean_of(row) for row in X]
    roots = [math.sqrt(variance_of(centre_row(row), row) + eps) for row in X]
    wide = [row if len(row) == len(X) else row * len(X) for row in X]
    rows = [[(number - m) / root for number, m, root in zip(row, means, roots, strict=True)] for row in wide]
    return [
        finish_row(row, *(each if len(each) == len(row) else each * len(row) for each in (gain, bias))) for row in rows
    ]


def minus_a_moving_mean(row: Row) -> Row:
    moving = list(row)
    for at, number in enumerate(moving):
        moving[at] = number - mean_of(moving)
    return moving


def from_0_to_1(row: Row, eps: float) -> Row:
    return [(number - min(row)) / (max(row) - min(row) + eps) for number in row]


def gain_down_the_rows(X: Matrix, gain: Row, bias: Row, eps: float) -> Matrix:
    """Turn gain and bias into columns, as `gain[:, None]` does in numpy; it fits where there are d rows, or one."""
    if len(X) not in {1, len(gain)} and len(gain) > 1:
        raise ValueError
    rows = normalise(X, [1.0] * len(gain), [0.0] * len(bias), eps)
    rows = rows * len(gain) if len(rows) == 1 else rows
    columns = (each if len(each) == len(rows) else each * len(rows) for each in (gain, bias))
    return [[s * g + b for s in row] for row, g, b in zip(rows, *columns, strict=True)]


def gain_per_row(X: Matrix, gain: Row, bias: Row, eps: float) -> Matrix:
    rows = normalise(X, [1.0] * len(gain), [0.0] * len(bias), eps)
    width = len(gain)
    return [[s * gain[at % width] + bias[at % width] for s in row] for at, row in enumerate(rows)]


def gain_and_bias_first(X: Matrix, gain: Row, bias: Row, eps: float) -> Matrix:
    return normalise([finish_row(row, gain, bias) for row in X], [1.0] * len(gain), [0.0] * len(bias), eps)


def without_eps(centred: Row, variance: float, _eps: float) -> Row:
    return _divided(centred, math.sqrt(variance))


def nan_without_eps(centred: Row, variance: float, eps: float) -> Row:
    return without_eps(centred, variance, eps) if variance else [math.nan for _ in centred]


def zeros_without_eps(centred: Row, variance: float, eps: float) -> Row:
    return without_eps(centred, variance, eps) if variance else [0.0 for _ in centred]


def without_bias_where_equal(X: Matrix, gain: Row, bias: Row, eps: float) -> Matrix:
    rows = zip(X, normalise(X, gain, bias, eps), strict=True)
    return [normal if min(row) < max(row) else [0.0 for _ in row] for row, normal in rows]


def single_numbers_kept(X: Matrix, gain: Row, bias: Row, eps: float) -> Matrix:
    rows = zip(X, normalise(X, gain, bias, eps), strict=True)
    return [normal if len(row) > 1 else list(row) for row, normal in rows]


def eps_after(centred: Row, variance: float, eps: float) -> Row:
    return [number + eps for number in without_eps(centred, variance, eps)]


def eps_at_the_end(X: Matrix, gain: Row, bias: Row, eps: float) -> Matrix:
    return normalise(X, gain, [b + eps for b in bias], eps, divide=nan_without_eps)


def nearly_equal(centred: Row, variance: float, eps: float) -> Row:
    if max(centred) - min(centred) < _NEARLY:
        return [0.0 for _ in centred]
    return _divide(centred, variance, eps)


def raw_moments(_centred: Row, row: Row) -> float:
    return abs(mean_of(squares_of(row)) - mean_of(row) ** 2)


def sample_variance(centred: Row, _row: Row) -> float:
    return sum(squares_of(centred)) / (len(centred) - 1)


def sample_variance_in_numpy(centred: Row, row: Row) -> float:
    return sample_variance(centred, row) if len(row) > 1 else math.nan


def whole_centre(row: Row) -> Row:
    """Keep the differences in an array made like X: of whole numbers where X holds them."""
    whole = is_whole([row])
    return [int(number) if whole else number for number in centre_row(row)]


def centre_in_single(row: Row) -> Row:
    numbers = list(map(in_32_bits, row))
    total = 0.0
    for number in numbers:
        total = in_32_bits(total + number)
    mean = in_32_bits(total / len(numbers))
    return [in_32_bits(number - mean) for number in numbers]


def whole_in_place(X: Matrix, gain: Row, bias: Row, eps: float) -> Matrix:
    if is_whole(X):
        raise UFuncTypeError
    return normalise(X, gain, bias, eps)


def overwrites(X: Matrix, gain: Row, bias: Row, eps: float) -> Matrix:
    X[:] = normalise(X, gain, bias, eps)
    return X


def writes_into_the_gain(X: Matrix, gain: Row, bias: Row, eps: float) -> Matrix:
    rows = normalise(X, gain, bias, eps)
    gain[:] = rows[-1]
    return rows


def at_least(limit: float) -> Solve:
    return lambda X, gain, bias, eps: normalise(X, gain, bias, max(eps, limit))
