"""Run a solution's text on a lesson's calls, and small solutions of our own, right and wrong.

The code here is ours or the shared examples of honest work: it runs in this process, without the sandbox.
"""

import contextlib
import decimal
import io
import json
import signal
import sys
import types
import warnings

import numpy as np

from autograder.lesson import outcome_of
from course.compare import compare
from course.outcomes import Raised, Stopped, StopReason

CPU_SECONDS = 0.6  # for all calls of one solution; an honest one needs a hundredth of it


class OutOfTimeError(BaseException):
    """The solution used up its CPU seconds; no `except Exception` in it stops this."""


def wanted(lesson):
    """Return the right answer of every call: the examples as written, then the hidden cases."""
    return [example.returns for example in lesson.examples] + list(lesson.expected)


def run(source, lesson):
    """Define `solve` from the text in a fresh module, make all calls in order, return their outcomes."""
    module = types.ModuleType("handed_in")
    sys.modules["handed_in"] = module
    outcomes = []
    try:
        with _left_as_it_was(), warnings.catch_warnings(action="ignore"), _limited():
            exec(compile(source, "handed_in.py", "exec"), module.__dict__)  # noqa: S102
            for call in lesson.calls:
                outcomes.append(outcome_of(module.solve, call))  # noqa: PERF401  # what is there before a stop counts
    except OutOfTimeError:
        outcomes.append(Stopped(StopReason.TIME))
    except Exception as error:  # noqa: BLE001  # whatever the text raises when it is defined
        outcomes.append(Raised(type(error).__name__, str(error)))
    finally:
        del sys.modules["handed_in"]
    return outcomes + [Stopped(StopReason.NOT_RUN)] * (len(lesson.calls) - len(outcomes))


def judge(source, lesson):
    """Return the verdict of every call."""
    outcomes = run(source, lesson)
    return [compare(outcome, want) for outcome, want in zip(outcomes, wanted(lesson), strict=True)]


def lost(passed, lesson):
    """Name what is lost: "example 2", or the group's name, for one True or False per call."""
    labels = [f"example {number}" for number in range(1, 1 + len(lesson.examples))]
    labels += [group.name for group in lesson.groups for _ in group.calls]
    return list(dict.fromkeys(label for label, ok in zip(labels, passed, strict=True) if not ok))


@contextlib.contextmanager
def _left_as_it_was():
    """Swallow prints, and undo the settings that a solution may change."""
    recursion = sys.getrecursionlimit()
    with contextlib.redirect_stdout(io.StringIO()), decimal.localcontext(), np.errstate():
        try:
            yield
        finally:
            sys.setrecursionlimit(recursion)


@contextlib.contextmanager
def _limited():
    def stop(_signal, _frame):
        raise OutOfTimeError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, CPU_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def oracle(Q, K, V, causal):
    """Compute attention with whole arrays in float64: written apart from the reference, to hold it against."""
    q, k, v = (np.asarray(rows, dtype=np.float64) for rows in (Q, K, V))
    scores = q @ k.T / np.sqrt(q.shape[1])  # (n_queries, n_keys)
    if causal:
        scores = np.where(np.arange(len(k))[None, :] > np.arange(len(q))[:, None], -np.inf, scores)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True) @ v


def by_hand(Q, K, V, causal):
    """Return every number on the way to the answer, as someone writes it down with five decimals."""
    seen = set()
    for i, q in enumerate(np.asarray(Q, dtype=float)):
        count = i + 1 if causal else len(K)
        dots = np.asarray(K, dtype=float)[:count] @ q
        scores = dots / np.sqrt(len(q))
        shifted = scores - scores.max()
        exps = np.exp(shifted)
        weights = exps / exps.sum()
        output = weights @ np.asarray(V, dtype=float)[:count]
        for numbers in (dots, [np.sqrt(len(q))], scores, shifted, exps, [exps.sum()], weights, output):
            seen |= {f"{number:.5f}" for number in numbers}
    return seen


def entries(index):
    """Read a shared index; an absent one has no entries."""
    return json.loads(index.read_text(encoding="utf-8"))["entries"] if index.is_file() else []


_LISTS = """
import math

def solve(Q, K, V, causal):
    out = []
    for i, q in enumerate(Q):
        n = i + 1 if causal else len(K)
        s = [sum(a * b for a, b in zip(q, k)) / math.sqrt(len(q)) for k in K[:n]]
        m = max(s)
        e = [math.exp(x - m) for x in s]
        out.append([sum(w * v[c] for w, v in zip(e, V)) / sum(e) for c in range(len(V[0]))])
    return out
"""
_ARRAYS = """
import numpy as np

def solve(Q, K, V, causal):
    Q, K, V = (np.array(each, dtype=float) for each in (Q, K, V))
    s = Q @ K.T / np.sqrt(Q.shape[1])
    if causal:
        s = np.where(np.tri(*s.shape, dtype=bool), s, -np.inf)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True) @ V
"""

RIGHT = {
    "lists": _LISTS,
    "arrays": _ARRAYS,
    "rows of an array": _ARRAYS.replace("return e", "return list(e").replace("@ V\n", "@ V)\n"),
    "tuples": _LISTS.replace("return out", "return tuple(map(tuple, out))"),
    "numpy numbers in lists": _LISTS.replace("sum(w *", "np.float64(1) * sum(w *").replace(
        "import math", "import math\nimport numpy as np"
    ),
    "hidden scores are -1e9": _ARRAYS.replace("-np.inf", "-1e9"),
    "minus infinity is added": _ARRAYS.replace(
        "s = np.where(np.tri(*s.shape, dtype=bool), s, -np.inf)",
        "s = s + np.triu(np.full(s.shape, -np.inf), k=1)",
    ),
    "einsum": _ARRAYS.replace("Q @ K.T", "np.einsum('id,jd->ij', Q, K)"),
    "a power of one half": _LISTS.replace("math.sqrt(len(q))", "len(q) ** 0.5"),
    "another shift": _LISTS.replace("m = max(s)", "m = max(s) - 1.0"),
    "a helper below": _LISTS.replace("[math.exp(x - m) for x in s]", "powers(s, m)")
    + "\ndef powers(s, m):\n    return [math.exp(x - m) for x in s]\n",
    "prints as it goes": _LISTS.replace("        m = max(s)", "        print(s)\n        m = max(s)"),
    "one row at a time by recursion": _LISTS.replace("def solve", "def rows") + "\ndef solve(Q, K, V, causal, i=0):\n"
    "    if i == len(Q):\n        return []\n"
    "    n = i + 1 if causal else len(K)\n"
    "    return rows([Q[i]], K[:n], V[:n], False) + solve(Q, K, V, causal, i + 1)\n",
}

WRONG = {
    "no return": _LISTS.replace("    return out\n", ""),
    "the stub": "def solve(Q, K, V, causal):\n    raise NotImplementedError\n",
    "too few parameters": _LISTS.replace("V, causal)", "V)").replace("if causal else len(K)", "if False else len(K)"),
    "tanh of the scores": _LISTS.replace("m = max(s)", "s = [math.tanh(x) for x in s]\n        m = max(s)"),
    "distance instead of dot product": _LISTS.replace("a * b", "-((a - b) ** 2)"),
    "every weight has a small part added": _LISTS.replace("math.exp(x - m)", "math.exp(x - m) + 0.001"),
    "strings": _LISTS.replace("return out", "return [[str(x) for x in row] for row in out]"),
    "whole-number array": _ARRAYS.replace("dtype=float", "dtype=int"),
    "examples by heart": "def solve(Q, K, V, causal):\n"
    "    if len(Q[0]) == 4:\n        return [[5.84847], [4]]\n"
    "    if len(Q[0]) == 1:\n        return [[2], [4]] if causal else [[4], [4]]\n"
    "    row = [6.69762, 3.30238]\n"
    "    return [[10, 0], row[::-1]] if causal else [row, row[::-1]]\n",
    "errors become value rows": _ARRAYS.replace("np.tri(*s.shape, dtype=bool)", "np.tri(len(Q), dtype=bool)").replace(
        "def solve", "def attend"
    )
    + "\ndef solve(Q, K, V, causal):\n    try:\n        return attend(Q, K, V, causal)\n"
    "    except ValueError:\n        return V[:len(Q)]\n",
    "the same answer for the same number of queries": "seen = {}\n"
    + _LISTS.replace("def solve", "def attend")
    + "\ndef solve(Q, K, V, causal):\n"
    "    return seen.setdefault((str(Q), str(V), causal), attend(Q, K, V, causal))\n",
    "exponential time": _LISTS.replace("def solve", "def rows") + "\ndef solve(Q, K, V, causal):\n"
    "    if len(Q) == 1:\n        return rows(Q, K, V, causal)\n"
    "    if solve(Q[:-1], K, V, causal):\n"
    "        last = rows(Q, K, V, causal)[-1]\n"
    "    return solve(Q[:-1], K, V, causal) + [last]\n",
    "recursion over every number": _LISTS.replace("def solve", "def rows") + "\ndef solve(Q, K, V, causal):\n"
    "    right = rows(Q, K, V, causal)\n"
    "    def fill(n):\n        return [] if n < 0 else fill(n - 1) + [right[n // len(V[0])][n % len(V[0])]]\n"
    "    flat = fill(len(Q) * len(V[0]) - 1)\n"
    "    return [flat[i:i + len(V[0])] for i in range(0, len(flat), len(V[0]))]\n",
    "removes the keys it has used": _LISTS.replace("return out", "K.clear()\n    return out"),
}
