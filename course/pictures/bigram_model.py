"""Lesson 04: the table of a bigram model."""

from __future__ import annotations

from typing import Final

from course.pictures.picture import Examples, Picture, ask, expected_answer, needs_inputs, no_picture, rows_of
from course.pictures.tables import Table, Words, draw_tables

_WORDS: Final = Words("The table of your solve: each row is a token, each column the token after it.", "now", "next")
_MOST_IDS: Final = 8
_NEEDS: Final = "one row and one column for each token"


@needs_inputs("ids", "vocab_size", "smoothing")
def plot_bigram_model(solve: object, examples: Examples) -> Picture:
    """Draw the table of the first example beside the expected one: which token comes after which, and how often."""
    ids, vocab_size, smoothing = (examples[0][name] for name in ("ids", "vocab_size", "smoothing"))
    yours = ask(solve, ids, vocab_size, smoothing, shape=(vocab_size, vocab_size))
    if yours is None:
        return no_picture(solve, _NEEDS)
    expected = expected_answer(examples[0])
    title = ", ".join(map(str, ids[:_MOST_IDS])) + ", ..." * (len(ids) > _MOST_IDS)
    table = Table(f"ids {title}", rows_of(yours), rows_of(expected) if expected else None)
    return draw_tables(_WORDS, [table]) or no_picture(solve, _NEEDS)
