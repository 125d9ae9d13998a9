"""Lesson 11, transformer_block: the known mistakes, in the order of the steps.

The wrong solutions themselves stand in `transformer_block_wrong_solves.py`.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Final

from autograder.lesson import Mistake
from autograder.lessons import transformer_block_wrong_solves as wrong
from autograder.lessons.attention_wrong_solves import attend, replaced
from autograder.lessons.common_mistakes import (
    changing,
    exps_of,
    in_32_bits,
    looked_up,
    one_row_flat,
    remembering,
    rounded,
    shares_of,
    squeezed,
    whole_like,
)
from autograder.lessons.feed_forward_wrong_solves import exact_gelu, relu
from autograder.lessons.multi_head_attention_wrong_solves import as_run, reshaped, scored, weighed
from autograder.lessons.transformer_block_wrong_solves import (
    EPS,
    attention,
    feed_forward,
    norm,
    normed_by,
    sum_of,
    transform,
    transform_alone,
)

_changing = partial(changing, transform)  # compute the right rows and then hand back something else

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
        partial(transform, first=lambda done: normed_by(done.X, done.block, "ln2")),
    ),
    Mistake(
        "gain and bias have changed places",
        "Your first layer norm multiplies by ln1_bias and adds ln1_gain. Give it the gain first, then the bias.",
        1,
        transform_alone(first=lambda done: norm(done.X, done.block["ln1_bias"], done.block["ln1_gain"])),
    ),
    Mistake(
        "norm after the sum (post-norm)",
        "Your layer norm comes after each sum. Put it first: before attention and before the feed-forward layer.",
        1,
        transform_alone(
            first=lambda done: done.X,
            add=lambda done: normed_by(sum_of(done.X, done.found), done.block, "ln1"),
            second=lambda done: done.stream,
            close=lambda done: normed_by(sum_of(done.stream, done.thought), done.block, "ln2"),
        ),
    ),
    Mistake(
        "layer norm down the columns",
        "Your layer norm takes mean and variance over the tokens. It needs those of each row: axis=1 in numpy.",
        1,
        transform_alone(
            first=lambda done: wrong.down_the_columns(done.X, done.block, "ln1"),
            second=lambda done: wrong.down_the_columns(done.stream, done.block, "ln2"),
        ),
    ),
    Mistake(
        "the variance is divided by n - 1",
        "Your variance is too large: the squares are divided by d - 1. Divide by d.",
        1,
        wrong.both_norms(less=1),
    ),
    Mistake(
        "eps is left out",
        "A row of equal numbers is divided by 0. Add eps = 0.00001 to the variance.",
        1,
        wrong.both_norms(eps=0),
        also=(wrong.numpy_without_eps,),
    ),
    Mistake(
        "a smaller eps",
        "Rows with a small spread come out too large: your eps is too small. Use eps = 0.00001.",
        1,
        wrong.both_norms(eps=1e-8),
        also=(wrong.both_norms(eps=1e-6), wrong.both_norms(eps=1e-12)),
    ),
    Mistake(
        "a larger eps",
        "Your layer norm gives numbers that are a little too small: your eps is too large. Use eps = 0.00001.",
        1,
        wrong.both_norms(eps=1e-3),
    ),
    Mistake(
        "eps outside the square root",
        "You add eps after the square root. It belongs inside: sqrt(variance + eps).",
        1,
        wrong.both_norms(eps=0, after=EPS),
    ),
    # Step 2: attention
    Mistake(
        "attention not causal",
        "A token uses tokens after it. Call attention with causal = True.",
        2,
        partial(transform, mix=lambda done: attention(done.normed, done.block, done.heads, causal=False)),
    ),
    Mistake(
        "attention of lesson 09",
        "This is attention of lesson 09. Call multi_head_attention.",
        2,
        transform_alone(mix=lambda done: attend(done.normed, done.normed, done.normed, causal=True)),
        also=(wrong.one_head_without_w_o,),
    ),
    Mistake(
        "queries and keys have changed places",
        "w_q and w_k are swapped. The order is w_q, w_k, w_v, w_o.",
        2,
        partial(transform, mix=lambda done: attention(done.normed, done.block, done.heads, "k q v o")),
    ),
    Mistake(
        "keys and values have changed places",
        "w_k and w_v are swapped. The order is w_q, w_k, w_v, w_o.",
        2,
        transform_alone(mix=lambda done: attention(done.normed, done.block, done.heads, "q v k o")),
    ),
    Mistake(
        "w_o is left out",
        "What the heads found is added as it is. Multiply it by w_o first: that is the last step of attention.",
        2,
        partial(
            transform,
            mix=lambda done: attention(done.normed, done.block, done.heads, mix=lambda joined, _table, _heads: joined),
        ),
    ),
    Mistake(
        "always one head",
        "Your attention runs with one head. Pass `heads` on.",
        2,
        partial(transform, mix=lambda done: attention(done.normed, done.block, 1)),
    ),
    Mistake(
        "the scores are divided by the root of the whole width",
        "The scores are divided by the root of d. A query of a head is only d / heads wide.",
        2,
        wrong.attending(run=scored(lambda width, heads: math.sqrt(width * heads))),
    ),
    Mistake(
        "the flat numbers are cut into heads",
        "reshape to (heads, tokens, width) mixes tokens and columns. Cut column slices instead.",
        2,
        wrong.attending(cut=reshaped),
    ),
    Mistake(
        "later keys get a score of 0",
        "A score of 0 still gets a weight. Leave later keys out, or give them minus infinity before the softmax.",
        2,
        wrong.attending(run=as_run(replaced(lambda _score: 0.0))),
    ),
    Mistake(
        "later keys get a score of -1000",
        "Scores can be far below -1000, and then later keys count. Leave them out, or give them minus infinity.",
        2,
        wrong.attending(run=as_run(replaced(lambda _score: -1000.0))),
    ),
    Mistake(
        "the largest score is not subtracted",
        "Large scores make exp overflow. Subtract the largest score first, or call the function of lesson 10.",
        2,
        wrong.attending(run=weighed(lambda scores: shares_of(exps_of(scores)))),
    ),
    Mistake(
        "the feed-forward layer comes first",
        "Your block runs the feed-forward layer before attention. Attention comes first.",
        2,
        wrong.swapped,
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
        transform_alone(
            add=lambda done: sum_of(done.normed, done.found),
            close=lambda done: sum_of(done.renormed, done.thought),
        ),
    ),
    Mistake(
        "the first sum starts from the normed rows",
        "You add attention's result to the rows after layer norm. Add it to X itself.",
        3,
        partial(transform, add=lambda done: sum_of(done.normed, done.found)),
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
        transform_alone(
            add=lambda done: wrong.rows_joined(done.X, done.found),
            second=wrong.norm_of_joined,
            close=lambda done: wrong.rows_joined(done.stream, done.thought),
        ),
        also=(transform_alone(close=lambda done: wrong.rows_joined(done.stream, done.thought)),),
        or_step=6,
    ),
    Mistake(
        "the tables are put below each other",
        "You have too many rows: + puts two lists one after the other. Add row by row, column by column.",
        3,
        transform_alone(
            add=lambda done: done.X + done.found,
            close=lambda done: done.stream + done.thought,
        ),
        also=(
            transform_alone(add=lambda done: done.X + done.found),
            transform_alone(close=lambda done: done.stream + done.thought),
        ),
        or_step=6,
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
        partial(transform, second=lambda done: normed_by(done.stream, done.block, "ln1")),
    ),
    Mistake(
        "the second layer norm gets X again",
        "Your second layer norm starts from X. It needs the sums of step 3.",
        4,
        partial(transform, second=lambda done: normed_by(done.X, done.block, "ln2")),
    ),
    Mistake(
        "the second layer norm gets only what attention found",
        "Your second layer norm starts from the result of attention alone. It needs the sums of step 3.",
        4,
        partial(transform, second=lambda done: normed_by(done.found, done.block, "ln2")),
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
        transform_alone(think=lambda done: feed_forward(done.renormed, done.block, bend=relu)),
    ),
    Mistake(
        "GELU with erf",
        "These are the numbers of the GELU that uses erf. Use the formula with tanh, as in lesson 06.",
        5,
        transform_alone(think=lambda done: feed_forward(done.renormed, done.block, bend=exact_gelu)),
    ),
    Mistake(
        "b1 is left out",
        "These are the numbers without the first bias. Add b1 before GELU.",
        5,
        transform_alone(think=lambda done: feed_forward(done.renormed, done.block, without=("b1",))),
    ),
    Mistake(
        "b2 is left out",
        "These are the numbers without the second bias. Add b2 at the end of the feed-forward layer.",
        5,
        transform_alone(think=lambda done: feed_forward(done.renormed, done.block, without=("b2",))),
    ),
    Mistake(
        "a square w1 is turned",
        "Where w1 has as many rows as columns, you read it the wrong way. Always use its columns.",
        5,
        transform_alone(think=wrong.square_turned),
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
        partial(transform, close=lambda done: sum_of(done.X, done.thought)),
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
        partial(transform, close=lambda done: sum_of(done.X, done.stream, done.thought)),
    ),
    Mistake(
        "the second sum starts from the normed rows",
        "You add the last result to the rows after layer norm. Add it to the sum of step 3.",
        6,
        partial(transform, close=lambda done: sum_of(done.renormed, done.thought)),
    ),
    Mistake(
        "one more layer norm at the end",
        "Your last rows went through layer norm once more. Return the sum as it is.",
        6,
        transform_alone(close=lambda done: normed_by(sum_of(done.stream, done.thought), done.block, "ln2")),
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
        _changing(one_row_flat),
    ),
    Mistake(
        "a side of length 1 is lost",
        "With one token or one column your answer is a flat list. Return rows even then, without np.squeeze.",
        6,
        _changing(squeezed),
    ),
    Mistake(
        "whole numbers like X",
        "The decimals are cut off: something makes whole numbers, such as int, or an array made like X. Use float.",
        6,
        lambda X, block, heads: whole_like(X, transform(X, block, heads)),
    ),
    Mistake(
        "floats of 32 bits",
        "float32 keeps about 7 digits, so rows far from zero lose their differences. Use dtype=float.",
        1,
        lambda X, block, heads: transform([list(map(in_32_bits, row)) for row in X], block, heads),
    ),
    Mistake(
        "rounded",
        "Your numbers are cut to a few decimals, and that is not exact enough. Return them without round.",
        6,
        _changing(rounded(3)),
        also=(_changing(rounded(2)), _changing(rounded(4))),
    ),
    Mistake(
        "the place of a token is looked up",
        "Two tokens can be equal, and index finds the first one only. Count the places: for i, row in enumerate(X).",
        6,
        looked_up(transform),
    ),
    # Between calls: the rows are right, but only in a first call
    Mistake(
        "X is changed",
        "Your function adds into X itself, so a second call with the same lists gives other numbers. Make new lists.",
        3,
        transform_alone(add=wrong.added_into_x),
    ),
    Mistake(
        "block is changed",
        "A table is missing in the second call: pop takes it out of block. Read it with block[...] only.",
        1,
        wrong.used_up,
    ),
    Mistake(
        "an old answer is given again for the same X",
        "Your function remembers an answer and looks only at X. Compute each call from all three inputs.",
        6,
        remembering(transform, lambda X, _block, _heads: X),
    ),
    Mistake(
        "an old answer is given again for other heads",
        "Your function remembers an answer and does not look at heads. Compute each call from all three inputs.",
        6,
        remembering(transform, lambda X, block, _heads: (X, block)),
    ),
)
