"""Lesson 09: the attention weights, and what each value contributes to an output row."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul
from typing import TYPE_CHECKING, Any, Final

from course.compare import close
from course.pictures.panels import Stack, draw_stacks, short
from course.pictures.picture import (
    Examples,
    Picture,
    Rows,
    ask,
    draw,
    expected_answer,
    needs_inputs,
    no_picture,
    practice_for,
    rows_of,
)
from course.pictures.tables import Table, Words, draw_tables

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Matrix = Sequence[Sequence[float]]

_NEEDS: Final = "the weights times the rows of `V`"
_NO_NUMBER: Final = "There is no picture of the contributions: a weight of query 0 is no number."
_NO_SHARES: Final = "There is no picture of the contributions yet. It needs the same weights from `solve`."
_TIMES: Final = "\N{MULTIPLICATION SIGN}"
_WORDS: Final = Words("Attention weights of your solve, one row for each query.", "query", "key")


@needs_inputs("Q", "K", "V", "causal")
def plot_attention(solve: object, examples: Examples) -> Picture:
    """Draw the attention weights of the first example, without and with the causal mask, beside the expected ones."""
    Q, K = examples[0]["Q"], examples[0]["K"]
    tables = [
        Table("causal = False", _weights(solve, Q, K, causal=False), _expected_weights(examples, causal=False)),
        Table("causal = True", _weights(solve, Q, K, causal=True), _expected_weights(examples, causal=True), _is_later),
    ]
    if all(table.yours is None for table in tables):
        return no_picture(solve, _NEEDS)
    return draw_tables(_WORDS, tables) or no_picture(solve, _NEEDS)


def _is_later(query: int, key: int) -> bool:
    return key > query


def _weights(solve: object, Q: Matrix, K: Matrix, *, causal: bool) -> Rows | None:
    """Call `solve` with the identity matrix as values: then each output row is the row of weights.

    None where these numbers are no weights: with other values, the answer is not the mix that they give.
    """
    identity = [[float(i == j) for j in range(len(K))] for i in range(len(K))]
    values = [[float(3 * j + column * column) for column in range(len(K) + 1)] for j in range(len(K))]
    weights = ask(solve, Q, K, identity, causal, shape=(len(Q), len(K)))
    mixed = ask(solve, Q, K, values, causal, shape=(len(Q), len(K) + 1))
    if weights is None or mixed is None:
        return None
    rows = rows_of(weights)
    wanted = [sum(map(mul, row, column)) for row in rows for column in zip(*values, strict=True)]
    same = all(close(got, want) or not math.isfinite(want) for got, want in zip(mixed.flat, wanted, strict=True))
    return rows if same else None


def _expected_weights(examples: Examples, *, causal: bool) -> Rows | None:
    """Look the weights up in the practice data: those of an example with the same queries and keys."""
    practice = practice_for("attention", examples)
    if practice is None:
        return None
    wanted: dict[str, Any] = {"Q": examples[0]["Q"], "K": examples[0]["K"], "causal": causal}
    for example, steps in zip(practice.examples, practice.step_values, strict=True):
        rows = [row.flat for step in steps if step.name == "weights" for row in step.values]
        if wanted.items() <= dict(example.arguments).items() and len(rows) == len(wanted["Q"]):
            return tuple(row + (0.0,) * (len(wanted["K"]) - len(row)) for row in rows)
    return None


@needs_inputs("Q", "K", "V", "causal")
def plot_contributions(solve: object, examples: Examples) -> Picture:
    """Draw what each value contributes to output row 0 of the first example: weight times value, column by column."""
    first = examples[0]
    V = first["V"]
    weights = _weights(solve, first["Q"], first["K"], causal=first["causal"])
    if weights is None:
        return Picture(_NO_SHARES)
    if not all(map(math.isfinite, weights[0])):
        return Picture(_NO_NUMBER)
    columns = [_Column(c, tuple(zip(weights[0], (row[c] for row in V), strict=True))) for c in range(len(V[0]))]
    answer = expected_answer(first)
    stacks = [column.stack(answer.flat[column.number] if answer else None) for column in columns]

    def paint(figure: Figure) -> None:
        axes = figure.subplots()
        axes.set_title(f"Output row 0: weight {_TIMES} value", loc="left")
        draw_stacks(axes, stacks, [f"from value {at}" for at in range(len(V))])

    told = [f"{column.says()}, {stack.note}." for column, stack in zip(columns, stacks, strict=True)]
    says = " ".join(["What each value contributes to output row 0, from the weights of your solve.", *told])
    return draw(says, 80 + 48 * len(columns), paint)


@dataclass(frozen=True)
class _Column:
    """One column of an output row: for each value row its weight and its number."""

    number: int
    shares: tuple[tuple[float, float], ...]

    def says(self) -> str:
        told = (f"{short(w)} {_TIMES} {v:g} = {short(w * v)} from value {at}" for at, (w, v) in enumerate(self.shares))
        return f"Column {self.number}: {', '.join(told)}"

    def stack(self, expected: float | None) -> Stack:
        """Return the column's bar; its note is the sum, and the right one where it is another."""
        products = [weight * value for weight, value in self.shares]
        total = math.fsum(products)
        note = f"sum {short(total)}"
        if expected is not None and not close(total, expected):
            digits = next((n for n in range(2, 5) if short(total, n) != short(expected, n)), 5)
            note = f"sum {short(total, digits)}, expected {short(expected, digits)}"
        return Stack(f"column {self.number}", products, [f"{short(w)} {_TIMES} {v:g}" for w, v in self.shares], note)
