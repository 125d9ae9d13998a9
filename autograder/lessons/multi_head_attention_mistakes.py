"""Lesson 10, multi-head attention: the known mistakes, in the order of the steps.

The wrong solutions themselves stand in `multi_head_attention_wrong_solves.py`.
"""

from __future__ import annotations

import math
from functools import partial
from itertools import chain
from typing import Final

from autograder.lesson import Mistake
from autograder.lessons import multi_head_attention_wrong_solves as wrong
from autograder.lessons.attention_wrong_solves import replaced, tabled
from autograder.lessons.common_mistakes import (
    alone,
    changing,
    down_the_columns,
    exps_of,
    looked_up,
    one_row_flat,
    one_top,
    remembering,
    rounded,
    shares_of,
    squeezed,
    sums_of_other_rows,
    turned,
)
from autograder.lessons.multi_head_attention_wrong_solves import cut_columns, join_heads, multi_head, project_all, times

_changing = partial(changing, multi_head)  # compute the right rows and then hand back something else
_alone = partial(alone, multi_head)  # all pairs of these mistakes would make the practice file too large

MISTAKES: Final[tuple[Mistake, ...]] = (
    # Step 1: queries, keys and values
    Mistake(
        "rows of the tables instead of columns",
        "Your tables are turned, as in X @ W.T. Column c of X W comes from a row of X and column c of W.",
        1,
        wrong.all_turned,
    ),
    Mistake(
        "rows of W_q, W_k and W_v instead of columns",
        "W_o is right, but W_q, W_k and W_v are turned. Column c of Q comes from a row of X and column c of W_q.",
        1,
        partial(multi_head, project=lambda X, tables: project_all(X, [turned(table) for table in tables])),
    ),
    Mistake(
        "the keys are made with W_q",
        "Q and K come from the same table. Queries come from W_q, keys from W_k, values from W_v.",
        1,
        partial(multi_head, project=lambda X, W: project_all(X, (W[0], W[0], W[2]))),
    ),
    Mistake(
        "the values are made with W_k",
        "K and V come from the same table. Queries come from W_q, keys from W_k, values from W_v.",
        1,
        partial(multi_head, project=lambda X, W: project_all(X, (W[0], W[1], W[1]))),
    ),
    Mistake(
        "queries and keys have changed places",
        "W_q and W_k are swapped, or you call attention with k before q. Queries come from W_q, keys from W_k.",
        1,
        partial(multi_head, project=lambda X, W: project_all(X, (W[1], W[0], W[2]))),
    ),
    Mistake(
        "the values are X itself",
        "W_v is never used. The values are X times W_v.",
        1,
        _alone(project=lambda X, W: (*project_all(X, W[:2]), X)),
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
        wrong.reshaped_both,
    ),
    Mistake(
        "the flat numbers are cut into heads",
        "Each head got whole tokens. Of each row it needs columns h * width up to, but not including, (h + 1) * width.",
        2,
        partial(multi_head, cut=wrong.reshaped),
    ),
    Mistake(
        "one big head",
        "The answer is that of one head, as wide as X. Cut the columns into heads, and run attention in each.",
        2,
        wrong.one_big_head,
    ),
    Mistake(
        "every head gets the first columns",
        "All your heads use the same columns. Head h starts at column h * width.",
        2,
        partial(multi_head, cut=lambda table, _head, heads: cut_columns(table, 0, heads)),
    ),
    Mistake(
        "the third head gets the columns of the second",
        "This works for two heads only. Head h starts at column h * width, however many heads there are.",
        2,
        partial(multi_head, cut=wrong.second_for_the_rest),
    ),
    Mistake(
        "a head takes every so many columns",
        "Head h got columns h, h + heads and so on. It needs h * width up to, but not including, (h + 1) * width.",
        2,
        partial(multi_head, cut=wrong.every_so_many),
    ),
    Mistake(
        "a head ends one column too early",
        "In Python: `row[h * w : (h + 1) * w]`. A slice stops before its last number.",
        2,
        _alone(cut=wrong.one_column_short, mix=wrong.mix_in_zip),
        (_alone(cut=wrong.one_column_short),),
    ),
    Mistake(
        "rows are cut in place of columns",
        "`Q[a:b]` takes rows. Cut each row: `[row[a:b] for row in Q]`.",
        2,
        _alone(cut=wrong.rows_cut, join=wrong.join_in_zip, mix=wrong.mix_in_zip),
        (wrong.rows_cut_then_indexed,),
    ),
    Mistake(
        "the number of heads is taken for their width",
        "Your heads are as wide as there are heads. The width of a head is the width of X divided by heads.",
        2,
        wrong.number_as_width,
    ),
    Mistake(
        "X is cut before the projection",
        "Each head sees only its own part of X. Multiply the whole X by the whole table, then cut the result.",
        2,
        wrong.x_cut_first,
    ),
    Mistake(
        "the heads of one token attend to each other",
        "Tokens never meet: attention runs over the heads of one token. In each head it must run over the tokens.",
        2,
        wrong.heads_meet,
    ),
    # Step 3: attention in each head
    Mistake(
        "divided by the square root of the whole width",
        "The scores are divided by the root of the width of X. A query of a head is only as wide as the head.",
        3,
        partial(multi_head, run=wrong.scored(lambda width, heads: math.sqrt(width * heads))),
    ),
    Mistake(
        "no division by the square root",
        "The scores are not divided. Divide each dot product by the square root of the width of a head.",
        3,
        partial(multi_head, run=wrong.scored(lambda _width, _heads: 1.0)),
    ),
    Mistake(
        "divided by the square root of the number of heads",
        "You divide by the root of the number of heads. Use the width of a head: that is len(q) of a query in it.",
        3,
        _alone(run=wrong.scored(lambda _width, heads: math.sqrt(heads))),
    ),
    Mistake(
        "divided by the width without the square root",
        "The scores are divided by the width of a head itself. Divide by its square root.",
        3,
        partial(multi_head, run=wrong.scored(lambda width, _heads: float(width))),
    ),
    Mistake(
        "the mask is never used",
        "With causal = True later tokens still count. Pass `causal` on to the attention of every head.",
        3,
        partial(multi_head, run=wrong.masked(lambda _causal, _head: False)),
    ),
    Mistake(
        "the mask is always used",
        "With causal = False later tokens are missing. Pass `causal` on, and not always True.",
        3,
        partial(multi_head, run=wrong.masked(lambda _causal, _head: True)),
    ),
    Mistake(
        "only head 0 uses the mask",
        "In head 0 later tokens are hidden, in the others they count. Pass `causal` on in every head.",
        3,
        partial(multi_head, run=wrong.masked(lambda causal, head: causal and head == 0)),
    ),
    Mistake(
        "the mask comes after the softmax",
        "The weights of a causal query do not add up to 1. Leave later keys out before the softmax.",
        3,
        partial(multi_head, run=wrong.mask_after),
    ),
    Mistake(
        "a score of 0 counts as hidden",
        "Scores that happen to be 0 were hidden too. Hide a key because it comes later, not because its score is 0.",
        3,
        _alone(run=wrong.no_zeros),
    ),
    Mistake(
        "later keys get a score of -1000",
        "Scores can be far below -1000, and then later keys count. Leave them out, or give them minus infinity.",
        3,
        partial(multi_head, run=wrong.as_run(replaced(lambda _score: -1000.0))),
    ),
    Mistake(
        "later keys get a score of 0",
        "A score of 0 still gets a weight. Leave later keys out, or give them minus infinity before the softmax.",
        3,
        _alone(run=wrong.as_run(replaced(lambda _score: 0.0))),
    ),
    Mistake(
        "the place of a token is looked up",
        "Two tokens can be equal, and index finds the first one only. Count the places: for i, row in enumerate(X).",
        3,
        looked_up(multi_head),
    ),
    Mistake(
        "all heads use the weights of head 0",
        "Every head mixes its values with the weights of head 0. Each head has its own queries, keys and weights.",
        3,
        wrong.weights_of_head_0,
    ),
    Mistake(
        "each column is divided by the sum of another row",
        "The sums of the rows divide the columns: numpy lines them up with the columns. Use axis=1 and keepdims=True.",
        3,
        _alone(run=wrong.as_run(tabled(sums_of_other_rows))),
    ),
    Mistake(
        "softmax down the columns",
        "The softmax runs over the queries, so your weights add up to 1 per key. They must add up to 1 per query.",
        3,
        _alone(run=wrong.as_run(tabled(down_the_columns))),
    ),
    Mistake(
        "a number far above all scores is subtracted",
        "When all scores are far below 0, all exps become 0. Subtract the largest score, also when it is below 0.",
        3,
        partial(multi_head, run=wrong.weighed(lambda scores: shares_of(exps_of(scores, max(0.0, *scores))))),
    ),
    Mistake(
        "the largest score is not subtracted",
        "Large scores make exp overflow, and very low ones all become 0. Subtract the largest score first.",
        3,
        partial(multi_head, run=wrong.weighed(lambda scores: shares_of(exps_of(scores)))),
    ),
    Mistake(
        "one largest score for all queries",
        "A query with much lower scores than another loses all its weights. Each query needs its own largest score.",
        3,
        partial(multi_head, run=wrong.as_run(tabled(one_top))),
    ),
    # Step 4: side by side
    Mistake(
        "the heads are averaged",
        "Your heads are merged into their average. Put their rows side by side: head 0 first, then head 1.",
        4,
        partial(multi_head, join=wrong.averaged),
    ),
    Mistake(
        "the heads are added",
        "Your heads are merged into their sum. Put their rows side by side: head 0 first, then head 1.",
        4,
        _alone(join=wrong.heads_added),
    ),
    Mistake(
        "the heads stand below each other",
        "Your heads stand below each other. Row i of the answer needs row i of every head, side by side.",
        4,
        partial(multi_head, join=wrong.reshaped_back),
        (_alone(join=lambda parts: list(chain(*parts)), mix=wrong.mix_in_zip),),
    ),
    Mistake(
        "the heads are in reverse order",
        "The last head stands first. Join them in their order: head 0 on the left.",
        4,
        partial(multi_head, join=lambda parts: join_heads(parts[::-1])),
    ),
    Mistake(
        "the columns of the heads take turns",
        "Your row has column 0 of every head, then column 1. It needs all of head 0, then all of head 1.",
        4,
        partial(multi_head, join=wrong.side_by_side_by_column),
    ),
    Mistake(
        "only the last head is kept",
        "Each head overwrites the one before. Keep the answers of all heads, then join them.",
        4,
        partial(multi_head, join=lambda parts: join_heads([parts[-1]] * len(parts))),
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
        partial(multi_head, mix=lambda joined, W_o, _heads: times(joined, turned(W_o))),
    ),
    Mistake(
        "every head uses the first rows of W_o",
        "Your heads are added, so all use the same rows of W_o. Put row i of every head side by side first.",
        4,
        partial(multi_head, mix=wrong.first_rows_of_w_o),
    ),
    Mistake(
        "divided by the number of heads",
        "Your numbers are divided by the number of heads once more. Only multiply the joined rows by W_o.",
        5,
        wrong.divided_by_heads,
    ),
    Mistake(
        "X is added to the answer",
        "You add X at the end. That comes in the next lesson: here the answer is only the joined rows times W_o.",
        5,
        wrong.with_x,
    ),
    Mistake(
        "only the first row is returned",
        "Your answer stops after token 0. Is the return inside the loop, or does the range of the loop end too early?",
        5,
        _changing(lambda rows: rows[:1]),
    ),
    Mistake(
        "one token gives a flat row",
        "With one token you return one row. Return a list that holds this row, without np.squeeze.",
        5,
        _changing(one_row_flat),
    ),
    Mistake(
        "a side of length 1 is lost",
        "With one token or one column your answer is a flat list. Return rows even then, without np.squeeze.",
        5,
        _changing(squeezed),
    ),
    Mistake(
        "rounded to two decimals",
        "Your numbers are cut to two decimals. Return them as they are, without round.",
        5,
        _changing(rounded(2)),
    ),
    Mistake(
        "rounded to four decimals",
        "Your numbers are cut to four decimals, and that is not exact enough. Return them without round.",
        5,
        _changing(rounded(4)),
    ),
    # Between calls: the rows are right, but only in a first call
    Mistake(
        "X is changed",
        "Your function writes into X, so a second call with the same lists gives other numbers. Make new lists.",
        4,
        wrong.joined_into_x,
    ),
    Mistake(
        "W_q is changed",
        "Your function divides W_q itself, so a second call gives other numbers. Make a new table.",
        3,
        wrong.scaled_in_place,
    ),
    Mistake(
        "an old answer is given again for the same X",
        "Your function remembers an answer and looks only at X. Compute each call from all seven inputs.",
        5,
        remembering(multi_head, lambda X, *_: X),
    ),
    Mistake(
        "an old answer is given again for the same tables",
        "Your function remembers an answer and does not look at heads and causal. Compute each call from all inputs.",
        5,
        remembering(multi_head, lambda *arguments: arguments[:5]),
    ),
)
