"""Causal softmax by way of differences: weight j is 1 / sum over the visible n of exp(score n - score j)."""

import numpy as np


def legal(rng):
    """Return inputs that the text allows, of any size and kind."""
    queries = int(rng.integers(1, 12))
    keys = queries + int(rng.integers(8)) * int(rng.integers(2))
    scale = float(rng.choice([1.0, 30.0, 1e3, 5e5]))
    scores = np.clip(rng.normal(size=(queries, keys)) * scale, -2e6, 2e6)
    if rng.random() < 0.3:
        return (scores.astype(int).tolist(),)
    if rng.random() < 0.3:
        scores[:, keys // 2 :] = scores[0, 0]
    return (scores.tolist(),)


def limits():
    """Return the smallest, the longest, the largest, the lowest and the most even tables."""
    return [
        ([[0]],),
        ([[-2e6]],),
        ([[2e6] * 64],),
        ([[0.0] * 64] * 64,),
        ([[-2_000_000, 2_000_000], [-2_000_000, 2_000_000]],),
        ([[float(row * column) for column in range(64)] for row in range(64)],),
    ]


def oracle(scores):
    """Compute the weights, (queries, keys)."""
    scores = np.array(scores, dtype=float)
    weights = np.zeros_like(scores)
    last = len(scores) - 1
    for back in range(len(scores)):  # from the last query, which sees every key, upwards
        seen = scores[last - back, : scores.shape[1] - back]
        with np.errstate(over="ignore"):
            weights[last - back, : len(seen)] = 1 / np.exp(seen[None, :] - seen[:, None]).sum(axis=1)
    return weights
