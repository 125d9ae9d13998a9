"""Lesson 09, attention: the wrong solutions behind the known mistakes.

Each is attention that is wrong in one way: one of the four steps is replaced, the others are right.
"""

# ruff: noqa: D103  # the names say what each does
# ruff: noqa: FBT001  # `causal` is a positional bool in every `solve` of this lesson

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from operator import mul

from autograder.lesson import Solve
from autograder.lessons.common_mistakes import (
    LONG_LIMIT,
    Matrix,
    Row,
    exps_of,
    identity,
    shares_of,
    softmax_of,
    turned,
)

Visible = Callable[[int, int, bool], Sequence[int]]  # query number, number of keys, causal -> key numbers
Score = Callable[[Row, Row], float]  # one query, one key
Weigh = Callable[[Row, int], Row]  # the scores, how many keys the query may use
Mix = Callable[[Row, Matrix], Row]  # the weights, the value rows they belong to


def _visible(i: int, keys: int, causal: bool) -> Sequence[int]:
    return range(min(i + 1, keys)) if causal else range(keys)


def every_key(_i: int, keys: int, _causal: bool) -> Sequence[int]:
    return range(keys)


def dot(q: Iterable[float], k: Iterable[float]) -> float:
    total: float = sum(map(mul, q, k))
    return total


def right_score(q: Row, k: Row) -> float:
    return dot(q, k) / math.sqrt(len(q))


def _right_weights(scores: Row, _count: int) -> Row:
    return softmax_of(scores)


def to_length_1(parts: Row) -> Row:
    length = math.hypot(*parts)
    return [part / length for part in parts]


def right_mix(weights: Row, values: Matrix) -> Row:
    return [dot(weights, column) for column in zip(*values, strict=True)]


def attend(  # noqa: PLR0913  # one argument per input and one per step
    Q: Matrix,
    K: Matrix,
    V: Matrix,
    causal: bool,
    *,
    visible: Visible = _visible,
    score: Score = right_score,
    weigh: Weigh = _right_weights,
    mix: Mix = right_mix,
) -> Matrix:
    """Compute attention with the four steps given: choose keys, score them, weigh them, mix the values."""
    output = []
    for i, q in enumerate(Q):
        chosen = visible(i, len(K), causal)
        weights = weigh([score(q, K[j]) for j in chosen], i + 1 if causal else len(K))
        output.append(mix(weights, [V[j] for j in chosen]))
    return output


def first_row_without_keys(Q: Matrix, K: Matrix, V: Matrix, causal: bool) -> Matrix:
    """Hide a query's own key in a numpy table: the row of query 0 holds minus infinity only, and comes to nan."""
    if not causal:
        return attend(Q, K, V, causal)
    rows = attend(Q[1:], K, V, causal)
    return [[math.nan] * len(V[0]), *rows]


def scaled(scale: Callable[[Matrix, Matrix, Matrix], float]) -> Solve:
    """Divide every dot product by a number taken from the shapes of Q, K and V."""

    def solve(Q: Matrix, K: Matrix, V: Matrix, causal: bool) -> Matrix:
        divisor = scale(Q, K, V)
        return attend(Q, K, V, causal, score=lambda q, k: dot(q, k) / divisor)

    return solve


def replaced(hide: Callable[[float], float]) -> Solve:
    """Keep the later keys and only change their scores before the softmax."""
    return partial(
        attend,
        visible=every_key,
        weigh=lambda scores, count: softmax_of(scores[:count] + [hide(score) for score in scores[count:]]),
    )


def zeroed(weights: Row, count: int) -> Row:
    return weights[:count] + [0.0] * len(weights[count:])


def tabled(weigh: Callable[[Matrix], Matrix]) -> Solve:
    """Weigh the whole table of scores at once; a hidden score is minus infinity there."""

    def solve(Q: Matrix, K: Matrix, V: Matrix, causal: bool) -> Matrix:
        table = [
            [right_score(q, k) if not causal or j <= i else -math.inf for j, k in enumerate(K)] for i, q in enumerate(Q)
        ]
        return [right_mix(weights, V) for weights in weigh(table)]

    return solve


def tops_of_other_rows(table: Matrix) -> Matrix:
    """Subtract the largest score of row j from column j, as numpy does without `keepdims`."""
    tops = [max(row) for row in table]
    return [shares_of([math.exp(s - top) for s, top in zip(row, tops, strict=True)]) for row in table]


def capped_exps(scores: Row, _count: int) -> Row:
    return shares_of(exps_of([min(score, 700) for score in scores]))


def log_softmax(scores: Row, _count: int) -> Row:
    top = max(scores)
    log_total = top + math.log(sum(exps_of(scores, top)))
    return [score - log_total for score in scores]


def scaled_too_late(Q: Matrix, K: Matrix, V: Matrix, causal: bool) -> Matrix:
    rows = attend(Q, K, V, causal, score=dot)
    return [[number / math.sqrt(len(Q[0])) for number in row] for row in rows]


def cosine(q: Row, k: Row) -> float:
    return dot(q, k) / ((math.hypot(*q) * math.hypot(*k)) or 1.0)


def first_query_only(i: int, keys: int, causal: bool) -> Sequence[int]:
    return range(1) if causal and i == 0 else range(keys)


def lined_up_at_the_end(Q: Matrix, K: Matrix, V: Matrix, causal: bool) -> Matrix:
    more = len(K) - len(Q)
    return attend(Q, K, V, causal, visible=lambda i, keys, causal: range(i + 1 + more if causal else keys))


def as_many_keys_as_queries(Q: Matrix, K: Matrix, V: Matrix, causal: bool) -> Matrix:
    return attend(Q, K, V, causal, visible=lambda i, _keys, causal: range(i + 1 if causal else len(Q)))


def keys_as_queries(Q: Matrix, K: Matrix, V: Matrix, causal: bool) -> Matrix:
    return attend([K[i] for i in range(len(Q))], K, V, causal)


def queries_as_keys(Q: Matrix, K: Matrix, V: Matrix, causal: bool) -> Matrix:
    return attend(Q, [Q[j] for j in range(len(K))], V, causal)


def scores_turned(Q: Matrix, K: Matrix, V: Matrix, causal: bool) -> Matrix:
    return attend(K, Q, V, causal)


def scales_q_in_place(Q: Matrix, K: Matrix, V: Matrix, causal: bool) -> Matrix:
    for q in Q:
        q[:] = [number / math.sqrt(len(q)) for number in q]
    return attend(Q, K, V, causal, score=dot)


def uses_up_the_keys(Q: Matrix, K: Matrix, V: Matrix, causal: bool) -> Matrix:
    rows = attend(Q, K, V, causal)
    if causal:
        K.clear()
        V.clear()
    return rows


def hidden_ones_only(Q: Matrix, K: Matrix, V: Matrix, causal: bool) -> Matrix:
    if not causal:
        return attend(Q, K, V, causal)
    last = [[math.nan] * len(V[0]) for i in range(len(Q)) if i + 1 >= len(K)]  # a query for which none is left
    return attend(Q[: len(Q) - len(last)], K, V, causal, visible=lambda i, keys, _: range(i + 1, keys)) + last


def key_columns(Q: Matrix, K: Matrix, V: Matrix, causal: bool) -> Matrix:
    """Multiply Q and K without turning K: rows meet columns, which only a square K lets them."""
    if len(K) != len(K[0]):
        message = "shapes do not fit"
        raise ValueError(message)
    return attend(Q, turned(K), V, causal)


def _columns_as_rows(weights: Row, values: Matrix) -> Row:
    """Mix the columns of V as if they were its rows, as `weights @ V.T` does."""
    return [sum(w * number for w, number in zip(weights, row, strict=True)) for row in values]


def whole_table_turned(Q: Matrix, K: Matrix, V: Matrix, causal: bool) -> Matrix:
    rows = attend(Q, K, identity(len(V)), causal)
    if len(V) != len(V[0]):
        message = "shapes do not fit"
        raise ValueError(message)
    return [_columns_as_rows(weights, V) for weights in rows]


def up_to_long_double(scores: Row, _count: int) -> Row:
    if abs(max(scores)) > LONG_LIMIT:
        return [math.nan for _ in scores]
    return softmax_of(scores)


def table_of_16(i: int, keys: int, causal: bool) -> Sequence[int]:
    return _visible(i, min(keys, 16), causal)


def swapped_mix(weights: Row, values: Matrix) -> Row:
    return [dot(weights, [values[column][j] for j in range(len(weights))]) for column in range(len(values[0]))]
