"""The picture of a learner's own attention weights."""

from __future__ import annotations

import base64
import math
import re
import subprocess
import sys

import pytest

from course.checking import check
from course.plots import plot_attention

EXAMPLES = [{"Q": [[1, 0], [0, 1]], "K": [[1, 0], [0, 1]], "V": [[10, 0], [0, 10]], "causal": False}]


def attention(Q, K, V, causal):
    """Give the right answer; print, as learners do."""
    print("noise")
    out = []
    for i, q in enumerate(Q):
        exps = [math.exp(sum(a * b for a, b in zip(q, k, strict=True)) / math.sqrt(len(q))) for k in K]
        exps = exps[: i + 1] if causal else exps
        out.append([sum(e * V[j][c] for j, e in enumerate(exps)) / sum(exps) for c in range(len(V[0]))])
    return out


def test_the_picture_is_one_image_with_its_description():
    """The HTML is one small PNG whose alt text tells the learner's own numbers."""
    html = plot_attention(attention, EXAMPLES)._repr_html_()

    alt, data = re.fullmatch(
        r'<div><img alt="([^"]+)" src="data:image/png;base64,([^"]+)" style="[^"]+"></div>', html
    ).groups()
    assert base64.b64decode(data).startswith(b"\x89PNG")
    assert len(html) < 40_000
    assert "causal = False: query 0 gives 0.67 to key 0, 0.33 to key 1 (sum 1.00);" in alt
    assert "causal = True: query 0 gives 1.00 to key 0, 0 to key 1 (sum 1.00);" in alt


def test_the_text_says_the_same_as_the_image():
    """Where there is no picture, the description stands for it."""
    picture = plot_attention(attention, EXAMPLES)

    assert f'alt="{picture!r}"' in picture._repr_html_()


def test_the_same_weights_give_the_same_bytes():
    """A picture is made from the numbers alone."""
    assert plot_attention(attention, EXAMPLES) == plot_attention(attention, EXAMPLES)


def test_the_learners_prints_stay_off_the_page(capsys):
    """Drawing calls `solve` without its prints."""
    plot_attention(attention, EXAMPLES)

    assert capsys.readouterr().out == ""


def test_rows_that_do_not_add_up_are_shown_as_they_are():
    """A wrong function is drawn with the sums it has."""
    picture = plot_attention(lambda *_: [[0.5, 0.2], [0.4, 0.1]], EXAMPLES)

    assert "query 0 gives 0.50 to key 0, 0.20 to key 1 (sum 0.70)" in repr(picture)


def test_a_long_row_is_described_by_its_largest_weight():
    """The description stays short where there are many keys."""
    wide = [{"Q": [[1.0]] * 2, "K": [[float(n)] for n in range(9)]}]

    assert "query 0 gives most to key 8, " in repr(plot_attention(attention, wide))


def _stub(*_):
    raise NotImplementedError


def _interrupted(*_):
    raise KeyboardInterrupt


ODD = {
    "stub": _stub,
    "interrupted": _interrupted,
    "not a function": 3,
    "wrong inputs": lambda Q: Q,
    "nothing": lambda *_: None,
    "other shape": lambda *_: [1, 2],
    "nan": lambda *_: [[math.nan, 1], [1, 1]],
}


@pytest.mark.parametrize("situation", ODD)
def test_where_nothing_can_be_drawn_one_sentence_says_so(situation):
    """No odd function makes the plot raise."""
    picture = plot_attention(ODD[situation], EXAMPLES)

    assert repr(picture).startswith("The picture needs a `solve` that gives one weight per query and key.")
    assert "<img" not in picture._repr_html_()


def test_without_matplotlib_the_lesson_goes_on():
    """Where matplotlib is not installed the plot says so."""
    code = (
        "import sys; sys.modules.update(numpy=None, matplotlib=None); from course import plot_attention; "
        "print(plot_attention(lambda *_: [[1.0]], [{'Q': [[1]], 'K': [[1]]}]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert done.stdout.startswith("The picture needs matplotlib")


def test_a_function_that_had_to_be_stopped_is_not_called_again():
    """After an interrupted check the picture stays away, so that Run All goes on."""
    calls = []

    def endless(*arguments):
        calls.append(arguments)
        raise KeyboardInterrupt

    examples = [{"Q": [[1.0]], "K": [[1.0]], "V": [[1.0]], "causal": False, "returns": [[1.0]]}]
    check(endless, examples)
    plot_attention(endless, examples)

    assert len(calls) == 1
