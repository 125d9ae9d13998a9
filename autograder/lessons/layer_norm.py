"""Lesson 07, layer_norm: the hidden groups. The known mistakes stand in `layer_norm_mistakes.py`.

Expected values are not written here: they come from the notebook's reference solution. The random cases are made from
seeds, so every run of the course has the same ones. Sizes are (tokens, width).
"""

from __future__ import annotations

import random
from typing import Final

from autograder.lesson import Call, Group
from autograder.lessons.layer_norm_mistakes import MISTAKES
from course.practice import Question

__all__ = ["GROUPS", "MISTAKES", "PROBES", "QUESTION"]

QUESTION: Final = Question("After which line of your code has each number been divided by the square root?", step=3)

Row = list[float]
Matrix = list[Row]

# A plain gain and bias: each row gets mean 0 and variance 1. Then rows of one value, where only the bias stays.
PROBES: Final = (
    Call(([[0, 8, 4, 4], [1, 2, 9, 4]], [1, 1, 1, 1], [0, 0, 0, 0], 1e-5)),
    Call(([[4, 4], [-1, -1], [0, 0.5]], [2, -3], [5, 7], 0.25)),
)


def _case(  # noqa: PLR0913  # what varies from case to case
    seed: int,
    sizes: tuple[int, int],
    *,
    eps: float = 1e-5,
    middle: float = 0,
    spread: float = 3,
    digits: int = 2,
    twice: bool = False,
) -> Call:
    """Make one call with random numbers between middle - spread and middle + spread; 0 digits: whole numbers."""
    rng = random.Random(seed)  # noqa: S311  # cases, not secrets
    tokens, width = sizes

    def row(centre: float, reach: float, decimals: int) -> Row:
        return [round(centre + rng.uniform(-reach, reach), decimals or None) for _ in range(width)]

    X = [row(middle, spread, digits) for _ in range(tokens)]
    return Call((X, row(0.5, 2, 2), row(0, 2, 2), eps), twice)


_X: Final = [[0.5, 2.0, -1.0], [4.0, 3.0, 8.0]]
_GAIN: Final = [1.5, -0.5, 2.0]
_BIAS: Final = [0.25, 0.0, -1.0]
_OUTLIER: Final = [0.5, -0.5] * 31 + [0.25, 40.0]


GROUPS: Final[tuple[Group, ...]] = (
    Group(
        "a small spread",
        "The numbers of a row are nearly equal, so that eps counts as much as the variance, or more.",
        1,
        (
            Call(([[0.001, 0.002, 0.003]], [1, 1, 1], [0, 0, 0], 1e-5)),
            _case(11, (3, 4), spread=0.004, digits=5),
            _case(12, (2, 5), middle=7, spread=0.002, digits=4),
        ),
    ),
    Group(
        "eps of every size",
        "The number eps lies between a millionth and 1, and it is not the usual one.",
        1,
        (
            _case(21, (2, 3), eps=1e-6, spread=0.003, digits=5),
            _case(22, (3, 2), eps=1),
            _case(23, (2, 4), eps=0.02, spread=0.2),
        ),
    ),
    Group(
        "far from zero",
        "The numbers are as large as 100,000, and the differences in a row are small.",
        1,
        (
            Call(([[1e5, 1e5 + 0.02, 1e5 - 0.01], [-99999, -99998.75, -99999.5]], [1, 2, -1], [0, 0.5, 1], 1e-5)),
            _case(31, (2, 4), middle=-5e4, spread=0.05, digits=4),
            _case(32, (3, 2), middle=9e4, spread=0.5, digits=3),
            _case(33, (2, 3), spread=1e5, digits=1),
        ),
    ),
    Group(
        "one column",
        "Each row holds one number, and the answer is still a list of rows.",
        1,
        (
            Call(([[7.5]], [2.0], [0.5], 1e-5)),
            Call(([[3], [-4], [0]], [1.5], [-1], 1e-5)),
            Call(([[1.0], [2.0]], [-2], [0], 0.5)),
        ),
    ),
    Group(
        "long rows and many rows",
        "There are up to 64 rows or 64 columns, and one number may be far away from the others.",
        1,
        (
            Call(([_OUTLIER, _OUTLIER[::-1]], [1, 2] * 32, [0, -1] * 32, 1e-5)),
            _case(41, (64, 2)),
            _case(42, (1, 64), spread=20),
            _case(43, (20, 7), digits=0, spread=30),
        ),
    ),
    Group(
        "gain and bias of every kind",
        "Gain and bias can be 0 or negative, and they are different in every column.",
        1,
        (
            Call(([[1, 5, 3], [2, 2, 8]], [0, -1, 2.5], [0.5, 0, -2], 1e-5)),
            Call(([[2, -1], [0, 4], [6, 7]], [0, 0], [1, -2], 1e-5)),
            Call(([[1, 0, 4, -3]], [-1, -0.5, 0, 3], [0, 0, 0, 0], 0.1)),
        ),
    ),
    Group(
        "whole numbers",
        "All numbers of X are ints, and their mean lies between two ints.",
        1,
        (
            Call(([[0, 1], [7, 2], [-3, 0]], [1, 1], [0, 0], 1e-5)),
            Call(([[1, 2, 4, 8], [-5, 0, 0, 3]], [1, 2, 3, 4], [0, 1, 0, -1], 1)),
            _case(51, (4, 3), digits=0, spread=9),
        ),
    ),
    Group(
        "many decimals",
        "The numbers have up to seven decimals, as many rows as columns or not.",
        1,
        (
            _case(61, (3, 3), digits=7),
            _case(62, (2, 5), digits=6, spread=1),
            _case(63, (4, 4), digits=7, middle=2),
        ),
    ),
    Group(
        "inputs are not changed",
        "The function is called twice with the same lists, and the second answer counts.",
        1,
        (
            _case(71, (3, 4), twice=True),
            _case(72, (2, 2), digits=0, spread=9, twice=True),
            _case(73, (4, 3), eps=0.3, twice=True),
        ),
    ),
    Group(
        "a second call",
        "Calls come one after another with inputs that are almost the same, and each answer fits its own inputs.",
        1,
        (
            Call((_X, _GAIN, _BIAS, 1e-5)),
            Call((_X, _GAIN, _BIAS, 0.5)),
            Call((_X, _GAIN, [0.25, 0.0, 4.0], 0.5)),
            Call((_X, [1.5, -0.5, 6.0], [0.25, 0.0, 4.0], 0.5)),
            Call(([_X[0], [4.0, 3.0, 9.5]], [1.5, -0.5, 6.0], [0.25, 0.0, 4.0], 0.5)),
            Call((_X, _GAIN, _BIAS, 1e-5)),
        ),
    ),
)
