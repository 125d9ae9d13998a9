"""Lesson 08, causal_softmax: the known mistakes.

Each is the causal softmax that is wrong in one way: one of its parts is replaced, the others are right.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from autograder.lesson import Mistake, Solve

Row = list[float]
Matrix = list[Row]
Visible = Callable[[int, int, Row], Sequence[int]]  # query number, keys minus queries, its scores -> key numbers
Weigh = Callable[[Row], Row]  # the scores of one query; a hidden one is minus infinity
After = Callable[[Row, list[bool]], object]  # the weights of one query, and which of its keys are visible

_HIDDEN: Final = -math.inf
_LONG_LIMIT: Final = 11356  # above it, exp overflows in numpy's longdouble too
_EXP_LIMIT: Final = 700  # a little below the largest number that `math.exp` can take


def _visible(i: int, more: int, _row: Row) -> Sequence[int]:
    return range(i + more + 1)


def _later(i: int, more: int, row: Row) -> Sequence[int]:
    return range(i + more + 1, len(row))


def _every_key(_i: int, _more: int, row: Row) -> Sequence[int]:
    return range(len(row))


def _hide(_score: float) -> float:
    return _HIDDEN


def _keep(number: float) -> float:
    return number


def _softmax(scores: Row) -> Row:
    return _shares(_exps(scores, _largest(scores)))


def _largest(scores: Row) -> float:
    return max(_open(scores))


def _open(scores: Row) -> Row:
    return [score for score in scores if score != _HIDDEN]


def _exps(scores: Row, top: float = 0.0) -> Row:
    return [math.exp(score - top) for score in scores]


def _shares(parts: Row) -> Row:
    total = sum(parts)
    return [part / total for part in parts]


def _exp_in_arrays(number: float) -> float:
    """Give inf where `exp` overflows, as numpy does."""
    try:
        return math.exp(number)
    except OverflowError:
        return math.inf


def _divide_in_arrays(part: float, total: float) -> float:
    """Divide by 0 as numpy does: 0 / 0 is nan, everything else is inf."""
    if total:
        return part / total
    return math.inf if part > 0 else math.nan


def _shares_in_arrays(scores: Row, top: float = 0.0) -> Row:
    exps = [_exp_in_arrays(score - top) for score in scores]
    return [_divide_in_arrays(e, sum(exps)) for e in exps]


def _as_it_is(weights: Row, _seen: list[bool]) -> object:
    return weights


def mask_and_weigh(
    scores: Matrix,
    *,
    visible: Visible = _visible,
    hide: Callable[[float], float] = _hide,
    weigh: Weigh = _softmax,
    after: After = _as_it_is,
) -> list[object]:
    """Choose the keys of each query, hide the other scores, weigh the row, and do something with the weights."""
    rows = []
    for i, row in enumerate(scores):
        chosen = set(visible(i, len(row) - len(scores), row))
        seen = [j in chosen for j in range(len(row))]
        rows.append(after(weigh([s if see else hide(s) for s, see in zip(row, seen, strict=True)]), seen))
    return rows


def _right(scores: Matrix) -> Matrix:
    return [[float(weight) for weight in row] for row in mask_and_weigh(scores)]  # type: ignore[attr-defined]


def _zeroed(weights: Row, seen: list[bool]) -> Row:
    return [weight if see else 0.0 for weight, see in zip(weights, seen, strict=True)]


def _zeroed_and_shared(weights: Row, seen: list[bool]) -> Row:
    return _shares(_zeroed(weights, seen))


def _softmax_in_arrays(scores: Row) -> Row:
    """Give a query without any key nan, as numpy does; lists stop with an error."""
    return _softmax(scores) if _open(scores) else [math.nan for _ in scores]


def _tabled(weigh: Callable[[Matrix], Matrix]) -> Solve:
    """Weigh the whole table at once; a hidden score is minus infinity there."""

    def solve(scores: Matrix) -> Matrix:
        more = len(scores[0]) - len(scores)
        return weigh([[s if j <= i + more else _HIDDEN for j, s in enumerate(row)] for i, row in enumerate(scores)])

    return solve


def _down_the_columns(table: Matrix) -> Matrix:
    return _turned([_softmax(column) for column in _turned(table)])


def _over_everything(table: Matrix) -> Matrix:
    flat, width = _softmax([score for row in table for score in row]), len(table[0])
    return [flat[start : start + width] for start in range(0, len(flat), width)]


def _one_top(table: Matrix) -> Matrix:
    top = max(map(max, table))
    return [_shares(_exps(row, top)) for row in table]


def _without_keepdims(*, tops: bool, sums: bool) -> Solve:
    """Let column j meet the largest score of row j, or its sum, as numpy does without `keepdims`."""

    def weigh(table: Matrix) -> Matrix:
        largest = _lined_up([_largest(row) for row in table], table, turned=tops)
        exps = [
            [_exp_in_arrays(s - top) for s, top in zip(*rows, strict=True)] for rows in zip(table, largest, strict=True)
        ]
        totals = _lined_up([sum(row) for row in exps], table, turned=sums)
        return [list(map(_divide_in_arrays, *rows)) for rows in zip(exps, totals, strict=True)]

    return _tabled(weigh)


def _lined_up(numbers: Row, table: Matrix, *, turned: bool) -> Matrix:
    """Give each place of the table its number: that of its row, or `turned`, that of its column if there is one."""
    height, width = len(table), len(table[0])
    if not turned:
        return [[number] * width for number in numbers]
    if height not in {1, width}:
        message = f"operands could not be broadcast together with shapes ({height},{width}) ({height},) "
        raise ValueError(message)
    return [numbers * width if height == 1 else numbers] * height


def _top_of_the_row(scores: Matrix, shares: Callable[[Row, float], Row], top: Callable[[Row], float]) -> list[object]:
    """Subtract `top` of the whole row, also of hidden keys."""
    more = len(scores[0]) - len(scores)
    rows = ((row, row[: i + more + 1]) for i, row in enumerate(scores))
    return [shares(seen, top(row)) + [0.0] * (len(row) - len(seen)) for row, seen in rows]


def _shares_in_lists(scores: Row, top: float) -> Row:
    return _shares(_exps(scores, top))


def _top_of_the_table(shares: Callable[[Row, float], Row]) -> Solve:
    return lambda scores: _top_of_the_row(scores, shares, lambda _row: max(map(max, scores)))


def _infinity_in_whole_numbers(scores: Matrix) -> list[object]:
    """Write minus infinity into an array of whole numbers, which cannot hold it."""
    if all(isinstance(score, int) for row in scores for score in row):
        message = "cannot convert float infinity to integer"
        raise OverflowError(message)
    return mask_and_weigh(scores)


def _turned_difference(i: int, more: int, row: Row) -> Sequence[int]:
    """Count with queries - keys. A slice with a number below 0 counts from the end."""
    return range(len(row))[: i - more + 1]


def _turned_difference_too_long(scores: Matrix) -> Matrix:
    """Put as many zeros behind the weights as the same wrong number says."""
    more, rows = len(scores[0]) - len(scores), []
    for i, row in enumerate(scores):
        count = i - more + 1
        rows.append(_softmax(row[:count]) + [0.0] * (len(row) - count))
    return rows


def _zeros_without_keys(scores: Row) -> Row:
    """Leave a query without any key at 0."""
    return _softmax(scores) if _open(scores) else [0.0 for _ in scores]


def _turned(table: Matrix) -> Matrix:
    return [list(column) for column in zip(*table, strict=True)]


def _shifted_by(top: Callable[[Row], float]) -> Weigh:
    return lambda scores: _shares(_exps(scores, top(scores)))


def _long_softmax(scores: Row) -> Row:
    """Do without the shift, as in numpy's longdouble, which overflows later."""
    return [math.nan for _ in scores] if abs(_largest(scores)) > _LONG_LIMIT else _softmax(scores)


def _best_only(scores: Row) -> Row:
    return [float(j == scores.index(max(scores))) for j in range(len(scores))]


def _best_on_overflow(scores: Row) -> Row:
    try:
        return _shares(_exps(scores))
    except (OverflowError, ZeroDivisionError):
        return _best_only(scores)


def _even(scores: Row) -> Row:
    return _shares([float(score != _HIDDEN) for score in scores])


def _scores_as_parts(scores: Row) -> Row:
    return _shares([0.0 if score == _HIDDEN else score for score in scores])


def _sigmoids(scores: Row) -> Row:
    return [1 / (1 + math.exp(-score)) if score > -_EXP_LIMIT else 0.0 for score in scores]


def _log_shares(scores: Row) -> Row:
    total = sum(_exps(scores, _largest(scores)))
    return [0.0 if score == _HIDDEN else score - _largest(scores) - math.log(total) for score in scores]


def _single(number: float) -> float:
    """Round to 32 bits."""
    rounded: float = struct.unpack("f", struct.pack("f", number))[0]
    return rounded


def _rounded_scores(scores: Row) -> Row:
    return _softmax([round(score, 3) for score in scores])


def _first_row_with_these_scores(scores: Matrix) -> list[object]:
    """Look up the number of a row by its scores: two equal rows get the number of the first one."""
    numbers = [scores.index(row) for row in scores]
    return mask_and_weigh(scores, visible=lambda i, more, _row: range(numbers[i] + more + 1))


def _changing(change: Callable[[Matrix], object]) -> Solve:
    """Compute the right weights and then hand back something else."""
    return lambda scores: change(_right(scores))


def _squeezed(rows: Matrix) -> Matrix | Row | float:
    """Drop every axis of length 1, as np.squeeze does."""
    if len(rows) > 1:
        return rows
    return rows[0] if len(rows[0]) > 1 else rows[0][0]


def _rounded(digits: int) -> Solve:
    return _changing(lambda rows: [[round(weight, digits) for weight in row] for row in rows])


def _whole_like_scores(scores: Matrix) -> Matrix:
    whole = all(type(score) is int for row in scores for score in row)
    return [list(map(int, row)) for row in _right(scores)] if whole else _right(scores)


def _weights_into_the_input(scores: Matrix) -> Matrix:
    for row, weights in zip(scores, _right(scores), strict=True):
        row[:] = weights
    return [list(row) for row in scores]


def _removes_later_keys(scores: Matrix) -> Matrix:
    rows = _right(scores)
    for i, row in enumerate(scores):
        del row[len(row) - len(scores) + i + 1 :]
    return rows


def _remembering(key: Callable[[Matrix], object]) -> Solve:
    """Give the last answer again where the table looks the same by `key`."""
    last: dict[object, Matrix] = {}

    def solve(scores: Matrix) -> Matrix:
        if key(scores) not in last:
            last.clear()
            last[key(scores)] = _right(scores)
        return last[key(scores)]

    return solve


def _keeping_the_mask() -> Solve:
    """Make a new mask only when the number of queries is another one."""
    last: dict[int, int] = {}

    def solve(scores: Matrix) -> list[object]:
        if len(scores) not in last:
            last.clear()
            last[len(scores)] = len(scores[0]) - len(scores)
        more = last[len(scores)]
        return mask_and_weigh(scores, visible=lambda i, _more, row: range(min(i + more + 1, len(row))))

    return solve


MISTAKES: Final[tuple[Mistake, ...]] = (
    # Step 1: which keys
    Mistake(
        "the mask is never used",
        "Every query sees all keys. Leave the later keys out before the softmax.",
        1,
        partial(mask_and_weigh, visible=_every_key),
    ),
    Mistake(
        "a query may not see itself",
        "Query i loses its own key, so query 0 may have no key at all. Its own key is the last one it sees.",
        1,
        partial(mask_and_weigh, visible=lambda i, more, _row: range(i + more)),
        (
            partial(mask_and_weigh, visible=lambda i, more, _row: range(i + more), weigh=_softmax_in_arrays),
            partial(mask_and_weigh, visible=lambda i, more, _row: range(i + more), weigh=_zeros_without_keys),
            partial(mask_and_weigh, visible=lambda i, _more, _row: range(i)),
            partial(mask_and_weigh, visible=lambda i, _more, _row: range(i), weigh=_zeros_without_keys),
        ),
    ),
    Mistake(
        "one key too many",
        "Each query also sees the key after its own. Its own key is the last one it sees.",
        1,
        partial(mask_and_weigh, visible=lambda i, more, _row: range(i + more + 2)),
    ),
    Mistake(
        "the later keys instead of the earlier ones",
        "A query sees its own key and the later ones. It should see its own key and the earlier ones.",
        1,
        partial(mask_and_weigh, visible=lambda i, more, row: range(i + more, len(row))),
    ),
    Mistake(
        "the mask hides the wrong keys",
        "The keys that a query may see are hidden, and the later ones stay. Turn the condition round.",
        1,
        lambda scores: mask_and_weigh(scores, visible=_later, weigh=_softmax_in_arrays),  # lists: an error, as above
    ),
    Mistake(
        "only its own key",
        "Each query sees one key, its own. It may also see every earlier key.",
        1,
        partial(mask_and_weigh, visible=lambda i, more, _row: [i + more]),
    ),
    Mistake(
        "only the first query is masked",
        "Query 0 is right, but the queries after it see later keys. The mask is for every query.",
        1,
        partial(mask_and_weigh, visible=lambda i, more, row: range(len(row) if i else more + 1)),
    ),
    Mistake(
        "the mask starts at the left corner of a wide table",
        "With more keys than queries yours see too few. Add the number of keys minus the number of queries.",
        1,
        partial(mask_and_weigh, visible=lambda i, _more, _row: range(i + 1)),
    ),
    Mistake(
        "keys and queries are turned round in the difference",
        "Keys minus queries, not queries minus keys.",
        1,
        lambda scores: mask_and_weigh(scores, visible=_turned_difference),
        (
            _turned_difference_too_long,
            lambda scores: mask_and_weigh(scores, visible=_turned_difference, weigh=_softmax_in_arrays),
            lambda scores: mask_and_weigh(scores, visible=lambda i, more, _row: range(i - more + 1)),
            lambda scores: mask_and_weigh(
                scores, visible=lambda i, more, _row: range(i - more + 1), weigh=_softmax_in_arrays
            ),
        ),
    ),
    Mistake(
        "a wide table is not masked",
        "With more keys than queries your queries see all keys. Only the last query may do this.",
        1,
        partial(mask_and_weigh, visible=lambda i, more, row: range(len(row) if more else i + 1)),
    ),
    Mistake(
        "the first keys of a wide table are left out",
        "With more keys than queries you use only the last ones. A query sees all keys from 0 to its own.",
        1,
        partial(mask_and_weigh, visible=lambda i, more, _row: range(more, i + more + 1)),
    ),
    Mistake(
        "a wide table is moved by one key",
        "This fits one key more than queries. The number of keys minus the number of queries can be larger.",
        1,
        partial(mask_and_weigh, visible=lambda i, more, _row: range(i + 1 + (more > 0))),
    ),
    Mistake(
        "a wide table is always moved by three keys",
        "This fits example 2 only. Compute the number of keys minus the number of queries for each table.",
        1,
        partial(mask_and_weigh, visible=lambda i, more, row: range(min(i + 1 + 3 * (more > 0), len(row)))),
    ),
    Mistake(
        "scores of 0 are hidden",
        "A score of 0 is an ordinary score. Hide a key because of its place, not because its score is 0.",
        1,
        partial(mask_and_weigh, visible=lambda i, more, row: [j for j in range(i + more + 1) if row[j]]),
    ),
    Mistake(
        "the place of a score is looked up by its number",
        "Where two scores are equal, row.index finds the first of them. Count the places with enumerate or range.",
        1,
        partial(
            mask_and_weigh, visible=lambda i, more, row: [j for j, s in enumerate(row) if row.index(s) <= i + more]
        ),
    ),
    Mistake(
        "the place of a row is looked up by its numbers",
        "Where two rows are equal, scores.index finds the first of them. Count the rows with enumerate or range.",
        1,
        _first_row_with_these_scores,
    ),
    Mistake(
        "a table for 16 keys",
        "Short rows are right, but after 16 keys the others are left out. Take the sizes from the table.",
        1,
        partial(mask_and_weigh, visible=lambda i, more, _row: range(min(i + more + 1, 16))),
    ),
    Mistake(
        "hidden scores are set to 0",
        "A score of 0 still gets weight, because e to the power 0 is 1. Leave the later keys out.",
        1,
        partial(mask_and_weigh, hide=lambda _score: 0.0),
    ),
    Mistake(
        "hidden scores get -10",
        "A later key still gets a little weight, because 10 less is not enough. Leave the later keys out.",
        1,
        partial(mask_and_weigh, hide=lambda score: score - 10),
    ),
    Mistake(
        "hidden scores are set to -100",
        "This works until a real score is lower than -100. Leave the later keys out, or use minus infinity.",
        1,
        partial(mask_and_weigh, hide=lambda _score: -100.0),
    ),
    Mistake(
        "hidden scores are set to -10,000",
        "This works until a real score is lower than -10,000. Leave the later keys out, or use minus infinity.",
        1,
        partial(mask_and_weigh, hide=lambda _score: -1e4),
    ),
    Mistake(
        "hidden scores are set to -1,000,000",
        "This works until a real score is lower than that. Leave the later keys out, or use minus infinity.",
        1,
        partial(mask_and_weigh, hide=lambda _score: -1e6),
    ),
    Mistake(
        "hidden scores get -10,000",
        "This works until a later score is 10,000 above. Leave the later keys out, or use minus infinity.",
        1,
        partial(mask_and_weigh, hide=lambda score: score - 1e4),
    ),
    Mistake(
        "hidden scores get -1,000,000",
        "This works until a later score is above a million. Leave the later keys out, or use minus infinity.",
        1,
        partial(mask_and_weigh, hide=lambda score: score - 1e6),
    ),
    Mistake(
        "the mask has the wrong sign",
        "Your answer holds nan: the later keys got plus infinity. To hide a key its score must go down, not up.",
        1,
        partial(mask_and_weigh, hide=lambda _score: math.inf),
    ),
    Mistake(
        "infinity times 0",
        "Your answer holds nan, because 0 times infinity is nan. Choose the keys first, or use np.where.",
        1,
        partial(mask_and_weigh, after=lambda weights, _seen: [math.nan for _ in weights]),
    ),
    Mistake(
        "the mask comes after the softmax",
        "The weights of a query add up to less than 1. Leave the later keys out before the softmax.",
        1,
        partial(mask_and_weigh, hide=_keep, after=_zeroed),
    ),
    Mistake(
        "infinity in a table of whole numbers",
        "Your table holds whole numbers, and infinity is not one. Write np.array(scores, dtype=float).",
        1,
        _infinity_in_whole_numbers,
    ),
    # Step 2: the weights
    Mistake(
        "the largest score is not subtracted",
        "exp(-1000) is 0, so you divide by 0. Subtract the largest score that this query may see.",
        2,
        partial(mask_and_weigh, weigh=lambda scores: _shares(_exps(scores))),
        (partial(mask_and_weigh, weigh=_shares_in_arrays),),
    ),
    Mistake(
        "the largest score of the whole row is subtracted",
        "You subtract the largest score of the whole row, also of hidden keys. Take it from the keys that are left.",
        2,
        # Softmax of the whole row, then the mask, then a second division comes to the same.
        partial(mask_and_weigh, hide=_keep, after=_zeroed_and_shared),
        (
            lambda scores: _top_of_the_row(scores, _shares_in_arrays, max),
            _top_of_the_table(_shares_in_lists),
            _top_of_the_table(_shares_in_arrays),
        ),
    ),
    Mistake(
        "the largest score is not subtracted, and later keys go through exp too",
        "Large scores make exp overflow, also those of later keys. Leave these out, then subtract the largest score.",
        2,
        partial(mask_and_weigh, hide=_keep, weigh=_exps, after=_zeroed_and_shared),
    ),
    Mistake(
        "longer floats instead of the shift",
        "A longer float overflows a little later, but it does. Subtract the largest score.",
        2,
        partial(mask_and_weigh, weigh=_long_softmax),
    ),
    Mistake(
        "the search for the largest score starts at 0",
        "When all scores are far below 0, all exps become 0. Start the search with the first score, not with 0.",
        2,
        partial(mask_and_weigh, weigh=_shifted_by(lambda scores: max(0.0, *scores))),
    ),
    Mistake(
        "the search for the largest score starts at -10,000",
        "Scores can be lower than that, and then all exps become 0. Start the search with the first score.",
        2,
        partial(mask_and_weigh, weigh=_shifted_by(lambda scores: max(-1e4, *scores))),
    ),
    Mistake(
        "the smallest score is subtracted",
        "Subtract the largest score, not the smallest: then no number is above 0 and exp cannot overflow.",
        2,
        partial(mask_and_weigh, weigh=_shifted_by(lambda scores: min(_open(scores)))),
    ),
    Mistake(
        "the first score is subtracted",
        "The largest score need not come first, so exp can still overflow. Subtract the largest score.",
        2,
        partial(mask_and_weigh, weigh=_shifted_by(lambda scores: scores[0])),
    ),
    Mistake(
        "the query's own score is subtracted",
        "The largest score can be an earlier one, and exp overflows. Subtract the largest one that the query may see.",
        2,
        partial(mask_and_weigh, weigh=_shifted_by(lambda scores: _open(scores)[-1])),
    ),
    Mistake(
        "one largest score for the whole table",
        "A query with much lower scores than another loses all its weights. Each query needs its own largest score.",
        2,
        _tabled(_one_top),
    ),
    Mistake(
        "scores are cut at 700",
        "All scores above 700 became equal. Do not cut them: subtract the largest score instead.",
        2,
        partial(mask_and_weigh, weigh=lambda scores: _softmax([min(score, _EXP_LIMIT) for score in scores])),
    ),
    Mistake(
        "the best key takes all when exp overflows",
        "Two large scores can be close, and then both keys get weight. Subtract the largest score instead.",
        2,
        partial(mask_and_weigh, weigh=_best_on_overflow),
    ),
    Mistake(
        "floats of 32 bits",
        "float32 keeps about 7 digits, so large scores lose their decimals. Use dtype=float.",
        2,
        lambda scores: mask_and_weigh([[_single(score) for score in row] for row in scores]),
    ),
    Mistake(
        "the scores are rounded",
        "Your scores are cut to three decimals, so the answer is not exact enough. Do not round on the way.",
        2,
        partial(mask_and_weigh, weigh=_rounded_scores),
    ),
    Mistake(
        "softmax down the columns",
        "The softmax runs over the queries, so your weights add up to 1 per key. They must add up to 1 per query.",
        2,
        _tabled(_down_the_columns),
    ),
    Mistake(
        "one softmax over the whole table",
        "All your weights together add up to 1. The weights of each query must add up to 1.",
        2,
        _tabled(_over_everything),
    ),
    Mistake(
        "keepdims is missing in max and in sum",
        "numpy lines the numbers of the rows up with the columns. Write keepdims=True in max and in sum.",
        2,
        _without_keepdims(tops=True, sums=True),
    ),
    Mistake(
        "each column is divided by the sum of another row",
        "The sums of the rows divide the columns. Write keepdims=True in max and in sum.",
        2,
        _without_keepdims(tops=False, sums=True),
    ),
    Mistake(
        "the largest score of another row is subtracted",
        "The largest scores of the rows are subtracted from the columns. Write keepdims=True in max and in sum.",
        2,
        _without_keepdims(tops=True, sums=False),
    ),
    Mistake(
        "no exponential",
        "The scores are divided by their sum, without exp. Raise e to each score first, then divide.",
        2,
        partial(mask_and_weigh, weigh=_scores_as_parts),
    ),
    Mistake(
        "sigmoid instead of softmax",
        "Each number comes from one score alone. Divide each exp by the sum of all exps of this query.",
        2,
        partial(mask_and_weigh, weigh=_sigmoids),
    ),
    Mistake(
        "powers of 2 instead of e",
        "These are powers of 2. Softmax uses e: math.exp, or np.exp.",
        2,
        partial(mask_and_weigh, weigh=lambda scores: _shares([2.0 ** (s - _largest(scores)) for s in scores])),
    ),
    Mistake(
        "minus sign in the exponent",
        "The lowest score gets the largest weight. Subtract in this order: score - largest.",
        2,
        partial(mask_and_weigh, weigh=lambda scores: _softmax([s if s == _HIDDEN else -s for s in scores])),
    ),
    Mistake(
        "only the largest score",
        "The largest score takes all. Softmax gives every visible key a share: raise e to each number.",
        2,
        partial(mask_and_weigh, weigh=_best_only),
    ),
    Mistake(
        "every visible key gets the same weight",
        "Your weights do not depend on the scores. Use softmax on the scores that are left.",
        2,
        partial(mask_and_weigh, weigh=_even),
    ),
    Mistake(
        "exps are not divided by their sum",
        "The weights of a query do not add up to 1. Divide each exp by the sum of all exps of this query.",
        2,
        partial(mask_and_weigh, weigh=lambda scores: _exps(scores, _largest(scores))),
    ),
    Mistake(
        "log-softmax instead of softmax",
        "Your numbers are logarithms, so they are negative or 0. Return the weights themselves.",
        2,
        partial(mask_and_weigh, weigh=_log_shares),
    ),
    Mistake(
        "softmax is used twice",
        "The softmax has run on the weights again, so later keys get a share. Use it once.",
        2,
        partial(mask_and_weigh, after=lambda weights, _seen: _softmax(weights)),
    ),
    # Step 3: the whole table
    Mistake(
        "the zeros are left out",
        "Your rows have different lengths. Put one 0 behind the weights for each key that was left out.",
        3,
        partial(mask_and_weigh, after=lambda weights, seen: [w for w, see in zip(weights, seen, strict=True) if see]),
    ),
    Mistake(
        "the zeros come first",
        "The zeros stand before the weights. The later keys are the last columns: put the zeros behind the weights.",
        3,
        partial(mask_and_weigh, after=lambda weights, _seen: sorted(weights, key=bool)),
    ),
    Mistake(
        "later keys get minus infinity as their weight",
        "Minus infinity is for scores. A later key has the weight 0.",
        3,
        partial(
            mask_and_weigh,
            after=lambda weights, seen: [w if v else _HIDDEN for w, v in zip(weights, seen, strict=True)],
        ),
    ),
    Mistake(
        "the answer is turned",
        "Your answer has one row per key. It needs one row per query.",
        3,
        _changing(_turned),
    ),
    Mistake(
        "only the first row is returned",
        "Your answer stops after query 0. Move the return out of the loop.",
        3,
        _changing(lambda rows: rows[:1]),
    ),
    Mistake(
        "only the last row is returned",
        "Your answer holds the last query only. Collect the rows of all queries in a list.",
        3,
        _changing(lambda rows: rows[-1]),
    ),
    Mistake(
        "one flat list",
        "All numbers stand in one list. Make one row per query: append each row instead of extending the list.",
        3,
        _changing(lambda rows: [weight for row in rows for weight in row]),
    ),
    Mistake(
        "one query gives a flat row",
        "With one query you return one row. Return a list that holds this row, without np.squeeze.",
        3,
        _changing(_squeezed),
        (_changing(lambda rows: rows[0] if len(rows) == 1 else rows),),
    ),
    Mistake(
        "one list too many",
        "Your rows are inside one more list or tuple. A comma at the end of the return line does this.",
        3,
        _changing(lambda rows: [rows]),
    ),
    Mistake(
        "whole numbers only",
        "The decimals are cut off: an array made from whole numbers cannot hold them. Use dtype=float.",
        3,
        _whole_like_scores,
    ),
    Mistake(
        "rounded to two decimals",
        "Your numbers are cut to two decimals. Return them as they are, without round.",
        3,
        _rounded(2),
    ),
    Mistake(
        "rounded to four decimals",
        "Your numbers are cut to four decimals, and that is not exact enough. Return them without round.",
        3,
        _rounded(4),
    ),
    # Between calls: the weights are right, but only in a first call
    Mistake(
        "the weights are written into the input",
        "Your function writes into scores, so a second call starts with other numbers. Make a new list.",
        2,
        _weights_into_the_input,
    ),
    Mistake(
        "later keys are removed from the input",
        "Your function removes scores, so a second call does not find them. A slice such as row[:n] gives a new list.",
        1,
        _removes_later_keys,
    ),
    Mistake(
        "an old answer is given again",
        "Your function remembers an answer and looks only at the shape. Compute each call from its own scores.",
        2,
        _remembering(lambda scores: (len(scores), len(scores[0]))),
    ),
    Mistake(
        "an old mask is used again",
        "Your function keeps the mask of an earlier call and looks only at the number of queries. Make it each time.",
        1,
        _keeping_the_mask(),
    ),
)
