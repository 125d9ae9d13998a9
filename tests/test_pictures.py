"""All plots alike: what they show, what they say in words, and when they stay away."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys

import pytest
from conftest import ROOT
from picture_helpers import (
    EXAMPLES,
    PLOTS,
    SCORES,
    attention,
    feed_forward,
    image_of,
    multi_head,
    not_scaled,
    transformer_block,
)

import course
from course import (
    plot_attention,
    plot_contributions,
    plot_softmax,
)
from course.checking import check
from course.handed_out import EXAMPLES_CHANGED
from course.pictures.picture import WIDTH

pytestmark = pytest.mark.slow


def test_every_plot_is_tried():
    """Each plot that `course` exports is in the table of this file."""
    assert {name for name in course.__all__ if name.startswith("plot_")} == PLOTS.keys()


def right_answer(examples):
    """Return a `solve` that gives the right answer."""
    if "W1" in examples[0]:
        return feed_forward
    if "W_o" in examples[0]:
        return multi_head
    if "block" in examples[0]:
        return transformer_block
    return (
        attention
        if "Q" in examples[0]
        else lambda *_: max((e["returns"] for e in examples), key=lambda answer: len(str(answer)))
    )


@pytest.mark.parametrize(("plot", "examples"), PLOTS.values(), ids=PLOTS)
def test_a_right_answer_is_drawn_without_a_word_of_difference(plot, examples):
    """A right `solve` gets a small picture, and nothing in it is called different."""
    picture = plot(right_answer(examples), examples)

    assert picture.png
    assert len(picture._repr_html_()) < 60_000
    assert not re.search("ifferent|should", repr(picture))


@pytest.mark.usefixtures("beside_practice")
def test_the_picture_is_one_small_image_with_its_description():
    """The HTML is one image whose alt text is the picture's text, below 60 kB, and not wider than a phone."""
    picture = plot_attention(not_scaled, EXAMPLES)
    html = picture._repr_html_()

    assert re.fullmatch(
        r'<div><img alt="[^"]+" src="data:image/png;base64,[^"]+" width="\d+" style="[^"]+"></div>', html
    )
    assert f'alt="{picture!r}"' in html
    assert "max-width:100%" in html
    assert len(html) < 60_000
    assert image_of(picture).width >= WIDTH


def test_the_same_numbers_give_the_same_bytes():
    """A picture is made from the numbers alone, whatever style the learner's own plots have."""
    import matplotlib as mpl  # noqa: PLC0415

    first = plot_softmax(lambda _: [0.2, 0.3, 0.5], SCORES)
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "black", "savefig.dpi": 30}):
        again = plot_softmax(lambda _: [0.2, 0.3, 0.5], SCORES)
        assert mpl.rcParams["font.size"] == 30

    assert first == again


def test_what_the_learner_prints_stays_off_the_page(capfd):
    """Drawing calls `solve` without its prints and without its warnings."""

    def noisy(scores):
        print("out")
        print("err", file=sys.stderr)
        __import__("warnings").warn("overflow", stacklevel=1)
        return scores

    assert plot_softmax(noisy, SCORES).png
    assert capfd.readouterr() == ("", "")


def test_the_arguments_stay_as_they_are():
    """A `solve` that changes its inputs does not change the examples."""
    plot_softmax(lambda scores: [scores.pop() for _ in range(3)], SCORES)

    assert SCORES[0]["scores"] == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(("plot", "examples"), PLOTS.values(), ids=PLOTS)
def test_changed_examples_are_named_and_no_fault_of_solve(plot, examples):
    """An empty list, no list, or an input or an answer taken out: the plot says that their cell was changed."""
    changed = [[], 3, ["x"], *([{k: v for k, v in each.items() if k != name}] for each in examples for name in each)]

    for each in changed:
        assert repr(plot(right_answer(examples), each)) == f"There is no picture. {EXAMPLES_CHANGED}"


def _stub(*_):
    raise NotImplementedError


def _interrupted(*_):
    raise KeyboardInterrupt


ODD = {
    "stub": _stub,
    "interrupted": _interrupted,
    "ends python": lambda *_: sys.exit(),
    "not a function": 3,
    "wrong inputs": lambda: 1,
    "nothing": lambda *_: None,
    "other shape": lambda *_: [[[1, 2]]],
    "ragged": lambda *_: [[1, 2], [1]],
    "words": lambda *_: ["a", "b", "c"],
    "empty": lambda *_: [],
}


@pytest.mark.parametrize("situation", ODD)
@pytest.mark.parametrize(("plot", "examples"), PLOTS.values(), ids=PLOTS)
def test_where_nothing_can_be_drawn_a_calm_text_says_so(plot, examples, situation):
    """No odd function makes a plot raise; the text names what is needed and has no backtick left in HTML."""
    picture = plot(ODD[situation], examples)

    assert repr(picture).startswith("There is no picture")
    assert re.fullmatch(r"<p [^>]+>[^`]+<code[^`]+</p>", picture._repr_html_())


def _endless(*_):
    raise KeyboardInterrupt


@pytest.mark.parametrize("solve", [_stub, _endless, lambda *_: None], ids=["stub", "stopped", "nothing"])
@pytest.mark.parametrize("file", sorted((ROOT / "source").glob("*/*.ipynb")), ids=lambda file: file.stem)
def test_no_plot_cell_says_the_same_twice(file, solve, monkeypatch):
    """Where a cell draws several pictures and there is none, each says a sentence of its own."""
    monkeypatch.chdir(file.parent)
    said = []
    names = {"solve": solve, "display": lambda *pictures: said.extend(map(repr, pictures))}
    cells = ["".join(cell["source"]) for cell in json.loads(file.read_text("utf-8"))["cells"]]
    for source in (each for each in cells if re.search(r"^[^#\n]*plot_\w+\(", each, re.MULTILINE)):
        names |= {name: getattr(course, name) for name in re.findall(r"plot_\w+", source)}
        names["examples"] = json.loads(file.with_suffix(".json").read_text("utf-8"))["examples"]
        exec(source, names)  # noqa: S102  # the lesson's own cell

    assert len(said) == len(set(said))


def test_numbers_that_no_bar_can_show_keep_it_away():
    """Neither nan nor inf has a height."""
    assert not plot_softmax(lambda _: [math.nan, 1.0, math.inf], SCORES).png
    assert not plot_contributions(lambda *_: [[math.inf, 1.0]] * 2, EXAMPLES).png


def test_a_function_that_had_to_be_stopped_is_not_called_again():
    """After a stop, in the check or in a plot, the pictures stay away, so that Run All goes on."""
    calls = []

    def endless(*arguments):
        calls.append(arguments)
        raise KeyboardInterrupt

    def endless_too(*arguments):
        return endless(*arguments)

    check(endless, EXAMPLES)
    plot_attention(endless, EXAMPLES)
    plot_attention(endless_too, EXAMPLES)
    pictures = [plot_attention(endless_too, EXAMPLES), plot_contributions(endless_too, EXAMPLES)]

    assert len(calls) == 2
    assert "you stopped this `solve`" in repr(pictures[0])
    assert repr(pictures[1]).startswith("There is no picture")


def test_without_matplotlib_the_words_stand_alone():
    """Where matplotlib is not installed the plot says so, and says what it would show."""
    code = (
        "import sys; sys.modules.update(numpy=None, matplotlib=None, PIL=None);"
        "from course import plot_causal_softmax as plot;"
        "print(plot(lambda _: [[1.0]], [{'scores': [[5]], 'returns': [[1]]}]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert done.stdout.startswith("The picture needs matplotlib")
    assert "query 0 has 1.00 for key 0" in done.stdout


def test_importing_the_course_imports_no_plot():
    """A plot's file is imported when a lesson asks for it, and matplotlib when there is something to draw."""
    code = (
        "import sys; import course; before = [name for name in sys.modules if 'pictures' in name];"
        "from course import plot_attention; print(before, 'matplotlib' in sys.modules, 'numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert done.stdout == "[] False False\n", done.stderr
