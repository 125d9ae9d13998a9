"""Every released lesson, in the folder that a learner gets: run in a real kernel, and opened in JupyterLab."""

import json
import shutil

import nbformat
import pytest
from browser_helpers import TOKEN, browser, jupyterlab, need_chromium, take_shot
from conftest import ROOT, cell_of, solve_cell
from nbclient import NotebookClient

from autograder.loading import lesson_ids, load_lesson
from course.syllabus import START

LESSONS = lesson_ids(ROOT)
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
def lab(tmp_path_factory):
    """JupyterLab on all lessons, solved, and the start notebook."""
    need_chromium()
    folder = tmp_path_factory.mktemp("lessons")
    (folder / "state").mkdir()
    shutil.copytree(ROOT / "release" / START, folder / "files" / START)
    for lesson_id in LESSONS:
        hand_out(lesson_id, folder / "files", solved=True)
    with jupyterlab(folder / "files", folder / "state") as address, browser() as chromium:
        yield chromium, address


@pytest.mark.browser
@pytest.mark.parametrize("lesson_id", [START, *LESSONS])
def test_it_reads_in_jupyterlab(lab, lesson_id):
    """Each notebook opens and runs in a real browser: formulas are typeset, pictures have alt text, no error shows."""
    chromium, address = lab
    page = chromium.new_page(viewport={"width": 1100, "height": 9000})  # tall: every cell is drawn
    page.goto(f"{address}/lab/tree/{lesson_id}/{lesson_id[3:]}.ipynb?token={TOKEN}&reset")
    page.wait_for_selector(".jp-Notebook .jp-MarkdownOutput h1", timeout=120_000)
    page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status=idle]", timeout=120_000)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    page.wait_for_timeout(1500)
    page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status=idle]", timeout=180_000)
    page.wait_for_timeout(1000)
    take_shot(page, f"lesson-{lesson_id}")
    text = page.locator(".jp-Notebook").inner_text()
    formulas = "$" in (ROOT / "release" / lesson_id / f"{lesson_id[3:]}.ipynb").read_text(encoding="utf-8")
    alts = page.locator(".jp-OutputArea img").evaluate_all("all => all.map(each => each.alt)")

    assert page.locator(".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.error']").count() == 0
    assert bool(page.locator(".jp-MarkdownOutput mjx-container").count()) == formulas
    assert all(len(alt) > 20 for alt in alts)
    assert alts or lesson_id == START
    assert "examples pass" in text or lesson_id == START
    page.close()
