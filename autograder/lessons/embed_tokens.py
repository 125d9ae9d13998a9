"""Lesson 05, embed_tokens: the hidden groups. The known mistakes stand in `embed_tokens_mistakes.py`.

Expected values are not written here: they come from the notebook's reference solution. The cases are made from seeds,
so every run of the course has the same ones. Sizes are those of (tokens, vocabulary, width, positions).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from autograder.lesson import Call, Group
from autograder.lessons.embed_tokens_mistakes import MISTAKES
from course.practice import Question

__all__ = ["GROUPS", "MISTAKES", "PROBES", "QUESTION"]

QUESTION: Final = Question("Which line adds the two vectors?", step=3)

Row = list[float]
Matrix = list[Row]

# Tens come from the token, ones from the place: each answer shows which rows were taken. Then positions of zeros.
PROBES: Final = (
    Call(([1, 0, 1], [[10, 40], [20, 50], [30, 60]], [[1, 5], [2, 6], [3, 7], [4, 8]], 1)),
    Call(([2, 0, 2], [[1, 2], [3, 4], [5, 6]], [[0, 0], [0, 0], [0, 0], [0, 0]], 0)),
)


def _case(  # noqa: PLR0913  # what varies from case to case
    seed: int,
    sizes: tuple[int, int, int, int],
    start: int,
    *,
    digits: int = 1,
    limit: float = 3,
    twice: bool = False,
) -> Call:
    """Make one call with random ids and tables; with 0 digits the tables hold whole numbers."""
    rng = random.Random(seed)  # noqa: S311  # cases, not secrets
    tokens, vocabulary, width, positions = sizes

    def table(rows: int) -> Matrix:
        return [[round(rng.uniform(-limit, limit), digits or None) for _ in range(width)] for _ in range(rows)]

    ids = [rng.randrange(vocabulary) for _ in range(tokens)]
    return Call((ids, table(vocabulary), table(positions), start), twice)


def _cancelling(sizes: tuple[int, int], start: int) -> Call:
    """Make one call in which the two vectors are very large and nearly cancel each other: (tokens, width)."""
    tokens, width = sizes
    token_table = [[1e6 - 3 * row - column / 8 for column in range(width)] for row in range(tokens + 1)]
    position_table = [[2 * row + column / 4 + 0.3 - 1e6 for column in range(width)] for row in range(tokens + start)]
    return Call((list(range(tokens, 0, -1)), token_table, position_table, start))


_IDS: Final = [1, 2, 0]
_TOKENS: Final = [[1.0, -2.5], [0.5, 3.0], [-1.5, 2.0]]
_OTHERS: Final = [[1.0, -2.5], [0.5, 3.0], [-1.5, 9.0]]
_PLACES: Final = [[0.25, 0.5], [0.75, -1.0], [1.25, -1.5], [1.75, 2.0], [-2.25, 2.5]]
_ELSEWHERE: Final = [*_PLACES[:2], [1.25, 8.5], *_PLACES[3:]]


def _calls(*changing: tuple[Sequence[int], Matrix, Matrix, int]) -> tuple[Call, ...]:
    return tuple(Call(tuple(each)) for each in changing)


GROUPS: Final[tuple[Group, ...]] = (
    Group(
        "many decimals",
        "The numbers in the tables have up to seven decimals, and all sizes are different.",
        1,
        (
            _case(11, (3, 5, 4, 8), 2, digits=7),
            _case(12, (5, 3, 2, 6), 1, digits=6),
            _case(13, (4, 2, 3, 7), 0, digits=7),
        ),
    ),
    Group(
        "very large numbers",
        "The numbers reach a million, and the two vectors nearly cancel each other.",
        1,
        (_cancelling((3, 2), 1), _cancelling((2, 4), 5), _case(21, (4, 6, 3, 9), 3, digits=2, limit=1e6)),
    ),
    Group(
        "whole numbers",
        "One table, or both, hold whole numbers only.",
        1,
        (
            _case(31, (4, 3, 2, 6), 1, digits=0, limit=9),
            Call(([1, 0, 1], [[0.5, -1.75], [2.25, 0.125]], [[1, 2], [3, -4], [-5, 6], [7, 8]], 1)),
            Call(([2, 1], [[1, 2, 3], [-4, 5, 6], [7, -8, 9]], [[0.5, 0.25, -0.75], [0.1, -0.9, 0.3]], 0)),
        ),
    ),
    Group(
        "one column",
        "Each vector holds one number, and the answer is still a list of rows.",
        1,
        (
            _case(41, (3, 4, 1, 5), 2),
            _case(42, (1, 2, 1, 3), 1),
            _case(43, (1, 1, 1, 1), 0),
            _case(44, (2, 1, 1, 2), 0),
        ),
    ),
    Group(
        "a large vocabulary",
        "The token table has up to 300 rows, so an id can have two or three digits.",
        1,
        (
            _case(51, (6, 300, 2, 9), 3),
            _case(52, (5, 24, 3, 7), 0),
            Call(([256, 12, 299], *_case(53, (1, 300, 1, 4), 1).arguments[1:])),
        ),
    ),
    Group(
        "a long text",
        "There are up to 64 tokens, or rows of up to 32 numbers, and the text may start far along.",
        1,
        (_case(61, (64, 5, 2, 64), 0), _case(62, (20, 7, 3, 128), 97), _case(63, (9, 30, 32, 12), 2)),
    ),
    Group(
        "the tables are not changed",
        "The function is called twice with the same tables, and the second answer counts.",
        1,
        (
            _case(71, (4, 3, 2, 6), 1, twice=True),
            _case(72, (3, 2, 4, 3), 0, twice=True),
            _case(73, (2, 5, 3, 7), 5, twice=True),
        ),
    ),
    Group(
        "the ids are not changed",
        "The function is called twice with the same list of ids, and the second answer counts.",
        1,
        (
            Call(([2, 0, 1, 2], *_case(81, (1, 3, 2, 6), 2).arguments[1:]), twice=True),
            Call(([1, 0], *_case(82, (1, 2, 3, 4), 0).arguments[1:]), twice=True),
        ),
    ),
    Group(
        "the same ids at another start",
        "Calls come one after another with the same ids and tables, and only the start is different.",
        1,
        _calls(
            (_IDS, _TOKENS, _PLACES, 0),
            (_IDS, _TOKENS, _PLACES, 2),
            (_IDS, _TOKENS, _PLACES, 1),
            (_IDS, _TOKENS, _PLACES, 1),
            (_IDS, _TOKENS, _PLACES, 0),
        ),
    ),
    Group(
        "the same ids with other tables",
        "Calls come one after another with the same ids and start, and a table is different.",
        1,
        _calls(
            (_IDS, _TOKENS, _PLACES, 1),
            (_IDS, _OTHERS, _PLACES, 1),
            (_IDS, _OTHERS, _ELSEWHERE, 1),
            (_IDS, _TOKENS, _ELSEWHERE, 1),
            (_IDS, _TOKENS, _PLACES, 1),
        ),
    ),
)
