"""A call that the learner had to stop: the report and the first hint are about the step where the loop is."""

import shutil
from pathlib import Path

import pytest
from conftest import ROOT
from run_cells import run_cell

from course import session
from course.checking import check
from course.hinting import hint
from course.practice import Practice
from course.values import to_lists

ONE, NINE = "01_encode_text", "09_attention"
TOKENS = """
def solve(text, vocab):
    ids = []
    start = 0
    while start < len(text):
        tick()
        best, size = 0, 0
        i = 1
        while i < len(vocab):
            tick()
            if text.startswith(vocab[i], start) and len(vocab[i]) > size:
                best, size = i, len(vocab[i])
            i += 1
        ids.append(best)
        start += size or 1
    return ids
"""
ATTENTION = """
import math
def solve(Q, K, V, causal):
    rows = []
    for i in range(len(Q)):
        count = i + 1 if causal else len(K)
        scores = []
        j = 0
        while j < count:
            tick()
            scores.append(sum(a * b for a, b in zip(Q[i], K[j])) / math.sqrt(len(Q[i])))
            j += 1
        exps = [math.exp(score) for score in scores]
        weights = [e / sum(exps) for e in exps]
        row = []
        while len(row) < len(V[0]):
            tick()
            row.append(sum(w * v[len(row)] for w, v in zip(weights, V)))
        rows.append(row)
    return rows
"""
# The lesson, its solution, what is changed in it, and the step where the loop does not end.
LOOPS = {
    "the place in the text stays": (ONE, TOKENS, "start += size or 1", "pass", 3),
    "nothing is used up": (ONE, TOKENS, "size or 1", "size", 2),
    "the next piece is never looked at": (ONE, TOKENS, "            i += 1", "            pass", 1),
    "the same key again and again": (NINE, ATTENTION, "            j += 1", "            pass", 2),
    "the row never grows": (NINE, ATTENTION, "row.append(", "math.exp(0 * ", 4),
    "nothing is begun": (NINE, ATTENTION, "    rows = []", "    rows = []\n    while True:\n        tick()", 1),
}


@pytest.mark.parametrize("kind", LOOPS)
def test_hints_are_about_the_step_where_the_loop_is(kind, tmp_path, monkeypatch):
    """What the report names comes first, else how to do the step: the numbers of an endless loop are no help."""
    lesson, code, old, new, step = LOOPS[kind]
    assert old in code
    shutil.copy(ROOT / "release" / lesson / f"{lesson[3:]}.json", tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(session, "_last", [])
    practice = Practice.from_json(Path(f"{lesson[3:]}.json").read_text(encoding="utf-8"))
    rounds = iter(range(300))

    def tick():
        if next(rounds, None) is None:
            raise KeyboardInterrupt

    code = code.replace(old, new)
    names = run_cell(code, {"tick": tick})
    examples = [{**each.arguments, "returns": to_lists(each.returns)} for each in practice.examples]
    report = check(names["solve"], examples, lesson=lesson[3:]).report

    assert report.clue.says.startswith("When you stopped it, your code was in line ")
    assert report.clue.step == step
    first = hint().hints[-1]
    assert first.title == ("What to change first" if report.action else f"How to do step {step}")
    assert report.action in first.text
