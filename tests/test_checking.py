"""*check* reports whatever happens: what goes wrong in our own closer look is told, and costs nothing."""

import json
import shutil
from pathlib import Path

import pytest
from conftest import ROOT

from course import checking
from course.checking import check
from course.handed_out import EXAMPLES_CHANGED
from course.hinting import hint
from course.practice import VERSION
from course.session import last_check

EXAMPLES = [{"x": [1.0, 2.0], "returns": [2.0, 4.0]}, {"x": [3.0], "returns": [6.0]}]
NOT_DEEPER = "The closer look at your code did not work this time, and that is not your fault."


def _wrong(x):
    return x


# A part of the closer look, and a function that it looks at.
PARTS = {
    "find_practice": _wrong,
    "another_answer": _wrong,
    "changed_inputs": _wrong,
    "explain": lambda x: x[9],
    "explain_answer": lambda _: "text",
}


@pytest.mark.parametrize("part", PARTS)
def test_a_fault_of_ours_costs_nobody_the_report(part, monkeypatch):
    """The result stands, one calm note says that the closer look failed, and the check is remembered for the hints."""

    def fail(*_args):
        raise ZeroDivisionError

    whole = check(PARTS[part], EXAMPLES, lesson="twice")
    monkeypatch.setattr(checking, part, fail)
    result = check(PARTS[part], EXAMPLES, lesson="twice")
    note = next(each for each in result.report.notes if "closer look" in each)

    assert note.startswith(NOT_DEEPER)
    assert result.report.examples == whole.report.examples
    assert last_check().report == result.report


BROKEN = {
    "nested too deep": "[" * 100_000,
    "no JSON": "{",
    "a list": "[]",
    "another version": '{"version": 99}',
    "no parts": json.dumps({"version": VERSION}),
    "parts of other types": json.dumps(
        {"version": VERSION, "lesson": 3, "steps": 4, "examples": {}, "step_values": 1, "mistakes": 2, "pairs": None}
    ),
    "bytes": "\x00\x01",
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_practice_file_costs_nobody_the_report(kind, tmp_path, monkeypatch):
    """The answers are compared all the same."""
    (tmp_path / "twice.json").write_text(BROKEN[kind], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    result = check(_wrong, EXAMPLES, lesson="twice")

    assert repr(result).startswith("Example 1 of 2 gives a different answer.")
    assert "Note: The practice file `twice.json` beside the notebook is damaged." in repr(result)
    assert last_check().report == result.report


def test_a_missing_practice_file_is_told_where_it_is_missed(tmp_path, monkeypatch):
    """Only a failing report, and the hints after it, would say more with the file."""
    monkeypatch.chdir(tmp_path)
    missing = "The practice file `twice.json` is not beside the notebook."

    assert missing not in repr(check(lambda x: [2 * each for each in x], EXAMPLES, lesson="twice"))
    assert missing in repr(check(_wrong, EXAMPLES, lesson="twice"))
    assert missing in repr(hint())
    assert "practice file" not in repr(check(_wrong, EXAMPLES))


NO_EXAMPLES = {"an empty list": [], "no list": 3, "words": ["x"], "an answer is gone": [{"x": [1.0]}]}


@pytest.mark.parametrize("kind", NO_EXAMPLES)
def test_what_is_no_list_of_examples_is_no_fault_of_solve(kind):
    """It says that the cell with the examples was changed, and gives no point and no traceback."""
    result = check(_wrong, NO_EXAMPLES[kind], lesson="twice")

    assert (repr(result), result.points) == (EXAMPLES_CHANGED, 0)
    assert result._repr_mimebundle_()["text/plain"] == EXAMPLES_CHANGED


def _edit(examples, **changed):
    return [examples[0] | changed, *examples[1:]]


@pytest.fixture
def softmax_examples(tmp_path, monkeypatch):
    """The examples of a lesson whose practice file is here."""
    shutil.copy(ROOT / "source" / "02_softmax" / "softmax.json", tmp_path)
    monkeypatch.chdir(tmp_path)
    return json.loads(Path("softmax.json").read_text(encoding="utf-8"))["examples"]


def test_examples_with_other_inputs_are_not_run(softmax_examples):
    """Nobody is told that `solve` has to take other inputs than those of the lesson."""
    without = [{"returns": softmax_examples[0]["returns"]}, *softmax_examples[1:]]

    assert repr(check(_wrong, without, lesson="softmax")) == EXAMPLES_CHANGED


def test_examples_with_other_numbers_are_named_and_to_be_put_back(softmax_examples):
    """The report and the hint say that the cell was changed; the next action is to put it back."""
    size = len(softmax_examples[0]["returns"])
    edited = repr(check(lambda scores: scores, _edit(softmax_examples, returns=[9.0] * size), lesson="softmax"))
    said = " ".join(edited.split())

    assert "Next: Put the cell with the examples back as it was." in said
    assert f"Note: {EXAMPLES_CHANGED}" in said
    assert EXAMPLES_CHANGED in repr(hint())


class _Refuses:
    def __getattr__(self, name):
        raise RuntimeError(name)

    def __call__(self, x):
        return x


class _Claims:
    __wrapped__ = property(lambda self: self)

    def __call__(self, _):
        return _Refuses()


class _Unlike(list):
    def __eq__(self, other):
        raise RuntimeError

    def __hash__(self):
        raise RuntimeError

    def __iter__(self):
        raise RuntimeError


def _raises_odd(_):
    class OddError(Exception):
        def __str__(self):
            raise RuntimeError

        def __getattribute__(self, name):
            if name == "name":
                raise RuntimeError
            return super().__getattribute__(name)

    raise OddError


def _itself(x):
    x.append(x)
    return x


ODD = {
    "it refuses to be asked": _Refuses(),
    "it claims to wrap itself": _Claims(),
    "a list that is none": lambda _: _Unlike(),
    "a class": lambda _: _Unlike,
    "an odd error": _raises_odd,
    "a list that holds itself": _itself,
    "a property": property(),
    "type": type,
    "print": print,
}


@pytest.mark.parametrize("kind", ODD)
def test_an_odd_object_gets_a_report_without_a_fault_of_ours(kind):
    """Objects that refuse to be looked at are judged like any other."""
    solve = ODD[kind]
    result = check(solve, EXAMPLES)

    assert result.points < len(EXAMPLES)
    assert not any(note.startswith(NOT_DEEPER) for note in result.report.notes)
    assert 1 <= len(repr(result).splitlines()) <= 15
