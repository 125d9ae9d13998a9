"""Lesson 02: the scores above, the probabilities below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from course.compare import close
from course.pictures.panels import draw_bars, short
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
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@needs_inputs("scores")
def plot_softmax(solve: object, examples: Examples) -> Picture:
    """Draw the scores of the first example, and below them the probabilities of `solve` with the expected heights."""
    scores = examples[0]["scores"]
    answer = ask(solve, scores, shape=(len(scores),))
    if answer is None or not is_finite(answer):
        return no_picture(solve, "one probability for each score")
    expected = expected_answer(examples[0])
    wanted = expected.flat if expected else answer.flat
    different = [at for at, pair in enumerate(zip(answer.flat, wanted, strict=True)) if not close(*pair)]

    def paint(figure: Figure) -> None:
        above, below = figure.subplots(2, 1)
        names = [f"score {at}" for at in range(len(scores))]
        draw_bars(above, scores, names, colour=COLOURS[4])
        above.set_title("scores", loc="left")
        draw_bars(below, answer.flat, names, wanted if different else ())
        below.set_title("probabilities: yours" + " (line: expected)" * bool(different), loc="left")

    told = [f"score {at}, {score:g}, gets {short(answer.flat[at])}" for at, score in enumerate(scores)]
    wrong = [f"score {at} should get {short(wanted[at])}" for at in different]
    says = f"Bars of the scores above bars of your probabilities: {'; '.join(told)}."
    return draw(" ".join([says, f"Different: {'; '.join(wrong)}." if wrong else "As expected."]), 330, paint)
