"""Every hostile solution that was collected for the attention lesson gets what it deserves, and harms no one."""

import json
import math
import random
from pathlib import Path

import pytest

from autograder.lesson import Call
from autograder.sandbox import Cell, Limits, Sandbox, pack_calls
from course.compare import compare
from course.outcomes import Answered
from course.values import read_value

FOLDER = Path(__file__).resolve().parent.parent.parent / "shared" / "cases" / "solutions" / "attention"
INDEX = FOLDER / "index.json"
ENTRIES = json.loads(INDEX.read_text(encoding="utf-8"))["entries"] if INDEX.exists() else []
HOSTILE = {entry["file"]: entry for entry in ENTRIES if entry["kind"] == "hostile"}
LIMITS = Limits(call_cpu_seconds=0.1, call_wall_seconds=0.5, load_cpu_seconds=0.5, restarts=1)
HONEST = """
import math
def solve(Q, K, V, causal):
    rows = []
    for at, q in enumerate(Q):
        keys = K[:at + 1] if causal else K
        scores = [sum(a * b for a, b in zip(q, k)) / math.sqrt(len(q)) for k in keys]
        weights = [math.exp(score - max(scores)) for score in scores]
        rows.append([sum(w * v[c] for w, v in zip(weights, V)) / sum(weights) for c in range(len(V[0]))])
    return rows
"""


def make_calls():
    """Make cases on which no shortcut is right: several tokens, all numbers different."""
    chance = random.Random(7)  # noqa: S311  # test data

    def table(rows, columns):
        return [[round(chance.uniform(-3, 3), 3) for _ in range(columns)] for _ in range(rows)]

    return [Call((table(4, 3), table(4, 3), table(4, 2), causal)) for causal in (False, True, False, True)]


def right_answers(calls):
    """Work out the answers with the honest solution."""
    names = {}
    exec(HONEST, names)  # noqa: S102  # the text above
    return [read_value(names["solve"](*call.arguments)) for call in calls]


@pytest.fixture(scope="module")
def sandbox():
    """One sandbox for all, as a class of students has it."""
    with Sandbox(limits=LIMITS) as sandbox:
        yield sandbox


@pytest.mark.skipif(not HOSTILE, reason="the collected solutions are kept outside the course's repository")
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_solution_gets_what_it_deserves(sandbox, name):
    """Zero where it is wrong, full where it is right, and the next submission is right as ever."""
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines(keepends=True)
    source = "".join(line for line in lines if not line.startswith(("# tag:", "# note:")))
    calls = make_calls()
    with pack_calls(calls) as packed:
        outcomes = sandbox.run([Cell(1, source)], packed).outcomes
        after = sandbox.run([Cell(1, HONEST)], packed).outcomes
    passed = [compare(outcome, want).passed for outcome, want in zip(outcomes, right_answers(calls), strict=True)]
    expected = HOSTILE[name]["expected"]
    if expected.startswith("full"):
        assert all(passed)
    elif not HOSTILE[name]["solve_is_right"]:
        assert not any(passed)
    else:
        assert all(passed) or not any(passed)
    assert all(isinstance(outcome, Answered) for outcome in after)
    assert all(compare(outcome, want).passed for outcome, want in zip(after, right_answers(calls), strict=True))
    assert math.isfinite(after[0].value.flat[0])
