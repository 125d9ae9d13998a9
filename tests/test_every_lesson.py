"""Every released lesson, in the folder that a learner gets: run in a real kernel, and opened in JupyterLab."""

import json
import shutil
from dataclasses import replace

import nbformat
import numpy as np
import pytest
from browser_helpers import CUT_OFF, FAINT, LINES, choose, jupyterlab, open_in_lab, run_all_cells, take_shot
from conftest import ROOT, cell_of, solve_cell
from nbclient import NotebookClient

from autograder.loading import lesson_ids, load_lesson
from course.checking import check
from course.report import LikelyMistake
from course.show_html import to_html
from course.syllabus import START

LESSONS = lesson_ids(ROOT)
SETTINGS = {
    "apputils-extension/themes": {"adaptive-theme": True},
    "notebook-extension/tracker": {"windowingMode": "none"},
}
LOOKS = {"light": ("light", 1100, 12_000), "dark": ("dark", 1100, 12_000), "phone": ("dark", 360, 16_000)}
pytestmark = pytest.mark.filterwarnings("ignore")  # zmq and tornado warn about their own event loops


def hand_out(lesson_id, folder, *, solved):
    """Copy a released lesson into `folder`, with the reference in its solution cell if it is to be solved."""
    place = folder / lesson_id
    shutil.copytree(ROOT / "release" / lesson_id, place)
    path = place / f"{lesson_id[3:]}.ipynb"
    if solved:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        solve_cell(notebook)["source"] = load_lesson(lesson_id, ROOT).reference_source
        path.write_text(json.dumps(notebook), encoding="utf-8")
    return path


def run_all(path):
    """Run every cell as "Run All" does: it stops at the first error."""
    node = nbformat.read(path, as_version=4)
    where = {"metadata": {"path": str(path.parent)}}
    NotebookClient(node, timeout=180, kernel_name="python3", resources=where).execute()
    return node


def shown(cell):
    """Return what the cell shows as text."""
    return "\n".join(
        output["data"].get("text/plain", "") if "data" in output else output.get("text", "")
        for output in cell["outputs"]
    )


def outputs_of(node):
    """Return the outputs of all code cells."""
    return [output for cell in node.cells if cell.cell_type == "code" for output in cell.outputs]


@pytest.mark.slow
@pytest.mark.parametrize("lesson_id", LESSONS)
def test_the_stub_runs_to_the_end_calmly(lesson_id, tmp_path):
    """With the stub, Run All reaches the last cell: no error, no warning, one calm sentence from the check."""
    node = run_all(hand_out(lesson_id, tmp_path, solved=False))
    outputs = outputs_of(node)

    assert "not written yet" in shown(cell_of(node, "examples"))
    assert not [each for each in outputs if each.output_type == "error" or each.get("name") == "stderr"]
    assert [cell.execution_count for cell in node.cells if cell.cell_type == "code"][-1]


@pytest.mark.slow
@pytest.mark.parametrize("lesson_id", LESSONS)
def test_a_solved_lesson_shows_all_it_has(lesson_id, tmp_path):
    """With the solution all examples pass, a picture with alt text is drawn, and the clean start says the same."""
    node = run_all(hand_out(lesson_id, tmp_path, solved=True))
    html = "".join(each["data"].get("text/html", "") for each in outputs_of(node) if "data" in each)
    said = {cell.id: shown(cell) for cell in node.cells if cell.cell_type == "code"}

    assert "examples pass." in said["examples"]
    assert "<img alt=" in html
    assert "hidden cases were not run here" in said["before-submitting"]
    assert "clean start" in said["before-submitting"]
    assert "line" in said["question"]
    assert not [each for each in outputs_of(node) if each.output_type == "error" or each.get("name") == "stderr"]


@pytest.fixture(scope="module")
def lab(tmp_path_factory, chromium):
    """JupyterLab on all lessons, solved, and the start notebook. Its theme follows the browser's colour scheme."""
    folder = tmp_path_factory.mktemp("lessons")
    for name, settings in SETTINGS.items():
        path = folder / "state" / "config" / "lab" / "user-settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(settings), encoding="utf-8")
    shutil.copytree(ROOT / "release" / START, folder / "files" / START)
    for lesson_id in LESSONS:
        hand_out(lesson_id, folder / "files", solved=True)
    with jupyterlab(folder / "files", folder / "state") as address:
        yield chromium, address


def open_and_run(lab, lesson_id):
    """Open a notebook in a window so high that all of it shows, and run all cells."""
    chromium, address = lab
    page = chromium.new_page(viewport={"width": 1100, "height": 12_000}, color_scheme="light")
    open_in_lab(page, address, f"{lesson_id}/{lesson_id[3:]}.ipynb")
    page.keyboard.press("Control+b")  # the list of files goes away
    run_all_cells(page)
    return page


def wear(page, look):
    """Change the theme and the width of the window, and wait until both are there."""
    theme, width, height = LOOKS[look]
    light = "true" if theme == "light" else "false"
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_selector(f"body[data-jp-theme-light={light}]", state="attached", timeout=30_000)
    page.wait_for_timeout(1000)


@pytest.mark.browser
@pytest.mark.parametrize("lesson_id", [START, *LESSONS])
def test_it_reads_in_jupyterlab(lab, lesson_id):
    """Each notebook opens and runs in a real browser, and reads in the light and the dark theme, and on a phone.

    Formulas are typeset, pictures have alt text and a white ground of their own, no error shows, no text is faint, and
    no output is cut off at 360 px.
    """
    page = open_and_run(lab, lesson_id)
    text = page.locator(".jp-Notebook").inner_text()
    formulas = "$" in (ROOT / "release" / lesson_id / f"{lesson_id[3:]}.ipynb").read_text(encoding="utf-8")
    alts = page.locator(".jp-OutputArea img").evaluate_all("all => all.map(each => each.alt)")

    assert page.locator(".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.error']").count() == 0
    assert bool(page.locator(".jp-MarkdownOutput mjx-container").count()) == formulas
    assert all(len(alt) > 20 for alt in alts)
    assert alts or lesson_id == START
    assert "examples pass" in text or lesson_id == START
    hard_to_read = {}
    for look in LOOKS:
        wear(page, look)
        take_shot(page, f"lesson-{lesson_id}-{look}")
        hard_to_read[look] = page.evaluate(FAINT)
    assert hard_to_read == {look: [] for look in LOOKS}
    assert page.evaluate(CUT_OFF) == []
    page.close()


@pytest.mark.browser
def test_the_start_notebook_names_what_is_there(lab):
    """What it says to press is in JupyterLab: View, Show Line Numbers gives numbers, and the square button stops."""
    page = open_and_run(lab, START)
    numbers = page.locator(".jp-Notebook .cm-lineNumbers .cm-gutterElement:visible")

    assert not numbers.count()
    choose(page, "View", "Show Line Numbers")
    assert numbers.first.inner_text() == "1"
    button = page.locator("jp-button[data-command='notebook:interrupt-kernel'], [data-jp-item-name=interrupt]").first
    assert "Interrupt" in (button.get_attribute("title") or button.inner_html())
    choose(page, "Kernel", "Restart Kernel…")
    assert page.get_by_role("dialog").is_visible()
    page.close()


THREE = [[6.69762, 3.30238, 0.5], [0.0, -1.25, 12.0], [1.0, 2.0, 1.33333]]
AS_IN_JUPYTERLAB = "<!doctype html><style>body { font: 14px sans-serif } table { font-size: 12px }</style>"
ANSWERS = {"one number": 1.5, "a list": THREE[0] * 2, "a column": [[row[0]] for row in THREE] * 2, "3 x 3": THREE}


@pytest.mark.browser
@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_a_table_of_numbers_is_short_and_fits_a_phone(chromium, answer):
    """On a notebook page a report has at most 15 lines, whatever the answer's shape; at 360 px nothing is cut off."""
    wrong = (np.array(answer) * 1.23456).tolist()
    report = check(lambda _: wrong, [{"x": answer, "returns": answer}]).report
    advice = "Two sentences say what these numbers are. " * 4
    report = replace(report, mistake=LikelyMistake("m", advice, 2, "Divide by the sum"), already="steps 1 and 2.")
    page = chromium.new_page(viewport={"width": 900, "height": 800})
    page.set_content(f"{AS_IN_JUPYTERLAB}<div class='jp-OutputArea-output'>{to_html(report)}</div>")
    lines = page.evaluate(LINES)
    page.set_viewport_size({"width": 360, "height": 800})

    assert 8 <= lines <= 15
    assert page.evaluate(CUT_OFF) == []
    assert page.locator("[tabindex]").evaluate("e => e.scrollWidth <= e.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.close()
