"""The contract of every lesson. `docs/adding-a-lesson.md` names each of these tests."""

import ast
import json
import re
import shutil
import subprocess
import sys
from itertools import pairwise

import nbformat
import pytest
from conftest import ROOT, points_of, solve_cell

from autograder.judge import judge
from autograder.kills import kill_table
from autograder.lesson import GraderError, name_of, outcome_of
from autograder.loading import HIDDEN, SOLUTION, STEP, lesson_ids, load_lesson
from autograder.sandbox import Run
from course.outcomes import Answered
from course.submission import Submission
from course.values import read_value

LESSONS = lesson_ids(ROOT)
SECTIONS = [
    "Words to know",
    "How it works",
    "Worked example",
    "Why it matters",
    "Your turn",
    "Hints",
    "Watch out",
    "Check yourself",
    "Solution, step by step",
    "Next",
]
IDS = (
    "title setup words-to-know how-it-works worked-example why-it-matters your-turn solve examples hints hint",
    "watch-out hidden before-submitting check-yourself question solution-step-by-step next",
)
LOCKED = {"deletable": False, "editable": False}
KEPT = {"deletable": False}
A_LINE = 15  # a shorter line of code, such as `output = []`, gives nothing away


@pytest.fixture(scope="module", params=LESSONS)
def lesson_id(request):
    """Each lesson in turn."""
    return request.param


@pytest.fixture(scope="module")
def lesson(lesson_id):
    """The lesson as the grader sees it."""
    try:
        return load_lesson(lesson_id, ROOT)
    except GraderError as error:
        pytest.skip(f"{lesson_id} cannot be loaded yet, which test_the_lesson_loads tells: {error}")


@pytest.fixture(scope="module")
def cells(lesson_id):
    """The cells of the lesson's source notebook by id."""
    return {cell.id: cell for cell in nbformat.read(_path(lesson_id), as_version=4).cells}


def _path(lesson_id, folder="source"):
    path = ROOT / folder / lesson_id / f"{name_of(lesson_id)}.ipynb"
    if not path.is_file():
        pytest.fail(f"{path.relative_to(ROOT)} is missing: write it, or run `autograder release {lesson_id}`")
    return path


def _markdown(cells):
    return "\n\n".join(cell.source for cell in cells.values() if cell.cell_type == "markdown")


def _report(lesson, outcomes):
    """Judge outcomes that stand for a submission."""
    cut = len(lesson.examples)
    shown, hidden = (
        Run(part, (), "", printed_cut=False, cpu_seconds=0.0, layers=()) for part in (outcomes[:cut], outcomes[cut:])
    )
    return judge(lesson, Submission(()), shown, hidden)


# --- the notebook ---


def test_the_lesson_loads(lesson_id):
    """The notebook and the module of the same name are there and fit together."""
    module = ROOT / "autograder" / "lessons" / f"{name_of(lesson_id)}.py"

    assert module.is_file(), f"write {module.relative_to(ROOT)}: it defines GROUPS and MISTAKES"
    assert load_lesson(lesson_id, ROOT).id == lesson_id


def test_notebook_is_in_normal_form(lesson_id):
    """Source and release are stored as nbformat writes them, without outputs, so that diffs are small."""
    for folder in ("source", "release"):
        text = _path(lesson_id, folder).read_text(encoding="utf-8")
        notebook = nbformat.reads(text, as_version=4)
        nbformat.validate(notebook)

        assert nbformat.writes(notebook).rstrip("\n") == text.rstrip("\n"), "save it once with nbformat.write"
        assert not [c.id for c in notebook.cells if c.get("outputs") or c.get("execution_count")], "clear the outputs"


def test_sections_are_in_order(cells):
    """One title, then every section in its order, with no heading level left out."""
    headings = re.findall(r"^(#+) (.+)$", _markdown(cells), re.MULTILINE)
    levels = [len(marks) for marks, _ in headings]

    assert levels.count(1) == 1
    assert levels[0] == 1
    assert [title for marks, title in headings if marks == "##"] == SECTIONS
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_cell_ids_are_names_for_people(cells):
    """Every lesson has the same cells in the same order; the plot and a chapter's reward are the only free ones."""
    assert [name for name in cells if name not in {"plot", "reward"}] == " ".join(IDS).split()


def test_cells_are_marked_for_nbgrader(lesson, cells):
    """Three graded cells: `solve`, `examples`, `hidden`; the other code cells are locked; the explanation is tagged."""
    code = {name: cell.metadata for name, cell in cells.items() if cell.cell_type == "code"}
    graded = {data["nbgrader"]["grade_id"]: data["nbgrader"] for data in code.values() if "nbgrader" in data}

    assert list(graded) == ["solve", "examples", "hidden"]
    assert graded["solve"]["solution"]
    assert graded["examples"]["points"] == len(lesson.examples), "each example gives one point"
    assert graded["hidden"]["points"] == lesson.hidden_points == 10
    assert code.pop("question", KEPT) == KEPT, "the learner writes a number into it"
    assert all(data == LOCKED for data in code.values() if "nbgrader" not in data)
    assert [name for name, cell in cells.items() if "solution-only" in cell.metadata.get("tags", ())] == [
        "solution-step-by-step"
    ]


def test_steps_are_told_once(lesson, cells):
    """Headings, comments of the reference and the explanation have the same numbered titles, word for word."""
    headings = re.findall(r"^### Step (\d+)\. (.+)$", cells["how-it-works"].source, re.MULTILINE)
    explained = re.findall(r"^(\d+)\. \*\*(.+)\.\*\*", cells["solution-step-by-step"].source, re.MULTILINE)
    numbered = [(str(number), title) for number, title in enumerate(lesson.steps, 1)]

    assert STEP.findall(cells["solve"].source) == headings == explained == numbered


def test_three_hints_open_everywhere(cells):
    """Three hints of growing length; empty lines as JupyterLab needs them; no formula, which VS Code would not show."""
    source = cells["hints"].source
    form = r"\n\n<details>\n<summary>(Hint \d: [^<]+)</summary>\n\n(.+?)\n\n</details>(?=\n\n|$)"
    hints = re.findall(form, source, re.DOTALL)

    assert [title.partition(":")[0] for title, _ in hints] == ["Hint 1", "Hint 2", "Hint 3"]
    assert source.count("<details>") == 3
    assert "$" not in source
    assert [len(text) for _, text in hints] == sorted(len(text) for _, text in hints)


def test_examples_in_the_text_are_those_of_the_check_cell(lesson, cells):
    """The text shows the examples of the check cell in the same order; the worked example is one of them."""
    blocks = re.findall(r"```text\n(.*?)\n```", cells["your-turn"].source, re.DOTALL)
    shown = []
    for given, answer in zip(blocks[::2], blocks[1::2], strict=True):
        arguments = {each.targets[0].id: ast.literal_eval(each.value) for each in ast.parse(given).body}
        shown.append((arguments, read_value(ast.literal_eval(answer))))

    assert shown == [(dict(example.arguments), example.returns) for example in lesson.examples]
    assert re.findall(r"```text\n(.*?)\n```", cells["worked-example"].source, re.DOTALL)[:2] == blocks[:2]


def test_stub_says_what_to_write(cells):
    """What is left of the solution cell in the release: the parameters, a docstring, and what to do."""
    before = cells["solve"].source.partition("    ### BEGIN SOLUTION\n")[0]
    stub = next(node for node in ast.parse(before).body if isinstance(node, ast.FunctionDef))

    assert stub.name == "solve"
    assert len(ast.get_docstring(stub)) > 60


def test_hidden_cell_tells_the_truth(lesson, cells):
    """The released text names every group and the number of cases; the check cell gives the same number."""
    text = HIDDEN.sub("", cells["hidden"].source)
    number = len(lesson.hidden_calls)

    assert all(line.startswith("#") for line in text.splitlines())
    assert f" {number} hidden cases" in text
    assert re.findall(r"^# - (.+)$", text, re.MULTILINE) == [group.name for group in lesson.groups]
    assert f'hidden_cases={number}, lesson="{lesson.name}")' in cells["examples"].source
    assert f'hidden_points("{lesson.id}", solve)' in cells["hidden"].source


# --- the release ---


@pytest.mark.slow
def test_release_equals_a_fresh_generation(lesson, tmp_path):
    """release/ is what nbgrader makes from source/ today, byte for byte."""
    shutil.copytree(ROOT / "source", tmp_path / "source")
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    command = [sys.executable, "-m", "autograder", "--root", str(tmp_path), "release", lesson.id]
    subprocess.run(command, check=True, capture_output=True, cwd=tmp_path)
    fresh, kept = (
        {path.name: path.read_bytes() for path in (root / "release" / lesson.id).iterdir()} for root in (tmp_path, ROOT)
    )

    assert fresh == kept


def test_release_gives_nothing_away(lesson, cells):
    """No line of the reference, no hidden case, no grader's name and no sentence of the explanation is released."""
    released = "\n".join(cell.source for cell in nbformat.read(_path(lesson.id, "release"), as_version=4).cells)
    solution = SOLUTION.search(cells["solve"].source).group(1)
    explained = re.split(r"(?<=[.:])\s", cells["solution-step-by-step"].source)
    cases = [json.dumps(argument) for call in lesson.hidden_calls for argument in call.arguments]

    assert [line for line in map(str.strip, solution.splitlines()) if len(line) > A_LINE and line in released] == []
    assert [part for part in explained if len(part) > 2 * A_LINE and part.strip("*") in released] == []
    assert [case for case in cases if len(case) > 2 * A_LINE and case in released] == []
    assert not re.search(r"BEGIN|hidden_points|autograder", released)


def test_stub_scores_nothing_and_is_told_so_calmly(lesson, grader):
    """The released notebook as it is earns 0 points and one sentence."""
    notebook = json.loads(_path(lesson.id, "release").read_text(encoding="utf-8"))
    report = grader.grade_notebook(notebook, lesson.id)

    assert points_of(report) == 0
    assert {example.says for example in report.examples} == {report.examples[0].says}
    assert "not written yet" in report.examples[0].says
    assert report.mistake is None


def test_reference_gets_full_marks(lesson, grader, cells):
    """The reference, handed in as a student would, earns every point."""
    notebook = json.loads(_path(lesson.id, "release").read_text(encoding="utf-8"))
    solve_cell(notebook)["source"] = SOLUTION.sub(r"\1", cells["solve"].source)
    report = grader.grade_notebook(notebook, lesson.id)

    assert points_of(report) == lesson.example_points + lesson.hidden_points


# --- the reference and the hidden cases ---


def test_reference_gives_the_examples(lesson):
    """The examples are the reference's answers, rounded to five decimals."""
    for example in lesson.examples:
        answer = read_value(lesson.reference(*example.arguments.values()))
        assert answer.shape == example.returns.shape
        assert answer.flat == pytest.approx(example.returns.flat, abs=5e-6, rel=0)


def test_reference_leaves_its_inputs_alone(lesson):
    """The reference keeps the contract: it changes no input, and a second call gives the same answer."""
    for call, want in zip(lesson.hidden_calls, lesson.expected, strict=True):
        arguments = json.loads(json.dumps(call.arguments))
        answers = [read_value(lesson.reference(*arguments)) for _ in range(2)]
        assert answers == [want, want]
        assert arguments == json.loads(json.dumps(call.arguments))


def test_groups_speak_to_a_learner(lesson):
    """A group has a short name and one sentence, both without data."""
    assert len({group.name for group in lesson.groups}) == len(lesson.groups)
    for group in lesson.groups:
        assert len(group.name) <= 40
        assert re.fullmatch(r"[A-Z][^.]+\.", group.sentence)
        assert not set("[]=") & set(group.sentence)


def test_each_group_is_needed(lesson):
    """For every group there is a known mistake that it catches and that all worked examples let pass."""
    assert kill_table(lesson).idle_groups == (), f"run `autograder kills {lesson.id}`"


# --- the known mistakes ---


def test_mistakes_speak_to_a_learner(lesson):
    """At least six mistakes, each with a name of its own, short advice, and a step to reread."""
    assert len(lesson.mistakes) >= 6, "write at least six known mistakes"
    assert len({each.name for each in lesson.mistakes}) == len(lesson.mistakes)
    for each in lesson.mistakes:
        assert 1 <= each.step <= len(lesson.steps)
        assert 1 <= len(re.findall(r"[.?](?= [A-Z]|$)", each.advice)) <= 3, each.advice
        assert len(each.advice) <= 120


def test_each_mistake_loses_marks_and_is_named(lesson):
    """Each known mistake fails something and is named by its numbers, with its own step and advice."""
    assert kill_table(lesson).survivors == (), f"run `autograder kills {lesson.id}`"
    for each in lesson.mistakes:
        report = _report(lesson, lesson.mistake_outcomes[each.name])
        assert report.first_failing is not None, each.name
        assert report.mistake is not None, each.name
        assert (report.mistake.name, report.mistake.advice) == (each.name, each.advice)
        assert report.mistake.step_title == lesson.steps[each.step - 1]


def test_a_right_answer_is_never_told_of_a_mistake(lesson):
    """The expected answers themselves earn everything and name nothing."""
    report = _report(lesson, tuple(map(Answered, (*(e.returns for e in lesson.examples), *lesson.expected))))

    assert points_of(report) == lesson.example_points + lesson.hidden_points
    assert report.mistake is None


def test_mistakes_do_the_same_every_time(lesson):
    """A mistake that remembers earlier calls gives the same outcomes when all calls are made again."""
    for each in lesson.mistakes:
        again = tuple(outcome_of(each.solve, call) for call in lesson.calls)
        assert repr(again) == repr(lesson.mistake_outcomes[each.name]), each.name
