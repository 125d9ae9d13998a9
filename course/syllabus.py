"""The syllabus: chapters and lessons in their order, with minutes and what needs what. Everything else reads it here.

The course map, the README's table and the order of the lessons come from this file. A test holds minutes, needs and
points against the notebooks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Lesson:
    """One lesson. `needs` are the numbers of the lessons it builds on; `points` are those of its notebook."""

    id: str
    title: str
    minutes: int
    needs: tuple[int, ...]
    points: int

    @property
    def number(self) -> int:
        """Return the lesson's number, counted from 1."""
        return int(self.id[:2])

    @property
    def name(self) -> str:
        """Return the name of its notebook and of its module: "09_attention" gives "attention"."""
        return self.id[3:]


@dataclass(frozen=True)
class Chapter:
    """Some lessons that belong together, and what the learner's own functions do at the end of them."""

    title: str
    lessons: tuple[Lesson, ...]
    reward: str


CHAPTERS: Final = (
    Chapter(
        "From text to probabilities",
        (
            Lesson("01_encode_text", "Turn text into token ids", 20, (), 14),
            Lesson("02_softmax", "Turn scores into probabilities", 20, (), 13),
            Lesson("03_cross_entropy", "Score a prediction", 25, (2,), 13),
            Lesson("04_bigram_model", "Count your way to a first language model", 25, (1, 3), 13),
        ),
        "Your table of letter pairs invents names.",
    ),
    Chapter(
        "Vectors in, vectors out",
        (
            Lesson("05_embed_tokens", "Look up a vector for every token", 15, (1,), 13),
            Lesson("06_feed_forward", "Let every token think: the feed-forward layer", 25, (5,), 13),
            Lesson("07_layer_norm", "Keep the numbers in range: layer norm", 20, (5,), 13),
        ),
        "You see one sentence as vectors, before and after your own layers.",
    ),
    Chapter(
        "Attention",
        (
            Lesson("08_causal_softmax", "Hide the future: the causal mask", 25, (2,), 13),
            Lesson("09_attention", "Compute scaled dot-product attention", 35, (2, 8), 15),
            Lesson("10_multi_head_attention", "Run several copies side by side", 40, (8, 9), 13),
            Lesson("11_transformer_block", "Wrap it into a transformer block", 35, (6, 7, 10), 13),
        ),
        "A small model reverses words with your own attention, and you see where it looks.",
    ),
)
START: Final = "00_start_here"  # the notebook with the map, which is no lesson
LESSONS: Final = tuple(lesson for chapter in CHAPTERS for lesson in chapter.lessons)
