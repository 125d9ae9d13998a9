"""Lesson 07, layer_norm: the known mistakes.

Each is layer norm that is wrong in one way: one of the four steps is replaced, the others are right.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from functools import partial
from itertools import accumulate
from operator import add
from statistics import median
from typing import Final

from autograder.lesson import Mistake, Solve

Row = list[float]
Matrix = list[Row]
Centre = Callable[[Row], Row]  # one row -> the row without its mean
Variance = Callable[[Row, Row], float]  # the row without its mean, the row as it was
Divide = Callable[[Row, float, float], Row]  # the row without its mean, the variance, eps
Finish = Callable[[Row, Row, Row], Row]  # the standardised row, gain, bias

_CUT: Final = 3
_NEARLY: Final = 0.01
_USUAL_EPS: Final = 1e-5


class UFuncTypeError(TypeError):
    """What numpy raises where an array of whole numbers cannot take decimals."""


def _mean(numbers: Row) -> float:
    return sum(numbers) / len(numbers)


def _centre(row: Row) -> Row:
    return _minus(_mean(row))(row)


def _minus(number: float) -> Centre:
    return lambda row: [each - number for each in row]


def _squares(numbers: Row) -> Row:
    return [number * number for number in numbers]


def _variance(centred: Row, _row: Row) -> float:
    return _mean(_squares(centred))


def _divide(centred: Row, variance: float, eps: float) -> Row:
    return _divided(centred, math.sqrt(variance + eps))


def _divided(numbers: Row, divisor: float) -> Row:
    return [number / divisor for number in numbers]


def _finish(standardised: Row, gain: Row, bias: Row) -> Row:
    return [s * g + b for s, g, b in zip(standardised, gain, bias, strict=True)]


def normalise(  # noqa: PLR0913  # one argument per input and one per step
    X: Matrix,
    gain: Row,
    bias: Row,
    eps: float,
    *,
    centre: Centre = _centre,
    variance: Variance = _variance,
    divide: Divide = _divide,
    finish: Finish = _finish,
) -> Matrix:
    """Compute layer norm with the four steps given: subtract the mean, find the variance, divide, finish."""
    output = []
    for row in X:
        centred = centre(row)
        output.append(finish(divide(centred, variance(centred, row), eps), gain, bias))
    return output


def _root(divisor: Callable[[float, float], float]) -> Solve:
    """Divide by something else made of variance and eps."""
    return partial(normalise, divide=lambda centred, variance, eps: _divided(centred, divisor(variance, eps)))


def _scaled(finish: Callable[[float, float, float], float]) -> Solve:
    """Finish each number with something else made of it, its gain and its bias."""
    return partial(normalise, finish=lambda row, gain, bias: list(map(finish, row, gain, bias)))


def _with_statistics(rows_of: Callable[[Matrix, int], Row]) -> Solve:
    """Take mean and variance from other numbers than the row's own."""

    def solve(X: Matrix, gain: Row, bias: Row, eps: float) -> Matrix:
        output = []
        for at, row in enumerate(X):
            numbers = rows_of(X, at)
            standardised = _divide(_minus(_mean(numbers))(row), _variance(_centre(numbers), numbers), eps)
            output.append(_finish(standardised, gain, bias))
        return output

    return solve


def _down_the_columns(X: Matrix, gain: Row, bias: Row, eps: float) -> Matrix:
    columns = [_divide(_centre(column), _variance(_centre(column), column), eps) for column in _turned(X)]
    return [_finish(row, gain, bias) for row in _turned(columns)]


def _divided_by_the_rows(X: Matrix, gain: Row, bias: Row, eps: float) -> Matrix:
    """Divide the sum of a row by the number of rows, not by its own length."""

    def mean(numbers: Row) -> float:
        return sum(numbers) / len(X)

    return normalise(
        X,
        gain,
        bias,
        eps,
        centre=lambda row: _minus(mean(row))(row),
        variance=lambda centred, _row: mean(_squares(centred)),
    )


def _one_variance(X: Matrix, gain: Row, bias: Row, eps: float) -> Matrix:
    numbers = [number for row in X for number in row]
    variance = _variance(_centre(numbers), numbers)
    return normalise(X, gain, bias, eps, variance=lambda _centred, _row: variance)


def _without_keepdims(X: Matrix, gain: Row, bias: Row, eps: float) -> Matrix:
    """Give column j the mean and variance of row j, as numpy does without `keepdims`; other sizes do not fit."""
    if len(X) == 1:
        return normalise(X, gain, bias, eps)
    if len(X[0]) not in {1, len(X)}:
        raise ValueError
    means = [_mean(row) for row in X]
    roots = [math.sqrt(_variance(_centre(row), row) + eps) for row in X]
    wide = [row if len(row) == len(X) else row * len(X) for row in X]
    rows = [[(number - m) / root for number, m, root in zip(row, means, roots, strict=True)] for row in wide]
    return [
        _finish(row, *(each if len(each) == len(row) else each * len(row) for each in (gain, bias))) for row in rows
    ]


def _moving(row: Row) -> Row:
    moving = list(row)
    for at, number in enumerate(moving):
        moving[at] = number - _mean(moving)
    return moving


def _from_0_to_1(row: Row, eps: float) -> Row:
    return [(number - min(row)) / (max(row) - min(row) + eps) for number in row]


def _gain_down_the_rows(X: Matrix, gain: Row, bias: Row, eps: float) -> Matrix:
    """Turn gain and bias into columns, as `gain[:, None]` does in numpy; it fits where there are d rows, or one."""
    if len(X) not in {1, len(gain)} and len(gain) > 1:
        raise ValueError
    rows = normalise(X, [1.0] * len(gain), [0.0] * len(bias), eps)
    rows = rows * len(gain) if len(rows) == 1 else rows
    columns = (each if len(each) == len(rows) else each * len(rows) for each in (gain, bias))
    return [[s * g + b for s in row] for row, g, b in zip(rows, *columns, strict=True)]


def _gain_per_row(X: Matrix, gain: Row, bias: Row, eps: float) -> Matrix:
    rows = normalise(X, [1.0] * len(gain), [0.0] * len(bias), eps)
    width = len(gain)
    return [[s * gain[at % width] + bias[at % width] for s in row] for at, row in enumerate(rows)]


def _gain_and_bias_first(X: Matrix, gain: Row, bias: Row, eps: float) -> Matrix:
    return normalise([_finish(row, gain, bias) for row in X], [1.0] * len(gain), [0.0] * len(bias), eps)


def _without_eps(centred: Row, variance: float, _eps: float) -> Row:
    return _divided(centred, math.sqrt(variance))


def _nan_without_eps(centred: Row, variance: float, eps: float) -> Row:
    return _without_eps(centred, variance, eps) if variance else [math.nan for _ in centred]


def _zeros_without_eps(centred: Row, variance: float, eps: float) -> Row:
    return _without_eps(centred, variance, eps) if variance else [0.0 for _ in centred]


def _without_bias_where_equal(X: Matrix, gain: Row, bias: Row, eps: float) -> Matrix:
    rows = zip(X, normalise(X, gain, bias, eps), strict=True)
    return [normal if min(row) < max(row) else [0.0 for _ in row] for row, normal in rows]


def _single_numbers_kept(X: Matrix, gain: Row, bias: Row, eps: float) -> Matrix:
    rows = zip(X, normalise(X, gain, bias, eps), strict=True)
    return [normal if len(row) > 1 else list(row) for row, normal in rows]


def _eps_after(centred: Row, variance: float, eps: float) -> Row:
    return [number + eps for number in _without_eps(centred, variance, eps)]


def _eps_at_the_end(X: Matrix, gain: Row, bias: Row, eps: float) -> Matrix:
    return normalise(X, gain, [b + eps for b in bias], eps, divide=_nan_without_eps)


def _nearly_equal(centred: Row, variance: float, eps: float) -> Row:
    if max(centred) - min(centred) < _NEARLY:
        return [0.0 for _ in centred]
    return _divide(centred, variance, eps)


def _raw_moments(_centred: Row, row: Row) -> float:
    return abs(_mean(_squares(row)) - _mean(row) ** 2)


def _sample_variance(centred: Row, _row: Row) -> float:
    return sum(_squares(centred)) / (len(centred) - 1)


def _sample_variance_in_numpy(centred: Row, row: Row) -> float:
    return _sample_variance(centred, row) if len(row) > 1 else math.nan


def _whole_centre(row: Row) -> Row:
    """Keep the differences in an array made like X: of whole numbers where X holds them."""
    whole = all(isinstance(number, int) for number in row)
    return [int(number) if whole else number for number in _centre(row)]


def _single(number: float) -> float:
    """Round to 32 bits."""
    rounded: float = struct.unpack("f", struct.pack("f", number))[0]
    return rounded


def _centre_in_single(row: Row) -> Row:
    numbers = list(map(_single, row))
    total = 0.0
    for number in numbers:
        total = _single(total + number)
    mean = _single(total / len(numbers))
    return [_single(number - mean) for number in numbers]


def _changing(change: Callable[[Matrix], object]) -> Solve:
    """Compute the right rows and then hand back something else."""
    return lambda *arguments: change(normalise(*arguments))


def _whole_like_x(X: Matrix, gain: Row, bias: Row, eps: float) -> Matrix:
    whole = all(isinstance(number, int) for row in X for number in row)
    return [[int(number) if whole else number for number in row] for row in normalise(X, gain, bias, eps)]


def _whole_in_place(X: Matrix, gain: Row, bias: Row, eps: float) -> Matrix:
    if all(isinstance(number, int) for row in X for number in row):
        raise UFuncTypeError
    return normalise(X, gain, bias, eps)


def _rounded(decimals: int) -> Callable[[Matrix], Matrix]:
    return lambda rows: [[round(number, decimals) for number in row] for row in rows]


def _turned(rows: Matrix) -> Matrix:
    return [list(column) for column in zip(*rows, strict=True)]


def _one_column_flat(rows: Matrix) -> object:
    return [row[0] for row in rows] if len(rows[0]) == 1 else rows


def _overwrites(X: Matrix, gain: Row, bias: Row, eps: float) -> Matrix:
    X[:] = normalise(X, gain, bias, eps)
    return X


def _writes_into_the_gain(X: Matrix, gain: Row, bias: Row, eps: float) -> Matrix:
    rows = normalise(X, gain, bias, eps)
    gain[:] = rows[-1]
    return rows


def _remembering(look: Callable[[Matrix, Row, Row, float], object]) -> Solve:
    """Give the last answer again where what `look` sees of the inputs is the same."""
    last: dict[str, Matrix] = {}

    def solve(X: Matrix, gain: Row, bias: Row, eps: float) -> Matrix:
        key = repr(look(X, gain, bias, eps))
        if key not in last:
            last.clear()
            last[key] = normalise(X, gain, bias, eps)
        return last[key]

    return solve


def _at_least(limit: float) -> Solve:
    return lambda X, gain, bias, eps: normalise(X, gain, bias, max(eps, limit))


MISTAKES: Final[tuple[Mistake, ...]] = (
    # Step 1: the mean
    Mistake(
        "each column is normalised",
        "Mean and variance run down the columns, over the tokens. Take them along each row: one token alone.",
        1,
        _down_the_columns,
    ),
    Mistake(
        "one mean and variance for the whole table",
        "All rows share one mean and one variance. Each row needs its own: in numpy axis=1 with keepdims=True.",
        1,
        _with_statistics(lambda X, _at: [number for row in X for number in row]),
    ),
    Mistake(
        "the first row's mean and variance for all",
        "Every row is normalised with the numbers of row 0. Compute mean and variance inside the loop.",
        1,
        _with_statistics(lambda X, _at: X[0]),
    ),
    Mistake(
        "one variance for the whole table",
        "Each row has its own mean, but all share one variance. In numpy var needs axis=1 and keepdims=True too.",
        2,
        _one_variance,
    ),
    Mistake(
        "means line up with the columns",
        "numpy lines the means of the rows up with the columns. Use keepdims=True in mean and in var.",
        1,
        _without_keepdims,
    ),
    Mistake(
        "the mean moves while the row changes",
        "You write into the row while you still take its mean. Compute the mean once, before the loop.",
        1,
        lambda X, gain, bias, eps: normalise([_moving(row) for row in X], gain, bias, eps, centre=list),
    ),
    Mistake(
        "scaled to the range from 0 to 1",
        "Smallest and largest become 0 and 1. Layer norm needs the mean and the variance of the row instead.",
        1,
        lambda X, gain, bias, eps: [_finish(_from_0_to_1(row, eps), gain, bias) for row in X],
    ),
    Mistake(
        "the rows before it count too",
        "Mean and variance of a row hold the rows above it as well. Start again at 0 for each row.",
        1,
        _with_statistics(lambda X, at: [number for row in X[: at + 1] for number in row]),
    ),
    Mistake(
        "the mean is not subtracted",
        "The row is only divided, so its mean is not 0. Subtract the mean from each number first.",
        1,
        partial(
            normalise,
            centre=list,
            variance=lambda _centred, row: _variance(_centre(row), row),
        ),
    ),
    Mistake(
        "no mean at all",
        "This is RMS norm: the squares are those of the row itself. Subtract the mean before you square.",
        1,
        partial(normalise, centre=list),
    ),
    Mistake(
        "the mean is added",
        "The mean is added to each number. Subtract it.",
        1,
        partial(normalise, centre=lambda row: _minus(-_mean(row))(row)),
    ),
    Mistake(
        "mean minus number",
        "All signs are turned: you subtract the number from the mean. It is number - mean.",
        1,
        partial(normalise, centre=lambda row: [-number for number in _centre(row)]),
    ),
    Mistake(
        "the median instead of the mean",
        "You subtract the number in the middle. The mean is the sum divided by how many there are.",
        1,
        partial(normalise, centre=lambda row: _minus(median(row))(row)),
    ),
    Mistake(
        "the smallest number is subtracted",
        "You subtract the smallest number of the row. Subtract the mean.",
        1,
        partial(normalise, centre=lambda row: _minus(min(row))(row)),
    ),
    Mistake(
        "the sum instead of the mean",
        "You subtract the sum of the row. Divide it by the length of the row first.",
        1,
        partial(normalise, centre=lambda row: _minus(sum(row))(row)),
    ),
    Mistake(
        "divided by the number of rows",
        "Sums are divided by len(X), the number of rows. Divide by len(row): how many numbers the row holds.",
        1,
        _divided_by_the_rows,
    ),
    Mistake(
        "the mean without its decimals",
        "Your mean is a whole number: // cuts the decimals. Use / for division.",
        1,
        partial(normalise, centre=lambda row: _minus(sum(row) // len(row))(row)),
    ),
    Mistake(
        "the mean is rounded",
        "Your mean is cut to two decimals, so the answer is not exact enough. Do not round on the way.",
        1,
        partial(normalise, centre=lambda row: _minus(round(_mean(row), 2))(row)),
    ),
    Mistake(
        "differences are whole numbers",
        "The differences lose their decimals when X holds ints: an array made like X. Use dtype=float.",
        1,
        partial(normalise, centre=_whole_centre),
    ),
    Mistake(
        "whole numbers cannot be changed in place",
        "X as an array of whole numbers cannot take decimals with -=. Make it with dtype=float.",
        1,
        _whole_in_place,
    ),
    Mistake(
        "floats of 32 bits",
        "float32 keeps about 7 digits, so rows far from zero lose their differences. Use dtype=float.",
        1,
        partial(normalise, centre=_centre_in_single),
    ),
    # Step 2: the variance
    Mistake(
        "divided by n - 1",
        "The sum of squares is divided by len(row) - 1, as in statistics classes. Divide by len(row).",
        2,
        partial(normalise, variance=_sample_variance),
        (partial(normalise, variance=_sample_variance_in_numpy),),
    ),
    Mistake(
        "the differences are not squared",
        "Differences from the mean add up to 0, so your variance is 0. Square each of them first.",
        2,
        partial(normalise, variance=lambda centred, _row: abs(_mean(centred))),
    ),
    Mistake(
        "sizes instead of squares",
        "You average the sizes of the differences, with abs. Average their squares.",
        2,
        partial(normalise, variance=lambda centred, _row: _mean(list(map(abs, centred)))),
    ),
    Mistake(
        "the squares are only added",
        "The squares are added but not divided. The variance is their mean: divide by len(row).",
        2,
        partial(normalise, variance=lambda centred, _row: sum(_squares(centred))),
    ),
    Mistake(
        "the row itself is squared",
        "The squares are those of the row before its mean was subtracted. Square the differences.",
        2,
        partial(normalise, variance=lambda _centred, row: _mean(_squares(row))),
    ),
    Mistake(
        "mean of squares minus square of the mean",
        "Two large numbers nearly cancel in rows far from zero. Square the differences instead: number - mean.",
        2,
        partial(normalise, variance=_raw_moments),
    ),
    Mistake(
        "the range instead of the variance",
        "You use largest minus smallest. Use the mean of the squared differences.",
        2,
        partial(normalise, variance=lambda centred, _row: (max(centred) - min(centred)) ** 2),
        (partial(normalise, variance=lambda centred, _row: max(centred) - min(centred)),),
    ),
    # Step 3: the division
    Mistake(
        "no square root",
        "You divide by the variance itself. Divide by its square root, sqrt(variance + eps).",
        3,
        _root(lambda variance, eps: variance + eps),
    ),
    Mistake(
        "eps outside the square root",
        "You add eps after the square root. It belongs inside: sqrt(variance + eps).",
        3,
        _root(lambda variance, eps: math.sqrt(variance) + eps),
    ),
    Mistake(
        "eps is added after the division",
        "You add eps after the division. It belongs inside the square root: sqrt(variance + eps).",
        3,
        lambda *arguments: normalise(*arguments, divide=_eps_after),
        (
            lambda *arguments: normalise(*arguments, divide=lambda *row: [n + row[2] for n in _nan_without_eps(*row)]),
            _eps_at_the_end,
        ),
    ),
    Mistake(
        "eps is left out",
        "Without eps a row of equal numbers is divided by 0, and small rows grow too much. Use sqrt(variance + eps).",
        3,
        partial(normalise, divide=_without_eps),
        (partial(normalise, divide=_nan_without_eps), partial(normalise, divide=_zeros_without_eps)),
    ),
    Mistake(
        "eps only where the variance is smaller",
        "You take the larger of variance and eps. Add them: sqrt(variance + eps).",
        3,
        _root(lambda variance, eps: math.sqrt(max(variance, eps))),
    ),
    Mistake(
        "always the same eps",
        "You use 0.00001 whatever eps is. Use the parameter eps.",
        3,
        lambda X, gain, bias, _eps: normalise(X, gain, bias, _USUAL_EPS),
    ),
    Mistake(
        "eps is at least 0.00001",
        "A smaller eps is raised to 0.00001. Use the parameter eps as it is.",
        3,
        _at_least(_USUAL_EPS),
    ),
    Mistake(
        "eps squared",
        "You add eps times eps. Add eps itself to the variance.",
        3,
        _root(lambda variance, eps: math.sqrt(variance + eps * eps)),
    ),
    Mistake(
        "eps is added twice",
        "eps stands inside the square root and outside. Only inside: sqrt(variance + eps).",
        3,
        _root(lambda variance, eps: math.sqrt(variance + eps) + eps),
    ),
    Mistake(
        "eps is subtracted",
        "You subtract eps from the variance. Add it: sqrt(variance + eps).",
        3,
        _root(lambda variance, eps: math.sqrt(variance - eps) if variance >= eps else math.nan),
    ),
    Mistake(
        "the square root twice",
        "A square root is taken of the standard deviation. Take one square root, of variance + eps.",
        3,
        _root(lambda variance, eps: math.sqrt(math.sqrt(variance) + eps)),
    ),
    Mistake(
        "the division is left out",
        "The mean is subtracted, but the rows keep their spread. Divide by sqrt(variance + eps).",
        3,
        _root(lambda _variance, _eps: 1.0),
    ),
    Mistake(
        "multiplied by the square root",
        "You multiply by sqrt(variance + eps). Divide by it.",
        3,
        _root(lambda variance, eps: 1 / math.sqrt(variance + eps)),
    ),
    Mistake(
        "nearly equal numbers become 0",
        "Rows with a small spread are set to 0. Let them run through all steps: eps takes care of them.",
        3,
        partial(normalise, divide=_nearly_equal),
    ),
    Mistake(
        "numbers are cut at 3",
        "Standardised numbers above 3 or below -3 were cut. Leave them as they are.",
        3,
        partial(normalise, finish=lambda row, gain, bias: _finish([max(-_CUT, min(s, _CUT)) for s in row], gain, bias)),
    ),
    Mistake(
        "equal numbers give no bias",
        "A row of equal numbers became zeros. It still gets the bias: let it run through all steps.",
        4,
        _without_bias_where_equal,
    ),
    Mistake(
        "a row of one number is left as it is",
        "A row of one number minus its mean is 0, and then it gets the bias. Make no exception for it.",
        1,
        _single_numbers_kept,
    ),
    # Step 4: gain and bias
    Mistake(
        "gain and bias are left out",
        "Your rows are standardised, and that is all. Multiply by the gain, then add the bias.",
        4,
        _scaled(lambda s, _g, _b: s),
    ),
    Mistake(
        "the bias is left out",
        "The rows are multiplied by the gain, but nothing is added. Add the bias last.",
        4,
        _scaled(lambda s, g, _b: s * g),
    ),
    Mistake(
        "the gain is left out",
        "The bias is added, but the gain is not used. Multiply by the gain first.",
        4,
        _scaled(lambda s, _g, b: s + b),
    ),
    Mistake(
        "the bias is added before the gain",
        "The gain multiplies the bias as well. Multiply first, then add: standardised * gain + bias.",
        4,
        _scaled(lambda s, g, b: (s + b) * g),
    ),
    Mistake(
        "gain and bias have changed places",
        "You multiply by the bias and add the gain. It is standardised * gain + bias.",
        4,
        _scaled(lambda s, g, b: s * b + g),
    ),
    Mistake(
        "the bias is subtracted",
        "The bias is subtracted. Add it.",
        4,
        _scaled(lambda s, g, b: s * g - b),
    ),
    Mistake(
        "divided by the gain",
        "You divide by the gain. Multiply by it.",
        4,
        _scaled(lambda s, g, b: s / g + b),
    ),
    Mistake(
        "1 is added to the gain",
        "Some models keep the gain as its distance from 1. Here the gain is the factor itself.",
        4,
        _scaled(lambda s, g, b: s * (1 + g) + b),
    ),
    Mistake(
        "a gain of 0 is taken for 1",
        "0 is a gain like any other: then only the bias is left. Do not write `gain or 1`.",
        4,
        _scaled(lambda s, g, b: s * (g or 1) + b),
    ),
    Mistake(
        "one gain for each row",
        "You take gain and bias by the number of the row. They belong to the columns.",
        4,
        _gain_per_row,
        (_gain_down_the_rows,),
    ),
    Mistake(
        "the first gain and bias for every column",
        "You use gain[0] and bias[0] everywhere. Each column has its own gain and bias.",
        4,
        partial(normalise, finish=lambda row, gain, bias: [s * gain[0] + bias[0] for s in row]),
    ),
    Mistake(
        "gain and bias come first",
        "You use gain and bias before the row is standardised. They come last.",
        4,
        _gain_and_bias_first,
    ),
    Mistake(
        "every row is the last row",
        "All rows of your answer are the same list, and it holds the last result. Make a new list for every row.",
        4,
        _changing(lambda rows: [rows[-1] for _ in rows]),
    ),
    Mistake(
        "the output row is not emptied",
        "Each row holds the rows before it as well. Start a new row for every row of X.",
        4,
        _changing(lambda rows: list(accumulate(rows, add))),
    ),
    Mistake(
        "only the first row is returned",
        "Your answer stops after row 0. Move the return out of the loop.",
        4,
        _changing(lambda rows: rows[:1]),
    ),
    Mistake(
        "one row",
        "You return one row. Collect all rows in a list.",
        4,
        _changing(lambda rows: rows[-1]),
        (_changing(lambda rows: rows[-1:]),),
    ),
    Mistake(
        "one flat list",
        "All numbers stand in one list. Make one row for each row of X: append each row.",
        4,
        _changing(lambda rows: [number for row in rows for number in row]),
    ),
    Mistake(
        "the answer is turned",
        "Your answer has one row per column of X. It needs one row for each row of X.",
        4,
        _changing(_turned),
    ),
    Mistake(
        "one row gives a flat list",
        "With one row you return this row. Return a list that holds it.",
        4,
        _changing(lambda rows: rows[0] if len(rows) == 1 else rows),
    ),
    Mistake(
        "one column gives a flat list",
        "When rows hold one number, your rows became plain numbers. Return a list of rows even then.",
        4,
        _changing(_one_column_flat),
    ),
    Mistake(
        "one list too many",
        "Your rows are inside one more list or tuple. A comma at the end of the return line does this.",
        4,
        _changing(lambda rows: [rows]),
    ),
    Mistake(
        "whole numbers like X",
        "The decimals are cut off when X holds whole numbers: an array made like X cannot hold them. Use dtype=float.",
        4,
        _whole_like_x,
    ),
    Mistake(
        "rounded",
        "Your numbers are cut to a few decimals, and that is not exact enough. Return them without round.",
        4,
        _changing(_rounded(2)),
        (_changing(_rounded(3)), _changing(_rounded(4))),
    ),
    # Between calls: the rows are right, but only in a first call
    Mistake(
        "X is changed",
        "Your function writes into X, so a second call with the same lists gives other numbers. Make new lists.",
        1,
        _overwrites,
    ),
    Mistake(
        "the gain is changed",
        "Your function writes into gain, so a second call with the same lists gives other numbers. Make new lists.",
        4,
        _writes_into_the_gain,
    ),
    Mistake(
        "an old answer is given again for the same X",
        "Your function remembers an answer and looks only at X. Compute each call from all four inputs.",
        4,
        _remembering(lambda X, _gain, _bias, _eps: X),
    ),
    Mistake(
        "an old answer is given again for another eps",
        "Your function remembers an answer and does not look at eps. Compute each call from all four inputs.",
        3,
        _remembering(lambda X, gain, bias, _eps: (X, gain, bias)),
    ),
)
