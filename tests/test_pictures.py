"""The lessons' plots: what they show, what they say in words, and when they stay away."""

from __future__ import annotations

import base64
import io
import json
import math
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT
from PIL import Image

import course
from course import (
    plot_attention,
    plot_bigram_model,
    plot_causal_softmax,
    plot_contributions,
    plot_cross_entropy,
    plot_embed_tokens,
    plot_encode_text,
    plot_feed_forward,
    plot_layer_norm,
    plot_multi_head_attention,
    plot_softmax,
    plot_transformer_block,
)
from course.checking import check
from course.handed_out import EXAMPLES_CHANGED
from course.pictures.multi_head_attention import with_weights_as_answer
from course.pictures.picture import WIDTH

pytestmark = pytest.mark.slow

SOURCE = ROOT / "source" / "09_attention"
EXAMPLES = json.loads((SOURCE / "attention.json").read_text(encoding="utf-8"))["examples"]
LOGITS = [{"logits": [[2, 1, 0], [0, 0, 0]], "targets": [2, 1], "returns": 1.75311}]
SCORES = [{"scores": [1.0, 2.0, 3.0], "returns": [0.09003, 0.24473, 0.66524]}]
IDS = [{"ids": [0, 1, 0, 1, 0], "vocab_size": 2, "smoothing": 0.5, "returns": [[0.16667, 0.83333], [0.83333, 0.16667]]}]
TEXT = [{"text": "ab x", "vocab": ["?", "a", "ab", " "], "returns": [2, 3, 0]}]
TRIANGLE = [
    {"scores": [[5.0]], "returns": [[1.0]]},
    {"scores": [[1.0, 2.0], [3.0, 4.0]], "returns": [[1.0, 0.0], [0.26894, 0.73106]]},
]
EMBEDDED = [
    {
        "ids": [1],
        "token_table": [[1, 0], [2, -1]],
        "position_table": [[0.5, 0.5]],
        "start": 0,
        "returns": [[2.5, -0.5]],
    },
    {
        "ids": [1, 0],
        "token_table": [[1, 0], [2, -1]],
        "position_table": [[0.5, 0.5], [0.25, 0], [0, 0.75]],
        "start": 1,
        "returns": [[2.25, -1], [1, 0.75]],
    },
]
NORMED = [{"X": [[1, 3]], "gain": [2, 1], "bias": [0, 0.5], "eps": 3, "returns": [[-1, 1]]}]
LAYER = json.loads((ROOT / "source" / "06_feed_forward" / "feed_forward.json").read_text(encoding="utf-8"))["examples"]
HEADS = json.loads((ROOT / "source" / "10_multi_head_attention" / "multi_head_attention.json").read_text("utf-8"))[
    "examples"
]
BLOCK = json.loads((ROOT / "source" / "11_transformer_block" / "transformer_block.json").read_text("utf-8"))["examples"]
PLOTS = {
    "plot_attention": (plot_attention, EXAMPLES),
    "plot_contributions": (plot_contributions, EXAMPLES),
    "plot_cross_entropy": (plot_cross_entropy, LOGITS),
    "plot_softmax": (plot_softmax, SCORES),
    "plot_bigram_model": (plot_bigram_model, IDS),
    "plot_causal_softmax": (plot_causal_softmax, TRIANGLE),
    "plot_embed_tokens": (plot_embed_tokens, EMBEDDED),
    "plot_encode_text": (plot_encode_text, TEXT),
    "plot_feed_forward": (plot_feed_forward, LAYER),
    "plot_layer_norm": (plot_layer_norm, NORMED),
    "plot_multi_head_attention": (plot_multi_head_attention, HEADS),
    "plot_transformer_block": (plot_transformer_block, BLOCK),
}


def attention(Q, K, V, causal, root=math.sqrt):
    """Give the right answer, or another with another `root`; print, as learners do."""
    print("noise")
    out = []
    for i, q in enumerate(Q):
        exps = [math.exp(sum(a * b for a, b in zip(q, k, strict=True)) / root(len(q))) for k in K]
        exps = exps[: i + 1] if causal else exps
        out.append([sum(e * V[j][c] for j, e in enumerate(exps)) / sum(exps) for c in range(len(V[0]))])
    return out


def not_scaled(Q, K, V, causal):
    """Leave the division out."""
    return attention(Q, K, V, causal, root=lambda _: 1)


def feed_forward(X, W1, b1, W2, b2, *, bend=None):  # noqa: PLR0913  # one argument per input
    """Give the right answer, or another with another curve."""
    bend = bend or (lambda h: h / 2 * (1 + math.tanh(math.sqrt(2 / math.pi) * (h + 0.044715 * h**3))))
    rows = []
    for x in X:
        hidden = [bend(b + sum(a * row[j] for a, row in zip(x, W1, strict=True))) for j, b in enumerate(b1)]
        rows.append([b + sum(h * row[c] for h, row in zip(hidden, W2, strict=True)) for c, b in enumerate(b2)])
    return rows


def multi_head(X, W_q, W_k, W_v, W_o, heads, causal, root=math.sqrt):  # noqa: PLR0913, PLR0917  # the lesson's inputs
    """Give the right answer, or another with another `root`."""
    parts = [np.split(np.array(X) @ np.array(W), heads, axis=1) for W in (W_q, W_k, W_v)]
    return np.hstack([attention(q, k, v, causal, root) for q, k, v in zip(*parts, strict=True)]) @ np.array(W_o)


def transformer_block(X, block, heads, keep=1):
    """Give the right answer, or without the first skip connection: `keep` is how much of X the first sum holds."""

    def norm(rows, number):
        rows = np.array(rows, dtype=float)
        rows = (rows - rows.mean(axis=1, keepdims=True)) / np.sqrt(rows.var(axis=1, keepdims=True) + 1e-5)
        return rows * block[f"ln{number}_gain"] + block[f"ln{number}_bias"]

    rows = keep * np.array(X) + multi_head(norm(X, 1), *(block[f"w_{name}"] for name in "qkvo"), heads, causal=True)
    return rows + feed_forward(norm(rows, 2), *(block[name] for name in ("w1", "b1", "w2", "b2")))


@pytest.fixture
def beside_practice(tmp_path, monkeypatch):
    """Work where the practice file is, as a notebook does."""
    shutil.copy(SOURCE / "attention.json", tmp_path)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def alone(tmp_path, monkeypatch):
    """Work where there is no practice file."""
    monkeypatch.chdir(tmp_path)


def image_of(picture):
    """Return the picture as a browser gets it."""
    data = re.search(r'src="data:image/png;base64,([^"]+)"', picture._repr_html_())[1]
    return Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")


def has_colour(picture, colour):
    """Tell whether a flat surface of nearly this colour is in the picture."""
    wanted = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    found = image_of(picture).getcolors(10**6)
    return any(n > 100 and all(abs(a - b) < 8 for a, b in zip(rgb, wanted, strict=True)) for n, rgb in found)


# --- every picture ---


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


# --- lesson 09 ---


@pytest.mark.usefixtures("beside_practice")
def test_right_weights_are_as_expected():
    """The description tells the learner's own weights with and without the mask; nothing is outlined."""
    picture = plot_attention(attention, EXAMPLES)

    assert "causal = False: query 0 has 0.67 for key 0, 0.33 for key 1 (sum 1.00);" in repr(picture)
    assert "causal = True: query 0 has 1.00 for key 0, 0 for key 1 (sum 1.00);" in repr(picture)
    assert repr(picture).count("Every number is as expected.") == 2
    assert not has_colour(picture, "#d55e00")


@pytest.mark.usefixtures("beside_practice")
def test_different_weights_are_outlined_and_named():
    """Squares that differ from the practice data get a thick border and a sentence."""
    picture = plot_attention(not_scaled, EXAMPLES)

    assert "Different: query 0, key 0 is 0.73, expected 0.67; query 0, key 1 is 0.27, expected 0.33;" in repr(picture)
    assert "Different: query 1, key 0 is 0.27, expected 0.33; query 1, key 1 is 0.73, expected 0.67." in repr(picture)
    assert has_colour(picture, "#d55e00")


@pytest.mark.usefixtures("beside_practice")
def test_one_call_that_fails_still_shows_the_other():
    """Where only the causal call gives no numbers, the picture says so and shows what it should give."""

    def fails_with_the_mask(Q, K, V, causal):
        return attention(Q, K, V, causal) if not causal else _stub()

    picture = plot_attention(fails_with_the_mask, EXAMPLES)

    assert "causal = True: your `solve` gives no such numbers here." in repr(picture)
    assert picture.png


@pytest.mark.usefixtures("beside_practice")
def test_nan_is_named_in_its_square():
    """A nan is one of the numbers that differ."""
    picture = plot_attention(lambda *_: [[math.nan, 1], [0, 1]], EXAMPLES)

    assert "query 0 has nan for key 0, 1.00 for key 1 (sum nan)" in repr(picture)
    assert "query 0, key 0 is nan, expected 0.67" in repr(picture)


@pytest.mark.usefixtures("beside_practice")
def test_a_small_difference_gets_the_digits_it_needs():
    """Two numbers that differ never look the same."""
    picture = plot_attention(lambda *_: [[0.6701, 0.3299], [0.33024, 0.66976]], EXAMPLES)

    assert "query 0, key 0 is 0.6701, expected 0.6698" in repr(picture)


@pytest.mark.usefixtures("alone")
def test_without_practice_data_the_learners_own_weights_are_drawn():
    """The plot never computes the answer: without the file nothing is expected."""
    picture = plot_attention(not_scaled, EXAMPLES)

    assert "query 0 has 0.73 for key 0" in repr(picture)
    assert "xpected" not in repr(picture)
    assert picture.png


@pytest.mark.usefixtures("beside_practice")
def test_practice_data_of_another_version_is_not_used():
    """Where the examples are others than those of the practice file, nothing is expected."""
    others = [{**EXAMPLES[0], "Q": [[1, 0], [0, 3]]}, *EXAMPLES[1:]]

    assert "xpected" not in repr(plot_attention(attention, others))


@pytest.mark.usefixtures("alone")
def test_a_long_row_is_described_by_its_largest_weight():
    """The description stays short where there are many keys."""
    keys = [[float(n)] for n in range(9)]
    wide = [{"Q": [[1.0]] * 2, "K": keys, "V": keys, "causal": False, "returns": [[0.0]] * 2}]

    assert "query 0 has most for key 8, " in repr(plot_attention(attention, wide))


def test_contributions_add_up_to_the_output():
    """Each column says weight times value, and the sum, with the expected one where it is another."""
    right, wrong = repr(plot_contributions(attention, EXAMPLES)), repr(plot_contributions(not_scaled, EXAMPLES))
    times = "\N{MULTIPLICATION SIGN}"

    assert f"Column 0: 0.67 {times} 10 = 6.70 from value 0, 0.33 {times} 0 = 0 from value 1, sum 6.70." in right
    assert "sum 7.31, expected 6.70." in wrong


# --- lesson 01 ---


def test_tokens_are_boxes_and_the_unknown_one_is_red():
    """Lesson 01: each box has its id, an unknown one the character it stands for; other tokens stand below."""
    right, wrong = (plot_encode_text(lambda *_, ids=ids: ids, TEXT) for ids in ([2, 3, 0], [1, 0, 3, 0]))

    assert "Text 'ab x': 'ab' has id 2, ' ' has id 3, 'x' has id 0 (unknown)." in repr(right)
    assert "Different" not in repr(right)
    assert "'a' has id 1, 'b' has id 0 (unknown)," in repr(wrong)
    assert "Different: expected 'ab' has id 2," in repr(wrong)
    assert image_of(wrong).height > image_of(right).height
    assert has_colour(right, "#d55e00")


@pytest.mark.parametrize("ids", [[7], [-1], [0.5], [2] * 20], ids=["too high", "negative", "no whole number", "many"])
def test_numbers_that_are_no_ids_keep_the_strip_away(ids):
    """A number without a place in the vocabulary has no box, and very many tokens none that could be read."""
    assert repr(plot_encode_text(lambda *_: ids, TEXT)).startswith("There is no picture yet.")


# --- lessons 02, 03, 04, 08 ---


def test_softmax_bars_name_the_expected_heights():
    """Lesson 02: a wrong height is named and marked, a right one is not."""
    right = plot_softmax(lambda _: SCORES[0]["returns"], SCORES)
    wrong = plot_softmax(lambda scores: [score / 6 for score in scores], SCORES)

    assert "score 2, 3, gets 0.67. As expected." in repr(right)
    assert "Different: score 0 should get 0.09;" in repr(wrong)
    assert [has_colour(right, "#d55e00"), has_colour(wrong, "#d55e00")] == [False, True]


def test_each_row_of_logits_has_its_own_loss(monkeypatch):
    """Lesson 03: rows are asked for alone, p is told where there is one, and the practice file marks a wrong loss."""
    monkeypatch.chdir(ROOT / "source" / "03_cross_entropy")
    examples = json.loads((ROOT / "source" / "03_cross_entropy" / "cross_entropy.json").read_text("utf-8"))["examples"]
    right = plot_cross_entropy(lambda logits, _: 2.407606 if logits == [[2, 1, 0]] else math.log(3), examples)
    wrong = plot_cross_entropy(lambda logits, _: -0.4 if logits == [[2, 1, 0]] else math.log(3), examples)

    assert "row 0 has loss 2.41, so p is 0.09; row 1 has loss 1.10, so p is 0.33. As expected." in repr(right)
    assert "row 0 has loss -0.40; row 1" in repr(wrong)
    assert repr(wrong).endswith("Different: row 0 should have 2.41.")


def test_the_bigram_table_stands_beside_the_expected_one():
    """Lesson 04: rows and columns are named, and a swapped table is outlined."""
    picture = plot_bigram_model(lambda *_: [[0.75, 0.25], [0.25, 0.75]], IDS)

    assert "now 0 has 0.75 for next 0, 0.25 for next 1 (sum 1.00)" in repr(picture)
    assert "Different: now 0, next 0 is 0.75, expected 0.17;" in repr(picture)


def test_the_causal_table_shows_the_largest_example():
    """Lesson 08: the example with the most queries, and the sum of a row that was masked too late."""
    picture = plot_causal_softmax(lambda _: [[0.26894, 0.0], [0.26894, 0.73106]], TRIANGLE)

    assert "query 0 has 0.27 for key 0, 0 for key 1 (sum 0.27)" in repr(picture)
    assert "Different: query 0, key 0 is 0.27, expected 1.00." in repr(picture)


# --- lesson 06 ---


def test_the_curve_is_the_learners_own(tmp_path, monkeypatch):
    """Lesson 06: the hidden numbers of example 1 are said as `solve` bends them, and what differs is named."""
    shutil.copy(ROOT / "source" / "06_feed_forward" / "feed_forward.json", tmp_path)
    monkeypatch.chdir(tmp_path)
    right = plot_feed_forward(feed_forward, LAYER)
    relu = plot_feed_forward(lambda *inputs: feed_forward(*inputs, bend=lambda h: max(0, h)), LAYER)

    assert "1 becomes 0.84, 0.5 becomes 0.35, -1 becomes -0.16. As expected." in repr(right)
    assert "-1 becomes 0. Different: 1 should become 0.84, 0.5 should become 0.35, -1 should" in repr(relu)


def test_without_practice_data_the_curve_has_no_points(tmp_path, monkeypatch):
    """Lesson 06: the plot never computes GELU, so without the file nothing is called expected or different."""
    monkeypatch.chdir(tmp_path)

    picture = plot_feed_forward(feed_forward, LAYER)

    assert "-3 becomes 0.00, -2 becomes -0.05," in repr(picture)
    assert "xpected" not in repr(picture)
    assert picture.png


# --- lessons 05, 07 ---


def embed(ids, token_table, position_table, start):
    """Give the right rows."""
    return [
        [a + b for a, b in zip(token_table[each], position_table[start + i], strict=True)] for i, each in enumerate(ids)
    ]


def test_the_sum_stands_beside_its_two_parts():
    """Lesson 05: what comes from each table is named, and a position looked up by the id shows in its own part."""
    right = repr(plot_embed_tokens(embed, EMBEDDED))
    wrong = repr(
        plot_embed_tokens(lambda ids, tokens, places, _: [embed([i], tokens, places, i)[0] for i in ids], EMBEDDED)
    )

    assert "From the token: row 0 is 2.00, -1.00; row 1 is 1.00, 0." in right
    assert "From the place: row 0 is 0.25, 0; row 1 is 0, 0.75." in right
    assert "From the place: row 0 is 0.25, 0; row 1 is 0.50, 0.50." in wrong
    assert "Expected: row 0 is 2.25, -1.00; row 1 is 1.00, 0.75. Different: row 1, column 0; row 1, column 1." in wrong


def test_the_standardised_row_stands_between():
    """Lesson 07: the row with gain 1 and bias 0 is shown too, with its mean, and a wrong number is named."""

    def spread_4(X, gain, bias, eps):
        return [[(number - 2) / (1 + eps) * g + b for number, g, b in zip(row, gain, bias, strict=True)] for row in X]

    right, wrong = plot_layer_norm(lambda *_: [[-1, 1]], NORMED), plot_layer_norm(spread_4, NORMED)

    assert "standardised: -0.25, 0.25; with gain and bias: -0.50, 0.75." in repr(wrong)
    assert "The mean is 2.00 before and 0 after." in repr(wrong)
    assert "Different: column 0 should be -1.00; column 1 should be 1.00." in repr(wrong)
    assert repr(right).endswith("As expected.")


# --- lesson 10 ---


def test_every_head_shows_its_own_weights(monkeypatch):
    """Lesson 10: the weights are those of the worked example, head by head, and what differs is named."""
    monkeypatch.chdir(ROOT / "source" / "10_multi_head_attention")
    right = repr(plot_multi_head_attention(multi_head, HEADS))
    wrong = repr(plot_multi_head_attention(lambda *given: multi_head(*given, root=lambda _: 1), HEADS))

    assert "head 0: token 0 has 1.00 for key 0, 0 for key 1, 0 for key 2 (sum 1.00); token 1 has 0.27" in right
    assert "head 1: " in right
    assert "token 1 has 0.88 for key 0, 0.12 for key 1" in right
    assert right.count("Every number is as expected.") == 2
    assert "Different: token 1, key 0 is 0.12, expected 0.27;" in wrong


@pytest.mark.usefixtures("alone")
def test_heads_without_practice_data_are_drawn_alone():
    """Lesson 10: without the file nothing is expected, and a later token that is hidden has exactly 0."""
    picture = repr(plot_multi_head_attention(multi_head, HEADS))

    assert "token 1 has 0.27 for key 0, 0.73 for key 1, 0 for key 2" in picture
    assert "xpected" not in picture


@pytest.mark.parametrize(("tokens", "width", "heads"), [(1, 1, 1), (5, 2, 1), (3, 6, 3), (7, 4, 2)])
def test_the_inputs_that_show_weights_keep_them(tokens, width, heads):
    """Lesson 10: for any sizes, what stands in for the values leaves every head's weights as they are."""
    rng = np.random.default_rng(10)
    X, W_q, W_k = (rng.integers(-2, 3, size=size).tolist() for size in ((tokens, width), *[(width, width)] * 2))
    *made, n_heads, causal = with_weights_as_answer(X, W_q, W_k, heads=heads, causal=False)
    shown = np.split(multi_head(*made, n_heads, causal), heads, axis=1)
    parts = [np.split(np.array(X) @ np.array(W), heads, axis=1) for W in (W_q, W_k)]

    for q, k, weights in zip(*parts, shown, strict=True):
        assert weights[:, :tokens] == pytest.approx(np.array(attention(q, k, np.eye(tokens), causal=False)))
        assert not weights[:, tokens:].any()


# --- the transformer block ---


def test_the_rows_on_their_way_name_the_expected_lengths(monkeypatch):
    """The picture tells each row's length before, between and after, and what a block that loses X should have."""
    monkeypatch.chdir(ROOT / "source" / "11_transformer_block")
    right = repr(plot_transformer_block(transformer_block, BLOCK))
    wrong = repr(plot_transformer_block(lambda *given: transformer_block(*given, keep=0), BLOCK))

    assert "Row 0: 6.32 in X, 10.00 after attention, 15.71 after the feed-forward layer." in right
    assert right.endswith("The lengths are as expected.")
    assert "Row 0: 6.32 in X, 4.47 after attention, 9.73 after the feed-forward layer." in wrong
    assert "Different: row 0 should be 10.00 long after attention;" in wrong


@pytest.mark.usefixtures("alone")
def test_rows_without_practice_data_are_drawn_without_a_verdict():
    """Without the practice file nothing is called as expected or different."""
    picture = repr(plot_transformer_block(lambda *given: transformer_block(*given, keep=0), BLOCK))

    assert picture.endswith("after the feed-forward layer.")
