"""Lesson 04, bigram_model: the wrong solutions behind the known mistakes.

Most are the bigram table with one part replaced: which pairs there are, how they are counted, how the smoothing is
added, how a row is divided, what is handed back.
"""

# ruff: noqa: D103  # the names say what each does

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final

from autograder.lesson import Solve
from autograder.lessons.common_mistakes import Matrix, Row, UFuncTypeError, turned

Ids = list[int]
Pairs = Sequence[tuple[int, int]]

_CANNOT_ADD: Final = (
    "Cannot cast ufunc 'add' output from dtype('float64') to dtype('int64') with casting rule 'same_kind'"
)
_BYTE: Final = 256
FEW: Final = 3


def neighbours(ids: Ids) -> Pairs:
    return list(pairwise(ids))


def count_pairs(pairs: Pairs, vocab_size: int) -> Matrix:
    counts = [[0.0] * vocab_size for _ in range(vocab_size)]
    for now, after in pairs:
        counts[now][after] += 1
    return counts


def add_smoothing(counts: Matrix, smoothing: float) -> Matrix:
    return [[count + smoothing for count in row] for row in counts]


def _share(table: Matrix) -> Matrix:
    return [[number / sum(row) for number in row] for row in table]


def share_in_arrays(table: Matrix) -> Matrix:
    """Give nan where lists stop with an error, as numpy does."""
    return [_share([row])[0] if sum(row) else [math.nan] * len(row) for row in table]


def bigram(  # noqa: PLR0913  # the parts of the method
    ids: Ids,
    vocab_size: int,
    smoothing: float,
    *,
    pair: Callable[[Ids], Pairs] = neighbours,
    count: Callable[[Pairs, int], Matrix] = count_pairs,
    smooth: Callable[[Matrix, float], Matrix] = add_smoothing,
    share: Callable[[Matrix], Matrix] = _share,
    finish: Callable[[Matrix], Any] = list,
) -> Any:  # noqa: ANN401  # some mistakes hand back something else
    """Make the table of probabilities with the parts given."""
    return finish(share(smooth(count(pair(ids), vocab_size), smoothing)))


def first_next(ids: Ids) -> Pairs:
    """Look up the place of each id with `index`, which always finds the first one."""
    return [(now, ids[ids.index(now) + 1]) for now in ids[:-1]]


def from_digits(ids: Ids) -> Pairs:
    digits = [int(digit) for digit in "".join(map(str, ids))]
    return neighbours(digits)


def same_row(pairs: Pairs, vocab_size: int) -> Matrix:
    total = [sum(column) for column in zip(*count_pairs(pairs, vocab_size), strict=True)]
    return [list(total) for _ in range(vocab_size)]


def shared_rows_in_place(table: Matrix, smoothing: float) -> Matrix:
    """Add the smoothing in place to rows that are all the same list: once for each row."""
    return [[number + len(table) * smoothing for number in row] for row in table]


def first_of_pairs(pairs: Pairs, vocab_size: int) -> Matrix:
    single = [float(sum(now == token for now, _ in pairs)) for token in range(vocab_size)]
    return [list(single) for _ in range(vocab_size)]


def in_bytes(pairs: Pairs, vocab_size: int) -> Matrix:
    return [[count % _BYTE for count in row] for row in count_pairs(pairs, vocab_size)]


def in_signed_bytes(pairs: Pairs, vocab_size: int) -> Matrix:
    half = _BYTE // 2
    return [[(count + half) % _BYTE - half for count in row] for row in count_pairs(pairs, vocab_size)]


def up_to_the_largest(ids: Ids, _vocab_size: int, smoothing: float) -> Matrix:
    return [list(row) for row in bigram(ids, max(ids) + 1, smoothing)]


def numbered_anew(ids: Ids, _vocab_size: int, smoothing: float) -> Matrix:
    names = sorted(set(ids))
    return [list(row) for row in bigram([names.index(each) for each in ids], len(names), smoothing)]


def each_count(change: Callable[[float, float], float]) -> Callable[[Matrix, float], Matrix]:
    """Smooth each count with another rule."""
    return lambda counts, smoothing: [[change(count, smoothing) for count in row] for row in counts]


def rows_with_pairs(counts: Matrix, smoothing: float) -> Matrix:
    return [[count + smoothing * bool(sum(row)) for count in row] for row in counts]


def over(total: Callable[[Matrix, int], float]) -> Callable[[Matrix], Matrix]:
    """Divide row `r` of the table by another number."""
    return lambda table: [[number / total(table, r) for number in row] for r, row in enumerate(table)]


def sum_plus(more: float) -> Callable[[Matrix], Matrix]:
    return over(lambda table, row: sum(table[row]) + more)


def by_columns(table: Matrix) -> Matrix:
    return turned(_share(turned(table)))


def by_sums_of_other_rows(table: Matrix) -> Matrix:
    sums = [sum(row) for row in table]
    return [[number / total for number, total in zip(row, sums, strict=True)] for row in table]


def while_it_changes(table: Matrix) -> Matrix:
    for row in table:
        for at in range(len(row)):
            row[at] /= sum(row)
    return table


def with_counts(divide: Callable[[Row, float, int, int], Row]) -> Solve:
    """Make each row from its plain counts: `divide(counts, smoothing, vocab_size, how often the id occurs)`."""

    def solve(ids: Ids, vocab_size: int, smoothing: float) -> Matrix:
        counts = count_pairs(neighbours(ids), vocab_size)
        return [divide(row, smoothing, vocab_size, ids.count(now)) for now, row in enumerate(counts)]

    return solve


def plus(counts: Row, smoothing: float) -> Row:
    return [count + smoothing for count in counts]


def over_total(row: Row, total: float) -> Row:
    return [number / total for number in row]


def whole_table(ids: Ids, vocab_size: int, smoothing: float) -> Matrix:
    """Write the shares into a table of ints where the smoothing is one: all decimals are lost."""
    kind = type(smoothing)
    return [[kind(share) for share in row] for row in bigram(ids, vocab_size, smoothing)]


def added_in_place(ids: Ids, vocab_size: int, smoothing: float) -> Matrix:
    """Add the smoothing into a numpy table of ints, which takes whole numbers only."""
    if isinstance(smoothing, float):
        raise UFuncTypeError(_CANNOT_ADD)
    table: Matrix = bigram(ids, vocab_size, smoothing)
    return table


def uses_up_the_ids(ids: Ids, vocab_size: int, smoothing: float) -> Matrix:
    pairs = []
    while len(ids) > 1:
        now = ids.pop(0)
        pairs.append((now, ids[0]))
    return _share(add_smoothing(count_pairs(pairs, vocab_size), smoothing))


def closes_the_circle(ids: Ids, vocab_size: int, smoothing: float) -> Matrix:
    table: Matrix = bigram(ids, vocab_size, smoothing)
    ids.append(ids[0])
    return table


def one_call_per_pair(ids: Ids, vocab_size: int, smoothing: float) -> Matrix:
    def pairs(at: int) -> list[tuple[int, int]]:
        return [(ids[at], ids[at + 1]), *pairs(at + 1)] if at + 1 < len(ids) else []

    return _share(add_smoothing(count_pairs(pairs(0), vocab_size), smoothing))
