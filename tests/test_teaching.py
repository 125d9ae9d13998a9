"""What a failing check teaches: what it names, and what it is careful not to name."""

import sys

import pytest

from course.checking import check
from course.compare import compare
from course.diagnosis import Known, find_mistake
from course.outcomes import Answered, Raised
from course.values import read_value

EXAMPLES = [{"x": 1, "returns": [2.0, 4.0]}, {"x": 2, "returns": [4.0, 8.0]}]
WANTED = [read_value(each["returns"]) for each in EXAMPLES]


def said(code, monkeypatch, tmp_path):
    """Check a cell's `solve`, kept in a file as a kernel keeps a cell."""
    file = tmp_path / "cell.py"
    file.write_text(code, encoding="utf-8")
    names = {}
    exec(compile(code, str(file), "exec"), names)  # noqa: S102
    monkeypatch.chdir(tmp_path)
    return repr(check(names["solve"], EXAMPLES))


NEXT = {
    "the stub's line is still there": (
        "def solve(x):\n    y = [2 * x, 4 * x]\n    raise NotImplementedError\n    return y\n",
        "the line of the stub is still there: delete it",
    ),
    "numpy is not imported": (
        "def solve(x):\n    return np.array([2 * x, 4 * x])\n",
        "Add `import numpy as np` at the top of your cell.",
    ),
    "a name is misspelt": ("def solve(x):\n    return reslut\n", "Nothing has this name yet."),
    "a name of Python's is used up": (
        "sum = 0\ndef solve(x):\n    return [sum([x, x]), 4 * x]\n",
        "it holds a value. Look for a line such as",
    ),
}


@pytest.mark.parametrize("kind", NEXT)
def test_the_usual_errors_say_what_to_do(kind, monkeypatch, tmp_path):
    """An error with one usual cause is answered with what to do about it."""
    code, words = NEXT[kind]

    assert words in " ".join(said(code, monkeypatch, tmp_path).split())


def test_a_stub_with_notes_is_still_a_stub(monkeypatch, tmp_path):
    """Without a line of code nothing is begun: the calm sentence stands."""
    text = said("def solve(x):\n    # y = 2 * x\n    pass\n    raise NotImplementedError\n", monkeypatch, tmp_path)

    assert "not written yet" in text


def test_a_cell_that_python_could_not_read_is_noticed(monkeypatch, tmp_path):
    """After a SyntaxError the older function is checked, and the report says so."""
    good = "def solve(x):\n    return [2, 4]\n"
    monkeypatch.setattr(
        sys.modules["__main__"], "In", ["", good, "def solve(x)\n    return [2 * x, 4 * x]\n"], raising=False
    )

    assert "Checked instead: your older code." in " ".join(said(good, monkeypatch, tmp_path).split())


def test_a_broken_property_is_that_of_the_example_shown(monkeypatch, tmp_path):
    """What is true of a later example only is not said under the table of the first."""
    code = "def solve(x):\n    return [2, 5] if x == 1 else [8, 16]\n"

    assert "times the right one" not in said(code, monkeypatch, tmp_path)


def find(outcomes, *known):
    """Look for a mistake among rows of outcomes, each wrong in every case."""
    rows = [Known(each, tuple(compare(o, w).passed for o, w in zip(each, WANTED, strict=True))) for each in known]
    return find_mistake(rows, outcomes, [compare(o, w) for o, w in zip(outcomes, WANTED, strict=True)])


def test_a_common_error_names_no_mistake():
    """An IndexError may come from anywhere; the same numbers, or an error with words of its own, do name one."""
    index = Raised("IndexError", "list index out of range")
    empty = Raised("ValueError", "max() arg is an empty sequence")
    numbers = Answered(read_value([1.0, 1.0]))

    assert find((index, index), (index, index)) is None
    assert find((empty, empty), (index, index), (empty, empty)) == 1
    assert find((numbers, index), (numbers, index)) == 0


def test_numbers_where_the_mistake_has_none_speak_against_it():
    """With few cases, a mistake that would stop with an error is not named for code that gives numbers."""
    numbers = Answered(read_value([1.0, 1.0]))
    other = Answered(read_value([3.0, 3.0]))

    assert find((numbers, other), (numbers, Raised("ZeroDivisionError", "division by zero"))) is None
