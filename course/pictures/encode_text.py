"""Lesson 01: the text as a strip of boxes, one for each token."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from course.pictures.panels import draw_strip
from course.pictures.picture import (
    COLOURS,
    DIFFERENT,
    Examples,
    Picture,
    ask,
    draw,
    expected_answer,
    needs_inputs,
    no_picture,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Boxes = list[tuple[str, int]]  # what stands in a box, and its id

_NEEDS: Final = "a flat list of ids"
_MOST_BOXES: Final = 14  # more of them are too small to read
_PIECE_COLOURS: Final = (COLOURS[0], *COLOURS[2:])  # orange is too much like the red of the unknown
_SHOWN: Final = {" ": "\N{OPEN BOX}", "\n": "\N{DOWNWARDS ARROW WITH CORNER LEFTWARDS}"}


@needs_inputs("text", "vocab")
def plot_encode_text(solve: object, examples: Examples) -> Picture:
    """Draw the tokens of every example as boxes with their ids, and below it what was expected where that differs."""
    strips: list[tuple[str, Boxes]] = []
    told = []
    found = False
    for example in examples:
        answer = ask(solve, example["text"], example["vocab"], shape=(None,))
        yours = _boxes(answer.flat, example) if answer else None
        if yours is None:
            return no_picture(solve, _NEEDS)
        expected = expected_answer(example)
        right = _boxes(expected.flat, example) if expected else None
        differs = right is not None and right != yours
        if yours or differs:
            strips.append((f"text {example['text']!r}" + ": yours" * differs, yours))
            told.append(f"Text {example['text']!r}: {_say(yours)}.")
        if right is not None and differs:
            strips.append(("expected", right))
            told.append(f"Different: expected {_say(right)}.")
        found = found or bool(yours)
    if not found:
        return no_picture(solve, _NEEDS)

    def paint(figure: Figure) -> None:
        for axes, (title, boxes) in zip(figure.subplots(len(strips), 1, squeeze=False).flat, strips, strict=True):
            axes.set_title(title, loc="left")
            draw_strip(axes, *zip(*_drawn(boxes), strict=True)) if boxes else axes.set_axis_off()

    says = "The tokens of your solve as boxes, each with its id."
    return draw(" ".join([says, *told]), 84 * len(strips), paint)


def _boxes(ids: Sequence[float], example: Mapping[str, Any]) -> Boxes | None:
    """Say what each id stands for, an unknown one for a character of the text. None where a number is no id."""
    text, vocab = example["text"], example["vocab"]
    boxes: Boxes = []
    at = 0
    for number in ids:
        if number not in range(len(vocab)) or len(boxes) == _MOST_BOXES:
            return None
        piece = vocab[int(number)] if number else text[at : at + 1]
        boxes.append((piece, int(number)))
        at += max(1, len(piece))
    return boxes


def _drawn(boxes: Boxes) -> Iterator[tuple[str, str, str]]:
    """Give the word in each box, the id below it, and its colour. An unknown token is red, and no other is."""
    for piece, number in boxes:
        word = "".join(_SHOWN.get(each, each) for each in piece)
        yield word, f"id {number}", _PIECE_COLOURS[(number - 1) % len(_PIECE_COLOURS)] if number else DIFFERENT


def _say(boxes: Boxes) -> str:
    if not boxes:
        return "no token"
    return ", ".join(f"{piece!r} has id {number}" + " (unknown)" * (number == 0) for piece, number in boxes)
