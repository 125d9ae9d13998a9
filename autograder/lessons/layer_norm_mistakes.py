"""Lesson 07, layer_norm: the known mistakes, in the order of the steps.

The wrong solutions themselves stand in `layer_norm_wrong_solves.py`.
"""

from __future__ import annotations

import math
from functools import partial
from itertools import accumulate
from operator import add
from statistics import median
from typing import Final

from autograder.lesson import Mistake
from autograder.lessons import layer_norm_wrong_solves as wrong
from autograder.lessons.common_mistakes import (
    changing,
    flattened,
    mean_of,
    one_column_flat,
    one_row_flat,
    remembering,
    rounded,
    turned,
    whole_like,
)
from autograder.lessons.layer_norm_wrong_solves import (
    CUT,
    USUAL_EPS,
    centre_row,
    finish_row,
    minus,
    normalise,
    squares_of,
    variance_of,
)

_changing = partial(changing, normalise)  # compute the right rows and then hand back something else

MISTAKES: Final[tuple[Mistake, ...]] = (
    # Step 1: the mean
    Mistake(
        "each column is normalised",
        "Mean and variance run down the columns, over the tokens. Take them along each row: one token alone.",
        1,
        wrong.down_the_columns,
    ),
    Mistake(
        "one mean and variance for the whole table",
        "All rows share one mean and one variance. Each row needs its own: in numpy axis=1 with keepdims=True.",
        1,
        wrong.with_statistics(lambda X, _at: flattened(X)),
    ),
    Mistake(
        "the first row's mean and variance for all",
        "Every row is normalised with the numbers of row 0. Compute mean and variance inside the loop.",
        1,
        wrong.with_statistics(lambda X, _at: X[0]),
    ),
    Mistake(
        "one variance for the whole table",
        "Each row has its own mean, but all share one variance. In numpy var needs axis=1 and keepdims=True too.",
        2,
        wrong.one_variance,
    ),
    Mistake(
        "means line up with the columns",
        "numpy lines the means of the rows up with the columns. Use axis=1 and keepdims=True in mean and var.",
        1,
        wrong.without_keepdims,
    ),
    Mistake(
        "the mean moves while the row changes",
        "You write into the row while you still take its mean. Compute the mean once, before the loop.",
        1,
        lambda X, gain, bias, eps: normalise(
            [wrong.minus_a_moving_mean(row) for row in X], gain, bias, eps, centre=list
        ),
    ),
    Mistake(
        "scaled to the range from 0 to 1",
        "Smallest and largest become 0 and 1. Layer norm needs the mean and the variance of the row instead.",
        1,
        lambda X, gain, bias, eps: [finish_row(wrong.from_0_to_1(row, eps), gain, bias) for row in X],
    ),
    Mistake(
        "the rows before it count too",
        "Mean and variance of a row hold the rows above it as well. Start again at 0 for each row.",
        1,
        wrong.with_statistics(lambda X, at: flattened(X[: at + 1])),
    ),
    Mistake(
        "the mean is not subtracted",
        "The row is only divided, so its mean is not 0. Subtract the mean from each number first.",
        1,
        partial(
            normalise,
            centre=list,
            variance=lambda _centred, row: variance_of(centre_row(row), row),
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
        partial(normalise, centre=lambda row: minus(-mean_of(row))(row)),
    ),
    Mistake(
        "mean minus number",
        "All signs are turned: you subtract the number from the mean. It is number - mean.",
        1,
        partial(normalise, centre=lambda row: [-number for number in centre_row(row)]),
    ),
    Mistake(
        "the median instead of the mean",
        "You subtract the number in the middle. The mean is the sum divided by how many there are.",
        1,
        partial(normalise, centre=lambda row: minus(median(row))(row)),
    ),
    Mistake(
        "the smallest number is subtracted",
        "You subtract the smallest number of the row. Subtract the mean.",
        1,
        partial(normalise, centre=lambda row: minus(min(row))(row)),
    ),
    Mistake(
        "the sum instead of the mean",
        "You subtract the sum of the row. Divide it by the length of the row first.",
        1,
        partial(normalise, centre=lambda row: minus(sum(row))(row)),
    ),
    Mistake(
        "divided by the number of rows",
        "Sums are divided by len(X), the number of rows. Divide by len(row): how many numbers the row holds.",
        1,
        wrong.divided_by_the_rows,
    ),
    Mistake(
        "the mean without its decimals",
        "Your mean is a whole number: // cuts the decimals. Use / for division.",
        1,
        partial(normalise, centre=lambda row: minus(sum(row) // len(row))(row)),
    ),
    Mistake(
        "the mean is rounded",
        "Your mean is cut to two decimals, so the answer is not exact enough. Do not round on the way.",
        1,
        partial(normalise, centre=lambda row: minus(round(mean_of(row), 2))(row)),
    ),
    Mistake(
        "differences are whole numbers",
        "The differences lose their decimals when X holds ints: an array made like X. Use dtype=float.",
        1,
        partial(normalise, centre=wrong.whole_centre),
    ),
    Mistake(
        "whole numbers cannot be changed in place",
        "X as an array of whole numbers cannot take decimals with -=. Make it with dtype=float.",
        1,
        wrong.whole_in_place,
    ),
    Mistake(
        "floats of 32 bits",
        "float32 keeps about 7 digits, so rows far from zero lose their differences. Use dtype=float.",
        1,
        partial(normalise, centre=wrong.centre_in_single),
    ),
    # Step 2: the variance
    Mistake(
        "divided by n - 1",
        "The sum of squares is divided by len(row) - 1, as in statistics classes. Divide by len(row).",
        2,
        partial(normalise, variance=wrong.sample_variance),
        (partial(normalise, variance=wrong.sample_variance_in_numpy),),
    ),
    Mistake(
        "the differences are not squared",
        "Differences from the mean add up to 0, so your variance is 0. Square each of them first.",
        2,
        partial(normalise, variance=lambda centred, _row: abs(mean_of(centred))),
    ),
    Mistake(
        "sizes instead of squares",
        "You average the sizes of the differences, with abs. Average their squares.",
        2,
        partial(normalise, variance=lambda centred, _row: mean_of(list(map(abs, centred)))),
    ),
    Mistake(
        "the squares are only added",
        "The squares are added but not divided. The variance is their mean: divide by len(row).",
        2,
        partial(normalise, variance=lambda centred, _row: sum(squares_of(centred))),
    ),
    Mistake(
        "the row itself is squared",
        "The squares are those of the row before its mean was subtracted. Square the differences.",
        2,
        partial(normalise, variance=lambda _centred, row: mean_of(squares_of(row))),
    ),
    Mistake(
        "mean of squares minus square of the mean",
        "Two large numbers nearly cancel in rows far from zero. Square the differences instead: number - mean.",
        2,
        partial(normalise, variance=wrong.raw_moments),
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
        wrong.divided_by(lambda variance, eps: variance + eps),
    ),
    Mistake(
        "eps outside the square root",
        "You add eps after the square root. It belongs inside: sqrt(variance + eps).",
        3,
        wrong.divided_by(lambda variance, eps: math.sqrt(variance) + eps),
    ),
    Mistake(
        "eps is added after the division",
        "You add eps after the division. It belongs inside the square root: sqrt(variance + eps).",
        3,
        lambda *arguments: normalise(*arguments, divide=wrong.eps_after),
        (
            lambda *arguments: normalise(
                *arguments, divide=lambda *row: [n + row[2] for n in wrong.nan_without_eps(*row)]
            ),
            wrong.eps_at_the_end,
        ),
    ),
    Mistake(
        "eps is left out",
        "Without eps a row of equal numbers is divided by 0, and small rows grow too much. Use sqrt(variance + eps).",
        3,
        partial(normalise, divide=wrong.without_eps),
        (partial(normalise, divide=wrong.nan_without_eps), partial(normalise, divide=wrong.zeros_without_eps)),
    ),
    Mistake(
        "eps only where the variance is smaller",
        "You take the larger of variance and eps. Add them: sqrt(variance + eps).",
        3,
        wrong.divided_by(lambda variance, eps: math.sqrt(max(variance, eps))),
    ),
    Mistake(
        "always the same eps",
        "You use 0.00001 whatever eps is. Use the parameter eps.",
        3,
        lambda X, gain, bias, _eps: normalise(X, gain, bias, USUAL_EPS),
    ),
    Mistake(
        "eps is at least 0.00001",
        "A smaller eps is raised to 0.00001. Use the parameter eps as it is.",
        3,
        wrong.at_least(USUAL_EPS),
    ),
    Mistake(
        "eps squared",
        "You add eps times eps. Add eps itself to the variance.",
        3,
        wrong.divided_by(lambda variance, eps: math.sqrt(variance + eps * eps)),
    ),
    Mistake(
        "eps is added twice",
        "eps stands inside the square root and outside. Only inside: sqrt(variance + eps).",
        3,
        wrong.divided_by(lambda variance, eps: math.sqrt(variance + eps) + eps),
    ),
    Mistake(
        "eps is subtracted",
        "You subtract eps from the variance. Add it: sqrt(variance + eps).",
        3,
        wrong.divided_by(lambda variance, eps: math.sqrt(variance - eps) if variance >= eps else math.nan),
    ),
    Mistake(
        "the square root twice",
        "A square root is taken of the standard deviation. Take one square root, of variance + eps.",
        3,
        wrong.divided_by(lambda variance, eps: math.sqrt(math.sqrt(variance) + eps)),
    ),
    Mistake(
        "the division is left out",
        "The mean is subtracted, but the rows keep their spread. Divide by sqrt(variance + eps).",
        3,
        wrong.divided_by(lambda _variance, _eps: 1.0),
    ),
    Mistake(
        "multiplied by the square root",
        "You multiply by sqrt(variance + eps). Divide by it.",
        3,
        wrong.divided_by(lambda variance, eps: 1 / math.sqrt(variance + eps)),
    ),
    Mistake(
        "nearly equal numbers become 0",
        "Rows with a small spread are set to 0. Let them run through all steps: eps takes care of them.",
        3,
        partial(normalise, divide=wrong.nearly_equal),
    ),
    Mistake(
        "numbers are cut at 3",
        "Standardised numbers above 3 or below -3 were cut. Leave them as they are.",
        3,
        partial(
            normalise, finish=lambda row, gain, bias: finish_row([max(-CUT, min(s, CUT)) for s in row], gain, bias)
        ),
    ),
    Mistake(
        "equal numbers give no bias",
        "A row of equal numbers became zeros. It still gets the bias: let it run through all steps.",
        4,
        wrong.without_bias_where_equal,
    ),
    Mistake(
        "a row of one number is left as it is",
        "A row of one number minus its mean is 0, and then it gets the bias. Make no exception for it.",
        1,
        wrong.single_numbers_kept,
    ),
    # Step 4: gain and bias
    Mistake(
        "gain and bias are left out",
        "Your rows are standardised, and that is all. Multiply by the gain, then add the bias.",
        4,
        wrong.scaled(lambda s, _g, _b: s),
    ),
    Mistake(
        "the bias is left out",
        "The rows are multiplied by the gain, but nothing is added. Add the bias last.",
        4,
        wrong.scaled(lambda s, g, _b: s * g),
    ),
    Mistake(
        "the gain is left out",
        "The bias is added, but the gain is not used. Multiply by the gain first.",
        4,
        wrong.scaled(lambda s, _g, b: s + b),
    ),
    Mistake(
        "the bias is added before the gain",
        "The gain multiplies the bias as well. Multiply first, then add: standardised * gain + bias.",
        4,
        wrong.scaled(lambda s, g, b: (s + b) * g),
    ),
    Mistake(
        "gain and bias have changed places",
        "You multiply by the bias and add the gain. It is standardised * gain + bias.",
        4,
        wrong.scaled(lambda s, g, b: s * b + g),
    ),
    Mistake(
        "the bias is subtracted",
        "The bias is subtracted. Add it.",
        4,
        wrong.scaled(lambda s, g, b: s * g - b),
    ),
    Mistake(
        "divided by the gain",
        "You divide by the gain. Multiply by it.",
        4,
        wrong.scaled(lambda s, g, b: s / g + b),
    ),
    Mistake(
        "1 is added to the gain",
        "Some models keep the gain as its distance from 1. Here the gain is the factor itself.",
        4,
        wrong.scaled(lambda s, g, b: s * (1 + g) + b),
    ),
    Mistake(
        "a gain of 0 is taken for 1",
        "0 is a gain like any other: then only the bias is left. Do not write `gain or 1`.",
        4,
        wrong.scaled(lambda s, g, b: s * (g or 1) + b),
    ),
    Mistake(
        "one gain for each row",
        "You take gain and bias by the number of the row. They belong to the columns.",
        4,
        wrong.gain_per_row,
        (wrong.gain_down_the_rows,),
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
        wrong.gain_and_bias_first,
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
        "Your answer stops after row 0. Is the return inside the loop, or does the range of the loop end too early?",
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
        _changing(flattened),
    ),
    Mistake(
        "the answer is turned",
        "Your answer has one row per column of X. It needs one row for each row of X.",
        4,
        _changing(turned),
    ),
    Mistake(
        "one row gives a flat list",
        "With one row you return this row. Return a list that holds it.",
        4,
        _changing(one_row_flat),
    ),
    Mistake(
        "one column gives a flat list",
        "When rows hold one number, your rows became plain numbers. Return a list of rows even then.",
        4,
        _changing(one_column_flat),
    ),
    Mistake(
        "one list too many",
        "Your rows are inside one more list or tuple. A comma at the end of the return line does this.",
        4,
        _changing(lambda rows: [rows]),
    ),
    Mistake(
        "whole numbers like X",
        "The decimals are cut off: something makes whole numbers, such as int, or an array made like X. Use float.",
        4,
        lambda X, *others: whole_like(X, normalise(X, *others)),
    ),
    Mistake(
        "rounded",
        "Your numbers are cut to a few decimals, and that is not exact enough. Return them without round.",
        4,
        _changing(rounded(2)),
        (_changing(rounded(3)), _changing(rounded(4))),
    ),
    # Between calls: the rows are right, but only in a first call
    Mistake(
        "X is changed",
        "Your function writes into X, so a second call with the same lists gives other numbers. Make new lists.",
        1,
        wrong.overwrites,
    ),
    Mistake(
        "the gain is changed",
        "Your function writes into gain, so a second call with the same lists gives other numbers. Make new lists.",
        4,
        wrong.writes_into_the_gain,
    ),
    Mistake(
        "an old answer is given again for the same X",
        "Your function remembers an answer and looks only at X. Compute each call from all four inputs.",
        4,
        remembering(normalise, lambda X, _gain, _bias, _eps: X),
    ),
    Mistake(
        "an old answer is given again for another eps",
        "Your function remembers an answer and does not look at eps. Compute each call from all four inputs.",
        3,
        remembering(normalise, lambda X, gain, bias, _eps: (X, gain, bias)),
    ),
)
