"""The `def solve` line: another cell's, another order of the inputs, and which line to change."""

import sys

import pytest
from run_cells import run_cell

from course.checking import check

EXAMPLES = [{"Q": [[1.0]], "K": [[2.0]], "V": [[3.0]], "causal": False, "returns": [[3.0]]}]
RIGHT = "import math\n\n\ndef solve(Q, K, V, causal):\n    out = V\n    return out\n"
STUB = "import math\n\n\ndef solve(Q, K, V, causal):\n    raise NotImplementedError\n"


@pytest.fixture
def check_cells(monkeypatch):
    """Return a function that runs cells as a kernel does, keeps their texts, and checks the last `solve`."""

    def pressed(*cells):
        names = {}
        monkeypatch.setattr(sys.modules["__main__"], "In", ["", *cells], raising=False)
        for number, code in enumerate(cells):
            run_cell(code, names, f"<cell {number} of definitions>")
        return check(names["solve"], EXAMPLES).report

    return pressed


OTHERS = {
    "one line": ("def solve(q): return 1", 1),
    "below other lines": ("x = 1\n\ndef solve(a, b,\n          c):\n    return a\n", 3),
    "too many inputs": ("def solve(Q, K, V, causal, scale):\n    return V\n", 1),
}


@pytest.mark.parametrize("kind", OTHERS)
def test_another_cell_that_made_solve_is_named_with_its_line(check_cells, kind):
    """The learner's right `def` line is not blamed."""
    code, line = OTHERS[kind]
    report = check_cells(STUB, RIGHT, code)

    assert "another cell was run after it" in report.clue.says
    assert f"its line {line} is `def solve(" in report.clue.says
    assert report.action.endswith("Then run the cell with `def solve(Q, K, V, causal)` again.")


def test_an_edited_def_line_is_the_learners_own(check_cells):
    """Earlier forms of the same cell, the stub among them, are no other cell."""
    for before in ([STUB], [STUB, RIGHT], []):
        report = check_cells(*before, RIGHT.replace("Q, K, V, causal", "Q, K"))

        assert report.clue.says == "The `solve` that was called begins in line 4: `def solve(Q, K):`."
        assert report.action == "Write `def solve(Q, K, V, causal):` there."


@pytest.mark.parametrize("inputs", ["Q, V, K, causal", "causal, Q, K, V", "q, v, k, causal"])
def test_the_lessons_names_in_another_order_are_told_first(check_cells, inputs):
    """Whatever came of the call, wrong numbers or an error, the report says the order and the line."""
    report = check_cells(RIGHT.replace("Q, K, V, causal", inputs).replace("out = V", "out = [[9.0 + K[0][0]]]"))

    assert f"`solve({inputs})`" in report.clue.says
    assert report.action == "Write `def solve(Q, K, V, causal):` in line 4."


def test_own_names_for_the_inputs_are_no_other_order(check_cells):
    """A learner may name the inputs as they like."""
    report = check_cells("def solve(a, b, c, d):\n    return a\n")

    assert report.clue is None or "order" not in report.clue.says
