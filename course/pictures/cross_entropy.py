"""Lesson 03: the loss against the probability of the right answer, and the loss of every row."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from course.compare import close
from course.pictures.panels import draw_bars, draw_curves, draw_points, short
from course.pictures.picture import Examples, Picture, ask, draw, is_finite, needs_inputs, no_picture, practice_for

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LOWEST = 0.01  # the curve begins here: it has no end at 0


@needs_inputs("logits", "targets")
def plot_cross_entropy(solve: object, examples: Examples) -> Picture:
    """Draw each row of the first example on the curve -ln(p), and its loss by `solve` with the expected height.

    A row's loss is what `solve` gives for this row alone; its place on the curve is exp(-loss).
    """
    pairs = list(zip(examples[0]["logits"], examples[0]["targets"], strict=True))
    answers = [ask(solve, [row], [target], shape=()) for row, target in pairs]
    losses = [answer.flat[0] for answer in answers if answer is not None and is_finite(answer)]
    if len(losses) < len(pairs):
        return no_picture(solve, "one number for each row alone")
    wanted = _expected_losses(examples) or losses
    different = [at for at, (loss, want) in enumerate(zip(losses, wanted, strict=True)) if not close(loss, want)]
    rows = [f"row {at}" for at in range(len(losses))]
    chances = [math.exp(-loss) if loss > 0 else 1.0 for loss in losses]

    def paint(figure: Figure) -> None:
        above, below = figure.subplots(2, 1, height_ratios=(3, 2))
        x = [at / 200 for at in range(int(_LOWEST * 200), 201)]
        draw_curves(above, x, {"-ln(p)": [-math.log(p) for p in x]})
        seen = [at for at, loss in enumerate(losses) if 0 <= loss <= -math.log(_LOWEST)]
        draw_points(above, [chances[at] for at in seen], [losses[at] for at in seen], [rows[at] for at in seen])
        above.set_title("loss = -ln(p), p: probability of the right answer", loc="left")
        above.set(xlabel="p", xlim=(0, 1.05), ylim=(-0.2, 4.8))
        draw_bars(below, losses, rows, wanted if different else ())
        below.set_title("loss of each row: yours" + " (line: expected)" * bool(different), loc="left")

    told = [f"{row} has loss {short(loss)}" for row, loss in zip(rows, losses, strict=True)]
    told = [
        f"{each}, so p is {short(p)}" if loss >= 0 else each
        for each, p, loss in zip(told, chances, losses, strict=True)
    ]
    wrong = [f"{rows[at]} should have {short(wanted[at])}" for at in different]
    says = f"The curve of -ln(p) with your rows on it, and your losses as bars: {'; '.join(told)}."
    return draw(" ".join([says, f"Different: {'; '.join(wrong)}." if wrong else "As expected."]), 400, paint)


def _expected_losses(examples: Examples) -> list[float]:
    """Return the right loss of each row of the first example, from the practice file; empty without it."""
    practice = practice_for("cross_entropy", examples)
    steps = practice.step_values[0] if practice else ()
    found = [numbers.flat[0] for step in steps if step.name == "losses" for numbers in step.values]
    return found if len(found) == len(examples[0]["targets"]) else []
