"""The practice file beside the notebook: what is in it, what is not, and what odd files do."""

import json
import subprocess
import sys

import pytest
from conftest import ROOT

from autograder.loading import lesson_ids
from autograder.practice import practice_of
from course.compare import close, compare
from course.handed_out import say_no_practice
from course.practice import VERSION, Practice, find_practice, outcome_again

LESSONS = lesson_ids(ROOT)


@pytest.fixture(scope="module", params=LESSONS)
def taught(request, grader):
    """A lesson with its practice data."""
    lesson = grader.lesson(request.param)
    return lesson, practice_of(lesson)


def test_the_file_is_a_fresh_one(taught):
    """`source/` and `release/` hold exactly what the lesson gives today, and it is small."""
    lesson, practice = taught
    for folder in ("source", "release"):
        text = (ROOT / folder / lesson.id / f"{lesson.name}.json").read_text(encoding="utf-8")
        assert text == practice.to_json()
        assert len(text.encode()) < 100_000


def test_writing_and_reading_agree(taught):
    """What is read from the file writes the same file again."""
    text = taught[1].to_json()

    assert Practice.from_json(text).to_json() == text


def test_nothing_of_the_solution_or_the_hidden_cases_is_in_it(taught):
    """No line of code of the reference and no hidden input is in the file; it holds data only."""
    lesson, practice = taught
    text = practice.to_json()
    code = [line.strip() for line in lesson.reference_source.splitlines() if "=" in line and "#" not in line]
    hidden = [call.arguments for call in lesson.hidden_calls]
    shown = [list(example.arguments.values()) for example in practice.examples + practice.probes]

    assert not [line for line in code if line in text]
    assert not [call for call in hidden if list(call) in shown and list(call) not in _example_inputs(lesson)]


def _example_inputs(lesson):
    return [list(example.arguments.values()) for example in lesson.examples]


def test_a_mistake_that_no_example_shows_is_not_told(taught):
    """Every mistake in the file fails at least one example: the others would tell of a hidden case."""
    lesson, practice = taught
    for mistake in practice.mistakes:
        outcomes = lesson.mistake_outcomes[mistake.name][: len(lesson.examples)]
        assert not all(compare(o, e.returns).passed for o, e in zip(outcomes, lesson.examples, strict=True))


def test_every_step_has_its_numbers(taught):
    """Each step of the lesson has values on at least one example, and the last step ends in the answer."""
    lesson, practice = taught
    told = {each.step for values in practice.step_values for each in values}

    assert told == set(range(1, len(lesson.steps) + 1))
    for example, values in zip(practice.cases, practice.step_values, strict=True):
        last = [
            number for each in values if each.step == len(lesson.steps) for one in each.values for number in one.flat
        ]
        assert all(any(close(number, want) for number in last) for want in example.returns.flat)


def test_pairs_are_no_single_mistake(taught):
    """Two mistakes at once are told only where their numbers are those of no mistake alone, and are not right."""
    lesson, practice = taught
    singles = {each.gives for each in practice.mistakes}
    right = tuple(example.returns for example in lesson.examples)
    for pair in practice.pairs:
        assert pair.gives not in singles
        outcomes = map(outcome_again, pair.gives)
        assert not all(compare(o, want).passed for o, want in zip(outcomes, right, strict=True))


DAMAGED = {
    "nothing": "",
    "no JSON": "{",
    "nested too deep": "[" * 90_000,
    "a list": "[]",
    "another version": '{"version": 99}',
    "parts are missing": json.dumps({"version": VERSION, "lesson": "x"}),
    "numbers are words": json.dumps(
        {"version": VERSION, "lesson": "x", "steps": ["a"], "examples": [{"returns": "one"}]}
    ),
}


@pytest.mark.parametrize("kind", DAMAGED)
def test_a_damaged_file_is_no_file(kind, tmp_path):
    """Whatever a learner did to the file, *check* goes on without it."""
    (tmp_path / "softmax.json").write_text(DAMAGED[kind], encoding="utf-8")

    assert find_practice("softmax", tmp_path) is None


@pytest.mark.parametrize("kind", DAMAGED)
def test_a_damaged_file_is_called_damaged(kind, tmp_path, monkeypatch):
    """The file is there, so nobody is told that it is missing."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "softmax.json").write_text(DAMAGED[kind], encoding="utf-8")

    assert "`softmax.json` beside the notebook is damaged" in say_no_practice("softmax")


def test_a_missing_file_is_called_missing_and_a_whole_one_nothing(taught, tmp_path, monkeypatch):
    """Only what is wrong is told."""
    lesson, practice = taught
    monkeypatch.chdir(tmp_path)
    assert f"`{lesson.name}.json` is not beside the notebook" in say_no_practice(lesson.name)

    (tmp_path / f"{lesson.name}.json").write_text(practice.to_json(), encoding="utf-8")
    assert not say_no_practice(lesson.name)


def test_a_session_that_moves_to_another_folder_keeps_its_file(tmp_path):
    """After `os.chdir` the file is found where the session began."""
    code = "import os, sys, course.practice as p; os.chdir(sys.argv[1]); sys.exit(p.find_practice('softmax') is None)"
    began = ROOT / "source" / "02_softmax"

    assert subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=began, check=False).returncode == 0


def test_without_the_file_there_is_none(tmp_path):
    """A notebook alone, as in Colab, has no practice data."""
    assert find_practice("attention", tmp_path) is None
