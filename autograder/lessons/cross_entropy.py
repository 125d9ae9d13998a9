"""Lesson 03, cross_entropy: the hidden groups. The known mistakes stand in `cross_entropy_mistakes.py`.

Expected values are not written here: they come from the notebook's reference solution. The large tables are made from
seeds, so every run of the course has the same ones.
"""

from __future__ import annotations

import random
from typing import Final

from autograder.lesson import Call, Group
from autograder.lessons.cross_entropy_mistakes import MISTAKES
from course.practice import Question

__all__ = ["GROUPS", "MISTAKES", "PROBES", "QUESTION"]

QUESTION: Final = Question("Which line of your code gives the loss of one row?", step=3)

# Equal logits: the loss of each row is the natural logarithm of how many there are, 1.60944. Then a gap of 720: too
# large for exp, while the probability of the right answer is just above 0. So the shift is told from the logarithm.
PROBES: Final = (
    Call(([[2, 2, 2, 2, 2], [-1, -1, -1, -1, -1]], [4, 0])),
    Call(([[0, 720]], [0])),
)


def _case(seed: int, rows: int, choices: int, limit: float, *, twice: bool = False) -> Call:
    """Make one call with random logits between -limit and limit: (rows, choices)."""
    rng = random.Random(seed)  # noqa: S311  # cases, not secrets
    logits = [[round(rng.uniform(-limit, limit), 2) for _ in range(choices)] for _ in range(rows)]
    return Call((logits, [rng.randrange(choices) for _ in range(rows)]), twice)


_LOGITS: Final = [[0.5, -1.5, 1.0], [2.0, 0.0, -0.5]]

GROUPS: Final = (
    Group(
        "very large logits",
        "The logits are far above 0, up to 2 million, and some are close to each other.",
        1,
        (
            Call(([[12000, 12001, 12002], [1000, 999, 998.5]], [0, 1])),
            Call(([[1000.0, 1000.5], [1500, 1503], [2e6, 2e6 - 1]], [1, 0, 1])),
        ),
    ),
    Group(
        "very low logits",
        "All logits of a row are far below 0, down to minus 2 million.",
        1,
        (
            Call(([[-1000.0, -1001.0, -1000.5]], [1])),
            Call(([[-800, -803], [-12000, -12001], [-2e6, 1 - 2e6]], [1, 1, 0])),
        ),
    ),
    Group(
        "logits far apart",
        "In one row the largest logit is far above the others, and it can stand in any place.",
        1,
        (
            Call(([[1500, 0, 1]], [0])),
            Call(([[0.0, 1000.0, 998.0]], [0])),
            Call(([[3000, 0, 2, -1], [0, 0, 5000, 1]], [1, 0])),
            Call(([[2e6, -2e6]], [1])),
            Call(([[-9000, 0, 9000]], [2])),
        ),
    ),
    Group(
        "rows far from each other",
        "One row has much larger logits than another row.",
        1,
        (
            Call(([[2, 1, 0], [1002, 1001, 1000]], [2, 0])),
            Call(([[-5000, -5001], [0, 1], [5000, 5001]], [1, 0, 1])),
        ),
    ),
    Group(
        "equal logits and equal rows",
        "Several logits are the largest of their row, and another one is right; or whole rows are the same.",
        1,
        (
            Call(([[1, 2], [0, 3], [1, 2], [1, 2]], [1, 0, 1, 1])),
            Call(([[1000, 1000, 0]], [2])),
            Call(([[3, 3, 3, 3], [-1, 5, 5, 5]], [3, 0])),
            Call(([[0, 900, 900, 900, 900]], [0])),
        ),
    ),
    Group(
        "one choice",
        "There is one logit in each row, so the right answer is sure and the loss is 0.",
        1,
        (Call(([[3.5]], [0])), Call(([[1], [-2], [4]], [0, 0, 0])), Call(([[-1000.0], [1000.0]], [0, 0]))),
    ),
    Group(
        "many predictions and many choices",
        "There are up to 200 rows, or up to 300 logits in a row.",
        1,
        (_case(71, 200, 60, 0.1), _case(72, 4, 300, 1), Call(([[0.0] * 300, [20.0, *[-20.0] * 299]], [299, 0]))),
    ),
    Group(
        "decimals in large logits",
        "The logits are large, and they differ by less than 1.",
        1,
        (
            Call(([[1e6 + 0.3, 1e6, 1e6 + 0.7]], [1])),
            Call(([[0.1 - 1.5e6, 0.9 - 1.5e6], [5000.123, 5000.456]], [0, 0])),
        ),
    ),
    Group(
        "inputs are not changed",
        "The function is called twice with the same lists, and the second answer counts.",
        1,
        (
            _case(91, 3, 4, 3, twice=True),
            Call(([[3, 1, 2], [0, 4, -1]], [1, 2]), twice=True),
            Call(([[4.0, 0.0, 1.0]], [1]), twice=True),
        ),
    ),
    Group(
        "a second call",
        "Calls come one after another with inputs that are almost the same, and each answer fits its own inputs.",
        1,
        (
            Call((_LOGITS, [2, 0])),
            Call((_LOGITS, [0, 1])),
            Call(([[0.5, -1.5, 1.0], [2.0, 0.0, 1.5]], [0, 1])),
            Call(([[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]], [1, 1, 1])),
            Call(([[0.5, -1.5, 1.0, 0.0], [2.0, 0.0, -0.5, 1.0]], [2, 0])),
            Call(([[0.5, -1.5, 1.0, 0.0], [2.0, 0.0, -0.5, -1.0]], [2, 0])),
        ),
    ),
)
