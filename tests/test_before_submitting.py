"""`check_before_submitting()` in a real kernel: what it says of the saved notebook is what the grader says."""

import json
import marshal
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from before_helpers import (
    CALL,
    LISTS,
    Session,
    add_cell,
)
from conftest import ROOT, cell_of
from lesson_helpers import RIGHT, WRONG

from autograder.loading import lesson_ids
from course.beside import modules_beside
from course.running import boot
from course.submission import read_submission

pytestmark = [
    pytest.mark.slow,
    # zmq and tornado warn about their own event loops; nothing of ours
    pytest.mark.filterwarnings("ignore"),
]


@pytest.fixture
def session(client, tmp_path, lesson):
    """Return a session that has run nothing, in an empty folder with the practice data of the lesson."""
    return Session(client, tmp_path, lesson)


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
