"""Lesson 11, transformer_block: the known mistakes.

Each is a block that is wrong in one way: one of the six steps is replaced, the others are right. How attention itself
can be wrong stands in `multi_head_attention_mistakes.py`, and the same holds for the other earlier lessons.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from autograder.lesson import Mistake, Solve
from autograder.lessons.attention_mistakes import attend
from autograder.lessons.multi_head_attention_mistakes import multi_head

Row = list[float]
Matrix = list[Row]
Block = dict[str, Any]
_EPS: Final = 1e-5


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


def _norm(rows: Matrix, gain: Row, bias: Row, eps: float = _EPS, less: int = 0, after: float = 0.0) -> Matrix:  # noqa: PLR0913, PLR0917
    """Compute layer norm; `less` is taken from the number of numbers in the variance, `after` is added to the root."""
    output = []
    for row in rows:
        mean = math.fsum(row) / len(row)
        variance = math.fsum((number - mean) ** 2 for number in row) / (len(row) - less)
        root = math.sqrt(variance + eps) + after
        output.append([(number - mean) / root * g + b for number, g, b in zip(row, gain, bias, strict=True)])
    return output


def _normed_by(rows: Matrix, block: Block, which: str, **part: Any) -> Matrix:  # noqa: ANN401  # as `_norm` takes them
    """Compute the block's layer norm "ln1" or "ln2"."""
    return _norm(rows, block[f"{which}_gain"], block[f"{which}_bias"], **part)


def _sum(*tables: Matrix) -> Matrix:
    return [[sum(numbers) for numbers in zip(*rows, strict=True)] for rows in zip(*tables, strict=True)]


def _times(rows: Matrix, table: Matrix) -> Matrix:
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in _turned(table)] for row in rows]


def _turned(table: Matrix) -> Matrix:
    return [list(column) for column in zip(*table, strict=True)]


def _attention(
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


def _gelu(h: float) -> float:
    return 0.5 * h * (1 + math.tanh(math.sqrt(2 / math.pi) * (h + 0.044715 * h**3)))


def _feed_forward(
    rows: Matrix,
    block: Block,
    bend: Callable[[float], float] = _gelu,
    without: Sequence[str] = (),
    w1: Matrix | None = None,
) -> Matrix:
    """Compute the block's feed-forward layer; `without` names biases that are left out."""
    b1, b2 = ([] if name in without else [block[name]] for name in ("b1", "b2"))
    hidden = [[sum(each) for each in zip(row, *b1, strict=True)] for row in _times(rows, w1 or block["w1"])]
    bent = [[bend(number) for number in row] for row in hidden]
    return [[sum(each) for each in zip(row, *b2, strict=True)] for row in _times(bent, block["w2"])]


def transform(  # noqa: PLR0913  # the inputs and one argument per step
    X: Matrix,
    block: Block,
    heads: int,
    *,
    first: Step = lambda done: _normed_by(done.X, done.block, "ln1"),
    mix: Step = lambda done: _attention(done.normed, done.block, done.heads),
    add: Step = lambda done: _sum(done.X, done.found),
    second: Step = lambda done: _normed_by(done.stream, done.block, "ln2"),
    think: Step = lambda done: _feed_forward(done.renormed, done.block),
    close: Step = lambda done: _sum(done.stream, done.thought),
) -> Matrix:
    """Compute a transformer block with the six steps given."""
    done = Done(X, block, heads)
    done.normed = first(done)
    done.found = mix(done)
    done.stream = add(done)
    done.renormed = second(done)
    done.thought = think(done)
    return close(done)


def _alone(**parts: Any) -> Solve:  # noqa: ANN401  # steps
    """Make a mistake that is told only where it is the only one: all pairs would make the practice file too large."""
    return lambda *arguments: transform(*arguments, **parts)


def _both_norms(**part: Any) -> Solve:  # noqa: ANN401  # as `_norm` takes them
    """Compute both layer norms in another way."""
    return _alone(
        first=lambda done: _normed_by(done.X, done.block, "ln1", **part),
        second=lambda done: _normed_by(done.stream, done.block, "ln2", **part),
    )


def _numpy_without_eps(X: Matrix, block: Block, heads: int) -> Matrix:
    """Leave eps out; where numpy divides 0 by 0, every row from there on is nan."""
    try:
        return _both_norms(eps=0)(X, block, heads)  # type: ignore[return-value]
    except ZeroDivisionError:
        return [[math.nan for _ in row] for row in X]


def _down_the_columns(rows: Matrix, block: Block, which: str) -> Matrix:
    """Standardise each column over the tokens."""
    columns = _norm(_turned(rows), [1.0] * len(rows), [0.0] * len(rows))
    gain, bias = block[f"{which}_gain"], block[f"{which}_bias"]
    return [[n * g + b for n, g, b in zip(row, gain, bias, strict=True)] for row in _turned(columns)]


def _swapped(X: Matrix, block: Block, heads: int) -> Matrix:
    """Run the feed-forward layer first, then attention."""
    stream = _sum(X, _feed_forward(_normed_by(X, block, "ln1"), block))
    return _sum(stream, _attention(_normed_by(stream, block, "ln2"), block, heads))


def _one_head_without_w_o(X: Matrix, block: Block, heads: int) -> Matrix:
    """Make queries, keys and values for the attention of lesson 09, which knows neither heads nor w_o."""

    def mix(done: Done) -> Matrix:
        q, k, v = (_times(done.normed, done.block[name]) for name in ("w_q", "w_k", "w_v"))
        return attend(q, k, v, causal=True)

    return transform(X, block, heads, mix=mix)


def _divided_by_the_whole_width(q: Matrix, k: Matrix, v: Matrix, causal: bool, _head: int, heads: int) -> Matrix:  # noqa: FBT001
    root = math.sqrt(len(q[0]) * heads)
    return attend(q, k, v, causal, score=lambda a, b: sum(x * y for x, y in zip(a, b, strict=True)) / root)


def _largest_not_subtracted(q: Matrix, k: Matrix, v: Matrix, causal: bool, _head: int, _heads: int) -> Matrix:  # noqa: FBT001
    def weigh(scores: Row, _count: int) -> Row:
        exps = [math.exp(score) for score in scores]
        return [e / sum(exps) for e in exps]

    return attend(q, k, v, causal, weigh=weigh)


def _hidden_as(number: float) -> Solve:
    """Give later keys this score in place of leaving them out."""

    def run(q: Matrix, k: Matrix, v: Matrix, causal: bool, _head: int, _heads: int) -> Matrix:  # noqa: FBT001
        def weigh(scores: Row, count: int) -> Row:
            scores = scores[:count] + [number for _ in scores[count:]]
            exps = [math.exp(score - max(scores)) for score in scores]
            return [e / sum(exps) for e in exps]

        return attend(q, k, v, causal, visible=lambda _i, keys, _causal: range(keys), weigh=weigh)

    return _alone(mix=lambda done: _attention(done.normed, done.block, done.heads, run=run))


def _reshaped(table: Matrix, head: int, heads: int) -> Matrix:
    """Cut the flat list of all numbers into heads, as `reshape(heads, n, width)` does."""
    flat, width = [number for row in table for number in row], len(table[0]) // heads
    start = head * len(table) * width
    return [flat[at : at + width] for at in range(start, start + len(table) * width, width)]


def _square_turned(done: Done) -> Matrix:
    """Use the rows of w1 wherever that is possible."""
    w1 = done.block["w1"]
    return _feed_forward(done.renormed, done.block, w1=_turned(w1) if len(w1) == len(w1[0]) else w1)


def _joined(*tables: Matrix) -> Matrix:
    """Join rows, as `a + b` does for two lists."""
    return [[number for row in rows for number in row] for rows in zip(*tables, strict=True)]


def _norm_of_joined(done: Done) -> Matrix:
    """Compute layer norm of rows that are too long, for as many columns as there are gains."""
    gain, bias = done.block["ln2_gain"], done.block["ln2_bias"]
    more = [0.0] * (len(done.stream[0]) - len(gain))
    return [row[: len(gain)] for row in _norm(done.stream, gain + more, bias + more)]


def _changing(change: Callable[[Matrix], Any]) -> Solve:
    """Return the right rows, changed in one way."""
    return lambda *arguments: change(transform(*arguments))


def _rounded(digits: int) -> Solve:
    return _changing(lambda rows: [[round(number, digits) for number in row] for row in rows])


def _squeezed(rows: Matrix) -> Any:  # noqa: ANN401  # rows, a list of numbers, or one number
    if len(rows[0]) > 1:
        return rows[0] if len(rows) == 1 else rows
    return rows[0][0] if len(rows) == 1 else [row[0] for row in rows]


def _whole_like_x(X: Matrix, block: Block, heads: int) -> Matrix:
    """Cut decimals off where X holds whole numbers only: the sums are put into an array made like X."""
    rows = transform(X, block, heads)
    return [[int(n) for n in row] for row in rows] if all(isinstance(n, int) for row in X for n in row) else rows


def _in_32_bits(X: Matrix, block: Block, heads: int) -> Matrix:
    return transform([list(array("f", row)) for row in X], block, heads)


def _looked_up(X: Matrix, block: Block, heads: int) -> Matrix:
    """Find the place of a token by its numbers, so that an equal token has the place of the first one."""
    answer = transform(X, block, heads)
    return [answer[X.index(row)] for row in X]


def _added_into_x(done: Done) -> Matrix:
    for row, more in zip(done.X, done.found, strict=True):
        row[:] = [a + b for a, b in zip(row, more, strict=True)]
    return done.X


def _used_up(X: Matrix, block: Block, heads: int) -> Matrix:
    """Take the tables out of the block; a second call finds them no more."""
    names = ("ln1_gain", "ln1_bias", "w_q", "w_k", "w_v", "w_o", "ln2_gain", "ln2_bias", "w1", "b1", "w2", "b2")
    return transform(X, {name: block.pop(name) for name in names}, heads)


def _remembering(look: Callable[[Matrix, Block, int], object]) -> Solve:
    """Give the last answer again as long as `look` sees the same."""
    last: dict[str, Any] = {}

    def solve(X: Matrix, block: Block, heads: int) -> Matrix:
        seen = repr(look(X, block, heads))
        if last.get("seen") != seen:
            last.update(seen=seen, rows=transform(X, block, heads))
        return [list(row) for row in last["rows"]]

    return solve


MISTAKES: Final[tuple[Mistake, ...]] = (
    # Step 1: the first layer norm
    Mistake(
        "the first layer norm is left out",
        "Attention gets X itself. Send X through layer norm with ln1_gain and ln1_bias first.",
        1,
        partial(transform, first=lambda done: done.X),
    ),
    Mistake(
        "the first layer norm uses ln2",
        "Both layer norms use ln2_gain and ln2_bias. The first one has its own: ln1_gain and ln1_bias.",
        1,
        partial(transform, first=lambda done: _normed_by(done.X, done.block, "ln2")),
    ),
    Mistake(
        "gain and bias have changed places",
        "Your first layer norm multiplies by ln1_bias and adds ln1_gain. Give it the gain first, then the bias.",
        1,
        _alone(first=lambda done: _norm(done.X, done.block["ln1_bias"], done.block["ln1_gain"])),
    ),
    Mistake(
        "norm after the sum (post-norm)",
        "Your layer norm comes after each sum. Put it first: before attention and before the feed-forward layer.",
        1,
        _alone(
            first=lambda done: done.X,
            add=lambda done: _normed_by(_sum(done.X, done.found), done.block, "ln1"),
            second=lambda done: done.stream,
            close=lambda done: _normed_by(_sum(done.stream, done.thought), done.block, "ln2"),
        ),
    ),
    Mistake(
        "layer norm down the columns",
        "Your layer norm takes mean and variance over the tokens. It needs those of each row: axis=1 in numpy.",
        1,
        _alone(
            first=lambda done: _down_the_columns(done.X, done.block, "ln1"),
            second=lambda done: _down_the_columns(done.stream, done.block, "ln2"),
        ),
    ),
    Mistake(
        "the variance is divided by n - 1",
        "Your variance is too large: the squares are divided by d - 1. Divide by d.",
        1,
        _both_norms(less=1),
    ),
    Mistake(
        "eps is left out",
        "A row of equal numbers is divided by 0. Add eps = 0.00001 to the variance.",
        1,
        _both_norms(eps=0),
        also=(_numpy_without_eps,),
    ),
    Mistake(
        "a smaller eps",
        "Rows with a small spread come out too large: your eps is too small. Use eps = 0.00001.",
        1,
        _both_norms(eps=1e-8),
        also=(_both_norms(eps=1e-6), _both_norms(eps=1e-12)),
    ),
    Mistake(
        "a larger eps",
        "Your layer norm gives numbers that are a little too small: your eps is too large. Use eps = 0.00001.",
        1,
        _both_norms(eps=1e-3),
    ),
    Mistake(
        "eps outside the square root",
        "You add eps after the square root. It belongs inside: sqrt(variance + eps).",
        1,
        _both_norms(eps=0, after=_EPS),
    ),
    # Step 2: attention
    Mistake(
        "attention not causal",
        "A token uses tokens after it. Call attention with causal = True.",
        2,
        partial(transform, mix=lambda done: _attention(done.normed, done.block, done.heads, causal=False)),
    ),
    Mistake(
        "attention of lesson 09",
        "This is attention of lesson 09. Call multi_head_attention.",
        2,
        _alone(mix=lambda done: attend(done.normed, done.normed, done.normed, causal=True)),
        also=(_one_head_without_w_o,),
    ),
    Mistake(
        "queries and keys have changed places",
        "w_q and w_k are swapped. The order is w_q, w_k, w_v, w_o.",
        2,
        partial(transform, mix=lambda done: _attention(done.normed, done.block, done.heads, "k q v o")),
    ),
    Mistake(
        "keys and values have changed places",
        "w_k and w_v are swapped. The order is w_q, w_k, w_v, w_o.",
        2,
        _alone(mix=lambda done: _attention(done.normed, done.block, done.heads, "q v k o")),
    ),
    Mistake(
        "w_o is left out",
        "What the heads found is added as it is. Multiply it by w_o first: that is the last step of attention.",
        2,
        partial(
            transform,
            mix=lambda done: _attention(done.normed, done.block, done.heads, mix=lambda joined, _table, _heads: joined),
        ),
    ),
    Mistake(
        "always one head",
        "Your attention runs with one head. Pass `heads` on.",
        2,
        partial(transform, mix=lambda done: _attention(done.normed, done.block, 1)),
    ),
    Mistake(
        "the scores are divided by the root of the whole width",
        "The scores are divided by the root of d. A query of a head is only d / heads wide.",
        2,
        _alone(mix=lambda done: _attention(done.normed, done.block, done.heads, run=_divided_by_the_whole_width)),
    ),
    Mistake(
        "the flat numbers are cut into heads",
        "reshape to (heads, tokens, width) mixes tokens and columns. Cut column slices instead.",
        2,
        _alone(mix=lambda done: _attention(done.normed, done.block, done.heads, cut=_reshaped)),
    ),
    Mistake(
        "later keys get a score of 0",
        "A score of 0 still gets a weight. Leave later keys out, or give them minus infinity before the softmax.",
        2,
        _hidden_as(0.0),
    ),
    Mistake(
        "later keys get a score of -1000",
        "Scores can be far below -1000, and then later keys count. Leave them out, or give them minus infinity.",
        2,
        _hidden_as(-1000.0),
    ),
    Mistake(
        "the largest score is not subtracted",
        "Large scores make exp overflow. Subtract the largest score first, or call the function of lesson 10.",
        2,
        _alone(mix=lambda done: _attention(done.normed, done.block, done.heads, run=_largest_not_subtracted)),
    ),
    Mistake(
        "the feed-forward layer comes first",
        "Your block runs the feed-forward layer before attention. Attention comes first.",
        2,
        _swapped,
    ),
    # Step 3: the first sum
    Mistake(
        "the result of attention replaces X",
        "The rows of X are lost: only the result of attention goes on. Add it to X.",
        3,
        partial(transform, add=lambda done: done.found),
    ),
    Mistake(
        "adds the normalised x back",
        "Both sums start from the rows after layer norm. Add to the rows before it: X, and later the first sum.",
        3,
        _alone(
            add=lambda done: _sum(done.normed, done.found),
            close=lambda done: _sum(done.renormed, done.thought),
        ),
    ),
    Mistake(
        "the first sum starts from the normed rows",
        "You add attention's result to the rows after layer norm. Add it to X itself.",
        3,
        partial(transform, add=lambda done: _sum(done.normed, done.found)),
    ),
    Mistake(
        "attention is left out",
        "The result of attention is nowhere in your answer. Add it to X before you go on.",
        3,
        partial(transform, add=lambda done: done.X),
    ),
    Mistake(
        "rows are joined instead of added",
        "Your rows are too long: + puts two lists one after the other. Add the numbers in pairs, column by column.",
        3,
        _alone(
            add=lambda done: _joined(done.X, done.found),
            second=_norm_of_joined,
            close=lambda done: _joined(done.stream, done.thought),
        ),
        also=(_alone(close=lambda done: _joined(done.stream, done.thought)),),
    ),
    Mistake(
        "the tables are put below each other",
        "You have too many rows: + puts two lists one after the other. Add row by row, column by column.",
        3,
        _alone(
            add=lambda done: done.X + done.found,
            close=lambda done: done.stream + done.thought,
        ),
        also=(
            _alone(add=lambda done: done.X + done.found),
            _alone(close=lambda done: done.stream + done.thought),
        ),
    ),
    # Step 4: the second layer norm
    Mistake(
        "the second layer norm is left out",
        "The feed-forward layer gets the sums as they are. Send them through layer norm with ln2 first.",
        4,
        partial(transform, second=lambda done: done.stream),
    ),
    Mistake(
        "the second layer norm uses ln1",
        "Both layer norms use ln1_gain and ln1_bias. The second one has its own: ln2_gain and ln2_bias.",
        4,
        partial(transform, second=lambda done: _normed_by(done.stream, done.block, "ln1")),
    ),
    Mistake(
        "the second layer norm gets X again",
        "Your second layer norm starts from X. It needs the sums of step 3.",
        4,
        partial(transform, second=lambda done: _normed_by(done.X, done.block, "ln2")),
    ),
    Mistake(
        "the second layer norm gets only what attention found",
        "Your second layer norm starts from the result of attention alone. It needs the sums of step 3.",
        4,
        partial(transform, second=lambda done: _normed_by(done.found, done.block, "ln2")),
    ),
    Mistake(
        "the feed-forward layer gets the first normed rows",
        "The feed-forward layer works with the rows of step 1. It needs those of step 4.",
        4,
        partial(transform, second=lambda done: done.normed),
    ),
    # Step 5: the feed-forward layer
    Mistake(
        "ReLU instead of GELU",
        "Numbers below 0 became 0. Bend them with GELU, or call the function of lesson 06.",
        5,
        _alone(think=lambda done: _feed_forward(done.renormed, done.block, bend=lambda h: max(0.0, h))),
    ),
    Mistake(
        "GELU with erf",
        "These are the numbers of the GELU that uses erf. Use the formula with tanh, as in lesson 06.",
        5,
        _alone(
            think=lambda done: _feed_forward(
                done.renormed, done.block, bend=lambda h: 0.5 * h * (1 + math.erf(h / math.sqrt(2)))
            )
        ),
    ),
    Mistake(
        "b1 is left out",
        "These are the numbers without the first bias. Add b1 before GELU.",
        5,
        _alone(think=lambda done: _feed_forward(done.renormed, done.block, without=("b1",))),
    ),
    Mistake(
        "b2 is left out",
        "These are the numbers without the second bias. Add b2 at the end of the feed-forward layer.",
        5,
        _alone(think=lambda done: _feed_forward(done.renormed, done.block, without=("b2",))),
    ),
    Mistake(
        "a square w1 is turned",
        "Where w1 has as many rows as columns, you read it the wrong way. Always use its columns.",
        5,
        _alone(think=_square_turned),
    ),
    Mistake(
        "the feed-forward layer is left out",
        "Your answer is the sum of step 3. The feed-forward layer is still missing.",
        5,
        partial(transform, close=lambda done: done.stream),
    ),
    # Step 6: the second sum
    Mistake(
        "second sum starts from the first x",
        "The result of attention is lost at the end. Add the last result to the sum of step 3, not to X.",
        6,
        partial(transform, close=lambda done: _sum(done.X, done.thought)),
    ),
    Mistake(
        "the second sum is left out",
        "You return the result of the feed-forward layer alone. Add it to the sum of step 3.",
        6,
        partial(transform, close=lambda done: done.thought),
    ),
    Mistake(
        "X is added twice",
        "X is in your answer twice. The sum of step 3 holds it already.",
        6,
        partial(transform, close=lambda done: _sum(done.X, done.stream, done.thought)),
    ),
    Mistake(
        "the second sum starts from the normed rows",
        "You add the last result to the rows after layer norm. Add it to the sum of step 3.",
        6,
        partial(transform, close=lambda done: _sum(done.renormed, done.thought)),
    ),
    Mistake(
        "one more layer norm at the end",
        "Your last rows went through layer norm once more. Return the sum as it is.",
        6,
        _alone(close=lambda done: _normed_by(_sum(done.stream, done.thought), done.block, "ln2")),
    ),
    Mistake(
        "only the last row is returned",
        "Your answer has one row. Return one for each token.",
        6,
        _changing(lambda rows: rows[-1:]),
    ),
    Mistake(
        "one token gives a flat row",
        "With one token you return one row. Return a list that holds this row, without np.squeeze.",
        6,
        _changing(lambda rows: rows[0] if len(rows) == 1 else rows),
    ),
    Mistake(
        "a side of length 1 is lost",
        "With one token or one column your answer is a flat list. Return rows even then, without np.squeeze.",
        6,
        _changing(_squeezed),
    ),
    Mistake(
        "whole numbers like X",
        "The decimals are cut off when X holds whole numbers: an array made like X cannot hold them. Use dtype=float.",
        6,
        _whole_like_x,
    ),
    Mistake(
        "floats of 32 bits",
        "float32 keeps about 7 digits, so rows far from zero lose their differences. Use dtype=float.",
        1,
        _in_32_bits,
    ),
    Mistake(
        "rounded",
        "Your numbers are cut to a few decimals, and that is not exact enough. Return them without round.",
        6,
        _rounded(3),
        also=(_rounded(2), _rounded(4)),
    ),
    Mistake(
        "the place of a token is looked up",
        "Two tokens can be equal, and index finds the first one only. Count the places: for i, row in enumerate(X).",
        6,
        _looked_up,
    ),
    # Between calls: the rows are right, but only in a first call
    Mistake(
        "X is changed",
        "Your function adds into X itself, so a second call with the same lists gives other numbers. Make new lists.",
        3,
        _alone(add=_added_into_x),
    ),
    Mistake(
        "block is changed",
        "A table is missing in the second call: pop takes it out of block. Read it with block[...] only.",
        1,
        _used_up,
    ),
    Mistake(
        "an old answer is given again for the same X",
        "Your function remembers an answer and looks only at X. Compute each call from all three inputs.",
        6,
        _remembering(lambda X, _block, _heads: X),
    ),
    Mistake(
        "an old answer is given again for other heads",
        "Your function remembers an answer and does not look at heads. Compute each call from all three inputs.",
        6,
        _remembering(lambda X, block, _heads: (X, block)),
    ),
)
