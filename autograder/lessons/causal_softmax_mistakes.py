"""Lesson 08, causal_softmax: the known mistakes, in the order of the steps.

The wrong solutions themselves stand in `causal_softmax_wrong_solves.py`.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Final

from autograder.lesson import Mistake
from autograder.lessons import causal_softmax_wrong_solves as wrong
from autograder.lessons.causal_softmax_wrong_solves import (
    HIDDEN,
    keep,
    largest_of,
    mask_and_weigh,
    open_scores,
    right_weights,
    softmax_of_open,
)
from autograder.lessons.common_mistakes import (
    EXP_LIMIT,
    alone,
    best_on_overflow,
    best_only,
    changing,
    down_the_columns,
    exps_of,
    exps_of_exps,
    flattened,
    in_32_bits,
    one_row_flat,
    one_top,
    over_everything,
    remembering,
    rounded,
    shares_of,
    sigmoid_of,
    squeezed,
    sums_of_columns,
    tops_of_columns,
    turned,
    whole_like,
)

_changing = partial(changing, right_weights)  # compute the right weights and then hand back something else
_alone = partial(alone, mask_and_weigh)  # two mistakes together have the same numbers

MISTAKES: Final[tuple[Mistake, ...]] = (
    # Step 1: which keys
    Mistake(
        "the mask is never used",
        "Every query sees all keys. Leave the later keys out before the softmax.",
        1,
        partial(mask_and_weigh, visible=wrong.every_key),
    ),
    Mistake(
        "a query may not see itself",
        "Query i loses its own key, so query 0 may have no key at all. Its own key is the last one it sees.",
        1,
        partial(mask_and_weigh, visible=lambda i, more, _row: range(i + more)),
        (
            partial(mask_and_weigh, visible=lambda i, more, _row: range(i + more), weigh=wrong.softmax_in_arrays),
            partial(mask_and_weigh, visible=lambda i, more, _row: range(i + more), weigh=wrong.zeros_without_keys),
            partial(mask_and_weigh, visible=lambda i, _more, _row: range(i)),
            partial(mask_and_weigh, visible=lambda i, _more, _row: range(i), weigh=wrong.zeros_without_keys),
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
        lambda scores: mask_and_weigh(
            scores, visible=wrong.later, weigh=wrong.softmax_in_arrays
        ),  # lists: an error, as above
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
        lambda scores: mask_and_weigh(scores, visible=wrong.turned_difference),
        (
            wrong.turned_difference_too_long,
            lambda scores: mask_and_weigh(scores, visible=wrong.turned_difference, weigh=wrong.softmax_in_arrays),
            lambda scores: mask_and_weigh(scores, visible=lambda i, more, _row: range(i - more + 1)),
            lambda scores: mask_and_weigh(
                scores, visible=lambda i, more, _row: range(i - more + 1), weigh=wrong.softmax_in_arrays
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
        wrong.first_row_with_these_scores,
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
        partial(mask_and_weigh, hide=keep, after=wrong.zeroed),
    ),
    Mistake(
        "infinity in a table of whole numbers",
        "Your table holds whole numbers, and infinity is not one. Write np.array(scores, dtype=float).",
        1,
        wrong.infinity_in_whole_numbers,
    ),
    # Step 2: the weights
    Mistake(
        "the largest score is not subtracted",
        "exp(-1000) is 0, so you divide by 0. Subtract the largest score that this query may see.",
        2,
        partial(mask_and_weigh, weigh=lambda scores: shares_of(exps_of(scores))),
        (partial(mask_and_weigh, weigh=wrong.shares_in_arrays),),
    ),
    Mistake(
        "the largest score of the whole row is subtracted",
        "You subtract the largest score of the whole row, also of hidden keys. Take it from the keys that are left.",
        2,
        # Softmax of the whole row, then the mask, then a second division comes to the same.
        partial(mask_and_weigh, hide=keep, after=wrong.zeroed_and_shared),
        (
            lambda scores: wrong.top_of_the_row(scores, wrong.shares_in_arrays, max),
            wrong.top_of_the_table(wrong.shares_in_lists),
            wrong.top_of_the_table(wrong.shares_in_arrays),
        ),
    ),
    Mistake(
        "the largest score is not subtracted, and later keys go through exp too",
        "Large scores make exp overflow, also those of later keys. Leave these out, then subtract the largest score.",
        2,
        partial(mask_and_weigh, hide=keep, weigh=exps_of, after=wrong.zeroed_and_shared),
    ),
    Mistake(
        "longer floats instead of the shift",
        "A longer float overflows a little later, but it does. Subtract the largest score.",
        2,
        partial(mask_and_weigh, weigh=wrong.long_softmax),
    ),
    Mistake(
        "a number far above all scores is subtracted",
        "When all scores are far below 0, all exps become 0. Subtract the largest score, also when it is below 0.",
        2,
        partial(mask_and_weigh, weigh=wrong.shifted_by(lambda scores: max(0.0, *scores))),
    ),
    Mistake(
        "the search for the largest score starts at -10,000",
        "Scores can be lower than that, and then all exps become 0. Start the search with the first score.",
        2,
        partial(mask_and_weigh, weigh=wrong.shifted_by(lambda scores: max(-1e4, *scores))),
    ),
    Mistake(
        "the smallest score is subtracted",
        "Subtract the largest score, not the smallest: then no number is above 0 and exp cannot overflow.",
        2,
        partial(mask_and_weigh, weigh=wrong.shifted_by(lambda scores: min(open_scores(scores)))),
    ),
    Mistake(
        "the first score is subtracted",
        "The largest score need not come first, so exp can still overflow. Subtract the largest score.",
        2,
        partial(mask_and_weigh, weigh=wrong.shifted_by(lambda scores: scores[0])),
    ),
    Mistake(
        "a number below the largest score is subtracted",
        "The largest score can be an earlier one, and exp overflows. Subtract the largest one that the query may see.",
        2,
        partial(mask_and_weigh, weigh=wrong.shifted_by(lambda scores: open_scores(scores)[-1])),
    ),
    Mistake(
        "one largest score for the whole table",
        "A query with much lower scores than another loses all its weights. Each query needs its own largest score.",
        2,
        wrong.tabled(one_top),
    ),
    Mistake(
        "large scores are cut",
        "All scores above some limit became equal. Do not cut them: subtract the largest score instead.",
        2,
        partial(mask_and_weigh, weigh=lambda scores: softmax_of_open([min(score, EXP_LIMIT) for score in scores])),
    ),
    Mistake(
        "the best key takes all when exp overflows",
        "Two large scores can be close, and then both keys get weight. Subtract the largest score instead.",
        2,
        partial(mask_and_weigh, weigh=best_on_overflow),
    ),
    Mistake(
        "floats of 32 bits",
        "float32 keeps about 7 digits, so large scores lose their decimals. Use dtype=float.",
        2,
        lambda scores: mask_and_weigh([[in_32_bits(score) for score in row] for row in scores]),
    ),
    Mistake(
        "the scores are rounded",
        "Your scores are cut to three decimals, so the answer is not exact enough. Do not round on the way.",
        2,
        partial(mask_and_weigh, weigh=wrong.rounded_scores),
    ),
    Mistake(
        "softmax down the columns",
        "The softmax runs over the queries, so your weights add up to 1 per key. They must add up to 1 per query.",
        2,
        wrong.tabled(down_the_columns),
    ),
    Mistake(
        "one softmax over the whole table",
        "All your weights together add up to 1. The weights of each query must add up to 1.",
        2,
        wrong.tabled(over_everything),
    ),
    Mistake(
        "keepdims is missing in max and in sum",
        "numpy lines the numbers of the rows up with the columns. Write axis=1 and keepdims=True in max and sum.",
        2,
        wrong.without_keepdims(tops=True, sums=True),
    ),
    Mistake(
        "each column is divided by the sum of another row",
        "The sums of the rows divide the columns. Write axis=1 and keepdims=True in max and sum.",
        2,
        wrong.without_keepdims(tops=False, sums=True),
    ),
    Mistake(
        "the largest score of another row is subtracted",
        "Numbers of other rows are subtracted. Write axis=1 and keepdims=True in max and sum.",
        2,
        wrong.without_keepdims(tops=True, sums=False),
    ),
    Mistake(
        "each number is divided by the sum of its column",
        "You divide by the sum of a column, so the weights of a query do not add up to 1. In numpy, write axis=1.",
        2,
        wrong.tabled(sums_of_columns),
    ),
    Mistake(
        "the largest score of each column is subtracted",
        "You subtract the largest score of a column. Subtract that of the row: in numpy, write axis=1 in the max.",
        2,
        wrong.tabled(tops_of_columns),
    ),
    Mistake(
        "no exponential",
        "The scores are divided by their sum, without exp. Raise e to each score first, then divide.",
        2,
        partial(mask_and_weigh, weigh=wrong.scores_as_parts),
    ),
    Mistake(
        "sigmoid instead of softmax",
        "Each number comes from one score alone. Divide each exp by the sum of all exps of this query.",
        2,
        partial(mask_and_weigh, weigh=lambda scores: [sigmoid_of(score) for score in scores]),
    ),
    Mistake(
        "powers of 2 instead of e",
        "These are powers of 2. Softmax uses e: math.exp, or np.exp.",
        2,
        partial(mask_and_weigh, weigh=lambda scores: shares_of([2.0 ** (s - largest_of(scores)) for s in scores])),
    ),
    Mistake(
        "e is raised twice",
        "Your exp works on numbers that came out of exp. Use it once for each score.",
        2,
        _alone(weigh=lambda scores: shares_of(exps_of_exps(scores, largest_of(scores)))),
        (
            _alone(weigh=lambda scores: exps_of_exps(scores, largest_of(scores)), after=wrong.zeroed_and_shared),
            _alone(weigh=lambda scores: shares_of(exps_of_exps(scores))),
            _alone(weigh=exps_of_exps, after=wrong.zeroed_and_shared),
        ),
    ),
    Mistake(
        "minus sign in the exponent",
        "The lowest score gets the largest weight. Subtract in this order: score - largest.",
        2,
        partial(mask_and_weigh, weigh=lambda scores: softmax_of_open([s if s == HIDDEN else -s for s in scores])),
    ),
    Mistake(
        "only the largest score",
        "The largest score takes all. Softmax gives every visible key a share: raise e to each number.",
        2,
        partial(mask_and_weigh, weigh=best_only),
    ),
    Mistake(
        "every visible key gets the same weight",
        "Your weights do not depend on the scores. Use softmax on the scores that are left.",
        2,
        partial(mask_and_weigh, weigh=wrong.even),
    ),
    Mistake(
        "exps are not divided by their sum",
        "The weights of a query do not add up to 1. Divide each exp by the sum of all exps of this query.",
        2,
        partial(mask_and_weigh, weigh=lambda scores: exps_of(scores, largest_of(scores))),
    ),
    Mistake(
        "log-softmax instead of softmax",
        "Your numbers are logarithms, so they are negative or 0. Return the weights themselves.",
        2,
        partial(mask_and_weigh, weigh=wrong.log_shares),
    ),
    Mistake(
        "softmax is used twice",
        "The softmax has run on the weights again, so later keys get a share. Use it once.",
        2,
        partial(mask_and_weigh, after=lambda weights, _seen: softmax_of_open(weights)),
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
            after=lambda weights, seen: [w if v else HIDDEN for w, v in zip(weights, seen, strict=True)],
        ),
    ),
    Mistake(
        "the answer is turned",
        "Your answer has one row per key. It needs one row per query.",
        3,
        _changing(turned),
    ),
    Mistake(
        "only the first row is returned",
        "Your answer stops after query 0. Is the return inside the loop, or does the range of the loop end too early?",
        3,
        _changing(lambda rows: rows[:1]),
    ),
    Mistake(
        "every row is the last row",
        "All rows of your answer are the same list, and it holds the last row. Make a new list for every query.",
        3,
        _changing(lambda rows: [rows[-1] for _ in rows]),
    ),
    Mistake(
        "only the last row is returned",
        "Your answer holds the last query only. Collect the rows of all queries in a list.",
        3,
        _changing(lambda rows: rows[-1]),
    ),
    Mistake(
        "one flat list",
        "All numbers stand in one list. Make one row per query: append each row, and do not extend or flatten.",
        3,
        _changing(flattened),
    ),
    Mistake(
        "one query gives a flat row",
        "With one query you return one row. Return a list that holds this row, without np.squeeze.",
        3,
        _changing(squeezed),
        (_changing(one_row_flat),),
    ),
    Mistake(
        "one list too many",
        "Your rows are inside one more list or tuple. A comma at the end of the return line does this.",
        3,
        _changing(lambda rows: [rows]),
    ),
    Mistake(
        "whole numbers only",
        "The decimals are cut off: something makes whole numbers, such as int, or an array of ints. Use float.",
        3,
        lambda scores: whole_like(scores, right_weights(scores)),
    ),
    Mistake(
        "rounded to two decimals",
        "Your numbers are cut to two decimals. Return them as they are, without round.",
        3,
        _changing(rounded(2)),
    ),
    Mistake(
        "rounded to four decimals",
        "Your numbers are cut to four decimals, and that is not exact enough. Return them without round.",
        3,
        _changing(rounded(4)),
    ),
    # Between calls: the weights are right, but only in a first call
    Mistake(
        "the weights are written into the input",
        "Your function writes into scores, so a second call starts with other numbers. Make a new list.",
        2,
        wrong.weights_into_the_input,
    ),
    Mistake(
        "later keys are removed from the input",
        "Your function removes scores, so a second call does not find them. A slice such as row[:n] gives a new list.",
        1,
        wrong.removes_later_keys,
    ),
    Mistake(
        "an old answer is given again",
        "Your function remembers an answer and looks only at the shape. Compute each call from its own scores.",
        2,
        remembering(right_weights, lambda scores: (len(scores), len(scores[0]))),
    ),
    Mistake(
        "an old mask is used again",
        "Your function keeps the mask of an earlier call and looks only at the number of queries. Make it each time.",
        1,
        wrong.keeping_the_mask(),
    ),
)
