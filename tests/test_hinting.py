"""Hints: the next useful one, after an own try; and the learner's own file of tries."""

import json
import os
import shutil
from pathlib import Path

import pytest
from conftest import LESSON, ROOT, cell_of
from run_cells import run_cell

from course import session
from course.checking import check
from course.hinting import hint
from course.practice import Practice
from course.progress import FILE, Progress, read_progress

RIGHT = """
import math
def solve(Q, K, V, causal):
    rows = []
    for i, q in enumerate(Q):
        keys = K[:i + 1] if causal else K
        scores = [sum(a * b for a, b in zip(q, k)) / math.sqrt(len(q)) for k in keys]
        exps = [math.exp(score) for score in scores]
        rows.append([sum(e * v[c] for e, v in zip(exps, V)) / sum(exps) for c in range(len(V[0]))])
    return rows
"""
NO_SCALE = RIGHT.replace(" / math.sqrt(len(q))", "")
NEVER_MASKED = RIGHT.replace(" if causal else K", " if not K else K")
STUB = "def solve(Q, K, V, causal):\n    raise NotImplementedError\n"


@pytest.fixture
def press(tmp_path, monkeypatch, released):
    """Return a function that runs a learner's cell and presses *check*, in a folder as it is handed out."""
    shutil.copy(ROOT / "release" / LESSON / "attention.json", tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(session, "_last", [])
    names = {}
    exec("".join(cell_of(released, "examples")["source"]).split("check(")[0], names)  # noqa: S102

    def pressed(code):
        run_cell(code, names)
        return check(names["solve"], names["examples"], 43, "attention")

    return pressed


def titles():
    """The titles of the hints that are open now."""
    return [each.title for each in hint().hints]


@pytest.mark.usefixtures("press")
def test_before_any_check_it_says_what_to_do():
    """A hint belongs to a failing example, so the check cell comes first."""
    assert "Run the check cell first" in repr(hint())


def test_a_stub_is_no_try(press):
    """Nothing opens before the learner wrote something."""
    press(STUB)

    assert hint().hints == ()
    assert "first try of your own" in hint().says


def test_one_try_opens_one_hint(press):
    """However often it is asked, the same code opens one hint, and that stays open."""
    press(NO_SCALE)

    assert titles() == titles() == ["What step 2 gives in example 1"]
    said = repr(hint())
    assert "Step 2 (Score each of these keys against the query) gives [0.70711, 0], then [0, 0.70711]." in said
    assert "“Then” is the next time that your code does this step." in said


def test_a_changed_try_opens_a_further_one(press):
    """Comments are no change; other code is. The hints of the notebook follow, one by one."""
    press(NO_SCALE)
    first = titles()
    press(NO_SCALE + "# once more\n")
    assert titles() == first

    press(NO_SCALE.replace("rows = []", "rows = list()"))
    second = titles()
    press(NO_SCALE.replace("rows = []", "rows = [] + []"))
    third = titles()
    press(NO_SCALE.replace("rows = []", "rows = [] * 2"))

    assert second == [*first, "How to do step 2"]
    assert third == [*second, "The key step"]
    assert titles() == [*third, "The outline"]
    press(NO_SCALE.replace("rows = []", "rows = [] * 3"))
    assert "There are no more hints" in hint().says


ANOTHER_STEP = RIGHT.replace("exps = [math.exp(score)", "exps = [0.3 + math.exp(score)")


@pytest.mark.parametrize(("code", "step"), [(NO_SCALE, 2), (NEVER_MASKED, 1), (ANOTHER_STEP, 3)])
def test_the_next_hints_are_about_the_step_that_fails(press, code, step):
    """First its numbers in the failing example, with its title, then its own point of the outline, and no other."""
    report = press(code).report
    failing = next(each.number for each in report.examples if not each.passed)
    first = hint()
    press(code.replace("rows = []", "rows = list()"))
    second = hint().hints[-1]
    practice = Practice.from_json(Path("attention.json").read_text(encoding="utf-8"))

    assert first.hints[-1].title == f"What step {step} gives in example {failing}"
    assert f"Step {step} ({practice.title(step)}) gives " in first.hints[-1].text
    assert second.title == f"How to do step {step}"
    assert f"{step}. {second.text}" in practice.hints[-1].text
    assert len(second.text) < len(practice.hints[-1].text) / 2


def test_the_step_of_the_last_check_counts(press):
    """A learner who has mended one step gets the hints of the next one that fails."""
    press(NO_SCALE)
    hint()
    press(ANOTHER_STEP)

    assert titles()[-1] == "What step 3 gives in example 1"


def test_no_hint_gives_the_answer_away(press):
    """No hint holds the return line or the whole of any step's code."""
    for at in range(4):
        press(NO_SCALE.replace("rows = []", f"rows = [] * {at + 1}"))
    said = repr(hint())

    assert "output.append" not in said
    assert "math.exp" not in said


def test_when_all_pass_no_hint_is_needed(press):
    """A right function gets no hint."""
    press(RIGHT)

    assert "you need no hint" in repr(hint())


def test_the_tries_are_remembered(press):
    """The file holds each changed try with what passed, and the opened hints; nothing else of the learner."""
    press(NO_SCALE)
    press(NO_SCALE)
    hint()
    press(RIGHT)
    known = read_progress(LESSON)

    assert [each.passed for each in known.tries] == [(False, False, True, True, False), (True,) * 5]
    assert [each.title for each in known.hints] == ["What step 2 gives in example 1"]
    assert known.passed
    assert set(json.loads(FILE.read_text())[LESSON]["tries"][0]) == {"at", "code", "passed", "step"}


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")], ids=["a pipe", "a device"])
def test_what_is_no_file_is_not_read(make, tmp_path):
    """A pipe or a device in the place of the file would never end: it is left alone."""
    (tmp_path / FILE).parent.mkdir()
    make(tmp_path / FILE)

    assert read_progress(LESSON, tmp_path) == Progress()


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"09_attention": 3}', '{"09_attention": {"tries": [{}], "hints": []}}']
)
def test_a_damaged_file_costs_only_the_memory(press, text):
    """Check and hint go on, and the file is written anew."""
    FILE.parent.mkdir()
    FILE.write_text(text)
    press(NO_SCALE)

    assert titles() == ["What step 2 gives in example 1"]
    assert len(read_progress(LESSON).tries) == 1


def test_a_file_that_cannot_be_written_costs_nothing_else(press):
    """Where `.course` is in the way, the check still answers and one hint still opens."""
    FILE.parent.write_text("in the way")
    report = press(NO_SCALE).report

    assert report.mistake.name == "no scaling"
    assert hint().says
    assert Path(".course").is_file()


def test_two_mistakes_at_once_are_named(press):
    """The numbers of two known mistakes name both; the one that this example shows is to be mended first."""
    both = NO_SCALE.replace("K[:i + 1] if causal else K", "K")
    report = press(both).report

    assert report.mistake.name == "no scaling; the mask is never used"
    second = "There is a second mistake, in step 1. It shows in another example: With causal = True"
    assert second in report.mistake.advice
    assert report.mistake.step == 2


def test_weights_that_do_not_add_up_are_said(press):
    """Where no known mistake fits, the broken property is said with the input that shows it."""
    odd = RIGHT.replace("/ sum(exps) for", "/ (sum(exps) + 0.25) for")
    report = press(odd).report

    assert report.mistake is None
    assert "Row 0 adds up to" in report.clue.says or "times the right one" in report.clue.says


def test_practice_data_of_another_version_names_nothing(press, tmp_path):
    """If the file's examples are not those of the notebook, no mistake is named from it."""
    file = tmp_path / "attention.json"
    file.write_text(file.read_text().replace("6.69762", "6.7"))

    assert press(NO_SCALE).report.mistake is None


def test_hints_in_html_open_with_the_keyboard(press):
    """The HTML form uses plain details boxes, the newest open, without scripts or style elements."""
    press(NO_SCALE)
    html = hint()._repr_mimebundle_()["text/html"]

    assert html.count("<details open") == 1
    assert "<summary" in html
    assert "<script" not in html
    assert "<style" not in html


TABLE = """import numpy as np
def solve(Q, K, V, causal):
    Q, K, V = np.array(Q, float), np.array(K, float), np.array(V, float)
    s = Q @ K / np.sqrt(Q.shape[1])
    if causal:
        s = np.where(np.tril(np.ones(s.shape)) == 0, -np.inf, s)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True) @ V
"""
FIRST = {
    "a builtin's name": RIGHT.replace("    rows = []", "    sum = 0\n    rows = []"),
    "a name": RIGHT.replace("scores = [sum(", "scores = [total("),
    "shapes": TABLE,
    "a list that is kept": "kept = []" + RIGHT.replace("rows = []", "rows = kept"),
    "an endless loop": RIGHT.replace("    rows = []", "    j = 0\n    while j < 2:\n        raise KeyboardInterrupt"),
    "rows that are missing": RIGHT.replace("enumerate(Q)", "enumerate(Q[1:])").replace(":i + 1", ":i + 2"),
}


@pytest.mark.parametrize("kind", FIRST)
def test_the_cause_that_the_report_names_comes_before_all_else(press, kind):
    """Where the report has a cause and an action, the first hint repeats both; the others come after it."""
    report = press(FIRST[kind]).report

    assert report.mistake is None
    if report.action:
        first = hint().hints
        assert [each.title for each in first] == ["What to change first"]
        assert first[0].text == f"{report.clue.says} {report.action}"
    else:
        assert kind == "a name"
        assert titles()[0] != "Where to start"


def test_a_result_in_the_place_of_solve_is_no_missing_try(press):
    """The learner has written `solve` and replaced it: the hint says that, and asks for no first try."""
    press(f"{RIGHT}\nsolve = solve([[1.0]], [[1.0]], [[1.0]], False)\n")
    said = hint()

    assert said.hints == ()
    assert said.says.startswith("`solve` is a list, not a function")
    assert "first try" not in said.says


def test_after_the_cause_comes_the_way_of_the_step(press):
    """Of an endless loop: first what to change, after a changed try how to do the step."""
    loop = RIGHT.replace("for k in keys]", "for k in keys]\n        j = 0\n        while j < 2:\n            go_on()")
    stop = "def go_on():\n    raise KeyboardInterrupt\n"
    step = press(f"{stop}{loop}").report.clue.step
    first = titles()
    press(f"{stop}{loop.replace('rows = []', 'rows = list()')}")

    assert first == ["What to change first"]
    assert titles() == [*first, f"How to do step {step}"]
