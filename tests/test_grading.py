"""One way for the data: read, run in the sandbox, judge. What each kind of submission earns and is told."""

import copy
import json

import pytest
from conftest import CASES, LESSON, NEEDS_CASES, ROOT, points_of

from autograder.lesson import GraderError, outcome_of
from autograder.loading import load_lesson
from autograder.sample_class import NUMPY, PLAIN, RIGHT, SAMPLE_CLASS, fill_in
from course.report import Report

SOLUTIONS = CASES / "solutions" / "attention"


def _cases(kind):
    if not (SOLUTIONS / "index.json").is_file():
        return []
    entries = json.loads((SOLUTIONS / "index.json").read_text(encoding="utf-8"))["entries"]
    return [entry for entry in entries if entry["kind"] == kind]


def _code(entry):
    lines = (SOLUTIONS / entry["file"]).read_bytes().decode("utf-8").split("\n")
    return "\n".join(line for line in lines if not line.lstrip("\ufeff").startswith(("# tag:", "# note:")))


def _grade(grader, hand_in, code):
    return grader.grade_notebook(hand_in(code), LESSON)


@pytest.mark.parametrize("code", [RIGHT, NUMPY], ids=["lists", "numpy"])
def test_right_solution_gets_full_marks(grader, hand_in, code):
    """A right solution gets all 15 points and is told of no mistake."""
    report = _grade(grader, hand_in, code)

    assert points_of(report) == 15
    assert report.mistake is None
    assert report.notes == ()


def test_stub_gets_nothing(grader, released):
    """The released notebook as it is earns 0 points, and the report says that `solve` is not written."""
    report = grader.grade_notebook(released, LESSON)

    assert points_of(report) == 0
    assert "not written yet" in report.examples[0].says
    assert report.mistake is None


def test_partial_credit_by_example_and_by_group(grader, hand_in):
    """A solution without the stable softmax keeps the examples and loses the groups with large scores."""
    report = _grade(grader, hand_in, RIGHT.replace("score - top", "score"))
    lost = [group.name for group in report.groups if not group.passed]

    assert report.example_points == 5
    assert 0 < len(lost) < len(report.groups)
    assert "very large scores" in lost
    assert report.mistake.step == 3


def test_helper_in_another_cell_counts(grader, hand_in):
    """A helper in a scratch cell belongs to the solution; a failing scratch cell does not stop the rest."""
    notebook = hand_in(RIGHT.replace("math.sqrt(len(query))", "root(len(query))"))
    scratch = copy.deepcopy(notebook["cells"][1]) | {"metadata": {}, "id": "scratch"}
    helper = "%matplotlib inline\n!pip install nothing\nimport math\ndef root(x):\n    return math.sqrt(x)\nroot(-1)"
    drawing = "x = input('name? ')\nimport matplotlib.pyplot as plt\nplt.plot([1])"
    for at, source in enumerate((helper, "1 / 0", drawing)):
        notebook["cells"].insert(2 + at, scratch | {"source": source, "id": f"scratch-{at}"})
    report = grader.grade_notebook(notebook, LESSON)

    assert points_of(report) == 15


def test_a_flood_of_prints_costs_no_marks(grader, hand_in):
    """A right solution that prints 40,000 lines a call gets full marks; what it printed is cut, and that is said."""
    noisy = RIGHT.replace("    rows = []\n", "    rows = []\n    for i in range(40_000):\n        print(i, Q, K)\n")
    report = _grade(grader, hand_in, noisy)

    assert points_of(report) == 15
    assert len(report.printed) < 5_000


def test_a_list_of_matrices_is_named(grader, hand_in):
    """Rows that are numpy matrices make a table of tables, and the message says so."""
    report = _grade(
        grader, hand_in, NUMPY + "\nright = solve\ndef solve(*a):\n    return [np.matrix(r) for r in right(*a)]"
    )

    assert "a list of numpy matrices" in report.examples[0].says


WHY_MISSING = {
    "a missing colon": ("def solve(Q, K, V, causal)\n    return Q", ("SyntaxError", "expected ':'", "cell 8, line 1")),
    "a missing package": ("from torch import solve", ("ModuleNotFoundError", "torch", "cell 8")),
    "a question to nobody": ("solve = eval(input())", ("EOFError", "line 1")),
    "an endless loop": ("def solve(Q, K, V, causal):\n    return Q\nwhile True: pass", ("took too long", "cell 8")),
    "another name": ("def slove(Q, K, V, causal):\n    return Q", ("`slove`", "typing mistake")),
    "nothing": ("print('hello')", ("There is no function `solve`",)),
}


@pytest.mark.parametrize(("code", "words"), WHY_MISSING.values(), ids=WHY_MISSING)
def test_a_missing_function_is_explained_first(grader, hand_in, code, words):
    """Where there is no `solve`, the first thing said is why; locked cells are not blamed."""
    report = _grade(grader, hand_in, code)

    assert points_of(report) == 0
    for word in words:
        assert word in report.examples[0].says
    assert report.notes == ()


def test_a_cell_that_took_a_name_with_it_is_noted(grader, hand_in):
    """A helper's cell that cannot be read is named in a note when `solve` misses the helper."""
    notebook = hand_in(RIGHT.replace("math.sqrt(len(query))", "root(len(query))"))
    notebook["cells"].insert(
        2, notebook["cells"][1] | {"metadata": {}, "source": "def root(x)\n    return 1", "id": "x"}
    )
    report = grader.grade_notebook(notebook, LESSON)

    assert "NameError" in report.examples[0].says
    assert report.notes == ("Python cannot read cell 3 in line 1 (expected ':'), so nothing in that cell ran.",)


SLOW_SCRATCH = {
    "a loop without end": ("while True: pass", "too long"),
    "sleep": ("import time\ntime.sleep(60)", "too long"),
    "an exit": ("import os\nos._exit(0)", ""),
    "a stand-in that is too thin": ("import matplotlib\nmatplotlib.nothing.like_this[0] + None", ""),
}


@pytest.mark.slow
@pytest.mark.parametrize(("code", "words"), SLOW_SCRATCH.values(), ids=SLOW_SCRATCH)
def test_a_scratch_cell_costs_no_marks(grader, hand_in, code, words):
    """A scratch cell that hangs, exits or fails below a right solution costs nothing; one left out is named."""
    notebook = hand_in(RIGHT)
    notebook["cells"].append(notebook["cells"][1] | {"metadata": {}, "source": code, "id": "scratch"})
    report = grader.grade_notebook(notebook, LESSON)

    assert points_of(report) == 15
    assert words in "".join(report.notes)


def test_a_changed_input_is_called_that(grader, hand_in):
    """A solution that adds to its input is told so, also where the numbers differ because of it."""
    report = _grade(
        grader, hand_in, RIGHT.replace("return rows", "K.append(K[0])\n    V.append(V[0])\n    return rows")
    )
    group = next(group for group in report.groups if group.name == "inputs are not changed")

    assert (
        group.says
        == "Your function changes its inputs. Make new rows: a copy of the outer list still holds the same rows."
    )


def test_hidden_inputs_never_reach_the_report(grader, hand_in):
    """Code that prints, raises and names classes after its inputs shows only those of the worked examples."""
    code = (
        "import json\n"
        "def solve(Q, K, V, causal):\n"
        "    text = json.dumps([Q, K, V])\n"
        "    print(text)\n"
        "    if len(text) % 2:\n"
        "        raise type(text, (Exception,), {})(text)\n"
        "    return type(text, (), {})()\n"
    )
    told = _grade(grader, hand_in, code).to_json()

    for call in load_lesson(LESSON, ROOT).hidden_calls:
        text = json.dumps(list(call.arguments[:3]))
        if len(text) > 60:
            assert text not in told
            assert text[5:45] not in told


def test_report_survives_the_notebook(grader, hand_in):
    """A report read back from its JSON is the same report."""
    report = _grade(grader, hand_in, PLAIN.replace("SCALE", "2"))

    assert Report.from_json(report.to_json()) == report


@pytest.mark.parametrize("student", SAMPLE_CLASS)
def test_sample_class_is_graded(grader, released, student):
    """Every sample student gets a report with all examples and all groups."""
    report = grader.grade_notebook(json.loads(fill_in(json.dumps(released), SAMPLE_CLASS[student])), LESSON)

    assert len(report.examples) == 5
    assert sum(group.points for group in report.groups) == 10


def test_reference_is_not_disturbed_by_mistakes(lesson):
    """The expected values are those of the reference called alone."""
    again = tuple(outcome_of(lesson.reference, call).value for call in lesson.hidden_calls)

    assert again == lesson.expected


def test_broken_lesson_is_a_fault_of_ours(tmp_path):
    """A lesson whose notebook cannot be read is an error of ours, never a zero."""
    folder = tmp_path / "source" / LESSON
    folder.mkdir(parents=True)
    (folder / "attention.ipynb").write_text('{"cells": []}', encoding="utf-8")

    with pytest.raises(GraderError, match="cannot be loaded"):
        load_lesson(LESSON, tmp_path)


@NEEDS_CASES
@pytest.mark.parametrize("entry", _cases("right"), ids=lambda entry: entry["file"])
def test_shared_right_solution_gets_full_marks(grader, hand_in, entry):
    """Every right solution of the shared cases gets full marks."""
    report = _grade(grader, hand_in, _code(entry))

    assert points_of(report) == 15, report.to_json()
    assert report.mistake is None


@NEEDS_CASES
@pytest.mark.parametrize("entry", _cases("wrong"), ids=lambda entry: entry["file"])
def test_shared_wrong_solution_loses_marks(grader, hand_in, entry):
    """Every wrong solution of the shared cases loses marks, and an example or a named hidden group fails."""
    report = _grade(grader, hand_in, _code(entry))

    assert points_of(report) < 15
    assert report.first_failing is not None


@NEEDS_CASES
@pytest.mark.parametrize("entry", _cases("doubtful"), ids=lambda entry: entry["file"])
def test_shared_doubtful_solution_is_as_its_index_says(grader, hand_in, entry):
    """A doubtful solution gets full marks where the index says accept, loses some where it fails on a witness."""
    report = _grade(grader, hand_in, _code(entry))

    if entry["expected"] == "accept":
        assert points_of(report) == 15
    elif entry["expected"] == "reject-on-witness":
        assert points_of(report) < 15
    else:
        assert points_of(report) == 15 or report.first_failing.says


@NEEDS_CASES
@pytest.mark.slow
@pytest.mark.parametrize("entry", _cases("hostile"), ids=lambda entry: entry["file"])
def test_shared_hostile_solution_harms_nobody(grader, hand_in, entry):
    """A hostile solution gets what its index says, and the submission graded after it gets full marks."""
    report = _grade(grader, hand_in, _code(entry))
    after = _grade(grader, hand_in, RIGHT)

    assert points_of(after) == 15
    if entry["expected"].startswith("zero with"):
        assert points_of(report) == 15 or report.first_failing.says
    elif entry["expected"].startswith("full"):
        assert points_of(report) == 15
    elif entry["tag"] == "odd-callable" and "worked examples" in entry["note"]:
        assert report.group_points < 10, "it knows the worked examples by heart"
    else:
        assert points_of(report) == 0
