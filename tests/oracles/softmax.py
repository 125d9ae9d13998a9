"""Softmax by way of differences: probability i is 1 / sum over j of exp(score j - score i)."""

import numpy as np


def legal(rng):
    """Return inputs that the text allows, of any size and kind."""
    count = int(rng.integers(1, 40))
    scale = float(rng.choice([1.0, 30.0, 1e3, 5e5]))
    scores = rng.normal(size=count) * scale
    if rng.random() < 0.3:
        return ([int(score) for score in scores],)
    if rng.random() < 0.3:
        scores[: count // 2] = scores[-1]
    return (np.clip(scores, -2e6, 2e6).tolist(),)


def limits():
    """Return the shortest, the longest, the largest, the lowest and the most even lists."""
    return [
        ([0],),
        ([-2e6],),
        ([2e6] * 1000,),
        ([-2_000_000, -1_999_999],),
        ([-2e6, 2e6],),
        ([float(number) for number in range(1000)],),
    ]


def oracle(scores):
    """Compute softmax(scores), (n,)."""
    scores = np.array(scores, dtype=float)
    with np.errstate(over="ignore"):
        return 1 / np.exp(scores[None, :] - scores[:, None]).sum(axis=1)
