"""What a loop or a list shows of itself: rounds that are lost, lists that grow, rows that are missing."""

import re
import shutil

import pytest
from conftest import ROOT
from own_codes import LISTS, TABLES
from run_cells import keep_cell, run_cell

from course import session
from course.checking import check
from course.clues import broken_shape
from course.hinting import hint
from course.practice import Practice
from course.rounds import is_list_added_to, say_lost_rounds
from course.values import read_value, to_lists
from course.xray import Place


@pytest.fixture
def press(tmp_path, monkeypatch):
    """Return a function that checks a `solve` of lesson 09, with these names in its session."""
    monkeypatch.setattr(session, "_last", [])
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "attention.json"
    shutil.copy(ROOT / "release" / "09_attention" / file.name, file)
    practice = Practice.from_json(file.read_text(encoding="utf-8"))
    examples = [{**each.arguments, "returns": to_lists(each.returns)} for each in practice.examples]

    def pressed(code, **names):
        run_cell(code, names)
        return check(names["solve"], examples, lesson="attention").report

    return pressed


def changed(code, *pairs):
    """Change a code."""
    for old, new in pairs:
        assert old in code
        code = code.replace(old, new, 1)
    return code


def moved_out(line, to="    out = []\n"):
    """Move a line that begins a list above the loop over the queries."""
    return changed(LISTS, (f"        {line}\n", ""), (to, f"{to}    {line}\n"))


# The code, the step to reread, and what is said.
LOST = {
    "the sum of a score": (
        changed(LISTS, ("            s = 0\n", ""), ("(len(q)):\n", "(len(q)):\n                s = 0\n")),
        2,
        "Line 12 starts `s` again in each round of the loop of line 11, so only its last round counts.",
    ),
    "the sum of a number": (
        changed(
            LISTS,
            ("            t = 0\n", ""),
            ("(last):\n                t", "(last):\n                t = 0\n                t"),
        ),
        4,
        "Line 21 starts `t` again in each round of the loop of line 20, so only its last round counts.",
    ),
    "no plus": (
        changed(LISTS, ("t += w[j]", "t = w[j]")),
        4,
        "Line 22 gives `t` a new value in each round of",
    ),
    "scores": (moved_out("scores = []"), 2, "The list `scores` is never emptied: it still holds what earlier rounds"),
    "copied rows": (
        changed(moved_out("row = []"), ("out.append(row)", "out.append(list(row))")),
        4,
        "The list `row` is never emptied",
    ),
    "another divisor": (changed(LISTS, ("math.sqrt(len(q))", "math.sqrt(len(scores) + 1)")), 2, ""),
    "scores of the answer": (
        changed(TABLES, ("return w @ V", "return s")),
        4,
        "Your answer holds the numbers of step 2",
    ),
}


@pytest.mark.parametrize("kind", LOST)
def test_the_loop_or_the_list_is_named(press, kind):
    """The step to reread is the one whose numbers are wrong: not the first, whose counts were right."""
    code, step, says = LOST[kind]
    report = press(code)

    assert (report.mistake or report.clue).step == step
    assert says in (report.mistake.advice if report.mistake else report.clue.says)


ROWS = {
    "the first query": (
        changed(LISTS, ("range(len(Q))", "range(1, len(Q))")),
        "The first row is missing",
        "starts at 1",
    ),
    "rows that grow": (moved_out("row = []"), "Each row holds the numbers of all rows", "Make a new list for each row"),
    "an inner loop": (changed(LISTS, ("        out.append", "            out.append")), "comes 2 times", "to the left"),
}


@pytest.mark.parametrize("kind", ROWS)
def test_rows_that_are_right_blame_no_step(press, kind):
    """Where only the loop around right rows is wrong, the report says so and what to move or to look at."""
    code, says, action = ROWS[kind]
    report = press(code)

    assert says in report.clue.says
    assert action in report.action
    assert report.clue.step == 0


def test_a_short_answer_names_both_causes(press):
    """A range that is too short is not called a return in a loop, which would leave out more rows elsewhere."""
    report = press(changed(LISTS, ("range(len(Q))", "range(len(Q) - 1)")))

    assert report.mistake is None
    assert report.clue.says == "The last row is missing, and all others are right."
    assert "its range is too short, or something ends it too early" in report.action


WANT = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
SHAPES = {
    "the first": (WANT[1:], "The first row is missing"),
    "the last": (WANT[:-1], "The last row is missing"),
    "the last two": (WANT[:-2], "The last 2 rows are missing"),
    "each twice": ([row for row in WANT for _ in range(2)], "Each row comes 2 times"),
    "all in each": ([[1, 2, 3, 4, 5, 6]] * 3, "Each row holds the numbers of all rows"),
    "the middle": ([WANT[0], WANT[2]], ""),
    "wrong ones": ([[9.0, 9.0]], ""),
    "none": ([], ""),
    "a number": (3.0, ""),
}


@pytest.mark.parametrize("kind", SHAPES)
def test_what_is_said_of_a_shape_is_so(kind):
    """Rows are called missing or repeated only where those that are there are right."""
    got, says = SHAPES[kind]
    told, action = broken_shape(read_value(got), read_value(WANT))

    assert told.startswith(says)
    assert bool(told) == bool(action) == bool(says)


def test_rows_that_are_all_the_same_say_nothing():
    """Then nobody can tell which of them is missing."""
    assert broken_shape(read_value([[1.0], [1.0]]), read_value([[1.0]] * 3)) == ("", "")


FINE = {
    "read in the loop": "for x in xs:\n        s = 0\n        s += x\n        out.append(s)\n    return out, s",
    "never read": "for x in xs:\n        s = 0\n        s += x\n    return out",
    "an outer loop": "for x in xs:\n        s = 0\n        for y in x:\n            s += y\n        out += [s]\n    s",
    "the first that fits": "s = 0\n    for x in xs:\n        s = x\n        break\n    return s",
    "the largest": "s = 0\n    for x in xs:\n        s = max(s, x)\n    return s",
    "a plain sum": "s = 0\n    for x in xs:\n        s = s + x\n    return s",
    "no Python": "for x in",
}


@pytest.mark.parametrize("kind", FINE)
def test_loops_that_lose_nothing_are_not_named(kind):
    """A name that is read in the loop, or adds to itself, is no lost round."""
    file = keep_cell(f"def solve(xs):\n    out = []\n    {FINE[kind]}\n")

    assert say_lost_rounds([Place(file, "solve", 1, 2)]) == ""


def test_a_list_that_starts_again_is_named():
    """What is appended to it is lost too."""
    code = "def solve(xs):\n    for x in xs:\n        out = []\n        out.append(x)\n    return out\n"

    assert say_lost_rounds([Place(keep_cell(code), "solve", 1, 2)]).startswith(
        "Line 3 starts `out` again in each round"
    )


@pytest.mark.parametrize(
    ("code", "step"),
    [
        (LISTS, 3),
        (changed(LISTS, ("w = [x / sum(e) for x in e]", "w = [x / total for x in e]")), 3),
        (changed(LISTS, ("t += w[j]", "t += weights[j]"), ("sum(e)", "math.fsum(e)")), 4),
        (changed(LISTS, ("x / sum(e) for", "x for"), ("t += w[j]", "t += w[j] / total")), 4),
    ],
    ids=["a hidden sum", "an unknown name", "in the mix", "divided in the mix"],
)
def test_the_step_of_an_error_is_the_one_whose_numbers_its_line_gives(press, code, step):
    """Exps are there and weights are not: a line that uses no input gives the weights."""
    assert press(code, sum=3).clue.step == step


FIT = {
    "keepdims is there": (("s.max(axis=1, keepdims=True)", "s.max(axis=0, keepdims=True)"), "axis=1"),
    "astype": (("w @ V", "(w @ V).astype(int)"), "such as int, or an array made like V"),
    "flatten": (("w @ V", "(w @ V).flatten()"), "do not extend or flatten"),
    "K for V": (("w @ V", "w @ K"), "Mix the rows of V"),
    "tril one lower": (("np.ones(s.shape))", "np.ones(s.shape), -1)"), "i is one of them"),
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("kind", FIT)
def test_an_advice_fits_every_cause_it_is_told_for(press, kind):
    """It names both where the same numbers come to be in two ways."""
    change, says = FIT[kind]

    assert re.search(re.escape(says), press(changed(TABLES, change)).mistake.advice)


MASKED = """import math


def solve(scores):
    out = []
    for i, row in enumerate(scores):
        seen = row[:i + 1 + len(row) - len(scores)]
        e = [math.exp(x - max(seen)) for x in seen]
        w = [x / sum(e) for x in e]
        out.append(w + [0.0] * (len(row) - len(w)))
    return out
"""
MASKS = {
    "another exponent": ("x - max(seen)", "x * max(seen)", 2),
    "another sum": ("x / sum(e)", "x / (1 + sum(e))", 2),
    "other keys": ("row[:i + 1 + len(row) - len(scores)]", "row[-(i + 1 + len(row) - len(scores)):]", 1),
}


@pytest.mark.parametrize("kind", MASKS)
def test_a_step_that_chose_right_is_not_blamed(tmp_path, monkeypatch, kind):
    """In lesson 08 too: the rows that were cut are the right ones, so the weights are wrong; else the choice is."""
    old, new, step = MASKS[kind]
    monkeypatch.setattr(session, "_last", [])
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "release" / "08_causal_softmax" / "causal_softmax.json", tmp_path)
    practice = Practice.from_json((tmp_path / "causal_softmax.json").read_text(encoding="utf-8"))
    code, names = changed(MASKED, (old, new)), {}
    exec(compile(code, keep_cell(code), "exec"), names)  # noqa: S102
    examples = [{**each.arguments, "returns": to_lists(each.returns)} for each in practice.examples]
    report = check(names["solve"], examples, lesson="causal_softmax").report

    assert (report.mistake or report.clue).step == step


IN_ONE_LINE = """import math


def solve(X, gain, bias, eps):
    out = []
    for row in X:
        mean = sum(row) / len(row)
        std = math.sqrt(sum((x - mean) ** 2 for x in row) / len(row) + eps)
        out.append([(x - mean) / std * gain[0] + b for x, b in zip(row, bias)])
    return out
"""


def test_steps_in_one_line_are_not_called_wrong(tmp_path, monkeypatch):
    """Where no step was seen, the report says that a line may do several; the first hint gives the numbers to print."""
    monkeypatch.setattr(session, "_last", [])
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "release" / "07_layer_norm" / "layer_norm.json", tmp_path)
    practice = Practice.from_json((tmp_path / "layer_norm.json").read_text(encoding="utf-8"))
    examples = [{**each.arguments, "returns": to_lists(each.returns)} for each in practice.examples]
    names = run_cell(IN_ONE_LINE)
    report = check(names["solve"], examples, lesson="layer_norm").report

    assert "goes another way, or a line of yours does several steps at once" in report.clue.says
    assert "`hint()` says what they should be" in report.action
    assert str(hint()).startswith("What step 1 gives in example 1")


def test_an_array_that_is_cut_anew_is_no_list_that_grows():
    """Only a name that a line adds to is told that it is never emptied."""
    code = "def solve(X):\n    X = np.array(X)\n    rows = []\n    rows = rows + [X]\n    return rows\n"
    place = Place(keep_cell(code), "solve", 1, 1)

    assert is_list_added_to("rows", [place])
    assert not is_list_added_to("X", [place])
