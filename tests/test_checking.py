"""*check* reports whatever happens: what goes wrong in our own closer look is told, and costs nothing."""

import json

import pytest

from course import checking
from course.checking import check
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
    (note,) = result.report.notes

    assert note.startswith(NOT_DEEPER)
    assert result.report.examples == whole.report.examples
    assert last_check().report == result.report


BROKEN = {
    "nested too deep": "[" * 100_000,
    "no JSON": "{",
    "a list": "[]",
    "another version": '{"version": 99}',
    "no parts": '{"version": 1}',
    "parts of other types": json.dumps(
        {"version": 1, "lesson": 3, "steps": 4, "examples": {}, "step_values": 1, "mistakes": 2, "pairs": None}
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
    assert last_check().report == result.report


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
