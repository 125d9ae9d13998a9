"""Lesson 06, feed_forward: the known mistakes, in the order of the steps.

The wrong solutions themselves stand in `feed_forward_wrong_solves.py`.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Final

from autograder.lesson import Mistake
from autograder.lessons import feed_forward_wrong_solves as wrong
from autograder.lessons.common_mistakes import (
    changing,
    flattened,
    remembering,
    rounded,
    running_sums,
    sigmoid_of,
    squeezed,
    turned,
    whole_like,
)
from autograder.lessons.feed_forward_wrong_solves import (
    CUBE,
    SCALE,
    exact_gelu,
    feed_forward,
    gelu,
    gelu_with,
    inner,
    relu,
)

_changing = partial(changing, feed_forward)  # compute the right rows and then hand back something else

MISTAKES: Final[tuple[Mistake, ...]] = (
    # Step 1: the first linear layer
    Mistake(
        "b1 is left out",
        "These are the numbers without the first bias. Add b1[j] to hidden number j.",
        1,
        partial(feed_forward, first=wrong.without_bias),
    ),
    Mistake(
        "b1 is added for every product",
        "The first bias is added several times. Add the products first, then add b1[j] once.",
        1,
        partial(feed_forward, first=wrong.bias_for_every_product),
    ),
    Mistake(
        "rows of W1 instead of columns",
        "Hidden number j belongs to column j of W1: use W1[i][j] for every i. In numpy, write X @ W1 without .T.",
        1,
        partial(feed_forward, first=wrong.rows_for_columns),
        (
            partial(feed_forward, first=wrong.rows_for_columns_by_index),
            partial(feed_forward, first=wrong.rows_for_columns_in_arrays),
            partial(feed_forward, first=wrong.rows_for_columns_by_index, second=wrong.rows_for_columns_by_index),
            partial(feed_forward, first=wrong.rows_for_columns_in_arrays, second=wrong.rows_for_columns_in_arrays),
        ),
    ),
    Mistake(
        "as many hidden numbers as a token has numbers",
        "Your loop makes one hidden number for each number of the token. Make one for each column of W1: len(W1[0]).",
        1,
        partial(feed_forward, first=wrong.as_wide_as_the_row),
    ),
    Mistake(
        "the first sum is not emptied",
        "The sum still holds the column of W1 before. Start it with 0 for each column.",
        1,
        partial(feed_forward, first=wrong.sum_not_emptied),
        (
            partial(feed_forward, first=wrong.sum_with_bias_not_emptied),
            wrong.sum_not_emptied_for_a_token,
            partial(feed_forward, first=wrong.sum_not_emptied, second=wrong.sum_not_emptied),
            partial(feed_forward, first=wrong.sum_with_bias_not_emptied, second=wrong.sum_with_bias_not_emptied),
        ),
    ),
    Mistake(
        "X and W1 have changed places",
        "In numpy, W1 @ X uses the columns of X. Write X @ W1: each row of X with each column of W1.",
        1,
        wrong.first_table_in_front,
    ),
    Mistake(
        "a square W1 is turned",
        "Tables with as many rows as columns are read the wrong way. Always use the columns of W1, without trying out.",
        1,
        partial(feed_forward, first=wrong.rows_where_square),
    ),
    Mistake(
        "the last number of each token is left out",
        "The dot product stops one number too early. Multiply and add all numbers of the row.",
        1,
        partial(feed_forward, first=wrong.last_left_out),
    ),
    Mistake(
        "the hidden numbers are rounded",
        "Your hidden numbers are cut to three decimals, so the answer is not exact enough. Do not round on the way.",
        1,
        partial(feed_forward, first=wrong.rounded_to(3)),
        (partial(feed_forward, first=wrong.rounded_to(2)),),
    ),
    Mistake(
        "floats of 32 bits",
        "float32 keeps about 7 digits, so large numbers lose their decimals. Use dtype=float.",
        1,
        partial(feed_forward, first=wrong.single),
    ),
    Mistake(
        "the first layer writes into b1",
        "Your sums are collected in b1, so the next token starts with them. Make a new list for each token.",
        1,
        partial(feed_forward, first=wrong.into_the_bias),
    ),
    Mistake(
        "a table for 16 hidden numbers",
        "After 16 hidden numbers the others are left out. Take the hidden width from b1 or W1.",
        1,
        partial(feed_forward, first=wrong.only_16),
    ),
    Mistake(
        "the hidden numbers of the first token are used for all",
        "All your rows are alike. Start with a new, empty list of hidden numbers for each token.",
        1,
        wrong.hidden_not_emptied,
    ),
    Mistake(
        "the mean of all tokens",
        "Your tokens are mixed. Send each row of X through the layer on its own.",
        1,
        wrong.mean_of_all_tokens,
    ),
    Mistake(
        "the two layers have changed places",
        "You use W2 and b2 first. Start with W1 and b1.",
        1,
        wrong.tables_swapped,
    ),
    Mistake(
        "rows of zeros are skipped",
        "A row of zeros still gets an answer, because of the biases. Send it through all three steps.",
        1,
        wrong.zero_rows_skipped,
    ),
    # Step 2: the curve
    Mistake(
        "no curve",
        "There is no GELU between your two layers. Bend each hidden number before the second layer.",
        2,
        *wrong.curve(wrong.same),
    ),
    Mistake(
        "ReLU instead of GELU",
        "Negative hidden numbers became exactly 0. Use the GELU formula, which goes a little below 0.",
        2,
        *wrong.curve(relu),
    ),
    Mistake(
        "the GELU formula with erf",
        "Two formulas are called GELU, and these are the numbers of the other one. Use the formula with tanh.",
        2,
        *wrong.curve(exact_gelu),
    ),
    Mistake(
        "GELU by a sigmoid",
        "This is a rougher curve, h times sigmoid of 1.702 h. Use the formula with tanh.",
        2,
        *wrong.curve(lambda h: h * sigmoid_of(1.702 * h)),
    ),
    Mistake(
        "SiLU instead of GELU",
        "This curve is h times sigmoid of h. Use the GELU formula of step 2.",
        2,
        *wrong.curve(lambda h: h * sigmoid_of(h)),
    ),
    Mistake(
        "tanh instead of GELU",
        "tanh is only one part of GELU. Add 1 to it, then multiply by 0.5 and by h.",
        2,
        *wrong.curve(math.tanh, lambda h: math.tanh(inner(h))),
    ),
    Mistake(
        "a sigmoid instead of GELU",
        "Your bent numbers lie between 0 and 1: this is a sigmoid. Use the GELU formula of step 2.",
        2,
        *wrong.curve(sigmoid_of),
    ),
    Mistake(
        "a part of negative numbers is kept",
        "Negative hidden numbers are multiplied by a small number (leaky ReLU). Use the GELU formula.",
        2,
        *wrong.curve(lambda h: max(0.01 * h, h), lambda h: max(0.1 * h, h)),
    ),
    Mistake(
        "the square instead of the cube",
        "You use h * h. The formula has h ** 3, which is h * h * h.",
        2,
        *wrong.curve(lambda h: 0.5 * h * (1 + math.tanh(SCALE * (h + CUBE * h**2)))),
    ),
    Mistake(
        "three times h instead of the cube",
        "You multiply h by 3. The formula has h ** 3, which is h * h * h.",
        2,
        *wrong.curve(lambda h: 0.5 * h * (1 + math.tanh(SCALE * (h + CUBE * h * 3)))),
    ),
    Mistake(
        "the cube of the product",
        "The 0.044715 is raised to the power 3 too. Raise only h: 0.044715 * h ** 3.",
        2,
        *wrong.curve(lambda h: 0.5 * h * (1 + math.tanh(SCALE * (h + (CUBE * h) ** 3)))),
    ),
    Mistake(
        "the part with the cube is left out",
        "The part 0.044715 * h ** 3 is missing. Add it to h inside the tanh.",
        2,
        *wrong.curve(gelu_with(cube=0)),
    ),
    Mistake(
        "h is not added to the cube",
        "Inside the tanh you have only the part with the cube. Add h to it.",
        2,
        *wrong.curve(lambda h: 0.5 * h * (1 + math.tanh(SCALE * CUBE * h**3))),
    ),
    Mistake(
        "the brackets inside tanh",
        "The square root of 2 / pi multiplies h only. It must multiply the whole sum: put brackets around the sum.",
        2,
        *wrong.curve(lambda h: 0.5 * h * (1 + math.tanh(SCALE * h + CUBE * h**3))),
    ),
    Mistake(
        "no square root",
        "You multiply by 2 / pi. Multiply by the square root of 2 / pi.",
        2,
        *wrong.curve(gelu_with(scale=2 / math.pi)),
    ),
    Mistake(
        "the square root of 2, divided by pi",
        "You take the root of 2 and then divide by pi. Divide first: math.sqrt(2 / math.pi).",
        2,
        *wrong.curve(gelu_with(scale=math.sqrt(2) / math.pi)),
    ),
    Mistake(
        "the square root of pi / 2",
        "The fraction is upside down. It is math.sqrt(2 / math.pi).",
        2,
        *wrong.curve(gelu_with(scale=math.sqrt(math.pi / 2))),
    ),
    Mistake(
        "the square root is left out",
        "The factor in front of the bracket is missing. Multiply by math.sqrt(2 / math.pi) inside the tanh.",
        2,
        *wrong.curve(gelu_with(scale=1)),
    ),
    Mistake(
        "a root of the whole bracket",
        "A square root of a negative number does not exist. Take the root of 2 / pi only, then multiply.",
        2,
        *wrong.curve(wrong.root_of_the_bracket, wrong.root_of_the_bracket_in_arrays),
    ),
    Mistake(
        "1 is not added to tanh",
        "The 1 in front of the tanh is missing. It is 0.5 * h * (1 + tanh).",
        2,
        *wrong.curve(lambda h: 0.5 * h * math.tanh(inner(h))),
    ),
    Mistake(
        "1 is subtracted from tanh",
        "The sign is turned round. It is 0.5 * h * (1 + tanh).",
        2,
        *wrong.curve(lambda h: 0.5 * h * (1 - math.tanh(inner(h)))),
    ),
    Mistake(
        "the brackets around 1 + tanh",
        "Only the 1 is multiplied by 0.5 * h. Put brackets around 1 + tanh.",
        2,
        *wrong.curve(lambda h: 0.5 * h * 1 + math.tanh(inner(h))),
    ),
    Mistake(
        "the factor 0.5 is left out",
        "Your bent numbers are twice too large. Multiply by 0.5.",
        2,
        *wrong.curve(lambda h: 2 * gelu(h)),
    ),
    Mistake(
        "the factor h is left out",
        "Your bent numbers lie between 0 and 1. Multiply by h too: 0.5 * h * (1 + tanh).",
        2,
        *wrong.curve(lambda h: 0.5 * (1 + math.tanh(inner(h)))),
    ),
    Mistake(
        "0.0447 instead of 0.044715",
        "A constant is rounded, and a large second table shows it. Write 0.044715.",
        2,
        *wrong.curve(gelu_with(cube=0.0447), gelu_with(cube=0.04471), gelu_with(cube=0.04472), gelu_with(cube=0.045)),
    ),
    Mistake(
        "0.8 in place of the square root",
        "The square root of 2 / pi is not exactly 0.8. Write math.sqrt(2 / math.pi).",
        2,
        *wrong.curve(gelu_with(scale=0.8)),
    ),
    Mistake(
        "0.7979 in place of the square root",
        "A constant is rounded, and a large second table shows it. Write math.sqrt(2 / math.pi).",
        2,
        *wrong.curve(gelu_with(scale=0.7979), gelu_with(scale=0.79788), gelu_with(scale=0.798)),
    ),
    Mistake(
        "3.14 in place of pi",
        "A constant is rounded. Write math.pi, or np.pi.",
        2,
        *wrong.curve(gelu_with(scale=math.sqrt(2 / 3.14)), gelu_with(scale=math.sqrt(2 / 3.1416))),
    ),
    Mistake(
        "the curve ends at 4",
        "Beyond 4 and -4 you take h or 0, but the curve is not quite there. Use the formula for every number.",
        2,
        *wrong.curve(wrong.cut(4), wrong.cut(4.5)),
    ),
    Mistake(
        "the curve ends at 3",
        "Beyond 3 and -3 you take h or 0, but the curve is not quite there. Use the formula for every number.",
        2,
        *wrong.curve(wrong.cut(3)),
    ),
    Mistake(
        "hidden numbers are kept below 100",
        "Hidden numbers above 100 were cut. math.tanh can take any number, so leave them as they are.",
        2,
        *wrong.curve(wrong.kept_within(100), wrong.kept_within(500)),
    ),
    Mistake(
        "hidden numbers are kept below 20",
        "Hidden numbers above 20 were cut. math.tanh can take any number, so leave them as they are.",
        2,
        *wrong.curve(wrong.kept_within(20), wrong.kept_within(10)),
    ),
    Mistake(
        "tanh out of exp overflows",
        "You built tanh out of exp, and exp overflows for large numbers. Use math.tanh, or np.tanh.",
        2,
        *wrong.curve(
            wrong.tanh_by_exp,
            wrong.tanh_by_exp_twice,
            wrong.tanh_by_exp_minus,
            wrong.in_arrays(wrong.tanh_by_exp),
            wrong.in_arrays(wrong.tanh_by_exp_twice),
            wrong.in_arrays(wrong.tanh_by_exp_minus),
        ),
    ),
    Mistake(
        "0 where exp overflows",
        "A large hidden number became 0 because exp overflowed. Use math.tanh, or np.tanh, without try.",
        2,
        *wrong.curve(wrong.zero_on_overflow),
    ),
    Mistake(
        "the curve comes before the first layer",
        "GELU is used on the tokens. Use it on the hidden numbers, between the two layers.",
        2,
        wrong.curve_before_the_first_layer,
    ),
    Mistake(
        "decimals of the bent numbers are cut off",
        "An array made from whole numbers cannot hold the decimals of the bent numbers. Use dtype=float.",
        2,
        wrong.whole_hidden,
    ),
    # Step 3: the second linear layer
    Mistake(
        "GELU after the second layer too",
        "The output is bent once more. There is no curve after the second layer.",
        3,
        partial(feed_forward, after=lambda _x, row: list(map(gelu, row))),
    ),
    Mistake(
        "GELU only after the second layer",
        "The curve stands behind both layers. It belongs between them.",
        2,
        partial(feed_forward, bend=wrong.same, after=lambda _x, row: list(map(gelu, row))),
    ),
    Mistake(
        "b2 is left out",
        "These are the numbers without the second bias. Add b2[c] to output number c.",
        3,
        partial(feed_forward, second=wrong.without_bias),
    ),
    Mistake(
        "b2 is added for every product",
        "The second bias is added several times. Add the products first, then add b2[c] once.",
        3,
        partial(feed_forward, second=wrong.bias_for_every_product),
    ),
    Mistake(
        "rows of W2 instead of columns",
        "Output number c belongs to column c of W2: use W2[j][c] for every j. In numpy, write @ W2 without .T.",
        3,
        partial(feed_forward, second=wrong.rows_for_columns),
        (
            partial(feed_forward, second=wrong.rows_for_columns_by_index),
            partial(feed_forward, second=wrong.rows_for_columns_in_arrays),
        ),
    ),
    Mistake(
        "the second sum is not emptied",
        "The sum still holds the column of W2 before. Start it with 0 for each column.",
        3,
        partial(feed_forward, second=wrong.sum_not_emptied),
        (partial(feed_forward, second=wrong.sum_with_bias_not_emptied),),
    ),
    Mistake(
        "the bent numbers and W2 have changed places",
        "In numpy, the bent numbers come first. Write them, then @ W2: each row of them with each column of W2.",
        3,
        wrong.second_table_in_front,
    ),
    Mistake(
        "a square W2 is turned",
        "Tables with as many rows as columns are read the wrong way. Always use the columns of W2, without trying out.",
        3,
        partial(feed_forward, second=wrong.rows_where_square),
    ),
    Mistake(
        "the last hidden number is left out",
        "The second layer stops one hidden number too early. Multiply and add all of them.",
        3,
        partial(feed_forward, second=wrong.last_left_out),
    ),
    Mistake(
        "the second layer writes into b2",
        "Your sums are collected in b2, so the next token starts with them. Make a new list for each token.",
        3,
        partial(feed_forward, second=wrong.into_the_bias),
    ),
    Mistake(
        "the input is added to the output",
        "The token itself is added at the end. This comes in lesson 11; here, return the row of step 3 alone.",
        3,
        partial(feed_forward, after=lambda x, row: [a + b for a, b in zip(x, row, strict=False)]),
    ),
    Mistake(
        "the second layer is missing",
        "You return the bent numbers. Send them through W2 and b2.",
        3,
        wrong.hidden_only,
    ),
    Mistake(
        "the rows are added up from token to token",
        "The output of one token is part of the next one. Start each output row with an empty list.",
        3,
        _changing(running_sums),
    ),
    Mistake(
        "only the first token",
        "Your answer stops after the first token. Is the return inside the loop, or is its range too short?",
        3,
        _changing(lambda rows: rows[:1]),
    ),
    Mistake(
        "only the last token",
        "Your answer holds the last token only. Collect the rows of all tokens in a list.",
        3,
        _changing(lambda rows: rows[-1:]),
        (_changing(lambda rows: rows[-1]),),
    ),
    Mistake(
        "a table for 16 tokens",
        "After 16 tokens the others are left out. Take the number of tokens from X.",
        3,
        _changing(lambda rows: rows[:16]),
    ),
    Mistake(
        "the answer is turned",
        "Your answer has one row per column. It needs one row per token.",
        3,
        _changing(turned),
    ),
    Mistake(
        "one flat list",
        "All numbers stand in one list. Make one row per token: append each row, and do not extend or flatten.",
        3,
        _changing(flattened),
    ),
    Mistake(
        "a side of length 1 is lost",
        "With one token or one column your answer is a flat list. Return rows even then, without np.squeeze.",
        3,
        _changing(squeezed),
    ),
    Mistake(
        "one list too many",
        "Your rows are inside one more list or tuple. A comma at the end of the return line does this.",
        3,
        _changing(lambda rows: [rows]),
    ),
    Mistake(
        "rounded to two decimals",
        "Your numbers are cut to two decimals. Return them as they are, without round.",
        3,
        _changing(rounded(2)),
    ),
    Mistake(
        "rounded to three decimals",
        "Your numbers are cut to three decimals, and that is not exact enough. Return them without round.",
        3,
        _changing(rounded(3)),
    ),
    Mistake(
        "whole numbers only",
        "The decimals are cut off: something makes whole numbers, such as int, or an array of ints. Use float.",
        3,
        lambda X, *others: whole_like(X, feed_forward(X, *others)),
    ),
    # Between calls: the rows are right, but only in a first call
    Mistake(
        "the output is written into X",
        "Your function writes into X, so a second call starts with other numbers. Make a new list.",
        3,
        wrong.into_the_tokens,
    ),
    Mistake(
        "a bias is put into the inputs",
        "Your function appends to X and W1, so a second call finds other sizes. Work on copies, or add b1 at the end.",
        1,
        wrong.bias_as_a_row,
    ),
    Mistake(
        "W1 is turned in place",
        "Your function turns W1 itself, so a second call finds it turned. Make a new list for the columns.",
        1,
        wrong.turned_in_place,
    ),
    Mistake(
        "an old answer is given again for the same X",
        "Your function remembers an answer and looks only at X. Compute each call from all five inputs.",
        3,
        remembering(feed_forward, lambda X, _W1, _b1, _W2, _b2: X),
    ),
    Mistake(
        "an old answer is given again for the same shapes",
        "Your function remembers an answer and looks only at the sizes. Compute each call from all five inputs.",
        3,
        remembering(feed_forward, lambda X, W1, _b1, _W2, _b2: (len(X), len(W1), len(W1[0]))),
    ),
    Mistake(
        "an old answer is given again for the same tables",
        "Your function remembers an answer and looks only at X and the tables. The biases can be others.",
        3,
        remembering(feed_forward, lambda X, W1, _b1, W2, _b2: (X, W1, W2)),
    ),
)
