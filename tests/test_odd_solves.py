"""*check* ends with a report in every lesson, whatever `solve` is: a traceback of ours is never shown."""

import functools
import json
import shutil

import pytest
from conftest import ROOT, cell_of

from course.checking import check
from course.syllabus import LESSONS

pytestmark = pytest.mark.slow  # whole checks, one after the other


def _undefined(*_):
    return not_there  # noqa: F821  # the mistake itself


def _of_none():
    return 1


async def _waits(*_):
    return 1


ODD = {
    "an unknown name": _undefined,
    "no inputs": _of_none,
    "one input too many": lambda a, b, c, d, e, f, g, h, i: [a, b, c, d, e, f, g, h, i],
    "a coroutine": _waits,
    "max": max,
    "a cached function": functools.lru_cache(_undefined),
    "None": lambda *_: None,
    "a number": lambda *_: 1,
    "its input": lambda first, *_: first,
    "an empty list": lambda *_: [],
    "a place that is not there": lambda first, *_: first[99],
    "no function": 3,
}


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda each: each.id)
@pytest.mark.parametrize("odd", ODD)
def test_every_odd_function_gets_a_report(tmp_path, monkeypatch, lesson, odd):
    """The report comes, it fails, and it is short."""
    folder = ROOT / "release" / lesson.id
    shutil.copy(folder / f"{lesson.name}.json", tmp_path)
    monkeypatch.chdir(tmp_path)
    notebook = json.loads((folder / f"{lesson.name}.ipynb").read_text(encoding="utf-8"))
    text = "".join(cell_of(notebook, "examples")["source"])
    names = {}
    exec(text[: text.index("check(solve")], names)  # noqa: S102  # the list of examples
    result = check(ODD[odd], names["examples"], lesson=lesson.name)

    assert result.points < len(names["examples"])
    assert 1 <= len(repr(result).splitlines()) <= 15
