"""Lesson 08, causal_softmax: the hidden groups. The known mistakes stand in `causal_softmax_mistakes.py`.

Expected values are not written here: they come from the notebook's reference solution. The larger tables are made from
seeds, so every run of the course has the same ones. A table is (queries, keys).
"""

from __future__ import annotations

import random
from typing import Final

from autograder.lesson import Call, Group
from autograder.lessons.causal_softmax_mistakes import MISTAKES
from course.practice import Question

__all__ = ["GROUPS", "MISTAKES", "PROBES", "QUESTION"]

QUESTION: Final = Question("Which line of your code makes the weights of a query add up to 1?", step=2)

# Equal scores share equally, so each row shows how many keys it was given, and a wrong sum shows plainly.
# The others tell which largest score is subtracted: e to the power -742 is so small that it has lost its digits.
PROBES: Final = (
    Call(([[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],)),
    Call(([[0, 0], [0, 0]],)),
    Call(([[742, 0], [0, 1]],)),
    Call(([[0, 1, 742], [0, 0, 0]],)),
)


def _case(seed: int, queries: int, keys: int, *, whole: bool = False, twice: bool = False) -> Call:
    """Make one call with random scores between -3 and 3; `whole`: whole numbers only."""
    rng = random.Random(seed)  # noqa: S311  # cases, not secrets
    number = (lambda: rng.randint(-3, 3)) if whole else (lambda: round(rng.uniform(-3, 3), 2))
    return Call(([[number() for _ in range(keys)] for _ in range(queries)],), twice)


GROUPS: Final = (
    Group(
        "later scores far above the others",
        "The hidden scores are by far the largest ones, up to 2 million, and still get no weight.",
        1,
        (
            Call(([[0, 2e6, 1.5e6], [0.5, -0.5, 2e6], [1, 0, 2]],)),
            Call(([[-5, 1500], [2, 3]],)),
            Call(([[0, 1, 1400000], [1, 2, -1]],)),
            Call(([[-2e6, 2e6, 2e6], [1 - 2e6, -2e6, 2e6], [0.5, 0, 0.25]],)),
        ),
    ),
    Group(
        "very large scores",
        "The scores that a query may see are far above 0, and some are close to each other.",
        1,
        (
            Call(([[1000, 1001, 999], [800, 801.5, 802], [750, 749, 751]],)),
            Call(([[20000.0, 0.0], [19999.0, 20001.0]],)),
            Call(([[0, 1500, 1499, 3]],)),
            Call(([[1500, 0, 1499]],)),
            Call(([[0, 3, 1500], [0, 1500, 1500]],)),
            Call(([[2e6, 0, 0], [2e6 - 1, 2e6, 0], [2e6 - 2, 2e6, 2e6 - 1]],)),
        ),
    ),
    Group(
        "very low scores",
        "The scores that a query may see are far below 0, and some are close to each other.",
        1,
        (
            Call(([[-1000, 0], [-900, -901]],)),
            Call(([[-20000.0, 0.0, 1.0], [-20001.0, -20000.0, 0.0], [-19999.0, -20001.0, -20000.5]],)),
            Call(([[1 - 2e6, -2e6, 0], [-2e6, 1 - 2e6, -2e6]],)),
        ),
    ),
    Group(
        "more keys than queries",
        "The table is wider than it is high, by one key or by many.",
        1,
        (
            _case(41, 2, 3),
            _case(42, 3, 5, whole=True),
            _case(43, 2, 7),
            _case(44, 4, 5),
            _case(45, 3, 9, whole=True),
        ),
    ),
    Group(
        "one query",
        "There is one query only, and the answer is still a list of rows.",
        1,
        (Call(([[5]],)), Call(([[-2.5]],)), Call(([[1.0, 2.0, 3.0]],)), _case(54, 1, 7)),
    ),
    Group(
        "equal scores and equal rows",
        "A later score can be equal to an earlier one, and two queries can have the same scores.",
        1,
        (
            Call(([[2, 2, 2], [2, 2, 2], [2, 2, 2]],)),
            Call(([[1, 1, 3], [3, 1, 3], [0, 3, 0]],)),
            Call(([[0.5, -1.5, 0.5], [0.5, -1.5, 0.5]],)),
        ),
    ),
    Group(
        "long and wide tables",
        "There are up to 64 queries and 64 keys.",
        1,
        (_case(71, 20, 20), _case(72, 3, 64), _case(73, 64, 64)),
    ),
    Group(
        "decimals in large scores",
        "The scores are large, and they differ by less than 1.",
        1,
        (
            Call(([[1e6 + 0.3, 0.0], [1e6 + 0.3, 1e6 + 0.7]],)),
            Call(([[0.1 - 1.5e6, 0.9 - 1.5e6, 0.0], [0.1 - 1.5e6, 0.4 - 1.5e6, 0.9 - 1.5e6]],)),
            Call(([[5000.1234, 5000.4567, 4999.7891]],)),
        ),
    ),
    Group(
        "inputs are not changed",
        "The function is called twice with the same table, and the second answer counts.",
        1,
        (_case(91, 3, 3, twice=True), _case(92, 2, 4, whole=True, twice=True), _case(93, 4, 4, twice=True)),
    ),
    Group(
        "a second call",
        "Calls come one after another with tables of nearly the same shape, and each answer fits its own table.",
        1,
        (
            _case(101, 3, 3),
            _case(102, 3, 3),
            _case(103, 3, 4),
            _case(104, 2, 4),
            _case(105, 4, 4),
            Call(([[1, 2, 0], [0, 1, 1], [2, -1, 1]],)),
            Call(([[1, 2, 0], [0, 1, 1], [2, -1, 3]],)),
            Call(([[1, 2, 0], [1, 0, 1], [2, -1, 3]],)),
            _case(101, 3, 3),
            _case(105, 4, 5),
        ),
    ),
)
