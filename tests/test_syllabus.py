"""The syllabus, and what is held against it: notebooks, glossary, and the numbers that the course began with."""

import copy
import json
import math
import re

import nbformat
import pytest
from conftest import ROOT

from autograder.course_pages import glossary_text, lesson_table
from autograder.lesson import Call, GraderError, outcome_of
from course.compare import compare
from course.outcomes import Answered, Raised
from course.syllabus import CHAPTERS, LESSONS
from course.values import Numbers, read_value

BUILT = [each for each in LESSONS if (ROOT / "source" / each.id).is_dir()]
NUMBERS = ROOT.parent / "shared" / "syllabus_cases.json"
NEEDS_NUMBERS = pytest.mark.skipif(
    not NUMBERS.is_file(), reason="the shared numbers are not beside this project; its own cases are in the lessons"
)


def cells_of(lesson, folder="source"):
    """Return the cells of a lesson's notebook by id."""
    path = ROOT / folder / lesson.id / f"{lesson.name}.ipynb"
    return {cell.id: cell.source for cell in nbformat.read(path, as_version=4).cells}


def test_numbers_and_names_are_in_order():
    """Lessons are numbered from 1 without a gap, and need only earlier ones."""
    assert [each.number for each in LESSONS] == list(range(1, len(LESSONS) + 1))
    for each in LESSONS:
        assert all(0 < number < each.number for number in each.needs)
    assert all(chapter.lessons and chapter.reward for chapter in CHAPTERS)


@pytest.mark.parametrize("lesson", BUILT, ids=lambda each: each.id)
def test_the_notebook_says_what_the_syllabus_says(lesson, grader):
    """Title, minutes, what is needed and the points are the same in both."""
    title = cells_of(lesson)["title"]
    graded = grader.lesson(lesson.id)

    assert title.splitlines()[0].startswith("# ")
    assert f"about {lesson.minutes} minutes" in title
    needed = {int(number) for number in re.findall(r"lessons? (\d\d)", title.partition("**Where it leads")[0])}
    assert needed >= set(lesson.needs) or not lesson.needs
    assert graded.example_points + graded.hidden_points == lesson.points


def test_words_are_explained_the_same_everywhere():
    """A word to know has one explanation in the whole course, and docs/glossary.md is the list of them."""
    kept = (ROOT / "docs" / "glossary.md").read_text("utf-8")

    assert kept == glossary_text(ROOT)
    assert kept.count("\n- ") > len(BUILT)


def test_the_readme_shows_the_syllabus():
    """The README's table is the syllabus, with every lesson that is there."""
    assert lesson_table(ROOT) in (ROOT / "README.md").read_text("utf-8")


def test_one_word_explained_in_two_ways_is_refused(tmp_path):
    """Two lessons cannot explain the same word differently."""
    for number, text in enumerate(("one way", "another way")):
        cell = {"id": "words-to-know", "source": f"- **token**: {text}."}
        folder = tmp_path / "source" / f"0{number}_lesson"
        folder.mkdir(parents=True)
        (folder / "lesson.ipynb").write_text(json.dumps({"cells": [cell]}), encoding="utf-8")

    with pytest.raises(GraderError, match="'token' is explained in two ways, by 00_lesson and by 01_lesson"):
        glossary_text(tmp_path)


@NEEDS_NUMBERS
@pytest.mark.parametrize("lesson", BUILT, ids=lambda each: each.id)
def test_the_numbers_that_the_course_began_with_hold(lesson, grader):
    """Each right value is the reference's answer, and each wrong one comes from one and the same known mistake."""
    graded = grader.lesson(lesson.id)
    entry = next(each for each in json.loads(NUMBERS.read_text("utf-8")) if each["slug"] == lesson.id)
    cases = {f"{part[0]}{at}": case for part in ("examples", "hidden") for at, case in enumerate(entry[part])}
    for case in cases.values():
        assert compare(outcome_of(graded.reference, call_of(case)), read_value(case["expected"])).passed
    for wrong in entry["misconceptions"]:
        known = [
            mistake.name
            for mistake in graded.mistakes
            if all(
                matches(outcome_of(mistake.solve, call_of(cases[at])), gives) for at, gives in wrong["outputs"].items()
            )
        ]
        assert known, f"no known mistake gives all the numbers of: {wrong['name']}"


def gives_all(mistake, cases, outputs):
    """Tell whether a known mistake gives every one of these outputs."""
    return all(matches(outcome_of(mistake.solve, call_of(cases[at])), gives) for at, gives in outputs.items())


def call_of(case):
    """Make the call of a shared case."""
    return Call(tuple(copy.deepcopy(case["args"])))


def matches(outcome, wrong):
    """Tell whether an outcome is the wrong value. Where numpy gives nan or inf, lists may stop with an error."""
    want = read_value(wrong)
    if isinstance(outcome, Raised):
        return not all(map(math.isfinite, want.flat))
    if not isinstance(outcome, Answered) or not isinstance(outcome.value, Numbers):
        return False
    got = outcome.value
    return got.shape == want.shape and all(map(_alike, got.flat, want.flat))


def _alike(got, want):
    return (math.isnan(got) and math.isnan(want)) or math.isclose(got, want, rel_tol=1e-5, abs_tol=1e-5)
