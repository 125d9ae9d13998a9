"""Attention on whole arrays, with the mask as minus infinity."""

import numpy as np


def legal(rng):
    """Return inputs that the text allows, of any size and kind."""
    causal = bool(rng.integers(2))
    queries, width, value_width = (int(rng.integers(1, high)) for high in (9, 9, 9))
    keys = queries + int(rng.integers(4)) if causal else int(rng.integers(1, 9))
    scale = float(rng.choice([1.0, 30.0]))
    sizes = (queries, width), (keys, width), (keys, value_width)
    tables = [(rng.normal(size=size) * scale).tolist() for size in sizes]
    return (*tables, causal)


def limits():
    """Return the smallest, the longest, the largest and the most even inputs."""
    one = [[3.5]]
    return [
        (one, one, one, True),
        ([[0.0]] * 64, [[0.0]] * 64, [[float(n)] for n in range(64)], True),
        ([[1.0] * 32], [[1.0] * 32] * 64, [[2.0] * 32] * 64, False),
        ([[1e3, 1e3]], [[1e3, 1e3], [-1e3, 1e3]], [[1.0], [2.0]], False),
        ([[-1e3, 0.0], [0.0, -1e3]], [[1e3, 1e3], [1e3, 1e3]], [[1, 2], [3, 4]], True),
    ]


def oracle(Q, K, V, causal):
    """Compute softmax(Q Kᵀ / √d) V, (queries, width of V)."""
    Q, K, V = (np.array(table, dtype=float) for table in (Q, K, V))
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    if causal:
        scores = np.where(np.arange(len(K)) > np.arange(len(Q))[:, None], -np.inf, scores)
    exps = np.exp(scores - scores.max(axis=1, keepdims=True))
    return exps / exps.sum(axis=1, keepdims=True) @ V
