"""In the pictures of the course no word covers another."""

from itertools import combinations

import numpy as np
import pytest
from conftest import ROOT
from matplotlib.figure import Figure
from matplotlib.text import Text
from test_pictures import PLOTS, right_answer

from course import plot_contributions
from course.rewards.names import invent_names
from course.syllabus import LESSONS

pytestmark = pytest.mark.slow


def lesson_of(plot):
    """Return the folder of the lesson that a plot belongs to."""
    name = "attention" if plot is plot_contributions else plot.__name__.removeprefix("plot_")
    return next(each.id for each in LESSONS if each.name == name)


@pytest.fixture
def drawn(monkeypatch):
    """Collect the figures that are saved."""
    figures, save = [], Figure.savefig
    monkeypatch.setattr(
        Figure, "savefig", lambda figure, *given, **named: [figures.append(figure), save(figure, *given, **named)]
    )
    return figures


def overlapping(figure):
    """Return the pairs of words that cover each other. A word is a little smaller than its box."""
    texts = [each for each in figure.findobj(Text) if each.get_visible() and each.get_text().strip()]
    words = [(each.get_text(), each.get_window_extent().padded(-1.5)) for each in texts]
    assert len(words) > 1
    return [(one, other) for (one, here), (other, there) in combinations(words, 2) if here.overlaps(there)]


@pytest.mark.parametrize(("plot", "examples"), PLOTS.values(), ids=PLOTS)
def test_no_word_of_a_picture_covers_another(plot, examples, drawn, monkeypatch):
    """In every plot, also of a wrong answer, words and numbers stand apart from each other."""
    monkeypatch.chdir(ROOT / "source" / lesson_of(plot))
    wrong = right_answer(examples)
    plot(wrong, examples)
    plot(lambda *given: [[1.5 * n for n in np.ravel(row)] for row in np.atleast_2d(wrong(*given))], examples)

    assert drawn
    assert [overlapping(figure) for figure in drawn] == [[]] * len(drawn)


def test_the_letters_of_the_names_stand_apart(drawn):
    """The largest table of the course, every letter pair of the names, has its letters side by side."""
    even = [[0.25] * 4] * 4
    examples = [{"ids": [0], "vocab_size": 4, "smoothing": 1.0, "returns": even}]
    picture = invent_names(lambda _ids, size, _smoothing: [[1 / size] * size] * size, examples).picture

    assert picture.png
    assert [overlapping(figure) for figure in drawn] == [[]]
