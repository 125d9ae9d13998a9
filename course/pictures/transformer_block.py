"""Lesson 11: how long the row of each token is on its way through the block."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from course.compare import close
from course.pictures.panels import draw_bars, short
from course.pictures.picture import (
    COLOURS,
    Examples,
    Picture,
    Rows,
    ask,
    draw,
    expected_answer,
    is_finite,
    needs_inputs,
    no_picture,
    practice_for,
    rows_of,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_NEEDS: Final = "one row of ordinary numbers for each token, as wide as the rows of `X`"
_PLACES: Final = ("X", "after attention", "after feed-forward")
_SPOKEN: Final = ("in X", "after attention", "after the feed-forward layer")
_SUM: Final = 3  # the step that adds the result of attention


@needs_inputs("X", "block", "heads")
def plot_transformer_block(solve: object, examples: Examples) -> Picture:
    """Draw how long the row of each token of the first example is: in X, after attention, after the feed-forward layer.

    With `w2` and `b2` all 0 the feed-forward layer adds nothing, so `solve` gives the rows after attention.
    """
    X, block, heads = (examples[0][name] for name in ("X", "block", "heads"))
    silent = block | {"w2": [[0.0 for _ in row] for row in block["w2"]], "b2": [0.0 for _ in block["b2"]]}
    answers = [ask(solve, X, each, heads, shape=(len(X), len(X[0]))) for each in (silent, block)]
    stages = [X, *(rows_of(each) for each in answers if each is not None and is_finite(each))]
    if len(stages) < len(_PLACES):
        return no_picture(solve, _NEEDS)
    lengths = _lengths(stages)
    expected = _expected(examples)
    wanted = _lengths([X, *expected]) if expected else lengths
    different = [
        [at for at, pair in enumerate(zip(yours, right, strict=True)) if not close(*pair)]
        for yours, right in zip(lengths, wanted, strict=True)
    ]

    def paint(figure: Figure) -> None:
        grid = figure.subplots(len(X), 1, squeeze=False, sharey=True)
        for token, axes in enumerate(grid.flat):
            draw_bars(
                axes, lengths[token], _PLACES, wanted[token] if different[token] else (), colour=COLOURS[token % 3]
            )
            axes.set_title(f"length of row {token}" + " (line: expected)" * bool(different[token]), loc="left")

    told, wrong = [], []
    for token, row in enumerate(lengths):
        told.append(f"Row {token}: {', '.join(f'{short(n)} {place}' for n, place in zip(row, _SPOKEN, strict=True))}.")
        wrong += [f"row {token} should be {short(wanted[token][at])} long {_SPOKEN[at]}" for at in different[token]]
    verdict = f" Different: {'; '.join(wrong)}." if wrong else " The lengths are as expected." * bool(expected)
    opening = "Bars of how long the row of each token is on its way through your block."
    return draw(" ".join([opening, *told]) + verdict, 60 + 130 * len(X), paint)


def _lengths(stages: list[Rows]) -> list[list[float]]:
    """Return the length of each token's row, the root of the sum of its squares, at every stage: (tokens, stages)."""
    return [[math.hypot(*row) for row in rows] for rows in zip(*stages, strict=True)]


def _expected(examples: Examples) -> list[Rows]:
    """Look up the right rows after attention, in the practice data, and the right answer; none without that data."""
    practice = practice_for("transformer_block", examples)
    answer = expected_answer(examples[0])
    sums = [each.values[0] for each in practice.step_values[0] if each.step == _SUM] if practice else []
    return [rows_of(sums[0]), rows_of(answer)] if sums and answer else []
