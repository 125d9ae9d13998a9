"""Do a child's work a few times in the zygote, on made-up functions of no lesson, before any child is forked.

Python rewrites code that it has run a few times into a faster form (PEP 659). Done here once, no child runs the slow
form of ours or numpy's code, and none has memory pages copied in order to write the fast one.
"""

from __future__ import annotations

import os
import sys
from marshal import dumps
from typing import Final

from autograder.sandbox.child import LOADING_FILE, MARSHAL_VERSION, OUTPUT_FILE, PRINTED_FILE, Doing, Job
from autograder.sandbox.wire import INPUT
from course.running.notebook import NAME_DURING_CALLS
from course.running.printing import Streams

_ROUNDS: Final = 4
_CALLS: Final = 12  # Python takes a form for worth rewriting when it has run eight times
_ROOM: Final = {"memory_bytes": 0, "output_bytes": 1 << 20, "printed_characters": 100, "cpu_seconds": 0.0}
_TABLE: Final = [[1.0, -2.0, 0.5], [0.25, 3.0, -1.0]]
_LISTS: Final = '''
import math
from functools import reduce

def areas(table):
    for row in table:
        yield [abs(side) * math.sqrt(abs(side)) for side in row]

def solve(table, power=2, upward=True):
    """Count and add this and that."""
    total, found = 0.0, {}
    print("begin")
    for i, row in enumerate(areas(table)):
        for j in range(len(row)):
            total += row[j] ** power if upward and j >= i else -row[j]
        found[i] = (min(row), max(row), sum(a * b for a, b in zip(row, row)))
    ordered = sorted(found.items(), key=lambda pair: pair[1])
    return [[float(i), *row, reduce(max, row, total)] for i, row in ordered]
'''
_ARRAYS: Final = """
import numpy as np

def solve(table, power=2, upward=True):
    sides = np.asarray(table, dtype=float)
    n, m = sides.shape
    near = np.exp(-np.abs(sides)) / np.sqrt(np.array([row for row in sides]).std(axis=-1, keepdims=True) + 1)
    kept = np.where(np.arange(n)[:, None] <= np.arange(m)[None, :], near, np.log(1 + sides * sides))
    low, high = kept.min(axis=1, keepdims=True), np.max(kept, axis=0)
    both = np.concatenate([kept @ sides.T, np.dot(kept, np.eye(m)) - np.tril(np.ones((n, m)))], axis=1)
    return (both.reshape(n, -1) * low + np.sum(high) + kept.mean()).tolist()
"""
_WRONG: Final = """
def solve(table, power=2, upward=True):
    return table[power + 1][0] + missing
"""


def warm_up(devnull: int) -> Streams:
    """Run the functions above as a child would, and put all back as it was.

    Returns the streams that children replace: somebody has to keep them, or each child takes the time to end them.
    """
    streams, main = Streams.now(), sys.modules["__main__"]
    blob = dumps((_TABLE, 3), MARSHAL_VERSION)
    inputs = (INPUT.pack(False, len(blob)) + blob) * _CALLS  # noqa: FBT003  # as `calls` packs them
    files = (OUTPUT_FILE, PRINTED_FILE, LOADING_FILE)
    for file in files:
        os.dup2(devnull, file, inheritable=False)
    for source in (_LISTS, _ARRAYS, _WRONG) * _ROUNDS:
        job = Job(
            "solve", 0, [(1, source)], memory_bytes=0, output_bytes=1 << 20, printed_characters=100, cpu_seconds=0.0
        )
        Doing(job, inputs).do(gated=False)
    for file in files:
        os.close(file)
    streams.give_back()
    sys.modules["__main__"] = main
    del sys.modules[NAME_DURING_CALLS]
    return streams
