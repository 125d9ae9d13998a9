"""Lesson 06: the curve between the two linear layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from course.compare import close
from course.pictures.panels import draw_curves, draw_points, short
from course.pictures.picture import Examples, Picture, ask, draw, is_finite, needs_inputs, no_picture, practice_for

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Row = tuple[float, ...]

_NEEDS: Final = "one row for each token"
_ACROSS: Final = tuple(at / 8 for at in range(-24, 25))  # as many tokens as a hidden case may have


@needs_inputs("X", "W1", "b1", "W2", "b2")
def plot_feed_forward(solve: object, examples: Examples) -> Picture:
    """Draw the curve of `solve` beside ReLU, with the hidden numbers of the first example as points."""
    heights = _bent(solve, _ACROSS)
    hidden, expected = _points(examples)
    yours = _bent(solve, hidden)
    if heights is None or yours is None:
        return no_picture(solve, _NEEDS)
    different = [at for at, pair in enumerate(zip(yours, expected, strict=True)) if not close(*pair)]

    def paint(figure: Figure) -> None:
        axes = figure.subplots()
        axes.set(xlabel="hidden number" + " (points: what example 1 must give)" * bool(hidden), ylabel="bent number")
        draw_curves(axes, _ACROSS, {"your curve": heights, "ReLU": [max(0.0, h) for h in _ACROSS]})
        names = [f"{h:g} becomes {short(up)}" for h, up in zip(hidden, expected, strict=True)]
        draw_points(axes, hidden, expected, names, rising=True)
        axes.margins(y=0.12)  # room for a name below the lowest point

    told = [f"{h:g} becomes {short(up)}" for h, up in zip(hidden, yours, strict=True)] or _some(heights)
    wrong = [f"{hidden[at]:g} should become {short(expected[at])}" for at in different]
    says = f"The curve of your solve beside ReLU. In your curve {', '.join(told)}."
    verdict = f" Different: {', '.join(wrong)}." if wrong else " As expected." * bool(hidden)
    return draw(says + verdict, 290, paint)


def _bent(solve: object, numbers: Sequence[float]) -> Row | None:
    """Call `solve` so that the hidden number of each token is the token itself, and its bent number is the answer."""
    if not numbers:
        return ()
    answer = ask(solve, [[h] for h in numbers], [[1.0]], [0.0], [[1.0]], [0.0], shape=(len(numbers), 1))
    return answer.flat if answer is not None and is_finite(answer) else None


def _points(examples: Examples) -> tuple[Row, Row]:
    """Look up the hidden numbers of the first example and what they become; none without the practice data."""
    practice = practice_for("feed_forward", examples)
    if practice is None:
        return (), ()
    named = {each.name: each.values[0].flat for each in practice.step_values[0]}
    return named["hidden"], named["bent"]


def _some(heights: Row) -> list[str]:
    places = [at for at, h in enumerate(_ACROSS) if h.is_integer()]
    return [f"{_ACROSS[at]:g} becomes {short(heights[at])}" for at in places]
