"""Lesson 01 is the one whose answers are ids in a list of any length: what the check and the question say there."""

import pytest
from conftest import ROOT
from run_cells import run_cell

from course.checking import check
from course.compare import Kind, compare
from course.outcomes import Answered
from course.question import my_line
from course.show import to_text
from course.show_html import to_html
from course.values import read_value, to_lists

LESSON = "01_encode_text"


@pytest.fixture(autouse=True)
def _beside_the_practice_file(monkeypatch):
    monkeypatch.chdir(ROOT / "source" / LESSON)


@pytest.fixture(scope="module")
def lesson(grader):
    """The lesson as the grader sees it."""
    return grader.lesson(LESSON)


@pytest.fixture(scope="module")
def examples(lesson):
    """The examples as the check cell has them."""
    return [{**each.arguments, "returns": to_lists(each.returns)} for each in lesson.examples]


LENGTHS = {
    "too long": ([2, 4, 5, 0, 0], "a flat list of 5 numbers, [2, 4, 5, 0, 0]", "too many numbers"),
    "too short": ([2], "a flat list of 1 number, [2]", "too few numbers"),
    "empty": ([], "an empty list", "too few numbers"),
    "very long": ([0] * 50, "a flat list of 50 numbers", "too many numbers"),
}


@pytest.mark.parametrize("situation", LENGTHS)
def test_a_list_of_another_length_is_shown_beside_the_expected_one(situation):
    """Where no table can stand, the sentence holds both lists; what is said of a hidden case holds neither."""
    ids, came, safe = LENGTHS[situation]
    verdict = compare(Answered(read_value(ids)), read_value([2, 4, 5, 0]))

    assert verdict.kind is Kind.SHAPE
    assert verdict.says == f"`solve` returned {came}. Expected: a flat list of 4 numbers, [2, 4, 5, 0]."
    assert verdict.safe == f"Your answer has {safe}."


def test_pieces_instead_of_ids_are_told_what_to_return(examples):
    """A list of strings is named, and the text and the HTML say that numbers are wanted."""
    report = check(lambda text, _: list(text), examples, lesson="encode_text").report

    for shown in (to_text(report), to_html(report)):
        assert "returned a list that holds a string. Return a flat list of 4 numbers." in shown


def test_no_step_is_blamed_where_none_can_be_seen(lesson, examples):
    """Steps that only choose a number cannot be seen in the running code, so the check names no step by guessing."""

    def pieces_in_any_order(text, vocab):
        found = sorted(lesson.reference(text, vocab))
        return found[1:] + found[:1]

    assert "another way" not in to_text(check(pieces_in_any_order, examples, lesson="encode_text").report)


SLICES = """\
def solve(text, vocab):
    ids = []
    at = 0
    while at < len(text):
        for size in range(len(text) - at, 0, -1):
            if text[at : at + size] in vocab[1:]:
                ids.append(vocab.index(text[at : at + size], 1))
                at += size
                break
        else:
            ids.append(0)
            at += 1
    return ids
"""


@pytest.mark.parametrize(("line", "reply"), [(3, "Not yet."), (7, "Yes."), (11, "Yes."), (13, "Not yet.")])
def test_each_line_that_writes_an_id_down_is_right(examples, line, reply):
    """The question is answered by the lines that append, in whichever branch they stand."""
    names = run_cell(SLICES)

    assert repr(my_line(names["solve"], examples, line, lesson="encode_text")).startswith(reply)
