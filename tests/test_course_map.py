"""The map of the course: where the learner is, and what comes next."""

import json

import nbformat
from conftest import ROOT

from course.course_map import course_map
from course.progress import FILE
from course.syllabus import LESSONS, START


def begin(folder, lesson, *, passed):
    """Hand out a lesson's folder, with one try in it."""
    place = folder / lesson.id
    (place / FILE.parent).mkdir(parents=True, exist_ok=True)
    (place / f"{lesson.name}.ipynb").touch()
    tries = [{"at": "2026-01-01T00:00:00+00:00", "code": "c", "passed": [passed, True], "step": 0}]
    (place / FILE).write_text(json.dumps({lesson.id: {"tries": tries, "hints": []}}))


def test_a_newcomer_is_sent_to_the_first_lesson():
    """With nothing done, every lesson that is there waits, and the first is next."""
    shown = course_map(ROOT / "release")

    assert shown.following == LESSONS[0]
    assert "0 of 11 lessons passed. Next: lesson 01, Turn text into token ids." in repr(shown)


def test_passed_begun_and_missing_lessons_are_told(tmp_path):
    """States come from the learner's own files; a lesson that was not handed out is no next step."""
    begin(tmp_path, LESSONS[0], passed=True)
    begin(tmp_path, LESSONS[2], passed=False)
    shown = course_map(tmp_path)
    state = {lesson.id: state for lesson, state in shown.states}

    assert state["01_encode_text"] == "passed"
    assert state["02_softmax"] == "not here yet"
    assert state["03_cross_entropy"] == "begun"
    assert shown.following == LESSONS[2]


def test_a_chapter_done_earns_its_reward(tmp_path):
    """The reward is called earned once all lessons of the chapter are passed, and all done says so."""
    for lesson in LESSONS[:4]:
        begin(tmp_path, lesson, passed=True)
    shown = course_map(tmp_path)

    assert "Earned: Your table of letter pairs invents names." in repr(shown)
    assert "At the end: A small model reverses words" in repr(shown)
    assert "You have passed all 4 lessons that are here." in repr(shown)


def test_the_html_links_to_the_notebooks(tmp_path):
    """Lessons that are there are links; the table has header cells and needs no style element."""
    begin(tmp_path, LESSONS[1], passed=False)
    html = course_map(tmp_path)._repr_mimebundle_()["text/html"]

    assert html.count("<a href=") == 1
    assert '<a href="../02_softmax/softmax.ipynb">' in html
    assert 'scope="col"' in html
    assert "<style" not in html


def test_the_start_notebook_is_released_as_it_is():
    """It holds the map and nothing to solve, in source and release alike."""
    cells, released = (
        nbformat.read(ROOT / folder / START / "start_here.ipynb", as_version=4).cells
        for folder in ("source", "release")
    )

    assert [cell.source for cell in cells] == [cell.source for cell in released]
    assert [cell.source.splitlines()[-1] for cell in cells if cell.cell_type == "code"] == ["course_map()"]
