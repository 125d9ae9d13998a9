"""The reward of chapter 1: the learner's own table of letter pairs invents names."""

import json
import re
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT, solve_cell

from autograder.loading import SOLUTION
from course.progress import note_try
from course.rewards.names import END, invent_names, known_names
from course.values import to_lists

pytestmark = pytest.mark.slow

FIRST, LAST = "01_encode_text", "04_bigram_model"


@pytest.fixture(scope="module")
def bigram(grader):
    """A right `solve` of lesson 04."""
    return grader.lesson(LAST).reference


@pytest.fixture(scope="module")
def examples(grader):
    """The examples of lesson 04, as its check cell has them."""
    return [{**each.arguments, "returns": to_lists(each.returns)} for each in grader.lesson(LAST).examples]


@pytest.fixture
def practice(tmp_path, monkeypatch):
    """Work in the folder of lesson 04, with lesson 01 beside it, as a learner does."""
    for lesson in (FIRST, LAST):
        shutil.copytree(ROOT / "release" / lesson, tmp_path / lesson)
    monkeypatch.chdir(tmp_path / LAST)
    return tmp_path


def pass_lesson_01(folder, monkeypatch, change=str):
    """Write the solution into the learner's notebook of lesson 01, and note that its check has passed."""
    source = json.loads((ROOT / "source" / FIRST / "encode_text.ipynb").read_text(encoding="utf-8"))
    file = folder / FIRST / "encode_text.ipynb"
    notebook = json.loads(file.read_text(encoding="utf-8"))
    solve_cell(notebook)["source"] = change(SOLUTION.sub(r"\1", "".join(solve_cell(source)["source"])))
    file.write_text(json.dumps(notebook), encoding="utf-8")
    with monkeypatch.context() as there:
        there.chdir(folder / FIRST)
        note_try(FIRST, "code", (True, True, True, True))


def test_the_names_are_short_enough_for_both_lessons():
    """The names stay within the limits of lessons 01 and 04: at most 2,000 characters, at most 40 tokens."""
    text = END + END.join(known_names()) + END

    assert len(known_names()) == 120 == len(set(known_names()))
    assert len(text) <= 2000
    assert len(set(text)) + 1 <= 40
    assert all(re.fullmatch("[a-z]{4,8}", name) for name in known_names())


@pytest.mark.usefixtures("practice")
def test_the_learners_table_invents_names(bigram, examples):
    """Each pair of letters that is drawn comes in the names, and the text says what the table learned from."""
    reward = invent_names(bigram, examples, seed=3)
    pairs = {each[at : at + 2] for each in (f"{END}{name}{END}" for name in known_names()) for at in range(len(each))}

    assert reward.names[:3] == ("grino", "belivith", "ferisi")
    assert {name[at : at + 2] for name in reward.names for at in range(len(name) - 1)} <= pairs
    assert "8 of them are new" in repr(reward)
    assert "made up from syllables" in repr(reward)
    assert reward.picture.png


@pytest.mark.usefixtures("practice")
def test_the_seed_alone_decides(bigram, examples):
    """The same seed gives the same names, another one gives others."""
    assert invent_names(bigram, examples, 5).names == invent_names(bigram, examples, 5).names
    assert invent_names(bigram, examples, 5).names != invent_names(bigram, examples, 6).names


@pytest.mark.usefixtures("practice")
def test_it_is_the_learners_own_table_that_is_drawn_from(bigram, examples):
    """A table that gives every example but is even for the names invents the names of an even table."""

    def even(ids, vocab_size, smoothing):
        return bigram(ids if vocab_size < 5 else [0], vocab_size, smoothing)

    assert invent_names(even, examples, 3).names != invent_names(bigram, examples, 3).names


def test_own_lesson_01_makes_the_ids_where_it_is_passed(bigram, examples, practice, monkeypatch):
    """The text says whose function ran, and the names are the same."""
    before = invent_names(bigram, examples, 3)
    pass_lesson_01(practice, monkeypatch)
    after = invent_names(bigram, examples, 3)

    assert "names into ids. Your own function runs here once its check has passed." in repr(before)
    assert "Your own `solve` of lesson 01 turned the names into ids." in repr(after)
    assert after.names == before.names


def test_a_lesson_01_that_gives_other_ids_here_is_not_used(bigram, examples, practice, monkeypatch):
    """A function that passes its examples but leaves letters out is not relied on."""
    pass_lesson_01(practice, monkeypatch, lambda code: code.replace("return ids", "return ids[:100]"))

    assert "names into ids. Your own function gives other ids here." in repr(invent_names(bigram, examples))


def _stub(*_):
    raise NotImplementedError


ODD = {
    "stub": lambda _: _stub,
    "nothing": lambda _: lambda *_: None,
    "not a function": lambda _: 3,
    "swapped": lambda right: lambda *inputs: [list(column) for column in zip(*right(*inputs), strict=True)],
    "right for the examples alone": lambda right: lambda *inputs: right(*inputs) if inputs[1] < 5 else [[1.0]],
    "no probabilities": lambda right: lambda *i: right(*i) if i[1] < 5 else [[2.0] * i[1] for _ in range(i[1])],
}


@pytest.mark.usefixtures("practice")
@pytest.mark.parametrize("situation", ODD)
def test_where_there_is_no_right_table_a_calm_text_says_so(bigram, examples, situation):
    """No odd function makes the reward raise: it waits, and says for what."""
    reward = invent_names(ODD[situation](bigram), examples)

    assert repr(reward).startswith("No names yet: they wait for a `solve` that gives every example.")
    assert re.fullmatch(r"<div><p [^>]+>[^`]+<code[^`]+</p></div>", reward._repr_html_())


@pytest.mark.usefixtures("practice")
def test_the_names_are_a_list_in_html(bigram, examples):
    """A notebook shows the names as a list, then what there is to say, then the picture with its description."""
    reward = invent_names(bigram, examples, 3)
    html = reward._repr_html_()

    assert re.findall(r"<li [^>]+>([a-z]+)</li>", html) == list(reward.names)
    assert f'<img alt="{reward.picture!r}"' in html
    assert "<script" not in html
    assert len(html) < 60_000


def test_it_needs_neither_numpy_nor_matplotlib():
    """Where matplotlib is not installed the names come all the same."""
    code = (
        "import sys; sys.modules.update(numpy=None, matplotlib=None, PIL=None);"
        "from course.rewards.names import invent_names;"
        "even = lambda ids, n, s: [[1 / n] * n] * n;"
        "print(invent_names(even, [{'ids': [0], 'vocab_size': 1, 'smoothing': 1, 'returns': [[1]]}]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert "The picture needs matplotlib" in done.stdout, done.stderr
    assert "Your table invented these 8 names" in done.stdout
