"""What every lesson tells a learner in the same way, and what a copy with other comments in it comes to."""

import json
import re

import nbformat
import pytest
from conftest import ROOT, points_of

from autograder.lesson import name_of
from autograder.loading import lesson_ids, load_lesson

LESSONS = lesson_ids(ROOT)
FIRST = "# Run your own cell first"
ANSWER = r'\n\n   <details class="answer">\n   <summary>Answer</summary>\n\n   (.+)\n\n   </details>(?=\n\n|$)'
WIDEST = 100
ROUNDED = "With the rounded ones, your last digit can differ by 1 or 2."


@pytest.fixture(scope="module", params=LESSONS)
def lesson_id(request):
    """Each lesson in turn."""
    return request.param


@pytest.fixture(scope="module")
def cells(lesson_id):
    """The cells of the released notebook by id."""
    path = ROOT / "release" / lesson_id / f"{name_of(lesson_id)}.ipynb"
    return {cell.id: cell for cell in nbformat.read(path, as_version=4).cells}


def test_cells_that_call_solve_say_what_to_run_first(cells):
    """A cell that stops with `NameError` before the learner's own cell was run says so in its first line."""
    calling = [cell for cell in cells.values() if cell.cell_type == "code" and re.search(r"\(solve\b", cell.source)]

    assert {"examples", "plot", "question"} <= {cell.id for cell in calling}
    assert [cell.id for cell in calling if not cell.source.startswith(FIRST)] == []


def test_no_line_of_code_is_cut_at_the_right(cells):
    """JupyterLab beside its file browser shows about 100 characters of a line; what is longer has to be scrolled to."""
    code = [line for cell in cells.values() if cell.cell_type == "code" for line in cell.source.splitlines()]

    assert [line for line in code if len(line) > WIDEST] == []


def test_each_question_to_think_about_has_an_answer(cells):
    """Behind each of them is a short answer to open, without formulas, as VS Code shows none there."""
    first, *others = re.split(r"\n(?=\d\. \*\*)", cells["check-yourself"].source)[1:]
    answers = [re.findall(ANSWER, each.rstrip()) for each in others]

    assert first.startswith("1. **Your code:**")
    assert "<details" not in first
    assert all(re.match(r"\d\. \*\*To think about:\*\*", each) for each in others)
    assert [len(each) for each in answers] == [1] * len(others)
    assert all(len(text) < 200 and "$" not in text for (text,) in answers)


def test_answers_are_no_hints(lesson_id, cells):
    """What `hint()` opens are the three hints and nothing else that folds out."""
    titles = re.findall(r"<summary>Hint \d: (.+)</summary>", cells["hints"].source)

    assert [hint.title for hint in load_lesson(lesson_id, ROOT).hints] == titles
    assert len(titles) == 3


def test_rounded_numbers_come_with_a_warning(cells):
    """Where the worked example is rounded, it says that typing in its numbers gives another last digit."""
    text = cells["worked-example"].source

    assert ("rounded" in text) == (ROUNDED in text)


def test_sums_say_what_is_added(cells):
    """The explanation of a sum sign names the things it goes through, not only their letter."""
    assert not re.search(r"add this up for all \$\w\$[.,]", cells["how-it-works"].source)


@pytest.mark.parametrize("marks", ["kept", "lost"])
def test_a_copy_with_other_comments_gets_full_marks(lesson_id, cells, marks, grader):
    """Work on a copy from a former release, whose cells had other comments, earns every point, also without marks."""
    lesson = load_lesson(lesson_id, ROOT)
    notebook = json.loads(nbformat.writes(nbformat.v4.new_notebook(cells=list(cells.values()))))
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        cell["metadata"] = cell["metadata"] if marks == "kept" else {}
        if cell["id"] == "solve":
            cell["source"] = lesson.reference_source
        elif cell["id"] != "hidden" and cell["cell_type"] == "code":
            cell["source"] = "# As often as you like.\n" + re.sub(r"^#.*\n", "", source, flags=re.MULTILINE)
    report = grader.grade_notebook(notebook, lesson_id)

    assert points_of(report) == lesson.example_points + lesson.hidden_points
    assert not any("had been changed" in note for note in report.notes)
