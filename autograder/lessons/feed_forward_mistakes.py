"""Lesson 06, feed_forward: the known mistakes.

Each is the feed-forward layer that is wrong in one way: one of the three steps is replaced, the others are right.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from functools import partial
from typing import Final

from autograder.lesson import Mistake, Solve

Row = list[float]
Matrix = list[Row]
Linear = Callable[[Row, Matrix, Row], Row]  # one row, a table, a bias
Bend = Callable[[float], float]
After = Callable[[Row, Row], Row]  # the token, its output row

_SCALE: Final = math.sqrt(2 / math.pi)
_CUBE: Final = 0.044715
_EXP_LIMIT: Final = 709  # above it, `math.exp` overflows


def _dot(a: Row, b: Row) -> float:
    return float(sum(x * w for x, w in zip(a, b, strict=False)))


def _columns(table: Matrix) -> Matrix:
    return [list(column) for column in zip(*table, strict=True)]


def _linear(row: Row, table: Matrix, bias: Row) -> Row:
    """Send a row through a linear layer. What does not fit is left out, as `zip` does it."""
    return [_dot(row, column) + b for column, b in zip(_columns(table), bias, strict=False)]


def _without_bias(row: Row, table: Matrix, _bias: Row) -> Row:
    return [_dot(row, column) for column in _columns(table)]


def _bias_for_every_product(row: Row, table: Matrix, bias: Row) -> Row:
    return [_dot(row, column) + b * len(row) for column, b in zip(_columns(table), bias, strict=False)]


def _rows_for_columns(row: Row, table: Matrix, bias: Row) -> Row:
    return _linear(row, _columns(table), bias)


def _rows_for_columns_by_index(row: Row, table: Matrix, bias: Row) -> Row:
    """Write `table[j][i]` for `table[i][j]`: where the table is not square, a row or a column is not there."""
    return [sum(row[i] * table[j][i] for i in range(len(row))) + bias[j] for j in range(len(bias))]


def _rows_for_columns_in_arrays(row: Row, table: Matrix, bias: Row) -> Row:
    """Multiply with the turned table, where numpy finds that the shapes fit."""
    _check_sizes(len(table[0]), len(row))
    return _rows_for_columns(row, table, bias)


def _check_sizes(ahead: int, behind: int) -> None:
    """Raise numpy's error for two tables whose sizes do not fit."""
    if ahead != behind:
        sizes = f"with gufunc signature (n?,k),(k,m?)->(n?,m?) (size {ahead} is different from {behind})"
        message = f"matmul: Input operand 1 has a mismatch in its core dimension 0, {sizes}"
        raise ValueError(message)


def _rows_where_square(row: Row, table: Matrix, bias: Row) -> Row:
    return _rows_for_columns(row, table, bias) if len(table) == len(table[0]) else _linear(row, table, bias)


def _last_left_out(row: Row, table: Matrix, bias: Row) -> Row:
    return _linear(row[:-1], table, bias)


def _rounded_to(digits: int) -> Linear:
    return lambda row, table, bias: [round(number, digits) for number in _linear(row, table, bias)]


def _single(row: Row, table: Matrix, bias: Row) -> Row:
    """Round the results to 32 bits."""
    return [float(struct.unpack("f", struct.pack("f", number))[0]) for number in _linear(row, table, bias)]


def _into_the_bias(row: Row, table: Matrix, bias: Row) -> Row:
    bias[:] = _linear(row, table, bias)
    return list(bias)


def _only_16(row: Row, table: Matrix, bias: Row) -> Row:
    return _linear(row, table, bias)[:16]


def _gelu(h: float) -> float:
    return _gelu_with()(h)


def _gelu_with(scale: float = _SCALE, cube: float = _CUBE) -> Bend:
    """Make the curve with other constants."""
    return lambda h: 0.5 * h * (1 + math.tanh(scale * (h + cube * h**3)))


def _inner(h: float) -> float:
    return _SCALE * (h + _CUBE * h**3)


def _root_of_the_bracket(h: float) -> float:
    return 0.5 * h * (1 + math.tanh(math.sqrt(2 / math.pi * (h + _CUBE * h**3))))


def _root_of_the_bracket_in_arrays(h: float) -> float:
    """Give nan where lists stop with an error, as numpy does."""
    return _root_of_the_bracket(h) if h >= 0 else math.nan


def _exact_gelu(h: float) -> float:
    return 0.5 * h * (1 + math.erf(h / math.sqrt(2)))


def _sigmoid(h: float) -> float:
    return 1 / (1 + math.exp(-h)) if h > -_EXP_LIMIT else 0.0


def _relu(h: float) -> float:
    return max(0.0, h)


def _same(h: float) -> float:
    return h


def _cut(limit: float) -> Bend:
    """Do without the formula beyond a limit, too early."""
    return lambda h: _gelu(h) if abs(h) <= limit else _relu(h)


def _kept_within(limit: float) -> Bend:
    return lambda h: _gelu(max(-limit, min(limit, h)))


def _tanh_by_exp(h: float) -> float:
    """Build tanh out of exp(x) and exp(-x), which overflow for large numbers."""
    up, down = math.exp(_inner(h)), math.exp(-_inner(h))
    return 0.5 * h * (1 + (up - down) / (up + down))


def _tanh_by_exp_twice(h: float) -> float:
    power = math.exp(2 * _inner(h))
    return 0.5 * h * (1 + (power - 1) / (power + 1))


def _tanh_by_exp_minus(h: float) -> float:
    power = math.exp(-2 * _inner(h))
    return 0.5 * h * (1 + (1 - power) / (1 + power))


def _in_arrays(bend: Bend) -> Bend:
    """Give nan where lists stop with an overflow, as numpy does."""

    def bend_in_arrays(h: float) -> float:
        try:
            return bend(h)
        except OverflowError:
            return math.nan

    return bend_in_arrays


def _zero_on_overflow(h: float) -> float:
    try:
        return _tanh_by_exp(h)
    except OverflowError:
        return 0.0


def _as_it_is(_x: Row, row: Row) -> Row:
    return row


def feed_forward(  # noqa: PLR0913  # one argument per input and one per step
    X: Matrix,
    W1: Matrix,
    b1: Row,
    W2: Matrix,
    b2: Row,
    *,
    first: Linear = _linear,
    bend: Bend = _gelu,
    second: Linear = _linear,
    after: After = _as_it_is,
) -> Matrix:
    """Send every token through the layer, with the three steps given and something done to the output row."""
    return [after(x, second([bend(h) for h in first(x, W1, b1)], W2, b2)) for x in X]


def _curve(bend: Bend, *also: Bend) -> tuple[Solve, tuple[Solve, ...]]:
    """Replace the curve, and perhaps by others that are the same mistake."""
    return partial(feed_forward, bend=bend), tuple(partial(feed_forward, bend=other) for other in also)


def _tables_swapped(X: Matrix, W1: Matrix, b1: Row, W2: Matrix, b2: Row) -> Matrix:
    return feed_forward(X, W2, b2, W1, b1)


def _first_table_in_front(X: Matrix, W1: Matrix, b1: Row, W2: Matrix, b2: Row) -> Matrix:
    """Write W1 @ X in numpy, which fits where there are as many tokens as columns of W1."""
    _check_sizes(len(X), len(b1))
    return feed_forward(W1, X, b1, W2, b2)


def _second_table_in_front(X: Matrix, W1: Matrix, b1: Row, W2: Matrix, b2: Row) -> Matrix:
    """Write W2 @ bent in numpy, which fits where there are as many tokens as columns of W2."""
    _check_sizes(len(X), len(b2))
    bent = _hidden_only(X, W1, b1, W2, b2)
    return [_linear(row, bent, b2) for row in W2]


def _curve_before_the_first_layer(X: Matrix, W1: Matrix, b1: Row, W2: Matrix, b2: Row) -> Matrix:
    return feed_forward([[_gelu(number) for number in x] for x in X], W1, b1, W2, b2, bend=_same)


def _hidden_only(X: Matrix, W1: Matrix, b1: Row, _W2: Matrix, _b2: Row) -> Matrix:
    return [[_gelu(h) for h in _linear(x, W1, b1)] for x in X]


def _hidden_not_emptied(X: Matrix, W1: Matrix, b1: Row, W2: Matrix, b2: Row) -> Matrix:
    """Let the list of hidden numbers grow from token to token, so that its beginning stays that of the first."""
    return [feed_forward(X[:1], W1, b1, W2, b2)[0] for _ in X]


def _output_not_emptied(X: Matrix, W1: Matrix, b1: Row, W2: Matrix, b2: Row) -> Matrix:
    """Add the rows up from token to token."""
    rows, total = [], [0.0] * len(b2)
    for row in feed_forward(X, W1, b1, W2, b2):
        total = [before + number for before, number in zip(total, row, strict=True)]
        rows.append(total)
    return rows


def _mean_of_all_tokens(X: Matrix, W1: Matrix, b1: Row, W2: Matrix, b2: Row) -> Matrix:
    mean = [sum(column) / len(X) for column in _columns(X)]
    return feed_forward([mean for _ in X], W1, b1, W2, b2)


def _zero_rows_skipped(X: Matrix, W1: Matrix, b1: Row, W2: Matrix, b2: Row) -> Matrix:
    rows = feed_forward(X, W1, b1, W2, b2)
    return [row if any(x) else [0.0] * len(b2) for x, row in zip(X, rows, strict=True)]


def _whole_hidden(X: Matrix, W1: Matrix, b1: Row, W2: Matrix, b2: Row) -> Matrix:
    """Write the bent numbers into an array of whole numbers, which cannot hold their decimals."""
    numbers = [*b1, *(number for table in (X, W1) for row in table for number in row)]
    whole = all(type(number) is int for number in numbers)
    return feed_forward(X, W1, b1, W2, b2, bend=(lambda h: int(_gelu(h))) if whole else _gelu)


def _changing(change: Callable[[Matrix], object]) -> Solve:
    """Compute the right rows and then hand back something else."""
    return lambda *inputs: change(feed_forward(*inputs))


def _squeezed(rows: Matrix) -> object:
    """Drop every axis of length 1, as np.squeeze does."""
    short = [row[0] if len(row) == 1 else row for row in rows]
    return short[0] if len(short) == 1 else short


def _rounded(digits: int) -> Solve:
    return _changing(lambda rows: [[round(number, digits) for number in row] for row in rows])


def _whole_like_tokens(X: Matrix, W1: Matrix, b1: Row, W2: Matrix, b2: Row) -> Matrix:
    rows = feed_forward(X, W1, b1, W2, b2)
    whole = all(type(number) is int for row in X for number in row)
    return [list(map(int, row)) for row in rows] if whole else rows


def _into_the_tokens(X: Matrix, W1: Matrix, b1: Row, W2: Matrix, b2: Row) -> Matrix:
    for x, row in zip(X, feed_forward(X, W1, b1, W2, b2), strict=True):
        x[:] = row
    return [list(x) for x in X]


def _bias_as_a_row(X: Matrix, W1: Matrix, b1: Row, W2: Matrix, b2: Row) -> Matrix:
    """Put b1 below W1 and a 1 behind each token, and leave them there."""
    W1.append(b1)
    for x in X:
        x.append(1)
    return feed_forward(X, W1, [0.0] * len(b1), W2, b2)


def _turned_in_place(X: Matrix, W1: Matrix, b1: Row, W2: Matrix, b2: Row) -> Matrix:
    """Turn W1 in place."""
    rows = feed_forward(X, W1, b1, W2, b2)
    W1[:] = _columns(W1)
    return rows


def _remembering(key: Callable[[Matrix, Matrix, Row, Matrix, Row], object]) -> Solve:
    """Give the last answer again where the inputs look the same by `key`."""
    last: dict[object, Matrix] = {}

    def solve(X: Matrix, W1: Matrix, b1: Row, W2: Matrix, b2: Row) -> Matrix:
        now = key(X, W1, b1, W2, b2)
        if now not in last:
            last.clear()
            last[now] = feed_forward(X, W1, b1, W2, b2)
        return last[now]

    return solve


MISTAKES: Final[tuple[Mistake, ...]] = (
    # Step 1: the first linear layer
    Mistake(
        "b1 is left out",
        "These are the numbers without the first bias. Add b1[j] to hidden number j.",
        1,
        partial(feed_forward, first=_without_bias),
    ),
    Mistake(
        "b1 is added for every product",
        "The first bias is added several times. Add the products first, then add b1[j] once.",
        1,
        partial(feed_forward, first=_bias_for_every_product),
    ),
    Mistake(
        "rows of W1 instead of columns",
        "Hidden number j belongs to column j of W1: use W1[i][j] for every i. In numpy, write X @ W1 without .T.",
        1,
        partial(feed_forward, first=_rows_for_columns),
        (
            partial(feed_forward, first=_rows_for_columns_by_index),
            partial(feed_forward, first=_rows_for_columns_in_arrays),
            partial(feed_forward, first=_rows_for_columns_by_index, second=_rows_for_columns_by_index),
            partial(feed_forward, first=_rows_for_columns_in_arrays, second=_rows_for_columns_in_arrays),
        ),
    ),
    Mistake(
        "X and W1 have changed places",
        "In numpy, W1 @ X uses the columns of X. Write X @ W1: each row of X with each column of W1.",
        1,
        _first_table_in_front,
    ),
    Mistake(
        "a square W1 is turned",
        "Tables with as many rows as columns are read the wrong way. Always use the columns of W1, without trying out.",
        1,
        partial(feed_forward, first=_rows_where_square),
    ),
    Mistake(
        "the last number of each token is left out",
        "The dot product stops one number too early. Multiply and add all numbers of the row.",
        1,
        partial(feed_forward, first=_last_left_out),
    ),
    Mistake(
        "the hidden numbers are rounded",
        "Your hidden numbers are cut to three decimals, so the answer is not exact enough. Do not round on the way.",
        1,
        partial(feed_forward, first=_rounded_to(3)),
        (partial(feed_forward, first=_rounded_to(2)),),
    ),
    Mistake(
        "floats of 32 bits",
        "float32 keeps about 7 digits, so large numbers lose their decimals. Use dtype=float.",
        1,
        partial(feed_forward, first=_single),
    ),
    Mistake(
        "the first layer writes into b1",
        "Your sums are collected in b1, so the next token starts with them. Make a new list for each token.",
        1,
        partial(feed_forward, first=_into_the_bias),
    ),
    Mistake(
        "a table for 16 hidden numbers",
        "After 16 hidden numbers the others are left out. Take the hidden width from b1 or W1.",
        1,
        partial(feed_forward, first=_only_16),
    ),
    Mistake(
        "the hidden numbers of the first token are used for all",
        "All your rows are alike. Start with a new, empty list of hidden numbers for each token.",
        1,
        _hidden_not_emptied,
    ),
    Mistake(
        "the mean of all tokens",
        "Your tokens are mixed. Send each row of X through the layer on its own.",
        1,
        _mean_of_all_tokens,
    ),
    Mistake(
        "the two layers have changed places",
        "You use W2 and b2 first. Start with W1 and b1.",
        1,
        _tables_swapped,
    ),
    Mistake(
        "rows of zeros are skipped",
        "A row of zeros still gets an answer, because of the biases. Send it through all three steps.",
        1,
        _zero_rows_skipped,
    ),
    # Step 2: the curve
    Mistake(
        "no curve",
        "There is no GELU between your two layers. Bend each hidden number before the second layer.",
        2,
        *_curve(_same),
    ),
    Mistake(
        "ReLU instead of GELU",
        "Negative hidden numbers became exactly 0. Use the GELU formula, which goes a little below 0.",
        2,
        *_curve(_relu),
    ),
    Mistake(
        "the GELU formula with erf",
        "Two formulas are called GELU, and these are the numbers of the other one. Use the formula with tanh.",
        2,
        *_curve(_exact_gelu),
    ),
    Mistake(
        "GELU by a sigmoid",
        "This is a rougher curve, h times sigmoid of 1.702 h. Use the formula with tanh.",
        2,
        *_curve(lambda h: h * _sigmoid(1.702 * h)),
    ),
    Mistake(
        "SiLU instead of GELU",
        "This curve is h times sigmoid of h. Use the GELU formula of step 2.",
        2,
        *_curve(lambda h: h * _sigmoid(h)),
    ),
    Mistake(
        "tanh instead of GELU",
        "tanh is only one part of GELU. Add 1 to it, then multiply by 0.5 and by h.",
        2,
        *_curve(math.tanh, lambda h: math.tanh(_inner(h))),
    ),
    Mistake(
        "a sigmoid instead of GELU",
        "Your bent numbers lie between 0 and 1: this is a sigmoid. Use the GELU formula of step 2.",
        2,
        *_curve(_sigmoid),
    ),
    Mistake(
        "a part of negative numbers is kept",
        "Negative hidden numbers are multiplied by a small number (leaky ReLU). Use the GELU formula.",
        2,
        *_curve(lambda h: max(0.01 * h, h), lambda h: max(0.1 * h, h)),
    ),
    Mistake(
        "the square instead of the cube",
        "You use h * h. The formula has h ** 3, which is h * h * h.",
        2,
        *_curve(lambda h: 0.5 * h * (1 + math.tanh(_SCALE * (h + _CUBE * h**2)))),
    ),
    Mistake(
        "three times h instead of the cube",
        "You multiply h by 3. The formula has h ** 3, which is h * h * h.",
        2,
        *_curve(lambda h: 0.5 * h * (1 + math.tanh(_SCALE * (h + _CUBE * h * 3)))),
    ),
    Mistake(
        "the cube of the product",
        "The 0.044715 is raised to the power 3 too. Raise only h: 0.044715 * h ** 3.",
        2,
        *_curve(lambda h: 0.5 * h * (1 + math.tanh(_SCALE * (h + (_CUBE * h) ** 3)))),
    ),
    Mistake(
        "the part with the cube is left out",
        "The part 0.044715 * h ** 3 is missing. Add it to h inside the tanh.",
        2,
        *_curve(_gelu_with(cube=0)),
    ),
    Mistake(
        "h is not added to the cube",
        "Inside the tanh you have only the part with the cube. Add h to it.",
        2,
        *_curve(lambda h: 0.5 * h * (1 + math.tanh(_SCALE * _CUBE * h**3))),
    ),
    Mistake(
        "the brackets inside tanh",
        "The square root of 2 / pi multiplies h only. It must multiply the whole sum: put brackets around the sum.",
        2,
        *_curve(lambda h: 0.5 * h * (1 + math.tanh(_SCALE * h + _CUBE * h**3))),
    ),
    Mistake(
        "no square root",
        "You multiply by 2 / pi. Multiply by the square root of 2 / pi.",
        2,
        *_curve(_gelu_with(scale=2 / math.pi)),
    ),
    Mistake(
        "the square root of 2, divided by pi",
        "You take the root of 2 and then divide by pi. Divide first: math.sqrt(2 / math.pi).",
        2,
        *_curve(_gelu_with(scale=math.sqrt(2) / math.pi)),
    ),
    Mistake(
        "the square root of pi / 2",
        "The fraction is upside down. It is math.sqrt(2 / math.pi).",
        2,
        *_curve(_gelu_with(scale=math.sqrt(math.pi / 2))),
    ),
    Mistake(
        "the square root is left out",
        "The factor in front of the bracket is missing. Multiply by math.sqrt(2 / math.pi) inside the tanh.",
        2,
        *_curve(_gelu_with(scale=1)),
    ),
    Mistake(
        "a root of the whole bracket",
        "A square root of a negative number does not exist. Take the root of 2 / pi only, then multiply.",
        2,
        *_curve(_root_of_the_bracket, _root_of_the_bracket_in_arrays),
    ),
    Mistake(
        "1 is not added to tanh",
        "The 1 in front of the tanh is missing. It is 0.5 * h * (1 + tanh).",
        2,
        *_curve(lambda h: 0.5 * h * math.tanh(_inner(h))),
    ),
    Mistake(
        "1 is subtracted from tanh",
        "The sign is turned round. It is 0.5 * h * (1 + tanh).",
        2,
        *_curve(lambda h: 0.5 * h * (1 - math.tanh(_inner(h)))),
    ),
    Mistake(
        "the brackets around 1 + tanh",
        "Only the 1 is multiplied by 0.5 * h. Put brackets around 1 + tanh.",
        2,
        *_curve(lambda h: 0.5 * h * 1 + math.tanh(_inner(h))),
    ),
    Mistake(
        "the factor 0.5 is left out",
        "Your bent numbers are twice too large. Multiply by 0.5.",
        2,
        *_curve(lambda h: 2 * _gelu(h)),
    ),
    Mistake(
        "the factor h is left out",
        "Your bent numbers lie between 0 and 1. Multiply by h too: 0.5 * h * (1 + tanh).",
        2,
        *_curve(lambda h: 0.5 * (1 + math.tanh(_inner(h)))),
    ),
    Mistake(
        "0.0447 instead of 0.044715",
        "A constant is rounded, and a large second table shows it. Write 0.044715.",
        2,
        *_curve(_gelu_with(cube=0.0447), _gelu_with(cube=0.04471), _gelu_with(cube=0.04472), _gelu_with(cube=0.045)),
    ),
    Mistake(
        "0.8 in place of the square root",
        "The square root of 2 / pi is not exactly 0.8. Write math.sqrt(2 / math.pi).",
        2,
        *_curve(_gelu_with(scale=0.8)),
    ),
    Mistake(
        "0.7979 in place of the square root",
        "A constant is rounded, and a large second table shows it. Write math.sqrt(2 / math.pi).",
        2,
        *_curve(_gelu_with(scale=0.7979), _gelu_with(scale=0.79788), _gelu_with(scale=0.798)),
    ),
    Mistake(
        "3.14 in place of pi",
        "A constant is rounded. Write math.pi, or np.pi.",
        2,
        *_curve(_gelu_with(scale=math.sqrt(2 / 3.14)), _gelu_with(scale=math.sqrt(2 / 3.1416))),
    ),
    Mistake(
        "the curve ends at 4",
        "Beyond 4 and -4 you take h or 0, but the curve is not quite there. Use the formula for every number.",
        2,
        *_curve(_cut(4), _cut(4.5)),
    ),
    Mistake(
        "the curve ends at 3",
        "Beyond 3 and -3 you take h or 0, but the curve is not quite there. Use the formula for every number.",
        2,
        *_curve(_cut(3)),
    ),
    Mistake(
        "hidden numbers are kept below 100",
        "Hidden numbers above 100 were cut. math.tanh can take any number, so leave them as they are.",
        2,
        *_curve(_kept_within(100), _kept_within(500)),
    ),
    Mistake(
        "hidden numbers are kept below 20",
        "Hidden numbers above 20 were cut. math.tanh can take any number, so leave them as they are.",
        2,
        *_curve(_kept_within(20), _kept_within(10)),
    ),
    Mistake(
        "tanh out of exp overflows",
        "You built tanh out of exp, and exp overflows for large numbers. Use math.tanh, or np.tanh.",
        2,
        *_curve(
            _tanh_by_exp,
            _tanh_by_exp_twice,
            _tanh_by_exp_minus,
            _in_arrays(_tanh_by_exp),
            _in_arrays(_tanh_by_exp_twice),
            _in_arrays(_tanh_by_exp_minus),
        ),
    ),
    Mistake(
        "0 where exp overflows",
        "A large hidden number became 0 because exp overflowed. Use math.tanh, or np.tanh, without try.",
        2,
        *_curve(_zero_on_overflow),
    ),
    Mistake(
        "the curve comes before the first layer",
        "GELU is used on the tokens. Use it on the hidden numbers, between the two layers.",
        2,
        _curve_before_the_first_layer,
    ),
    Mistake(
        "decimals of the bent numbers are cut off",
        "An array made from whole numbers cannot hold the decimals of the bent numbers. Use dtype=float.",
        2,
        _whole_hidden,
    ),
    # Step 3: the second linear layer
    Mistake(
        "GELU after the second layer too",
        "The output is bent once more. There is no curve after the second layer.",
        3,
        partial(feed_forward, after=lambda _x, row: list(map(_gelu, row))),
    ),
    Mistake(
        "GELU only after the second layer",
        "The curve stands behind both layers. It belongs between them.",
        2,
        partial(feed_forward, bend=_same, after=lambda _x, row: list(map(_gelu, row))),
    ),
    Mistake(
        "b2 is left out",
        "These are the numbers without the second bias. Add b2[c] to output number c.",
        3,
        partial(feed_forward, second=_without_bias),
    ),
    Mistake(
        "b2 is added for every product",
        "The second bias is added several times. Add the products first, then add b2[c] once.",
        3,
        partial(feed_forward, second=_bias_for_every_product),
    ),
    Mistake(
        "rows of W2 instead of columns",
        "Output number c belongs to column c of W2: use W2[j][c] for every j. In numpy, write @ W2 without .T.",
        3,
        partial(feed_forward, second=_rows_for_columns),
        (
            partial(feed_forward, second=_rows_for_columns_by_index),
            partial(feed_forward, second=_rows_for_columns_in_arrays),
        ),
    ),
    Mistake(
        "the bent numbers and W2 have changed places",
        "In numpy, the bent numbers come first. Write them, then @ W2: each row of them with each column of W2.",
        3,
        _second_table_in_front,
    ),
    Mistake(
        "a square W2 is turned",
        "Tables with as many rows as columns are read the wrong way. Always use the columns of W2, without trying out.",
        3,
        partial(feed_forward, second=_rows_where_square),
    ),
    Mistake(
        "the last hidden number is left out",
        "The second layer stops one hidden number too early. Multiply and add all of them.",
        3,
        partial(feed_forward, second=_last_left_out),
    ),
    Mistake(
        "the second layer writes into b2",
        "Your sums are collected in b2, so the next token starts with them. Make a new list for each token.",
        3,
        partial(feed_forward, second=_into_the_bias),
    ),
    Mistake(
        "the input is added to the output",
        "The token itself is added at the end. This comes in lesson 11; here, return the row of step 3 alone.",
        3,
        partial(feed_forward, after=lambda x, row: [a + b for a, b in zip(x, row, strict=False)]),
    ),
    Mistake(
        "the second layer is missing",
        "You return the bent numbers. Send them through W2 and b2.",
        3,
        _hidden_only,
    ),
    Mistake(
        "the rows are added up from token to token",
        "The output of one token is part of the next one. Start each output row with an empty list.",
        3,
        _output_not_emptied,
    ),
    Mistake(
        "only the first token",
        "Your answer stops after the first token. Move the return out of the loop.",
        3,
        _changing(lambda rows: rows[:1]),
    ),
    Mistake(
        "only the last token",
        "Your answer holds the last token only. Collect the rows of all tokens in a list.",
        3,
        _changing(lambda rows: rows[-1:]),
        (_changing(lambda rows: rows[-1]),),
    ),
    Mistake(
        "a table for 16 tokens",
        "After 16 tokens the others are left out. Take the number of tokens from X.",
        3,
        _changing(lambda rows: rows[:16]),
    ),
    Mistake(
        "the answer is turned",
        "Your answer has one row per column. It needs one row per token.",
        3,
        _changing(_columns),
    ),
    Mistake(
        "one flat list",
        "All numbers stand in one list. Make one row per token: append each row instead of extending the list.",
        3,
        _changing(lambda rows: [number for row in rows for number in row]),
    ),
    Mistake(
        "a side of length 1 is lost",
        "With one token or one column your answer is a flat list. Return rows even then, without np.squeeze.",
        3,
        _changing(_squeezed),
    ),
    Mistake(
        "one list too many",
        "Your rows are inside one more list or tuple. A comma at the end of the return line does this.",
        3,
        _changing(lambda rows: [rows]),
    ),
    Mistake(
        "rounded to two decimals",
        "Your numbers are cut to two decimals. Return them as they are, without round.",
        3,
        _rounded(2),
    ),
    Mistake(
        "rounded to three decimals",
        "Your numbers are cut to three decimals, and that is not exact enough. Return them without round.",
        3,
        _rounded(3),
    ),
    Mistake(
        "whole numbers only",
        "The decimals are cut off: an array made from whole numbers cannot hold them. Use dtype=float.",
        3,
        _whole_like_tokens,
    ),
    # Between calls: the rows are right, but only in a first call
    Mistake(
        "the output is written into X",
        "Your function writes into X, so a second call starts with other numbers. Make a new list.",
        3,
        _into_the_tokens,
    ),
    Mistake(
        "a bias is put into the inputs",
        "Your function appends to X and W1, so a second call finds other sizes. Work on copies, or add b1 at the end.",
        1,
        _bias_as_a_row,
    ),
    Mistake(
        "W1 is turned in place",
        "Your function turns W1 itself, so a second call finds it turned. Make a new list for the columns.",
        1,
        _turned_in_place,
    ),
    Mistake(
        "an old answer is given again for the same X",
        "Your function remembers an answer and looks only at X. Compute each call from all five inputs.",
        3,
        _remembering(lambda X, _W1, _b1, _W2, _b2: repr(X)),
    ),
    Mistake(
        "an old answer is given again for the same shapes",
        "Your function remembers an answer and looks only at the sizes. Compute each call from all five inputs.",
        3,
        _remembering(lambda X, W1, _b1, _W2, _b2: (len(X), len(W1), len(W1[0]))),
    ),
    Mistake(
        "an old answer is given again for the same tables",
        "Your function remembers an answer and looks only at X and the tables. The biases can be others.",
        3,
        _remembering(lambda X, W1, _b1, W2, _b2: repr((X, W1, W2))),
    ),
)
