"""What check and hint say of a mistake leads to it: no wrong step is called right, and no right line is blamed."""

import json
import shutil
from pathlib import Path

import pytest
from check_helpers import right_already
from conftest import ROOT, cell_of
from run_cells import run_cell

from course import session
from course.carry_on import own_function
from course.checking import check
from course.errors.clues import explain
from course.hinting import hint
from course.judging import write_call
from course.progress import note_try

pytestmark = pytest.mark.slow  # whole checks, one after the other

TEN, NINE, SEVEN = "10_multi_head_attention", "09_attention", "07_layer_norm"
HEADS = """
def multiply(rows, table):
    out = []
    for row in rows:
        new = []
        for c in range(len(table[0])):
            dot = 0
            for n in range(len(row)):
                dot += row[n] * table[n][c]
            new.append(dot)
        out.append(new)
    return out

def solve(X, W_q, W_k, W_v, W_o, heads, causal):
    Q = multiply(X, W_q)
    K = multiply(X, W_k)
    V = multiply(X, W_v)
    width = len(X[0]) // heads
    results = []
    for h in range(heads):
        a = h * width
        b = a + width
        q = [row[a:b] for row in Q]
        k = [row[a:b] for row in K]
        v = [row[a:b] for row in V]
        results.append(attention(q, k, v, causal))
    joined = []
    for i in range(len(X)):
        row = []
        for h in range(heads):
            row.extend(results[h][i])
        joined.append(row)
    return multiply(joined, W_o)
"""
ATTENTION = """
import math
def solve(Q, K, V, causal):
    output = []
    for i in range(len(Q)):
        count = i + 1 if causal else len(K)
        scores = []
        for j in range(count):
            scores.append(sum(a * b for a, b in zip(Q[i], K[j])) / math.sqrt(len(Q[i])))
        exps = [math.exp(s - max(scores)) for s in scores]
        weights = [e / sum(exps) for e in exps]
        row = []
        for c in range(len(V[0])):
            total = 0
            for j in range(count):
                total += weights[j] * V[j][c]
            row.append(total)
        output.append(row)
    return output
"""
NORM = """
import math
def solve(X, gain, bias, eps):
    output = []
    for row in X:
        mean = sum(row) / len(row)
        total = 0
        for x in row:
            total += (x - mean) ** 2
        root = math.sqrt(total / len(row) + eps)
        output.append([(x - mean) / root * g + b for x, g, b in zip(row, gain, bias)])
    return output
"""
STYLES = {TEN: HEADS, NINE: ATTENTION, SEVEN: NORM}


@pytest.fixture
def press(tmp_path, monkeypatch, grader):
    """Return a function that checks a changed solution in the folder of its lesson, as a notebook does."""
    monkeypatch.setattr(session, "_last", [])

    def pressed(lesson, *changes):
        code = STYLES[lesson]
        for old, new in changes:
            assert old in code
            code = code.replace(old, new)
        name = lesson[3:]
        shutil.rmtree(tmp_path / lesson, ignore_errors=True)
        (tmp_path / lesson).mkdir()
        for kind in ("ipynb", "json"):
            shutil.copy(ROOT / "release" / lesson / f"{name}.{kind}", tmp_path / lesson)
        monkeypatch.chdir(tmp_path / lesson)
        names = {"attention": grader.lesson(NINE).reference}
        text = "".join(cell_of(json.loads(Path(f"{name}.ipynb").read_text("utf-8")), "examples")["source"])
        exec(text.split("check(")[0], names)  # noqa: S102
        run_cell(code, names)
        return check(names["solve"], names["examples"], lesson=name)

    return pressed


ROWS = [(f"[row[a:b] for row in {name}]", f"{name}[a:b]") for name in "QKV"]
WRONG_STEP = {
    "Q turned": (1, [("multiply(X, W_q)", "multiply(X, list(zip(*W_q)))")]),
    "K turned": (1, [("multiply(X, W_k)", "multiply(X, list(zip(*W_k)))")]),
    "V turned": (1, [("multiply(X, W_v)", "multiply(X, list(zip(*W_v)))")]),
    "one sum for a whole row": (
        1,
        [("            dot = 0\n", ""), ("        new = []\n", "        new, dot = [], 0\n")],
    ),
    "a column too far": (2, [("q = [row[a:b]", "q = [row[a + 1:b + 1] + [0] * (b == len(row))")]),
    "only k": (2, [("k = [row[a:b] for row in K]", "k = [row[:width] for row in K]")]),
    "rows are cut": (2, ROWS),
    "rows are cut, and fewer are joined": (2, [*ROWS, ("range(len(X))", "range(len(results[0]))")]),
    "no whole number": (2, [("// heads", "/ heads")]),
    "the mask is never used": (3, [("v, causal))", "v, False))")]),
    "lists inside the rows": (4, [("extend", "append")]),
    "the last head stands first": (
        4,
        [("range(heads):\n            row", "range(heads)[::-1]:\n            row")],
    ),
}


@pytest.mark.parametrize("kind", WRONG_STEP)
def test_only_steps_before_the_wrong_one_are_called_right(press, kind):
    """A step of several tables is right only if all are; what stands in an earlier table too is no evidence."""
    step, changes = WRONG_STEP[kind]
    report = press(TEN, *changes).report
    known = report.mistake or report.clue

    assert known.step == step
    assert all(number < step for number in right_already(report))


KNOWN_BY_ERROR = {
    "rows are cut": ("rows are cut in place of columns", ROWS),
    "and fewer rows are joined": (
        "rows are cut in place of columns",
        [*ROWS, ("range(len(X))", "range(len(results[0]))")],
    ),
}


@pytest.mark.parametrize("kind", KNOWN_BY_ERROR)
def test_a_mistake_that_ends_in_an_error_is_named_where_the_code_stops_in_its_step(press, kind):
    """The same errors in the same cases and the step name it, and the helper that is right is not blamed."""
    name, changes = KNOWN_BY_ERROR[kind]
    said = repr(press(TEN, *changes))

    assert session.last_check().report.mistake.name == name
    assert "multiply" not in said


@pytest.mark.parametrize(
    "changes",
    [
        [("results.append(attention(q, k, v, causal))", "results = [attention(q, k, v, causal)]")],
        [("W_o)\n", "W_o[:1])\n")],
        [("row.extend(results[h][i])", "row.extend(results[h + 1][i])")],
    ],
    ids=["only the last head", "too small a table", "a head too far"],
)
def test_another_mistake_with_such_an_error_gets_no_name(press, changes):
    """An IndexError alone names no mistake."""
    assert press(TEN, *changes).report.mistake is None


SWAPPED = [("V[j][c]", "V[c][j]")]
TOO_FAR = [("range(len(V[0]))", "range(2)")]


def test_indices_that_changed_places_are_told_apart_from_one_that_runs_too_far(press):
    """Swapping is advised only where it fits all places that both loops go through."""
    swapped, too_far = press(NINE, *SWAPPED).report, press(NINE, *TOO_FAR).report

    assert swapped.action.startswith("Write `V[j][c]` in line 16: the row comes first")
    assert too_far.action.startswith("Change `c` so that it is never larger than 0.")
    assert swapped.clue.step == too_far.clue.step == 4


@pytest.mark.parametrize(
    ("lesson", "changes", "step"),
    [
        (NINE, SWAPPED, 4),
        (NINE, [("Q[i], K[j]", "Q[i], K[j][0]")], 2),
        (SEVEN, [(") ** 2", ") ^ 2")], 2),
        (TEN, ROWS, 2),
    ],
)
def test_after_an_error_the_hint_is_about_the_step_where_the_code_stopped(press, lesson, changes, step):
    """What the report says of the error comes first, then its step; who got so far needs no word on how to start."""
    report = press(lesson, *changes).report
    first = hint().hints[-1]

    if report.action:
        assert first.title == "What to change first"
        assert first.text == f"{report.clue.says} {report.action}"
    else:
        assert first.title in {"The key step", *(f"What step {step} gives in example {number}" for number in (1, 3))}


def test_the_numbers_of_a_step_have_their_names(press):
    """Where a step makes several tables, the hint tells which is which, and all rows of each."""
    press(TEN, ("multiply(X, W_k)", "multiply(X, list(zip(*W_k)))"))
    said = hint().hints[-1].text

    assert "Q = [[3, 0, 1, 0]," in said
    assert "K = [[-1, 1, 2, -3]," in said
    assert "V = [[-1, 6, 4, -1]," in said


def test_a_return_inside_the_loop_is_to_be_moved(press):
    """Neither check nor hint sends the learner to a step that is right."""
    report = press(SEVEN, ("\n    return", "\n        return")).report

    assert (
        report.action == "Move the `return` of line 12 to the left: it must stand straight below the `for` of line 5."
    )
    assert "Reread" not in repr(hint())
    assert [each.title for each in hint().hints] == ["What to change first"]


def test_what_each_example_prints_has_a_title(press, capsys):
    """A learner who prints sees which numbers belong to the failing example; where nothing is printed, no title is."""
    press(SEVEN, (" + eps", " - eps"), ("    output = []", "    output = []\n    print(len(X))"))

    assert capsys.readouterr().out == "example 1:\n1\nexample 2:\n3\nexample 3:\n2\n"
    press(SEVEN, (" + eps", ""))
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (1e-05, "0.00001"),
        ([[-2.5e-07]], "[[-0.00000025]]"),
        ({"a": 1e-06}, "{'a': 0.000001}"),
        (1e-300, "1e-300"),
        ("1e-05", "'1e-05'"),
    ],
)
def test_small_numbers_are_written_with_their_zeros(value, written):
    """The call can be read and typed; numbers out of reach stay as Python writes them."""
    assert write_call({"eps": value}) == f"solve(eps = {written})"


def test_rounding_is_shown_as_nothing_and_a_real_difference_is_not(tmp_path, monkeypatch):
    """What is accepted beside 0 is 0; what is not keeps its digits."""
    monkeypatch.chdir(tmp_path)
    table = check(lambda _: [-2.469e-07, 3.0], [{"x": 1, "returns": [0, 2]}]).report.examples[0].table
    real = check(lambda _: [-2.5e-05], [{"x": 1, "returns": [0]}]).report.examples[0].table

    assert table.got == (("0", "3"),)
    assert float(real.got[0][0]) == pytest.approx(-2.5e-05, rel=0.3)


def fail(code, *arguments, **names):
    """Run a cell whose `solve` stops with an error, and say what it means."""
    run_cell(code, names, "cell")
    with pytest.raises(Exception) as caught:  # noqa: PT011  # any of them
        names["solve"](*arguments)
    return explain(caught.value, names["solve"])


HELPER = "def total(rows):\n    return sum(rows[0]) + rows[1][0]\ndef solve(x):\n    {}    return total({})\n"


@pytest.mark.parametrize(
    ("before", "given", "action"),
    [
        ("a = total(x)\n", "x[:1]", "`total` worked in line 4. So look at what line 5 gives it: `x[:1]`"),
        ("a = total(x)\n", "[x, x]", "`total` worked in line 4. So look at what line 5 gives it: `[x, x]`"),
        ("\n", "[x, x]", "Look at what line 5 gives it: `[x, x]`, a list with lists inside its rows."),
    ],
)
def test_a_helper_that_worked_is_not_blamed_for_what_it_is_given(before, given, action):
    """The advice points to the line that calls it; a helper that never worked may be wrong itself."""
    assert fail(HELPER.format(before, given), [[1, 2], [3, 4]]).action.startswith(action)
    assert "Look at" not in fail(HELPER.format("\n", "x[:1]"), [[1, 2], [3, 4]]).action


LESSONS = {"forgotten at the end": "6", "a list of them": "*[1, 2], 3", "too many": "1, 2, 3, 4, 5"}


@pytest.mark.parametrize("inputs", LESSONS.values(), ids=LESSONS)
def test_an_own_earlier_function_speaks_of_its_name_here(inputs, tmp_path, monkeypatch):
    """A wrong number of inputs is told with the name and the inputs, and never speaks of the earlier `solve`."""
    folder = tmp_path / NINE
    shutil.copytree(ROOT / "release" / NINE, folder)
    save(folder, ATTENTION)
    with monkeypatch.context() as there:
        there.chdir(folder)
        note_try(NINE, "code", (True,) * 5)
    own = own_function(folder, NINE, "attend").function
    told = fail(f"def solve(x):\n    return attend({inputs})\n", 1, attend=own)

    assert told.says.startswith("`attend(Q, K, V, causal)` takes 4 inputs. Line 2 gives it ")
    assert told.action == "Give `attend` these inputs in line 2, in this order: Q, K, V, causal."
    with pytest.raises(TypeError, match=r"attend\(\) takes 4 inputs and was given 1"):
        own(1)


def save(folder, code):
    """Write a solution into the notebook of a folder."""
    file = folder / f"{folder.name[3:]}.ipynb"
    notebook = json.loads(file.read_text(encoding="utf-8"))
    cell_of(notebook, "solve")["source"] = code
    file.write_text(json.dumps(notebook), encoding="utf-8")


def test_a_passed_lesson_that_is_not_saved_is_to_be_saved(tmp_path, monkeypatch):
    """Who passed a lesson and did not save it is told so, and that saving is what helps."""
    folder = tmp_path / NINE
    shutil.copytree(ROOT / "release" / NINE, folder)
    with monkeypatch.context() as there:
        there.chdir(folder)
        note_try(NINE, "code", (True,) * 5)
    own = own_function(folder, NINE)

    assert own.function is None
    assert own.why_not.startswith("You passed lesson 09, but what its notebook has saved does not pass.")
    save(folder, ATTENTION)
    assert own_function(folder, NINE).function is not None
