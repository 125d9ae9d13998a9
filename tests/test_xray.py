"""The X-ray: the first step whose numbers never appear in a running `solve`, in several styles of code."""

import math
import sys
import time
import types
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT

from course.compare import compare
from course.outcomes import Answered
from course.practice import StepValues, find_practice
from course.values import Numbers, read_value
from course.xray import Place, Sighting, Sightings, watch
from course.xray_look import Look
from course.xray_places import places_of_step
from course.xray_steps import Finding, find_step

PRACTICE = find_practice("attention", ROOT / "source" / "09_attention")
EXAMPLES = [dict(example.arguments) for example in PRACTICE.examples]

STYLES = {
    "lists": """
def solve(Q, K, V, causal):
    out = []
    for i, q in enumerate(Q):
        n = i + 1 if causal else len(K)
        s = [sum(a * b for a, b in zip(q, k)) / math.sqrt(len(q)) for k in K[:n]]
        top = max(s)
        e = [math.exp(x - top) for x in s]
        total = sum(e)
        w = [x / total for x in e]
        out.append([sum(x * row[c] for x, row in zip(w, V)) for c in range(len(V[0]))])
    return out
""",
    "divided late": """
def solve(Q, K, V, causal):
    res = []
    for i, q in enumerate(Q):
        upto = i + 1 if causal else len(K)
        s = [sum(a * b for a, b in zip(q, k)) / math.sqrt(len(q)) for k in K[:upto]]
        e = [math.exp(x - max(s)) for x in s]
        res.append([sum(x * row[c] for x, row in zip(e, V)) / sum(e) for c in range(len(V[0]))])
    return res
""",
    "one number at a time": """
def solve(Q, K, V, causal):
    result = []
    for i in range(len(Q)):
        scores = []
        for j in range(len(K)):
            if causal and j > i:
                break
            s = 0.0
            for t in range(len(Q[i])):
                s += Q[i][t] * K[j][t]
            s = s / math.sqrt(len(Q[i]))
            scores.append(s)
        total = 0.0
        for s in scores:
            total += math.exp(s)
        row = [0.0] * len(V[0])
        for j, s in enumerate(scores):
            w = math.exp(s) / total
            for c in range(len(row)):
                row[c] += w * V[j][c]
        result.append(row)
    return result
""",
    "helpers": """
def solve(Q, K, V, causal):
    return [attend(q, K[:i + 1] if causal else K, V) for i, q in enumerate(Q)]

def attend(q, keys, values):
    return mix(softmax([dot(q, k) / len(q) ** 0.5 for k in keys]), values)

def dot(a, b):
    return sum(x * y for x, y in zip(a, b))

def softmax(xs):
    es = [math.exp(x - max(xs)) for x in xs]
    return [e / sum(es) for e in es]

def mix(weights, values):
    return [sum(w * v[c] for w, v in zip(weights, values)) for c in range(len(values[0]))]
""",
    "numpy tables": """
def solve(Q, K, V, causal):
    Q, K, V = np.array(Q, float), np.array(K, float), np.array(V, float)
    s = Q @ K.T / np.sqrt(Q.shape[1])
    if causal:
        s = np.where(np.tri(*s.shape, dtype=bool), s, -np.inf)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    w = e / e.sum(axis=1, keepdims=True)
    return w @ V
""",
    "numpy, one name": """
def solve(Q, K, V, causal):
    Q, K, V = np.array(Q, float), np.array(K, float), np.array(V, float)
    x = Q @ K.T / np.sqrt(Q.shape[1])
    if causal:
        x[np.triu_indices(len(Q), 1, len(K))] = -1e9
    x -= x.max(axis=-1, keepdims=True)
    x = np.exp(x)
    x /= x.sum(axis=-1, keepdims=True)
    x = x @ V
    return x.tolist()
""",
    "numpy rows": """
def solve(Q, K, V, causal):
    Q, K, V = np.array(Q, float), np.array(K, float), np.array(V, float)
    out = np.zeros((len(Q), V.shape[1]))
    for i in range(len(Q)):
        n = i + 1 if causal else len(K)
        s = K[:n] @ Q[i] / np.sqrt(Q.shape[1])
        w = np.exp(s - s.max())
        out[i] = (w / w.sum()) @ V[:n]
    return out
""",
    "one expression": """
def solve(Q, K, V, causal):
    return [[sum(e * V[j][c] for j, e in enumerate(E)) / sum(E) for c in range(len(V[0]))]
            for E in ([math.exp(s - max(S)) for s in S]
                      for S in ([sum(x * y for x, y in zip(q, k)) / math.sqrt(len(q))
                                 for k in (K[:i + 1] if causal else K)] for i, q in enumerate(Q)))]
""",
}

# style, what is replaced, by what, and the step at which the code then goes another way
MISTAKES = [
    ("lists", "math.sqrt(len(q))", "(len(q) + 1)", 2),
    ("lists", "a * b", "a - b", 2),
    ("lists", "zip(q, k)", "zip(q, K[0])", 2),
    ("lists", "math.exp(x - top)", "(x - top) ** 2", 3),
    ("lists", "math.exp(x - top)", "1.5 ** x", 3),
    ("lists", "x / total", "x / len(e)", 3),
    ("lists", "x / total", "x / max(e)", 3),
    ("lists", "sum(x * row[c]", "max(x * row[c]", 4),
    ("lists", "x * row[c]", "x * row[0]", 4),
    ("lists", "x * row[c]", "x + row[c]", 4),
    ("lists", "zip(w, V)", "zip(reversed(w), V)", 4),
    ("lists", "i + 1 if causal", "i + 2 if causal", 1),
    ("lists", "if causal else len(K)", "if causal else 1", 1),
    ("lists", "i + 1 if causal", "1 if causal", 1),
    ("divided late", "math.sqrt(len(q))", "(len(q) + 1)", 2),
    ("divided late", "math.exp(x - max(s))", "1.5 ** x", 3),
    ("divided late", "math.exp(x - max(s))", "(1 + x)", 3),
    ("divided late", "x * row[c]", "x + row[c]", 4),
    ("divided late", "zip(e, V)", "zip(e, V[1:])", 4),
    ("divided late", "i + 1 if causal", "i + 2 if causal", 1),
    ("one number at a time", "s / math.sqrt(len(Q[i]))", "s / 3", 2),
    ("one number at a time", "s = 0.0", "s = 0.1 * j", 2),
    ("one number at a time", "math.exp(s) / total", "s / total", 3),
    ("one number at a time", "total += math.exp(s)", "total = math.exp(s)", 3),
    ("one number at a time", "w * V[j][c]", "w * V[c % len(V)][c]", 4),
    ("one number at a time", "w * V[j][c]", "w / (1 + V[j][c])", 4),
    ("one number at a time", "j > i", "j >= i + 2", 1),
    ("helpers", "len(q) ** 0.5", "len(q) ** 0.25", 2),
    ("helpers", "x * y for", "x ** y for", 2),
    ("helpers", "e / sum(es)", "e / (1 + sum(es))", 3),
    ("helpers", "math.exp(x - max(xs))", "math.cosh(x)", 3),
    ("helpers", "sum(w * v[c]", "1 + sum(w * v[c]", 4),
    ("helpers", "K[:i + 1] if causal", "K[:1] if causal", 1),
    ("numpy tables", "np.sqrt(Q.shape[1])", "np.cbrt(Q.shape[1])", 2),
    ("numpy tables", "Q @ K.T", "(Q + K)", 2),
    ("numpy tables", "np.exp(s - s.max(axis=1, keepdims=True))", "np.maximum(s, 0) + 1e-9", 3),
    ("numpy tables", "e.sum(axis=1, keepdims=True)", "e.sum(axis=1)", 3),
    ("numpy tables", "e.sum(axis=1, keepdims=True)", "e.max()", 3),
    ("numpy tables", "e.sum(axis=1, keepdims=True)", "np.sqrt(e.sum(axis=1, keepdims=True))", 3),
    ("numpy tables", "return w @ V", "return w @ (V + 1)", 4),
    ("numpy tables", "return w @ V", "return w @ np.sort(V, axis=0)", 4),
    ("numpy tables", "return w @ V", "return (w @ V) / len(K)", 4),
    ("numpy tables", "np.tri(*s.shape", "np.tri(*s.shape, 1", 1),
    ("numpy tables", "-np.inf", "-2.0", 1),
    ("numpy, one name", "np.sqrt(Q.shape[1])", "(1 + Q.shape[1])", 2),
    ("numpy, one name", "x = np.exp(x)", "x = 1 / (1 - x)", 3),
    ("numpy, one name", "x /= x.sum(axis=-1, keepdims=True)", "x /= x.sum(axis=0) + 0.5", 3),
    ("numpy, one name", "x = x @ V", "x = x @ V - 1", 4),
    ("numpy, one name", "= -1e9", "= -1", 1),
    ("numpy rows", "np.sqrt(Q.shape[1])", "(1 + Q.shape[1])", 2),
    ("numpy rows", "np.exp(s - s.max())", "np.tanh(s) + 1", 3),
    ("numpy rows", "@ V[:n]", "@ np.abs(V[:n] - 1)", 4),
    ("numpy rows", "i + 1 if causal", "i + 2 if causal", 1),
    ("one expression", "math.sqrt(len(q))", "(len(q) + 1)", 2),
    ("one expression", "math.exp(s - max(S))", "(1 + s)", 3),
    ("one expression", "e * V[j][c]", "e + V[j][c]", 4),
    ("lists", "/ math.sqrt(len(q))", "* len(q)", 2),
    ("lists", "math.exp(x - top)", "math.exp((x - top) / 2)", 3),
    ("lists", "total = sum(e)", "total = sum(s)", 3),
    ("lists", "total = sum(e)", "total = sum(e) + 1", 3),
    ("lists", "for x, row in zip(w, V)", "for x, row in zip(w[1:], V)", 4),
    (
        "lists",
        "out.append([sum(x * row[c] for x, row in zip(w, V)) for c in range(len(V[0]))])",
        "out.append([sum(x * row[c] for x, row in zip(w, V)) ** 2 for c in range(len(V[0]))])",
        4,
    ),
    ("lists", "n = i + 1 if causal else len(K)", "n = len(K) - i if causal else len(K)", 1),
    ("divided late", "a * b", "(a - b) ** 2", 2),
    ("divided late", "/ sum(e) for", "/ len(e) for", 3),
    ("divided late", "/ sum(e) for", "/ (sum(e) + 1) for", 3),
    ("divided late", "math.exp(x - max(s))", "math.exp(x - max(s)) ** 2", 3),
    ("divided late", "math.exp(x - max(s))", "abs(x - max(s)) + 0.1", 3),
    ("divided late", "x * row[c]", "x * row[0]", 4),
    ("divided late", "zip(e, V)", "zip(e, K)", 4),
    ("divided late", "zip(e, V)", "zip(sorted(e), V)", 4),
    ("divided late", "i + 1 if causal", "max(i, 1) if causal", 1),
    ("one number at a time", "s += Q[i][t] * K[j][t]", "s += Q[i][t] + K[j][t]", 2),
    ("one number at a time", "w = math.exp(s) / total", "w = 1 / total", 3),
    ("one number at a time", "total += math.exp(s)", "total += s", 3),
    ("one number at a time", "row[c] += w * V[j][c]", "row[c] = w * V[j][c]", 4),
    ("one number at a time", "if causal and j > i", "if causal and j < i", 1),
    ("helpers", "softmax([", "([", 3),
    ("helpers", "es = [math.exp(x - max(xs)) for x in xs]", "es = [math.exp(x - min(xs)) + 1 for x in xs]", 3),
    ("helpers", "e / sum(es)", "round(e / sum(es), 2)", 3),
    ("helpers", "w * v[c]", "w * values[0][c]", 4),
    ("helpers", "dot(q, k) / len(q) ** 0.5", "dot(q, k) / len(q) ** 1.5", 2),
    ("numpy tables", "Q @ K.T / np.sqrt(Q.shape[1])", "(Q @ K.T).round() / Q.shape[1] ** 1.5", 2),
    ("numpy tables", "e / e.sum(axis=1, keepdims=True)", "e - e.sum(axis=1, keepdims=True)", 3),
    ("numpy tables", "np.exp(s - s.max(axis=1, keepdims=True))", "np.exp2(s) * 1.0 + 1", 3),
    ("numpy tables", "return w @ V", "return (w @ V).round(1)", 4),
    ("numpy tables", "return w @ V", "return w * V", 4),
    ("numpy tables", "return w @ V", "return np.cumsum(w @ V, axis=0)", 4),
    ("numpy tables", "if causal:", "if not causal:", 1),
    ("numpy, one name", "/ np.sqrt(Q.shape[1])", "/ Q.shape[1] ** 2", 2),
    ("numpy, one name", "Q @ K.T", "Q @ K.T + 0.5 * np.eye(len(Q), len(K))", 2),
    ("numpy, one name", "x /= x.sum(axis=-1, keepdims=True)", "x /= x.sum()", 3),
    ("numpy, one name", "x /= x.sum(axis=-1, keepdims=True)", "pass", 3),
    ("numpy, one name", "x @ V", "x.T @ V + 1", 4),
    ("numpy, one name", "len(Q), 1, len(K)", "len(Q), 0, len(K)", 1),
    ("numpy rows", "w / w.sum()", "w / w.max()", 3),
    ("numpy rows", "w / w.sum()", "w", 3),
    ("numpy rows", "Q[i] / np", "Q[0] / np", 2),
    ("numpy rows", "V[:n]", "V[:n][::-1]", 4),
    ("one expression", "/ sum(E)", "/ len(E)", 3),
    ("one expression", "K[:i + 1] if causal", "K[:1] if causal", 1),
]


def write(source):
    """Define `solve` in a module of its own, as a notebook does."""
    module = types.ModuleType("learner")
    module.__dict__.update(math=math, np=np)
    exec(compile(source, "learner", "exec"), module.__dict__)  # noqa: S102
    return module.solve


def find(solve):
    """Let the X-ray look where the examples fail."""
    passed = []
    for example in PRACTICE.cases:
        try:
            outcome = Answered(read_value(solve(*example.arguments.values())))
        except Exception:  # noqa: BLE001
            passed.append(False)
        else:
            passed.append(compare(outcome, example.returns).passed)
    assert not all(passed)
    return find_step(solve, [case.arguments for case in PRACTICE.cases], passed, PRACTICE.step_values)


def first_step_not_seen(sightings, steps):
    """Return the first step whose numbers never appear; None if there is none, or if it cannot be told."""
    return Look(sightings, steps).first_not_seen if sightings.complete else None


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("at", range(5))
def test_a_right_solution_is_never_accused(style, at):
    """In a right solution no step of any example is missing."""
    assert first_step_not_seen(watch(write(STYLES[style]), EXAMPLES[at]), PRACTICE.step_values[at]) is None


@pytest.mark.parametrize(("style", "right", "wrong", "step"), MISTAKES)
def test_the_first_wrong_step_is_named(style, right, wrong, step):
    """A mistake in one step is found at that step, in every style."""
    assert right in STYLES[style]
    finding = find(write(STYLES[style].replace(right, wrong)))

    assert finding is not None
    assert finding.step == step


def test_the_finding_has_what_is_right_and_where_it_ends():
    """The right steps come first, then the one that goes another way."""
    assert find(write(STYLES["lists"].replace("x / total", "x / len(e)"))) == Finding(3, (1, 2))


def test_all_steps_right_and_a_wrong_answer_points_to_the_end():
    """Where every step has its numbers and the answer is wrong, no step is accused."""
    finding = find(write(STYLES["lists"].replace("return out", "return out[::-1]")))

    assert finding == Finding(None, (1, 2, 3, 4))


NOT_EMPTIED = [("scores = []", 2), ("exps = []", 3), ("row = []", 4), ("total = 0.0", 3)]
ROW_BY_ROW = """
def solve(Q, K, V, causal):
    result = []
    for i in range(len(Q)):
        scores = []
        for k in K[: i + 1] if causal else K:
            scores.append(sum(a * b for a, b in zip(Q[i], k)) / math.sqrt(len(k)))
        exps = []
        total = 0.0
        for s in scores:
            exps.append(math.exp(s))
            total += exps[-1]
        weights = [e / total for e in exps]
        row = []
        for c in range(len(V[0])):
            row.append(sum(w * V[j][c] for j, w in enumerate(weights)))
        result.append(row)
    return result
"""


@pytest.mark.parametrize(("start", "step"), NOT_EMPTIED)
def test_what_is_not_emptied_for_each_row_is_found_at_its_own_step(start, step):
    """A list or a sum that goes on from row to row is blamed on its own step, and no later step is called right."""
    moved = ROW_BY_ROW.replace(f"        {start}\n", "").replace("    result = []\n", f"    result = []\n    {start}\n")
    finding = find(write(moved))

    assert finding.step == step
    assert all(number < step for number in finding.right)


def look(steps, *streams):
    """Hold numbers, each in a variable of its own, against steps."""
    place = Place("cell", "solve", 1, 2)
    numbers = [[Sighting(at, place, read_value(each)) for at, each in enumerate(stream)] for stream in streams]
    values = [StepValues(number, name, tuple(map(read_value, each))) for number, name, each in steps]
    return Look(Sightings(tuple(map(tuple, numbers)), (read_value([[3, 1], [6, 2]]),)), values)


def test_numbers_of_a_later_step_that_repeat_an_earlier_one_prove_nothing():
    """Where values are 1 on the diagonal, the mix of values is the weights again: seeing those is step 3 only."""
    steps = [(3, "weights", [[0.3, 0.7]]), (4, "output", [[0.3, 0.7]])]

    assert look(steps, [[0.3, 0.7], [5.0, 5.0]]).first_not_seen == 4


def test_an_input_with_another_constant_taken_away_is_not_the_step():
    """To subtract the mean is one constant for each row; a row less any other number is wrong."""
    steps = [(1, "centred", [[1, -1], [2, -2]]), (2, "variance", [1.5, 4.5])]

    assert look(steps, [[0.5, -1.5], [1.5, -2.5]]).first_not_seen == 1
    assert look(steps, [[1, -1], [2, -2]]).first_not_seen == 2


def test_numbers_that_mean_nothing_are_no_evidence():
    """A step that only counts is never called wrong because its whole numbers do not appear."""
    numbers = Sightings((), (Numbers((1,), (3.0,)),))
    count = StepValues(1, "count", (Numbers((), (2.0,)), Numbers((), (2.0,))))

    assert first_step_not_seen(numbers, (count,)) is None


def test_the_line_of_a_step_is_where_its_numbers_are_first_complete():
    """Scores stand after line 6 of the cell, weights after line 10."""
    sightings = watch(write(STYLES["lists"]), EXAMPLES[0])
    places = {step.name: places_of_step(sightings, step) for step in PRACTICE.step_values[0]}
    lines = {name: found[0].line for name, found in places.items() if found}

    assert lines["scores"] == 6
    assert lines["weights"] == 10


UNRULY = {
    "an error": "def solve(*_):\n    raise ValueError",
    "an exit": "def solve(*_):\n    raise SystemExit",
    "an interrupt": "def solve(*_):\n    raise KeyboardInterrupt",
    "another number of inputs": "def solve(Q):\n    return Q",
    "an odd value": "class Odd(list):\n    __len__ = None\ndef solve(*_):\n    x = [Odd()]\n    return x",
    "its own trace": "import sys\ndef solve(*_):\n    sys.settrace(None)\n    return 1",
    "a list in itself": "def solve(*_):\n    x = []\n    x.append(x)\n    return x",
}


@pytest.mark.parametrize("source", UNRULY.values(), ids=UNRULY)
def test_watching_never_raises_and_leaves_the_tracing_as_it_was(source):
    """Whatever the code does, the caller gets its sightings, and a debugger's trace function is back."""

    def before(*_):
        return None

    old = sys.gettrace()
    sys.settrace(before)
    try:
        sightings = watch(write(source), EXAMPLES[0])
        after = sys.gettrace()
    finally:
        sys.settrace(old)
    assert isinstance(sightings, Sightings)
    assert after is before


ENDLESS = {
    "a loop": "    while True:\n        pass",
    "a generator": "    return sum(1.0 for _ in iter(int, 1))",
    "memory": "    x = []\n    while True:\n        x.append(float(len(x)))",
}


@pytest.mark.parametrize("body", ENDLESS.values(), ids=ENDLESS)
def test_an_endless_call_is_ended_and_accuses_nobody(body):
    """Time, events and memory are limited; what was not watched to its end is not judged."""
    start = time.process_time()
    sightings = watch(write(f"def solve(*_):\n{body}"), EXAMPLES[0], seconds=0.3)

    assert not sightings.complete
    assert first_step_not_seen(sightings, PRACTICE.step_values[0]) is None
    assert sum(len(each.numbers.flat) for stream in sightings.streams for each in stream) < 300_000
    assert time.process_time() - start < 3


def test_the_learners_inputs_and_screen_are_left_alone(capsys):
    """The call gets copies, and its prints are not shown."""
    example = {"Q": [[1.0]], "K": [[1.0]], "V": [[1.0]], "causal": False}
    watch(write("def solve(Q, K, V, causal):\n    Q[0][0] = 9.0\n    print('noise')"), example)

    assert example["Q"] == [[1.0]]
    assert capsys.readouterr().out == ""


def test_a_helper_module_beside_the_notebook_is_the_learners_own(tmp_path, monkeypatch):
    """Functions that the learner keeps in a file of their own are watched; libraries are not."""
    Path(tmp_path, "my_softmax.py").write_text("def soft(xs):\n    found = [x + 0.25 for x in xs]\n    return found\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    source = "import my_softmax, statistics\ndef solve(Q):\n    statistics.mean(Q)\n    return my_softmax.soft(Q)"
    places = {each.place for stream in watch(write(source), {"Q": [1.0, 2.0]}).streams for each in stream}

    assert {place.function for place in places} >= {"solve", "soft"}
    assert not [place for place in places if "statistics" in place.file]
