"""Lesson 07: one row as it is, standardised, and after gain and bias."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from course.compare import close
from course.pictures.panels import draw_bars, draw_level, short
from course.pictures.picture import (
    COLOURS,
    Examples,
    Picture,
    ask,
    draw,
    expected_answer,
    is_finite,
    needs_inputs,
    no_picture,
    rows_of,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@needs_inputs("X", "gain", "bias", "eps")
def plot_layer_norm(solve: object, examples: Examples) -> Picture:
    """Draw row 0 of the first example as bars: as it is, standardised, and after gain and bias.

    Called with a gain of ones and a bias of zeros, `solve` gives the standardised row.
    """
    X, gain, bias, eps = (examples[0][name] for name in ("X", "gain", "bias", "eps"))
    shape = (len(X), len(gain))
    plain = ask(solve, X, [1.0 for _ in gain], [0.0 for _ in bias], eps, shape=shape)
    answer = ask(solve, X, gain, bias, eps, shape=shape)
    if plain is None or answer is None or not (is_finite(plain) and is_finite(answer)):
        return no_picture(solve, "one row of ordinary numbers for each row of X")
    standardised, row = rows_of(plain)[0], rows_of(answer)[0]
    known = expected_answer(examples[0])
    expected = rows_of(known)[0] if known else row
    different = [at for at, pair in enumerate(zip(row, expected, strict=True)) if not close(*pair)]
    names = [f"column {at}" for at in range(len(row))]
    means = [math.fsum(numbers) / len(numbers) for numbers in (X[0], standardised)]

    def paint(figure: Figure) -> None:
        first, second, third = figure.subplots(3, 1)
        draw_bars(first, X[0], names, colour=COLOURS[4], level=means[0])
        first.set_title("row 0 of X", loc="left")
        draw_bars(second, standardised, names, colour=COLOURS[2])
        second.set_title("standardised: your row with gain 1 and bias 0", loc="left")
        for axes, mean in zip((first, second), means, strict=True):
            draw_level(axes, mean, f"mean\n{short(mean)}")
        draw_bars(third, row, names, expected if different else ())
        third.set_title("with gain and bias: your row" + " (line: expected)" * bool(different), loc="left")

    parts = {"Row 0 of X": X[0], "standardised": standardised, "with gain and bias": row}
    told = [f"{title}: {', '.join(map(short, numbers))}" for title, numbers in parts.items()]
    wrong = [f"column {at} should be {short(expected[at])}" for at in different]
    says = f"{'; '.join(told)}. The mean is {short(means[0])} before and {short(means[1])} after."
    verdict = f"Different: {'; '.join(wrong)}." if wrong else "As expected."
    return draw(f"{says} {verdict}", 450, paint)
