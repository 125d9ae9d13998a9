"""Lesson 04, bigram_model: the hidden groups. The known mistakes stand in `bigram_model_mistakes.py`.

Expected values are not written here: they come from the notebook's reference solution. The long texts are made from
seeds, so every run of the course has the same ones.
"""

from __future__ import annotations

import random
from typing import Final

from autograder.lesson import Call, Group
from autograder.lessons.bigram_model_mistakes import MISTAKES
from course.practice import Question

__all__ = ["GROUPS", "MISTAKES", "PROBES", "QUESTION"]

QUESTION: Final = Question("Which line of your code makes every row add up to 1?", step=3)

# Every place of the table has another count, so that each part of the calculation shows.
PROBES: Final = (Call(([0, 0, 1, 1, 1, 0, 1, 1, 1, 1, 0, 0], 2, 1.5)),)


def _ids(seed: int, length: int, vocab_size: int) -> list[int]:
    """Make random ids, the small ones more often."""
    rng = random.Random(seed)  # noqa: S311  # cases, not secrets
    return [int(vocab_size * rng.random() ** 2) for _ in range(length)]


GROUPS: Final = (
    Group(
        "one token in the vocabulary",
        "The vocabulary has one token, so the table is one row with one number.",
        1,
        (Call(([0], 1, 1.0)), Call(([0, 0, 0], 1, 0.5)), Call(([0, 0], 1, 2.0))),
    ),
    Group(
        "short texts",
        "The text has two or three ids, so there are one or two pairs.",
        1,
        (Call(([1, 0], 2, 0.5)), Call(([0, 2], 3, 1.0)), Call(([2, 2], 4, 0.25)), Call(([3, 1, 1], 4, 0.5))),
    ),
    Group(
        "more than ten tokens",
        "The vocabulary has 12 to 40 tokens, so ids have two digits.",
        1,
        (
            Call(([10, 1, 11, 0, 10, 11, 1, 10], 12, 0.5)),
            Call((_ids(31, 80, 30), 30, 0.1)),
            Call(([39, 12, 39, 12, 3, 9], 40, 1.0)),
        ),
    ),
    Group(
        "long texts",
        "The text has hundreds of ids, and the same pair comes up to 1,500 times.",
        1,
        (
            Call((_ids(41, 600, 4), 4, 1.0)),
            Call(([0, 1, 1] * 500, 3, 0.5)),
            Call(([*[2] * 1500, 0, 1], 3, 2.5)),
        ),
    ),
    Group(
        "very small smoothing",
        "The smoothing is as small as one millionth, and some rows hold nothing else.",
        1,
        (
            Call(([0, 2, 0, 1], 4, 1e-6)),
            Call(([1], 3, 1e-6)),
            Call(([2, 2, 0], 5, 0.00005)),
        ),
    ),
    Group(
        "very small probabilities",
        "Some pairs never come in a row with many pairs, so their probability is almost 0.",
        1,
        (
            Call(([0, 1] * 60, 3, 0.0005)),
            Call(([0, 0, 1, 2] * 40, 3, 1e-5)),
        ),
    ),
    Group(
        "large smoothing",
        "The smoothing is above 1, up to 1,000.",
        1,
        (
            Call(([0, 1, 1, 1], 2, 1.5)),
            Call(([2, 1, 2, 0, 2, 1], 3, 40.0)),
            Call(([0, 0, 0, 0, 0, 1], 3, 1000.0)),
        ),
    ),
    Group(
        "whole-number smoothing",
        "The smoothing is an int.",
        1,
        (
            Call(([0, 1, 1, 2], 3, 1)),
            Call(([3, 0, 3, 3], 4, 2)),
            Call(([1, 0, 0], 2, 10)),
        ),
    ),
    Group(
        "inputs are not changed",
        "The function is called twice with the same list, and the second answer counts.",
        1,
        (
            Call(([1, 0, 2, 1, 1], 3, 0.5), twice=True),
            Call(([0, 0, 1], 2, 1.0), twice=True),
        ),
    ),
    Group(
        "a second call",
        "Calls come one after another with the same ids, and each answer fits its own vocabulary and smoothing.",
        1,
        (
            Call(([0, 1, 1, 0, 0], 2, 0.5)),
            Call(([0, 1, 1, 0, 0], 2, 0.25)),
            Call(([0, 1, 1, 0, 0], 3, 0.25)),
            Call(([1, 1, 0, 0, 0], 3, 0.25)),
            Call(([1, 1, 0, 0, 0], 3, 2.0)),
            Call(([0, 1, 1, 0, 0], 2, 0.5)),
        ),
    ),
)
