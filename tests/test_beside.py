"""Modules beside the notebook: what a cell imports is there when it is graded, and no library is replaced."""

import re
import subprocess
import sys

import pytest
from cell_makers import RELEASED, RIGHT, code, locked
from conftest import points_of, solve_cell

from course.beside import modules_beside
from course.submission import read_submission

HELPERS = "import more\n\ndef solve(x):\n    return more.twice(x)\n"
ANSWERS = "def solve(Q, K, V, causal):\n"
BESIDE = {
    "helpers.py": HELPERS,
    "more.py": "def twice(x):\n    return 2 * x\n",
    "unused.py": "1 / 0",
    "json.py": "x = 1",
}


def run(read):
    """Run a submission's cells in a process of its own and return what `solve(4)` gives."""
    text = "".join(f"exec({cell.source!r}, names)\n" for cell in read.cells if "check(" not in cell.source)
    command = [sys.executable, "-I", "-c", f"names = {{}}\n{text}print(names['solve'](4))"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize(
    "source",
    [
        "from helpers import solve",
        "import helpers as h\nsolve = h.solve",
        "import math, helpers\nsolve = helpers.solve",
        "import os\n%run helpers.py",
        "import importlib\nsolve = importlib.import_module('helpers').solve",
        'solve = __import__("helpers").solve',
        "def solve(x):\n    from helpers import solve as s\n    return s(x)",
    ],
)
def test_solve_in_a_module_beside_the_notebook(source):
    """A module beside the notebook can be imported, and those it imports too; it is said."""
    read = read_submission({"cells": [code(source, "solve"), *locked()]}, RELEASED, BESIDE)

    assert run(read) == "8"
    assert read.cells[0].number == 0
    assert read.notes == tuple(
        f"`{name}.py` beside the notebook was used: a cell imports it." for name in ("helpers", "more")
    )


def test_module_written_by_a_cell():
    """A module that the notebook itself writes with a magic can be imported."""
    cells = [
        code("%%writefile helpers.py\ndef solve(x):\n    return 3"),
        code("from helpers import solve", "solve"),
        *locked(),
    ]
    read = read_submission({"cells": cells}, RELEASED)

    assert "def solve" in read.cells[0].source
    assert read.cells[0].number == 0


@pytest.mark.parametrize("name", ["numpy", "json", "random", "course"])
def test_modules_never_stand_in_for_libraries(name):
    """A student's own numpy.py is left out, and it is said."""
    cells = [code(f"import {name}\n{RIGHT}", "solve"), *locked()]
    read = read_submission({"cells": cells}, RELEASED, {f"{name}.py": "x = 1"})

    assert read.cells[0].number == 1
    assert read.notes == (f"`{name}.py` beside the notebook was left out: a library has that name.",)


@pytest.mark.parametrize(
    "opened", ["exec(open('sol.py').read())", 'exec(open("./sol.py").read())', "run_path('sol.py')"]
)
def test_files_that_a_cell_opens_are_told(opened):
    """A file beside the notebook that a cell opens is not there when it is graded; it is said how to use it."""
    read = read_submission({"cells": [code(opened, "solve"), *locked()]}, RELEASED, {"sol.py": RIGHT, "b.py": ""})

    assert read.notes == ("`sol.py` beside the notebook was not used: no file can be opened here. Write `import sol`.",)


def test_a_cell_that_writes_a_module_defines_nothing_itself():
    """`solve` in a module that a cell writes is not `solve` defined twice."""
    cells = [code("from helpers import solve", "solve"), *locked(), code(f"%%writefile helpers.py\n{RIGHT}")]

    assert read_submission({"cells": cells}, RELEASED).notes == (
        "`helpers.py` beside the notebook was used: a cell imports it.",
    )


def test_huge_module_is_left_out():
    """A module larger than 200 kB is left out."""
    read = read_submission({"cells": [code("import big")]}, RELEASED, {"big.py": "x = 1\n" * 40_000})

    assert any("larger than 200 kB" in note for note in read.notes)


def test_modules_beside_have_a_limit_together(tmp_path):
    """Files beside a notebook are taken up to 2 MB in all, the smallest first, and each up to 200 kB."""
    for at in range(15):
        (tmp_path / f"m{at:02}.py").write_text("x" * (150_000 + at), encoding="utf-8")
    (tmp_path / "big.py").write_text("x" * 300_000, encoding="utf-8")

    assert list(modules_beside(tmp_path)) == [f"m{at:02}.py" for at in range(13)]


def test_module_runs_in_the_sandbox(hand_in, grader, lesson):
    """A `solve` in a module is graded like one in the notebook; a fault in the module is the cell's error."""
    notebook = hand_in("from helpers import solve")
    answer = "def solve(Q, K, V, causal):\n    return [[4], [4]]\n"
    graded = [
        grader.grade(read_submission(notebook, lesson.released, {"helpers.py": module}), lesson)
        for module in (answer, f"{answer}\n1 / 0\n")
    ]

    assert solve_cell(notebook)["source"] == "from helpers import solve"
    assert [points_of(report) for report in graded] == [1, 0]
    assert "ZeroDivisionError" in str(graded[1])


FAULTS = {
    "an error while it is imported": ("import math\ny = 1 / 0\n", "ZeroDivisionError.*`helpers.py`, line 2"),
    "a text that is not Python": ("x = 1\ndef solve(Q, K:\n", "Python cannot read `helpers.py`, line 2"),
    "a line with a wrong indent": ("x = 1\n  y = 2\n", "Python cannot read `helpers.py`, line 2"),
    "an error in a function of it": (f"{ANSWERS}    return [][4]\n", "IndexError.*`helpers.py`, line 2"),
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_fault_in_a_module_is_told_with_its_file_and_line(fault, hand_in, grader, lesson):
    """The report names the file beside the notebook and the line in it, never a line of ours or a cell that is fine."""
    notebook = hand_in("from helpers import solve")
    module, said = fault
    report = grader.grade(read_submission(notebook, lesson.released, {"helpers.py": module}), lesson)

    assert re.search(said, report.examples[0].says)
    assert "exec(compile" not in str(report)
    assert "cell 0" not in str(report).lower()
    assert "cannot read cell" not in str(report)
