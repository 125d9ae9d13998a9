"""What a person sees, in a real browser: the lesson in JupyterLab and Formgrader."""

import json
import shutil
import subprocess
import sys

import pytest
from browser_helpers import (
    TOKEN,
    jupyterlab,
    open_in_lab,
    output_with,
    run_all_cells,
    scroll_to_cell,
    take_shot,
    with_our_programs,
)
from conftest import LESSON, ROOT, solve_cell
from nbgrader.api import Gradebook

from autograder.sample_class import PLAIN, RIGHT

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def lab(tmp_path_factory, chromium):  # noqa: ARG001  # without a browser there is no need for a server
    """JupyterLab on three copies of the released lesson: as released, right, wrong."""
    folder = tmp_path_factory.mktemp("lab")
    (folder / "state").mkdir()
    released = (ROOT / "release" / LESSON / "attention.ipynb").read_text(encoding="utf-8")
    for name, code in {"stub": None, "right": RIGHT, "wrong": PLAIN.replace("SCALE", "math.sqrt(len(K))")}.items():
        notebook = json.loads(released)
        if code:
            solve_cell(notebook)["source"] = code
        shutil.copytree(ROOT / "release" / LESSON, folder / "files" / name)
        (folder / "files" / name / "attention.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    with jupyterlab(folder / "files", folder / "state") as address:
        yield address


def open_and_run_all(chromium, lab, name):
    """Open one copy in JupyterLab, run all cells, and wait until the kernel is idle again."""
    page = chromium.new_page(viewport={"width": 1200, "height": 1000})
    open_in_lab(page, lab, f"{name}/attention.ipynb")
    run_all_cells(page)
    return page


def test_stub_runs_to_the_end(chromium, lab):
    """Run All with the stub: one calm sentence, no error output anywhere, and the last code cell was run."""
    page = open_and_run_all(chromium, lab, "stub")
    output_with(page, "not written yet")
    take_shot(page, "lab-stub")

    assert page.locator(".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.error']").count() == 0
    assert page.locator(".jp-RenderedText[data-mime-type='application/vnd.jupyter.stderr']").count() == 0
    page.close()


def test_right_solution_shows_the_heat_map(chromium, lab):
    """Run All with a right solution: all five pass, and the picture of the weights has alt text."""
    page = open_and_run_all(chromium, lab, "right")
    output_with(page, "All 5 examples pass")
    take_shot(page, "lab-right")
    picture = page.locator(".jp-OutputArea-output img").first
    picture.scroll_into_view_if_needed()
    take_shot(page, "lab-heat-map")

    assert "query 0" in picture.get_attribute("alt").lower()
    page.close()


def test_wrong_solution_shows_the_first_failing_example(chromium, lab):
    """Run All with a wrong solution: the first failing example with expected, got and difference, and the mistake."""
    page = open_and_run_all(chromium, lab, "wrong")
    output_with(page, "Example 5 of 5")
    take_shot(page, "lab-wrong")
    text = (output_with(page, "Example 5 of 5").text_content() or "").lower()

    for word in ("expected", "got", "difference", "5.84847", "number of keys", "change step 2 in your code"):
        assert word in text
    page.close()


def test_hints_open_one_at_a_time(chromium, lab):
    """A hint is closed at first, opens by keyboard, and opening it leaves the others closed."""
    page = open_and_run_all(chromium, lab, "stub")
    scroll_to_cell(page, "<details>", "source")
    hints = page.locator(".jp-MarkdownOutput details")
    hints.first.wait_for(timeout=60_000)

    assert [hints.nth(n).get_attribute("open") for n in range(3)] == [None] * 3

    hints.first.locator("summary").focus()
    page.keyboard.press("Enter")
    take_shot(page, "lab-hint")

    assert [hints.nth(n).get_attribute("open") is not None for n in range(3)] == [True, False, False]
    assert hints.first.locator("p").first.is_visible()
    page.close()


@pytest.fixture(scope="module")
def course_root(tmp_path_factory):
    """A course root with one submission of the wrong solution, not graded yet."""
    root = tmp_path_factory.mktemp("formgrader")
    (root / "state").mkdir()
    shutil.copytree(ROOT / "source", root / "course" / "source")
    shutil.copy(ROOT / "nbgrader_config.py", root / "course")
    command = [sys.executable, "-m", "nbgrader", "generate_assignment", LESSON]
    subprocess.run(command, cwd=root / "course", env=with_our_programs(), check=True, capture_output=True)
    notebook = json.loads((root / "course" / "release" / LESSON / "attention.ipynb").read_text(encoding="utf-8"))
    solve_cell(notebook)["source"] = PLAIN.replace("SCALE", "math.sqrt(len(K))")
    submitted = root / "course" / "submitted" / "student-01" / LESSON
    submitted.mkdir(parents=True)
    (submitted / "attention.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    (submitted / "timestamp.txt").write_text("2026-01-31 12:00:00 UTC", encoding="utf-8")
    return root


def test_formgrader_buttons_use_our_engine(chromium, course_root):
    """Formgrader's autograde button grades with our engine, its feedback button writes our page."""
    with jupyterlab(course_root / "course", course_root / "state") as address:
        page = chromium.new_page(viewport={"width": 1200, "height": 900})
        page.goto(f"{address}/lab?token={TOKEN}")  # as a person comes: JupyterLab first, and its cookie with it
        page.goto(f"{address}/formgrader/manage_submissions/{LESSON}")
        page.wait_for_selector("text=student-01", timeout=60_000)
        take_shot(page, "formgrader-before")
        page.locator("td.autograde a").first.click()
        page.wait_for_selector("text=Successfully", timeout=90_000)
        take_shot(page, "formgrader-after")
        page.reload()
        page.wait_for_selector("td.generate-feedback a", timeout=60_000)
        page.locator("td.generate-feedback a").first.click()
        page.wait_for_selector("text=Successfully generated feedback", timeout=90_000)
        page.close()
    feedback = course_root / "course" / "feedback" / "student-01" / LESSON / "attention.html"
    with Gradebook(f"sqlite:///{course_root}/course/gradebook.db") as gradebook:
        notebook = gradebook.find_submission_notebook("attention", LESSON, "student-01")
        scores = {grade.name: grade.auto_score for grade in notebook.grades}
        comment = gradebook.find_comment("solve", "attention", LESSON, "student-01").comment

    assert scores["examples"] == 4
    assert 0 < scores["hidden"] < 10
    assert "step" in comment.lower()
    assert "Likely mistake: square root of the number of keys" in feedback.read_text(encoding="utf-8")
