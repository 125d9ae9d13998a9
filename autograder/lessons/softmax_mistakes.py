"""Lesson 02, softmax: the known mistakes, in the order of the steps.

The wrong solutions themselves stand in `softmax_wrong_solves.py`.
"""

from __future__ import annotations

from functools import partial
from itertools import accumulate
from operator import truediv
from typing import Final

from autograder.lesson import Mistake
from autograder.lessons import softmax_wrong_solves as wrong
from autograder.lessons.common_mistakes import (
    EXP_LIMIT,
    alone,
    changing,
    exps_of,
    exps_of_exps,
    in_32_bits,
    mean_of,
    one_row_flat,
    remembering,
    shares_of,
    sigmoid_of,
)
from autograder.lessons.softmax_wrong_solves import as_it_is, below_the_largest, softmax

_changing = partial(changing, softmax)  # compute the right probabilities and then hand back something else

MISTAKES: Final[tuple[Mistake, ...]] = (
    # Step 1: the shift
    Mistake(
        "the largest score is not subtracted",
        "Large scores make exp overflow, and very low ones all become 0. Subtract the largest score first.",
        1,
        partial(softmax, shift=as_it_is),
    ),
    Mistake(
        "a largest score below 0 is not subtracted",
        "When all scores are far below 0, all exps become 0. Subtract the largest even then: start with the first.",
        1,
        wrong.shifted_by(lambda scores: max(0, *scores)),
    ),
    Mistake(
        "the search for the largest score starts at -10,000",
        "Scores can be lower than that, and then all exps become 0. Start the search with the first score.",
        1,
        wrong.shifted_by(lambda scores: max(-10_000, *scores)),
    ),
    Mistake(
        "the largest size instead of the largest score",
        "Of -1000 and -1001 you subtract 1000 or 1001. Take the largest score with its sign, without abs.",
        1,
        wrong.shifted_by(lambda scores: max(map(abs, scores))),
    ),
    Mistake(
        "the score with the largest size",
        "The score farthest from 0 can be the lowest one. Subtract the largest score, as max gives it without abs.",
        1,
        wrong.shifted_by(lambda scores: max(scores, key=abs)),
    ),
    Mistake(
        "the smallest score is subtracted",
        "Subtract the largest score, not the smallest: then no number is above 0 and exp cannot overflow.",
        1,
        wrong.shifted_by(min),
    ),
    Mistake(
        "the mean is subtracted",
        "The largest score can be far above the mean, and exp overflows. Subtract the largest score.",
        1,
        wrong.shifted_by(mean_of),
    ),
    Mistake(
        "the first score is subtracted",
        "The largest score need not come first, so exp can still overflow. Subtract the largest score.",
        1,
        wrong.shifted_by(lambda scores: scores[0]),
    ),
    Mistake(
        "the last score is subtracted",
        "The largest score need not come last, so exp can still overflow. Subtract the largest score.",
        1,
        wrong.shifted_by(lambda scores: scores[-1]),
    ),
    Mistake(
        "the search for the largest score stops too early",
        "The last score is never looked at, and it can be the largest. Search the whole list.",
        1,
        wrong.shifted_by(lambda scores: max(scores[:-1] or scores)),
    ),
    Mistake(
        "largest minus score",
        "The lowest score gets the largest probability. Subtract in this order: score - largest.",
        1,
        partial(softmax, shift=lambda scores: [max(scores) - score for score in scores]),
    ),
    Mistake(
        "divided by the largest score",
        "Each score is divided by the largest one. Subtract the largest score instead.",
        1,
        partial(softmax, shift=wrong.divided_by_the_largest),
    ),
    Mistake(
        "scores are cut at a limit",
        "All scores beyond a limit became equal. Do not cut them: subtract the largest score instead.",
        1,
        partial(softmax, shift=lambda scores: [max(-EXP_LIMIT, min(score, EXP_LIMIT)) for score in scores]),
    ),
    Mistake(
        "the best takes all when exp overflows",
        "Two large scores can be close, and then both get a share. Subtract the largest score instead.",
        1,
        wrong.best_on_overflow,
    ),
    Mistake(
        "longer floats instead of the shift",
        "A longer float overflows a little later, but it does. Subtract the largest score.",
        1,
        wrong.long_softmax,
    ),
    Mistake(
        "floats of 32 bits",
        "float32 keeps about 7 digits, so large scores lose their decimals. Use dtype=float.",
        1,
        lambda scores: softmax([in_32_bits(score) for score in scores]),
    ),
    Mistake(
        "negative scores become 0",
        "Scores below 0 were raised to 0. Softmax can work with negative scores: keep them as they are.",
        1,
        partial(softmax, shift=lambda scores: below_the_largest([max(0, score) for score in scores])),
    ),
    Mistake(
        "the sign of the scores is lost",
        "A score of -1 is treated like 1. Keep the sign: a lower score gets a smaller probability.",
        1,
        partial(softmax, shift=lambda scores: below_the_largest([abs(score) for score in scores])),
    ),
    Mistake(
        "differences below -10 are cut",
        "Choices far behind the best one get too much. Let exp make them as small as they are.",
        1,
        partial(softmax, shift=lambda scores: [max(number, -10) for number in below_the_largest(scores)]),
    ),
    # Step 2: the exponentials
    Mistake(
        "no exponential",
        "The scores are divided by their sum, without exp. Raise e to each number first, then divide.",
        2,
        shares_of,
    ),
    Mistake(
        "e is raised twice",
        "Your exp works on numbers that came out of exp. Use it once for each number.",
        2,
        alone(softmax, power=exps_of_exps),
        (alone(softmax, shift=as_it_is, power=exps_of_exps),),
    ),
    Mistake(
        "powers of 2 instead of e",
        "These are powers of 2. Softmax uses e: math.exp, or np.exp.",
        2,
        partial(softmax, power=wrong.powers_of(2)),
    ),
    Mistake(
        "2.718 instead of e",
        "You typed e with a few decimals, and that is not exact enough. Use math.exp, or np.exp.",
        2,
        partial(softmax, power=wrong.powers_of(2.718)),
        tuple(partial(softmax, power=wrong.powers_of(base)) for base in (2.7, 2.71, 2.72, 2.7182, 2.7183)),
    ),
    Mistake(
        "powers of 10 instead of e",
        "These are powers of 10. Softmax uses e: math.exp, or np.exp.",
        2,
        partial(softmax, power=wrong.powers_of(10)),
    ),
    Mistake(
        "squares instead of powers of e",
        "Each number is multiplied by itself. Raise e to it instead: math.exp, or np.exp.",
        2,
        lambda scores: shares_of([score**2 for score in scores]),
    ),
    Mistake(
        "sigmoid instead of softmax",
        "Each number comes from one score alone. Divide each exp by the sum of all exps.",
        2,
        lambda scores: [sigmoid_of(score) for score in scores],
    ),
    Mistake(
        "sigmoid, then divided by the sum",
        "The numbers add up to 1, but they are made with a sigmoid. Softmax uses exp: raise e to each number.",
        2,
        lambda scores: shares_of([sigmoid_of(score) for score in scores]),
    ),
    Mistake(
        "only the largest score",
        "The largest score takes all. Softmax gives every score a share: raise e to each number.",
        2,
        wrong.best_only,
    ),
    Mistake(
        "a small number is added to each exp",
        "Something is added to each exp. In a long list this changes all shares: leave it out.",
        2,
        partial(softmax, power=lambda shifted: [e + 1e-6 for e in exps_of(shifted)]),
    ),
    # Step 3: the shares
    Mistake(
        "exps are not divided by their sum",
        "Your numbers do not add up to 1. Divide each exp by the sum of all exps.",
        3,
        partial(softmax, share=as_it_is),
    ),
    Mistake(
        "divided by how many there are",
        "You divide by the number of scores, len(scores). Divide by the sum of the exps.",
        3,
        partial(softmax, share=lambda exps: [e / len(exps) for e in exps]),
    ),
    Mistake(
        "divided by the sum of the scores",
        "You divide each exp by the sum of the scores. Divide it by the sum of the exps.",
        3,
        lambda scores: [e / sum(scores) for e in exps_of(below_the_largest(scores))],
    ),
    Mistake(
        "e to the sum instead of the sum of the exps",
        "You add the scores first and then use exp. Use exp on each number first, then add.",
        3,
        wrong.e_to_the_sum,
    ),
    Mistake(
        "the sum is made without the shift",
        "The sum holds exps of the scores as they were. Add the same exps that you divide.",
        3,
        wrong.sum_without_shift,
    ),
    Mistake(
        "the sum is not complete when you divide",
        "You divide while the sum still grows. Add all exps first, then divide each of them.",
        3,
        partial(softmax, share=lambda exps: list(map(truediv, exps, accumulate(exps)))),
    ),
    Mistake(
        "equal scores count once",
        "Your sum counts equal scores once, as a set does. Each score counts, also when it is there twice.",
        3,
        partial(softmax, share=lambda exps: [e / sum(set(exps)) for e in exps]),
    ),
    Mistake(
        "the largest score counts once",
        "When several scores are the largest, each of them counts in the sum. You count one.",
        3,
        partial(softmax, share=wrong.largest_counts_once),
    ),
    Mistake(
        "divided by the length of the vector",
        "The squares of your numbers add up to 1. The numbers themselves must: divide by their plain sum.",
        3,
        partial(softmax, share=wrong.length_one),
    ),
    Mistake(
        "log-softmax instead of softmax",
        "Your numbers are logarithms, so they are negative or 0. Return the probabilities themselves.",
        3,
        partial(softmax, share=wrong.log_shares),
        (wrong.log_softmax,),
    ),
    Mistake(
        "softmax is used twice",
        "Your numbers are too even: softmax has run on probabilities. Use it once.",
        3,
        _changing(softmax),
    ),
    Mistake(
        "sorted probabilities",
        "The probabilities no longer belong to their own scores. Do not sort: keep the order of the scores.",
        3,
        _changing(sorted),
    ),
    Mistake(
        "percent instead of shares",
        "Your numbers add up to 100. Probabilities add up to 1: do not multiply by 100.",
        3,
        _changing(lambda row: [100 * p for p in row]),
    ),
    Mistake(
        "only the first probability",
        "Your answer stops after the first score. Collect all probabilities, and return after the loop.",
        3,
        _changing(lambda row: row[:1]),
    ),
    Mistake(
        "only the largest probability",
        "You return one number. Return a list with one probability for each score.",
        3,
        _changing(max),
    ),
    Mistake(
        "one list too many",
        "Your list is inside one more list or tuple. A comma at the end of the return line does this.",
        3,
        _changing(lambda row: [row]),
    ),
    Mistake(
        "one score gives a plain number",
        "With one score you return a number. Return a list with this one number, without np.squeeze.",
        3,
        _changing(one_row_flat),
    ),
    Mistake(
        "a table for 100 scores",
        "Short lists are right, but the answer stops after 100 scores. Take the length from the list.",
        3,
        _changing(lambda row: row[:100]),
    ),
    Mistake(
        "small probabilities become 0",
        "A small probability is still above 0. Return each one as it is.",
        3,
        _changing(lambda row: [p if p > 1e-3 else 0.0 for p in row]),  # noqa: PLR2004
    ),
    Mistake(
        "whole numbers only",
        "The decimals are cut off: something makes whole numbers, such as int, or an array of ints. Use float.",
        3,
        lambda scores: list(map(int, softmax(scores))) if all(type(s) is int for s in scores) else softmax(scores),
    ),
    Mistake(
        "rounded to two decimals",
        "Your numbers are cut to two decimals. Return them as they are, without round.",
        3,
        _changing(lambda row: [round(p, 2) for p in row]),
    ),
    Mistake(
        "rounded to four decimals",
        "Your numbers are cut to four decimals, and that is not exact enough. Return them without round.",
        3,
        _changing(lambda row: [round(p, 4) for p in row]),
    ),
    # Between calls: the probabilities are right, but only in a first call
    Mistake(
        "the input is sorted",
        "Your function sorts the list it was given, so a second call gets another order. Use max, or sort a copy.",
        1,
        wrong.sorts_the_input,
    ),
    Mistake(
        "the exps are written into the input",
        "Your function writes into scores, so a second call starts with other numbers. Make a new list.",
        2,
        wrong.writes_into_the_input,
    ),
    Mistake(
        "an old answer is given again",
        "Your function remembers an answer and looks only at the length. Compute each call from its own scores.",
        3,
        remembering(softmax, len),
    ),
)
