"""Lesson 11, transformer_block: the hidden groups. The known mistakes stand in `transformer_block_mistakes.py`.

Expected values are not written here: they come from the notebook's reference solution. The cases are made from seeds,
so every run of the course has the same ones. They are small, because each one runs a whole block.
"""

from __future__ import annotations

import random
from typing import Any, Final

from autograder.lesson import Call, Group
from autograder.lessons.transformer_block_mistakes import MISTAKES
from course.practice import Question

__all__ = ["EARLIER", "GROUPS", "MISTAKES", "PROBES", "QUESTION"]

# Lesson 10's function calls that of lesson 09; the vectors of lesson 05 are for the reward at the end of the chapter.
EARLIER: Final = ("05_embed_tokens", "06_feed_forward", "07_layer_norm", "09_attention", "10_multi_head_attention")
QUESTION: Final = Question("After which line of your code have you added the result of attention to X?", step=3)

Row = list[float]
Matrix = list[Row]
Block = dict[str, Any]


def _row(rng: random.Random, width: int, limit: float, middle: float = 0.0) -> Row:
    return [round(middle + rng.uniform(-limit, limit), 1) for _ in range(width)]


def _block(seed: int, width: int, hidden: int, limit: float = 1.5, **others: Any) -> Block:  # noqa: ANN401  # tables
    """Make a block of random numbers with one decimal; `others` replace some of them."""
    rng = random.Random(seed)  # noqa: S311  # cases, not secrets

    def table(rows: int, columns: int) -> Matrix:
        return [_row(rng, columns, limit) for _ in range(rows)]

    block: Block = {}
    for norm, tables in (("ln1", "w_q w_k w_v w_o"), ("ln2", "")):
        block[f"{norm}_gain"] = _row(rng, width, 0.8, middle=1.0)
        block[f"{norm}_bias"] = _row(rng, width, limit)
        block |= {name: table(width, width) for name in tables.split()}
    block |= {"w1": table(width, hidden), "b1": _row(rng, hidden, limit)}
    block |= {"w2": table(hidden, width), "b2": _row(rng, width, limit)}
    return block | others


def _case(  # noqa: PLR0913  # four sizes, and what is special
    seed: int,
    tokens: int,
    width: int,
    hidden: int,
    heads: int,
    *,
    twice: bool = False,
    **others: Any,  # noqa: ANN401
) -> Call:
    """Make one call with random inputs; `others` replace tables of the block."""
    rng = random.Random(seed)  # noqa: S311  # as above
    X = [_row(rng, width, 9.0) for _ in range(tokens)]
    return Call((X, _block(seed, width, hidden, **others), heads), twice)


def _with(X: Matrix, seed: int, hidden: int, heads: int, **others: Any) -> Call:  # noqa: ANN401  # tables
    """Make one call with these tokens and a random block."""
    return Call((X, _block(seed, len(X[0]), hidden, **others), heads))


_ZEROS: Final[Matrix] = [[0, 0], [0, 0]]
_ONES: Final[Matrix] = [[1, 0], [0, 1]]
_X: Final[Matrix] = [[6, -2], [1, 5]]


def _plain(**others: Any) -> Block:  # noqa: ANN401  # tables
    """Make a block of whole numbers in which a part gives 0 unless `others` say something else."""
    block: Block = {"ln1_gain": [2, 3], "ln1_bias": [1, 0], "w_q": _ONES, "w_k": _ZEROS, "w_v": _ONES, "w_o": _ZEROS}
    block |= {"ln2_gain": [1, 2], "ln2_bias": [0, -1], "w1": [[1], [2]], "b1": [3], "w2": [[0, 0]], "b2": [0, 0]}
    return block | others


# Where attention and the feed-forward layer give 0, the answer is X itself; then only one of them gives 0.
PROBES: Final = (
    Call((_X, _plain(), 1)),
    Call((_X, _plain(w_o=[[1, 2], [0, 1]]), 1)),
    Call((_X, _plain(w2=[[2, -1]], b2=[0, 3]), 1)),
)

_AGAIN: Final[Matrix] = [[4.5, -2.0, 1.5, 3.0], [-6.0, 1.0, 2.5, -1.5], [2.0, 7.5, -3.0, 0.5]]

GROUPS: Final[tuple[Group, ...]] = (
    Group(
        "equal sizes",
        "The hidden width is the model width, and there may be as many tokens or heads too.",
        1,
        (_case(11, 3, 4, 4, 2), _case(12, 4, 4, 4, 4), _case(13, 2, 2, 2, 2), _case(14, 4, 2, 2, 1)),
    ),
    Group(
        "one token",
        "There is only one token: the answer is still a list of rows.",
        1,
        (_case(21, 1, 4, 3, 2), _case(22, 1, 2, 5, 1), _case(23, 1, 6, 2, 3)),
    ),
    Group(
        "rows of one number",
        "The model width is 1, so layer norm leaves only its bias, and the answer is a list of rows of one number.",
        1,
        (_case(31, 3, 1, 2, 1), _case(32, 5, 1, 1, 1), _with([[0], [2], [2]], 33, 4, 1)),
    ),
    Group(
        "equal numbers in a row",
        "All numbers of a row are equal, so the variance is 0.",
        1,
        (
            _with([[3, 3], [1.5, -2]], 41, 3, 1),
            _with([[0, 0, 0, 0], [5, 1, -2, 0.5], [-7, -7, -7, -7]], 42, 2, 2),
            _with([[2, -4], [7, 7]], 43, 1, 2, w_o=_ZEROS),
        ),
    ),
    Group(
        "a small spread",
        "The numbers of a row are nearly equal, so that eps counts as much as the variance, or more.",
        1,
        (
            _with([[0.001, 0.004], [0.5, 0.502]], 51, 3, 2),
            _with([[2.001, 2, 2.003, 1.999], [1, -3, 4, 0]], 52, 2, 4),
            _with([[-1.01, -1, -1.005]], 53, 4, 3, w_o=[[0, 0, 0]] * 3),
        ),
    ),
    Group(
        "very large scores",
        "The attention weights stay ordinary numbers when scores are far above or far below 0.",
        1,
        (
            _with([[4, -1], [-2, 5], [3, 3.5]], 61, 3, 1, w_q=[[40, 9], [-7, 50]], w_k=[[60, -8], [5, 70]]),
            _with([[1, 7], [6, -3]], 62, 2, 2, w_q=[[-90, 1], [2, 80]], w_k=[[90, 3], [-1, -70]]),
            _with([[3, 1], [-2, 4], [5, 2]], 64, 2, 2, w_q=[[60, 0], [0, 70]], w_k=[[-60, 0], [0, -70]]),
            _with([[2, 9], [1, 8], [0, 7.5]], 63, 1, 2, w_q=[[-80, 1], [2, 80]], w_k=[[80, 3], [-1, -70]]),
        ),
    ),
    Group(
        "far from zero",
        "The numbers of X are as large as 10,000, and the differences in a row are small.",
        1,
        (
            _with([[9000.01, 9000.02], [-8000.03, -8000.01]], 71, 3, 2, w_o=[[9, -8], [7, 9]]),
            _with([[9999.99, 9999.98, 9999.96, 10000]], 72, 2, 2, w2=[[9, -9, 8, -7], [6, 9, -9, 8]]),
            _with([[5000, -9000, 20], [-1, 0, 1], [10000, 9999, 9998]], 73, 4, 1),
        ),
    ),
    Group(
        "equal tokens",
        "Some tokens are equal, so that only their place tells them apart.",
        1,
        (
            _with([[1, 2], [-4, 0.5], [1, 2], [1, 2]], 81, 3, 2),
            _with([[5, -1, 0, 2], [3, 8, -6, 1], [5, -1, 0, 2]], 82, 2, 4),
            _with([[0, 3, 9], [1, -3, 2], [1, -3, 2], [0, 3, 9], [1, -3, 2]], 83, 5, 3),
        ),
    ),
    Group(
        "inputs are not changed",
        "The function is called twice with the same lists, and the second answer counts.",
        1,
        (_case(91, 3, 4, 3, 2, twice=True), _case(92, 2, 6, 5, 3, twice=True), _case(93, 4, 2, 1, 1, twice=True)),
    ),
    Group(
        "the same tokens again",
        "Calls come one after another with the same tokens in other blocks or with other heads, and each answer fits.",
        1,
        (
            _with(_AGAIN, 101, 3, 2),
            _with(_AGAIN, 102, 5, 2),
            _with(_AGAIN, 102, 5, 4),
            _with(_AGAIN, 102, 5, 1),
            _with(_AGAIN, 101, 3, 2),
            _case(103, 5, 8, 3, 8),
        ),
    ),
)
