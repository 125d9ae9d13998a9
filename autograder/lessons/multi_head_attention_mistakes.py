"""Lesson 10, multi-head attention: the known mistakes.

Each is multi-head attention that is wrong in one way: one of the five steps is replaced, the others are right. How
attention itself can be wrong stands in `attention_mistakes.py`; what can still go wrong with it here is in step 3.
"""

# ruff: noqa: FBT001, PLR0913, PLR0917  # every `solve` of this lesson takes seven inputs, the last one a bool

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import Any, Final

from autograder.lesson import Mistake, Solve
from autograder.lessons.attention_mistakes import attend

Row = list[float]
Matrix = list[Row]
Project = Callable[[Matrix, Sequence[Matrix]], Sequence[Matrix]]  # X and its three tables -> Q, K and V
Cut = Callable[[Matrix, int, int], Matrix]  # one of Q, K, V, the head's number, the number of heads
Run = Callable[[Matrix, Matrix, Matrix, bool, int, int], Matrix]  # q, k, v, causal, the head's number, the number
Join = Callable[[list[Matrix]], Matrix]  # the answers of the heads
Mix = Callable[[Matrix, Matrix, int], Matrix]  # the joined rows, W_o, the number of heads


def _times(rows: Matrix, table: Matrix) -> Matrix:
    """Multiply each row by the table: (n_rows, n) times (n, n_columns)."""
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in _turned(table)] for row in rows]


def _turned(table: Matrix) -> Matrix:
    return [list(column) for column in zip(*table, strict=True)]


def _times_in_zip(rows: Matrix, table: Matrix) -> Matrix:
    """Multiply as `zip` does it: where rows and columns are not equally long, the rest is left out."""
    return [[sum(a * b for a, b in zip(row, column, strict=False)) for column in _turned(table)] for row in rows]


def _mix_in_zip(joined: Matrix, W_o: Matrix, _heads: int) -> Matrix:
    return _times_in_zip(joined, W_o)


def _project(X: Matrix, tables: Sequence[Matrix]) -> Sequence[Matrix]:
    return [_times(X, table) for table in tables]


def _cut(table: Matrix, head: int, heads: int) -> Matrix:
    width = len(table[0]) // heads
    return [row[head * width : (head + 1) * width] for row in table]


def _run(q: Matrix, k: Matrix, v: Matrix, causal: bool, _head: int, _heads: int) -> Matrix:
    return attend(q, k, v, causal)


def _join(parts: list[Matrix]) -> Matrix:
    return [list(chain(*rows)) for rows in zip(*parts, strict=True)]


def _mix(joined: Matrix, W_o: Matrix, _heads: int) -> Matrix:
    return _times(joined, W_o)


def multi_head(
    X: Matrix,
    W_q: Matrix,
    W_k: Matrix,
    W_v: Matrix,
    W_o: Matrix,
    heads: int,
    causal: bool,
    *,
    project: Project = _project,
    cut: Cut = _cut,
    run: Run = _run,
    join: Join = _join,
    mix: Mix = _mix,
) -> Matrix:
    """Compute multi-head attention with the five steps given."""
    made = project(X, (W_q, W_k, W_v))
    parts = []
    for head in range(heads):
        q, k, v = (cut(table, head, heads) for table in made)
        parts.append(run(q, k, v, causal, head, heads))
    return mix(join(parts), W_o, heads)


def _scored(divisor: Callable[[int, int], float]) -> Run:
    """Divide each dot product by a number made from the width of a head and the number of heads."""

    def run(q: Matrix, k: Matrix, v: Matrix, causal: bool, _head: int, heads: int) -> Matrix:
        scale = divisor(len(q[0]), heads)
        return attend(q, k, v, causal, score=lambda a, b: sum(x * y for x, y in zip(a, b, strict=True)) / scale)

    return run


def _masked(choose: Callable[[bool, int], bool]) -> Run:
    """Use the mask where `choose` says so: from `causal` and the number of the head."""
    return lambda q, k, v, causal, head, _heads: attend(q, k, v, choose(causal, head))


def _exps(scores: Row, top: float = 0.0) -> Row:
    return [math.exp(score - top) for score in scores]


def _shares(parts: Row) -> Row:
    total = sum(parts)
    return [part / total for part in parts]


def _softmax(scores: Row) -> Row:
    return _shares(_exps(scores, max(scores)))


def _weighed(weigh: Callable[[Row], Row]) -> Run:
    """Turn the scores of a query into weights in another way."""
    return lambda q, k, v, causal, _head, _heads: attend(q, k, v, causal, weigh=lambda scores, _count: weigh(scores))


def _scores(q: Matrix, k: Matrix, causal: bool) -> Matrix:
    """Make the whole table of scores; a hidden score is minus infinity."""
    root = math.sqrt(len(q[0]))
    return [
        [
            sum(x * y for x, y in zip(a, b, strict=True)) / root if not causal or j <= i else -math.inf
            for j, b in enumerate(k)
        ]
        for i, a in enumerate(q)
    ]


def _one_top(q: Matrix, k: Matrix, v: Matrix, causal: bool, _head: int, _heads: int) -> Matrix:
    """Subtract the largest score of the whole head, so that a row far below it loses its weights."""
    table = _scores(q, k, causal)
    top = max(map(max, table))
    return _times([_shares(_exps(row, top)) for row in table], v)


def _sums_of_other_rows(q: Matrix, k: Matrix, v: Matrix, causal: bool, _head: int, _heads: int) -> Matrix:
    """Divide column j by the sum of row j, as numpy does without `keepdims`."""
    exps = [_exps(row, max(row)) for row in _scores(q, k, causal)]
    return _times([[e / sum(other) for e, other in zip(row, exps, strict=True)] for row in exps], v)


def _down_the_columns(q: Matrix, k: Matrix, v: Matrix, causal: bool, _head: int, _heads: int) -> Matrix:
    return _times(_turned([_softmax(column) for column in _turned(_scores(q, k, causal))]), v)


def _masked_with(hidden: Callable[[float], float]) -> Run:
    """Keep the later keys and only change their scores before the softmax."""

    def run(q: Matrix, k: Matrix, v: Matrix, causal: bool, _head: int, _heads: int) -> Matrix:
        return attend(
            q,
            k,
            v,
            causal,
            visible=lambda _i, keys, _causal: range(keys),
            weigh=lambda scores, count: _softmax(scores[:count] + [hidden(score) for score in scores[count:]]),
        )

    return run


def _no_zeros(q: Matrix, k: Matrix, v: Matrix, causal: bool, head: int, heads: int) -> Matrix:
    """Hide every score that is 0, as if the mask had put the 0 there."""
    weigh = _weighed(lambda scores: _softmax([score if score or not causal else -math.inf for score in scores]))
    return weigh(q, k, v, causal, head, heads)


def _looked_up(X: Matrix, *others: Any) -> Matrix:  # noqa: ANN401  # tables, a number and a bool
    """Find the place of a token by its numbers, so that an equal token has the place of the first one."""
    answer = multi_head(X, *others)
    return [answer[X.index(row)] for row in X]


def _mask_after(q: Matrix, k: Matrix, v: Matrix, causal: bool, _head: int, _heads: int) -> Matrix:
    """Weigh all keys, then set the weights of later ones to 0."""
    if not causal:
        return attend(q, k, v, causal)
    weights = attend(q, k, [[float(i == j) for j in range(len(k))] for i in range(len(k))], causal=False)
    return _times([[w * (j <= i) for j, w in enumerate(row)] for i, row in enumerate(weights)], v)


def _reshaped(table: Matrix, head: int, heads: int) -> Matrix:
    """Cut the flat list of all numbers into heads, as `reshape(heads, n, width)` does."""
    flat, rows, width = list(chain(*table)), len(table), len(table[0]) // heads
    mine = flat[head * rows * width : (head + 1) * rows * width]
    return [mine[at : at + width] for at in range(0, len(mine), width)]


def _reshaped_back(parts: list[Matrix]) -> Matrix:
    """Put the heads below each other, then cut the flat list into rows."""
    flat, rows = list(chain(*chain(*parts))), len(parts[0])
    width = len(flat) // rows
    return [flat[at : at + width] for at in range(0, len(flat), width)]


def _one_column_short(table: Matrix, head: int, heads: int) -> Matrix:
    return [row[:-1] for row in _cut(table, head, heads)]


def _rows_cut(table: Matrix, head: int, heads: int) -> Matrix:
    """Cut rows in place of columns, as `Q[a:b]` does."""
    width = len(table[0]) // heads
    return table[head * width : (head + 1) * width]


def _join_in_zip(parts: list[Matrix]) -> Matrix:
    return [list(chain(*rows)) for rows in zip(*parts, strict=False)]


def _second_for_the_rest(table: Matrix, head: int, heads: int) -> Matrix:
    return _cut(table, min(head, 1), heads)


def _every_so_many(table: Matrix, head: int, heads: int) -> Matrix:
    return [row[head::heads] for row in table]


def _number_as_width(X: Matrix, W_q: Matrix, W_k: Matrix, W_v: Matrix, W_o: Matrix, heads: int, causal: bool) -> Matrix:
    """Swap the two: as many heads as a head is wide, each as wide as there are heads."""
    return multi_head(X, W_q, W_k, W_v, W_o, len(X[0]) // heads, causal)


def _all_turned(X: Matrix, W_q: Matrix, W_k: Matrix, W_v: Matrix, W_o: Matrix, heads: int, causal: bool) -> Matrix:
    return multi_head(X, _turned(W_q), _turned(W_k), _turned(W_v), _turned(W_o), heads, causal)


def _reshaped_both(X: Matrix, W_q: Matrix, W_k: Matrix, W_v: Matrix, W_o: Matrix, heads: int, causal: bool) -> Matrix:
    return multi_head(X, W_q, W_k, W_v, W_o, heads, causal, cut=_reshaped, join=_reshaped_back)


def _one_big_head(X: Matrix, W_q: Matrix, W_k: Matrix, W_v: Matrix, W_o: Matrix, _heads: int, causal: bool) -> Matrix:
    return multi_head(X, W_q, W_k, W_v, W_o, 1, causal)


def _heads_meet(X: Matrix, W_q: Matrix, W_k: Matrix, W_v: Matrix, W_o: Matrix, heads: int, causal: bool) -> Matrix:
    """Let the heads of one token attend to each other; tokens never meet."""
    made = _project(X, (W_q, W_k, W_v))
    width = len(X[0]) // heads
    joined = []
    for rows in zip(*made, strict=True):
        q, k, v = ([row[at : at + width] for at in range(0, len(row), width)] for row in rows)
        joined.append(list(chain(*attend(q, k, v, causal))))
    return _times(joined, W_o)


def _x_cut_first(X: Matrix, W_q: Matrix, W_k: Matrix, W_v: Matrix, W_o: Matrix, heads: int, causal: bool) -> Matrix:
    """Give each head only its own columns of X and its own square of each table."""
    parts = []
    for head in range(heads):
        width = len(X[0]) // heads
        own = slice(head * width, (head + 1) * width)
        tables = [[row[own] for row in table[own]] for table in (W_q, W_k, W_v)]
        q, k, v = _project(_cut(X, head, heads), tables)
        parts.append(attend(q, k, v, causal))
    return _times(_join(parts), W_o)


def _weights_of_head_0(
    X: Matrix, W_q: Matrix, W_k: Matrix, W_v: Matrix, W_o: Matrix, heads: int, causal: bool
) -> Matrix:
    Q, K, V = _project(X, (W_q, W_k, W_v))
    q, k = _cut(Q, 0, heads), _cut(K, 0, heads)
    return _times(_join([attend(q, k, _cut(V, head, heads), causal) for head in range(heads)]), W_o)


def _averaged(parts: list[Matrix]) -> Matrix:
    mean = [[sum(numbers) / len(parts) for numbers in zip(*rows, strict=True)] for rows in zip(*parts, strict=True)]
    return _join([mean] * len(parts))


def _added(parts: list[Matrix]) -> Matrix:
    total = [[sum(numbers) for numbers in zip(*rows, strict=True)] for rows in zip(*parts, strict=True)]
    return _join([total] * len(parts))


def _side_by_side_by_column(parts: list[Matrix]) -> Matrix:
    """Take column 0 of every head, then column 1 of every head."""
    return [list(chain(*zip(*rows, strict=True))) for rows in zip(*parts, strict=True)]


def _first_rows_of_w_o(joined: Matrix, W_o: Matrix, heads: int) -> Matrix:
    """Multiply every head by the first rows of W_o, and add the results."""
    width = len(W_o) // heads
    added = [[sum(row[at::width]) for at in range(width)] for row in joined]
    return _times(added, W_o[:width])


def _alone(**part: Any) -> Solve:  # noqa: ANN401  # one step
    """Make a mistake that is told only where it is the only one: all pairs would make the practice file too large."""
    return lambda *arguments: multi_head(*arguments, **part)


def _changing(change: Callable[[Matrix], Any]) -> Solve:
    """Return the right rows, changed in one way."""
    return lambda *arguments: change(multi_head(*arguments))


def _squeezed(rows: Matrix) -> Any:  # noqa: ANN401  # rows, a list of numbers, or one number
    if len(rows[0]) == 1:
        column = [row[0] for row in rows]
        return column if len(column) > 1 else column[0]
    return rows if len(rows) > 1 else rows[0]


def _rounded(digits: int) -> Callable[[Matrix], Matrix]:
    return lambda rows: [[round(number, digits) for number in row] for row in rows]


def _divided_by_heads(*arguments: Any) -> Matrix:  # noqa: ANN401  # tables, a number and a bool
    return [[number / arguments[5] for number in row] for row in multi_head(*arguments)]


def _with_x(X: Matrix, *others: Any) -> Matrix:  # noqa: ANN401  # tables, a number and a bool
    answer = multi_head(X, *others)
    return [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(X, answer, strict=True)]


def _joined_into_x(X: Matrix, W_q: Matrix, W_k: Matrix, W_v: Matrix, W_o: Matrix, heads: int, causal: bool) -> Matrix:
    """Write the joined rows into X itself."""
    identity = [[float(i == j) for j in range(len(W_o))] for i in range(len(W_o))]
    for row, new in zip(X, multi_head(X, W_q, W_k, W_v, identity, heads, causal), strict=True):
        row[:] = new
    return _times(X, W_o)


def _scaled_in_place(X: Matrix, W_q: Matrix, *others: Any) -> Matrix:  # noqa: ANN401  # tables, a number and a bool
    """Divide the numbers of W_q itself by the root of the head width."""
    root = math.sqrt(len(X[0]) // others[-2])
    for row in W_q:
        row[:] = [number / root for number in row]
    return multi_head(X, W_q, *others, run=_scored(lambda _width, _heads: 1.0))


def _remembering(look: Callable[..., object]) -> Solve:
    """Give the last answer again as long as `look` sees the same."""
    last: dict[str, Any] = {}

    def solve(*arguments: Any) -> Matrix:  # noqa: ANN401  # as above
        seen = repr(look(*arguments))
        if last.get("seen") != seen:
            last.update(seen=seen, rows=multi_head(*arguments))
        rows: Matrix = last["rows"]
        return [list(row) for row in rows]

    return solve


MISTAKES: Final[tuple[Mistake, ...]] = (
    # Step 1: queries, keys and values
    Mistake(
        "rows of the tables instead of columns",
        "Your tables are turned, as in X @ W.T. Column c of X W comes from a row of X and column c of W.",
        1,
        _all_turned,
    ),
    Mistake(
        "rows of W_q, W_k and W_v instead of columns",
        "W_o is right, but W_q, W_k and W_v are turned. Column c of Q comes from a row of X and column c of W_q.",
        1,
        partial(multi_head, project=lambda X, tables: _project(X, [_turned(table) for table in tables])),
    ),
    Mistake(
        "the keys are made with W_q",
        "Q and K come from the same table. Queries come from W_q, keys from W_k, values from W_v.",
        1,
        partial(multi_head, project=lambda X, W: _project(X, (W[0], W[0], W[2]))),
    ),
    Mistake(
        "the values are made with W_k",
        "K and V come from the same table. Queries come from W_q, keys from W_k, values from W_v.",
        1,
        partial(multi_head, project=lambda X, W: _project(X, (W[0], W[1], W[1]))),
    ),
    Mistake(
        "queries and keys have changed places",
        "W_q and W_k are swapped, or you call attention with k before q. Queries come from W_q, keys from W_k.",
        1,
        partial(multi_head, project=lambda X, W: _project(X, (W[1], W[0], W[2]))),
    ),
    Mistake(
        "the values are X itself",
        "W_v is never used. The values are X times W_v.",
        1,
        _alone(project=lambda X, W: (*_project(X, W[:2]), X)),
    ),
    Mistake(
        "W_q, W_k and W_v are not used",
        "Queries, keys and values are all X itself. Multiply X by W_q, by W_k and by W_v first.",
        1,
        partial(multi_head, project=lambda X, _W: (X, X, X)),
    ),
    # Step 2: the cut
    Mistake(
        "reshape without swapping the axes",
        "reshape(heads, n, width) mixes tokens and columns. Cut column slices, or reshape to (n, heads, width) first.",
        2,
        _reshaped_both,
    ),
    Mistake(
        "the flat numbers are cut into heads",
        "Each head got whole tokens. Of each row it needs columns h * width up to, but not including, (h + 1) * width.",
        2,
        partial(multi_head, cut=_reshaped),
    ),
    Mistake(
        "one big head",
        "The answer is that of one head, as wide as X. Cut the columns into heads, and run attention in each.",
        2,
        _one_big_head,
    ),
    Mistake(
        "every head gets the first columns",
        "All your heads use the same columns. Head h starts at column h * width.",
        2,
        partial(multi_head, cut=lambda table, _head, heads: _cut(table, 0, heads)),
    ),
    Mistake(
        "the third head gets the columns of the second",
        "This works for two heads only. Head h starts at column h * width, however many heads there are.",
        2,
        partial(multi_head, cut=_second_for_the_rest),
    ),
    Mistake(
        "a head takes every so many columns",
        "Head h got columns h, h + heads and so on. It needs h * width up to, but not including, (h + 1) * width.",
        2,
        partial(multi_head, cut=_every_so_many),
    ),
    Mistake(
        "a head ends one column too early",
        "In Python: `row[h * w : (h + 1) * w]`. A slice stops before its last number.",
        2,
        _alone(cut=_one_column_short, mix=_mix_in_zip),
        (_alone(cut=_one_column_short),),
    ),
    Mistake(
        "rows are cut in place of columns",
        "`Q[a:b]` takes rows. Cut each row: `[row[a:b] for row in Q]`.",
        2,
        _alone(cut=_rows_cut, join=_join_in_zip, mix=_mix_in_zip),
    ),
    Mistake(
        "the number of heads is taken for their width",
        "Your heads are as wide as there are heads. The width of a head is the width of X divided by heads.",
        2,
        _number_as_width,
    ),
    Mistake(
        "X is cut before the projection",
        "Each head sees only its own part of X. Multiply the whole X by the whole table, then cut the result.",
        2,
        _x_cut_first,
    ),
    Mistake(
        "the heads of one token attend to each other",
        "Tokens never meet: attention runs over the heads of one token. In each head it must run over the tokens.",
        2,
        _heads_meet,
    ),
    # Step 3: attention in each head
    Mistake(
        "divided by the square root of the whole width",
        "The scores are divided by the root of the width of X. A query of a head is only as wide as the head.",
        3,
        partial(multi_head, run=_scored(lambda width, heads: math.sqrt(width * heads))),
    ),
    Mistake(
        "no division by the square root",
        "The scores are not divided. Divide each dot product by the square root of the width of a head.",
        3,
        partial(multi_head, run=_scored(lambda _width, _heads: 1.0)),
    ),
    Mistake(
        "divided by the square root of the number of heads",
        "You divide by the root of the number of heads. Use the width of a head: that is len(q) of a query in it.",
        3,
        _alone(run=_scored(lambda _width, heads: math.sqrt(heads))),
    ),
    Mistake(
        "divided by the width without the square root",
        "The scores are divided by the width of a head itself. Divide by its square root.",
        3,
        partial(multi_head, run=_scored(lambda width, _heads: float(width))),
    ),
    Mistake(
        "the mask is never used",
        "With causal = True later tokens still count. Pass `causal` on to the attention of every head.",
        3,
        partial(multi_head, run=_masked(lambda _causal, _head: False)),
    ),
    Mistake(
        "the mask is always used",
        "With causal = False later tokens are missing. Pass `causal` on, and not always True.",
        3,
        partial(multi_head, run=_masked(lambda _causal, _head: True)),
    ),
    Mistake(
        "only head 0 uses the mask",
        "In head 0 later tokens are hidden, in the others they count. Pass `causal` on in every head.",
        3,
        partial(multi_head, run=_masked(lambda causal, head: causal and head == 0)),
    ),
    Mistake(
        "the mask comes after the softmax",
        "The weights of a causal query do not add up to 1. Leave later keys out before the softmax.",
        3,
        partial(multi_head, run=_mask_after),
    ),
    Mistake(
        "a score of 0 counts as hidden",
        "Scores that happen to be 0 were hidden too. Hide a key because it comes later, not because its score is 0.",
        3,
        _alone(run=_no_zeros),
    ),
    Mistake(
        "later keys get a score of -1000",
        "Scores can be far below -1000, and then later keys count. Leave them out, or give them minus infinity.",
        3,
        partial(multi_head, run=_masked_with(lambda _score: -1000.0)),
    ),
    Mistake(
        "later keys get a score of 0",
        "A score of 0 still gets a weight. Leave later keys out, or give them minus infinity before the softmax.",
        3,
        _alone(run=_masked_with(lambda _score: 0.0)),
    ),
    Mistake(
        "the place of a token is looked up",
        "Two tokens can be equal, and index finds the first one only. Count the places: for i, row in enumerate(X).",
        3,
        _looked_up,
    ),
    Mistake(
        "all heads use the weights of head 0",
        "Every head mixes its values with the weights of head 0. Each head has its own queries, keys and weights.",
        3,
        _weights_of_head_0,
    ),
    Mistake(
        "each column is divided by the sum of another row",
        "The sums of the rows divide the columns: numpy lines them up with the columns. Use keepdims=True in the sum.",
        3,
        _alone(run=_sums_of_other_rows),
    ),
    Mistake(
        "softmax down the columns",
        "The softmax runs over the queries, so your weights add up to 1 per key. They must add up to 1 per query.",
        3,
        _alone(run=_down_the_columns),
    ),
    Mistake(
        "the search for the largest score starts at 0",
        "When all scores are far below 0, all exps become 0. Start the search with the first score, not with 0.",
        3,
        partial(multi_head, run=_weighed(lambda scores: _shares(_exps(scores, max(0.0, *scores))))),
    ),
    Mistake(
        "the largest score is not subtracted",
        "Large scores make exp overflow, and very low ones all become 0. Subtract the largest score first.",
        3,
        partial(multi_head, run=_weighed(lambda scores: _shares(_exps(scores)))),
    ),
    Mistake(
        "one largest score for all queries",
        "A query with much lower scores than another loses all its weights. Each query needs its own largest score.",
        3,
        partial(multi_head, run=_one_top),
    ),
    # Step 4: side by side
    Mistake(
        "the heads are averaged",
        "Your heads are merged into their average. Put their rows side by side: head 0 first, then head 1.",
        4,
        partial(multi_head, join=_averaged),
    ),
    Mistake(
        "the heads are added",
        "Your heads are merged into their sum. Put their rows side by side: head 0 first, then head 1.",
        4,
        _alone(join=_added),
    ),
    Mistake(
        "the heads stand below each other",
        "Your heads stand below each other. Row i of the answer needs row i of every head, side by side.",
        4,
        partial(multi_head, join=_reshaped_back),
        (_alone(join=lambda parts: list(chain(*parts)), mix=_mix_in_zip),),
    ),
    Mistake(
        "the heads are in reverse order",
        "The last head stands first. Join them in their order: head 0 on the left.",
        4,
        partial(multi_head, join=lambda parts: _join(parts[::-1])),
    ),
    Mistake(
        "the columns of the heads take turns",
        "Your row has column 0 of every head, then column 1. It needs all of head 0, then all of head 1.",
        4,
        partial(multi_head, join=_side_by_side_by_column),
    ),
    Mistake(
        "only the last head is kept",
        "Each head overwrites the one before. Keep the answers of all heads, then join them.",
        4,
        partial(multi_head, join=lambda parts: _join([parts[-1]] * len(parts))),
    ),
    # Step 5: the output projection
    Mistake(
        "W_o is left out",
        "Your rows are those of the heads, side by side. One step is left: multiply them by W_o.",
        5,
        partial(multi_head, mix=lambda joined, _W_o, _heads: joined),
    ),
    Mistake(
        "rows of W_o instead of columns",
        "Only W_o is turned. Column c of the answer comes from a joined row and column c of W_o.",
        5,
        partial(multi_head, mix=lambda joined, W_o, _heads: _times(joined, _turned(W_o))),
    ),
    Mistake(
        "every head uses the first rows of W_o",
        "Your heads are added, so all use the same rows of W_o. Put row i of every head side by side first.",
        4,
        partial(multi_head, mix=_first_rows_of_w_o),
    ),
    Mistake(
        "divided by the number of heads",
        "Your numbers are divided by the number of heads once more. Only multiply the joined rows by W_o.",
        5,
        _divided_by_heads,
    ),
    Mistake(
        "X is added to the answer",
        "You add X at the end. That comes in the next lesson: here the answer is only the joined rows times W_o.",
        5,
        _with_x,
    ),
    Mistake(
        "only the first row is returned",
        "Your answer stops after token 0. Move the return out of the loop.",
        5,
        _changing(lambda rows: rows[:1]),
    ),
    Mistake(
        "one token gives a flat row",
        "With one token you return one row. Return a list that holds this row, without np.squeeze.",
        5,
        _changing(lambda rows: rows[0] if len(rows) == 1 else rows),
    ),
    Mistake(
        "a side of length 1 is lost",
        "With one token or one column your answer is a flat list. Return rows even then, without np.squeeze.",
        5,
        _changing(_squeezed),
    ),
    Mistake(
        "rounded to two decimals",
        "Your numbers are cut to two decimals. Return them as they are, without round.",
        5,
        _changing(_rounded(2)),
    ),
    Mistake(
        "rounded to four decimals",
        "Your numbers are cut to four decimals, and that is not exact enough. Return them without round.",
        5,
        _changing(_rounded(4)),
    ),
    # Between calls: the rows are right, but only in a first call
    Mistake(
        "X is changed",
        "Your function writes into X, so a second call with the same lists gives other numbers. Make new lists.",
        4,
        _joined_into_x,
    ),
    Mistake(
        "W_q is changed",
        "Your function divides W_q itself, so a second call gives other numbers. Make a new table.",
        3,
        _scaled_in_place,
    ),
    Mistake(
        "an old answer is given again for the same X",
        "Your function remembers an answer and looks only at X. Compute each call from all seven inputs.",
        5,
        _remembering(lambda X, *_: X),
    ),
    Mistake(
        "an old answer is given again for the same tables",
        "Your function remembers an answer and does not look at heads and causal. Compute each call from all inputs.",
        5,
        _remembering(lambda *arguments: arguments[:5]),
    ),
)
