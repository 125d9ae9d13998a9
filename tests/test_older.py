"""Which code *check* is about: after a cell that did not work the report says first that older code was checked."""

import json
import shutil

import pytest
from conftest import ROOT, cell_of
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from autograder.loading import load_lesson
from course.older import LABELS

LESSON = "02_softmax"
pytestmark = [
    pytest.mark.slow,
    # zmq and tornado warn about their own event loops; nothing of ours
    pytest.mark.filterwarnings("ignore"),
]
RIGHT = load_lesson(LESSON, ROOT).reference_source
WITH_HELPER = RIGHT.replace("[score - largest for score in scores]", "shift(scores, largest)")
HELPER = "def shift(scores, largest):\n    return [score - largest for score in scores]\n"


class Session:
    """One kernel beside the lesson's practice data, and the cells of the released notebook."""

    def __init__(self, client):
        self._client = client
        lesson = json.loads((ROOT / "release" / LESSON / "softmax.ipynb").read_text(encoding="utf-8"))
        self.stub = "".join(cell_of(lesson, "solve")["source"])
        self._check = "".join(cell_of(lesson, "examples")["source"])

    def run(self, source):
        """Run a cell, whatever comes of it; return what it shows."""
        cell = new_code_cell(source)
        self._client.nb.cells.append(cell)
        self._client.execute_cell(cell, len(self._client.nb.cells) - 1)
        return [each.data for each in cell.outputs if each.output_type == "execute_result"]

    def check(self):
        """Press the check cell; return the text in one line, and the HTML."""
        (data,) = self.run(self._check)
        return " ".join(data["text/plain"].split()), data["text/html"]


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    """Give one kernel for all cases."""
    folder = tmp_path_factory.mktemp("kernel")
    shutil.copy(ROOT / "release" / LESSON / "softmax.json", folder)
    where = {"metadata": {"path": folder}}
    client = NotebookClient(new_notebook(), timeout=60, kernel_name="python3", allow_errors=True, resources=where)
    with client.setup_kernel():
        one = Session(client)
        one.run("from course import check, hint")
        yield one


NOT_READ = "Your newest code was not checked: Python could not read the cell of `solve` in its last run. Look at line "
STOPPED = "Your newest code was not checked: the last run of its cell stopped with `NameError` (name 'nope' is not "
RENAMED = "Your newest code was not checked: it defines `{}`, and the check calls `solve`."
FAULTS = {
    "a colon": (RIGHT.replace("scores):", "scores)"), f"{NOT_READ}4, `def solve(scores)`. A `:` is missing"),
    "a bracket": (RIGHT.replace("max(scores)", "max(scores"), f"{NOT_READ}13, `largest = max(scores`. The bracket"),
    "indentation": (RIGHT.replace("    return", "  return"), f"{NOT_READ}19"),
    "tabs": (RIGHT.replace("    return", "\treturn"), f"{NOT_READ}19"),
    "a fence": (f"{RIGHT}\n```\n", f"{NOT_READ}21. This line marks code"),
    "def misspelt": (RIGHT.replace("def solve", "de solve"), f"{NOT_READ}4"),
    "misspelt and unreadable": (RIGHT.replace("def solve(scores)", "def slove(scores"), f"{NOT_READ}4"),
    "a decorator": (RIGHT.replace("def solve", "@nope\ndef solve"), f"{STOPPED}defined) in line 4, before it"),
    "a default": (RIGHT.replace("(scores):", "(scores, n=nope):"), f"{STOPPED}defined) in line 4, before it"),
    "a line above": (f"nope\n{RIGHT}", f"{STOPPED}defined) in line 1, before it defined `solve`. "),
    "a magic that is none": (f"%nope\n{RIGHT}", "the last run of its cell stopped"),
    "another language": (f"%%writefile solve.txt\n{RIGHT}", "a cell that begins with `%%writefile` defines nothing"),
    "solv": (RIGHT.replace("def solve", "def solv"), RENAMED.format("solv")),
    "softmax": (RIGHT.replace("def solve", "def softmax"), RENAMED.format("softmax")),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_first_try_that_did_not_work_is_no_empty_answer(session, fault):
    """Over the stub, check and hint say what was wrong with the learner's cell, and not that nothing is written."""
    code, says = FAULTS[fault]
    session.run(session.stub)
    session.run(code)
    text, html = session.check()
    hint = " ".join(session.run("hint()")[0]["text/plain"].split())

    assert says in text
    assert "Checked instead: `solve` as it was handed out" in text
    assert " Next: " in text
    assert says in hint
    assert "first try of your own" not in hint
    assert "<strong>Your newest code was not checked:</strong>" in html


@pytest.mark.parametrize("fault", FAULTS)
def test_older_code_that_is_right_is_no_calm_pass(session, fault):
    """Over a right answer the first words are about the newest code, and nothing is green or ready to hand in."""
    code, says = FAULTS[fault]
    session.run(RIGHT)
    session.run(code)
    text, html = session.check()

    assert text.startswith("Your newest code was not checked: ")
    assert says in text
    assert "Checked instead: your older code. All 3 examples pass." in text
    assert "when you hand in" not in text
    assert "✓" not in html
    session.run(RIGHT)
    assert session.check()[0].startswith("All 3 examples pass.")


@pytest.mark.parametrize("faults", [("a colon", "solv"), ("solv", "a colon"), ("softmax", "a decorator", "a bracket")])
def test_the_last_of_several_faults_is_said(session, faults):
    """A learner who mends one fault and makes another is told about the cell as it is now."""
    session.run(RIGHT)
    for fault in faults:
        session.run(FAULTS[fault][0])

    assert FAULTS[faults[-1]][1] in session.check()[0]


def test_older_code_that_is_wrong_says_so_in_one_sentence(session):
    """The numbers of older code are not explained: the cell is to be mended first."""
    session.run(RIGHT.replace("e / total", "e"))
    session.run(RIGHT.replace("scores):", "scores)"))
    text, _ = session.check()

    assert "Checked instead: your older code. Example 1 of 3 gives a different answer. Passed so far: none." in text
    assert "expected" not in text
    assert text.endswith("Next: Mend line 4, run that cell, then run this cell again.")


def test_a_cell_that_ran_in_part_is_said(session):
    """A `return` outside the function leaves a function without it: the report names the line."""
    session.run(RIGHT.replace("    return", "return"))
    text, _ = session.check()

    assert text.startswith("Only a part of your cell was run: Python could not read all of it. Look at line 19")
    assert "Checked instead: what stands above this line. Example 1 of 3 returns nothing." in text


@pytest.mark.parametrize("helper", [HELPER.replace("):", ")"), HELPER.replace("    ", ""), f"@nope\n{HELPER}"])
def test_the_cell_of_a_helper_counts_too(session, helper):
    """A helper whose newer cell did not work is used as it was before, and that is said."""
    session.run(HELPER)
    session.run(WITH_HELPER)
    session.run(helper)
    text, _ = session.check()

    assert text.startswith("Your newest code was not checked: ")
    assert "`shift`" in text.partition("Checked instead")[0]
    session.run(HELPER)
    assert session.check()[0].startswith("All 3 examples pass.")


CALM = {
    "another cell": ("x = 1",),
    "another cell with an error": ("nope", "x = (1"),
    "a helper with the same inputs": ("def spread(scores):\n    return max(scores) - min(scores)",),
    "a second way": (RIGHT.replace("def solve", "def solve_with_numpy"),),
    "a third one": (RIGHT.replace("def solve", "def solve3"),),
    "a class with such a method": ("class Model:\n    def solve(self, scores):\n        return scores",),
    "a cell that is timed": (f"%%time\n{RIGHT}",),
    "a cell whose output is kept": (f"%%capture\n{RIGHT}",),
    "wrapped": (
        "import functools",
        RIGHT.replace("def solve", "@functools.lru_cache\ndef solve").replace("(scores", "(s"),
    ),
    "wrapped by a decorator of another cell": (
        "def loud(f):\n    def solve(*a):\n        return f(*a)\n    return solve",
        RIGHT.replace("def solve", "@loud\ndef solve"),
    ),
    "assigned": (RIGHT.replace("def solve", "def mine"), "solve = mine"),
    "the same again": (RIGHT.replace("scores):", "scores)"), RIGHT),
    "indented": ("\n".join(f"    {line}" for line in RIGHT.splitlines()),),
    "under an if": ("if True:\n" + "\n".join(f"    {line}" for line in RIGHT.splitlines()),),
}


@pytest.mark.parametrize("cells", CALM.values(), ids=CALM)
def test_nothing_is_said_of_code_that_did_work(session, cells):
    """A cell that defines `solve` in any way, and cells that are about something else, raise no alarm."""
    session.run(RIGHT)
    for cell in cells:
        session.run(cell)
    text, _ = session.check()

    assert not [label for label in LABELS if label in text]
