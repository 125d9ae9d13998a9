"""Multi-head attention on one four-dimensional table, with the heads as its first axis."""

import numpy as np


def legal(rng):
    """Return inputs that the text allows, of any size and kind."""
    heads = int(rng.integers(1, 5))
    width = heads * int(rng.integers(1, 4))
    tokens = int(rng.integers(1, 8))
    scale = float(rng.choice([1.0, 12.0]))
    tables = [(rng.normal(size=(width, width))).tolist() for _ in range(4)]
    X = (rng.normal(size=(tokens, width)) * scale).tolist()
    return (X, *tables, heads, bool(rng.integers(2)))


def limits():
    """Return the smallest, the longest, the widest and the most extreme inputs."""
    one = [[2.5]]
    wide = [[float((i * j) % 5 - 2) / 8 for j in range(32)] for i in range(32)]
    keep, turn = [[1, 0], [0, 1]], [[-1, 0], [0, -1]]
    return [
        (one, one, one, one, one, 1, True),
        ([[float(n % 3)] for n in range(32)], one, one, one, one, 1, True),
        (wide[:1], wide, wide, wide, wide, 32, False),
        (wide, wide, wide, wide, wide, 4, True),
        ([[1400, 1], [1400, 2], [0, 0]], keep, keep, keep, turn, 2, False),
        ([[1400, 1], [1400, 2], [0, 0]], keep, turn, keep, keep, 1, True),
        ([[0, 0], [0, 0]], keep, keep, keep, keep, 2, False),
    ]


def oracle(X, W_q, W_k, W_v, W_o, heads, causal):  # noqa: PLR0913, PLR0917  # the inputs of the lesson
    """Compute all heads at once: (heads, tokens, head width)."""
    X, W_q, W_k, W_v, W_o = (np.array(table, dtype=float) for table in (X, W_q, W_k, W_v, W_o))
    tokens, width = X.shape
    q, k, v = ((X @ W).reshape(tokens, heads, width // heads).swapaxes(0, 1) for W in (W_q, W_k, W_v))
    scores = np.einsum("hid,hjd->hij", q, k) / np.sqrt(width / heads)
    if causal:
        scores = np.where(np.tri(tokens, dtype=bool), scores, -np.inf)
    exps = np.exp(scores - scores.max(axis=2, keepdims=True))
    weights = exps / exps.sum(axis=2, keepdims=True)
    return np.einsum("hij,hjd->ihd", weights, v).reshape(tokens, width) @ W_o
