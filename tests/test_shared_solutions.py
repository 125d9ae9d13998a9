"""Lessons other than attention: the shared solutions, right and wrong, through the sandbox and the judge."""

import json

import pytest
from conftest import CASES, ROOT, points_of, solve_cell

from course.syllabus import LESSONS

pytestmark = pytest.mark.slow

SOLUTIONS = CASES / "solutions"


def _entries():
    """Give each solution of each lesson that is released, with its lesson."""
    for lesson in LESSONS:
        index = SOLUTIONS / lesson.name / "index.json"
        released = ROOT / "release" / lesson.id / f"{lesson.name}.ipynb"
        if lesson.name == "attention" or not index.is_file() or not released.is_file():
            continue
        for entry in json.loads(index.read_text(encoding="utf-8"))["entries"]:
            if entry["kind"] in {"right", "wrong", "doubtful"}:
                yield pytest.param(lesson, entry, id=f"{lesson.name}-{entry['file']}")


@pytest.mark.skipif(not SOLUTIONS.is_dir(), reason="the shared solutions are not beside this project")
@pytest.mark.parametrize(("lesson", "entry"), list(_entries()))
def test_right_ones_get_full_marks_and_wrong_ones_lose_some(grader, lesson, entry):
    """A right solution earns every point and is told of no mistake; a wrong one fails somewhere."""
    notebook = json.loads((ROOT / "release" / lesson.id / f"{lesson.name}.ipynb").read_text(encoding="utf-8"))
    lines = (SOLUTIONS / lesson.name / entry["file"]).read_text(encoding="utf-8").splitlines()
    solve_cell(notebook)["source"] = "\n".join(line for line in lines if not line.startswith(("# tag:", "# note:")))
    report = grader.grade_notebook(notebook, lesson.id)
    full = points_of(report) == lesson.points

    if entry["expected"] == "accept":
        assert full, report.to_json()
        assert report.mistake is None
    elif entry["expected"] == "either":
        assert full or report.first_failing.says
    else:
        assert not full
        assert report.first_failing is not None
