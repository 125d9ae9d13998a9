"""Lesson 10, multi-head attention: the wrong solutions behind the known mistakes.

Each is multi-head attention that is wrong in one way: one of the five steps is replaced, the others are right. How
attention itself can be wrong stands in `attention_wrong_solves.py`; what can still go wrong with it here is in step 3.
"""

# ruff: noqa: D103  # the names say what each does
# ruff: noqa: FBT001, PLR0913, PLR0917  # every `solve` of this lesson takes seven inputs, the last one a bool

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, cast

from autograder.lesson import Solve
from autograder.lessons.attention_wrong_solves import attend
from autograder.lessons.common_mistakes import Matrix, Row, identity, softmax_of, turned

Project = Callable[[Matrix, Sequence[Matrix]], Sequence[Matrix]]  # X and its three tables -> Q, K and V
Cut = Callable[[Matrix, int, int], Matrix]  # one of Q, K, V, the head's number, the number of heads
Run = Callable[[Matrix, Matrix, Matrix, bool, int, int], Matrix]  # q, k, v, causal, the head's number, the number
Join = Callable[[list[Matrix]], Matrix]  # the answers of the heads
Mix = Callable[[Matrix, Matrix, int], Matrix]  # the joined rows, W_o, the number of heads


def times(rows: Matrix, table: Matrix) -> Matrix:
    """Multiply each row by the table: (n_rows, n) times (n, n_columns)."""
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in turned(table)] for row in rows]


def _times_in_zip(rows: Matrix, table: Matrix) -> Matrix:
    """Multiply as `zip` does it: where rows and columns are not equally long, the rest is left out."""
    return [[sum(a * b for a, b in zip(row, column, strict=False)) for column in turned(table)] for row in rows]


def mix_in_zip(joined: Matrix, W_o: Matrix, _heads: int) -> Matrix:
    return _times_in_zip(joined, W_o)


def project_all(X: Matrix, tables: Sequence[Matrix]) -> Sequence[Matrix]:
    return [times(X, table) for table in tables]


def cut_columns(table: Matrix, head: int, heads: int) -> Matrix:
    width = len(table[0]) // heads
    return [row[head * width : (head + 1) * width] for row in table]


def _run(q: Matrix, k: Matrix, v: Matrix, causal: bool, _head: int, _heads: int) -> Matrix:
    return attend(q, k, v, causal)


def join_heads(parts: list[Matrix]) -> Matrix:
    return [list(chain(*rows)) for rows in zip(*parts, strict=True)]


def _mix(joined: Matrix, W_o: Matrix, _heads: int) -> Matrix:
    return times(joined, W_o)


def multi_head(
    X: Matrix,
    W_q: Matrix,
    W_k: Matrix,
    W_v: Matrix,
    W_o: Matrix,
    heads: int,
    causal: bool,
    *,
    project: Project = project_all,
    cut: Cut = cut_columns,
    run: Run = _run,
    join: Join = join_heads,
    mix: Mix = _mix,
) -> Matrix:
    """Compute multi-head attention with the five steps given."""
    made = project(X, (W_q, W_k, W_v))
    parts = []
    for head in range(heads):
        q, k, v = (cut(table, head, heads) for table in made)
        parts.append(run(q, k, v, causal, head, heads))
    return mix(join(parts), W_o, heads)


def scored(divisor: Callable[[int, int], float]) -> Run:
    """Divide each dot product by a number made from the width of a head and the number of heads."""

    def run(q: Matrix, k: Matrix, v: Matrix, causal: bool, _head: int, heads: int) -> Matrix:
        scale = divisor(len(q[0]), heads)
        return attend(q, k, v, causal, score=lambda a, b: sum(x * y for x, y in zip(a, b, strict=True)) / scale)

    return run


def masked(choose: Callable[[bool, int], bool]) -> Run:
    """Use the mask where `choose` says so: from `causal` and the number of the head."""
    return lambda q, k, v, causal, head, _heads: attend(q, k, v, choose(causal, head))


def weighed(weigh: Callable[[Row], Row]) -> Run:
    """Turn the scores of a query into weights in another way."""
    return lambda q, k, v, causal, _head, _heads: attend(q, k, v, causal, weigh=lambda scores, _count: weigh(scores))


def as_run(solve: Solve) -> Run:
    """Let every head compute the attention of `solve`, which knows nothing of heads."""
    return lambda q, k, v, causal, _head, _heads: cast("Matrix", solve(q, k, v, causal))


def no_zeros(q: Matrix, k: Matrix, v: Matrix, causal: bool, head: int, heads: int) -> Matrix:
    """Hide every score that is 0, as if the mask had put the 0 there."""
    weigh = weighed(lambda scores: softmax_of([score if score or not causal else -math.inf for score in scores]))
    return weigh(q, k, v, causal, head, heads)


def mask_after(q: Matrix, k: Matrix, v: Matrix, causal: bool, _head: int, _heads: int) -> Matrix:
    """Weigh all keys, then set the weights of later ones to 0."""
    if not causal:
        return attend(q, k, v, causal)
    weights = attend(q, k, identity(len(k)), causal=False)
    return times([[w * (j <= i) for j, w in enumerate(row)] for i, row in enumerate(weights)], v)


def reshaped(table: Matrix, head: int, heads: int) -> Matrix:
    """Cut the flat list of all numbers into heads, as `reshape(heads, n, width)` does."""
    flat, rows, width = list(chain(*table)), len(table), len(table[0]) // heads
    mine = flat[head * rows * width : (head + 1) * rows * width]
    return [mine[at : at + width] for at in range(0, len(mine), width)]


def reshaped_back(parts: list[Matrix]) -> Matrix:
    """Put the heads below each other, then cut the flat list into rows."""
    flat, rows = list(chain(*chain(*parts))), len(parts[0])
    width = len(flat) // rows
    return [flat[at : at + width] for at in range(0, len(flat), width)]


def one_column_short(table: Matrix, head: int, heads: int) -> Matrix:
    return [row[:-1] for row in cut_columns(table, head, heads)]


def rows_cut(table: Matrix, head: int, heads: int) -> Matrix:
    """Cut rows in place of columns, as `Q[a:b]` does."""
    width = len(table[0]) // heads
    return table[head * width : (head + 1) * width]


def join_in_zip(parts: list[Matrix]) -> Matrix:
    return [list(chain(*rows)) for rows in zip(*parts, strict=False)]


def rows_cut_then_indexed(
    X: Matrix, W_q: Matrix, W_k: Matrix, W_v: Matrix, W_o: Matrix, heads: int, causal: bool
) -> Matrix:
    """Cut rows, then ask each head for the row of every token: most heads do not have it."""
    made = project_all(X, (W_q, W_k, W_v))
    parts = []
    for head in range(heads):
        q, k, v = (rows_cut(table, head, heads) for table in made)
        parts.append(_run(q, k, v, causal, head, heads))
    return times([list(chain(*(part[i] for part in parts))) for i in range(len(X))], W_o)


def second_for_the_rest(table: Matrix, head: int, heads: int) -> Matrix:
    return cut_columns(table, min(head, 1), heads)


def every_so_many(table: Matrix, head: int, heads: int) -> Matrix:
    return [row[head::heads] for row in table]


def number_as_width(X: Matrix, W_q: Matrix, W_k: Matrix, W_v: Matrix, W_o: Matrix, heads: int, causal: bool) -> Matrix:
    """Swap the two: as many heads as a head is wide, each as wide as there are heads."""
    return multi_head(X, W_q, W_k, W_v, W_o, len(X[0]) // heads, causal)


def all_turned(X: Matrix, W_q: Matrix, W_k: Matrix, W_v: Matrix, W_o: Matrix, heads: int, causal: bool) -> Matrix:
    return multi_head(X, turned(W_q), turned(W_k), turned(W_v), turned(W_o), heads, causal)


def reshaped_both(X: Matrix, W_q: Matrix, W_k: Matrix, W_v: Matrix, W_o: Matrix, heads: int, causal: bool) -> Matrix:
    return multi_head(X, W_q, W_k, W_v, W_o, heads, causal, cut=reshaped, join=reshaped_back)


def one_big_head(X: Matrix, W_q: Matrix, W_k: Matrix, W_v: Matrix, W_o: Matrix, _heads: int, causal: bool) -> Matrix:
    return multi_head(X, W_q, W_k, W_v, W_o, 1, causal)


def heads_meet(X: Matrix, W_q: Matrix, W_k: Matrix, W_v: Matrix, W_o: Matrix, heads: int, causal: bool) -> Matrix:
    """Let the heads of one token attend to each other; tokens never meet."""
    made = project_all(X, (W_q, W_k, W_v))
    width = len(X[0]) // heads
    joined = []
    for rows in zip(*made, strict=True):
        q, k, v = ([row[at : at + width] for at in range(0, len(row), width)] for row in rows)
        joined.append(list(chain(*attend(q, k, v, causal))))
    return times(joined, W_o)


def x_cut_first(X: Matrix, W_q: Matrix, W_k: Matrix, W_v: Matrix, W_o: Matrix, heads: int, causal: bool) -> Matrix:
    """Give each head only its own columns of X and its own square of each table."""
    parts = []
    for head in range(heads):
        width = len(X[0]) // heads
        own = slice(head * width, (head + 1) * width)
        tables = [[row[own] for row in table[own]] for table in (W_q, W_k, W_v)]
        q, k, v = project_all(cut_columns(X, head, heads), tables)
        parts.append(attend(q, k, v, causal))
    return times(join_heads(parts), W_o)


def weights_of_head_0(
    X: Matrix, W_q: Matrix, W_k: Matrix, W_v: Matrix, W_o: Matrix, heads: int, causal: bool
) -> Matrix:
    Q, K, V = project_all(X, (W_q, W_k, W_v))
    q, k = cut_columns(Q, 0, heads), cut_columns(K, 0, heads)
    return times(join_heads([attend(q, k, cut_columns(V, head, heads), causal) for head in range(heads)]), W_o)


def averaged(parts: list[Matrix]) -> Matrix:
    mean = [[sum(numbers) / len(parts) for numbers in zip(*rows, strict=True)] for rows in zip(*parts, strict=True)]
    return join_heads([mean] * len(parts))


def heads_added(parts: list[Matrix]) -> Matrix:
    total = [[sum(numbers) for numbers in zip(*rows, strict=True)] for rows in zip(*parts, strict=True)]
    return join_heads([total] * len(parts))


def side_by_side_by_column(parts: list[Matrix]) -> Matrix:
    """Take column 0 of every head, then column 1 of every head."""
    return [list(chain(*zip(*rows, strict=True))) for rows in zip(*parts, strict=True)]


def first_rows_of_w_o(joined: Matrix, W_o: Matrix, heads: int) -> Matrix:
    """Multiply every head by the first rows of W_o, and add the results."""
    width = len(W_o) // heads
    added = [[sum(row[at::width]) for at in range(width)] for row in joined]
    return times(added, W_o[:width])


def divided_by_heads(*arguments: Any) -> Matrix:  # noqa: ANN401  # tables, a number and a bool
    return [[number / arguments[5] for number in row] for row in multi_head(*arguments)]


def with_x(X: Matrix, *others: Any) -> Matrix:  # noqa: ANN401  # tables, a number and a bool
    answer = multi_head(X, *others)
    return [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(X, answer, strict=True)]


def joined_into_x(X: Matrix, W_q: Matrix, W_k: Matrix, W_v: Matrix, W_o: Matrix, heads: int, causal: bool) -> Matrix:
    """Write the joined rows into X itself."""
    for row, new in zip(X, multi_head(X, W_q, W_k, W_v, identity(len(W_o)), heads, causal), strict=True):
        row[:] = new
    return times(X, W_o)


def scaled_in_place(X: Matrix, W_q: Matrix, *others: Any) -> Matrix:  # noqa: ANN401  # tables, a number and a bool
    """Divide the numbers of W_q itself by the root of the head width."""
    root = math.sqrt(len(X[0]) // others[-2])
    for row in W_q:
        row[:] = [number / root for number in row]
    return multi_head(X, W_q, *others, run=scored(lambda _width, _heads: 1.0))
