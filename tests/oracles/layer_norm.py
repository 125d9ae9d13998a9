"""Layer norm by way of pairs: the variance is half the mean of all squared differences between two numbers of a row."""

import numpy as np


def legal(rng):
    """Return inputs that the text allows, of any size and kind."""
    tokens, width = (int(rng.integers(1, high)) for high in (9, 12))
    X = rng.normal(size=(tokens, width)) * float(rng.choice([1e-3, 1.0, 30.0, 2e4]))
    if rng.random() < 0.3:
        X = X.round().astype(int)
    if rng.random() < 0.2:
        X[-1] = X[-1, 0]
    gain, bias = rng.uniform(-10, 10, size=(2, width)).tolist()
    return np.clip(X, -1e5, 1e5).tolist(), gain, bias, float(10 ** rng.uniform(-6, 0))


def limits():
    """Return one number, the longest rows, the largest numbers, equal ones, and nearly equal ones far from zero."""
    return [
        ([[-3]], [10], [-10], 1),
        ([[0.1] * 64] * 64, [10.0] * 64, [0] * 64, 1e-6),
        ([[1e5] * 63 + [-1e5]], [10.0] * 64, [10.0] * 64, 1e-6),
        ([[99999.9] * 64, [-1e5] * 64], [10.0] * 64, [0.5] * 64, 1e-6),
        ([[1e5, 99999.999, 1e5]], [1, 10, -10], [0, 0, 0], 1e-6),
        ([[0, 0, 0], [1, 1, 2]], [0, 0, 0], [1, 2, 3], 1),
    ]


def oracle(X, gain, bias, eps):
    """Compute (X - mean) / √(variance + eps) times gain plus bias, (tokens, d)."""
    X = np.array(X, dtype=float)
    differences = X[:, :, None] - X[:, None, :]  # (tokens, d, d); their mean over the last axis is X - mean
    variance = (differences**2).mean(axis=(1, 2)) / 2
    return differences.mean(axis=2) / np.sqrt(variance + eps)[:, None] * np.array(gain) + np.array(bias)
