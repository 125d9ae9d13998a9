"""Every HTML page of ours in a real browser: nothing to find for axe-core, nothing cut off, nothing from the network.

A new page is one more line of `PAGES`.
"""

import json
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser_helpers import take_shot
from conftest import ROOT

from autograder.class_report_facts import count_class
from autograder.class_report_page import render_class
from autograder.class_report_records import ClassRecords, Student
from autograder.feedback_page import FeedbackInput, render_feedback, render_not_gradable, score_parts
from autograder.handout_lessons import read_release
from autograder.handout_page import Handout, start_page
from autograder.handout_wheel import read_project
from autograder.notebooks import own_cells
from autograder.sample_class import NUMPY, RIGHT, Answer, fill_in
from course.course_map import course_map
from course.show_html import to_html
from course.submission import read_submission

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore")]

CODES = {
    "right": RIGHT,
    "no-mask": NUMPY.replace("if causal", "if False"),
    "unnamed-mistake": RIGHT.replace("/ math.sqrt(len(query))", "/ 3 - 2"),
    "nan": RIGHT.replace("return rows", "return [[float('nan'), *row[1:]] for row in rows]"),
    "hidden-fails": RIGHT.replace("score - top", "score"),
    "error": RIGHT.replace("math.exp", "math.exxp"),
    "unreadable": RIGHT.replace("return rows", "return rows)"),
    "stub": None,
}
LOOKS = {
    "light": {"viewport": {"width": 1000, "height": 800}, "color_scheme": "light"},
    "dark-phone": {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"},
}
NOTEBOOK = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Check</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>
body {{ background: #fff; color: rgba(0, 0, 0, .87) }} a {{ color: #0d47a1 }} /* as JupyterLab has it */
@media (prefers-color-scheme: dark) {{ body {{ background: #111; color: #fff }} a {{ color: #64b5f6 }} }}
</style></head><body><main><h1>Output of the check</h1>{}</main></body></html>"""


class Shop:
    """Makes the pages out of real reports."""

    def __init__(self, grader, lesson, released):
        self.lesson = lesson
        self.made = {}
        for name, code in CODES.items():
            submission = read_submission(json.loads(fill_in(released, Answer(code))), lesson.released)
            self.made[name] = (submission, grader.grade(submission, lesson))

    def feedback(self, name, **changes):
        """Write the feedback page of one solution."""
        submission, report = self.made[name]
        page = FeedbackInput(
            report=replace(report, notes=("Your notebook had lost its marks. They were put back.",)),
            cells=own_cells(submission, self.lesson),
            student_id="student-01",
            score=report.example_points + report.group_points,
            max_score=15.0,
            cell_scores=score_parts(report, report.example_points, report.group_points),
            comments=("Have a look at your loop.",),
        )
        return render_feedback(replace(page, **changes))

    def check(self, name):
        """Write what the check shows in a notebook, with a page around it."""
        return NOTEBOOK.format(to_html(replace(self.made[name][1], groups=())))

    def class_report(self, **how):
        """Write the report of a class in which each solution was handed in once, and more."""
        graded = [
            Student(name, handed_in=True, report=report, points=report.example_points + report.group_points)
            for name, (_, report) in self.made.items()
        ]
        others = Student("late", handed_in=False), Student("odd", handed_in=True, why="no notebook")
        records = ClassRecords(self.lesson, (*graded, *others), ("submitted/odd/notes.txt",))
        return render_class(count_class(records, **how), "2026-01-31T12:00:00+00:00")

    def start_page(self):
        """Write the page that says to students how to start."""
        project = read_project(ROOT)
        wheel = f"transformer_course_student-{project.version}-py3-none-any.whl"
        return start_page(Handout(project, wheel, read_release(ROOT / "release")))

    def not_gradable(self):
        """Write the page of work that could not be read."""
        return render_not_gradable(
            "09_attention", "student-01", "The file `attention.ipynb` is no notebook: line 1 is not JSON."
        )

    def course_map(self):
        """Put the map of the course into a page."""
        return NOTEBOOK.format(course_map(ROOT / "release")._repr_mimebundle_()["text/html"])


PAGES = {
    **{f"feedback-{name}": partial(Shop.feedback, name=name) for name in CODES},
    "feedback-not-graded": partial(Shop.feedback, name="no-mask", score=None, cell_scores=()),
    "feedback-not-gradable": Shop.not_gradable,
    **{f"check-{name}": partial(Shop.check, name=name) for name in ("right", "no-mask", "error")},
    "class-report": Shop.class_report,
    "handout-start": Shop.start_page,
    "course-map": Shop.course_map,
}
FEEDBACK = [name for name in PAGES if name.startswith("feedback")]
NAME = "e => e.ariaLabel || e.textContent"
TOO_WIDE = f"""[...document.querySelectorAll('main *')]
    .filter(e => e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display != 'inline')
    .map({NAME})"""


@pytest.fixture(scope="module")
def files(grader, lesson, _released_text, tmp_path_factory):
    """Every page as a file."""
    shop = Shop(grader, lesson, _released_text)
    folder = tmp_path_factory.mktemp("pages")
    for name, write in PAGES.items():
        (folder / f"{name}.html").write_text(write(shop), encoding="utf-8")
    return folder


@contextmanager
def opened(chromium, file, look):
    """Open a page as a student does, from the disk; yields it and what it asked for beyond itself."""
    page = chromium.new_page(**LOOKS[look])
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    yield page, [url for url in asked if url != file.as_uri()]
    page.close()


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_and_nothing_sticks_out(chromium, files, name, look):
    """Light and wide, dark and 360 px: no rule of axe-core is broken, no page is wider than the screen."""
    with opened(chromium, files / f"{name}.html", look) as (page, _):
        take_shot(page, f"{name}-{look}", whole=True)
        found = Axe().run(page)

        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth") <= LOOKS[look]["viewport"]["width"]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_one_small_file(chromium, files, name):
    """A page asks for nothing but itself, and is smaller than 300 kB."""
    with opened(chromium, files / f"{name}.html", "light") as (_, asked):
        assert asked == []
    assert (files / f"{name}.html").stat().st_size < 300_000


@pytest.mark.parametrize("name", FEEDBACK)
def test_on_paper_nothing_is_cut_off(chromium, files, name):
    """Printed, a page is dark on white whatever the screen was, and no code or table hides behind a scroll bar."""
    with opened(chromium, files / f"{name}.html", "dark-phone") as (page, _):
        page.set_viewport_size({"width": 680, "height": 960})  # A4 without its margins
        page.emulate_media(media="print", color_scheme="dark")
        take_shot(page, f"{name}-print", whole=True)

        assert page.evaluate(TOO_WIDE) == []
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


@pytest.mark.parametrize("name", FEEDBACK)
def test_the_keyboard_reaches_all_that_scrolls(chromium, files, name):
    """On a phone, Tab goes to every part that can be scrolled, in the order of the page, each with a visible ring."""
    with opened(chromium, files / f"{name}.html", "dark-phone") as (page, _):
        scrolled = page.evaluate(TOO_WIDE)
        stops = page.evaluate(f"[...document.querySelectorAll('[tabindex], a')].map({NAME})")
        reached = []
        for _ in stops:
            page.keyboard.press("Tab")
            reached.append(page.evaluate(f"({NAME})(document.activeElement)"))
            assert page.evaluate("getComputedStyle(document.activeElement).outlineWidth") == "3px"

        assert reached == stops
        assert set(scrolled) <= set(reached)
