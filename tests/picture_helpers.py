"""Right and wrong functions of several lessons with their examples, to be drawn, and the pixels of a picture."""

from __future__ import annotations

import base64
import io
import json
import math
import re

import numpy as np
from conftest import ROOT
from PIL import Image

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


def image_of(picture):
    """Return the picture as a browser gets it."""
    data = re.search(r'src="data:image/png;base64,([^"]+)"', picture._repr_html_())[1]
    return Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")


def has_colour(picture, colour):
    """Tell whether a flat surface of nearly this colour is in the picture."""
    wanted = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    found = image_of(picture).getcolors(10**6)
    return any(n > 100 and all(abs(a - b) < 8 for a, b in zip(rgb, wanted, strict=True)) for n, rgb in found)
