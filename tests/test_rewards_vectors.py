"""The reward of chapter 2: one sentence as vectors, before and after the learner's own layers."""

import json
import re
import shutil

import pytest
from conftest import ROOT, solve_cell

from autograder.loading import SOLUTION
from course.progress import note_try
from course.rewards.vectors import _data, show_sentence

pytestmark = pytest.mark.slow


@pytest.fixture
def norm(grader):
    """A right `solve` of lesson 07."""
    return grader.lesson("07_layer_norm").reference


@pytest.fixture
def practice(tmp_path, monkeypatch):
    """Work in the folder of lesson 07, with the others beside it, as a learner does."""
    for lesson in ("05_embed_tokens", "06_feed_forward", "07_layer_norm"):
        shutil.copytree(ROOT / "release" / lesson, tmp_path / lesson)
    monkeypatch.chdir(tmp_path / "07_layer_norm")
    return tmp_path


def pass_lesson(folder, lesson, monkeypatch):
    """Write the solution into the notebook of a lesson, and note that its check has passed."""
    name = lesson[3:]
    source = json.loads((ROOT / "source" / lesson / f"{name}.ipynb").read_text(encoding="utf-8"))
    file = folder / lesson / f"{name}.ipynb"
    notebook = json.loads(file.read_text(encoding="utf-8"))
    solve_cell(notebook)["source"] = SOLUTION.sub(r"\1", "".join(solve_cell(source)["source"]))
    file.write_text(json.dumps(notebook), encoding="utf-8")
    with monkeypatch.context() as there:
        there.chdir(folder / lesson)
        note_try(lesson, "code", (True, True, True))


def test_the_data_holds_what_lesson_05_would_make(grader):
    """Where lesson 05 is not passed, the vectors shown are those that its right answer is."""
    data = _data()
    made = grader.lesson("05_embed_tokens").reference(data["ids"], data["token_table"], data["position_table"], 0)

    assert [pytest.approx(row) for row in made] == data["vectors"]
    assert len(data["words"]) == len(data["ids"])


@pytest.mark.usefixtures("practice")
def test_with_no_earlier_lesson_passed_the_rest_is_left_out(norm):
    """Layer norm alone runs, and the picture says whose vectors these are and what is left out."""
    says = repr(show_sentence(norm))

    assert "Before: the course's vectors:" in says
    assert (
        "After your layer norm: the largest size in each row is “the” 1.6, “cat” 1.8, “chased” 1.7, "
        "“the” 2.2, “dog” 1.8." in says
    )
    assert "After your feed-forward layer" not in says
    assert "The vectors of lesson 05 are the course's. Your own function runs here once its check has passed." in says
    assert says.endswith("lesson 06 is left out. Your own function runs here once its check has passed.")


def test_the_learners_own_layers_run_where_they_are_passed(practice, norm, monkeypatch):
    """With lessons 05 and 06 passed all three layers are the learner's own, in one image with alt text."""
    for lesson in ("05_embed_tokens", "06_feed_forward"):
        pass_lesson(practice, lesson, monkeypatch)
    picture = show_sentence(norm)

    assert "Before: vectors from your lesson 05: the largest size in each row is “the” 0.4, “cat” 1.8" in repr(picture)
    assert "After your feed-forward layer, from lesson 06: the largest size" in repr(picture)
    assert "left out" not in repr(picture)
    assert re.fullmatch(r'<div><img alt="The sentence [^"]+" src="data:image/png[^>]+></div>', picture._repr_html_())


@pytest.mark.usefixtures("practice")
def test_a_stub_gets_a_calm_sentence():
    """Run All on an unsolved notebook raises nothing."""

    def stub(*_):
        raise NotImplementedError

    assert repr(show_sentence(stub)).startswith("There is no picture yet.")
    assert repr(show_sentence(lambda *_: [1, 2])).startswith("There is no picture yet.")


@pytest.mark.usefixtures("practice")
def test_it_waits_for_a_solve_that_gives_every_example(norm):
    """A function that the check refuses gets a calm sentence and no picture, whatever is wrong with it."""
    without_eps = repr(show_sentence(lambda X, gain, bias, _eps: norm(X, gain, bias, 0.0)))
    first_only = repr(show_sentence(lambda X, gain, bias, eps: [norm(X, gain, bias, eps)[0] for _ in X]))

    assert without_eps == first_only
    assert without_eps.startswith("The sentence waits for a `solve` that gives every example of the check.")
