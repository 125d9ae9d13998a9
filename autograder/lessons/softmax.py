"""Lesson 02, softmax: the hidden groups. The known mistakes stand in `softmax_mistakes.py`.

Expected values are not written here: they come from the notebook's reference solution. The long lists are made from
seeds, so every run of the course has the same ones.
"""

from __future__ import annotations

import random
from typing import Final

from autograder.lesson import Call, Group
from autograder.lessons.softmax_mistakes import MISTAKES
from course.practice import Question

__all__ = ["GROUPS", "MISTAKES", "PROBES", "QUESTION"]

QUESTION: Final = Question("Which line of your code makes every number positive?", step=2)

# Equal scores share equally, so that a wrong sum shows plainly. Then scores too large for exp, and scores so low that
# exp still gives a little: so the shift is told from the search for the largest score.
PROBES: Final = (Call(([0, 0, 0],)), Call(([1000, 0],)), Call(([-740, -742],)))


def _scores(seed: int, count: int, limit: float) -> list[float]:
    """Make random scores with two decimals, between -limit and limit."""
    rng = random.Random(seed)  # noqa: S311  # cases, not secrets
    return [round(rng.uniform(-limit, limit), 2) for _ in range(count)]


GROUPS: Final = (
    Group(
        "very large scores",
        "All scores are far above 0, up to 2 million, and some are close to each other.",
        1,
        (
            Call(([1000.0, 1001.0, 1002.0],)),
            Call(([20000, 19999, 20001],)),
            Call(([2e6, 2e6 - 1, 2e6 - 3],)),
        ),
    ),
    Group(
        "very low scores",
        "All scores are far below 0, down to minus 2 million, and some are close to each other.",
        1,
        (
            Call(([-1000.0, -1001.0],)),
            Call(([-900, -898, -899, -897],)),
            Call(([1 - 2e6, -2e6, 2 - 2e6],)),
        ),
    ),
    Group(
        "scores far apart",
        "The largest score is far above the others, and it can stand in any place.",
        1,
        (
            Call(([0.0, 1500.0],)),
            Call(([1500, 0, 1499],)),
            Call(([-1500, 0, 1, -1500],)),
            Call(([0, 0, 1, 2e6],)),
            Call(([-2e6, 2e6, -2e6],)),
        ),
    ),
    Group(
        "equal scores",
        "Several scores are the largest, or all scores are the same.",
        1,
        (
            Call(([0.0, 0.0, 0.0, 0.0],)),
            Call(([3, 1, 3, 2, 3],)),
            Call(([1500, 1500],)),
            Call(([-800.5, -800.5, -801.5],)),
        ),
    ),
    Group(
        "one score",
        "There is one score only, and the answer is still a list.",
        1,
        (Call(([5.0],)), Call(([-3],)), Call(([0],)), Call(([-1e6],))),
    ),
    Group(
        "long lists",
        "There are up to 1,000 scores.",
        1,
        (
            Call((_scores(61, 120, 3),)),
            Call((_scores(62, 1000, 1),)),
            Call(([0.0, 9.0, *[-20.0] * 998],)),
        ),
    ),
    Group(
        "very small probabilities",
        "A score is 8 to 14 below the largest one, so its probability is small, but not 0.",
        1,
        (Call(([0, 14, 13, 3],)), Call(([2.5, -5.75, 0.5],)), Call(([-8.0, 0.0, -9.5, -8.5, -11.0],))),
    ),
    Group(
        "decimals in large scores",
        "The scores are large, and they differ by less than 1.",
        1,
        (
            Call(([1e6 + 0.3, 1e6, 1e6 + 0.7],)),
            Call(([0.1 - 1.5e6, 0.9 - 1.5e6],)),
            Call(([5000.123, 5000.456, 4999.789],)),
        ),
    ),
    Group(
        "inputs are not changed",
        "The function is called twice with the same list, and the second answer counts.",
        1,
        (
            Call(([2.0, -1.0, 0.5],), twice=True),
            Call(([3, 1, 2, -4],), twice=True),
            Call(([-1000.0, 700.0, 699.0],), twice=True),
        ),
    ),
    Group(
        "a second call",
        "Calls come one after another with lists of the same length, and each answer fits its own list.",
        1,
        (
            Call(([1, 2, 4],)),
            Call(([1, 2, 3],)),
            Call(([1, 0, 3],)),
            Call(([900, 899, 898],)),
            Call(([-1, 0, 1],)),
            Call(([1, 2, 4],)),
            Call(([0.5, -0.5],)),
            Call(([0.5, 1.5],)),
        ),
    ),
)
