"""The plot of each lesson: what is in it, and what its words say."""

from __future__ import annotations

import json
import math
import shutil

import numpy as np
import pytest
from conftest import ROOT
from picture_helpers import (
    BLOCK,
    EMBEDDED,
    EXAMPLES,
    HEADS,
    IDS,
    LAYER,
    NORMED,
    SCORES,
    TEXT,
    TRIANGLE,
    attention,
    feed_forward,
    has_colour,
    image_of,
    multi_head,
    not_scaled,
    transformer_block,
)

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
from course.pictures.multi_head_attention import with_weights_as_answer

pytestmark = pytest.mark.slow


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
        if causal:
            raise NotImplementedError
        return attention(Q, K, V, causal)

    picture = plot_attention(fails_with_the_mask, EXAMPLES)

    assert "causal = True: your `solve` gives no such numbers here." in repr(picture)
    assert picture.png


def weighing(weights):
    """Return a `solve` that mixes the values by these weights."""
    return lambda _Q, _K, V, _causal: (np.array(weights) @ np.array(V)).tolist()


NO_WEIGHTS = {
    "turned": lambda Q, K, V, causal: [list(each) for each in zip(*attention(Q, K, V, causal), strict=True)],
    "keys in place of values": lambda Q, K, _V, causal: attention(Q, K, K, causal),
    "the weights alone": lambda Q, K, V, causal: attention(Q, K, np.eye(len(V)).tolist(), causal),
    "whole numbers": lambda Q, K, V, causal: np.array(attention(Q, K, V, causal)).astype(int).tolist(),
    "too narrow": lambda Q, K, V, causal: [row[:2] for row in attention(Q, K, V, causal)],
}


@pytest.mark.usefixtures("beside_practice")
@pytest.mark.parametrize("kind", NO_WEIGHTS)
def test_what_is_no_mix_of_the_values_is_not_called_weights(kind):
    """Where the end of a `solve` is wrong, no picture says that these are the learner's own weights."""
    for plot in (plot_attention, plot_contributions):
        picture = plot(NO_WEIGHTS[kind], EXAMPLES)

        assert not picture.png
        assert repr(picture).startswith("There is no picture")


@pytest.mark.usefixtures("beside_practice")
def test_a_weight_that_is_nan_has_a_picture_and_no_contributions():
    """The second plot says why it stays away, and not that there is no picture yet."""
    solve = weighing([[math.nan, 1], [0, 1]])

    assert plot_attention(solve, EXAMPLES).png
    assert repr(plot_contributions(solve, EXAMPLES)).endswith("a weight of query 0 is no number.")


@pytest.mark.usefixtures("beside_practice")
def test_nan_is_named_in_its_square():
    """A nan is one of the numbers that differ."""
    picture = plot_attention(weighing([[math.nan, 1], [0, 1]]), EXAMPLES)

    assert "query 0 has nan for key 0, nan for key 1 (sum nan)" in repr(picture)
    assert "query 0, key 0 is nan, expected 0.67" in repr(picture)


@pytest.mark.usefixtures("beside_practice")
def test_a_small_difference_gets_the_digits_it_needs():
    """Two numbers that differ never look the same."""
    picture = plot_attention(weighing([[0.6701, 0.3299], [0.33024, 0.66976]]), EXAMPLES)

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
