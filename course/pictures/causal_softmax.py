"""Lesson 08: the weights with the future hidden."""

from __future__ import annotations

from typing import Final

from course.pictures.picture import Examples, Picture, ask, expected_answer, needs_inputs, no_picture, rows_of
from course.pictures.tables import Table, Words, draw_tables

_WORDS: Final = Words("Weights of your solve, one row for each query; hidden squares are hatched.", "query", "key")
_NEEDS: Final = "one weight for each query and key"


@needs_inputs("scores")
def plot_causal_softmax(solve: object, examples: Examples) -> Picture:
    """Draw the weights of the example with the most queries beside the expected ones; what is hidden is hatched."""
    example = max(examples, key=lambda each: len(each["scores"]))
    scores = example["scores"]
    shape = len(scores), len(scores[0])
    yours = ask(solve, scores, shape=shape)
    if yours is None:
        return no_picture(solve, _NEEDS)

    def is_later(query: int, key: int) -> bool:
        return key > query + shape[1] - shape[0]

    expected = expected_answer(example)
    table = Table("", rows_of(yours), rows_of(expected) if expected else None, is_later)
    return draw_tables(_WORDS, [table]) or no_picture(solve, _NEEDS)
