"""The feed-forward layer on whole arrays, with tanh(x) as 1 - 2 / (exp(2x) + 1)."""

import numpy as np


def legal(rng):
    """Return inputs that the text allows, of any size and kind."""
    tokens, d, f = (int(rng.integers(1, high)) for high in (10, 9, 13))
    scale = float(rng.choice([0.3, 1.0, 30.0]))
    shapes = (tokens, d), (d, f), (f,), (f, d), (d,)
    inputs = [rng.normal(size=shape) * scale for shape in shapes]
    if rng.random() < 0.3:
        inputs = [numbers.round().astype(int) for numbers in inputs]
    if rng.random() < 0.3:
        inputs[2] = inputs[2] * 0
    return tuple(numbers.tolist() for numbers in inputs)


def limits():
    """Return the smallest, the longest, the widest, the largest and the most even inputs."""
    one = [[0.5]]
    return [
        (one, one, [0], one, [0]),
        ([[0.1]] * 64, [[1, -1]], [0, 0], [[1], [2]], [3]),
        ([[0.1] * 32] * 2, [[0.1] * 64] * 32, [0.5] * 64, [[0.1] * 32] * 64, [1.0] * 32),
        ([[1000.0, -1000.0]], [[500, -500], [-500, 500]], [0.0, 0.0], [[1, 2], [3, 4]], [0.5, 0.25]),
        ([[0, 0], [0, 0]], [[0, 0, 0], [0, 0, 0]], [0, 0, 0], [[0, 0], [0, 0], [0, 0]], [0, 0]),
    ]


def oracle(X, W1, b1, W2, b2):
    """Compute GELU(X W1 + b1) W2 + b2, (tokens, d)."""
    X, W1, b1, W2, b2 = (np.array(each, dtype=float) for each in (X, W1, b1, W2, b2))
    hidden = np.einsum("td,df->tf", X, W1) + b1
    with np.errstate(over="ignore"):
        powers = np.exp(2 * np.sqrt(2 / np.pi) * (hidden + 0.044715 * np.power(hidden, 3)))
    return np.einsum("tf,fd->td", hidden * (1 - 1 / (powers + 1)), W2) + b2
