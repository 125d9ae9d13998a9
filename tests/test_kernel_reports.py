"""What a learner reads after *check*, in a real kernel: one report of every kind, all in the same session."""

import json
import os
import shutil
import signal
import threading
from dataclasses import dataclass

import pytest
from conftest import LESSON, ROOT, cell_of
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from autograder.sample_class import RIGHT

pytestmark = [
    pytest.mark.slow,
    # zmq and tornado warn about their own event loops; nothing of ours
    pytest.mark.filterwarnings("ignore"),
]


@dataclass(frozen=True)
class Kind:
    """A kind of report: what the learner changed in a right solution, and the sentences that must be read."""

    change: tuple[tuple[str, str], ...]
    says: tuple[str, ...]


KINDS = {
    "the X-ray's sentence": Kind(
        (("math.exp(score - top)", "math.exp(score - top) + 0.3"),),
        (
            "Example 1 of 5 gives a different answer.",
            "Right already: steps 1 and 2.",
            "Look at: Step 3 is where your code goes another way.",
            "Reread: step 3, “Turn the scores into weights with softmax”.",
            "Next: Change step 3 in your code. Then run your cell and this cell again.",
        ),
    ),
    "a broken property": Kind(
        (("return rows", "return [[-n for n in row] for row in rows]"),),
        ("Look at: Every number has the wrong sign.", "got -6.69762 -3.30238"),
    ),
    "two mistakes at once": Kind(
        ((" / math.sqrt(len(query))", ""), ("if causal", "if False")),
        (
            "Likely mistake: These are the numbers without the division.",
            "There is a second mistake, in step 1. It shows in another example: With causal = True",
            "Reread: step 2,",
        ),
    ),
    "a transposed answer": Kind(
        (("return rows", "return [list(column) for column in zip(*rows)]"),),
        (
            "Passed so far: 1.",
            "Likely mistake: Your answer has one row per column of V. It needs one row per query.",
            "Reread: step 4,",
        ),
    ),
    "another shape": Kind(
        (("return rows", "return [list(column) for column in zip(*rows)]"), ("in enumerate(Q)", "in enumerate(Q[:1])")),
        (
            "Example 1 of 5 returns the wrong shape.",
            "`solve` returned a list of 2 rows with 1 number each. Expected: a list of 2 rows with 2 numbers each.",
        ),
    ),
    "printed, not returned": Kind(
        (("return rows", "print(rows)"),),
        (
            "Example 1 of 5 returns nothing.",
            "`solve` returned None, so there is no answer to compare. It printed instead: `print` only shows a value.",
            "Next: End `solve` with `return` and your result.",
        ),
    ),
    "an exception": Kind(
        (("math.exp(", "math.exxp("),),
        (
            "Example 1 of 5 stops with an error.",
            "Your code stopped with `AttributeError` (module 'math' has no attribute 'exxp') in line 10:",
            "`powers = [math.exxp(score - top) for score in scores]`",
            "Right already: steps 1 and 2.",
            "Look at: `math` has no `exxp`. Did you mean `exp`?",
            "Next: Write `exp` in line 10. Then run your cell and this cell again.",
        ),
    ),
    "an exception in a library": Kind(
        (("weights = [", "import json; json.loads('{'); weights = ["),),
        ("`JSONDecodeError`", "in line 11:"),
    ),
    "an index too large": Kind(
        (("enumerate(Q)", "enumerate(Q + [K[len(K)]])"),),
        (
            "Look at: `K` has 2 items, so its last index is 1. Line 6 asks for index 2 (`len(K)`).",
            "Next: Change `len(K)` so that it is never larger than 1.",
        ),
    ),
    "a list outside": Kind(
        (("    rows = []\n", ""), ("import math\n", "import math\nrows = []\n")),
        (
            "Example 2 of 5 returns the wrong shape.",
            "Look at: Called a second time, your function gives another answer for example 1.",
            "`rows` is made outside of the function, so it keeps what earlier calls left in it.",
            "Next: Make it inside: begin `solve` with `rows = []`. Then run your cell and this cell again.",
        ),
    ),
    "changed arguments": Kind(
        (("return rows", "V[0][0] = 7; return rows"),),
        ("All 5 examples pass.", "Note: Your function changes its input V. Hidden cases look for that"),
    ),
}


class Session:
    """One kernel, as JupyterLab starts it beside the lesson's practice data."""

    def __init__(self, client, check_cell):
        self.client = client
        self.check_cell = check_cell

    def run(self, code):
        """Run a cell, as the learner does; return its outputs. An error in it ends the test."""
        cell = new_code_cell(code)
        self.client.nb.cells.append(cell)
        self.client.execute_cell(cell, len(self.client.nb.cells) - 1)
        return cell.outputs

    def check(self, code):
        """Run a solution cell, then the check cell; return what the check shows, as text and as HTML."""
        assert not self.run(code)
        (data,) = [each.data for each in self.run(self.check_cell) if each.output_type == "execute_result"]
        return data["text/plain"], data["text/html"]


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    """Give one kernel for all reports."""
    folder = tmp_path_factory.mktemp("kernel")
    shutil.copy(ROOT / "release" / LESSON / "attention.json", folder)
    lesson = json.loads((ROOT / "release" / LESSON / "attention.ipynb").read_text(encoding="utf-8"))
    client = NotebookClient(new_notebook(), timeout=60, kernel_name="python3", resources={"metadata": {"path": folder}})
    with client.setup_kernel():
        one = Session(client, "".join(cell_of(lesson, "examples")["source"]))
        one.run("from course import check")
        yield one


def in_one_line(text):
    """Join what is folded, so that a sentence can be looked for."""
    return " ".join(text.split())


@pytest.mark.parametrize("name", KINDS)
def test_a_learner_reads_it(session, name):
    """Each kind of report says its sentences, in at most 15 lines, without a traceback or a file of the course."""
    code = RIGHT
    for old, new in KINDS[name].change:
        assert old in code
        code = code.replace(old, new)
    text, html = session.check(code)

    for sentence in KINDS[name].says:
        assert sentence in in_one_line(text)
    assert len(text.splitlines()) <= 15
    for shown in (text, html):
        assert "Traceback" not in shown
        assert "course/" not in shown
        assert "site-packages" not in shown


def test_a_loop_without_an_end_can_be_stopped(session):
    """After the square button the check says what the start notebook promises, and the next check works."""
    (pid,) = session.run("import os; os.getpid()")
    stop = threading.Timer(2, os.kill, (int(pid.data["text/plain"]), signal.SIGINT))  # what the button sends
    stop.start()
    text, html = session.check(RIGHT.replace("    rows = []", "    rows = []\n    while True:\n        pass"))
    stop.join()
    start = (ROOT / "release" / "00_start_here" / "start_here.ipynb").read_text(encoding="utf-8")

    assert "You stopped this call." in text
    assert "You stopped this call." in start
    assert "The loop that begins in line 6 may never end." in in_one_line(text)
    assert "■ Stopped" in html
    assert session.check(RIGHT)[0].startswith("All 5 examples pass.")
