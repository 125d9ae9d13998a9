"""Lesson 09, attention: the known mistakes.

Each is attention that is wrong in one way: one of the four steps is replaced, the others are right.
"""

# ruff: noqa: FBT001  # `causal` is a positional bool in every `solve` of this lesson

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import pairwise
from operator import add, mul
from typing import Final

from autograder.lesson import Mistake, Solve

Row = list[float]
Matrix = list[Row]
Visible = Callable[[int, int, bool], Sequence[int]]  # query number, number of keys, causal -> key numbers
Score = Callable[[Row, Row], float]  # one query, one key
Weigh = Callable[[Row, int], Row]  # the scores, how many keys the query may use
Mix = Callable[[Row, Matrix], Row]  # the weights, the value rows they belong to


def _visible(i: int, keys: int, causal: bool) -> Sequence[int]:
    return range(min(i + 1, keys)) if causal else range(keys)


def _every_key(_i: int, keys: int, _causal: bool) -> Sequence[int]:
    return range(keys)


def _dot(q: Iterable[float], k: Iterable[float]) -> float:
    total: float = sum(map(mul, q, k))
    return total


def _score(q: Row, k: Row) -> float:
    return _dot(q, k) / math.sqrt(len(q))


def _softmax(scores: Row, _count: int = 0) -> Row:
    return _shares(_exps(scores, max(scores)))


def _exps(scores: Row, top: float = 0.0) -> Row:
    return [math.exp(score - top) for score in scores]


def _to_length_1(parts: Row) -> Row:
    length = math.hypot(*parts)
    return [part / length for part in parts]


def _shares(parts: Row) -> Row:
    total = sum(parts)
    return [part / total for part in parts]


def _mix(weights: Row, values: Matrix) -> Row:
    return [_dot(weights, column) for column in zip(*values, strict=True)]


def attend(  # noqa: PLR0913  # one argument per input and one per step
    Q: Matrix,
    K: Matrix,
    V: Matrix,
    causal: bool,
    *,
    visible: Visible = _visible,
    score: Score = _score,
    weigh: Weigh = _softmax,
    mix: Mix = _mix,
) -> Matrix:
    """Compute attention with the four steps given: choose keys, score them, weigh them, mix the values."""
    output = []
    for i, q in enumerate(Q):
        chosen = visible(i, len(K), causal)
        weights = weigh([score(q, K[j]) for j in chosen], i + 1 if causal else len(K))
        output.append(mix(weights, [V[j] for j in chosen]))
    return output


def _scaled(scale: Callable[[Matrix, Matrix, Matrix], float]) -> Solve:
    """Divide every dot product by a number taken from the shapes of Q, K and V."""

    def solve(Q: Matrix, K: Matrix, V: Matrix, causal: bool) -> Matrix:
        divisor = scale(Q, K, V)
        return attend(Q, K, V, causal, score=lambda q, k: _dot(q, k) / divisor)

    return solve


def _replaced(hide: Callable[[float], float]) -> Solve:
    """Keep the later keys and only change their scores before the softmax."""
    return partial(
        attend,
        visible=_every_key,
        weigh=lambda scores, count: _softmax(scores[:count] + [hide(score) for score in scores[count:]]),
    )


def _zeroed(weights: Row, count: int) -> Row:
    return weights[:count] + [0.0] * len(weights[count:])


def _tabled(weigh: Callable[[Matrix], Matrix]) -> Solve:
    """Weigh the whole table of scores at once; a hidden score is minus infinity there."""

    def solve(Q: Matrix, K: Matrix, V: Matrix, causal: bool) -> Matrix:
        table = [
            [_score(q, k) if not causal or j <= i else -math.inf for j, k in enumerate(K)] for i, q in enumerate(Q)
        ]
        return [_mix(weights, V) for weights in weigh(table)]

    return solve


def _down_the_columns(table: Matrix) -> Matrix:
    """Weigh each column; one that is hidden from every query gets no weight."""
    return _turned([_softmax(column) if max(column) > -math.inf else [0.0] * len(column) for column in _turned(table)])


def _over_everything(table: Matrix) -> Matrix:
    flat = _softmax([score for row in table for score in row])
    return [flat[start : start + len(table[0])] for start in range(0, len(flat), len(table[0]))]


def _one_top(table: Matrix) -> Matrix:
    top = max(map(max, table))
    return [_shares(_exps(row, top)) for row in table]


def _sums_of_other_rows(table: Matrix) -> Matrix:
    """Divide column j by the sum of row j, as numpy does without `keepdims`; only a square table lets it."""
    exps = [_exps(row, max(row)) for row in table]
    return [[e / sum(other) for e, other in zip(row, exps, strict=True)] for row in exps]


def _tops_of_other_rows(table: Matrix) -> Matrix:
    """Subtract the largest score of row j from column j, as numpy does without `keepdims`."""
    tops = [max(row) for row in table]
    return [_shares([math.exp(s - top) for s, top in zip(row, tops, strict=True)]) for row in table]


def _turned(table: Matrix) -> Matrix:
    return [list(column) for column in zip(*table, strict=True)]


def _capped_exps(scores: Row, _count: int) -> Row:
    return _shares(_exps([min(score, 700) for score in scores]))


def _best_only(scores: Row, _count: int = 0) -> Row:
    best = scores.index(max(scores))
    return [float(j == best) for j in range(len(scores))]


def _best_on_overflow(scores: Row, _count: int) -> Row:
    try:
        return _shares(_exps(scores))
    except (OverflowError, ZeroDivisionError):
        return _best_only(scores)


def _sigmoid(score: float) -> float:
    return 1 / (1 + math.exp(-score)) if score > -700 else 0.0  # noqa: PLR2004  # exp overflows beyond


def _log_softmax(scores: Row, _count: int) -> Row:
    top = max(scores)
    log_total = top + math.log(sum(_exps(scores, top)))
    return [score - log_total for score in scores]


def _scaled_too_late(Q: Matrix, K: Matrix, V: Matrix, causal: bool) -> Matrix:
    rows = attend(Q, K, V, causal, score=_dot)
    return [[number / math.sqrt(len(Q[0])) for number in row] for row in rows]


def _cosine(q: Row, k: Row) -> float:
    return _dot(q, k) / ((math.hypot(*q) * math.hypot(*k)) or 1.0)


def _first_query_only(i: int, keys: int, causal: bool) -> Sequence[int]:
    return range(1) if causal and i == 0 else range(keys)


def _lined_up_at_the_end(Q: Matrix, K: Matrix, V: Matrix, causal: bool) -> Matrix:
    more = len(K) - len(Q)
    return attend(Q, K, V, causal, visible=lambda i, keys, causal: range(i + 1 + more if causal else keys))


def _as_many_keys_as_queries(Q: Matrix, K: Matrix, V: Matrix, causal: bool) -> Matrix:
    return attend(Q, K, V, causal, visible=lambda i, _keys, causal: range(i + 1 if causal else len(Q)))


def _keys_as_queries(Q: Matrix, K: Matrix, V: Matrix, causal: bool) -> Matrix:
    return attend([K[i] for i in range(len(Q))], K, V, causal)


def _queries_as_keys(Q: Matrix, K: Matrix, V: Matrix, causal: bool) -> Matrix:
    return attend(Q, [Q[j] for j in range(len(K))], V, causal)


def _scores_turned(Q: Matrix, K: Matrix, V: Matrix, causal: bool) -> Matrix:
    return attend(K, Q, V, causal)


def _scales_q_in_place(Q: Matrix, K: Matrix, V: Matrix, causal: bool) -> Matrix:
    for q in Q:
        q[:] = [number / math.sqrt(len(q)) for number in q]
    return attend(Q, K, V, causal, score=_dot)


def _uses_up_the_keys(Q: Matrix, K: Matrix, V: Matrix, causal: bool) -> Matrix:
    rows = attend(Q, K, V, causal)
    if causal:
        K.clear()
        V.clear()
    return rows


def _remembering(*, looks_at_causal: bool) -> Solve:
    """Look only at Q, and perhaps at causal, to decide whether the last answer can be given again."""
    last: dict[str, Matrix] = {}

    def solve(Q: Matrix, K: Matrix, V: Matrix, causal: bool) -> Matrix:
        key = repr((Q, causal and looks_at_causal))
        if key not in last:
            last.clear()
            last[key] = attend(Q, K, V, causal)
        return last[key]

    return solve


def _accumulating(Q: Matrix, K: Matrix, V: Matrix, causal: bool) -> Matrix:
    rows = attend(Q, K, V, causal)
    for before, row in pairwise(rows):
        row[:] = map(add, before, row)
    return rows


def _hidden_ones_only(Q: Matrix, K: Matrix, V: Matrix, causal: bool) -> Matrix:
    if not causal:
        return attend(Q, K, V, causal)
    last = [[math.nan] * len(V[0]) for i in range(len(Q)) if i + 1 >= len(K)]  # a query for which none is left
    return attend(Q[: len(Q) - len(last)], K, V, causal, visible=lambda i, keys, _: range(i + 1, keys)) + last


def _key_columns(Q: Matrix, K: Matrix, V: Matrix, causal: bool) -> Matrix:
    """Multiply Q and K without turning K: rows meet columns, which only a square K lets them."""
    if len(K) != len(K[0]):
        message = "shapes do not fit"
        raise ValueError(message)
    return attend(Q, _turned(K), V, causal)


def _columns_as_rows(weights: Row, values: Matrix) -> Row:
    """Mix the columns of V as if they were its rows, as `weights @ V.T` does."""
    return [sum(w * number for w, number in zip(weights, row, strict=True)) for row in values]


def _whole_table_turned(Q: Matrix, K: Matrix, V: Matrix, causal: bool) -> Matrix:
    rows = attend(Q, K, _identity(V), causal)
    if len(V) != len(V[0]):
        message = "shapes do not fit"
        raise ValueError(message)
    return [_columns_as_rows(weights, V) for weights in rows]


def _up_to_long_double(scores: Row, _count: int) -> Row:
    most = 11356  # beyond it a long double overflows too
    if max(scores) > most or max(scores) < -most:
        return [math.nan for _ in scores]
    return _softmax(scores)


def _table_of_16(i: int, keys: int, causal: bool) -> Sequence[int]:
    return _visible(i, min(keys, 16), causal)


def _changing(change: Callable[[Matrix], object]) -> Solve:
    """Compute the right rows and then hand back something else."""
    return lambda Q, K, V, causal: change(attend(Q, K, V, causal))


def _whole_like_values(Q: Matrix, K: Matrix, V: Matrix, causal: bool) -> Matrix:
    rows = attend(Q, K, V, causal)
    return [list(map(int, row)) for row in rows] if all(type(v) is int for row in V for v in row) else rows


def _squeezed(rows: Matrix) -> Matrix | Row:
    """Drop every axis of length 1, as np.squeeze does."""
    if len(rows) == 1:
        return rows[0]
    return [row[0] for row in rows] if len(rows[0]) == 1 else rows


def _rounded(digits: int) -> Callable[[Matrix], Matrix]:
    return lambda rows: [[round(number, digits) for number in row] for row in rows]


def _swapped_mix(weights: Row, values: Matrix) -> Row:
    return [_dot(weights, [values[column][j] for j in range(len(weights))]) for column in range(len(values[0]))]


def _identity(V: Matrix) -> Matrix:
    return [[float(i == j) for j in range(len(V))] for i in range(len(V))]


MISTAKES: Final[tuple[Mistake, ...]] = (
    # Step 1: which keys
    Mistake(
        "the mask is never used",
        "With causal = True you get the numbers of causal = False: every query still sees all keys.",
        1,
        partial(attend, visible=_every_key),
    ),
    Mistake(
        "always causal",
        "With causal = False you get the numbers of causal = True. Use the mask only when causal is true.",
        1,
        lambda Q, K, V, _causal: attend(Q, K, V, causal=True),
    ),
    Mistake(
        "the flag is turned round",
        "Your numbers for causal = True and causal = False have changed places. Look at the condition once more.",
        1,
        lambda Q, K, V, causal: attend(Q, K, V, not causal),
    ),
    Mistake(
        "a query may not see itself",
        "Query i loses its own key, so query 0 has no key at all. Query i uses keys 0 to i, and i is one of them.",
        1,
        partial(attend, visible=lambda i, keys, causal: range(i if causal else keys)),
    ),
    Mistake(
        "one key too many",
        "Query i also sees key i + 1. Its last key is key i.",
        1,
        partial(attend, visible=lambda i, keys, causal: range(min(i + 2, keys) if causal else keys)),
    ),
    Mistake(
        "the later keys instead of the earlier ones",
        "Query i sees key i and the keys after it. It should see key i and the keys before it.",
        1,
        partial(attend, visible=lambda i, keys, causal: range(i, keys) if causal else range(keys)),
    ),
    Mistake(
        "only its own key",
        "With the mask each query sees one key, its own. It may also see every earlier key.",
        1,
        partial(attend, visible=lambda i, keys, causal: [i] if causal else range(keys)),
    ),
    Mistake(
        "only the first query is masked",
        "Query 0 is right, but the queries after it see later keys. The mask is for every query.",
        1,
        partial(attend, visible=_first_query_only),
    ),
    Mistake(
        "the mask is lined up with the last key",
        "With more keys than queries your first query sees more than key 0. In this lesson query i uses keys 0 to i.",
        1,
        _lined_up_at_the_end,
    ),
    Mistake(
        "as many keys as queries",
        "You look at len(Q) keys. There can be more keys than queries, or fewer: count the keys with len(K).",
        1,
        _as_many_keys_as_queries,
    ),
    Mistake(
        "a table for 16 tokens",
        "Short inputs are right, but after 16 keys the others are left out. Take the sizes from the inputs.",
        1,
        partial(attend, visible=_table_of_16),
    ),
    Mistake(
        "hidden scores are set to 0",
        "A score of 0 still gets weight, because e to the power 0 is 1. Leave the later keys out.",
        1,
        _replaced(lambda _score: 0.0),
    ),
    Mistake(
        "hidden scores get -10",
        "A later key still gets a little weight, because 10 less is not enough. Leave the later keys out.",
        1,
        _replaced(lambda score: score - 10),
    ),
    Mistake(
        "hidden scores are set to -100",
        "This works until a real score is lower than -100. Leave the later keys out, or use minus infinity.",
        1,
        _replaced(lambda _score: -100.0),
    ),
    Mistake(
        "hidden scores get -1,000,000",
        "This works until a later score is above a million. Leave the later keys out, or use minus infinity.",
        1,
        _replaced(lambda score: score - 1e6),
    ),
    Mistake(
        "the mask has the wrong sign",
        "Your answer holds nan: the later keys got plus infinity. To hide a key its score must go down, not up.",
        1,
        _replaced(lambda _score: math.inf),
    ),
    Mistake(
        "infinity times 0",
        "Your answer holds nan, because 0 times infinity is nan. Choose the keys first, or use np.where.",
        1,
        lambda Q, K, V, causal: [[math.nan] * len(V[0]) for _ in Q] if causal else attend(Q, K, V, causal),
    ),
    Mistake(
        "the mask hides the wrong keys",
        "The keys that query i may see are hidden, and the later ones stay. Turn the condition round.",
        1,
        _hidden_ones_only,
    ),
    Mistake(
        "the mask comes after the softmax",
        "The weights of a causal query add up to less than 1. Leave the later keys out before the softmax.",
        1,
        partial(attend, visible=_every_key, weigh=lambda scores, count: _zeroed(_softmax(scores), count)),
    ),
    Mistake(
        "the mask comes after the softmax, then the rows are divided again",
        "When a later score is very large, no weight is left and you divide by 0. Use the mask before the softmax.",
        1,
        partial(attend, visible=_every_key, weigh=lambda scores, count: _shares(_zeroed(_softmax(scores), count))),
    ),
    # Step 2: the scores
    Mistake(
        "no scaling",
        "These are the numbers without the division. Divide each dot product by the square root of len(q).",
        2,
        partial(attend, score=_dot),
    ),
    Mistake(
        "divided by the width",
        "These are the numbers when you divide by d. Divide by the square root of d.",
        2,
        partial(attend, score=lambda q, k: _dot(q, k) / len(q)),
    ),
    Mistake(
        "divided by d ** 1/2",
        "Python reads d ** 1/2 as (d ** 1) / 2. Write math.sqrt(d), or d ** 0.5.",
        2,
        partial(attend, score=lambda q, k: _dot(q, k) / len(q) / 2),
    ),
    Mistake(
        "multiplied by the square root",
        "The scores are multiplied by the square root of d. They should be divided by it.",
        2,
        partial(attend, score=lambda q, k: _dot(q, k) * math.sqrt(len(q))),
    ),
    Mistake(
        "square root of the number of keys",
        "You divide by the square root of len(K), the number of keys. Use len(q), the width of a query.",
        2,
        _scaled(lambda _Q, K, _V: math.sqrt(len(K))),
    ),
    Mistake(
        "square root of the number of queries",
        "You divide by the square root of len(Q), the number of queries. Use len(q), the width of one query.",
        2,
        _scaled(lambda Q, _K, _V: math.sqrt(len(Q))),
    ),
    Mistake(
        "square root of the width of the values",
        "You divide by the square root of the width of V. Use the width of a query: Q and K share it, V may not.",
        2,
        _scaled(lambda _Q, _K, V: math.sqrt(len(V[0]))),
    ),
    Mistake(
        "square root of 2 for every width",
        "You always divide by the square root of 2, which fits only queries of width 2. Take the width from len(q).",
        2,
        _scaled(lambda _Q, _K, _V: math.sqrt(2)),
    ),
    Mistake(
        "whole-number division",
        "The scores have lost their decimals: // rounds down. Use / to divide.",
        2,
        partial(attend, score=lambda q, k: _dot(q, k) // math.sqrt(len(q))),
    ),
    Mistake(
        "the sign of the dot product is lost",
        "A negative dot product means a bad match and must stay negative. Do not take its absolute value.",
        2,
        partial(attend, score=lambda q, k: abs(_score(q, k))),
    ),
    Mistake(
        "negative scores become 0",
        "Scores below 0 were raised to 0. Softmax can work with negative scores: keep them as they are.",
        2,
        partial(attend, score=lambda q, k: max(0.0, _score(q, k))),
    ),
    Mistake(
        "cosine instead of dot product",
        "The dot product is divided by the lengths of both vectors. Divide only by the square root of len(q).",
        2,
        partial(attend, score=_cosine),
    ),
    Mistake(
        "the last number of each vector is left out",
        "The dot product stops one number too early. Multiply and add all len(q) pairs.",
        2,
        partial(attend, score=lambda q, k: _dot(q[:-1], k[:-1]) / math.sqrt(len(q))),
    ),
    Mistake(
        "K is not turned",
        "Q @ K multiplies rows with columns. Each score needs a row of Q and a row of K: write Q @ K.T in numpy.",
        2,
        _key_columns,
    ),
    Mistake(
        "the scores are rounded",
        "Your scores are cut to three decimals, so the answer is not exact enough. Do not round on the way.",
        2,
        partial(attend, score=lambda q, k: round(_score(q, k), 3)),
        (partial(attend, score=lambda q, k: round(_score(q, k), 2)),),
    ),
    Mistake(
        "queries matched with queries",
        "The scores compare Q with Q, and K is never used. Compare each query with each key.",
        2,
        _queries_as_keys,
    ),
    Mistake(
        "keys matched with keys",
        "The scores compare K with K, and Q is never used. Compare each query with each key.",
        2,
        _keys_as_queries,
    ),
    Mistake(
        "queries and keys have changed places",
        "Your table of scores is turned: one row per key. It needs one row per query, so write Q first, then K.",
        2,
        _scores_turned,
    ),
    # Step 3: the weights
    Mistake(
        "the largest score is not subtracted",
        "Large scores make exp overflow, and very low ones all become 0. Subtract the largest score first.",
        3,
        partial(attend, weigh=lambda scores, _count: _shares(_exps(scores))),
        (partial(attend, weigh=_up_to_long_double),),
    ),
    Mistake(
        "the largest score is not subtracted, and later keys go through exp too",
        "Large scores make exp overflow, also those of later keys. Leave these out, then subtract the largest score.",
        3,
        partial(attend, visible=_every_key, weigh=lambda scores, count: _shares(_zeroed(_exps(scores), count))),
    ),
    Mistake(
        "the search for the largest score starts at 0",
        "When all scores are far below 0, all exps become 0. Start the search with the first score, not with 0.",
        3,
        partial(attend, weigh=lambda scores, _count: _shares(_exps(scores, max(0.0, *scores)))),
    ),
    Mistake(
        "the smallest score is subtracted",
        "Subtract the largest score, not the smallest: then no number is above 0 and exp cannot overflow.",
        3,
        partial(attend, weigh=lambda scores, _count: _shares(_exps(scores, min(scores)))),
    ),
    Mistake(
        "one largest score for all queries",
        "A query with much lower scores than another loses all its weights. Each query needs its own largest score.",
        3,
        _tabled(_one_top),
    ),
    Mistake(
        "scores are cut at 700",
        "All scores above 700 became equal. Do not cut them: subtract the largest score instead.",
        3,
        partial(attend, weigh=_capped_exps),
    ),
    Mistake(
        "the best key takes all when exp overflows",
        "Two large scores can be close, and then both keys get weight. Subtract the largest score instead.",
        3,
        partial(attend, weigh=_best_on_overflow),
    ),
    Mistake(
        "softmax down the columns",
        "The softmax runs over the queries, so your weights add up to 1 per key. They must add up to 1 per query.",
        3,
        _tabled(_down_the_columns),
    ),
    Mistake(
        "one softmax over the whole table",
        "All your weights together add up to 1. The weights of each query must add up to 1.",
        3,
        _tabled(_over_everything),
    ),
    Mistake(
        "no exponential",
        "The scores are divided by their sum, without exp. Raise e to each score first, then divide.",
        3,
        partial(attend, weigh=lambda scores, _count: _shares(scores)),
    ),
    Mistake(
        "exps are not divided by their sum",
        "The weights of a query do not add up to 1. Divide each exp by the sum of all exps of this query.",
        3,
        partial(attend, weigh=lambda scores, _count: _exps(scores, max(scores))),
    ),
    Mistake(
        "the weights are divided by the square root",
        "The square root of d divides the weights, so they do not add up to 1. Divide the scores, before the softmax.",
        2,
        _scaled_too_late,
    ),
    Mistake(
        "each column is divided by the sum of another row",
        "The sums of the rows divide the columns: numpy lines them up with the columns. Use keepdims=True in the sum.",
        3,
        _tabled(_sums_of_other_rows),
    ),
    Mistake(
        "the largest score of another row is subtracted",
        "The largest scores of the rows are subtracted from the columns. Use keepdims=True in the max.",
        3,
        _tabled(_tops_of_other_rows),
    ),
    Mistake(
        "the weights are divided by their length",
        "The exps are divided by the root of the sum of their squares. Divide by their sum.",
        3,
        partial(attend, weigh=lambda scores, _count: _to_length_1(_exps(scores, max(scores)))),
    ),
    Mistake(
        "negative scores become 0 in place of exp",
        "The weights come from max(0, score), so a score below 0 gets none. Raise e to each score.",
        3,
        partial(attend, weigh=lambda scores, _count: _shares([max(0.0, score) for score in scores])),
    ),
    Mistake(
        "softmax is used twice",
        "Your weights are too even: softmax has run on weights that came out of softmax. Use it once.",
        3,
        partial(attend, weigh=lambda scores, _count: _softmax(_softmax(scores))),
    ),
    Mistake(
        "minus sign in the exponent",
        "The worst match gets the largest weight: there is a minus sign before the score. Use exp(score - largest).",
        3,
        partial(attend, weigh=lambda scores, _count: _softmax([-score for score in scores])),
    ),
    Mistake(
        "powers of 2 instead of e",
        "The weights are made with powers of 2. Softmax uses e: math.exp, or np.exp.",
        3,
        partial(attend, weigh=lambda scores, _count: _softmax([score * math.log(2) for score in scores])),
    ),
    Mistake(
        "powers of 10 instead of e",
        "The weights are made with powers of 10. Softmax uses e: math.exp, or np.exp.",
        3,
        partial(attend, weigh=lambda scores, _count: _softmax([score * math.log(10) for score in scores])),
    ),
    Mistake(
        "sigmoid instead of softmax",
        "Each weight comes from one score alone. Softmax divides each exp by the sum of all exps of this query.",
        3,
        partial(attend, weigh=lambda scores, _count: [_sigmoid(score) for score in scores]),
    ),
    Mistake(
        "sigmoid, then divided by the sum",
        "The weights add up to 1, but they are made with a sigmoid. Softmax uses exp: raise e to each score.",
        3,
        partial(attend, weigh=lambda scores, _count: _shares([_sigmoid(score) for score in scores])),
    ),
    Mistake(
        "log-softmax instead of softmax",
        "Your weights are logarithms, so they are negative or 0. Use the softmax itself.",
        3,
        partial(attend, weigh=_log_softmax),
    ),
    Mistake(
        "only the best key",
        "One key takes all the weight. Softmax gives every visible key a share.",
        3,
        partial(attend, weigh=_best_only),
    ),
    Mistake(
        "the same weight for every key",
        "All keys get the same weight, as if all scores were equal. Score j comes from key j, weight j from score j.",
        3,
        partial(attend, weigh=lambda scores, _count: _softmax([0.0 for _ in scores])),
    ),
    # Step 4: the mix
    Mistake(
        "mean instead of sum",
        "The result is divided by the number of keys once more. The weights add up to 1 already: only add.",
        4,
        partial(attend, mix=lambda weights, values: [number / len(weights) for number in _mix(weights, values)]),
    ),
    Mistake(
        "the weights are returned",
        "You return the attention weights. One step is left: mix the value rows with them.",
        4,
        lambda Q, K, V, causal: attend(Q, K, _identity(V), causal),
    ),
    Mistake(
        "the values are added without weights",
        "The value rows are only added. Multiply each row by its weight first.",
        4,
        partial(attend, mix=lambda weights, values: _mix([1.0 for _ in weights], values)),
    ),
    Mistake(
        "weights in the wrong order",
        "The weights no longer belong to their own value rows. Do not sort: keep both in the order of the keys.",
        4,
        partial(attend, mix=lambda weights, values: _mix(sorted(weights, reverse=True), values)),
    ),
    Mistake(
        "the table of weights is turned",
        "Your table of weights has one row per key. It needs one row per query before you mix the values.",
        4,
        _tabled(lambda table: _turned([_softmax(row) for row in table])),
    ),
    Mistake(
        "rows and columns of the values are swapped",
        "You mix columns of V as if they were rows, or the two indexes of V are swapped. Write V[j][column].",
        4,
        partial(attend, mix=_swapped_mix),
        (_whole_table_turned,),
    ),
    Mistake(
        "an output row is only as wide as a query",
        "Wide values are cut: zip stops at the shorter list. An output row is as wide as a row of V.",
        4,
        lambda Q, K, V, causal: attend(Q, K, [row[: len(Q[0])] for row in V], causal),
    ),
    Mistake(
        "an output row is as wide as V has rows",
        "You count the columns with len(V), but that counts rows. len(V[0]) is the width of a row of V.",
        4,
        lambda Q, K, V, causal: [[row[column] for column in range(len(V))] for row in attend(Q, K, V, causal)],
    ),
    Mistake(
        "every row is the last row",
        "All rows of your answer are the same list, and it holds the last result. Make a new list for every query.",
        4,
        _changing(lambda rows: [rows[-1] for _ in rows]),
    ),
    Mistake(
        "the output row is not emptied",
        "Each row holds the rows before it as well. Start a new row for every query.",
        4,
        _accumulating,
    ),
    Mistake(
        "all rows are averaged into one",
        "You return one row, the average of all. Return one row for each query.",
        4,
        _changing(lambda rows: [[sum(column) / len(rows) for column in zip(*rows, strict=True)]]),
        (_changing(lambda rows: [sum(column) / len(rows) for column in zip(*rows, strict=True)]),),
    ),
    Mistake(
        "the answer is turned",
        "Your answer has one row per column of V. It needs one row per query.",
        4,
        _changing(_turned),
    ),
    Mistake(
        "only the first row is returned",
        "Your answer stops after query 0. Move the return out of the loop.",
        4,
        _changing(lambda rows: rows[:1]),
    ),
    Mistake(
        "one flat list",
        "All numbers stand in one list. Make one row per query: append each row instead of extending the list.",
        4,
        _changing(lambda rows: [number for row in rows for number in row]),
    ),
    Mistake(
        "one query gives a flat row",
        "With one query you return one row. Return a list that holds this row.",
        4,
        _changing(lambda rows: rows[0] if len(rows) == 1 else rows),
    ),
    Mistake(
        "a side of length 1 is lost",
        "With one query or one column your answer is a flat list. Return rows even then, without np.squeeze.",
        4,
        _changing(_squeezed),
    ),
    Mistake(
        "one list too many",
        "Your rows are inside one more list or tuple. A comma at the end of the return line does this.",
        4,
        _changing(lambda rows: [rows]),
    ),
    Mistake(
        "rounded to two decimals",
        "Your numbers are cut to two decimals. Return them as they are, without round.",
        4,
        _changing(_rounded(2)),
    ),
    Mistake(
        "rounded to four decimals",
        "Your numbers are cut to four decimals, and that is not exact enough. Return them without round.",
        4,
        _changing(_rounded(4)),
    ),
    Mistake(
        "whole numbers only",
        "The decimals are cut off when V holds whole numbers: an array made like V cannot hold them. Use dtype=float.",
        4,
        _whole_like_values,
    ),
    # Between calls: the rows are right, but only in a first call
    Mistake(
        "Q is changed",
        "Your function writes into Q, so a second call with the same lists gives other numbers. Make a new list.",
        2,
        _scales_q_in_place,
    ),
    Mistake(
        "rows of K and V are removed",
        "Your function removes rows from K and V, so a second call does not find them. K[:n] gives you a new list.",
        1,
        _uses_up_the_keys,
    ),
    Mistake(
        "an old answer is given again",
        "Your function remembers an answer and looks only at Q and causal. Compute each call from all four inputs.",
        4,
        _remembering(looks_at_causal=True),
    ),
    Mistake(
        "an old answer is given again for the same Q",
        "Your function remembers an answer and looks only at Q. Compute each call from all four inputs.",
        4,
        _remembering(looks_at_causal=False),
    ),
)
