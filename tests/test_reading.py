"""Reading a file: whatever bytes a student hands in become a notebook, or one plain sentence."""

import io
import json
import time
import tracemalloc
import zipfile

import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course.reading import ReadNotebook, UnreadableError, read_notebook

SOLVE = "def solve(x):\n    return x"


def code(source, **more):
    """Make a code cell of nbformat 4.4."""
    return {"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": None, **more}


def notebook(*cells, **more):
    """Make a notebook of nbformat 4.5 with one cell that defines `solve`."""
    return {"cells": [*cells, code(SOLVE, id="a")], "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more}


def raw(value):
    """Write JSON as Jupyter does."""
    return json.dumps(value, indent=1).encode()


def sources(read):
    """Return the text of the code cells."""
    return [cell["source"] for cell in read.notebook["cells"] if cell["cell_type"] == "code"]


def zipped(files):
    """Make a zip of names and contents."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()


PLAIN = raw(notebook())
OLD = {
    "metadata": {"name": "x"},
    "nbformat": 3,
    "nbformat_minor": 0,
    "worksheets": [
        {
            "cells": [
                {"cell_type": "heading", "level": 2, "metadata": {}, "source": ["Title"]},
                {"cell_type": "code", "input": SOLVE.splitlines(keepends=True), "prompt_number": 3, "outputs": []},
            ]
        }
    ],
}

READABLE = {
    "as Jupyter writes it": (PLAIN, ""),
    "byte-order mark": (b"\xef\xbb\xbf" + PLAIN, ""),
    "UTF-16 with mark": (PLAIN.decode().encode("utf-16"), "UTF-16"),
    "UTF-16 without mark, little": (PLAIN.decode().encode("utf-16-le"), "UTF-16"),
    "UTF-16 without mark, big": (PLAIN.decode().encode("utf-16-be"), "UTF-16"),
    "UTF-32 with mark": (PLAIN.decode().encode("utf-32"), "UTF-32"),
    "UTF-32 without mark": (PLAIN.decode().encode("utf-32-be"), "UTF-32"),
    "CRLF between lines": (PLAIN.replace(b"\n", b"\r\n"), ""),
    "CRLF in the code": (PLAIN.replace(b"\\n", b"\\r\\n"), ""),
    "NUL bytes at the end": (PLAIN + bytes(512), ""),
    "NUL in the code": (PLAIN.replace(b"def solve", b"def\\u0000 solve"), "NUL"),
    "nbformat 3": (raw(OLD), "old format"),
    "nbformat 4.0": (raw(notebook(nbformat_minor=0)), ""),
    "nbformat 4.9": (raw(notebook(nbformat_minor=9)), ""),
    "nbformat 5": (raw(notebook(nbformat=5)), "newer format"),
    "no nbformat": (raw({"cells": [code(SOLVE)]}), "does not say which format"),
    "source a list": (raw({**notebook(), "cells": [code(SOLVE.splitlines(keepends=True))]}), ""),
    "source a dict": (raw(notebook(code({"a": 1}))), "The text of cell 1 was no text"),
    "source missing": (raw(notebook({"cell_type": "code"})), ""),
    "metadata a list": (raw(notebook(code("", metadata=["x"]))), "metadata of cell 1"),
    "outputs missing": (raw({**notebook(), "cells": [{"cell_type": "code", "source": SOLVE}]}), ""),
    "a cell that is no cell": (raw(notebook("x", 3, None)), "Entry 2"),
    "a kind of cell that there is not": (raw(notebook({"cell_type": 7, "source": "x"})), "what kind"),
    "ids twice": (raw(notebook(code("1", id="a"))), ""),
    "another kernel": (raw(notebook(metadata={"kernelspec": {"name": "ir", "language": "R"}})), "another kernel ('R')"),
    "deep outputs": (PLAIN.replace(b'"outputs": []', b'"outputs": [' + b"[" * 5000 + b"]" * 5000 + b"]"), ""),
    "two byte-order marks": (b"\xef\xbb\xbf" * 2 + PLAIN, ""),
    "a thousand byte-order marks": (b"\xef\xbb\xbf" * 1000 + PLAIN, ""),
    "two byte-order marks of UTF-16": (("\ufeff" + PLAIN.decode()).encode("utf-16"), "UTF-16"),
    "a zip called .ipynb": (zipped({"hand in/x.ipynb": PLAIN, "__MACOSX/._x.ipynb": b"\0"}), "was a zip"),
    "a zip with a path that leads out": (zipped({"../../a.py": b"", "x.ipynb": PLAIN}), "leads out of its folder"),
    "Python called .ipynb": (SOLVE.encode(), "no notebook"),
}


@pytest.mark.parametrize("situation", READABLE)
def test_readable(situation):
    """Each of these still holds the student's code; what is not as usual is said."""
    data, note = READABLE[situation]
    read = read_notebook(data)

    assert SOLVE in sources(read)
    assert any(note in said for said in read.notes) if note else read.notes == ()
    nbformat.validate(nbformat.from_dict(read.notebook))


@pytest.mark.parametrize("name", ["x.ipynb", "x.ipynb.txt", "x.json", "x.PY", "x"])
def test_name_does_not_matter_for_a_notebook(name):
    """A notebook is known by what it holds, not by how it is called."""
    assert sources(read_notebook(PLAIN, name)) == [SOLVE]


def test_cells_keep_their_order_and_marks():
    """The nbgrader mark of a cell stays; editors' own metadata goes."""
    mark = {"grade_id": "solve", "points": 3}
    read = read_notebook(
        raw(notebook(code("1", metadata={"nbgrader": mark, "application/vnd.databricks.v1+cell": {}})))
    )

    assert [cell["metadata"] for cell in read.notebook["cells"]] == [{"nbgrader": mark}, {}]


def test_surrogates_can_be_written_again():
    """Half of a pair is replaced, a whole pair (an emoji) is not."""
    read = read_notebook(PLAIN.replace(b"return x", b"return '\\ud800 \\ud83d\\ude00'"))

    assert sources(read)[0].endswith("return '\ufffd \U0001f600'")
    assert json.dumps(read.notebook, ensure_ascii=False).encode("utf-8")
    assert "half of a pair" in read.notes[0]


UNREADABLE = {
    "empty": (b"", "is empty"),
    "blank": (b" \n\0\0", "nothing but blanks"),
    "broken off": (PLAIN[:200], "breaks off in line"),
    "broken off in a text": (PLAIN[: PLAIN.index(b"return")], "breaks off in line"),
    "a comma too many": (PLAIN.replace(b'"metadata": {},', b'"metadata": {},,', 1), "line 5, column"),
    "merge conflict": (PLAIN.replace(b"{\n", b"{\n<<<<<<< HEAD\n", 1), "merge conflict in line 2"),
    "nested 100,000 deep": (b'{"cells": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deep"),
    "nested metadata": (
        raw(notebook()).replace(
            b'"metadata": {}', b'"metadata": {"nbgrader": {"a":' + b"[" * 300 + b"]" * 300 + b"}}", 1
        ),
        "nested too deep",
    ),
    "a list": (b"[1, 2]", "no list of cells"),
    "a text": (b'"cells"', "neither a notebook"),
    "no cells": (b'{"a": 1}', "no list of cells"),
    "cells a dict": (b'{"cells": {}}', "no list of cells"),
    "a number with 5,000 digits": (b'{"cells": [], "x": ' + b"1" * 5000 + b"}", "thousands of digits"),
    "a web page": (b"\n<!DOCTYPE html><html></html>", "web page"),
    "a PDF": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3", "PDF"),
    "a pointer of Git LFS": (b"version https://git-lfs.github.com/spec/v1\noid sha256:1", "Git LFS"),
    "a picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "neither a notebook"),
    "an essay": (zipped({"word/document.xml": b"<w/>"}), "no notebook in it"),
    "a zip with two notebooks": (zipped({"a.ipynb": PLAIN, "b.ipynb": PLAIN}), "2 files that could be"),
    "a zip in a zip": (zipped({"a.ipynb": zipped({"a.ipynb": PLAIN})}), "another zip"),
    "a zip that leads out": (zipped({"../../escaped.ipynb": PLAIN}), "leads out of its folder"),
    "a broken zip": (b"PK\x03\x04" + bytes(40), "broken"),
    "a conflict in a Python file": (b"<<<<<<< HEAD\ndef solve(x):\n", "merge conflict in line 1"),
}


@pytest.mark.parametrize("situation", UNREADABLE)
def test_unreadable(situation):
    """Each of these is refused with one sentence that says why."""
    data, reason = UNREADABLE[situation]

    with pytest.raises(UnreadableError) as refused:
        read_notebook(data)
    assert reason in refused.value.reason
    assert "\n" not in refused.value.reason


def test_zip_bombs_are_refused_by_name():
    """A zip that unpacks to far more than it is, or holds thousands of files, is not unpacked."""
    with pytest.raises(UnreadableError, match=r"x\.ipynb.*zip bomb"):
        read_notebook(zipped({"x.ipynb": bytes(30_000_000)}))
    with pytest.raises(UnreadableError, match="2001 files"):
        read_notebook(zipped({f"{at}.ipynb": b"" for at in range(2001)}))


@pytest.mark.slow
def test_50_mb_of_outputs_cost_little():
    """Outputs are cut off before anything is parsed."""
    output = {"output_type": "stream", "name": "stdout", "text": ['[1, 0], \\"x\\"\n' * 100] * 34_000}
    data = raw({**notebook(), "cells": [code(SOLVE, outputs=[output])]})
    assert len(data) > 50_000_000
    tracemalloc.start()
    start = time.process_time()
    read = read_notebook(data)
    seconds, peak = time.process_time() - start, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert sources(read) == [SOLVE]
    assert read.notebook["cells"][0]["outputs"] == []
    assert seconds < 3
    assert peak < 5_000_000


@pytest.mark.slow
@pytest.mark.parametrize("filling", [b"[],", b"{},", b'"",', b"1,", b'"\\\\",'])
def test_hostile_outputs_cost_little(filling):
    """Millions of tiny values in the outputs are skipped or refused in bounded time and memory."""
    many = filling * (1_000_000 // len(filling))
    data = PLAIN.replace(b'"outputs": []', b'"outputs": [' + many + b"0]")
    start = time.process_time()
    try:
        assert sources(read_notebook(data)) == [SOLVE]
    except UnreadableError as refused:
        assert "millions of values" in refused.reason  # noqa: PT017
    assert time.process_time() - start < 4


def test_millions_of_values_elsewhere_are_refused():
    """What is left without outputs has to be of a notebook's size."""
    with pytest.raises(UnreadableError, match="far more than a notebook"):
        read_notebook(b'{"cells": [' + b"[]," * 1_100_000 + b"0]}")


SCRIPTS = {
    "one cell": (SOLVE, [SOLVE]),
    "percent cells": (f"# %%\nimport math\n# %% [markdown]\n# words\n# %%\n{SOLVE}\n", ["import math", SOLVE]),
    "jupytext header": (f"# ---\n# jupyter:\n#   x: 1\n# ---\n\n# %%\n{SOLVE}\n", [SOLVE]),
    "nbconvert": (
        f"#!/usr/bin/env python\n# coding: utf-8\n\n# In[1]:\n\n\nimport math\n\n\n# In[ ]:\n\n\n{SOLVE}\n",
        ["import math", SOLVE],
    ),
    "Databricks": (
        (
            f"# Databricks notebook source\n# MAGIC %md\n# MAGIC # Title\n\n# COMMAND ----------\n\n{SOLVE}\n\n"
            "# COMMAND ----------\n\n# MAGIC %python\n# MAGIC y = 1\n"
        ),
        [SOLVE, "y = 1"],
    ),
    "CRLF": (SOLVE.replace("\n", "\r\n"), [SOLVE]),
}


@pytest.mark.parametrize("situation", SCRIPTS)
def test_python_files(situation):
    """A Python file is one cell, or the cells that an editor marked in it; and it is said."""
    text, wanted = SCRIPTS[situation]
    read = read_notebook(text.encode(), "attention.py")

    assert sources(read) == wanted
    assert read.notes == ("A Python file was handed in. Its code was read as the notebook's.",)


def test_student_text_is_never_run():
    """A file whose code would end the process is read like any other."""
    text = "raise SystemExit(7)\nimport os\nos._exit(3)\n"

    assert sources(read_notebook(text.encode(), "x.py")) == [text.strip()]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
NAMES = st.sampled_from(["x.ipynb", "x.py", "x.zip", "x.json"])
CELL_LIKE = st.fixed_dictionaries(
    {},
    optional={
        "cell_type": st.sampled_from(["code", "markdown", "raw", "heading"]) | JSON,
        "source": st.text(max_size=30) | st.lists(st.text(max_size=10), max_size=3) | JSON,
        "metadata": JSON | st.fixed_dictionaries({"nbgrader": JSON}),
        "outputs": JSON,
        "id": JSON,
        "attachments": JSON,
        "level": JSON,
        "input": JSON,
    },
)
NOTEBOOK_LIKE = st.fixed_dictionaries(
    {"cells": st.lists(CELL_LIKE | JSON, max_size=4)},
    optional={"nbformat": JSON, "nbformat_minor": JSON, "metadata": JSON, "worksheets": JSON},
)


def _read(data, name):
    start = time.process_time()
    try:
        read = read_notebook(data, name)
    except UnreadableError as refused:
        assert refused.reason  # noqa: PT017
    else:
        assert isinstance(read, ReadNotebook)
        nbformat.validate(nbformat.from_dict(read.notebook))
        assert json.dumps(read.notebook, ensure_ascii=False).encode("utf-8")
    assert time.process_time() - start < 2


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=80).map(str.encode), NAMES)
def test_any_bytes(data, name):
    """Any bytes are read or refused."""
    _read(data, name)


@settings(max_examples=60, deadline=None)
@given(NOTEBOOK_LIKE, NAMES, st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32-le"]))
def test_any_notebook_like_json(value, name, encoding):
    """Any JSON with cells becomes a valid notebook that can be written again."""
    _read(json.dumps(value).encode(encoding), name)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from([PLAIN, PLAIN.decode().encode("utf-16"), zipped({"x.ipynb": PLAIN, "y.txt": b"y"})]), st.data())
def test_any_damage(whole, data):
    """A notebook or a zip with bytes changed, cut or doubled is read or refused."""
    at = data.draw(st.integers(0, len(whole)))
    to = data.draw(st.integers(at, min(len(whole), at + 40)))
    _read(whole[:at] + data.draw(st.binary(max_size=20)) + whole[to:], "x.ipynb")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_zips_of_other_kinds_are_refused(method):
    """Only what every system's own zip writes is unpacked."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        archive.writestr("x.ipynb", PLAIN)

    with pytest.raises(UnreadableError, match="unusual way"):
        read_notebook(packed.getvalue())


@pytest.mark.parametrize("minor", range(6))
def test_every_minor_format(minor):
    """A notebook of each minor version of format 4 is read as it is."""
    assert read_notebook(raw(notebook(nbformat_minor=minor))).notes == ()
