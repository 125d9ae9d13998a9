"""Lesson 09, attention: the known mistakes, in the order of the steps.

The wrong solutions themselves stand in `attention_wrong_solves.py`.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Final

from autograder.lesson import Mistake
from autograder.lessons import attention_wrong_solves as wrong
from autograder.lessons.attention_wrong_solves import attend, dot, right_mix, right_score
from autograder.lessons.common_mistakes import (
    alone,
    best_on_overflow,
    best_only,
    changing,
    down_the_columns,
    exps_of,
    exps_of_exps,
    flattened,
    identity,
    one_row_flat,
    one_top,
    over_everything,
    remembering,
    rounded,
    running_sums,
    shares_of,
    sigmoid_of,
    softmax_of,
    squeezed,
    sums_of_columns,
    sums_of_other_rows,
    tops_of_columns,
    turned,
    whole_like,
)

_changing = partial(changing, attend)  # compute the right rows and then hand back something else
_FIRST_ANSWERS: Final[dict[str, list[list[float]]]] = {}
_alone = partial(alone, attend)  # two mistakes together have the same numbers

MISTAKES: Final[tuple[Mistake, ...]] = (
    # Step 1: which keys
    Mistake(
        "the mask is never used",
        "With causal = True you get the numbers of causal = False: every query still sees all keys.",
        1,
        partial(attend, visible=wrong.every_key),
    ),
    Mistake(
        "always causal",
        "With causal = False you get the numbers of causal = True. Use the mask only when causal is true.",
        1,
        lambda Q, K, V, _causal: attend(Q, K, V, causal=True),
    ),
    Mistake(
        "the flag is turned round",
        "Your numbers for causal = True and causal = False have changed places. Look at the condition once more.",
        1,
        lambda Q, K, V, causal: attend(Q, K, V, not causal),
    ),
    Mistake(
        "a query may not see itself",
        "Query i loses its own key, so query 0 has no key at all. Query i uses keys 0 to i, and i is one of them.",
        1,
        partial(attend, visible=lambda i, keys, causal: range(i if causal else keys)),
        (wrong.first_row_without_keys,),
    ),
    Mistake(
        "one key too many",
        "Query i also sees key i + 1. Its last key is key i.",
        1,
        partial(attend, visible=lambda i, keys, causal: range(min(i + 2, keys) if causal else keys)),
    ),
    Mistake(
        "the later keys instead of the earlier ones",
        "Query i sees key i and the keys after it. It should see key i and the keys before it.",
        1,
        partial(attend, visible=lambda i, keys, causal: range(i, keys) if causal else range(keys)),
    ),
    Mistake(
        "the last keys instead of the first ones",
        "Query i sees the last i + 1 keys. It should see the first i + 1 keys: keys 0 to i.",
        1,
        partial(attend, visible=lambda i, keys, causal: range(keys)[-1 - i :] if causal else range(keys)),
    ),
    Mistake(
        "the last key is left out",
        "Your loop ends one key too early. Without the mask every query uses all len(K) keys.",
        1,
        partial(attend, visible=lambda i, keys, causal: range(keys - 1)[: i + 1 if causal else keys]),
        (
            _alone(visible=lambda i, keys, causal: range(max(1, keys - 1))[: i + 1 if causal else keys]),
            _alone(visible=lambda i, keys, causal: range(i + 1 if causal else keys - 1)),
        ),
    ),
    Mistake(
        "the first key is left out",
        "Your loop over the keys begins with key 1. It must begin with key 0.",
        1,
        partial(attend, visible=lambda i, keys, causal: range(1, i + 1 if causal else keys)),
        (
            lambda Q, K, V, causal: attend(
                Q, K[1:], V, causal, visible=lambda i, keys, causal: range(keys)[: i if causal else keys]
            ),
        ),
    ),
    Mistake(
        "only its own key",
        "With the mask each query sees one key, its own. It may also see every earlier key.",
        1,
        partial(attend, visible=lambda i, keys, causal: [i] if causal else range(keys)),
    ),
    Mistake(
        "only the first query is masked",
        "Query 0 is right, but the queries after it see later keys. The mask is for every query.",
        1,
        partial(attend, visible=wrong.first_query_only),
    ),
    Mistake(
        "the mask is lined up with the last key",
        "With more keys than queries your first query sees more than key 0. In this lesson query i uses keys 0 to i.",
        1,
        wrong.lined_up_at_the_end,
    ),
    Mistake(
        "as many keys as queries",
        "You look at len(Q) keys. There can be more keys than queries, or fewer: count the keys with len(K).",
        1,
        wrong.as_many_keys_as_queries,
    ),
    Mistake(
        "a table for 16 tokens",
        "Short inputs are right, but after 16 keys the others are left out. Take the sizes from the inputs.",
        1,
        partial(attend, visible=wrong.table_of_16),
    ),
    Mistake(
        "hidden scores are set to 0",
        "A score of 0 still gets weight, because e to the power 0 is 1. Leave the later keys out.",
        1,
        wrong.replaced(lambda _score: 0.0),
    ),
    Mistake(
        "hidden scores get -10",
        "A later key still gets a little weight, because 10 less is not enough. Leave the later keys out.",
        1,
        wrong.replaced(lambda score: score - 10),
    ),
    Mistake(
        "hidden scores are set to -100",
        "This works until a real score is lower than -100. Leave the later keys out, or use minus infinity.",
        1,
        wrong.replaced(lambda _score: -100.0),
    ),
    Mistake(
        "hidden scores are set to -10,000",
        "This works until a real score is lower than -10,000. Leave the later keys out, or use minus infinity.",
        1,
        wrong.replaced(lambda _score: -1e4),
    ),
    Mistake(
        "hidden scores get -1,000,000",
        "This works until a later score is above a million. Leave the later keys out, or use minus infinity.",
        1,
        wrong.replaced(lambda score: score - 1e6),
    ),
    Mistake(
        "the mask has the wrong sign",
        "Your answer holds nan: the later keys got plus infinity. To hide a key its score must go down, not up.",
        1,
        wrong.replaced(lambda _score: math.inf),
    ),
    Mistake(
        "infinity times 0",
        "Your answer holds nan, because 0 times infinity is nan. Choose the keys first, or use np.where.",
        1,
        lambda Q, K, V, causal: [[math.nan] * len(V[0]) for _ in Q] if causal else attend(Q, K, V, causal),
    ),
    Mistake(
        "the mask hides the wrong keys",
        "The keys that query i may see are hidden, and the later ones stay. Turn the condition round.",
        1,
        wrong.hidden_ones_only,
    ),
    Mistake(
        "the mask comes after the softmax",
        "The weights of a causal query add up to less than 1. Leave the later keys out before the softmax.",
        1,
        partial(attend, visible=wrong.every_key, weigh=lambda scores, count: wrong.zeroed(softmax_of(scores), count)),
    ),
    Mistake(
        "the mask comes after the softmax, then the rows are divided again",
        "When a later score is very large, no weight is left and you divide by 0. Use the mask before the softmax.",
        1,
        partial(
            attend,
            visible=wrong.every_key,
            weigh=lambda scores, count: shares_of(wrong.zeroed(softmax_of(scores), count)),
        ),
    ),
    # Step 2: the scores
    Mistake(
        "no scaling",
        "These are the numbers without the division. Divide each dot product by the square root of len(q).",
        2,
        partial(attend, score=dot),
    ),
    Mistake(
        "divided by the width",
        "These are the numbers when you divide by d. Divide by the square root of d.",
        2,
        partial(attend, score=lambda q, k: dot(q, k) / len(q)),
    ),
    Mistake(
        "divided by d ** 1/2",
        "Python reads d ** 1/2 as (d ** 1) / 2. Write math.sqrt(d), or d ** 0.5.",
        2,
        partial(attend, score=lambda q, k: dot(q, k) / len(q) / 2),
    ),
    Mistake(
        "divided by half the width",
        "You divide by d / 2, and d * 0.5 is the same. The square root of d is math.sqrt(d), or d ** 0.5.",
        2,
        partial(attend, score=lambda q, k: dot(q, k) / (len(q) * 0.5)),
    ),
    Mistake(
        "the square root is taken twice",
        "You divide by the square root of the square root of d. Take the square root once.",
        2,
        partial(attend, score=lambda q, k: dot(q, k) / len(q) ** 0.25),
    ),
    Mistake(
        "divided by the number of keys",
        "You divide by the number of keys. Divide by the square root of len(q), the width of a query.",
        2,
        wrong.scaled(lambda _Q, K, _V: len(K)),
        (_alone(score=dot, weigh=lambda scores, _count: softmax_of([score / len(scores) for score in scores])),),
    ),
    Mistake(
        "multiplied by the square root",
        "The scores are multiplied by the square root of d. They should be divided by it.",
        2,
        partial(attend, score=lambda q, k: dot(q, k) * math.sqrt(len(q))),
    ),
    Mistake(
        "square root of the number of keys",
        "You divide by the square root of the number of keys. Use the square root of len(q), the width of a query.",
        2,
        wrong.scaled(lambda _Q, K, _V: math.sqrt(len(K))),
        (_alone(score=dot, weigh=lambda scores, _count: softmax_of([s / math.sqrt(len(scores)) for s in scores])),),
    ),
    Mistake(
        "square root of the number of queries",
        "You divide by the square root of len(Q), the number of queries. Use len(q), the width of one query.",
        2,
        wrong.scaled(lambda Q, _K, _V: math.sqrt(len(Q))),
    ),
    Mistake(
        "square root of the width of the values",
        "You divide by the square root of the width of V. Use the width of a query: Q and K share it, V may not.",
        2,
        wrong.scaled(lambda _Q, _K, V: math.sqrt(len(V[0]))),
    ),
    Mistake(
        "square root of 2 for every width",
        "You always divide by the square root of 2, which fits only queries of width 2. Take the width from len(q).",
        2,
        wrong.scaled(lambda _Q, _K, _V: math.sqrt(2)),
    ),
    Mistake(
        "whole-number division",
        "The scores have lost their decimals: // rounds down. Use / to divide.",
        2,
        partial(attend, score=lambda q, k: dot(q, k) // math.sqrt(len(q))),
    ),
    Mistake(
        "the sign of the dot product is lost",
        "A negative dot product means a bad match and must stay negative. Do not take its absolute value.",
        2,
        partial(attend, score=lambda q, k: abs(right_score(q, k))),
    ),
    Mistake(
        "negative scores become 0",
        "Scores below 0 were raised to 0. Softmax can work with negative scores: keep them as they are.",
        2,
        partial(attend, score=lambda q, k: max(0.0, right_score(q, k))),
    ),
    Mistake(
        "the dot product is squared",
        "A square is never negative, so a bad match looks like a good one. Keep the dot product as it is.",
        2,
        partial(attend, score=lambda q, k: dot(q, k) ** 2 / math.sqrt(len(q))),
        (_alone(score=lambda q, k: right_score(q, k) ** 2),),
    ),
    Mistake(
        "cosine instead of dot product",
        "The dot product is divided by the lengths of both vectors. Divide only by the square root of len(q).",
        2,
        partial(attend, score=wrong.cosine),
    ),
    Mistake(
        "the last number of each vector is left out",
        "The dot product stops one number too early. Multiply and add all len(q) pairs.",
        2,
        partial(attend, score=lambda q, k: dot(q[:-1], k[:-1]) / math.sqrt(len(q))),
    ),
    Mistake(
        "the first products of a dot product are lost",
        "Add the products of all len(q) pairs: set the sum to 0 before the loop, begin with index 0, and write +=.",
        2,
        partial(attend, score=lambda q, k: q[-1] * k[-1] / math.sqrt(len(q))),
        (_alone(score=lambda q, k: dot(q[1:], k[1:]) / math.sqrt(len(q))),),
    ),
    Mistake(
        "K is not turned",
        "Q @ K multiplies rows with columns. Each score needs a row of Q and a row of K: write Q @ K.T in numpy.",
        2,
        wrong.key_columns,
    ),
    Mistake(
        "the scores are rounded",
        "Your scores are cut to three decimals, so the answer is not exact enough. Do not round on the way.",
        2,
        partial(attend, score=lambda q, k: round(right_score(q, k), 3)),
        (partial(attend, score=lambda q, k: round(right_score(q, k), 2)),),
    ),
    Mistake(
        "queries matched with queries",
        "The scores compare Q with Q, and K is never used. Compare each query with each key.",
        2,
        wrong.queries_as_keys,
    ),
    Mistake(
        "keys matched with keys",
        "The scores compare K with K, and Q is never used. Compare each query with each key.",
        2,
        wrong.keys_as_queries,
    ),
    Mistake(
        "queries and keys have changed places",
        "Your table of scores is turned: one row per key. It needs one row per query, so write Q first, then K.",
        2,
        wrong.scores_turned,
    ),
    Mistake(
        "the first query for every row",
        "All rows of your answer come from query 0. Row i comes from Q[i].",
        2,
        lambda Q, K, V, causal: attend([Q[0] for _ in Q], K, V, causal),
    ),
    Mistake(
        "the query before is used",
        "Row i comes from Q[i - 1], and row 0 from the last query. Take Q[i].",
        2,
        lambda Q, K, V, causal: attend(Q[-1:] + Q[:-1], K, V, causal),
    ),
    Mistake(
        "the key before is used",
        "Score j comes from K[j - 1], and score 0 from the last key. Take K[j].",
        2,
        lambda Q, K, V, causal: attend(Q, K[-1:] + K[:-1], V, causal),
    ),
    Mistake(
        "keys and values run in opposite orders",
        "Weight j does not meet V[j], because one of two lists runs backwards. Keep the order of the keys in all.",
        2,
        _alone(mix=lambda weights, values: right_mix(weights, values[::-1])),
        (
            lambda Q, K, V, causal: attend(Q, K, V[::-1], causal),
            lambda Q, K, V, causal: attend(Q, K[::-1], V, causal),
        ),
        or_step=4,
    ),
    # Step 3: the weights
    Mistake(
        "the largest score is not subtracted",
        "Large scores make exp overflow, and very low ones all become 0. Subtract the largest score first.",
        3,
        partial(attend, weigh=lambda scores, _count: shares_of(exps_of(scores))),
        (partial(attend, weigh=wrong.up_to_long_double),),
    ),
    Mistake(
        "the largest score is not subtracted, and later keys go through exp too",
        "Large scores make exp overflow, also those of later keys. Leave these out, then subtract the largest score.",
        3,
        partial(
            attend, visible=wrong.every_key, weigh=lambda scores, count: shares_of(wrong.zeroed(exps_of(scores), count))
        ),
    ),
    Mistake(
        "a number far above all scores is subtracted",
        "When all scores are far below 0, all exps become 0. Subtract the largest score, also when it is below 0.",
        3,
        partial(attend, weigh=lambda scores, _count: shares_of(exps_of(scores, max(0.0, *scores)))),
    ),
    Mistake(
        "a score that is not the largest is subtracted",
        "Subtract the largest score of the query: then no number is above 0, and exp cannot overflow.",
        3,
        partial(attend, weigh=lambda scores, _count: shares_of(exps_of(scores, min(scores)))),
    ),
    Mistake(
        "one largest score for all queries",
        "A query with much lower scores than another loses all its weights. Each query needs its own largest score.",
        3,
        wrong.tabled(one_top),
    ),
    Mistake(
        "large scores are cut",
        "All scores above some limit became equal. Do not cut them: subtract the largest score instead.",
        3,
        partial(attend, weigh=wrong.capped_exps),
    ),
    Mistake(
        "the best key takes all when exp overflows",
        "Two large scores can be close, and then both keys get weight. Subtract the largest score instead.",
        3,
        partial(attend, weigh=lambda scores, _count: best_on_overflow(scores)),
    ),
    Mistake(
        "softmax down the columns",
        "The softmax runs over the queries, so your weights add up to 1 per key. They must add up to 1 per query.",
        3,
        wrong.tabled(down_the_columns),
    ),
    Mistake(
        "one softmax over the whole table",
        "All your weights together add up to 1. The weights of each query must add up to 1.",
        3,
        wrong.tabled(over_everything),
    ),
    Mistake(
        "no exponential",
        "The scores are divided by their sum, without exp. Raise e to each score first, then divide.",
        3,
        partial(attend, weigh=lambda scores, _count: shares_of(scores)),
    ),
    Mistake(
        "exps are not divided by their sum",
        "Your weights do not add up to 1. Divide each exp by the sum of all exps of its query, and mix with these.",
        3,
        partial(attend, weigh=lambda scores, _count: exps_of(scores, max(scores))),
    ),
    Mistake(
        "exps are divided by their number",
        "You divide each exp by how many there are. Divide by the sum of all exps of this query.",
        3,
        _alone(weigh=lambda scores, _count: [e / len(scores) for e in exps_of(scores, max(scores))]),
    ),
    Mistake(
        "exps are divided by the square root of their sum",
        "You divide each exp by the square root of the sum. Divide by the sum itself.",
        3,
        _alone(
            weigh=lambda scores, _count: [
                e / math.sqrt(sum(exps_of(scores, max(scores)))) for e in exps_of(scores, max(scores))
            ]
        ),
    ),
    Mistake(
        "the weights are divided by the square root",
        "The square root of d divides the weights, so they do not add up to 1. Divide the scores, before the softmax.",
        2,
        wrong.scaled_too_late,
    ),
    Mistake(
        "each column is divided by the sum of another row",
        "The sums of the rows divide the columns: numpy lines them up with the columns. Use axis=1 and keepdims=True.",
        3,
        wrong.tabled(sums_of_other_rows),
    ),
    Mistake(
        "the largest score of another row is subtracted",
        "Numbers of other rows are subtracted. Each row needs its own largest score: max(axis=1, keepdims=True).",
        3,
        wrong.tabled(wrong.tops_of_other_rows),
    ),
    Mistake(
        "each number is divided by the sum of its column",
        "You divide by the sum of a column, so the weights of a query do not add up to 1. In numpy, write axis=1.",
        3,
        wrong.tabled(sums_of_columns),
    ),
    Mistake(
        "the largest score of each column is subtracted",
        "You subtract the largest score of a column. Subtract that of the row: in numpy, write axis=1 in the max.",
        3,
        wrong.tabled(tops_of_columns),
    ),
    Mistake(
        "the weights are divided by their length",
        "The exps are divided by the root of the sum of their squares. Divide by their sum.",
        3,
        partial(attend, weigh=lambda scores, _count: wrong.to_length_1(exps_of(scores, max(scores)))),
    ),
    Mistake(
        "negative scores become 0 in place of exp",
        "The weights come from max(0, score), so a score below 0 gets none. Raise e to each score.",
        3,
        partial(attend, weigh=lambda scores, _count: shares_of([max(0.0, score) for score in scores])),
    ),
    Mistake(
        "e is raised twice",
        "Your exp works on numbers that came out of exp. Use it once for each score.",
        3,
        _alone(weigh=lambda scores, _count: shares_of(exps_of_exps(scores, max(scores)))),
        (
            wrong.tabled(lambda table: [shares_of(exps_of_exps(row, max(row))) for row in table]),
            _alone(weigh=lambda scores, _count: shares_of(exps_of_exps(scores))),
        ),
    ),
    Mistake(
        "softmax is used twice",
        "Your weights are too even: softmax has run on weights that came out of softmax. Use it once.",
        3,
        partial(attend, weigh=lambda scores, _count: softmax_of(softmax_of(scores))),
    ),
    Mistake(
        "minus sign in the exponent",
        "The worst match gets the largest weight: look for a minus sign before the dot product, or before it in exp.",
        2,
        partial(attend, weigh=lambda scores, _count: softmax_of([-score for score in scores])),
        or_step=3,
    ),
    Mistake(
        "powers of 2 instead of e",
        "The weights are made with powers of 2. Softmax uses e: math.exp, or np.exp.",
        3,
        partial(attend, weigh=lambda scores, _count: softmax_of([score * math.log(2) for score in scores])),
    ),
    Mistake(
        "powers of 10 instead of e",
        "The weights are made with powers of 10. Softmax uses e: math.exp, or np.exp.",
        3,
        partial(attend, weigh=lambda scores, _count: softmax_of([score * math.log(10) for score in scores])),
    ),
    Mistake(
        "sigmoid instead of softmax",
        "Each weight comes from one score alone. Softmax divides each exp by the sum of all exps of this query.",
        3,
        partial(attend, weigh=lambda scores, _count: [sigmoid_of(score) for score in scores]),
    ),
    Mistake(
        "sigmoid, then divided by the sum",
        "The weights add up to 1, but they are made with a sigmoid. Softmax uses exp: raise e to each score.",
        3,
        partial(attend, weigh=lambda scores, _count: shares_of([sigmoid_of(score) for score in scores])),
    ),
    Mistake(
        "log-softmax instead of softmax",
        "Your weights are logarithms, so they are negative or 0. Use the softmax itself.",
        3,
        partial(attend, weigh=wrong.log_softmax),
    ),
    Mistake(
        "only the best key",
        "One key takes all the weight. Softmax gives every visible key a share.",
        3,
        partial(attend, weigh=lambda scores, _count: best_only(scores)),
    ),
    Mistake(
        "the same weight for every key",
        "All keys get the same weight, as if all scores were equal. Score j comes from key j, weight j from score j.",
        2,
        partial(attend, weigh=lambda scores, _count: softmax_of([0.0 for _ in scores])),
        or_step=3,
    ),
    # Step 4: the mix
    Mistake(
        "mean instead of sum",
        "The result is divided by the number of keys once more. The weights add up to 1 already: only add.",
        4,
        partial(attend, mix=lambda weights, values: [number / len(weights) for number in right_mix(weights, values)]),
    ),
    Mistake(
        "the weights are returned",
        "You return the attention weights. One step is left: mix the value rows with them.",
        4,
        lambda Q, K, V, causal: attend(Q, K, identity(len(V)), causal),
    ),
    Mistake(
        "the values are added without weights",
        "The value rows are only added, as if each weight were 1. Weights add up to 1: multiply each row by its own.",
        3,
        partial(attend, mix=lambda weights, values: right_mix([1.0 for _ in weights], values)),
        or_step=4,
    ),
    Mistake(
        "only the last product of the mix",
        "Only the last product counts. Set the sum to 0 before the loop, and add each product with +=.",
        4,
        partial(attend, mix=lambda weights, values: [weights[-1] * number for number in values[-1]]),
    ),
    Mistake(
        "output row i is row i of V",
        "All that goes into output row i is V[i]. Each weight j belongs to its own row V[j].",
        4,
        lambda Q, _K, V, _causal: [list(V[i]) for i in range(len(Q))],
        (lambda Q, _K, V, _causal: [list(V[min(i, len(V) - 1)]) for i in range(len(Q))],),
    ),
    Mistake(
        "the value before is used",
        "Weight j meets V[j - 1], and weight 0 the last row of V. Weight j belongs to V[j].",
        4,
        lambda Q, K, V, causal: attend(Q, K, V[-1:] + V[:-1], causal),
    ),
    Mistake(
        "the value after is used",
        "Weight j meets V[j + 1]. Weight j belongs to V[j].",
        4,
        lambda Q, K, V, causal: attend(Q, K, V[1:] + V[:1], causal),
    ),
    Mistake(
        "weights in the wrong order",
        "The weights no longer belong to their own value rows. Do not sort: keep both in the order of the keys.",
        3,
        partial(attend, mix=lambda weights, values: right_mix(sorted(weights, reverse=True), values)),
        or_step=4,
    ),
    Mistake(
        "the table of weights is turned",
        "Your table of weights has one row per key. It needs one row per query before you mix the values.",
        3,
        wrong.tabled(lambda table: turned([softmax_of(row) for row in table])),
        or_step=4,
    ),
    Mistake(
        "rows and columns of the values are swapped",
        "You mix columns of V as if they were rows, or the two indexes of V are swapped. Write V[j][column].",
        4,
        partial(attend, mix=wrong.swapped_mix),
        (wrong.whole_table_turned,),
    ),
    Mistake(
        "the keys are mixed instead of the values",
        "The output rows are made from rows of K. Mix the rows of V: the weight of key j belongs to value j.",
        4,
        lambda Q, K, V, causal: attend(Q, K, [[row[column] for column in range(len(V[0]))] for row in K], causal),
        (lambda Q, K, _V, causal: attend(Q, K, K, causal),),
    ),
    Mistake(
        "an output row is only as wide as a query",
        "Wide values are cut: zip stops at the shorter list. An output row is as wide as a row of V.",
        4,
        lambda Q, K, V, causal: attend(Q, K, [row[: len(Q[0])] for row in V], causal),
    ),
    Mistake(
        "an output row is as wide as V has rows",
        "You count the columns with len(V), but that counts rows. len(V[0]) is the width of a row of V.",
        4,
        lambda Q, K, V, causal: [[row[column] for column in range(len(V))] for row in attend(Q, K, V, causal)],
    ),
    Mistake(
        "every row is the last row",
        "All rows of your answer are the same list, and it holds the last result. Make a new list for every query.",
        4,
        _changing(lambda rows: [rows[-1] for _ in rows]),
    ),
    Mistake(
        "the output row is not emptied",
        "Each row holds the rows before it as well. Start a new row for every query.",
        4,
        _changing(running_sums),
    ),
    Mistake(
        "all rows are averaged into one",
        "You return one row, the average of all. Return one row for each query.",
        4,
        _changing(lambda rows: [[sum(column) / len(rows) for column in zip(*rows, strict=True)]]),
        (_changing(lambda rows: [sum(column) / len(rows) for column in zip(*rows, strict=True)]),),
    ),
    Mistake(
        "the answer is turned",
        "Your answer has one row per column of V. It needs one row per query.",
        4,
        _changing(turned),
    ),
    Mistake(
        "only the first row is returned",
        "Your answer stops after query 0. Is the return inside the loop, or does the range of the loop end too early?",
        4,
        _changing(lambda rows: rows[:1]),
    ),
    Mistake(
        "one flat list",
        "All numbers stand in one list. Make one row per query: append each row, and do not extend or flatten.",
        4,
        _changing(flattened),
    ),
    Mistake(
        "one query gives a flat row",
        "With one query you return one row. Return a list that holds this row.",
        4,
        _changing(one_row_flat),
    ),
    Mistake(
        "a side of length 1 is lost",
        "With one query or one column your answer is a flat list. Return rows even then, without np.squeeze.",
        4,
        _changing(squeezed),
    ),
    Mistake(
        "one list too many",
        "Your rows are inside one more list or tuple. A comma at the end of the return line does this.",
        4,
        _changing(lambda rows: [rows]),
    ),
    Mistake(
        "rounded to two decimals",
        "Your numbers are cut to two decimals. Return them as they are, without round.",
        4,
        _changing(rounded(2)),
    ),
    Mistake(
        "rounded to four decimals",
        "Your numbers are cut to four decimals, and that is not exact enough. Return them without round.",
        4,
        _changing(rounded(4)),
    ),
    Mistake(
        "whole numbers only",
        "The decimals are cut off: something makes whole numbers, such as int, or an array made like V. Use float.",
        4,
        lambda Q, K, V, causal: whole_like(V, attend(Q, K, V, causal)),
    ),
    # Between calls: the rows are right, but only in a first call
    Mistake(
        "Q is changed",
        "Your function writes into Q, so a second call with the same lists gives other numbers. Make a new list.",
        2,
        wrong.scales_q_in_place,
    ),
    Mistake(
        "rows of K and V are removed",
        "Your function removes rows from K and V, so a second call does not find them. K[:n] gives you a new list.",
        1,
        wrong.uses_up_the_keys,
    ),
    Mistake(
        "an old answer is given again",
        "Your function remembers an answer and looks only at Q and causal. Compute each call from all four inputs.",
        4,
        remembering(attend, lambda Q, _K, _V, causal: (Q, causal)),
    ),
    Mistake(
        "an old answer is given again for the same Q",
        "Your function remembers an answer and looks only at Q. Compute each call from all four inputs.",
        4,
        remembering(attend, lambda Q, *_: Q),
        (lambda Q, K, V, causal: _FIRST_ANSWERS.setdefault(repr(Q), attend(Q, K, V, causal)),),
    ),
)
