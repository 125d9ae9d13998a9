"""Lesson 04, bigram_model: the known mistakes, in the order of the steps.

The wrong solutions themselves stand in `bigram_model_wrong_solves.py`.
"""

from __future__ import annotations

import math
from functools import partial
from itertools import combinations
from typing import Final

from autograder.lesson import Mistake
from autograder.lessons import bigram_model_wrong_solves as wrong
from autograder.lessons.bigram_model_wrong_solves import (
    FEW,
    add_smoothing,
    bigram,
    count_pairs,
    neighbours,
    over_total,
    plus,
)
from autograder.lessons.common_mistakes import alone, flattened, remembering, shares_of, softmax_of, squeezed, turned

_alone = partial(alone, bigram)  # these hardly come together with another mistake

MISTAKES: Final[tuple[Mistake, ...]] = (
    # Step 1: the pairs, and their counts
    Mistake(
        "the last and the first id are a pair",
        "The last id and the first one were paired, as in a circle. Begin with ids[0] and ids[1].",
        1,
        partial(bigram, pair=lambda ids: list(zip([ids[-1], *ids[:-1]], ids, strict=True))),
    ),
    Mistake(
        "pairs do not overlap",
        "You take two new ids for each pair. The second id of a pair is also the first id of the next pair.",
        1,
        partial(bigram, pair=lambda ids: list(zip(ids[::2], ids[1::2], strict=False))),
    ),
    Mistake(
        "the last pair is left out",
        "The loop stops one pair too early. n ids have n - 1 pairs: range(len(ids) - 1).",
        1,
        partial(bigram, pair=lambda ids: neighbours(ids)[:-1]),
    ),
    Mistake(
        "the first pair is left out",
        "The pair of ids[0] and ids[1] is missing. Begin with it.",
        1,
        partial(bigram, pair=lambda ids: neighbours(ids)[1:]),
    ),
    Mistake(
        "the id after the next one",
        "You pair each id with the one two places later. Pair ids[i] with ids[i + 1].",
        1,
        partial(bigram, pair=lambda ids: list(zip(ids, ids[2:], strict=False))),
    ),
    Mistake(
        "each id is paired with all later ones",
        "You pair each id with every later id. Only the one right after it counts.",
        1,
        _alone(pair=lambda ids: list(combinations(ids, 2))),
    ),
    Mistake(
        "pairs of equal ids are left out",
        "A token can follow itself: a pair of equal ids counts like any other.",
        1,
        partial(bigram, pair=lambda ids: [pair for pair in neighbours(ids) if pair[0] != pair[1]]),
    ),
    Mistake(
        "pairs count in both directions",
        "You count each pair also backwards. Only the order of the text counts: first now, then next.",
        1,
        _alone(pair=lambda ids: [*neighbours(ids), *neighbours(ids[::-1])]),
    ),
    Mistake(
        "index finds the first place",
        "ids.index(x) gives the first place of x every time. Walk through the places: ids[i] and ids[i + 1].",
        1,
        partial(bigram, pair=wrong.first_next),
    ),
    Mistake(
        "the ids are sorted",
        "Sorting changes which ids are neighbours. Keep the order of the text.",
        1,
        _alone(pair=lambda ids: neighbours(sorted(ids))),
    ),
    Mistake(
        "two ids are too few",
        "Two ids are one pair already. Only a single id has none.",
        1,
        partial(bigram, pair=lambda ids: neighbours(ids) if len(ids) >= FEW else []),
    ),
    Mistake(
        "ids are cut into digits",
        "An id of two digits fell apart: in a string, 12 is 1 and 2. Keep the ids as numbers in their list.",
        1,
        partial(bigram, pair=wrong.from_digits),
    ),
    Mistake(
        "one call for each pair",
        "Your function calls itself once for each pair, and Python stops it in a long text. Use a for loop.",
        1,
        wrong.one_call_per_pair,
    ),
    Mistake(
        "rows and columns are swapped",
        "The row is the token that comes first: write counts[now][next], not counts[next][now].",
        1,
        partial(bigram, count=lambda pairs, vocab_size: turned(count_pairs(pairs, vocab_size))),
    ),
    Mistake(
        "each pair counts once",
        "A pair that comes again is not counted again. Add 1 every time: counts[now][next] += 1 in a loop.",
        1,
        partial(bigram, count=lambda pairs, vocab_size: count_pairs(list(dict.fromkeys(pairs)), vocab_size)),
    ),
    Mistake(
        "all rows are the same list",
        "[[0] * n] * n holds one list n times, so all rows change together. Make a new list for every row.",
        1,
        partial(bigram, count=wrong.same_row),
        (_alone(count=wrong.same_row, smooth=wrong.shared_rows_in_place),),
    ),
    Mistake(
        "single tokens are counted",
        "All rows are the same: you count how often each token comes at all. Count what comes after each token.",
        1,
        partial(bigram, count=wrong.first_of_pairs),
    ),
    Mistake(
        "the table ends at the largest id",
        "Ids that do not come in the text have a row and a column too. Make a table of size vocab_size.",
        1,
        wrong.up_to_the_largest,
    ),
    Mistake(
        "the ids are numbered anew",
        "Only the ids of the text have a row. Row a belongs to id a, also if a does not come in the text.",
        1,
        wrong.numbered_anew,
    ),
    Mistake(
        "counts in single bytes",
        "A byte holds numbers up to 255, and then it begins again at 0. Leave dtype out, or use dtype=float.",
        1,
        partial(bigram, count=wrong.in_bytes),
        (partial(bigram, count=wrong.in_signed_bytes),),
    ),
    # Step 2: the smoothing
    Mistake(
        "no smoothing",
        "Pairs that never come got 0, as without smoothing. Add the smoothing to every count first, also to 0.",
        2,
        partial(bigram, smooth=wrong.each_count(lambda count, _smoothing: count)),
        (
            wrong.with_counts(lambda row, _, size, __: shares_of(row) if any(row) else [1 / size] * size),
            wrong.with_counts(lambda row, *_: over_total(row, sum(row) or 1)),
        ),
    ),
    Mistake(
        "the smoothing loses its decimals",
        "A smoothing of 0.5 became 0: a table of whole numbers has no decimals. Use floats, or dtype=float in numpy.",
        2,
        partial(bigram, smooth=wrong.each_count(lambda count, smoothing: count + int(smoothing))),
    ),
    Mistake(
        "the smoothing is added to a table of ints",
        "A numpy table of whole numbers cannot take a smoothing with decimals. Make it with dtype=float.",
        2,
        wrong.added_in_place,
    ),
    Mistake(
        "always 1 is added",
        "You add 1 to every count. Add the input `smoothing`.",
        2,
        partial(bigram, smooth=wrong.each_count(lambda count, _smoothing: count + 1)),
    ),
    Mistake(
        "smoothing of at most 1",
        "The smoothing was cut to 1. It can be any number above 0: use it as it is.",
        2,
        partial(bigram, smooth=wrong.each_count(lambda count, smoothing: count + min(smoothing, 1))),
    ),
    Mistake(
        "only empty places are smoothed",
        "You put the smoothing only where the count is 0. Add it to every count.",
        2,
        partial(bigram, smooth=wrong.each_count(lambda count, smoothing: count or smoothing)),
    ),
    Mistake(
        "only pairs that come are smoothed",
        "You add the smoothing only to counts above 0. Add it to every count, also to 0.",
        2,
        partial(bigram, smooth=wrong.each_count(lambda count, smoothing: count + smoothing if count else 0)),
    ),
    Mistake(
        "empty rows are not smoothed",
        "A row without any pair got no smoothing. Add it to every row: an empty one becomes even.",
        2,
        partial(bigram, smooth=wrong.rows_with_pairs, share=wrong.share_in_arrays),
        (partial(bigram, smooth=wrong.rows_with_pairs),),
    ),
    Mistake(
        "the smoothing is shared out",
        "You divide the smoothing by vocab_size first. Add the whole of it to every count.",
        2,
        partial(bigram, smooth=lambda counts, smoothing: add_smoothing(counts, smoothing / len(counts))),
    ),
    Mistake(
        "the smoothing is added last",
        "You add the smoothing to probabilities, so a row adds up to more than 1. Add it to the counts, then divide.",
        2,
        wrong.with_counts(lambda row, smoothing, _size, _times: plus(over_total(row, sum(row) or 1), smoothing)),
    ),
    Mistake(
        "shares are smoothed and divided again",
        "You divide, add the smoothing and divide again. Add it to the counts, and divide once.",
        2,
        wrong.with_counts(
            lambda row, smoothing, size, _times: over_total(
                plus(over_total(row, sum(row) or 1), smoothing), bool(sum(row)) + smoothing * size
            )
        ),
    ),
    # Step 3: the rows
    Mistake(
        "one total for the whole table",
        "You divide by the sum of the whole table, so a row does not add up to 1. Divide each row by its own sum.",
        3,
        partial(bigram, share=wrong.over(lambda table, _row: sum(map(sum, table)))),
    ),
    Mistake(
        "each column adds up to 1",
        "You divide by the sums of the columns. Divide each row by its own sum: axis=1 in numpy.",
        3,
        partial(bigram, share=wrong.by_columns),
    ),
    Mistake(
        "each column is divided by the sum of another row",
        "The sums of the rows divide the columns: numpy lines them up with the columns. Use axis=1 and keepdims=True.",
        3,
        partial(bigram, share=wrong.by_sums_of_other_rows),
    ),
    Mistake(
        "the sum of the plain counts",
        "You divide by the sum before the smoothing, so a row adds up to more than 1. Add up the smoothed row.",
        3,
        wrong.with_counts(lambda row, smoothing, _size, _times: over_total(plus(row, smoothing), sum(row))),
    ),
    Mistake(
        "the smoothing is only once in the sum",
        "The sum holds the smoothing once, but it was added to every count of the row. Add up the smoothed row.",
        3,
        wrong.with_counts(lambda row, smoothing, _size, _times: over_total(plus(row, smoothing), sum(row) + smoothing)),
    ),
    Mistake(
        "1 for each token in the sum",
        "You add vocab_size to the sum, which is right only for a smoothing of 1. Add up the smoothed row.",
        3,
        wrong.with_counts(lambda row, smoothing, size, _times: over_total(plus(row, smoothing), sum(row) + size)),
    ),
    Mistake(
        "how often the token comes",
        "You divide by how often the token comes, but at the end of the text it has no next one. Add up its row.",
        3,
        wrong.with_counts(
            lambda row, smoothing, size, times: over_total(plus(row, smoothing), times + smoothing * size)
        ),
    ),
    Mistake(
        "the sum changes while you divide",
        "You change the row while its sum is still needed. Compute the sum once, before you divide.",
        3,
        partial(bigram, share=wrong.while_it_changes),
    ),
    Mistake(
        "a small number is added to the sum",
        "A small number such as 1e-8 is added to the sum. With a tiny smoothing this counts: leave it out.",
        3,
        partial(bigram, share=wrong.sum_plus(1e-8)),
        tuple(partial(bigram, share=wrong.sum_plus(more)) for more in (1e-6, 1e-7, 1e-9)),
    ),
    Mistake(
        "divided by the largest number",
        "Each row is divided by its largest number. Divide by its sum, so that it adds up to 1.",
        3,
        _alone(share=wrong.over(lambda table, row: max(table[row]))),
    ),
    Mistake(
        "divided by the size of the vocabulary",
        "You divide by vocab_size. Divide each row by its own sum.",
        3,
        _alone(share=wrong.over(lambda table, _row: len(table))),
    ),
    Mistake(
        "softmax of the counts",
        "Softmax raises e to the counts. Counts are not scores: divide each row by its sum, without exp.",
        3,
        partial(bigram, share=lambda table: [softmax_of(row) for row in table]),
    ),
    Mistake(
        "the counts are returned",
        "You return the smoothed counts. One step is left: divide each row by its sum.",
        3,
        partial(bigram, share=list),
    ),
    Mistake(
        "the logarithms are returned",
        "These are logarithms of the probabilities. Return the probabilities themselves.",
        3,
        _alone(finish=lambda table: [[math.log(number) if number else 0 for number in r] for r in table]),
    ),
    Mistake(
        "small probabilities are raised",
        "Probabilities near 0 were raised to a lowest value. Keep them as they are, however small.",
        3,
        partial(bigram, finish=lambda table: [[max(number, 1e-4) for number in row] for row in table]),
        (partial(bigram, finish=lambda table: [[max(number, 1e-3) for number in row] for row in table]),),
    ),
    Mistake(
        "rounded",
        "Your numbers are cut to a few decimals. Return them as they are, without round.",
        3,
        partial(bigram, finish=lambda table: [[round(number, 4) for number in row] for row in table]),
        (
            partial(bigram, finish=lambda table: [[round(number, 2) for number in row] for row in table]),
            partial(bigram, finish=lambda table: [[round(number, 3) for number in row] for row in table]),
        ),
    ),
    Mistake(
        "a table of whole numbers",
        "With a whole number as smoothing your table holds ints, and shares became 0. Make a table of floats.",
        3,
        wrong.whole_table,
    ),
    Mistake(
        "a table of one number is lost",
        "With one token your answer is a plain number. Return a list of rows even then, without np.squeeze.",
        3,
        partial(bigram, finish=squeezed),
        (partial(bigram, finish=lambda table: table[0] if len(table) == 1 else table),),
    ),
    Mistake(
        "one flat list",
        "All numbers stand in one list. Make one row for each token: append each row, and do not extend or flatten.",
        3,
        _alone(finish=flattened),
    ),
    Mistake(
        "only the first row is returned",
        "Your answer stops after row 0. Is the return inside the loop, or does the range of the loop end too early?",
        3,
        partial(bigram, finish=lambda table: table[:1]),
    ),
    # Between calls: the table is right, but only in a first call
    Mistake(
        "the ids are used up",
        "Your function takes ids out of the list with pop, so a second call finds only one. Leave the list as it is.",
        1,
        wrong.uses_up_the_ids,
    ),
    Mistake(
        "an id is added to the text",
        "Your function appends to the list that it was given, so a second call counts a pair more. Use a new list.",
        1,
        wrong.closes_the_circle,
    ),
    Mistake(
        "an old answer is given again",
        "Your function remembers an answer and looks only at the ids. Compute each call from all three inputs.",
        1,
        remembering(bigram, lambda ids, *_: ids),
    ),
    Mistake(
        "an old answer is given again for another smoothing",
        "Your function remembers an answer and does not look at the smoothing. Compute each call from all inputs.",
        2,
        remembering(bigram, lambda ids, vocab_size, _smoothing: (ids, vocab_size)),
    ),
)
