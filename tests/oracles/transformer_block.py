"""A transformer block on whole arrays: the sub-layers as functions of the residual stream, the heads as an axis."""

import numpy as np


def _block(rng, d, f, scale=1.0):
    """Return a block of random numbers for these widths."""
    shapes = {f"ln{at}_{name}": (d,) for at in (1, 2) for name in ("gain", "bias")}
    shapes |= {f"w_{name}": (d, d) for name in "qkvo"}
    shapes |= {"w1": (d, f), "b1": (f,), "w2": (f, d), "b2": (d,)}
    return {name: (rng.normal(size=shape) * scale).round(3).tolist() for name, shape in shapes.items()}


def legal(rng):
    """Return inputs that the text allows, of any size and kind."""
    heads = int(rng.integers(1, 5))
    d, f, tokens = heads * int(rng.integers(1, 4)), int(rng.integers(1, 9)), int(rng.integers(1, 7))
    X = rng.normal(size=(tokens, d)) * float(rng.choice([1e-3, 1.0, 30.0, 2e3]))
    if rng.random() < 0.3:
        X = X.round().astype(int)
    if rng.random() < 0.2:
        X[-1] = X[-1, 0]
    return np.clip(X, -1e4, 1e4).tolist(), _block(rng, d, f, float(rng.choice([1.0, 8.0]))), heads


def limits():
    """Return the smallest, the longest, the widest and the most extreme inputs."""
    rng = np.random.default_rng(11)
    wide = rng.normal(size=(32, 32)).round(2).tolist()
    silent = _block(rng, 4, 3) | {"w_o": [[0] * 4] * 4, "w2": [[0] * 4] * 3, "b2": [0] * 4}
    return [
        ([[2.5]], _block(rng, 1, 1), 1),
        ([[float(n % 3)] for n in range(32)], _block(rng, 1, 5), 1),
        (wide, _block(rng, 32, 128, 0.4), 8),
        (wide[:1], _block(rng, 32, 1), 32),
        ([[7, 7, 7, 7], [0, 0, 0, 0], [7, 7, 7, 7]], _block(rng, 4, 3), 2),
        ([[1e4, -1e4, 1e4, 0], [9999.99, 1e4, 1e4, 1e4]], silent, 4),
        ([[1e4, 9999.5], [-1e4, 1e4]], _block(rng, 2, 2, 30.0), 1),
    ]


def oracle(X, block, heads):
    """Compute R + F(norm(R)) with R = X + A(norm(X)), (tokens, d)."""
    tables = {name: np.array(table, dtype=float) for name, table in block.items()}
    X = np.array(X, dtype=float)
    for number, change in ((1, _attention), (2, _feed_forward)):
        centred = X - X.mean(axis=1, keepdims=True)
        normed = centred / np.sqrt(centred.var(axis=1, keepdims=True) + 1e-5)
        X = X + change(normed * tables[f"ln{number}_gain"] + tables[f"ln{number}_bias"], tables, heads)
    return X


def _attention(rows, tables, heads):
    tokens, d = rows.shape
    q, k, v = ((rows @ tables[f"w_{name}"]).reshape(tokens, heads, d // heads) for name in "qkv")
    scores = np.einsum("ihc,jhc->hij", q, k) / np.sqrt(d / heads)
    scores[:, ~np.tri(tokens, dtype=bool)] = -np.inf
    exps = np.exp(scores - scores.max(axis=2, keepdims=True))
    mixed = np.einsum("hij,jhc->ihc", exps / exps.sum(axis=2, keepdims=True), v)
    return mixed.reshape(tokens, d) @ tables["w_o"]


def _feed_forward(rows, tables, _heads):
    hidden = rows @ tables["w1"] + tables["b1"]
    bent = hidden / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (hidden + 0.044715 * hidden**3)))
    return bent @ tables["w2"] + tables["b2"]
