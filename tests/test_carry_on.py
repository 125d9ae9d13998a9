"""In a real kernel: whose function of an earlier lesson runs in a learner's notebook, and what is said about it."""

import json

import pytest
from conftest import ROOT
from earlier_helpers import ARRAYS, FIRST, LATER, LISTS, TAMPERED, released, source_of, with_solve
from lesson_helpers import RIGHT

from autograder.earlier import earlier_text
from autograder.lesson import EARLIER, name_of
from autograder.loading import SOLUTION

pytestmark = [
    pytest.mark.slow,
    # zmq and tornado warn about their own event loops; nothing of ours
    pytest.mark.filterwarnings("ignore"),
]


class Desk:
    """A learner's folder with two lessons, and one kernel in which the cells of either are run."""

    def __init__(self, client, folder):
        self._client = client
        self.folder = folder
        for lesson_id in (FIRST, LATER):
            (folder / lesson_id).mkdir()
            for file in (ROOT / "release" / lesson_id).glob("*.*"):
                if file.is_file():
                    (folder / lesson_id / file.name).write_bytes(file.read_bytes())

    def open(self, lesson_id):
        """Start afresh in the folder of a lesson."""
        where = str(self.folder / lesson_id)
        self.run(f"%reset -f\nimport os, sys\nos.chdir({where!r})\nsys.modules.pop('earlier', None)")

    def run(self, *sources, fine=True):
        """Run cells in this order; return what they print and show."""
        said = []

        def hear(message):
            content = message["content"]
            said.append(content.get("text") or content.get("data", {}).get("text/plain", ""))

        for source in sources:
            reply = self._client.execute_interactive(source, timeout=90, output_hook=hear)
            assert (reply["content"]["status"] == "ok") is fine, reply["content"]
        return "".join(said)

    def save(self, lesson_id, source):
        """Save a notebook with this code as its solution."""
        notebook = with_solve(source, lesson_id)
        (self.folder / lesson_id / f"{name_of(lesson_id)}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
        return notebook

    def pass_first(self, source):
        """Pass the check of the earlier lesson with a right function, then save the notebook with this code."""
        self.open(FIRST)
        notebook = self.save(FIRST, source)
        self.run(source_of(notebook, "setup"), RIGHT["lists"], source_of(notebook, "examples"))

    def check_later(self, source=LISTS):
        """Run the first cell, then the solution and the check of the later lesson; return what both say."""
        self.open(LATER)
        notebook = self.save(LATER, source)
        return self.run(source_of(notebook, "setup")), self.run(source, source_of(notebook, "examples"))


@pytest.fixture
def desk(client, tmp_path):
    """A fresh folder with both lessons."""
    return Desk(client, tmp_path)


# Each own function leaves a trace when it runs.
TRACE = "import os\n\ndef note():\n    os.environ['OWN'] = 'ran'\n"
SET_BACK = "import os\nos.environ.pop('OWN', None)"
HAS_RUN = "import os\nprint(os.environ.get('OWN', 'not run'))"
OWN = {
    "lists": RIGHT["lists"].replace("    out = []", "    note()\n    out = []"),
    "arrays": RIGHT["arrays"].replace("    Q, K, V =", "    note()\n    Q, K, V ="),
    "prints": RIGHT["prints as it goes"].replace("    out = []", "    note()\n    out = []"),
    "only plain lists": RIGHT["lists"].replace(
        "    out = []",
        "    note()\n    assert [type(row) for row in (*Q, *K, *V)].count(list) == len(Q + K + V)\n    out = []",
    ),
}


@pytest.mark.parametrize(
    ("own", "later"), [("lists", LISTS), ("arrays", LISTS), ("prints", ARRAYS), ("only plain lists", ARRAYS)]
)
def test_the_learners_own_function_runs(desk, own, later):
    """Where the earlier lesson is passed, the learner's own function runs, without its prints, and that is said."""
    desk.pass_first(TRACE + OWN[own])
    desk.run(SET_BACK)
    said, checked = desk.check_later(later)

    assert said == "attention: your own function, from lesson 09.\n"
    assert checked.startswith("All 3 examples pass.")
    assert desk.run(HAS_RUN) == "ran\n"


NEVER_ENDS = """
def solve(Q, K, V, causal):
    while True:
        try:
            pass
        except Exception:
            pass
"""
NOT_SAVED = "You passed lesson 09, but what its notebook has saved does not pass."
NOT_OWN = {
    "wrong now": (RIGHT["lists"].replace("x - m", "m - x"), NOT_SAVED),
    "the stub again": ("def solve(Q, K, V, causal):\n    raise NotImplementedError", NOT_SAVED),
    "cannot be read": ("def solve(Q, K, V, causal)\n    return V", NOT_SAVED),
    "no function": ("solve = 3", NOT_SAVED),
    "never ends": (NEVER_ENDS, "Your own function is too slow now"),
}


@pytest.mark.parametrize(("own", "why"), NOT_OWN.values(), ids=NOT_OWN)
def test_the_courses_function_runs_in_its_place(desk, own, why):
    """Where the saved function is not to be relied on, the course's runs, and the first cell says why."""
    desk.pass_first(own)
    said, checked = desk.check_later()

    assert said.startswith(f"attention: the course's function, from lesson 09. {why}")
    assert checked.startswith("All 3 examples pass.")


def test_a_lesson_that_is_not_passed_gives_the_courses_function(desk):
    """Without a pass, or without the folder, the course's function runs; the first cell says what would change that."""
    expected = (
        "attention: the course's function, from lesson 09. Your own function runs here once its check has passed.\n"
    )
    assert desk.check_later()[0] == expected

    (desk.folder / FIRST).rename(desk.folder / "elsewhere")
    assert desk.check_later()[0] == expected


@pytest.mark.parametrize("beside", ["as released", "changed", "gone"])
def test_the_check_before_handing_in_agrees_with_the_grader(desk, grader, beside):
    """Whatever became of `earlier.py`, a clean start comes to the grader's verdict, word for word."""
    file = desk.folder / LATER / EARLIER
    for source in (
        LISTS,
        LISTS.replace("(Q, K, V))", "(K, Q, V))"),
        LISTS.replace("causal)\n        rows", "rows)\n        rows"),
    ):
        desk.open(LATER)
        notebook = desk.save(LATER, source)
        if beside == "changed":
            file.write_text(TAMPERED, encoding="utf-8")
        elif beside == "gone":
            file.unlink(missing_ok=True)
        told = desk.run("from course import check_before_submitting as before\nprint(before().report.to_json())")
        graded = json.loads(grader.grade_notebook(notebook, LATER).to_json())

        assert json.loads(told)["examples"] == graded["examples"]
        assert json.loads(told)["notes"] == graded["notes"] == []


def test_an_own_function_that_fails_only_here_is_named(desk):
    """An own function may pass its check and be wrong elsewhere: then the clean start says that the course's counts."""
    desk.pass_first(RIGHT["lists"].replace("return out", "return out if len(K) != 3 or len(K[0]) > 1 else V"))
    said, checked = desk.check_later()
    before = " ".join(desk.run("from course import check_before_submitting\nprint(check_before_submitting())").split())

    assert "your own" in said
    assert "Example 1 of 3 gives a different answer." in checked
    assert "All 3 examples pass." in before
    assert "Your session uses your own `attention` of lesson 09. The grader uses the course's" in before
    assert "Next: Hand in this notebook. Then look at your lesson 09 again." in before


@pytest.mark.parametrize("solved", [True, False], ids=["solved", "stub"])
def test_the_whole_notebook_runs(desk, solved):
    """All code cells run from top to bottom, as released and as solved, and say what they should."""
    author = json.loads((ROOT / "source" / LATER / "multi_head_attention.ipynb").read_text(encoding="utf-8"))
    right = SOLUTION.sub(r"\1", source_of(author, "solve"))
    notebook = desk.save(LATER, right if solved else source_of(released(LATER), "solve"))
    desk.open(LATER)
    said = [desk.run("".join(cell["source"])) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    words = (
        ("All 3 examples pass.", "head 0: ", "Hand in this notebook.") if solved else ("not written yet", "no picture")
    )

    assert said[0].startswith("attention: ")
    assert all(any(word in each for each in said[1:]) for word in words)


def test_own_functions_build_on_each_other(desk, grader):
    """An own function that calls an earlier one goes on to a third lesson, and finds that earlier one there."""
    desk.pass_first(RIGHT["lists"])
    desk.check_later()
    third = desk.folder / "11_third"
    third.mkdir()
    sources = {each: grader.lesson(each).reference_source for each in (FIRST, LATER)}
    (third / EARLIER).write_text(earlier_text(sources), encoding="utf-8")
    desk.open("11_third")
    ones = "[[1]], [[1]], [[1]], [[1]], [[1]], 1, True"
    said = desk.run(f"import earlier\nprint(earlier.multi_head_attention({ones}))")

    assert said.splitlines() == [
        "attention: your own function, from lesson 09.",
        "multi_head_attention: your own function, from lesson 10.",
        "[[1.0]]",
    ]
