"""Lesson 03, cross_entropy: the wrong solutions behind the known mistakes.

Each is the mean cross entropy wrong in one way: the loss of a row, or what is done with the losses, is replaced.
"""

# ruff: noqa: D103  # the names say what each does

from __future__ import annotations

import math
from collections.abc import Callable

from autograder.lesson import Solve
from autograder.lessons.common_mistakes import LONG_LIMIT, Matrix, Row, mean_of, softmax_of, turned

Top = Callable[[Row], float]  # the number that is subtracted from the logits of a row
LogSum = Callable[[Row], float]  # the shifted logits -> the logarithm of the sum of their exponentials
Pick = Callable[[Row, int], int]  # the logits, the target -> the place of the logit that is scored
Finish = Callable[[Row], object]  # the losses -> the answer


def log_sum_of(shifted: Row) -> float:
    return math.log(sum(map(math.exp, shifted)))


def numpy_log(number: float) -> float:
    """Give -inf for 0 and nan below it, where lists stop with an error."""
    if number < 0:
        return math.nan
    return math.log(number) if number else -math.inf


def _target(_row: Row, target: int) -> int:
    return target


def cross_entropy(  # noqa: PLR0913  # one argument per input and one per step
    logits: Matrix,
    targets: list[int],
    *,
    top: Top = max,
    log_sum: LogSum = log_sum_of,
    pick: Pick = _target,
    finish: Finish = mean_of,
) -> object:
    """Compute the mean cross entropy with the four steps given."""
    losses = []
    for row, target in zip(logits, targets, strict=True):
        largest = top(row)
        shifted = [logit - largest for logit in row]
        losses.append(log_sum(shifted) - shifted[pick(row, target)])
    return finish(losses)


def from_probability(loss: Callable[[Row, int], float]) -> Solve:
    """Compute the probabilities of each row first, and then a loss from them."""
    return lambda logits, targets: mean_of([loss(softmax_of(row), t) for row, t in zip(logits, targets, strict=True)])


def from_row(loss: Callable[[Row, int], float]) -> Solve:
    """Compute the loss of each row in another way."""
    return lambda logits, targets: mean_of([loss(row, t) for row, t in zip(logits, targets, strict=True)])


def _right_loss(row: Row, target: int) -> float:
    return log_sum_below(row) + max(row) - row[target]


def changed_first(change: Callable[[Row], Row]) -> Solve:
    """Change each row of logits, then go on in the right way."""
    return lambda logits, targets: cross_entropy([change(row) for row in logits], targets)


def long_loss(row: Row, target: int) -> float:
    """Do without the shift, as in numpy's longdouble, which overflows later."""
    return math.nan if abs(max(row)) > LONG_LIMIT else _right_loss(row, target)


def gap_at_zero(row: Row, target: int) -> float:
    probability = softmax_of(row)[target]
    return -math.log(probability) if probability else max(row) - row[target]


def one_top(logits: Matrix, targets: list[int], log: Callable[[float], float] = math.log) -> object:
    return cross_entropy(
        logits,
        targets,
        top=lambda _row: max(map(max, logits)),
        log_sum=lambda shifted: log(sum(map(math.exp, shifted))),
    )


def log_sum_below(row: Row) -> float:
    """Compute the log-sum-exp of the shifted logits."""
    return log_sum_of([logit - max(row) for logit in row])


def shift_not_undone(row: Row, target: int) -> float:
    return log_sum_below(row) - row[target]


def column_squeezed(logits: Matrix, targets: list[int]) -> object:
    """Take a table with one column for one row, as np.squeeze does."""
    if len(logits[0]) == 1:
        return _right_loss([row[0] for row in logits], targets[0])
    return cross_entropy(logits, targets)


def down_the_columns(logits: Matrix, targets: list[int]) -> float:
    columns = [softmax_of(column) for column in turned(logits)]
    return mean_of([-math.log(columns[target][at]) for at, target in enumerate(targets)])


def every_pair(logits: Matrix, targets: list[int]) -> float:
    return mean_of([_right_loss(row, target) for row in logits for target in targets])


def log_of_the_mean(logits: Matrix, targets: list[int]) -> float:
    return -math.log(mean_of([softmax_of(row)[target] for row, target in zip(logits, targets, strict=True)]))


def sum_not_emptied(logits: Matrix, targets: list[int]) -> float:
    total, losses = 0.0, []
    for row, target in zip(logits, targets, strict=True):
        total += sum(math.exp(logit - max(row)) for logit in row)
        losses.append(math.log(total) + max(row) - row[target])
    return mean_of(losses)


def divided_by(count: Callable[[Matrix], float]) -> Solve:
    """Divide the sum of the losses by another number than that of the rows."""

    def solve(logits: Matrix, targets: list[int]) -> float:
        return sum(_right_loss(row, t) for row, t in zip(logits, targets, strict=True)) / count(logits)

    return solve


def sorts_the_rows(logits: Matrix, targets: list[int]) -> float:
    losses = []
    for row, target in zip(logits, targets, strict=True):
        losses.append(_right_loss(row, target))
        row.sort()
    return mean_of(losses)


def writes_into_the_rows(logits: Matrix, targets: list[int]) -> float:
    losses = []
    for row, target in zip(logits, targets, strict=True):
        losses.append(_right_loss(row, target))
        row[:] = softmax_of(row)
    return mean_of(losses)


def uses_up_the_targets(logits: Matrix, targets: list[int]) -> float:
    return mean_of([_right_loss(row, targets.pop(0)) for row in logits if targets])
