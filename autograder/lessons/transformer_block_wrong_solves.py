"""Lesson 11, transformer_block: the wrong solutions behind the known mistakes.

Each is a block that is wrong in one way: one of the six steps is replaced, the others are right. How attention itself
can be wrong stands in `multi_head_attention_wrong_solves.py`, and the same holds for the other earlier lessons.
"""

# ruff: noqa: D103  # the names say what each does

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from autograder.lesson import Solve
from autograder.lessons.attention_wrong_solves import attend
from autograder.lessons.common_mistakes import Matrix, Row, alone, flattened, turned
from autograder.lessons.feed_forward_wrong_solves import gelu
from autograder.lessons.multi_head_attention_wrong_solves import multi_head, times

Block = dict[str, Any]
EPS: Final = 1e-5


@dataclass
class Done:
    """The inputs of a call, and what its steps have come to so far: (tokens, d) each."""

    X: Matrix
    block: Block
    heads: int
    normed: Matrix = field(default_factory=list)
    found: Matrix = field(default_factory=list)
    stream: Matrix = field(default_factory=list)
    renormed: Matrix = field(default_factory=list)
    thought: Matrix = field(default_factory=list)


Step = Callable[[Done], Matrix]


def norm(rows: Matrix, gain: Row, bias: Row, eps: float = EPS, less: int = 0, after: float = 0.0) -> Matrix:  # noqa: PLR0913, PLR0917
    """Compute layer norm; `less` is taken from the number of numbers in the variance, `after` is added to the root."""
    output = []
    for row in rows:
        mean = math.fsum(row) / len(row)
        variance = math.fsum((number - mean) ** 2 for number in row) / (len(row) - less)
        root = math.sqrt(variance + eps) + after
        output.append([(number - mean) / root * g + b for number, g, b in zip(row, gain, bias, strict=True)])
    return output


def normed_by(rows: Matrix, block: Block, which: str, **part: Any) -> Matrix:  # noqa: ANN401  # as `norm` takes them
    """Compute the block's layer norm "ln1" or "ln2"."""
    return norm(rows, block[f"{which}_gain"], block[f"{which}_bias"], **part)


def sum_of(*tables: Matrix) -> Matrix:
    return [[sum(numbers) for numbers in zip(*rows, strict=True)] for rows in zip(*tables, strict=True)]


def attention(
    rows: Matrix,
    block: Block,
    heads: int,
    names: str = "q k v o",
    *,
    causal: bool = True,
    **part: Any,  # noqa: ANN401  # one of the steps of `multi_head`
) -> Matrix:
    """Compute the block's attention; `names` are its tables in the order of use."""
    w_q, w_k, w_v, w_o = (block[f"w_{name}"] for name in names.split())
    return multi_head(rows, w_q, w_k, w_v, w_o, heads, causal, **part)


def feed_forward(
    rows: Matrix,
    block: Block,
    bend: Callable[[float], float] = gelu,
    without: Sequence[str] = (),
    w1: Matrix | None = None,
) -> Matrix:
    """Compute the block's feed-forward layer; `without` names biases that are left out."""
    b1, b2 = ([] if name in without else [block[name]] for name in ("b1", "b2"))
    hidden = [[sum(each) for each in zip(row, *b1, strict=True)] for row in times(rows, w1 or block["w1"])]
    bent = [[bend(number) for number in row] for row in hidden]
    return [[sum(each) for each in zip(row, *b2, strict=True)] for row in times(bent, block["w2"])]


def transform(  # noqa: PLR0913  # the inputs and one argument per step
    X: Matrix,
    block: Block,
    heads: int,
    *,
    first: Step = lambda done: normed_by(done.X, done.block, "ln1"),
    mix: Step = lambda done: attention(done.normed, done.block, done.heads),
    add: Step = lambda done: sum_of(done.X, done.found),
    second: Step = lambda done: normed_by(done.stream, done.block, "ln2"),
    think: Step = lambda done: feed_forward(done.renormed, done.block),
    close: Step = lambda done: sum_of(done.stream, done.thought),
) -> Matrix:
    """Compute a transformer block with the six steps given."""
    done = Done(X, block, heads)
    done.normed = first(done)
    done.found = mix(done)
    done.stream = add(done)
    done.renormed = second(done)
    done.thought = think(done)
    return close(done)


transform_alone = partial(alone, transform)  # all pairs of these mistakes would make the practice file too large


def attending(**part: Any) -> Solve:  # noqa: ANN401  # one of the steps of `multi_head`
    """Replace one of the steps inside attention."""
    return transform_alone(mix=lambda done: attention(done.normed, done.block, done.heads, **part))


def both_norms(**part: Any) -> Solve:  # noqa: ANN401  # as `norm` takes them
    """Compute both layer norms in another way."""
    return transform_alone(
        first=lambda done: normed_by(done.X, done.block, "ln1", **part),
        second=lambda done: normed_by(done.stream, done.block, "ln2", **part),
    )


def numpy_without_eps(X: Matrix, block: Block, heads: int) -> Matrix:
    """Leave eps out; where numpy divides 0 by 0, every row from there on is nan."""
    try:
        return both_norms(eps=0)(X, block, heads)  # type: ignore[return-value]
    except ZeroDivisionError:
        return [[math.nan for _ in row] for row in X]


def down_the_columns(rows: Matrix, block: Block, which: str) -> Matrix:
    """Standardise each column over the tokens."""
    columns = norm(turned(rows), [1.0] * len(rows), [0.0] * len(rows))
    gain, bias = block[f"{which}_gain"], block[f"{which}_bias"]
    return [[n * g + b for n, g, b in zip(row, gain, bias, strict=True)] for row in turned(columns)]


def swapped(X: Matrix, block: Block, heads: int) -> Matrix:
    """Run the feed-forward layer first, then attention."""
    stream = sum_of(X, feed_forward(normed_by(X, block, "ln1"), block))
    return sum_of(stream, attention(normed_by(stream, block, "ln2"), block, heads))


def one_head_without_w_o(X: Matrix, block: Block, heads: int) -> Matrix:
    """Make queries, keys and values for the attention of lesson 09, which knows neither heads nor w_o."""

    def mix(done: Done) -> Matrix:
        q, k, v = (times(done.normed, done.block[name]) for name in ("w_q", "w_k", "w_v"))
        return attend(q, k, v, causal=True)

    return transform(X, block, heads, mix=mix)


def square_turned(done: Done) -> Matrix:
    """Use the rows of w1 wherever that is possible."""
    w1 = done.block["w1"]
    return feed_forward(done.renormed, done.block, w1=turned(w1) if len(w1) == len(w1[0]) else w1)


def rows_joined(*tables: Matrix) -> Matrix:
    """Join rows, as `a + b` does for two lists."""
    return [flattened(list(rows)) for rows in zip(*tables, strict=True)]


def norm_of_joined(done: Done) -> Matrix:
    """Compute layer norm of rows that are too long, for as many columns as there are gains."""
    gain, bias = done.block["ln2_gain"], done.block["ln2_bias"]
    more = [0.0] * (len(done.stream[0]) - len(gain))
    return [row[: len(gain)] for row in norm(done.stream, gain + more, bias + more)]


def added_into_x(done: Done) -> Matrix:
    for row, more in zip(done.X, done.found, strict=True):
        row[:] = [a + b for a, b in zip(row, more, strict=True)]
    return done.X


def used_up(X: Matrix, block: Block, heads: int) -> Matrix:
    """Take the tables out of the block; a second call finds them no more."""
    names = ("ln1_gain", "ln1_bias", "w_q", "w_k", "w_v", "w_o", "ln2_gain", "ln2_bias", "w1", "b1", "w2", "b2")
    return transform(X, {name: block.pop(name) for name in names}, heads)
