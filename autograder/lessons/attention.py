"""Lesson 09, attention: the hidden groups. The known mistakes stand in `attention_mistakes.py`.

Expected values are not written here: they come from the notebook's reference solution. The cases are
made from seeds, so every run of the course has the same ones. `queries`, `keys`, `width` and
`value_width` count rows and columns: Q is (queries, width), K (keys, width), V (keys, value_width).
"""

from __future__ import annotations

import random
from typing import Final

from autograder.lesson import Call, Group
from autograder.lessons.attention_mistakes import MISTAKES
from course.practice import Question

__all__ = ["GROUPS", "MISTAKES", "PROBES", "QUESTION"]

QUESTION: Final = Question("Which line of your code makes the weights of a query add up to 1?", step=3)

# With a table of ones and zeros as V the answer is the table of weights: each row must add up to 1.
_ONES_AND_ZEROS: Final = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
PROBES: Final = (
    Call(([[1, 0], [1, 2]], [[1, 0], [0, 1], [2, 1]], _ONES_AND_ZEROS, False)),
    Call(([[0, 1], [2, 0], [1, 1]], [[1, 0], [0, 1], [2, 0]], _ONES_AND_ZEROS, True)),  # one hidden score is 0
)

Row = list[float]
Matrix = list[Row]


def _case(
    seed: int, sizes: tuple[int, int, int, int], *, causal: bool, whole: bool = False, twice: bool = False
) -> Call:
    """Make one call with random inputs of the given sizes; `whole`: whole numbers only."""
    rng = random.Random(seed)  # noqa: S311  # cases, not secrets
    queries, keys, width, value_width = sizes

    def table(rows: int, columns: int, limit: int) -> Matrix:
        number = (lambda: rng.randint(-limit, limit)) if whole else (lambda: round(rng.uniform(-limit, limit), 2))
        return [[number() for _ in range(columns)] for _ in range(rows)]

    return Call((table(queries, width, 2), table(keys, width, 2), table(keys, value_width, 9), causal), twice)


_WIDTH: Final = 4  # its square root is 2, so the scores below come out exactly as written
_VALUES: Final = [[3.5, -1.0], [-2.0, 6.25], [8.0, 0.5]]


def _scored(scores: Matrix, *, causal: bool) -> Call:
    """Make one call whose scores are exactly `scores`: (queries, keys), four queries at most."""
    Q: Matrix = [[float(column == i) for column in range(_WIDTH)] for i in range(len(scores))]
    padding = [0.0] * (_WIDTH - len(scores))
    K = [[2 * score for score in column] + padding for column in zip(*scores, strict=True)]
    return Call((Q, K, _VALUES[: len(K)], causal))


_Q: Final = [[0.5, -1.5, 1.0], [2.0, 0.0, -0.5], [-1.0, 1.0, 0.25]]
_K: Final = [[1.0, 0.5, -2.0], [-0.5, 1.5, 1.0], [0.75, -1.0, 0.5]]
_V: Final = [[4.0, -3.0], [0.5, 7.0], [-6.0, 2.5]]


def _changed(table: Matrix) -> Matrix:
    """Return the table with another number in its last place only."""
    return [*table[:-1], [*table[-1][:-1], table[-1][-1] + 2.0]]


GROUPS: Final[tuple[Group, ...]] = (
    Group(
        "mask before the softmax",
        "A causal query gives later keys no weight at all, even when a later key has by far the largest score.",
        1,
        (
            _scored([[0, 1000, 900], [0.5, -0.25, 1000], [1, 0, 0.5]], causal=True),
            _scored([[-150, 0, 1], [-151, -150.5, 0], [-150, -151, -152]], causal=True),
            _case(11, (4, 4, 3, 2), causal=True),
            _case(12, (3, 3, 2, 3), causal=True, whole=True),
        ),
    ),
    Group(
        "very large scores",
        "The weights stay ordinary numbers when scores are far above or far below 0, up to 2 million.",
        1,
        (
            _scored([[1000, 1001, 999.5], [800, 800, 799], [750, 749, 751]], causal=False),
            _scored([[-1000, -1001, -1000.5], [-900, -902, -901], [-800, -800, -801]], causal=False),
            _scored([[0, 3000, 2999], [3000, 2999.5, 0], [1, 0, -1]], causal=False),
            _scored([[1000, 1001, 999], [-1000, -1001.5, -1000], [1, 0, 0.5]], causal=True),
            _scored([[1e6, 1e6 - 1, 1e6 - 2], [-1e6, 0.5 - 1e6, 1 - 1e6], [0, 1, 2]], causal=False),
            _scored([[0, 1.4e6, 1.3e6], [0, 0.5, 1.4e6], [0.5, 1, 0]], causal=True),
            _scored([[-1.4e6, 0, 1], [-1.4e6, 1 - 1.4e6, 0], [1 - 1.4e6, -1.4e6, -1.4e6]], causal=True),
        ),
    ),
    Group(
        "all sizes different",
        "The numbers of queries, of keys, of columns in Q and of columns in V are four different numbers.",
        1,
        (
            _case(31, (2, 3, 5, 4), causal=False),
            _case(32, (3, 5, 4, 2), causal=False, whole=True),
            _case(33, (4, 3, 2, 5), causal=False),
        ),
    ),
    Group(
        "more or fewer keys than queries",
        "The number of keys is not the number of queries; with the mask, query i still uses keys 0 to i.",
        1,
        (
            _case(41, (2, 5, 3, 2), causal=False),
            _case(42, (5, 2, 3, 2), causal=False),
            _case(43, (2, 4, 2, 3), causal=True),
            _case(44, (3, 6, 3, 1), causal=True, whole=True),
        ),
    ),
    Group(
        "wide and narrow values",
        "The rows of V are wider or narrower than the rows of Q and K.",
        1,
        (
            _case(51, (3, 3, 2, 5), causal=False),
            _case(52, (3, 3, 2, 6), causal=True, whole=True),
            _case(53, (3, 3, 6, 1), causal=True),
        ),
    ),
    Group(
        "one token",
        "There is only one query, or only one key, or one of each: the answer is still a list of rows.",
        1,
        (
            _case(61, (1, 1, 3, 2), causal=False),
            _case(62, (1, 1, 1, 4), causal=True, whole=True),
            _case(63, (1, 3, 2, 2), causal=False),
            _case(64, (3, 1, 2, 3), causal=False),
        ),
    ),
    Group(
        "long and wide inputs",
        "There are up to 64 tokens, rows of up to 32 numbers, or more than 1,000 numbers in the answer.",
        1,
        (
            _case(71, (20, 20, 2, 1), causal=True),
            _case(72, (33, 1, 1, 31), causal=False),
            _case(73, (4, 64, 1, 1), causal=False),
            _case(74, (2, 2, 32, 1), causal=True),
            _case(75, (2, 2, 1, 32), causal=True),
        ),
    ),
    Group(
        "negative and equal scores",
        "Some scores are below 0, and some keys have exactly the same score.",
        1,
        (
            _scored([[-1, -3, -2], [-0.5, 2, -2.5], [0, -1, 1]], causal=False),
            _scored([[1.5, -0.5, 1.5], [-2, -2, -2], [0, 1, 1]], causal=False),
            _case(81, (3, 3, 2, 2), causal=False, whole=True),
            Call(([[-1, 2], [2, 1], [0, 0]], [[1, -1], [1, -1], [-2, 1]], [[5], [-7], [2]], True)),
        ),
    ),
    Group(
        "inputs are not changed",
        "The function is called twice with the same lists, and the second answer counts.",
        1,
        (
            _case(91, (3, 3, 4, 2), causal=False, twice=True),
            _case(92, (3, 3, 3, 3), causal=True, twice=True),
            _case(93, (3, 3, 2, 3), causal=False, whole=True, twice=True),
        ),
    ),
    Group(
        "a second call",
        "Calls come one after another with inputs that are almost the same, and each answer fits its own inputs.",
        1,
        (
            Call((_Q, _K, _V, False)),
            Call((_Q, _changed(_K), _V, False)),
            Call((_Q, _K, _changed(_V), False)),
            Call((_Q, _K, _changed(_V), True)),
            Call((_changed(_Q), _K, _V, True)),
            Call((_Q, _K, _V, False)),
        ),
    ),
)
