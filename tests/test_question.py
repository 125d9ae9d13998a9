"""The question about a learner's own code: asked after passing, answered by a line number, checked at once."""

import linecache
import shutil
import sys
import types

import pytest
from conftest import ROOT
from run_cells import keep_cell
from test_xray import STYLES, write

from course.checking import check
from course.handed_out import EXAMPLES_CHANGED
from course.pictures.attention import plot_attention
from course.practice import find_practice
from course.question import my_line
from course.session import last_check

LESSON = ROOT / "source" / "09_attention"
PRACTICE = find_practice("attention", LESSON)
EXAMPLES = [
    dict(example.arguments) | {"returns": [list(row) for row in rows]}
    for example in PRACTICE.examples
    for width in [example.returns.shape[1]]
    for rows in [[example.returns.flat[at : at + width] for at in range(0, len(example.returns.flat), width)]]
]


@pytest.fixture(autouse=True)
def _beside_the_practice_file(monkeypatch):
    monkeypatch.chdir(LESSON)


def cell(source):
    """Define `solve` as a notebook does: the text of the cell can be found by its file name."""
    keep_cell(source, "learner")
    return write(source)


def ask(solve, line=0):
    """Run the learner's cell."""
    return my_line(solve, EXAMPLES, line, lesson="attention")


def line_with(source, text):
    """Return the number of the first line that holds this text."""
    return next(number for number, line in enumerate(source.splitlines(), start=1) if text in line)


RIGHT_LINES = {
    "lists": ["w = [x / total"],
    "divided late": ["res.append("],
    "one number at a time": ["w = math.exp(s) / total"],
    "helpers": ["return [e / sum(es)", "return mix(softmax("],
    "numpy tables": ["w = e / e.sum"],
    "numpy, one name": ["x /= x.sum"],
    "numpy rows": ["out[i] = (w / w.sum())"],
    "one expression": ["return [[sum(e * V"],
}


@pytest.mark.parametrize("style", STYLES)
def test_the_right_line_is_found_in_every_style(style):
    """The line that divides by the sum is right; the line before it and the last one get "Not yet" and a pointer."""
    source = STYLES[style]
    solve = cell(source)
    right = [line_with(source, text) for text in RIGHT_LINES[style]]

    assert all(repr(ask(solve, number)).startswith("Yes") for number in right)
    for number in (right[0] - 1, 2, len(source.splitlines())):
        if number not in right and style != "one expression":
            assert repr(ask(solve, number)).startswith("Not yet")
            assert "Look for the end of step 3" in repr(ask(solve, number))


def test_every_line_of_a_long_statement_counts():
    """A statement over several lines is one answer."""
    solve = cell(STYLES["one expression"])

    assert [repr(ask(solve, number))[:3] for number in (1, 3, 4, 5)] == ["Not", "Yes", "Yes", "Yes"]


def test_with_0_the_question_is_asked():
    """Before the learner has chosen a line, the cell asks and says how to answer."""
    text = repr(ask(cell(STYLES["lists"])))

    assert text.startswith(PRACTICE.question.text)
    assert "Line 1 is the first line of the cell" in text


NO_LINES = {
    "text": ("4", "`'4'` is no line number. Write a whole number"),
    "a number with a point": (4.0, "`4.0` is no line number. Write a whole number"),
    "a list": ([4], "A list is no line number. Write a whole number"),
    "nothing": (None, "`None` is no line number. Write a whole number"),
    "true": (True, "`True` is no line number. Write a whole number"),
    "negative": (-3, "has 12 lines, so there is no line -3. Write a number from 1 to 12"),
    "the last line of a list": (-1, "has 12 lines, so there is no line -1. Write a number from 1 to 12"),
    "beyond the cell": (99, "has 12 lines, so there is no line 99. Write a number from 1 to 12"),
}


@pytest.mark.parametrize("kind", NO_LINES)
def test_what_is_no_line_of_the_cell_says_what_to_write(kind):
    """Text, a float, a list, None, a negative number and a line beyond the cell each get one plain sentence."""
    line, says = NO_LINES[kind]

    assert says in repr(ask(cell(STYLES["lists"]), line))


def test_a_negative_line_is_a_whole_number_even_where_the_cell_is_not_known():
    """Without the text of the cell nobody knows its last line, but the first one is line 1."""
    solve = write(STYLES["lists"])
    linecache.cache.pop(solve.__code__.co_filename, None)

    assert "There is no line -1: the first line is line 1." in repr(ask(solve, -1))


def test_a_long_text_as_a_line_is_cut():
    """A whole line of code in quotes is no line number either, and does not fill the page."""
    assert len(repr(ask(cell(STYLES["lists"]), "w = x / total " * 50))) < 400


def test_the_pointer_says_up_or_down_and_not_the_number():
    """A wrong line is quoted; the reply points up or down."""
    solve = cell(STYLES["lists"])

    assert "`out = []`" in repr(ask(solve, 3))
    assert "further down" in repr(ask(solve, 3))
    assert "further up" in repr(ask(solve, 11))


def test_a_helper_that_was_only_given_the_numbers_is_not_the_answer():
    """A helper that ran before and gets the weights later is wrong; the pointer leads past it to the right line."""
    source = """import math

def keep(row):
    return list(row)

def solve(Q, K, V, causal):
    out = []
    for i, q in enumerate(Q):
        count = i + 1 if causal else len(K)
        scores = keep(sum(a * b for a, b in zip(q, k)) / math.sqrt(len(q)) for k in K[:count])
        exps = [math.exp(s - max(scores)) for s in scores]
        weights = [e / sum(exps) for e in exps]
        weights = keep(weights)
        out.append([sum(w * x for w, x in zip(weights, column)) for column in zip(*V[:count])])
    return out
"""
    solve = cell(source)
    given = ask(solve, line_with(source, "return list(row)"))

    assert repr(ask(solve, line_with(source, "weights = ["))).startswith("Yes")
    assert repr(given).startswith("Not yet")
    assert "further down" in repr(given)


def test_the_examples_come_first():
    """As long as an example fails, there is no question."""
    assert "First make all examples pass" in repr(ask(lambda *_: [[0.0]], 3))


def test_the_last_check_stays_what_it_was(tmp_path, monkeypatch):
    """The hints go on from the check cell, whatever is asked in between."""
    shutil.copy(LESSON / "attention.json", tmp_path)
    monkeypatch.chdir(tmp_path)
    check(lambda *_: [[0.0]], EXAMPLES, lesson="attention")
    before = last_check()
    ask(lambda *_: [[1.0]], 3)

    assert last_check() is before
    assert before.practice is not None


def test_where_it_cannot_be_told_no_line_is_called_wrong():
    """Code whose steps cannot be watched gets the step to compare with."""
    known = {repr(each["Q"]) + repr(each["V"]) + str(each["causal"]): each["returns"] for each in EXAMPLES}
    solve = cell("def solve(Q, K, V, causal):\n    return known[repr(Q) + repr(V) + str(causal)]\n")
    solve.__globals__["known"] = known

    assert "I cannot tell" in repr(ask(solve, 2)) or "Yes" in repr(ask(solve, 2))


@pytest.mark.parametrize(("text", "says"), [(None, "is not beside the notebook"), ("{", "is damaged")])
def test_without_the_practice_file_it_says_what_is_wrong_with_it(text, says, tmp_path, monkeypatch):
    """A notebook without its practice file, or with a damaged one, gets one calm sentence with the file's name."""
    monkeypatch.chdir(tmp_path)
    if text is not None:
        (tmp_path / "attention.json").write_text(text, encoding="utf-8")
    said = repr(ask(cell(STYLES["lists"]), 3))

    assert f"`attention.json` {'beside the notebook ' if text else ''}{says}" in said
    assert "handout" in said


CHANGED = {
    "an empty list": [],
    "no list": 3,
    "words": ["Q", "K"],
    "one number": [EXAMPLES[0] | {"returns": [[9.0]]}, *EXAMPLES[1:]],
    "an input is gone": [{name: EXAMPLES[0][name] for name in ("Q", "K", "V", "returns")}, *EXAMPLES[1:]],
    "an answer is gone": [{name: EXAMPLES[0][name] for name in ("Q", "K", "V", "causal")}],
    "one is gone": EXAMPLES[1:],
}


@pytest.mark.parametrize("kind", CHANGED)
def test_changed_examples_are_named_and_no_fault_of_solve(kind):
    """Whatever was changed in the cell with the examples, it says so and how to get them back."""
    reply = my_line(cell(STYLES["lists"]), CHANGED[kind], 3, lesson="attention")

    assert repr(reply) == EXAMPLES_CHANGED


def test_prints_stay_off_the_page(capsys):
    """A learner's prints are not shown again by the question."""
    ask(cell(STYLES["lists"].replace("out = []", "out = []; print('noise')")), 3)

    assert capsys.readouterr().out == ""


def test_html_escapes_the_learners_code():
    """The HTML says the same as the text, and a learner's line is no markup."""
    source = STYLES["lists"].replace("out = []", "out = []; name = '<b>'")
    html = ask(cell(source), 3)._repr_html_()

    assert "<b>" not in html
    assert "&lt;b&gt;" in html


def test_after_another_name_the_picture_and_the_question_say_that_they_are_of_older_code(monkeypatch):
    """Where the newest cell defines `slove`, nothing shows the older `solve` without a word."""
    code = STYLES["lists"]
    solve = cell(code)
    main = types.ModuleType("__main__")
    main.solve, main.In = solve, ["", code]
    monkeypatch.setitem(sys.modules, "__main__", main)
    plain = repr(ask(solve, 0)), repr(plot_attention(solve, EXAMPLES))
    main.In.append(code.replace("def solve", "def slove"))

    for before, after in zip(plain, (repr(ask(solve, 0)), repr(plot_attention(solve, EXAMPLES))), strict=True):
        assert "older" not in before
        assert after.startswith(before)
        assert "This is your older `solve`. Your newest code was not checked: it defines `slove`" in after
