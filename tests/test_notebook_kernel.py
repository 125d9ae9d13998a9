"""The released notebook, run from top to bottom in a real kernel: what a learner sees."""

import json

import nbformat
import pytest
from conftest import ROOT, cell_of, solve_cell
from nbclient import NotebookClient
from nbgrader.utils import determine_grade

from autograder.sample_class import NUMPY, PLAIN, RIGHT

pytestmark = [
    pytest.mark.slow,
    # zmq and tornado warn about their own event loops; nothing of ours
    pytest.mark.filterwarnings("ignore"),
]


def run_all(notebook):
    """Run every cell as "Run All" does: it stops at the first error."""
    node = nbformat.reads(json.dumps(notebook), as_version=4)
    NotebookClient(node, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(ROOT)}}).execute()
    return node


def shown(cell, form="text/plain"):
    """Return what the cell shows."""
    return "\n".join(output["data"][form] for output in cell["outputs"] if form in output.get("data", {}))


def test_stub_gets_one_calm_sentence(released):
    """With the stub, Run All reaches the end; check says one calm sentence and no traceback."""
    node = run_all(released)
    text = shown(cell_of(node, "examples"))

    assert "not written yet" in text
    assert len(text.splitlines()) <= 3
    assert not [o for cell in node.cells for o in cell.get("outputs", ()) if o["output_type"] in {"error", "stream"}]


@pytest.mark.parametrize("code", [RIGHT, NUMPY], ids=["lists", "numpy"])
def test_right_solution_passes_and_draws_its_weights(released, code):
    """With a right solution all five examples pass, hidden cases are announced, and the heat map has alt text."""
    solve_cell(released)["source"] = code
    node = run_all(released)
    text = shown(cell_of(node, "examples"))
    pictures = [shown(cell, "text/html") for cell in node.cells if cell["cell_type"] == "code"]

    assert "All 5 examples pass" in text
    assert "hidden cases" in text
    assert sum('<img alt="' in html and "data:image/png;base64," in html for html in pictures) == 1


def test_wrong_solution_sees_the_first_failing_example(released):
    """With a wrong solution the learner sees the call, what was expected, what came back and the difference."""
    solve_cell(released)["source"] = PLAIN.replace("SCALE", "math.sqrt(len(K))")
    node = run_all(released)
    text = shown(cell_of(node, "examples"))

    assert "Example 5 of 5" in text
    assert "[[2, 0, 0, 0], [0, 0, 0, 0]]" in text
    for word in ("xpected", "ot", "ifference", "5.84847"):
        assert word in text
    assert len(text.splitlines()) <= 15
    assert not [o for cell in node.cells for o in cell.get("outputs", ()) if o["output_type"] == "error"]


@pytest.mark.parametrize(
    ("code", "points"), [(RIGHT, (5, 10)), (RIGHT.replace("score - top", "score"), (5, 9)), (None, (0, 0))]
)
def test_stock_nbgrader_gets_a_number(lesson, monkeypatch, code, points):
    """Run by nbgrader's own engine, both graded cells give their points as the number that partial credit needs."""
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    source = json.loads((ROOT / "source" / lesson.id / f"{lesson.name}.ipynb").read_text(encoding="utf-8"))
    solve_cell(source)["source"] = code or "def solve(Q, K, V, causal):\n    raise NotImplementedError"
    node = run_all(source)

    assert tuple(determine_grade(cell_of(node, part))[0] for part in ("examples", "hidden")) == points
