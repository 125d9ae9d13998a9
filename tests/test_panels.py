"""The parts of which the lessons' plots are made."""

import pytest
from matplotlib.figure import Figure

from course.pictures import panels
from course.pictures.picture import draw

pytestmark = pytest.mark.slow


def test_text_in_a_square_has_contrast():
    """Every number in a heat map has at least 4.5 to 1 against its square."""
    axes = Figure().subplots()
    rows = tuple(tuple((10 * row + column) / 99 for column in range(8)) for row in range(10))
    panels.draw_squares(axes, panels.Squares(rows, [""] * 10, [""] * 8))
    grounds = [patch.get_facecolor()[:3] for patch in axes.patches]
    texts = [text.get_color() for text in axes.texts]

    assert len(grounds) == len(texts) == 80
    for ground, text in zip(grounds, texts, strict=True):
        light, dark = sorted((_light(ground), 0.0 if text == "#000000" else 1.0), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5


def _light(rgb):
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in rgb]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _strip(figure):
    panels.draw_strip(figure.subplots(), ["abc", "?"], ["5", "0"], ["#0072b2", "#d55e00"])


def _curve(figure):
    axes = figure.subplots()
    panels.draw_curves(axes, [-1, 0, 1], {"GELU": [-0.16, 0, 0.84], "ReLU": [0, 0, 1]})
    panels.draw_points(axes, [1], [0.84], ["hidden 0"])


def _levels(figure):
    axes = figure.subplots()
    panels.draw_bars(axes, [-1.25, 0, 1.25], ["a", "b", "c"])
    panels.draw_level(axes, 0.0, "mean 0")


def _heads(figure):
    square = panels.Squares(((1.0, 0.0), (0.5, 0.5)), ["t 0", "t 1"], ["t 0", "t 1"], "head", frozenset({(0, 1)}))
    panels.draw_grid(figure, [square] * 3)


LATER = {
    "01 strip": (_strip, {"abc", "?", "5", "0"}),
    "06 curves": (_curve, {"GELU", "ReLU", "hidden 0"}),
    "07 levels": (_levels, {"-1.25", "0", "1.25", "mean 0", "a"}),
    "10 heads": (_heads, {"head", "1.00", "0.50", "t 0"}),
}


@pytest.mark.parametrize(("paint", "words"), LATER.values(), ids=LATER)
def test_the_other_panels_write_their_words_inside_the_picture(paint, words):
    """What later lessons draw with shows its labels and numbers, and none of them is cut off."""
    seen = {}

    def look(figure):
        paint(figure)
        figure.canvas.draw()
        for text in figure.findobj(lambda each: hasattr(each, "get_text") and each.get_text() in words):
            seen[text.get_text()] = text.get_window_extent()
        assert all(box.x0 >= 0 and box.x1 <= figure.bbox.width for box in seen.values())

    assert draw("words", 240, look).png
    assert seen.keys() == words
