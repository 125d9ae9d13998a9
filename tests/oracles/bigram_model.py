"""The bigram table by way of one-hot rows: the counts are (now rows)ᵀ (next rows)."""

import numpy as np


def legal(rng):
    """Return inputs that the text allows, of any size and kind."""
    vocab_size = int(rng.integers(1, 41))
    used = int(rng.integers(1, vocab_size + 1))
    ids = rng.integers(used, size=int(rng.integers(1, 120)))
    smoothing = float(rng.choice([1e-6, 0.01, 0.5, 1.0, 7.25, 1000.0]))
    if rng.random() < 0.3:
        smoothing = int(rng.integers(1, 1001))
    return ids.tolist(), vocab_size, smoothing


def limits():
    """Return the shortest and the longest texts, the smallest and the largest smoothing, and unused tokens."""
    return [
        ([0], 1, 1e-6),
        ([0], 40, 1e-6),
        ([39], 40, 1000),
        ([0] * 2000, 1, 1000.0),
        ([0, 1] * 1000, 40, 1e-6),
        ([3] * 2000, 4, 1),
    ]


def oracle(ids, vocab_size, smoothing):
    """Count pairs with a matrix product and divide each row by its sum, (V, V)."""
    rows = np.eye(vocab_size)[np.array(ids)]
    smoothed = rows[:-1].T @ rows[1:] + smoothing
    return smoothed / smoothed.sum(axis=1, keepdims=True)
