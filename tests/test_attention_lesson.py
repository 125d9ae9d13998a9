"""Lesson 09: its text, its numbers, its hidden cases and its known mistakes fit together."""

import ast
import json
import random
import re

import nbformat
import numpy as np
import pytest
from conftest import CASES, LESSON, ROOT
from lesson_helpers import RIGHT, WRONG, by_hand, judge, lost, oracle, wanted

from autograder.loading import load_lesson
from course.compare import compare
from course.values import read_value

PATH = ROOT / "source" / LESSON / "attention.ipynb"
TEXT = PATH.read_text(encoding="utf-8")
NOTEBOOK = nbformat.reads(TEXT, as_version=4)
CELLS = {cell.id: cell for cell in NOTEBOOK.cells}
SHARED = CASES / "solutions" / "attention"

STEPS = [
    "Choose the keys that this query may see",
    "Score each of these keys against the query",
    "Turn the scores into weights with softmax",
    "Mix the value rows by weight",
]
HEADINGS = [
    "# Compute scaled dot-product attention",
    "## Words to know",
    "## How it works",
    *[f"### Step {number}. {title}" for number, title in enumerate(STEPS, 1)],
    "## Worked example",
    "## Why it matters",
    "## Your turn",
    "### Example 1: no mask",
    "### Example 2: the same rows with the mask",
    "### Example 3: equal scores",
    "### Example 4: equal scores with the mask",
    "### Example 5: queries wider than values",
    "## Hints",
    "## Watch out",
    "## Check yourself",
    "## Solution, step by step",
    "## Next",
]
PAGE_EXAMPLES = [
    ([[1, 0], [0, 1]], [[1, 0], [0, 1]], [[10, 0], [0, 10]], False, [[6.69762, 3.30238], [3.30238, 6.69762]]),
    ([[1, 0], [0, 1]], [[1, 0], [0, 1]], [[10, 0], [0, 10]], True, [[10, 0], [3.30238, 6.69762]]),
    ([[0], [0]], [[0], [0]], [[2], [6]], False, [[4], [4]]),
    ([[0], [0]], [[0], [0]], [[2], [6]], True, [[2], [4]]),
    ([[2, 0, 0, 0], [0, 0, 0, 0]], [[1, 0, 0, 0], [0, 0, 0, 0]], [[8], [0]], False, [[5.84847], [4]]),
]


@pytest.fixture(scope="module")
def attention():
    """The lesson, loaded without a sandbox."""
    return load_lesson(LESSON, ROOT)


def _markdown():
    return "\n\n".join(cell.source for cell in NOTEBOOK.cells if cell.cell_type == "markdown")


def _passes(lesson, mistake):
    outcomes = lesson.mistake_outcomes[mistake.name]
    return [compare(outcome, want).passed for outcome, want in zip(outcomes, wanted(lesson), strict=True)]


# --- the notebook as a file ---


def test_points_fit(attention):
    """Five examples give 5 points and ten groups give 10, one each, as the hidden cell says."""
    assert attention.example_points == len(attention.examples) == 5
    assert [group.points for group in attention.groups] == [1] * 10
    assert attention.hidden_points == 10


# --- the notebook as a text ---


def test_headings_are_in_order():
    """One H1, then every part of the lesson in its order, with no level left out."""
    assert re.findall(r"^#+ .+$", _markdown(), re.MULTILINE) == HEADINGS


@pytest.mark.parametrize(
    "word",
    ["attention", "query", "key", "value", "causal mask", "softmax", "score", "attention weight", "width"],
)
def test_words_to_know(word):
    """Each word has one line of its own."""
    lines = CELLS["words-to-know"].source.splitlines()

    assert sum(line.startswith(f"- **{word}**: ") for line in lines) == 1


@pytest.mark.parametrize(
    ("cell", "facts"),
    {
        "title": ["able to", "35 minutes", "lesson 02", "lesson 08", "lesson 10", "Lesson 11"],
        "how-it-works": [
            "dot product",
            r"\sqrt{d}",
            "width of a query",
            "positive",
            "add up to 1",
            "its weight, then add",
            "$0$ to $i$",
            "before the softmax",
        ],
        "worked-example": ["two thirds", "`[10, 0]`", "key 0 alone", "`[6.69762, 3.30238]`", "`[3.30238, 6.69762]`"],
        "why-it-matters": ["centre", "side by side", "block"],
        "your-turn": [
            "| `Q` |",
            "| `K` |",
            "| `V` |",
            "| `causal` |",
            "**Return** one output row",
            "dot(query, key) / sqrt($d$)",
        ],
        "watch-out": ["before the softmax", "less than 1", "`len(q)`", "number of tokens", "nan", "largest score"],
        "check-yourself": ["**Your code:**"],
        "solution-step-by-step": [
            "go back to the hints",
            "before the softmax",
            "same direction",
            "sqrt($d$)",
            "safe softmax",
            "weighted average",
            "same numbers",
        ],
    }.items(),
)
def test_every_part_of_the_page_is_there(cell, facts):
    """What the lesson has to say is said, each thing in its part."""
    text = CELLS[cell].source

    assert [fact for fact in facts if fact not in text] == []


def test_numbers_in_the_text_are_true():
    """Every number with a decimal point comes out of the calculation; the rest is the tolerance."""
    known = {"0.00001"}.union(*(by_hand(*example[:4]) for example in PAGE_EXAMPLES))
    quoted = set(re.findall(r"-?\d+\.\d+", _markdown()))

    assert quoted - known == set()
    assert {"0.70711", "0.49307", "1.49307", "0.66976", "0.33024", "6.69762", "3.30238", "5.84847"} <= quoted


def test_examples_are_those_of_the_page(attention):
    """The check cell holds the five examples; the text shows the same ones in the same order."""
    in_code = [(*e.arguments.values(), e.returns) for e in attention.examples]
    blocks = re.findall(r"```text\n(.*?)\n```", CELLS["your-turn"].source, re.DOTALL)
    in_text = []
    for given, answer in zip(blocks[::2], blocks[1::2], strict=True):
        values = dict(line.split(" = ") for line in given.splitlines())
        assert list(values) == ["Q", "K", "V", "causal"]
        in_text.append((*map(ast.literal_eval, values.values()), ast.literal_eval(answer)))

    assert [(*rest, read_value(answer)) for *rest, answer in PAGE_EXAMPLES] == in_code
    assert in_text == PAGE_EXAMPLES


def test_learner_finds_a_stub():
    """Without the solution the cell still imports math, names the parameters and says the shapes."""
    before = CELLS["solve"].source.partition("    ### BEGIN SOLUTION\n")[0]
    tree = ast.parse(before)
    stub = tree.body[1]

    assert ast.unparse(tree.body[0]) == "import math"
    assert [argument.arg for argument in stub.args.args] == ["Q", "K", "V", "causal"]
    assert "(queries, width of V)" in ast.get_docstring(stub)


# --- the reference ---


def _legal(rng, size):
    """Make random legal inputs with sizes up to `size`, some of them with very large scores."""
    causal = rng.random() < 0.5
    queries, keys = rng.randint(1, size), rng.randint(1, size)
    if causal:
        queries, keys = sorted((queries, keys))
    width, value_width = rng.randint(1, min(size, 32)), rng.randint(1, min(size, 32))
    limit = rng.choice([1, 1, 10, 400])
    whole = rng.random() < 0.3

    def table(rows, columns):
        return [
            [rng.randint(-limit, limit) if whole else rng.uniform(-limit, limit) for _ in range(columns)]
            for _ in range(rows)
        ]

    return table(queries, width), table(keys, width), table(keys, value_width), causal


@pytest.mark.parametrize(("size", "count"), [(4, 790), (12, 200), (64, 10)])
def test_reference_agrees_with_whole_arrays(attention, size, count):
    """On 1,000 random legal inputs, up to the limits, the reference and a numpy oracle agree."""
    rng = random.Random(size)  # noqa: S311  # inputs, not secrets
    for _ in range(count):
        inputs = _legal(rng, size)
        before = json.dumps(inputs)
        answer = np.array(attention.reference(*inputs))
        assert answer == pytest.approx(oracle(*inputs), rel=1e-9, abs=1e-9), before
        assert json.dumps(inputs) == before


def test_hidden_cases_agree_with_whole_arrays(attention):
    """Every expected value is confirmed by the oracle."""
    for call, want in zip(attention.hidden_calls, attention.expected, strict=True):
        assert np.array(want.flat) == pytest.approx(oracle(*call.arguments).ravel(), rel=1e-9, abs=1e-9)


# --- the hidden cases ---


def test_hidden_cases_are_legal(attention):
    """Hidden cases keep every limit that the text gives, and none of them is a worked example."""
    for call in attention.hidden_calls:
        Q, K, V, causal = json.loads(json.dumps(call.arguments))
        scores = np.array(Q, float) @ np.array(K, float).T / len(Q[0]) ** 0.5
        assert [Q, K, V, causal] == list(call.arguments)
        assert 1 <= len(Q) <= 64
        assert 1 <= len(K) == len(V) <= 64
        assert not causal or len(K) >= len(Q)
        assert {len(row) for row in Q} == {len(row) for row in K}
        assert 1 <= len(Q[0]) <= 32
        assert 1 <= len(V[0]) <= 32
        assert abs(scores).max() <= 2e6
        assert call not in attention.example_calls


def test_hidden_cases_are_few(attention):
    """There are 25 to 45 cases: enough for each danger, few enough to run in milliseconds."""
    assert 25 <= len(attention.hidden_calls) <= 45


@pytest.mark.parametrize(
    ("mistake", "group"),
    {
        "the mask comes after the softmax, then the rows are divided again": "mask before the softmax",
        "the largest score is not subtracted": "very large scores",
        "queries and keys have changed places": "all sizes different",
        "as many keys as queries": "more or fewer keys than queries",
        "an output row is only as wide as a query": "wide and narrow values",
        "one query gives a flat row": "one token",
        "a table for 16 tokens": "long and wide inputs",
        "the sign of the dot product is lost": "negative and equal scores",
        "Q is changed": "inputs are not changed",
        "an old answer is given again": "a second call",
    }.items(),
)
def test_group_catches_its_own_mistake(attention, mistake, group):
    """Each group catches the mistake it was made for; the worked examples do not."""
    known = next(each for each in attention.mistakes if each.name == mistake)
    missed = lost(_passes(attention, known), attention)

    assert group in missed
    assert not any(name.startswith("example") for name in missed)


# --- the known mistakes ---


# --- whole solutions ---


@pytest.mark.parametrize("name", RIGHT)
def test_right_solutions_get_full_marks(attention, name):
    """A right answer is right however it is written."""
    verdicts = judge(RIGHT[name], attention)

    assert [v.says for v in verdicts if not v.passed] == []


@pytest.mark.parametrize("name", WRONG)
def test_wrong_solutions_lose_marks(attention, name):
    """A wrong solution loses marks in the examples or in a group."""
    verdicts = judge(WRONG[name], attention)

    assert lost([v.passed for v in verdicts], attention) != []
