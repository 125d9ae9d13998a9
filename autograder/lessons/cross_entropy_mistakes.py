"""Lesson 03, cross_entropy: the known mistakes, in the order of the steps.

The wrong solutions themselves stand in `cross_entropy_wrong_solves.py`.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Final

from autograder.lesson import Mistake
from autograder.lessons import cross_entropy_wrong_solves as wrong
from autograder.lessons.common_mistakes import in_32_bits, mean_of, remembering, softmax_of
from autograder.lessons.cross_entropy_wrong_solves import cross_entropy, log_sum_of, numpy_log

MISTAKES: Final[tuple[Mistake, ...]] = (
    # Step 1: the shift
    Mistake(
        "the largest logit is not subtracted",
        "Large logits make exp overflow, and very low ones all become 0. Subtract the largest of the row first.",
        1,
        partial(cross_entropy, top=lambda _row: 0),
    ),
    Mistake(
        "a largest logit below 0 is not subtracted",
        "When all logits of a row are far below 0, all exps become 0. Subtract the largest even then.",
        1,
        partial(cross_entropy, top=lambda row: max(0, *row)),
    ),
    Mistake(
        "the smallest logit is subtracted",
        "Subtract the largest logit, not the smallest: then no number is above 0 and exp cannot overflow.",
        1,
        partial(cross_entropy, top=min),
    ),
    Mistake(
        "the mean is subtracted",
        "The largest logit can be far above the mean, and exp overflows. Subtract the largest logit.",
        1,
        partial(cross_entropy, top=mean_of),
    ),
    Mistake(
        "the first logit is subtracted",
        "The largest logit need not come first, so exp can still overflow. Subtract the largest logit.",
        1,
        partial(cross_entropy, top=lambda row: row[0]),
    ),
    Mistake(
        "the last logit is subtracted",
        "The largest logit need not come last, so exp can still overflow. Subtract the largest logit.",
        1,
        partial(cross_entropy, top=lambda row: row[-1]),
    ),
    Mistake(
        "one largest logit for all rows",
        "A row with much lower logits than another loses all its exps. Each row needs its own largest logit.",
        1,
        wrong.one_top,
    ),
    Mistake(
        "one largest logit for the whole array",
        "A row with much lower logits than another loses all its exps. Use max with axis=1 and keepdims=True.",
        1,
        partial(wrong.one_top, log=numpy_log),
    ),
    Mistake(
        "longer floats instead of the shift",
        "A longer float overflows a little later, but it does. Subtract the largest logit.",
        1,
        wrong.from_row(wrong.long_loss),
    ),
    Mistake(
        "floats of 32 bits",
        "float32 keeps about 7 digits, so large logits lose their decimals. Use dtype=float.",
        1,
        wrong.changed_first(lambda row: list(map(in_32_bits, row))),
    ),
    Mistake(
        "negative logits become 0",
        "Logits below 0 were raised to 0. Softmax can work with negative numbers: keep them as they are.",
        1,
        wrong.changed_first(lambda row: [max(0, logit) for logit in row]),
    ),
    Mistake(
        "the logits go through softmax first",
        "Your loss is made from probabilities that you treat as logits. Use softmax, or this log of a sum, only once.",
        1,
        wrong.changed_first(softmax_of),
    ),
    Mistake(
        "softmax down the columns",
        "You compare numbers of different rows. Each row is one prediction: work along the row.",
        1,
        wrong.down_the_columns,
    ),
    # Step 2: the logarithm of the sum
    Mistake(
        "the logarithm of a probability that became 0",
        "A small probability becomes 0, and 0 has no logarithm. Do not divide: take the logarithm of the sum instead.",
        2,
        wrong.from_probability(lambda p, target: -math.log(p[target])),
    ),
    Mistake(
        "np.log of a probability that became 0",
        "A small probability becomes 0, and np.log gives -inf for it. Take the logarithm of the sum instead.",
        2,
        wrong.from_probability(lambda p, target: -numpy_log(p[target])),
    ),
    Mistake(
        "a small number is added before the logarithm",
        "log(p + 1e-9) stops the error, but a large loss comes out too small. Take the logarithm of the sum instead.",
        2,
        wrong.from_probability(lambda p, target: -math.log(p[target] + 1e-9)),
    ),
    Mistake(
        "small probabilities are raised to 1e-12",
        "This stops the error, but a large loss comes out too small. Take the logarithm of the sum instead.",
        2,
        wrong.from_probability(lambda p, target: -math.log(max(p[target], 1e-12))),
    ),
    Mistake(
        "the gap stands in where a probability became 0",
        "This is nearly right, but several logits can be the largest. Take the logarithm of the sum in every case.",
        2,
        wrong.from_row(wrong.gap_at_zero),
    ),
    Mistake(
        "logarithm with base 2",
        "Your loss is in bits. It should be in nats: use math.log, or np.log.",
        2,
        partial(cross_entropy, log_sum=lambda shifted: log_sum_of(shifted) / math.log(2)),
        (partial(cross_entropy, finish=lambda losses: mean_of(losses) / math.log(2)),),
    ),
    Mistake(
        "logarithm with base 10",
        "You use log10. The loss is in nats: use math.log, or np.log.",
        2,
        partial(cross_entropy, log_sum=lambda shifted: log_sum_of(shifted) / math.log(10)),
        (partial(cross_entropy, finish=lambda losses: mean_of(losses) / math.log(10)),),
    ),
    Mistake(
        "the logarithm of 0 or less",
        "You take the logarithm of 0 or less. Raise e to each shifted logit first, then add, then take the logarithm.",
        2,
        partial(cross_entropy, log_sum=lambda shifted: math.log(sum(shifted))),
        (
            partial(cross_entropy, log_sum=lambda shifted: wrong.numpy_log(sum(shifted))),
            partial(cross_entropy, log_sum=lambda _shifted: wrong.numpy_log(0)),
        ),
    ),
    Mistake(
        "no logarithm",
        "The sum of the exps is there, but its logarithm is not taken. Use math.log on the sum.",
        2,
        partial(cross_entropy, log_sum=lambda shifted: sum(map(math.exp, shifted))),
    ),
    Mistake(
        "the sum of the logarithms",
        "The logarithm of each exp gives back the number itself. Add the exps first, then take one logarithm.",
        2,
        wrong.from_row(lambda row, target: sum(logit - max(row) for at, logit in enumerate(row) if at != target)),
    ),
    Mistake(
        "the mean of the exps instead of their sum",
        "You divide the sum of the exps by how many there are. Take the logarithm of the sum itself.",
        2,
        partial(cross_entropy, log_sum=lambda shifted: log_sum_of(shifted) - math.log(len(shifted))),
    ),
    Mistake(
        "equal logits count once",
        "Your sum counts equal logits once, as a set does. Each logit counts, also when it is there twice.",
        2,
        partial(cross_entropy, log_sum=lambda shifted: log_sum_of(list(set(shifted)))),
    ),
    Mistake(
        "a small number is added to each exp",
        "Something is added to each exp. With many choices this changes the loss: leave it out.",
        2,
        partial(cross_entropy, log_sum=lambda shifted: math.log(sum(math.exp(number) + 1e-6 for number in shifted))),
    ),
    Mistake(
        "the sum is not emptied",
        "The sum of a row still holds the rows before it. Start each row with a new sum.",
        2,
        wrong.sum_not_emptied,
    ),
    Mistake(
        "only 100 choices",
        "Short rows are right, but after 100 logits the others are left out. Take the length from the row.",
        2,
        partial(cross_entropy, log_sum=lambda shifted: log_sum_of(shifted[:100])),
    ),
    # Step 3: the right answer
    Mistake(
        "the model's favourite is scored",
        "This is the loss of the largest logit of the row. Use the logit of the right answer, the one at place target.",
        3,
        partial(cross_entropy, pick=lambda row, _target: row.index(max(row))),
    ),
    Mistake(
        "the target itself is subtracted",
        "You subtract the place of the right answer. Subtract the number that stands there: shifted[target].",
        3,
        wrong.from_row(lambda row, target: wrong.log_sum_below(row) - target),
    ),
    Mistake(
        "the shifted logit is added",
        "You add the shifted logit of the right answer. It is the logarithm of the sum minus this logit.",
        3,
        wrong.from_row(lambda row, target: wrong.log_sum_below(row) + row[target] - max(row)),
    ),
    Mistake(
        "targets are counted from 1",
        "You use the logit before the right one. Targets count from 0: use row[target].",
        3,
        partial(cross_entropy, pick=lambda _row, target: target - 1),
    ),
    Mistake(
        "the row number instead of the target",
        "Row 0 uses logit 0, row 1 uses logit 1. The place of the right answer stands in targets.",
        3,
        lambda logits, targets: cross_entropy(logits, list(range(len(targets)))),
    ),
    Mistake(
        "the first target for every row",
        "Every row uses the same target. Row i needs targets[i].",
        3,
        lambda logits, targets: cross_entropy(logits, [targets[0]] * len(targets)),
    ),
    Mistake(
        "every row with every target",
        "You score each row with all the targets. Row i has one right answer, targets[i].",
        3,
        wrong.every_pair,
    ),
    Mistake(
        "the shift is not undone",
        "You subtract the largest logit in the sum, but not from the right answer's logit. Use the shifted one.",
        3,
        wrong.from_row(wrong.shift_not_undone),
    ),
    Mistake(
        "the sign is turned round",
        "Your loss is negative: you subtract the other way round. It is the logarithm of the sum minus the logit.",
        3,
        partial(cross_entropy, finish=lambda losses: -mean_of(losses)),
    ),
    Mistake(
        "1 minus the probability",
        "You measure how far the probability is from 1. The loss is minus the logarithm of the probability.",
        3,
        wrong.from_probability(lambda p, target: 1 - p[target]),
    ),
    Mistake(
        "the probability itself",
        "This is the mean probability of the right answers. The loss is minus the logarithm of it, row by row.",
        3,
        wrong.from_probability(lambda p, target: p[target]),
    ),
    # Step 4: the mean
    Mistake(
        "sum instead of mean",
        "Your loss grows with the number of rows. Divide the sum of the losses by the number of rows.",
        4,
        partial(cross_entropy, finish=sum),
    ),
    Mistake(
        "divided by the number of choices",
        "You divide by how many logits a row has. Divide by the number of rows.",
        4,
        wrong.divided_by(lambda logits: len(logits[0])),
    ),
    Mistake(
        "divided by all numbers of the table",
        "You divide by rows times choices. There is one loss for each row: divide by the number of rows.",
        4,
        wrong.divided_by(lambda logits: len(logits) * len(logits[0])),
    ),
    Mistake(
        "the logarithm of the mean probability",
        "You average the probabilities and then take one logarithm. Take it in each row, then average the losses.",
        4,
        wrong.log_of_the_mean,
    ),
    Mistake(
        "perplexity instead of the loss",
        "You raised e to the mean loss. Return the mean loss itself.",
        4,
        partial(cross_entropy, finish=lambda losses: math.exp(mean_of(losses))),
    ),
    Mistake(
        "a list of losses",
        "You return one loss for each row. Return one number, their mean.",
        4,
        partial(cross_entropy, finish=list),
    ),
    Mistake(
        "one number in a list",
        "Your number is inside a list or tuple. Return the number itself.",
        4,
        partial(cross_entropy, finish=lambda losses: [mean_of(losses)]),
    ),
    Mistake(
        "only the first row",
        "Your answer is the loss of the first row. Is the return inside the loop, or is its range too short?",
        4,
        partial(cross_entropy, finish=lambda losses: losses[0]),
    ),
    Mistake(
        "only the last row",
        "Your answer is the loss of the last row. Collect the losses of all rows, then take their mean.",
        4,
        partial(cross_entropy, finish=lambda losses: losses[-1]),
    ),
    Mistake(
        "equal losses count once",
        "Rows with the same loss count once, as in a set or a dict. Every row counts: collect the losses in a list.",
        4,
        partial(cross_entropy, finish=lambda losses: mean_of(list(set(losses)))),
    ),
    Mistake(
        "only 100 predictions",
        "Few rows are right, but after 100 rows the others are left out. Take the number from the inputs.",
        4,
        partial(cross_entropy, finish=lambda losses: mean_of(losses[:100])),
    ),
    Mistake(
        "a column is taken for a row",
        "With one choice in each row, np.squeeze makes your table flat. Leave np.squeeze out.",
        4,
        wrong.column_squeezed,
    ),
    Mistake(
        "rounded to two decimals",
        "Your number is cut to two decimals. Return it as it is, without round.",
        4,
        partial(cross_entropy, finish=lambda losses: round(mean_of(losses), 2)),
    ),
    Mistake(
        "rounded to four decimals",
        "Your number is cut to four decimals, and that is not exact enough. Return it without round.",
        4,
        partial(cross_entropy, finish=lambda losses: round(mean_of(losses), 4)),
    ),
    # Between calls: the loss is right, but only in a first call
    Mistake(
        "the rows are sorted",
        "Your function sorts the rows it was given, so a second call finds other logits. Use max, or sort a copy.",
        1,
        wrong.sorts_the_rows,
    ),
    Mistake(
        "the rows are written over",
        "Your function writes into logits, so a second call starts with other numbers. Make new lists.",
        2,
        wrong.writes_into_the_rows,
    ),
    Mistake(
        "the targets are used up",
        "Your function takes the targets out of their list, so a second call finds none. Read them with zip.",
        3,
        wrong.uses_up_the_targets,
    ),
    Mistake(
        "an old answer is given again",
        "Your function remembers an answer and looks only at the targets. Compute each call from both inputs.",
        4,
        remembering(cross_entropy, lambda _logits, targets: targets),
    ),
)
