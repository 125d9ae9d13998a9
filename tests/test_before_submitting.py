"""`check_before_submitting()` in a real kernel: what it says of the saved notebook is what the grader says."""

import json
import marshal
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from conftest import ROOT, cell_of, solve_cell
from lesson_helpers import RIGHT, WRONG

from autograder.loading import lesson_ids
from autograder.practice import write_practice
from course.beside import modules_beside
from course.report import Report
from course.running import boot
from course.submission import read_submission

pytestmark = [
    pytest.mark.slow,
    # zmq and tornado warn about their own event loops; nothing of ours
    pytest.mark.filterwarnings("ignore"),
]

LISTS = RIGHT["lists"]
HELPER = """
import math

def softmax(scores):
    top = max(scores)
    exps = [math.exp(score - top) for score in scores]
    return [e / sum(exps) for e in exps]
"""
OTHER_HELPER = HELPER.replace("score - top", "score")
WRONG_HELPER = HELPER.replace("e / sum(exps)", "e")
STUB = "def solve(Q, K, V, causal):\n    raise NotImplementedError"
WITH_HELPER = """
import math

def solve(Q, K, V, causal):
    out = []
    for i, q in enumerate(Q):
        n = i + 1 if causal else len(K)
        weights = softmax([sum(a * b for a, b in zip(q, k)) / math.sqrt(len(q)) for k in K[:n]])
        out.append([sum(w * v[c] for w, v in zip(weights, V)) for c in range(len(V[0]))])
    return out
"""
CALL = "from course.before import check_before_submitting\nresult = check_before_submitting()\n"


class Session:
    """A kernel, the learner's notebook as it is saved beside it, and what they have run."""

    def __init__(self, client, folder, lesson):
        self._client = client
        self.file = folder / "attention.ipynb"
        write_practice(lesson, folder)
        self.run(f"%reset -f\nimport os\nos.chdir({str(folder)!r})")

    def save(self, notebook):
        """Save a notebook."""
        self.file.write_text(json.dumps(notebook), encoding="utf-8")

    def run(self, *sources):
        """Run cells in this order; return what they print."""
        printed = []
        for source in sources:
            reply = self._client.execute_interactive(
                source,
                timeout=90,
                output_hook=lambda message: printed.append(message["content"].get("text", "")),
            )
            assert reply["content"]["status"] == "ok", reply["content"]
        return "".join(printed)

    def check(self):
        """Press the check cell of the notebook."""
        self.run(f"from course import check\n{source_of(json.loads(self.file.read_text('utf-8')), 'examples')}\nNone")

    def before(self):
        """Run `check_before_submitting()`; return its text."""
        return self.run(f"{CALL}print(result)")

    def report(self):
        """Run `check_before_submitting()`; return its report."""
        return Report.from_json(self.run(f"{CALL}print(result.report.to_json())"))


@pytest.fixture
def session(client, tmp_path, lesson):
    """Return a session that has run nothing, in an empty folder with the practice data of the lesson."""
    return Session(client, tmp_path, lesson)


def source_of(notebook, grade_id):
    """Return the text of a graded cell."""
    source = cell_of(notebook, grade_id)["source"]
    return source if isinstance(source, str) else "".join(source)


def add_cell(notebook, source, *, after=None):
    """Put a code cell in front of the solution cell, or after the graded cell with this id."""
    place = notebook["cells"].index(cell_of(notebook, after or "solve"))
    cell = {"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": None}
    notebook["cells"].insert(place + bool(after), cell | {"id": f"own-{len(notebook['cells'])}"})
    return notebook


def number_of(notebook, source):
    """Return the number of the cell with this text, counted as in the notebook."""
    return 1 + next(at for at, cell in enumerate(notebook["cells"]) if cell["source"] == source)


SUBMISSIONS = {
    "right": LISTS,
    "numpy": RIGHT["arrays"],
    "wrong numbers": LISTS.replace("len(q)) for", "len(K)) for"),
    "no return": WRONG["no return"],
    "prints": LISTS.replace("return out", "print(out)"),
    "too few inputs": LISTS.replace("V, causal", "V"),
    "an error": LISTS.replace("range(len(V[0]))", "range(len(V[0]) + 1)"),
    "an error of one example": LISTS.replace("    out = []", "    out = []\n    1 / (len(Q[0]) - 4)"),
    "an endless loop in one example": LISTS.replace("    out = []", "    out = []\n    while len(Q[0]) == 4: pass"),
    "ends Python in one example": "import os\n"
    + LISTS.replace("    out = []", "    out = [len(Q[0]) - 4 or os._exit(3)][:0]"),
    "exit": LISTS.replace("return out", "exit()"),
    "too much memory": LISTS.replace("return out", "return [0] * 10**10"),
    "recursion": "def solve(Q, K, V, causal):\n    return solve(Q, K, V, causal)",
    "cannot be read": LISTS.replace("return out", "return (out"),
    "another name": LISTS.replace("def solve", "def slove"),
    "not a function": "solve = 3",
    "a module the grader has not": "import scipy\n" + LISTS,
    "a file that is not handed in": "table = open('table.txt').read()\n" + LISTS,
    "changes its inputs": LISTS.replace("    out = []", "    out = []\n    V[0][0] += 0"),
    "plots": "import matplotlib.pyplot as plt\nfig, axes = plt.subplots(2, 2)\naxes[0, 0].imshow([[1]])\n" + LISTS,
    "magics": "%matplotlib inline\n!pip install nothing\n" + LISTS,
    "another seed for sets": LISTS.replace("return out", "return [[hash('a')]]"),
    "a module beside": "from mine import solve",
}


@pytest.mark.parametrize("code", SUBMISSIONS.values(), ids=SUBMISSIONS)
def test_it_says_what_the_grader_says(session, grader, lesson, hand_in, code):
    """Every example comes to the same verdict in the same words, line and cell, with the same notes."""
    notebook = hand_in(code)
    session.save(notebook)
    (session.file.parent / "mine.py").write_text(LISTS, encoding="utf-8")
    submission = read_submission(notebook, lesson.released, modules_beside(session.file.parent))
    graded = grader.grade(submission, lesson)
    report = session.report()

    assert report.examples == graded.examples
    assert report.notes == graded.notes
    assert (report.example_points, report.points_for_examples) == (graded.example_points, 5)


def test_a_scratch_cell_that_never_ends_is_left_out(session, grader, lesson, hand_in):
    """A cell that never ends is left out as in the grader, and the others count."""
    notebook = add_cell(hand_in(LISTS), "while True: pass")
    session.save(notebook)
    report = session.report()

    assert report.examples == grader.grade_notebook(notebook, lesson.id).examples
    assert any("took too long and was left out" in note for note in report.notes)


def test_a_pass_says_what_was_not_run(session, hand_in):
    """A pass names the notebook, the points of the examples, and the hidden cases that were not run here."""
    session.save(hand_in(LISTS))
    session.run(LISTS)
    text = " ".join(session.before().split())

    assert "`attention.ipynb`, saved just now, was run from a clean start" in text
    assert "All 5 examples pass. Points for the examples: 5 of 5." in text
    assert "The 43 hidden cases were not run here." in text
    assert text.endswith("Next: Hand in this notebook.")


def test_a_deleted_helper_is_named(session, hand_in):
    """The session still has a helper whose cell was deleted: the check passes, the clean start does not."""
    session.save(hand_in(WITH_HELPER))
    session.run(HELPER, WITH_HELPER)
    session.check()
    text = " ".join(session.before().split())

    assert "Example 1 of 5 stops with an error." in text
    assert "Your session still remembers `softmax`, but no cell of the saved notebook defines it." in text
    assert "If no cell has `softmax` any more, write it again." in text
    assert "Note: cells are counted from the top, texts included." in text


def test_a_name_used_again_below_is_named(session, hand_in):
    """A second helper of the same name further down is what a clean start ends with."""
    notebook = add_cell(add_cell(hand_in(WITH_HELPER), HELPER), WRONG_HELPER, after="examples")
    session.save(notebook)
    session.run(WRONG_HELPER, HELPER, WITH_HELPER)
    session.check()
    text = " ".join(session.before().split())
    first, last = number_of(notebook, HELPER), number_of(notebook, WRONG_HELPER)

    assert f"Cells {first} and {last} both define `softmax`. Your session has the one of cell {first}" in text
    assert f"a clean start ends with the one of cell {last}" in text


BELOW = {
    "math = None": "math",
    "math = 5": "math",
    "max = 3": "max",
}
ORDERS = {
    "run after the check": ("solve", "check", "below"),
    "not run": ("solve", "check"),
    "not run, and solve again after the check": ("solve", "check", "solve"),
    "run before the check": ("solve", "below", "check"),
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("below", BELOW)
def test_a_cell_below_that_gives_a_name_another_value_is_named(session, hand_in, below, order):
    """In whichever order the cells were run: the cell to change is named, and nobody is sent back to the check."""
    notebook = add_cell(hand_in(LISTS), below, after="examples")
    session.save(notebook)
    for each in ORDERS[order]:
        session.check() if each == "check" else session.run({"solve": LISTS, "below": below}[each])
    text = " ".join(session.before().split())
    cell, name = number_of(notebook, below), BELOW[below]

    assert f"Cell {cell} gives `{name}` another value" in text
    assert f"Next: Use another name in cell {cell}. Press Ctrl+S" in text
    assert not re.search("look at the check|check cell above|another value after a clean start", text)


def test_cells_run_out_of_order_are_named(session, hand_in):
    """A cell that needs a name from a cell below it works in the session only."""
    table, user = "WIDTHS = [1, 2, 4]\n", "ROOTS = {w: w ** 0.5 for w in WIDTHS}\n"
    code = LISTS.replace("math.sqrt(len(q))", "ROOTS[len(q)]")
    notebook = add_cell(add_cell(hand_in(code), user), table, after="examples")
    session.save(notebook)
    session.run(table, user, code)
    session.check()
    text = " ".join(session.before().split())
    above, below = number_of(notebook, user), number_of(notebook, table)

    assert f"Cell {above} needs `WIDTHS`, but cell {below} below it defines it." in text
    assert f"Next: Move cell {below} above cell {above}." in text


@pytest.mark.parametrize("saved", [None, LISTS.replace("m = max(s)", "m = 0")], ids=["stub", "older"])
def test_a_change_that_is_not_saved_is_named(session, hand_in, released, saved):
    """The session has a newer `solve` than the file: it says so and what to press, whether the file's passes or not."""
    notebook = released if saved is None else hand_in(saved)
    session.save(notebook)
    session.run(*([saved] if saved else []), LISTS)
    session.check()
    text = " ".join(session.before().split())
    cell = 1 + notebook["cells"].index(solve_cell(notebook))

    assert f"You changed `solve` (cell {cell}) after the last save: your session has the new text" in text
    assert "The saved one is what you hand in." in text
    assert "Next: Press Ctrl+S (on a Mac Cmd+S) to save, then run this cell again." in text


def test_a_saved_cell_that_was_not_run_is_named(session, hand_in):
    """Where the session's `solve` may be the older one, its cell is to be run, saved, and checked again."""
    notebook = hand_in(LISTS.replace("m = max(s)", "m = min(s)"))
    session.save(notebook)
    session.run(LISTS)
    session.check()
    text = " ".join(session.before().split())
    cell = 1 + notebook["cells"].index(solve_cell(notebook))

    assert f"The `solve` in your session is not the one in the saved notebook (cell {cell})." in text
    assert f"Next: Run cell {cell}. Press Ctrl+S (on a Mac Cmd+S) to save, then run this cell again." in text


def test_a_helper_that_is_not_saved_is_named(session, hand_in):
    """A change in a helper alone is seen too."""
    notebook = add_cell(hand_in(WITH_HELPER), OTHER_HELPER)
    session.save(notebook)
    session.run(HELPER, WITH_HELPER)

    assert "The `softmax` in your session is not the one in the saved notebook (cell " in session.before()
    session.run(OTHER_HELPER, HELPER)
    assert "You changed `softmax` (cell " in session.before()


UNREADABLE = {
    "a colon": (LISTS.replace("causal):", "causal)"), "A `:` is missing at the end of this line."),
    "a bracket": (LISTS.replace("return out", "return (out"), "The bracket `(` on this line is never closed."),
    "indentation": (LISTS.replace("    return out", "  return out"), "The number of spaces in front of this line"),
    "tabs": (LISTS.replace("    return out", "\treturn out"), "Tabs and spaces are mixed in front of this line."),
    "outside": (LISTS.replace("    return out", "return out"), "This `return` is outside the function"),
    "a fence": (f"{LISTS}\n```\n", "It is no Python: delete it."),
}


@pytest.mark.parametrize("before", [STUB, LISTS], ids=["the stub before", "a right answer before"])
@pytest.mark.parametrize(("code", "says"), UNREADABLE.values(), ids=UNREADABLE)
def test_a_cell_that_python_cannot_read_is_said_in_plain_words(session, hand_in, before, code, says):
    """It names the cell, the line and the fault, and what to do; never that a cell was deleted."""
    notebook = hand_in(code)
    session.save(notebook)
    session.run(before)
    text = " ".join(session.before().split())
    cell = 1 + notebook["cells"].index(solve_cell(notebook))

    assert "No example can be run. Points for the examples: 0 of 5." in text
    assert f"Python cannot read cell {cell}, so there is no `solve`. Look at line " in text
    assert says in text
    assert re.search(rf"Next: Mend line \d+ of cell {cell} and run that cell. Press Ctrl\+S", text)
    assert "SyntaxError" not in text
    assert "remembers" not in text
    assert text.count("Python cannot read") == 1


HELPER_FAULTS = {
    "a colon": (HELPER.replace("scores):", "scores)"), "A `:` is missing", "Mend line 4 of"),
    "no spaces": (HELPER.replace("    top", "top"), "must be indented", "Mend line 5 of"),
    "a decorator": (HELPER.replace("def", "@nope\ndef"), "stops in line 4 with `NameError`", "Mend line 4 of"),
    "another language": (f"%%bash\n{HELPER}", "begins with %%bash is not run", "Delete the first line of"),
}


@pytest.mark.parametrize(("helper", "says", "action"), HELPER_FAULTS.values(), ids=HELPER_FAULTS)
def test_a_helper_whose_cell_does_not_work_is_named(session, hand_in, helper, says, action):
    """The cell of the helper is named with its fault, once, and it is what is to be mended."""
    notebook = add_cell(hand_in(WITH_HELPER), helper)
    session.save(notebook)
    session.run(HELPER, WITH_HELPER)
    session.check()
    text = " ".join(session.before().split())
    cell = number_of(notebook, helper)

    assert "(name 'softmax' is not defined)" in text
    assert says in text
    assert f"Next: {action} cell {cell} and run that cell." in text
    assert "remembers" not in text
    assert text.lower().count(f"cell {cell}") == 2


@pytest.mark.parametrize("name", ["solv", "attention"])
def test_a_solve_of_another_name_is_found(session, hand_in, name):
    """No cell was deleted: the function with the inputs of `solve` is named with its cell."""
    notebook = hand_in(LISTS.replace("def solve", f"def {name}"))
    session.save(notebook)
    session.run(LISTS)
    text = " ".join(session.before().split())
    cell = 1 + notebook["cells"].index(solve_cell(notebook))

    assert f"No cell of the saved notebook defines `solve`, but cell {cell} defines `{name}` with the same" in text
    assert f"Next: If that is your answer, write `def solve` in cell {cell} and run it. Press Ctrl+S" in text
    assert "remembers" not in text


@pytest.mark.parametrize("name", ["solv", "attention", "another"])
def test_cells_that_ask_for_solve_are_not_blamed_for_its_name(session, hand_in, name):
    """Of a `solve` of another name it is said that it is missing, and of no other cell that it stopped."""
    session.save(hand_in(LISTS.replace("def solve", f"def {name}").replace("causal):", "causal=False):")))
    text = " ".join(session.before().split())

    assert "my_line" not in text
    assert "NameError" not in text
    assert "`solve`" in text


def test_a_value_that_changed_by_hand_is_named(session, hand_in):
    """A constant that was changed by running other code is named with both values."""
    code = LISTS.replace("math.sqrt(len(q))", "(len(q) ** POWER)")
    notebook = add_cell(hand_in(code), "POWER = 1")
    session.save(notebook)
    session.run("POWER = 1", code, "POWER = 0.5")
    session.check()
    text = " ".join(session.before().split())

    assert "`POWER` has another value after a clean start (0.5 in your session, 1 after it)" in text
    assert f"cell {number_of(notebook, 'POWER = 1')} sets it" in text


def test_another_result_is_said_even_where_the_cause_is_not_known(session, hand_in):
    """What cannot be compared, such as a dict, still gives another result than the check gave."""
    code = LISTS.replace("math.sqrt(len(q))", "TABLE.get('root', math.sqrt)(len(q))")
    session.save(add_cell(hand_in(code), "TABLE = {'root': int}"))
    session.run("TABLE = {'root': int}", code, "TABLE.clear()")
    session.check()
    text = " ".join(session.before().split())

    assert "In your session the check came to something else" in text
    assert "Next: Press Ctrl+S (on a Mac Cmd+S) to save. Restart the kernel, run all cells, look at the check." in text


def test_comments_and_restyled_lines_are_no_difference(session, hand_in):
    """What does not change the code is not reported, and neither is a cache that the calls filled."""
    code = "seen = {}\n" + LISTS.replace("    out = []", "    out = []\n    seen[str(Q)] = 1")
    session.save(hand_in("# mine\n" + code.replace("return out", "return  out  # done")))
    session.run(code)
    session.check()
    text = session.before()

    assert "session" not in text
    assert "Next: Hand in this notebook." in text


def test_changed_examples_deceive_nobody(session, hand_in):
    """A learner who edits the examples is judged by the released ones, and told."""
    notebook = hand_in("def solve(Q, K, V, causal):\n    return [[1.0]]")
    cell_of(notebook, "examples")["source"] = 'examples = [{"Q": 1, "returns": [[1.0]]}]\ncheck(solve, examples)'
    session.save(notebook)
    text = session.before()

    assert "Example 1 of 5 returns the wrong shape." in text
    assert "The locked cell `examples` had been changed" in text


def test_without_practice_data_it_reads_the_notebook_itself(session, grader, lesson, hand_in):
    """Where the practice file was lost the examples come from the locked cell."""
    notebook = hand_in(SUBMISSIONS["wrong numbers"])
    session.save(notebook)
    session.file.with_suffix(".json").unlink()

    assert session.report().examples == grader.grade_notebook(notebook, lesson.id).examples


BROKEN = {
    "missing": (None, "The saved notebook was not found from here"),
    "empty": ("", "The file is empty."),
    "cut off": ('{"cells": [{"cell_type": "code", "source": "check_before_submitting()"', "breaks off"),
    "no notebook": ('{"check_before_submitting()": 1}', "no notebook"),
}


@pytest.mark.parametrize(("data", "says"), BROKEN.values(), ids=BROKEN)
def test_a_notebook_that_cannot_be_read_is_told_calmly(session, data, says):
    """A missing or broken file is one plain sentence and what to do next, no traceback."""
    if data is not None:
        session.file.write_text(data, encoding="utf-8")
        session.run(f"__vsc_ipynb_file__ = {str(session.file)!r}")
    text = " ".join(session.before().split())

    assert says in text
    assert "Next: " in text
    assert "Traceback" not in text


def test_the_editor_says_which_notebook_is_open(session, hand_in):
    """Where VS Code or Jupyter name the open file it is the one that is read, and another name is remarked."""
    session.save(hand_in(LISTS))
    copied = session.file.with_name("attention-Copy1.ipynb")
    copied.write_text(json.dumps(hand_in(WRONG["no return"])), encoding="utf-8")
    undecided = session.before()
    by_jupyter = session.run(f"os.environ['JPY_SESSION_NAME'] = {str(copied)!r}\n{CALL}print(result)")
    session.run("del os.environ['JPY_SESSION_NAME']")

    assert "attention.ipynb`, saved just now" in undecided
    assert "Example 1 of 5 returns nothing." in by_jupyter
    assert "This notebook is saved as `attention-Copy1.ipynb`." in by_jupyter


def test_endless_loops_end_in_time_and_leave_nothing(session, hand_in):
    """Whatever loops, the answer is there within half a minute, and no process is left."""
    loops = "import time\ndef solve(Q, K, V, causal):\n    while True:\n        time.sleep(0.1)\n"
    notebook = hand_in(loops)
    for _ in range(6):
        add_cell(notebook, "import time\nwhile True: time.sleep(0.1)")
    session.save(notebook)
    kernel = int(session.run("print(os.getpid())"))
    start = time.monotonic()
    text = session.before()

    assert time.monotonic() - start < 45
    assert "Your code took too long and was stopped." in text
    assert "Next: " in text
    ours = [one for one in Path("/proc").glob("[0-9]*/stat") if b"course.running.alone" in read(one.parent / "cmdline")]
    parents = [int(stat.rpartition(b")")[2].split()[1]) for stat in map(read, ours) if stat]
    assert not {1, kernel} & set(parents)  # other tests may have kernels of their own


def test_the_clean_process_ends_when_nobody_waits_for_it(tmp_path):
    """A kernel that is killed in the midst leaves no process behind that sleeps on."""
    job = marshal.dumps(([(1, "import time\ntime.sleep(600)")], [], 0, [], [], 5.0, 5.0, 10**9, 1.0), 2)
    command = [sys.executable, "-S", "-s", "-P", "-B", boot.__file__, "course.running.alone"]
    done = subprocess.run(command, input=job, cwd=tmp_path, capture_output=True, timeout=60, check=False)

    assert done.returncode == -signal.SIGALRM


def read(file):
    """Return what is in a file of the system's; nothing if the process has ended meanwhile."""
    try:
        return file.read_bytes()
    except OSError:
        return b""


def test_it_can_be_stopped(session, client, hand_in):
    """The stop button ends it at once, with a sentence and no traceback."""
    session.save(add_cell(hand_in(LISTS), "import time\nwhile True: time.sleep(0.1)"))
    timer = threading.Timer(3, client.parent.interrupt_kernel)
    timer.start()
    text = session.before()
    timer.join()

    assert text.startswith("You stopped this check before it was done.")


def test_the_call_in_the_notebook_is_harmless_and_never_raises(session, released):
    """The cell is in the notebook that it runs; with the stub it says one calm sentence, at once."""
    session.save(released)
    start = time.monotonic()
    text = session.before()

    assert time.monotonic() - start < 5
    assert text.startswith("`solve` is not written yet in the saved notebook")
    assert "The 43 hidden cases were not run here." in text


@pytest.mark.parametrize("lesson_id", lesson_ids(ROOT))
def test_every_lesson_ends_its_work_with_it(lesson_id):
    """The locked cell after `hidden` makes the call, and the first cell imports it."""
    folder = ROOT / "release" / lesson_id
    notebook = json.loads((folder / f"{folder.name.partition('_')[2]}.ipynb").read_text(encoding="utf-8"))
    last = notebook["cells"][notebook["cells"].index(cell_of(notebook, "hidden")) + 1]
    first = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")

    assert "".join(last["source"]).endswith("\ncheck_before_submitting()")
    assert last["metadata"] == {"deletable": False, "editable": False}
    assert "check_before_submitting" in "".join(first["source"])


def test_it_does_nothing_while_nbgrader_runs_the_notebook(session, hand_in):
    """Stock nbgrader runs every cell in its own kernel: there is nothing to check there."""
    session.save(hand_in(LISTS))
    text = session.run(f"os.environ['NBGRADER_EXECUTION'] = 'autograde'\n{CALL}print(result)")
    session.run("del os.environ['NBGRADER_EXECUTION']")

    assert text.strip() == "This cell does nothing while the work is graded."


def test_html_says_the_same(session, hand_in):
    """The HTML has the same sentences, inline styles and no script."""
    session.save(hand_in(SUBMISSIONS["wrong numbers"]))
    html = session.run(f"{CALL}print(result._repr_mimebundle_()['text/html'])")

    assert "<strong>Next:</strong> Run the check cell above" in html
    assert "Example 5 of 5 gives a different answer. Passed so far: 1, 2, 3, 4." in html
    assert "<script" not in html
    assert "<style" not in html
