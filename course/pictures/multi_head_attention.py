"""Lesson 10: one heat map of attention weights for each head."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from course.pictures.picture import Examples, Picture, Rows, ask, needs_inputs, no_picture, practice_for, rows_of
from course.pictures.tables import Table, Words, draw_tables

Matrix = Sequence[Sequence[float]]

_WORDS: Final = Words("Attention weights of your solve in each head, one row for each token.", "token", "key")
_NEEDS: Final = "one row for each token, as wide as the rows of `X`"


@needs_inputs("X", "W_q", "W_k", "W_v", "W_o", "heads", "causal")
def plot_multi_head_attention(solve: object, examples: Examples) -> Picture:
    """Draw the weights of each head for the tokens of the first example, beside the expected ones."""
    first = examples[0]
    n_tokens, heads, causal = len(first["X"]), first["heads"], first["causal"]
    arguments = with_weights_as_answer(first["X"], first["W_q"], first["W_k"], heads=heads, causal=causal)
    answer = ask(solve, *arguments, shape=(n_tokens, len(arguments[1])))
    if answer is None:
        return no_picture(solve, _NEEDS)
    expected = _expected(arguments, examples)
    tables = [
        Table(
            f"head {head}",
            _of_head(rows_of(answer), head, heads),
            _of_head(expected, head, heads) if expected else None,
            lambda token, other: causal and other > token,
        )
        for head in range(heads)
    ]
    return draw_tables(_WORDS, tables) or no_picture(solve, _NEEDS)


def with_weights_as_answer(X: Matrix, W_q: Matrix, W_k: Matrix, *, heads: int, causal: bool) -> tuple[Any, ...]:
    """Return inputs of `solve` with the same attention weights, for which its answer holds these weights.

    Each head gets wider, so that its value rows can be those of the identity matrix. A head that is `grow` times
    `grow` as wide divides its scores by `grow` times as much, so W_q is made `grow` times as large.
    """
    n_tokens, width = len(X), len(X[0])
    head_width = width // heads
    grow = 1
    while grow * grow * head_width < n_tokens or grow * grow * width < width + n_tokens:
        grow += 1
    wide = grow * grow * head_width
    rows = [[*row, *_one_hot(i, wide * heads - width)] for i, row in enumerate(X)]
    return (
        rows,
        _spread([[grow * number for number in row] for row in W_q], head_width, wide, heads),
        _spread(W_k, head_width, wide, heads),
        _identities(width, n_tokens, wide, heads),
        [_one_hot(i, wide * heads) for i in range(wide * heads)],
        heads,
        causal,
    )


def _one_hot(place: int, length: int) -> list[float]:
    return [1 if at == place else 0 for at in range(length)]


def _spread(table: Matrix, head_width: int, wide: int, heads: int) -> list[list[float]]:
    """Put the columns of each head at the start of its wide part; the rows that X did not have are 0."""
    padding = [0] * (wide - head_width)
    starts = range(0, len(table), head_width)
    rows = [[n for at in starts for n in (*row[at : at + head_width], *padding)] for row in table]
    return rows + _zeros(wide * heads - len(table), wide * heads)


def _identities(width: int, n_tokens: int, wide: int, heads: int) -> list[list[float]]:
    """Send the number that tells which token it is into every head."""
    rows = _zeros(width, wide * heads) + [_one_hot(token, wide) * heads for token in range(n_tokens)]
    return rows + _zeros(wide * heads - len(rows), wide * heads)


def _zeros(n_rows: int, width: int) -> list[list[float]]:
    return [[0] * width for _ in range(n_rows)]


def _of_head(rows: Rows, head: int, heads: int) -> Rows:
    """Take the weights of one head: its first columns, one for each token."""
    start = head * len(rows[0]) // heads
    return tuple(row[start : start + len(rows)] for row in rows)


def _expected(arguments: tuple[Any, ...], examples: Examples) -> Rows | None:
    """Look the weights up in the practice data, which has this very call among its probes."""
    practice = practice_for("multi_head_attention", examples)
    found = (
        [each.returns for each in practice.probes if tuple(each.arguments.values()) == arguments] if practice else []
    )
    return rows_of(found[0]) if found else None
