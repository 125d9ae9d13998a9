"""What several test files share."""

import copy
import json
import shutil
from pathlib import Path

import pytest

from autograder.grader import Grader
from course.syllabus import LESSONS as SYLLABUS

ROOT = Path(__file__).resolve().parents[1]
CASES = ROOT.parent / "shared" / "cases"
LESSON = "09_attention"
NEEDS_CASES = pytest.mark.skipif(
    not CASES.is_dir(), reason="the shared folder of cases is not beside this project; its own cases are in tests/"
)


QUICK = ("02_softmax", LESSON)  # the lessons that the quick tests look at; `make test` looks at all


# Files that take a minute and more, the longest first: begun last, they would keep one process waiting for the other.
LONGEST = (
    "test_every_lesson",
    "test_late",
    "test_one_among_many",
    "test_class_run",
    "test_round",
    "test_whole_course",
    "test_lesson_contract",
    "test_handout",
    "test_nothing_lost",
    "test_round_hostile",
    "test_browser",
    "test_promises",
    "test_kept_work",
    "test_cluster",
    "test_all_cases",
    "test_small_changes",
    "test_class_report",
    "test_postgresql",
)


def pytest_collection_modifyitems(items):
    """Begin with the longest files. Count what a test does once for every lesson as slow, but for two lessons."""
    items.sort(key=lambda item: LONGEST.index(item.path.stem) if item.path.stem in LONGEST else len(LONGEST))
    slow = [f"[{each.id}" for each in SYLLABUS if each.id not in QUICK]
    slow += [f"[{each.name}]" for each in SYLLABUS if each.id not in QUICK]
    slow += [f"[{each.id[:2]} " for each in SYLLABUS if each.id not in QUICK]
    for item in items:
        if any(mark in item.nodeid for mark in slow):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="module")
def chromium():
    """One browser for a module that needs one."""
    from browser_helpers import browser, need_chromium  # noqa: PLC0415  # few tests have to do with a browser

    need_chromium()
    with browser() as one:
        yield one


@pytest.fixture(scope="module")
def client():
    """One kernel for a module that needs one."""
    from jupyter_client.manager import KernelManager  # noqa: PLC0415  # few tests have to do with a kernel
    from jupyter_core.utils import ensure_event_loop  # noqa: PLC0415  # likewise

    manager = KernelManager(kernel_name="python3")
    manager.start_kernel(cwd=str(ROOT))
    client = manager.client()
    client.start_channels()
    client.wait_for_ready(timeout=60)
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)
    manager.cleanup_resources()
    ensure_event_loop().close()  # the client's own; the next one makes another


@pytest.fixture(scope="session")
def grader():
    """One grader, and so one sandbox, for the whole run."""
    with Grader(ROOT) as one:
        yield one


@pytest.fixture(scope="session")
def lesson(grader):
    """The attention lesson as the grader sees it."""
    return grader.lesson(LESSON)


@pytest.fixture(scope="session")
def _released_text():
    return (ROOT / "release" / LESSON / "attention.ipynb").read_text(encoding="utf-8")


@pytest.fixture
def beside_practice(tmp_path, monkeypatch):
    """Work where the practice file is, as a notebook does."""
    shutil.copy(ROOT / "source" / "09_attention" / "attention.json", tmp_path)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def alone(tmp_path, monkeypatch):
    """Work where there is no practice file."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def released(_released_text):
    """A fresh copy of the released notebook, parsed."""
    return json.loads(_released_text)


@pytest.fixture
def hand_in(released):
    """Return a function that writes code into the solution cell of a fresh released notebook."""

    def write(code):
        notebook = copy.deepcopy(released)
        solve_cell(notebook)["source"] = code
        return notebook

    return write


def solve_cell(notebook):
    """Return the notebook's solution cell."""
    return cell_of(notebook, "solve")


def cell_of(notebook, grade_id):
    """Return the cell with this nbgrader id."""
    return next(c for c in notebook["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == grade_id)


def points_of(report):
    """Return all points of a report."""
    return report.example_points + report.group_points
