"""What a break-in trial found, each as a test of its kind."""

import json
import subprocess
import sys
import time
from html.parser import HTMLParser

import pytest
from conftest import LESSON, ROOT
from nbconvert.exporters import HTMLExporter

from autograder.export import _harmless
from autograder.lesson import Call
from autograder.loading import load_lesson
from autograder.notebooks import mend
from autograder.sandbox import Cell, Sandbox, pack_calls
from course.compare import compare
from course.outcomes import Raised
from course.reading import read_notebook
from course.submission import read_submission
from course.values import read_value

SECRET = 271828.5
INTO_ANY_FILE = """
import os
def solve(x):
    for file in range(3, 80):
        for way in (lambda: os.write(file, repr(x).encode()), lambda: os.pwrite(file, repr(x).encode(), 0)):
            try:
                way()
            except OSError:
                pass
    return x
"""
KNOCK = """
import os
def solve(x):
    try:
        os.write(60, b".")
        os.read(60, 1)
        os.write(63, os.pread(61, 100000, 0).hex().encode())
        os.write(63, repr(x).encode())
    except OSError:
        pass
    return x
"""


@pytest.mark.slow
@pytest.mark.parametrize("code", [INTO_ANY_FILE, KNOCK], ids=["writes into every file", "knocks early"])
def test_what_is_shown_was_read_before_the_hidden_inputs_came(code):
    """No file that a child holds carries a hidden input into what a learner is shown."""
    with Sandbox() as sandbox, pack_calls([Call((1.5,))]) as shown, pack_calls([Call((SECRET,))]) as hidden:
        told, later = sandbox.run_both([Cell(1, code)], shown, hidden)

    for run in (told, later):
        assert str(SECRET) not in run.printed
        assert SECRET.hex() not in run.printed
    assert len(told.printed) < 300


def test_a_hidden_case_tells_few_errors():
    """A name chosen among many built-in errors would carry an input out: rare ones have no name there."""
    want = read_value([1.0])
    safe = {compare(Raised(name, "x"), want).safe for name in dir(__builtins__) if name.endswith(("Error", "Warning"))}

    assert len(safe) <= 12
    assert "`IndexError`" in compare(Raised("IndexError", "x"), want).safe


LINKS = [
    "[a](javascript:alert(1))",
    "[a](javascript\\:alert(1))",
    "[a](java&#10;script:alert(1))",
    "[a](&#106;avascript:alert(1))",
    "[a](JAVASCRIPT&colon;alert(1))",
    "[a][b]\n\n[b]: javascript:alert(1)",
    "````\n[a](javascript:alert(1))\n````\n[a](javascript:alert(1))",
    "<img src=x onerror=alert(1)>",
]


class _Links(HTMLParser):
    """Collect what is alive in a page's body: links by their target, and tags with handlers."""

    def __init__(self):
        super().__init__()
        self.alive = []

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            target = (value or "").lower().replace("\n", "")
            if name.startswith("on") or "alert" in target:
                self.alive.append((tag, name, value))


@pytest.mark.parametrize("text", LINKS)
def test_nothing_of_a_students_text_is_alive_in_the_page(text, released):
    """What Formgrader renders of a student's text cell has no link of theirs and no handler."""
    lesson = load_lesson(LESSON, ROOT)
    released["cells"].insert(1, {"cell_type": "markdown", "metadata": {}, "source": text})
    read = read_notebook(json.dumps(released).encode(), "attention.ipynb")
    mend(read.notebook, lesson, read_submission(read.notebook, lesson.released).roles, ())
    own = [cell for cell in read.notebook["cells"] if cell["cell_type"] == "markdown"][1]
    page = {"cells": [own | {"id": "own"}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    exporter = HTMLExporter(template_name="basic")
    import nbformat  # noqa: PLC0415

    html, _ = exporter.from_notebook_node(nbformat.from_dict(page))
    found = _Links()
    found.feed(html)

    assert found.alive == []


def test_the_authors_text_stays_as_it_is(released):
    """The lesson's own cells keep their formulas and links in the autograded notebook."""
    lesson = load_lesson(LESSON, ROOT)
    before = [cell["source"] for cell in released["cells"] if cell["cell_type"] == "markdown"]
    read = read_notebook(json.dumps(released).encode(), "attention.ipynb")
    mend(read.notebook, lesson, read_submission(read.notebook, lesson.released).roles, ())
    after = [cell["source"] for cell in read.notebook["cells"] if cell["cell_type"] == "markdown"]

    assert after == ["".join(each) for each in before]


def test_no_cell_of_the_export_is_a_formula():
    """A spreadsheet takes no student's text for a formula; numbers stay numbers."""
    assert [_harmless(each) for each in ("=1+1", "@SUM(1)", "-x", "plain", -1.5, 0.0)] == [
        *("'=1+1", "'@SUM(1)", "'-x", "plain"),
        *(-1.5, 0.0),
    ]


@pytest.mark.slow
def test_the_command_can_be_killed_alone(tmp_path):
    """When only the command is killed, its workers end too, and the next run is not locked out."""
    folder = tmp_path / "root"
    folder.mkdir()
    code = (
        "import sys, time, multiprocessing; from pathlib import Path; from autograder.ledger import only_run; "
        "from autograder.class_run import local_executor\n"
        "with only_run(Path(sys.argv[1])), local_executor(2) as pool:\n"
        "    print(pool.submit(__import__('os').getpid).result(), flush=True)\n"
        "    pool.submit(time.sleep, 60).result()\n"
    )
    command = [sys.executable, "-c", code, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as first:
        worker = int(first.stdout.readline())
        first.kill()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as second:
        assert int(second.stdout.readline()) > 0
        second.kill()
    time.sleep(0.5)

    assert not _runs(worker)


def _runs(pid):
    """Tell whether a process is there and no zombie."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:  # noqa: PTH123
            return file.read().rpartition(") ")[2][0] != "Z"
    except OSError:
        return False
