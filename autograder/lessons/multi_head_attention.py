"""Lesson 10, multi-head attention: the hidden groups. The known mistakes stand in `multi_head_attention_mistakes.py`.

Expected values are not written here: they come from the notebook's reference solution. The cases are made from seeds,
so every run of the course has the same ones. They are small, because each one multiplies four tables.
"""

from __future__ import annotations

import random
from copy import deepcopy
from typing import Any, Final

from autograder.lesson import Call, Group
from autograder.lessons.multi_head_attention_mistakes import MISTAKES
from course.pictures.multi_head_attention import with_weights_as_answer
from course.practice import Question

__all__ = ["EARLIER", "GROUPS", "MISTAKES", "PROBES", "QUESTION"]

EARLIER: Final = ("09_attention",)
QUESTION: Final = Question("Which line of your code mixes the value rows of each head by their weights?", step=3)

Row = list[float]
Matrix = list[Row]

# The first worked example, with tables that make each head hand over its weights: the plot draws them.
PROBES: Final = (
    Call(with_weights_as_answer([[1, 0], [0, 1], [1, 1]], [[1, 0], [1, 1]], [[0, 1], [1, -1]], heads=2, causal=True)),
)


def _case(  # noqa: PLR0913  # three sizes, and what is special
    seed: int, tokens: int, width: int, heads: int, *, causal: bool, limit: float = 2.0, twice: bool = False
) -> Call:
    """Make one call with random inputs; whole numbers where the limit is a whole one."""
    rng = random.Random(seed)  # noqa: S311  # cases, not secrets

    def table(rows: int) -> Matrix:
        number = (lambda: rng.randint(-limit, limit)) if isinstance(limit, int) else (lambda: _between(rng, limit))
        return [[number() for _ in range(width)] for _ in range(rows)]

    return Call((table(tokens), *(table(width) for _ in range(4)), heads, causal), twice)


def _between(rng: random.Random, limit: float) -> float:
    return round(rng.uniform(-limit, limit), 2)


_KEEP: Final[Matrix] = [[1, 0], [0, 1]]
_TURN: Final[Matrix] = [[-1, 0], [0, -1]]
_W_V: Final[Matrix] = [[0.5, -1.0], [2.0, 0.25]]
_W_O: Final[Matrix] = [[1.0, -0.5], [0.75, 2.0]]


def _scored(X: Matrix, W_q: Matrix, W_k: Matrix, *, heads: int, causal: bool) -> Call:
    """Make one call with rows of width 2 and scores that can be read off X, W_q and W_k."""
    return Call((X, *map(deepcopy, (W_q, W_k, _W_V, _W_O)), heads, causal))  # no table is another one too


def _again(number: int) -> tuple[Any, ...]:
    """Return the inputs that come again and again, with the last number of input `number` changed."""
    rng = random.Random(90)  # noqa: S311  # as above
    tables = [[[_between(rng, 1.5) for _ in range(4)] for _ in range(rows)] for rows in (3, 4, 4, 4, 4)]
    if number >= 0:
        tables[number][-1][-1] += 2.0
    return tuple(tables)


GROUPS: Final[tuple[Group, ...]] = (
    Group(
        "more than two heads",
        "There are three to eight heads, and their number, their width and the number of tokens all differ.",
        1,
        (
            _case(11, 2, 9, 3, causal=False),
            _case(12, 4, 6, 3, causal=True),
            _case(13, 3, 4, 4, causal=False, limit=2),
            _case(14, 3, 8, 4, causal=True),
            _case(15, 2, 8, 8, causal=False, limit=1),
        ),
    ),
    Group(
        "very large scores",
        "The weights stay ordinary numbers when scores are far above or far below 0, up to 2 million.",
        1,
        (
            _scored([[30, -40], [31, -41], [29.5, -40.5]], _KEEP, _KEEP, heads=2, causal=False),
            _scored([[30, -40], [31, -41], [29.5, -40.5]], _KEEP, _TURN, heads=2, causal=True),
            _scored([[1400, 1], [1400, -0.5], [1400, 1.25]], _KEEP, _KEEP, heads=1, causal=False),
            _scored([[1000, -1000], [999.5, 1000]], _KEEP, _TURN, heads=2, causal=False),
        ),
    ),
    Group(
        "scores far apart",
        "In one and the same head a query has scores near 0, and another one has scores far away.",
        1,
        (
            _scored([[0.5, 2], [40, -1], [39, 1]], _KEEP, _KEEP, heads=1, causal=False),
            _scored([[50, 0.25], [1, 45], [-0.5, 44]], _KEEP, _KEEP, heads=2, causal=True),
            _scored([[0.5, -60], [-1200, 0.5], [1, 61]], _KEEP, _KEEP, heads=2, causal=False),
        ),
    ),
    Group(
        "the mask and low scores",
        "A later token gets no weight at all, even when the scores of all earlier ones are very low.",
        1,
        (
            _scored([[40, 45], [41, 44], [0, 1]], _KEEP, _TURN, heads=2, causal=True),
            _scored([[60, 1], [59, -1], [-1, 30]], _KEEP, _TURN, heads=1, causal=True),
            _case(41, 4, 6, 2, causal=True),
            _case(42, 8, 2, 2, causal=True, limit=0.4),
        ),
    ),
    Group(
        "one token",
        "There is only one token: the answer is still a list of rows.",
        1,
        (
            _case(51, 1, 4, 2, causal=False),
            _case(52, 1, 3, 3, causal=True, limit=2),
            _case(53, 1, 1, 1, causal=True),
            _case(54, 1, 6, 1, causal=False),
        ),
    ),
    Group(
        "equal tokens",
        "Some tokens are equal, so that only their place tells them apart.",
        1,
        (
            _scored([[1, 2], [-1, 0.5], [1, 2], [1, 2]], _KEEP, _KEEP, heads=2, causal=True),
            _scored([[0, 0], [1, -1], [0, 0]], _KEEP, _KEEP, heads=1, causal=True),
            Call(([[2, -1, 0, 1], [1, 1, 1, 1], [2, -1, 0, 1]], *_again(-1)[1:], 2, True)),
        ),
    ),
    Group(
        "rows of one number",
        "The model width is 1, so there is one head, and the answer is a list of rows with one number each.",
        1,
        (
            _case(71, 16, 1, 1, causal=False, limit=0.9),
            _case(72, 5, 1, 1, causal=True),
            _case(73, 2, 1, 1, causal=False, limit=2),
        ),
    ),
    Group(
        "inputs are not changed",
        "The function is called twice with the same lists, and the second answer counts.",
        1,
        (
            _case(81, 3, 4, 2, causal=False, twice=True),
            _case(82, 2, 6, 3, causal=True, limit=2, twice=True),
            _case(83, 4, 4, 1, causal=True, twice=True),
        ),
    ),
    Group(
        "another table for the same tokens",
        "Calls come one after another with the same X and one number changed, and each answer fits its own inputs.",
        1,
        tuple(Call((*_again(number), 2, False)) for number in (-1, 1, 2, 3, 4, -1)),
    ),
    Group(
        "the same tables again",
        "Calls come one after another with the same tables; only the tokens, the heads or the mask are different.",
        1,
        tuple(
            Call((*_again(number), heads, causal))
            for number, heads, causal in ((-1, 2, False), (-1, 4, False), (-1, 4, True), (-1, 1, True), (0, 1, True))
        ),
    ),
)
