"""Lesson 06, feed_forward: the hidden groups. The known mistakes stand in `feed_forward_mistakes.py`.

Expected values are not written here: they come from the notebook's reference solution. Most cases are made from seeds,
so every run of the course has the same ones. X is (tokens, d), W1 (d, f), W2 (f, d).
"""

from __future__ import annotations

import random
from typing import Final

from autograder.lesson import Call, Group
from autograder.lessons.feed_forward_mistakes import MISTAKES
from course.practice import Question

__all__ = ["GROUPS", "MISTAKES", "PROBES", "QUESTION"]

QUESTION: Final = Question(
    "After which line of your code have all hidden numbers of a token been bent by GELU?", step=2
)

# With tables of 1 and biases of 0 the answer is GELU itself; with hidden numbers of 0 it is the second bias. With all
# sizes equal a turned table gives numbers, and not an error.
PROBES: Final = (
    Call(([[-1], [1], [2], [-2]], [[1]], [0], [[1]], [0])),
    Call(([[0, 0], [0, 0]], [[1, 2, 3], [4, 5, 6]], [0, 0, 0], [[1, 2], [3, 4], [5, 6]], [7, -8])),
    Call(([[1, 2], [-1, 0.5]], [[1, -2], [0.5, 3]], [0, 1], [[2, 1], [-1, 0.5]], [1, 0])),
)

Matrix = list[list[float]]


def _table(rng: random.Random, rows: int, columns: int, limit: float, *, whole: bool = False) -> Matrix:
    number = (lambda: rng.randint(-int(limit), int(limit))) if whole else (lambda: round(rng.uniform(-limit, limit), 2))
    return [[number() for _ in range(columns)] for _ in range(rows)]


def _case(  # noqa: PLR0913  # a seed, three sizes, two kinds
    seed: int, tokens: int, d: int, f: int, *, whole: bool = False, twice: bool = False
) -> Call:
    """Make one call with random inputs between -2 and 2; `whole`: whole numbers only."""
    rng = random.Random(seed)  # noqa: S311  # cases, not secrets
    X, W1, b1, W2, b2 = (
        _table(rng, rows, columns, 2, whole=whole) for rows, columns in ((tokens, d), (d, f), (1, f), (f, d), (1, d))
    )
    return Call((X, W1, b1[0], W2, b2[0]), twice)


def _hidden(numbers: list[float], W2: Matrix, b2: list[float]) -> Call:
    """Make one call with one token, whose hidden numbers are exactly `numbers`."""
    return Call(
        (
            [[1.0] + [0.0] * (len(b2) - 1)],
            [numbers] + [[0.5] * len(numbers)] * (len(b2) - 1),
            [0.0] * len(numbers),
            W2,
            b2,
        )
    )


_X: Final = [[0.5, -1.5, 1.0], [2.0, 0.0, -0.5]]
_W1: Final = [[1.0, 0.5], [-0.5, 1.5], [0.75, -1.0]]
_W2: Final = [[4.0, -3.0, 1.0], [0.5, 7.0, -2.0]]


def _changed(table: Matrix) -> Matrix:
    """Return the table with another number in its last place only."""
    return [*table[:-1], [*table[-1][:-1], table[-1][-1] + 2.0]]


GROUPS: Final = (
    Group(
        "all sizes different",
        "The number of tokens, the model width and the hidden width differ, and all inputs have decimals.",
        1,
        (_case(11, 3, 2, 4), _case(12, 2, 5, 3), _case(13, 4, 3, 6), _case(14, 5, 4, 2)),
    ),
    Group(
        "equal sizes",
        "The number of tokens, the model width and the hidden width are the same number, or two of them are.",
        1,
        (
            _case(21, 3, 3, 3),
            _case(22, 2, 2, 2, whole=True),
            _case(23, 2, 4, 4),
            _case(24, 3, 2, 3),
            _case(25, 1, 1, 1),
        ),
    ),
    Group(
        "far below 0",
        "Hidden numbers are between -2 and -6, where the curve is nearly 0 but not quite.",
        1,
        (
            _hidden([-3.0, -4.2, -2.5], [[50.0, 1.0], [80.0, -300.0], [-20.0, 2.0]], [0.0, 1.0]),
            _hidden([-2.25, -3.5, 4.25], [[10.0], [-40.0], [100.0]], [-425.0]),
            _hidden([-4.5, -5.0], [[900.0], [-900.0]], [0.0]),
        ),
    ),
    Group(
        "very large hidden numbers",
        "Hidden numbers are far above or below 0, up to 1 million.",
        1,
        (
            Call(
                (
                    [[1000, -2000], [-1000, 2000]],
                    [[3, -1, 0.5], [1, 2, -3]],
                    [0.5, 0, -1],
                    [[1, 0], [0.5, -1], [0, 2]],
                    [1, -1],
                )
            ),
            _hidden([1e6, -1e6, 500.0, -500.0], [[1.0, 0.5], [2.0, 1.0], [-1.0, 2.0], [3.0, 1.0]], [0.0, 0.25]),
            _hidden([1e6 - 0.7, 1e6 - 1.0], [[1.0], [-1.0]], [0.0]),
            _hidden([150.0, -25.0, 25.0, 0.5], [[1.0], [1.0], [-2.0], [4.0]], [0.0]),
        ),
    ),
    Group(
        "large second table",
        "The second table holds large numbers, so a small error in the curve becomes a large one.",
        1,
        (
            _hidden([1.0, 2.0, -1.5], [[1000.0, 0.0], [0.0, 2000.0], [3000.0, -1000.0]], [-500.0, -3900.0]),
            _hidden([0.5, 1.5, -0.75, 2.5], [[4000.0], [-1000.0], [2000.0], [5000.0]], [-12000.0]),
        ),
    ),
    Group(
        "zeros",
        "A bias, a row of the tokens or a whole table holds only zeros.",
        1,
        (
            Call(
                ([[0, 0], [1, -1], [0, 0]], [[1, 2, -1], [0, 1, 1]], [0.5, -1, 2], [[1, 0], [2, 1], [0, -1]], [0.25, 1])
            ),
            Call(([[1.5, -2], [0.5, 1]], [[1, 0, -1], [0.5, 1, 2]], [0, 0, 0], [[1, 2], [0, 1], [-1, 1]], [0, 0])),
            Call(([[0.0, 0.0]], [[1.0], [-1.0]], [0.0], [[2.0, 3.0]], [0.5, 0.0])),
            Call(([[1, 2]], [[0, 0], [0, 0]], [1, -1], [[1, 2], [3, -1]], [0, 2])),
        ),
    ),
    Group(
        "whole numbers",
        "All numbers of all inputs are whole numbers, but the answer is not.",
        1,
        (_case(71, 2, 3, 4, whole=True), _case(72, 3, 2, 1, whole=True), _case(73, 4, 1, 2, whole=True)),
    ),
    Group(
        "long and wide inputs",
        "There are up to 64 tokens, rows of up to 32 numbers, or up to 64 hidden numbers.",
        1,
        (_case(81, 64, 2, 3), _case(82, 2, 3, 64), _case(83, 1, 32, 17), _case(84, 20, 1, 20)),
    ),
    Group(
        "inputs are not changed",
        "The function is called twice with the same lists, and the second answer counts.",
        1,
        (_case(91, 3, 2, 4, twice=True), _case(92, 1, 3, 2, twice=True), _case(93, 2, 3, 3, whole=True, twice=True)),
    ),
    Group(
        "a second call",
        "Calls come one after another with inputs that are almost the same, and each answer fits its own inputs.",
        1,
        (
            Call((_X, _W1, [0.5, -1.0], _W2, [1.0, 0.0, -1.0])),
            Call((_X, _W1, [0.5, 1.0], _W2, [1.0, 0.0, -1.0])),
            Call((_X, _W1, [0.5, 1.0], _W2, [1.0, 0.0, 2.0])),
            Call((_X, _changed(_W1), [0.5, 1.0], _W2, [1.0, 0.0, 2.0])),
            Call((_X, _changed(_W1), [0.5, 1.0], _changed(_W2), [1.0, 0.0, 2.0])),
            Call((_changed(_X), _changed(_W1), [0.5, 1.0], _changed(_W2), [1.0, 0.0, 2.0])),
            Call((_X, _W1, [0.5, -1.0], _W2, [1.0, 0.0, -1.0])),
            _case(101, 4, 2, 3),
        ),
    ),
)
