"""Lesson 05, embed_tokens: the wrong solutions behind the known mistakes.

Each is an embedding that is wrong in one way: one of the three steps is replaced, the others are right.
"""

# ruff: noqa: D103  # the names say what each does

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from autograder.lesson import Solve
from autograder.lessons.common_mistakes import (
    Matrix,
    Row,
    UFuncTypeError,
    flattened,
    in_32_bits,
    is_whole,
    pair_sums,
    whole_like,
)

Token = Callable[[Matrix, int, int], Row]  # the table, the token id, its place among the ids
Place = Callable[[int, Sequence[int], int, int], int]  # place among the ids, all ids, start, rows -> row of the table
Join = Callable[[Row, Row], Any]  # the token vector, the position vector

BYTE: Final = 256
WINDOW: Final = 8


def _token(table: Matrix, token_id: int, _i: int) -> Row:
    return table[token_id]


def _place(i: int, _ids: Sequence[int], start: int, _rows: int) -> int:
    return start + i


def embed(  # noqa: PLR0913  # one argument per input and one per step
    ids: Sequence[int],
    token_table: Matrix,
    position_table: Matrix,
    start: int,
    *,
    token: Token = _token,
    place: Place = _place,
    join: Join = pair_sums,
) -> list[Any]:
    """Embed tokens with the three steps given: find the token vector, find the position vector, join the two."""
    rows = len(position_table)
    return [
        join(token(token_table, token_id, i), position_table[place(i, ids, start, rows)])
        for i, token_id in enumerate(ids)
    ]


def other_ids(change: Callable[[Sequence[int]], Sequence[int]]) -> Solve:
    """Embed other ids than those given."""
    return lambda ids, tokens, positions, start: embed(change(ids), tokens, positions, start)


def at_start(start: Callable[[int], int]) -> Solve:
    return lambda ids, tokens, positions, given: embed(ids, tokens, positions, start(given))


def slice_too_short(ids: Sequence[int], token_table: Matrix, position_table: Matrix, start: int) -> Matrix:
    return [
        pair_sums(token_table[token_id], row)
        for token_id, row in zip(ids, position_table[start : len(ids)], strict=False)
    ]


def added_into(sum_up: Callable[[Row, Row], Row]) -> Solve:
    return partial(embed, join=sum_up)


def ids_from_start(ids: Sequence[int], token_table: Matrix, position_table: Matrix, start: int) -> Matrix:
    return [pair_sums(token_table[ids[at]], position_table[at]) for at in range(start, start + len(ids))]


def ids_and_places_from_start(ids: Sequence[int], token_table: Matrix, position_table: Matrix, start: int) -> Matrix:
    """Begin the loop at start, and add start to each place once more."""
    return [pair_sums(token_table[ids[at]], position_table[start + at]) for at in range(start, len(ids))]


def columns_by_rows(ids: Sequence[int], token_table: Matrix, position_table: Matrix, start: int) -> Matrix:
    rows = embed(ids, token_table, position_table, start)
    return [[row[column] for column in range(len(token_table))] for row in rows]


def into(row: Row, other: Row) -> Row:
    """Add `other` into `row` itself."""
    for column, number in enumerate(other):
        row[column] += number
    return row


def scaled(token: Row, position: Row) -> Row:
    root = math.sqrt(len(token))
    return [root * a + b for a, b in zip(token, position, strict=True)]


def plus_the_place(ids: Sequence[int], token_table: Matrix, _positions: Matrix, start: int) -> Matrix:
    return [[number + start + i for number in token_table[token_id]] for i, token_id in enumerate(ids)]


def in_single(token: Row, position: Row) -> Row:
    return [in_32_bits(in_32_bits(a) + in_32_bits(b)) for a, b in zip(token, position, strict=True)]


def in_an_array_like(table: int) -> Solve:
    """Cut decimals off where the table at this place among the arguments holds whole numbers only."""

    def solve(*arguments: Any) -> Matrix:  # noqa: ANN401  # the four inputs
        return whole_like(arguments[table], embed(*arguments))

    return solve


def in_place_like(table: int, other: int) -> Solve:
    """Add into an array made of one table, which fails if this one holds whole numbers only and the other does not."""

    def solve(*arguments: Any) -> Matrix:  # noqa: ANN401  # the four inputs
        if is_whole(arguments[table]) and not is_whole(arguments[other]):
            raise UFuncTypeError
        return embed(*arguments)

    return solve


def squeezed(rows: Matrix) -> object:
    """Drop every axis of length 1 but the last one that is left."""
    return rows if len(rows) > 1 and len(rows[0]) > 1 else flattened(rows)


def uses_up_the_ids(ids: list[int], token_table: Matrix, position_table: Matrix, start: int) -> Matrix:
    output: Matrix = []
    while ids:
        output.append(pair_sums(token_table[ids.pop(0)], position_table[start + len(output)]))
    return output


def removes_positions(ids: list[int], token_table: Matrix, position_table: Matrix, start: int) -> Matrix:
    del position_table[:start]
    return embed(ids, token_table, position_table, 0)


def sorts_the_ids(ids: list[int], token_table: Matrix, position_table: Matrix, start: int) -> Matrix:
    rows = embed(ids, token_table, position_table, start)
    ids.sort()
    return rows
