"""Lesson 06, feed_forward: the wrong solutions behind the known mistakes.

Each is the feed-forward layer that is wrong in one way: one of the three steps is replaced, the others are right.
"""

# ruff: noqa: D103  # the names say what each does

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from itertools import accumulate
from typing import Final

from autograder.lesson import Solve
from autograder.lessons.common_mistakes import Matrix, Row, flattened, in_32_bits, is_whole, mean_of, turned

Linear = Callable[[Row, Matrix, Row], Row]  # one row, a table, a bias
Bend = Callable[[float], float]
After = Callable[[Row, Row], Row]  # the token, its output row

SCALE: Final = math.sqrt(2 / math.pi)
CUBE: Final = 0.044715


def _dot(a: Row, b: Row) -> float:
    return float(sum(x * w for x, w in zip(a, b, strict=False)))


def _linear(row: Row, table: Matrix, bias: Row) -> Row:
    """Send a row through a linear layer. What does not fit is left out, as `zip` does it."""
    return [_dot(row, column) + b for column, b in zip(turned(table), bias, strict=False)]


def without_bias(row: Row, table: Matrix, _bias: Row) -> Row:
    return [_dot(row, column) for column in turned(table)]


def bias_for_every_product(row: Row, table: Matrix, bias: Row) -> Row:
    return [_dot(row, column) + b * len(row) for column, b in zip(turned(table), bias, strict=False)]


def rows_for_columns(row: Row, table: Matrix, bias: Row) -> Row:
    return _linear(row, turned(table), bias)


def rows_for_columns_by_index(row: Row, table: Matrix, bias: Row) -> Row:
    """Write `table[j][i]` for `table[i][j]`: where the table is not square, a row or a column is not there."""
    return [sum(row[i] * table[j][i] for i in range(len(row))) + bias[j] for j in range(len(bias))]


def rows_for_columns_in_arrays(row: Row, table: Matrix, bias: Row) -> Row:
    """Multiply with the turned table, where numpy finds that the shapes fit."""
    _check_sizes(len(table[0]), len(row))
    return rows_for_columns(row, table, bias)


def _check_sizes(ahead: int, behind: int) -> None:
    """Raise numpy's error for two tables whose sizes do not fit."""
    if ahead != behind:
        sizes = f"with gufunc signature (n?,k),(k,m?)->(n?,m?) (size {ahead} is different from {behind})"
        message = f"matmul: Input operand 1 has a mismatch in its core dimension 0, {sizes}"
        raise ValueError(message)


def rows_where_square(row: Row, table: Matrix, bias: Row) -> Row:
    return rows_for_columns(row, table, bias) if len(table) == len(table[0]) else _linear(row, table, bias)


def last_left_out(row: Row, table: Matrix, bias: Row) -> Row:
    return _linear(row[:-1], table, bias)


def rounded_to(digits: int) -> Linear:
    return lambda row, table, bias: [round(number, digits) for number in _linear(row, table, bias)]


def single(row: Row, table: Matrix, bias: Row) -> Row:
    """Round the results to 32 bits."""
    return [in_32_bits(number) for number in _linear(row, table, bias)]


def as_wide_as_the_row(row: Row, table: Matrix, bias: Row) -> Row:
    """Count the columns with the length of the row: where it is longer than the bias, a column is not there."""
    return [_dot(row, [line[j] for line in table]) + bias[j] for j in range(len(row))]


def sum_not_emptied(row: Row, table: Matrix, bias: Row) -> Row:
    return [total + b for total, b in zip(_running_dots([row], table), bias, strict=False)]


def sum_with_bias_not_emptied(row: Row, table: Matrix, bias: Row) -> Row:
    return list(accumulate(_linear(row, table, bias)))


def _running_dots(rows: Matrix, table: Matrix) -> Iterator[float]:
    return accumulate(_dot(row, column) for row in rows for column in turned(table))


def into_the_bias(row: Row, table: Matrix, bias: Row) -> Row:
    bias[:] = _linear(row, table, bias)
    return list(bias)


def only_16(row: Row, table: Matrix, bias: Row) -> Row:
    return _linear(row, table, bias)[:16]


def gelu(h: float) -> float:
    """Compute GELU by the formula with tanh."""
    return gelu_with()(h)


def gelu_with(scale: float = SCALE, cube: float = CUBE) -> Bend:
    """Make the curve with other constants."""
    return lambda h: 0.5 * h * (1 + math.tanh(scale * (h + cube * h**3)))


def inner(h: float) -> float:
    return SCALE * (h + CUBE * h**3)


def root_of_the_bracket(h: float) -> float:
    return 0.5 * h * (1 + math.tanh(math.sqrt(2 / math.pi * (h + CUBE * h**3))))


def root_of_the_bracket_in_arrays(h: float) -> float:
    """Give nan where lists stop with an error, as numpy does."""
    return root_of_the_bracket(h) if h >= 0 else math.nan


def exact_gelu(h: float) -> float:
    """Compute GELU by the other formula, with erf."""
    return 0.5 * h * (1 + math.erf(h / math.sqrt(2)))


def relu(h: float) -> float:
    """Raise numbers below 0 to 0."""
    return max(0.0, h)


def same(h: float) -> float:
    return h


def cut(limit: float) -> Bend:
    """Do without the formula beyond a limit, too early."""
    return lambda h: gelu(h) if abs(h) <= limit else relu(h)


def kept_within(limit: float) -> Bend:
    return lambda h: gelu(max(-limit, min(limit, h)))


def tanh_by_exp(h: float) -> float:
    """Build tanh out of exp(x) and exp(-x), which overflow for large numbers."""
    up, down = math.exp(inner(h)), math.exp(-inner(h))
    return 0.5 * h * (1 + (up - down) / (up + down))


def tanh_by_exp_twice(h: float) -> float:
    power = math.exp(2 * inner(h))
    return 0.5 * h * (1 + (power - 1) / (power + 1))


def tanh_by_exp_minus(h: float) -> float:
    power = math.exp(-2 * inner(h))
    return 0.5 * h * (1 + (1 - power) / (1 + power))


def in_arrays(bend: Bend) -> Bend:
    """Give nan where lists stop with an overflow, as numpy does."""

    def bend_in_arrays(h: float) -> float:
        try:
            return bend(h)
        except OverflowError:
            return math.nan

    return bend_in_arrays


def zero_on_overflow(h: float) -> float:
    try:
        return tanh_by_exp(h)
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
    bend: Bend = gelu,
    second: Linear = _linear,
    after: After = _as_it_is,
) -> Matrix:
    """Send every token through the layer, with the three steps given and something done to the output row."""
    return [after(x, second([bend(h) for h in first(x, W1, b1)], W2, b2)) for x in X]


def curve(bend: Bend, *also: Bend) -> tuple[Solve, tuple[Solve, ...]]:
    """Replace the curve, and perhaps by others that are the same mistake."""
    return partial(feed_forward, bend=bend), tuple(partial(feed_forward, bend=other) for other in also)


def tables_swapped(X: Matrix, W1: Matrix, b1: Row, W2: Matrix, b2: Row) -> Matrix:
    return feed_forward(X, W2, b2, W1, b1)


def first_table_in_front(X: Matrix, W1: Matrix, b1: Row, W2: Matrix, b2: Row) -> Matrix:
    """Write W1 @ X in numpy, which fits where there are as many tokens as columns of W1."""
    _check_sizes(len(X), len(b1))
    return feed_forward(W1, X, b1, W2, b2)


def second_table_in_front(X: Matrix, W1: Matrix, b1: Row, W2: Matrix, b2: Row) -> Matrix:
    """Write W2 @ bent in numpy, which fits where there are as many tokens as columns of W2."""
    _check_sizes(len(X), len(b2))
    bent = hidden_only(X, W1, b1, W2, b2)
    return [_linear(row, bent, b2) for row in W2]


def curve_before_the_first_layer(X: Matrix, W1: Matrix, b1: Row, W2: Matrix, b2: Row) -> Matrix:
    return feed_forward([[gelu(number) for number in x] for x in X], W1, b1, W2, b2, bend=same)


def hidden_only(X: Matrix, W1: Matrix, b1: Row, _W2: Matrix, _b2: Row) -> Matrix:
    return [[gelu(h) for h in _linear(x, W1, b1)] for x in X]


def sum_not_emptied_for_a_token(X: Matrix, W1: Matrix, b1: Row, W2: Matrix, b2: Row) -> Matrix:
    """Set the sum to 0 once, before the loop over the tokens."""
    totals = _running_dots(X, W1)
    hidden = [[next(totals) + b for b in b1] for _ in X]
    return [_linear(list(map(gelu, row)), W2, b2) for row in hidden]


def hidden_not_emptied(X: Matrix, W1: Matrix, b1: Row, W2: Matrix, b2: Row) -> Matrix:
    """Let the list of hidden numbers grow from token to token, so that its beginning stays that of the first."""
    return [feed_forward(X[:1], W1, b1, W2, b2)[0] for _ in X]


def mean_of_all_tokens(X: Matrix, W1: Matrix, b1: Row, W2: Matrix, b2: Row) -> Matrix:
    mean = [mean_of(column) for column in turned(X)]
    return feed_forward([mean for _ in X], W1, b1, W2, b2)


def zero_rows_skipped(X: Matrix, W1: Matrix, b1: Row, W2: Matrix, b2: Row) -> Matrix:
    rows = feed_forward(X, W1, b1, W2, b2)
    return [row if any(x) else [0.0] * len(b2) for x, row in zip(X, rows, strict=True)]


def whole_hidden(X: Matrix, W1: Matrix, b1: Row, W2: Matrix, b2: Row) -> Matrix:
    """Write the bent numbers into an array of whole numbers, which cannot hold their decimals."""
    numbers = [*b1, *flattened(X), *flattened(W1)]
    whole = is_whole([numbers])
    return feed_forward(X, W1, b1, W2, b2, bend=(lambda h: int(gelu(h))) if whole else gelu)


def into_the_tokens(X: Matrix, W1: Matrix, b1: Row, W2: Matrix, b2: Row) -> Matrix:
    for x, row in zip(X, feed_forward(X, W1, b1, W2, b2), strict=True):
        x[:] = row
    return [list(x) for x in X]


def bias_as_a_row(X: Matrix, W1: Matrix, b1: Row, W2: Matrix, b2: Row) -> Matrix:
    """Put b1 below W1 and a 1 behind each token, and leave them there."""
    W1.append(b1)
    for x in X:
        x.append(1)
    return feed_forward(X, W1, [0.0] * len(b1), W2, b2)


def turned_in_place(X: Matrix, W1: Matrix, b1: Row, W2: Matrix, b2: Row) -> Matrix:
    """Turn W1 in place."""
    rows = feed_forward(X, W1, b1, W2, b2)
    W1[:] = turned(W1)
    return rows
