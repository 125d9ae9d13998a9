"""The reward of chapter 3: the shipped model reverses words with whatever functions the notebook has."""

from __future__ import annotations

import ast
import importlib
import itertools
import json
import math
import random
import subprocess
import sys
import textwrap
import types

import numpy as np
import pytest
from conftest import ROOT

from autograder.loading import SOLUTION, load_lesson
from course.calling import note_stopped
from course.rewards.reversing import LENGTH, reversing_model
from course.submission import source_of
from course.values import to_lists

FILE = ROOT / "course" / "rewards" / "reversing.json"
MODEL = json.loads(FILE.read_text(encoding="utf-8"))
LESSONS = {
    "embed_tokens": "05_embed_tokens",
    "layer_norm": "07_layer_norm",
    "attention": "09_attention",
    "solve": "11_transformer_block",
}


def embed(ids, token_table, position_table, start):
    """Look the vectors up."""
    return np.array(token_table)[ids] + np.array(position_table)[start : start + len(ids)]


def norm(X, gain, bias, eps):
    """Give every row mean 0 and variance 1."""
    X = np.array(X)
    return (X - X.mean(axis=1, keepdims=True)) / np.sqrt(X.var(axis=1, keepdims=True) + eps) * gain + bias


def attention(Q, K, V, causal):
    """Mix the value rows by softmax of the scaled dot products."""
    Q, K, V = np.array(Q), np.array(K), np.array(V)
    scores = Q @ K.T / math.sqrt(Q.shape[1])
    if causal:
        scores = np.where(np.tri(len(Q), len(K), dtype=bool), scores, -np.inf)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True) @ V


def block(X, block, heads, attend=attention):
    """Add attention, then the feed-forward layer, each of the normed rows."""
    w = {name: np.array(each) for name, each in block.items()}
    normed = norm(X, w["ln1_gain"], w["ln1_bias"], 1e-5)
    parts = [np.split(normed @ w[name], heads, axis=1) for name in ("w_q", "w_k", "w_v")]
    x1 = X + np.hstack([attend(q, k, v, causal=True) for q, k, v in zip(*parts, strict=True)]) @ w["w_o"]
    hidden = norm(x1, w["ln2_gain"], w["ln2_bias"], 1e-5) @ w["w1"] + w["b1"]
    gelu = 0.5 * hidden * (1 + np.tanh(math.sqrt(2 / math.pi) * (hidden + 0.044715 * hidden**3)))
    return x1 + gelu @ w["w2"] + w["b2"]


def small_example():
    """Return an example as a check cell has it: two tokens of width 4, two heads."""
    draw = np.random.default_rng(1)
    shapes = {name: [4] for name in ("ln1_gain", "ln1_bias", "ln2_gain", "ln2_bias", "b2")} | {"b1": [6]}
    shapes |= {name: [4, 4] for name in ("w_q", "w_k", "w_v", "w_o")} | {"w1": [4, 6], "w2": [6, 4]}
    weights = {name: draw.normal(0, 1, shape).tolist() for name, shape in shapes.items()}
    X = draw.normal(0, 1, (2, 4)).tolist()
    return {"X": X, "block": weights, "heads": 2, "returns": block(X, weights, 2).tolist()}


EXAMPLES = [small_example()]
GIVEN = {"embed_tokens": embed, "layer_norm": norm, "attention": attention}


def model(solve=block, **functions):
    """Return the shipped model on the functions above, some of them replaced."""
    return reversing_model(solve, EXAMPLES, **GIVEN | functions)


def unseen(number):
    """Draw words that the training leaves out: the ids of their letters add up to a multiple of ten."""
    draw = random.Random(3)  # noqa: S311
    words = ("".join(draw.choices(MODEL["letters"][:26], k=LENGTH)) for _ in itertools.count())
    return list(itertools.islice((w for w in words if sum(map(MODEL["letters"].index, w)) % 10 == 0), number))


@pytest.fixture(scope="module")
def trainer():
    """The training script as a module."""
    sys.path.insert(0, str(ROOT / "tools"))
    yield importlib.import_module("train_reversing")
    sys.path.remove(str(ROOT / "tools"))


@pytest.mark.slow
def test_a_thousand_unseen_words_come_out_right(monkeypatch):
    """Every one of 1,000 words that the training never showed is reversed, with the weights as they are shipped."""
    monkeypatch.setattr("course.pictures.picture.copy", types.SimpleNamespace(deepcopy=lambda same: same))  # sooner
    one = model()

    assert [word for word in unseen(1000) if one.write(word) != word[::-1]] == []


def test_words_with_equal_letters_come_out_right():
    """Real words, and words with the same letter several times, are reversed too."""
    words = ("hello", "model", "level", "mamma", "aaaaa", "zzzzz", "abcde")

    assert model()(*words).pairs == tuple((word, word[::-1]) for word in words)


def test_a_head_looks_at_the_letter_to_copy():
    """In at least 95 of 100 places, over unseen words, the same head gives its largest weight to the letter to copy."""
    one, hits = model(), np.zeros(MODEL["n_heads"])
    words = unseen(60)
    for word in words:
        for head, rows in enumerate(one.weights(word + "|" + word[:0:-1])):
            hits[head] += sum(np.argmax(row) == LENGTH - 1 - at for at, row in enumerate(rows[LENGTH:]))

    assert hits.max() / (LENGTH * len(words)) >= 0.95


def test_the_weights_shown_are_those_of_the_block():
    """The queries and keys that the picture uses are those that attention gets while the block runs."""
    asked, recorded = [], []

    def record(calls):
        def recording(Q, K, V, causal):
            calls.append((np.array(Q), np.array(K), causal))
            return attention(Q, K, V, causal)

        return recording

    text = "hello|olle"
    model(attention=record(asked)).weights(text)
    ids = [MODEL["letters"].index(letter) for letter in text]
    X = embed(ids, MODEL["tokens"], MODEL["positions"], 0)
    block(X, MODEL["blocks"][0], MODEL["n_heads"], attend=record(recorded))

    assert len(asked) == len(recorded) == MODEL["n_heads"]
    for (q, k, causal), (in_block_q, in_block_k, in_block_causal) in zip(asked, recorded, strict=True):
        assert np.allclose(q, in_block_q)
        assert np.allclose(k, in_block_k)
        assert causal is in_block_causal is True


def test_it_shows_words_and_a_picture():
    """A notebook gets a table of words and a picture that says in words where the head looks; a terminal gets text."""
    shown = model()("hello", "layer")

    assert repr(shown).startswith("hello  ->  olleh   right\nlayer  ->  reyal   right\n2 of 2 words right.")
    html = shown._repr_html_()
    assert html.count("<img alt=") == 1
    assert "while the model reads hello, bar, and writes olleh. Writing o, it gives 1.00 to letter 5" in html
    assert '<th scope="row"' in html
    assert shown.picture.png.startswith(b"\x89PNG")


def test_it_says_whose_functions_ran():
    """A function that comes from the learner's own earlier lesson is named as theirs, the others as the course's."""
    carry_on = importlib.import_module("course.carry_on")
    own = carry_on._as_lists(attention, "09_attention", "attention")  # noqa: SLF001  # as it does

    assert (
        "These are your own: `solve`, `attention`. The course's: `embed_tokens`, `layer_norm`."
        in model(attention=own)("hello").says
    )


def only_the_examples(answer):
    """Return a block that is right for the width of the example, and gives `answer` for the model's."""
    return lambda X, w, heads: block(X, w, heads) if len(X[0]) == 4 else answer(X)


def unfinished(X, block, heads):
    """Stand for the stub."""
    raise NotImplementedError


def sees_all(Q, K, V, causal):
    """Attend to later tokens too."""
    return attention(Q, K, V, not causal)


WAITS = "The model waits for a `solve` that gives every example of the check."
NEEDS = "The model needs 6 rows of 32 numbers from `{}`, and did not get them."
CALM = {
    "unfinished": ({"solve": unfinished}, WAITS),
    "no function": ({"solve": None}, WAITS),
    "nothing returned": ({"solve": lambda *_: None}, WAITS),
    "its input": ({"solve": lambda X, *_: X}, WAITS),
    "not causal": (
        {"solve": lambda *args: block(*args, lambda Q, K, V, causal: attention(Q, K, V, not causal))},
        WAITS,
    ),
    "too few rows": ({"solve": only_the_examples(lambda X: X[:1])}, NEEDS.format("solve")),
    "not a number": ({"solve": only_the_examples(lambda X: np.array(X) * np.nan)}, NEEDS.format("solve")),
    "vectors": ({"embed_tokens": lambda *_: [[1.0]]}, NEEDS.format("embed_tokens")),
    "norm": ({"layer_norm": lambda *_: 1 / 0}, NEEDS.format("layer_norm")),
    "attention": ({"attention": lambda *_: None}, "The model needs 10 rows of 10 numbers from `attention`"),
}


@pytest.mark.parametrize("name", CALM)
def test_what_cannot_run_gets_one_calm_text(name):
    """An unfinished or wrong function gets one short text that says what to do: no exception, no words, no picture."""
    functions, text = CALM[name]
    shown = model(**functions)("hello")

    assert len(shown.says) == 1
    assert shown.says[0].startswith(text)
    assert shown.says[0].endswith((" The check says what to do first.", " Run the check of its lesson again."))
    assert len(shown.says[0]) < 120
    assert not shown.pairs
    assert shown.picture is None


def test_a_stopped_block_is_not_run_again():
    """A `solve` that the learner had to stop is not called by the reward."""
    calls = []

    def endless(*_):
        calls.append(1)

    note_stopped(endless)

    assert model(endless)("hello").says[0].startswith(WAITS)
    assert not calls


def test_a_block_that_is_right_by_heart_only_writes_other_words():
    """A block that gives the examples and nothing else writes wrong words: they are shown as such, with no picture."""
    shown = model(only_the_examples(lambda X: X))("hello")

    assert shown.pairs[0][1] != "olleh"
    assert shown.says[0] == "0 of 1 word right."
    assert shown.says[1].endswith("than this one. The check says what to do first.")
    assert shown.picture is None
    assert "not olleh" in shown._repr_html_()


def test_other_words_are_refused_calmly():
    """Capitals, other lengths and no word at all get a sentence that says what the model reads."""
    for words in ((), ("Hello",), ("reverse",), ("h llo",), (5,), ("hello", "né\u0301on")):
        assert model()(*words).says == ("The model reads words of 5 small letters, a to z: `model`, for example.",)


def test_a_function_cannot_change_the_weights():
    """A block that writes into its arguments changes nothing for the next word."""

    def spoils(X, w, heads):
        answer = block(X, w, heads)
        X.clear()
        w["w_q"][0][0] = 1e9
        return answer

    one = model(spoils)

    assert [one.write("hello"), one.write("hello")] == ["olleh", "olleh"]


def test_the_weights_are_small_data(trainer):
    """The file holds 14,688 numbers of at most 4 decimals, in the shapes of the lessons, in less than 130 kB."""
    outside = {name: np.array(MODEL[name]) for name in trainer.MODEL}
    weights = outside | {name: np.array(each) for name, each in MODEL["blocks"][0].items()}

    assert set(MODEL) == {*trainer.MODEL, "letters", "n_heads", "blocks"}
    assert len(MODEL["blocks"]) == 1
    expected = trainer.initial_weights(np.random.default_rng(0))
    assert {name: each.shape for name, each in weights.items()} == {n: each.shape for n, each in expected.items()}
    assert sum(each.size for each in weights.values()) == 14_688
    assert all((each == each.round(4)).all() for each in weights.values())
    assert FILE.stat().st_size < 130_000


def test_the_gradients_are_right(trainer):
    """A small step in any weight changes the loss by what the written-out gradient says."""
    draw = np.random.default_rng(5)
    weights = {name: each + draw.normal(0, 0.1, each.shape) for name, each in trainer.initial_weights(draw).items()}
    words = trainer.draw_words(draw, 3)
    gradients = trainer.loss_and_gradients(weights, words)[1]
    for name, each in weights.items():
        direction = draw.normal(0, 1, each.shape)
        sides = [trainer.loss_and_gradients(weights | {name: each + h * direction}, words)[0] for h in (1e-5, -1e-5)]
        assert (sides[0] - sides[1]) / 2e-5 == pytest.approx((gradients[name] * direction).sum(), rel=1e-5), name


@pytest.mark.slow
def test_the_seed_gives_the_shipped_weights_again(tmp_path):
    """Training again writes the shipped file, byte for byte."""
    again = tmp_path / "again.json"
    subprocess.run([sys.executable, ROOT / "tools" / "train_reversing.py", again], check=True, capture_output=True)

    assert again.read_bytes() == FILE.read_bytes()


def test_the_reward_needs_only_the_standard_library():
    """The model runs where neither numpy nor matplotlib is installed."""
    code = (
        "import sys; sys.modules.update(numpy=None, matplotlib=None)\n"
        "from course.rewards.reversing import reversing_model\n"
        "same = lambda X, *_: X\n"
        "look_up = lambda ids, tokens, positions, start: [tokens[each] for each in ids]\n"
        "example = {'X': [[1]], 'block': {}, 'heads': 1, 'returns': [[1]]}\n"
        "given = {'embed_tokens': look_up, 'layer_norm': same, 'attention': same}\n"
        "print(reversing_model(same, [example], **given)('hello').pairs[0][0])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)

    assert done.stdout == "hello\n", done.stderr


def _statements(source):
    """Return every statement that is long enough to give something away, in one form."""
    found = (ast.unparse(node) for node in ast.walk(ast.parse(textwrap.dedent(source))) if isinstance(node, ast.stmt))
    return {text for text in found if len(text) > 24}


def test_the_rewards_hold_no_solution():
    """No statement of a reference solution of lessons 05, 07, 09 and 11 stands in the reward, which is handed out."""
    ours = set().union(*(_statements(path.read_text("utf-8")) for path in FILE.parent.glob("*.py")))
    solutions = [each for lesson in LESSONS.values() for each in SOLUTION.findall(_solve_cell(lesson))]

    assert solutions
    assert set().union(*map(_statements, solutions)) & ours == set()


def _solve_cell(lesson):
    """Return the source of the lesson's solution cell; nothing where the lesson is not written yet."""
    notebook = ROOT / "source" / lesson / f"{lesson[3:]}.ipynb"
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"] if notebook.is_file() else []
    return next((source_of(cell) for cell in cells if "### BEGIN SOLUTION" in source_of(cell)), "")


@pytest.mark.slow
def test_the_lessons_own_solutions_reverse_words():
    """With the reference solutions and the examples of the lessons, unseen words come out right."""
    lessons = {name: load_lesson(lesson, ROOT) for name, lesson in LESSONS.items()}
    examples = [dict(each.arguments) | {"returns": to_lists(each.returns)} for each in lessons["solve"].examples]
    shown = reversing_model(examples=examples, **{name: each.reference for name, each in lessons.items()})(*unseen(40))

    assert shown.says[0] == "40 of 40 words right."
