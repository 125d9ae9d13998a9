"""Train the small model that reverses words: the reward of chapter 3. It writes `course/rewards/reversing.json`.

The model reads five letters and a bar, "abcde|", and writes the letters back to front, "edcba", one letter after the
other. It is a transformer as the lessons build it: a vector for each letter and each position (lesson 05), one block
(lesson 11), a layer norm (lesson 07), a score for each letter. The gradient of every weight is written out below.

    python tools/train_reversing.py

The seed gives the same file again, byte for byte. Every tenth word is never shown: those whose letters (a is 0) add up
to a multiple of ten. They show whether the model has learned to reverse, or has learned words by heart.
"""

from __future__ import annotations

import argparse
import json
import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

# One thread, set before numpy is imported: on a shared machine a second one makes a step ten times slower.
for library in ("OPENBLAS", "OMP", "MKL", "VECLIB_MAXIMUM"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

Array = NDArray[np.float64]
Weights = dict[str, Array]

FILE: Final = Path(__file__).parents[1] / "course" / "rewards" / "reversing.json"
LETTERS: Final = "abcdefghijklmnopqrstuvwxyz|"
BAR: Final = LETTERS.index("|")
LENGTH: Final = 5  # letters in a word
CONTEXT: Final = 2 * LENGTH  # positions: the word, the bar, and all but the last letter of the answer
WIDTH: Final = 32
HIDDEN: Final = 4 * WIDTH
HEADS: Final = 4
EPS: Final = 1e-5

SEED: Final = 11
STEPS: Final = 400
BATCH: Final = 64
RATE: Final = 0.01
WARM_UP: Final = 50  # steps
DECAY: Final = 0.01  # of AdamW
BETAS: Final = (0.9, 0.99)
HELD_OUT: Final = 10  # every tenth word

MODEL: Final = ("tokens", "positions", "lnf_gain", "lnf_bias", "w_out")  # the weights outside the block


def initial_weights(random: np.random.Generator) -> Weights:
    """Draw the first weights: gains are 1, biases 0, matrices as wide as keeps the numbers in range."""

    def matrix(rows: int, columns: int) -> Array:
        return random.normal(0, 1 / math.sqrt(rows), (rows, columns))

    return {
        "tokens": random.normal(0, 0.5, (len(LETTERS), WIDTH)),
        "positions": random.normal(0, 0.5, (CONTEXT, WIDTH)),
        "ln1_gain": np.ones(WIDTH),
        "ln1_bias": np.zeros(WIDTH),
        "w_q": matrix(WIDTH, WIDTH),
        "w_k": matrix(WIDTH, WIDTH),
        "w_v": matrix(WIDTH, WIDTH),
        "w_o": matrix(WIDTH, WIDTH),
        "ln2_gain": np.ones(WIDTH),
        "ln2_bias": np.zeros(WIDTH),
        "w1": matrix(WIDTH, HIDDEN),
        "b1": np.zeros(HIDDEN),
        "w2": matrix(HIDDEN, WIDTH),
        "b2": np.zeros(WIDTH),
        "lnf_gain": np.ones(WIDTH),
        "lnf_bias": np.zeros(WIDTH),
        "w_out": matrix(WIDTH, len(LETTERS)),
    }


def held_out(words: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell which words the training never shows; one word in a row, its letters' ids."""
    return words.sum(axis=1) % HELD_OUT == 0


def draw_words(random: np.random.Generator, number: int) -> NDArray[np.int64]:
    """Draw words of random letters, none of them held out: (number, 5)."""
    words = random.integers(0, BAR, (2 * number, LENGTH))
    return words[~held_out(words)][:number]


def text_of(words: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return what the model reads in training, word, bar, answer without its last letter: (number, 10)."""
    bars = np.full((len(words), 1), BAR)
    return np.hstack([words, bars, words[:, :0:-1]])


def loss_and_gradients(w: Weights, words: NDArray[np.int64]) -> tuple[float, Weights]:
    """Return the mean cross-entropy of the letters written, and its gradient with respect to every weight."""
    ids, answers = text_of(words), words[:, ::-1]
    g: Weights = {}

    # Forward. Shapes: (words, positions, width).
    x = w["tokens"][ids] + w["positions"]
    n1, back_norm1 = _norm(x, w["ln1_gain"], w["ln1_bias"])
    q, k, v = (_split(n1 @ w[name]) for name in ("w_q", "w_k", "w_v"))
    scores = q @ k.swapaxes(2, 3) / math.sqrt(WIDTH // HEADS)
    scores = np.where(np.tri(CONTEXT, dtype=bool), scores, -np.inf)
    weights = _softmax(scores)
    mixed = _join(weights @ v)
    x1 = x + mixed @ w["w_o"]
    n2, back_norm2 = _norm(x1, w["ln2_gain"], w["ln2_bias"])
    hidden = n2 @ w["w1"] + w["b1"]
    active, slope = _gelu(hidden)
    x2 = x1 + active @ w["w2"] + w["b2"]
    last, back_normf = _norm(x2[:, LENGTH:], w["lnf_gain"], w["lnf_bias"])
    chances = _softmax(last @ w["w_out"])
    right = np.take_along_axis(chances, answers[:, :, None], axis=2)
    loss = -np.log(right).mean()

    # Backward: the same lines from the last to the first. d_x is the gradient with respect to x.
    d_logits = (chances - (answers[:, :, None] == np.arange(len(LETTERS)))) / answers.size
    g["w_out"] = _outer(last, d_logits)
    d_x2 = np.zeros_like(x2)
    d_x2[:, LENGTH:], g["lnf_gain"], g["lnf_bias"] = back_normf(d_logits @ w["w_out"].T)
    g["w2"], g["b2"] = _outer(active, d_x2), d_x2.sum((0, 1))
    d_hidden = d_x2 @ w["w2"].T * slope
    g["w1"], g["b1"] = _outer(n2, d_hidden), d_hidden.sum((0, 1))
    d_x1, g["ln2_gain"], g["ln2_bias"] = back_norm2(d_hidden @ w["w1"].T)
    d_x1 += d_x2
    g["w_o"] = _outer(mixed, d_x1)
    d_mixed = _split(d_x1 @ w["w_o"].T)
    d_weights = d_mixed @ v.swapaxes(2, 3)
    d_scores = weights * (d_weights - (d_weights * weights).sum(-1, keepdims=True)) / math.sqrt(WIDTH // HEADS)
    d_q, d_k, d_v = _join(d_scores @ k), _join(d_scores.swapaxes(2, 3) @ q), _join(weights.swapaxes(2, 3) @ d_mixed)
    g["w_q"], g["w_k"], g["w_v"] = _outer(n1, d_q), _outer(n1, d_k), _outer(n1, d_v)
    d_x, g["ln1_gain"], g["ln1_bias"] = back_norm1(d_q @ w["w_q"].T + d_k @ w["w_k"].T + d_v @ w["w_v"].T)
    d_x += d_x1
    g["positions"] = d_x.sum(0)
    g["tokens"] = np.zeros_like(w["tokens"])
    np.add.at(g["tokens"], ids, d_x)
    return float(loss), g


def _norm(x: Array, gain: Array, bias: Array) -> tuple[Array, Callable[[Array], tuple[Array, Array, Array]]]:
    """Return the layer norm, and the function that carries a gradient back through it."""
    spread = np.sqrt(x.var(-1, keepdims=True) + EPS)
    unit = (x - x.mean(-1, keepdims=True)) / spread

    def back(d_y: Array) -> tuple[Array, Array, Array]:
        d_unit = d_y * gain
        along = (d_unit * unit).mean(-1, keepdims=True)
        d_x = (d_unit - d_unit.mean(-1, keepdims=True) - unit * along) / spread
        return d_x, (d_y * unit).sum((0, 1)), d_y.sum((0, 1))

    return unit * gain + bias, back


def _gelu(x: Array) -> tuple[Array, Array]:
    """Return GELU in its tanh form, and its slope."""
    factor = math.sqrt(2 / math.pi)
    t = np.tanh(factor * (x + 0.044715 * x**3))
    slope = 0.5 * (1 + t) + 0.5 * x * (1 - t**2) * factor * (1 + 3 * 0.044715 * x**2)
    return 0.5 * x * (1 + t), slope


def _softmax(scores: Array) -> Array:
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def _split(x: Array) -> Array:
    """Give every head its columns: (words, positions, width) to (words, heads, positions, width / heads)."""
    return x.reshape(*x.shape[:2], HEADS, -1).swapaxes(1, 2)


def _join(x: Array) -> Array:
    """Put the heads side by side again."""
    return x.swapaxes(1, 2).reshape(len(x), CONTEXT, WIDTH)


def _outer(x: Array, d_y: Array) -> Array:
    """Return the gradient of the matrix in y = x @ matrix, over all words and positions."""
    return x.reshape(-1, x.shape[-1]).T @ d_y.reshape(-1, d_y.shape[-1])


def train(steps: int = STEPS, *, tell: bool = False) -> Weights:
    """Train for some steps of the whole plan with AdamW. Only matrices and tables decay."""
    random = np.random.default_rng(SEED)
    w = initial_weights(random)
    mean = {name: np.zeros_like(each) for name, each in w.items()}
    square = {name: np.zeros_like(each) for name, each in w.items()}
    for step in range(1, steps + 1):
        loss, gradients = loss_and_gradients(w, draw_words(random, BATCH))
        rate = RATE * min(step / WARM_UP, (1 + math.cos(math.pi * step / STEPS)) / 2)
        for name, g in gradients.items():
            mean[name] += (1 - BETAS[0]) * (g - mean[name])
            square[name] += (1 - BETAS[1]) * (g**2 - square[name])
            towards = mean[name] / (1 - BETAS[0] ** step)
            size = np.sqrt(square[name] / (1 - BETAS[1] ** step)) + 1e-8
            decay = DECAY * w[name] if w[name].ndim > 1 else 0.0
            w[name] -= rate * (towards / size + decay)
        if tell and step % 100 == 0:
            print(f"step {step}  loss {loss:.5f}")
    return w


def to_json(w: Weights) -> str:
    """Write the model as the lessons take it, rounded to 4 decimals, one name in a line."""
    block = {name: (np.round(each, 4) + 0.0).tolist() for name, each in w.items()}  # + 0.0: no -0.0
    outside = {name: block.pop(name) for name in MODEL}
    model = {"letters": LETTERS, "n_heads": HEADS, **outside, "blocks": [block]}
    lines = [f"{json.dumps(name)}:{json.dumps(value, separators=(',', ':'))}" for name, value in model.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> None:
    """Train, and write the file."""
    parser = argparse.ArgumentParser(description="Train the model that reverses words, and write its weights.")
    parser.add_argument("file", nargs="?", type=Path, default=FILE, help="where to write (default: %(default)s)")
    file = parser.parse_args().file
    weights = train(tell=True)
    file.write_text(to_json(weights), encoding="utf-8")
    print(f"{sum(each.size for each in weights.values()):,} weights in {file}")


if __name__ == "__main__":
    main()
