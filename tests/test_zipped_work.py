"""A student's zip is read as a folder is: the file with a `solve` counts, and its modules go along."""

import io
import json
import zipfile

import pytest
from cell_makers import RELEASED, RIGHT, STUB, code, locked
from conftest import points_of

from autograder.sample_class import RIGHT as ATTENTION
from course.reading import UnreadableError, read_notebook
from course.submission import read_submission

CHECK = code('examples = []\ncheck(solve, examples, hidden_cases=3, lesson="attention")')


def notebook(*cells):
    """Write a notebook."""
    return json.dumps({"cells": [*cells], "nbformat": 4, "nbformat_minor": 5}).encode()


def zipped(files):
    """Make a zip of names and contents."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()


WHOLE, GIVEN, EMPTY = notebook(code(RIGHT), CHECK), notebook(code(STUB), CHECK), notebook()
BROKEN, IMPORTS = WHOLE[:60], notebook(code("from helpers import *"), CHECK)
INNER = zipped({"attention.ipynb": WHOLE})

# situation: the files; the first counts
FOUND = {
    "notes beside it": {"attention.ipynb": WHOLE, "scratch.ipynb": EMPTY},
    "the lesson's name before another": {"attention.ipynb": WHOLE, "attention_old.ipynb": WHOLE},
    "the name before one in a folder": {"attention.ipynb": WHOLE, "old/attention.ipynb": WHOLE},
    "written before the stub": {"attention_final.ipynb": WHOLE, "attention.ipynb": GIVEN},
    "written before a broken one": {"x.ipynb": WHOLE, "attention.ipynb": BROKEN},
    "a Python file before the stub": {"sol.py": RIGHT.encode(), "attention.ipynb": GIVEN},
    "a notebook that imports before a Python file": {"attention.ipynb": IMPORTS, "helpers.py": RIGHT.encode()},
    "the stub before notes": {"attention.ipynb": GIVEN, "scratch.ipynb": EMPTY},
    "a Python file before one without solve": {"sol.py": RIGHT.encode(), "other.py": b"x = 1"},
    "beside another zip": {"attention.ipynb": WHOLE, "old.zip": INNER},
    "beside the practice data": {"attention.ipynb": WHOLE, "attention.json": b'{"examples": []}'},
}


@pytest.mark.parametrize("situation", FOUND)
def test_the_file_that_counts(situation):
    """Of several files the one in which `solve` is written counts, of several of those the lesson's own name."""
    first, *_ = FOUND[situation]
    read = read_notebook(zipped(FOUND[situation]))

    assert read.notes[0] == f"The file was a zip: `{first}` in it was read."


def test_other_notebooks_are_named():
    """The notebooks in a zip that do not count are named."""
    read = read_notebook(zipped({"attention.ipynb": WHOLE, "a.ipynb": EMPTY, "b.ipynb": GIVEN}))

    assert read.notes[1] == "There were other notebooks in it, which were not: `a.ipynb`, `b.ipynb`."


REFUSED = {
    "two with the lesson's name": ({"a/attention.ipynb": WHOLE, "b/attention.ipynb": WHOLE}, "2 files that could be"),
    "two with other names": ({"a.ipynb": WHOLE, "b.ipynb": WHOLE}, "(a.ipynb, b.ipynb): hand in one"),
    "a zip in it": ({"in.zip": INNER, "essay.txt": b"x"}, "holds another zip"),
    "a broken notebook alone": ({"attention.ipynb": BROKEN, "x.png": b""}, "breaks off"),
    "no notebook": ({"word/document.xml": b"<w/>"}, "no notebook in it"),
}


@pytest.mark.parametrize("situation", REFUSED)
def test_what_is_left_in_doubt_is_refused(situation):
    """Where no one file is the likeliest, or none can be read, the reason is one sentence."""
    files, reason = REFUSED[situation]

    with pytest.raises(UnreadableError) as refused:
        read_notebook(zipped(files))
    assert reason in refused.value.reason


@pytest.mark.parametrize("line", ["from helpers import solve", "from helpers import *", "%run helpers.py"])
def test_modules_in_the_zip_go_along(line):
    """A module beside the notebook in the zip, and what it imports in turn, is used as in a folder; it is said."""
    files = {
        "work/attention.ipynb": notebook(code(line, "solve"), *locked()),
        "work/helpers.py": b"from more import solve",
        "work/more.py": RIGHT.encode(),
        "work/unused.py": b"1 / 0",
        "elsewhere.py": b"1 / 0",
    }
    read = read_notebook(zipped(files))
    submission = read_submission(read.notebook, RELEASED)

    assert [cell["source"].partition("\n")[0] for cell in read.notebook["cells"][3:]] == [
        "%%writefile helpers.py",
        "%%writefile more.py",
    ]
    assert len({cell["id"] for cell in read.notebook["cells"]}) == len(read.notebook["cells"])
    assert submission.notes == tuple(
        f"`{name}.py` beside the notebook was used: a cell imports it." for name in ("helpers", "more")
    )


def test_modules_in_the_zip_that_are_left_out_are_told():
    """A module with a library's name and one that a cell opens are not used, and it is said."""
    cell = code("import numpy\nexec(open('sol.py').read())")
    read = read_notebook(zipped({"x.ipynb": notebook(cell), "numpy.py": b"1 / 0", "sol.py": b"x = 1"}))

    assert len(read.notebook["cells"]) == 1
    assert [note.partition(":")[0] for note in read.notes[1:]] == [
        "`numpy.py` beside the notebook was left out",
        "`sol.py` beside the notebook was not used",
    ]


def test_a_zip_with_a_module_gets_its_marks(hand_in, grader, lesson):
    """A `solve` in a module of the zip is graded like one in the notebook."""
    data = json.dumps(hand_in("from helpers import solve")).encode()
    read = read_notebook(zipped({"attention.ipynb": data, "helpers.py": ATTENTION.encode()}))

    assert points_of(grader.grade(read_submission(read.notebook, lesson.released), lesson)) == 15
