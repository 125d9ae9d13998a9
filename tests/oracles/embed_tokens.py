"""Embedding as matrix products: rows of zeros with a single 1, times the tables."""

import numpy as np


def legal(rng):
    """Return inputs that the text allows, of any size and kind."""
    tokens, vocabulary, width = (int(rng.integers(1, high)) for high in (9, 9, 7))
    start = int(rng.integers(0, 4))
    places = start + tokens + int(rng.integers(0, 3))
    scale = float(rng.choice([1.0, 30.0, 2e5]))

    def table(rows):
        numbers = rng.normal(size=(rows, width)) * scale
        return (numbers.round().astype(int) if rng.random() < 0.3 else numbers).tolist()

    return rng.integers(0, vocabulary, size=tokens).tolist(), table(vocabulary), table(places), start


def limits():
    """Return one token, the longest text, the largest vocabulary, the widest rows, the largest numbers."""
    return [
        ([0], [[3]], [[4]], 0),
        ([0] * 64, [[1.5]], [[float(n)] for n in range(64)], 0),
        ([299, 0, 299], [[float(n), -n] for n in range(300)], [[0.5, 0.25]] * 200, 197),
        ([1], [[1.0] * 32, [2] * 32], [[-0.5] * 32], 0),
        ([0, 0], [[1e6, -1e6]], [[-1e6, 1e6], [1e6, -1e6]], 0),
    ]


def oracle(ids, token_table, position_table, start):
    """Compute one-hot ids times the token table plus one-hot places times the position table, (tokens, d)."""
    tokens, places = np.array(token_table, dtype=float), np.array(position_table, dtype=float)
    which, where = np.eye(len(tokens))[ids], np.eye(len(ids), len(places), k=start)
    return which @ tokens + where @ places
