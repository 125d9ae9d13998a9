"""Right solutions of the attention lesson in two styles, for tests that change them in one place."""

LISTS = """import math


def solve(Q, K, V, causal):
    out = []
    for i in range(len(Q)):
        q = Q[i]
        last = i + 1 if causal else len(K)
        scores = []
        for j in range(last):
            s = 0
            for a in range(len(q)):
                s += q[a] * K[j][a]
            scores.append(s / math.sqrt(len(q)))
        m = max(scores)
        e = [math.exp(x - m) for x in scores]
        w = [x / sum(e) for x in e]
        row = []
        for c in range(len(V[0])):
            t = 0
            for j in range(last):
                t += w[j] * V[j][c]
            row.append(t)
        out.append(row)
    return out
"""
TABLES = """import numpy as np


def solve(Q, K, V, causal):
    Q, K, V = np.array(Q, float), np.array(K, float), np.array(V, float)
    s = Q @ K.T / np.sqrt(Q.shape[1])
    if causal:
        s = np.where(np.tril(np.ones(s.shape)) == 0, -np.inf, s)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    w = e / e.sum(axis=1, keepdims=True)
    return w @ V
"""
