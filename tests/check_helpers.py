"""Check a learner's code in a folder with the files of its lesson, as in its notebook."""

import json
import shutil
import sys

from conftest import ROOT, cell_of
from run_cells import run_cell

from course import session
from course.checking import check


def change(code, *pairs):
    """Change a code: each pair is what stands in it, once or more, and what stands there instead the first time."""
    for old, new in pairs:
        assert old in code
        code = code.replace(old, new, 1)
    return code


def check_in(folder, monkeypatch, lesson, code):
    """Run a cell and check its `solve`; return the report, which has at most 15 lines."""
    monkeypatch.setattr(session, "_last", [])
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "earlier", raising=False)
    monkeypatch.chdir(folder)
    for file in filter(lambda each: each.is_file(), (ROOT / "release" / lesson).iterdir()):
        shutil.copy(file, folder)
    name, names = lesson[3:], {}
    text = "".join(cell_of(json.loads((folder / f"{name}.ipynb").read_text("utf-8")), "examples")["source"])
    exec(text[: text.index("check(solve")], names)  # noqa: S102  # the list of examples
    result = check(run_cell(code)["solve"], names["examples"], lesson=name)
    assert len(repr(result).splitlines()) <= 15
    return result.report


def right_already(report):
    """Return the steps that a report calls right already."""
    return [int(each) for each in report.already.partition("(")[0] if each.isdigit()]
