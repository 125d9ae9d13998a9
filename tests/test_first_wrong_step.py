"""The step that is told is the one in which the mistake stands, in numpy too; where it is not known, none is."""

import pytest
from check_helpers import change, check_in, right_already
from conftest import ROOT
from own_codes import TABLES

from autograder.loading import load_lesson

TWO, SEVEN, EIGHT = "02_softmax", "07_layer_norm", "08_causal_softmax"
NINE, TEN = "09_attention", "10_multi_head_attention"
CODES = {
    TWO: """import math


def solve(scores):
    m = max(scores)
    e = [math.exp(s - m) for s in scores]
    return [x / sum(e) for x in e]
""",
    SEVEN: """import numpy as np


def solve(X, gain, bias, eps):
    X, gain, bias = np.array(X, float), np.array(gain), np.array(bias)
    c = X - X.mean(axis=1, keepdims=True)
    var = (c ** 2).mean(axis=1, keepdims=True)
    return c / np.sqrt(var + eps) * gain + bias
""",
    EIGHT: """import numpy as np


def solve(scores):
    s = np.array(scores, dtype=float)
    n, m = s.shape
    s[np.tril(np.ones((n, m)), m - n) == 0] = -np.inf
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
""",
    NINE: """import numpy as np


def solve(Q, K, V, causal):
    Q, K, V = np.array(Q, float), np.array(K, float), np.array(V, float)
    out = []
    for i in range(len(Q)):
        s = K @ Q[i] / np.sqrt(Q.shape[1])
        if causal:
            s = s[:i + 1]
        e = np.exp(s - s.max())
        w = e / e.sum()
        out.append(w @ V[:len(w)])
    return np.array(out)
""",
    TEN: """import numpy as np
from earlier import attention


def solve(X, W_q, W_k, W_v, W_o, heads, causal):
    X, W_q, W_k, W_v, W_o = map(np.array, (X, W_q, W_k, W_v, W_o))
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    w = X.shape[1] // heads
    outs = []
    for h in range(heads):
        q = Q[:, h * w:(h + 1) * w]
        k = K[:, h * w:(h + 1) * w]
        v = V[:, h * w:(h + 1) * w]
        outs.append(np.array(attention(q.tolist(), k.tolist(), v.tolist(), causal)))
    return np.hstack(outs) @ W_o
""",
}
RESHAPED = """import numpy as np
from earlier import attention


def solve(X, W_q, W_k, W_v, W_o, heads, causal):
    X, W_q, W_k, W_v, W_o = map(np.array, (X, W_q, W_k, W_v, W_o))
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    n, w = len(X), X.shape[1] // heads
    q = Q.reshape(n, heads, w).transpose(1, 0, 2)
    k = K.reshape(n, heads, w).transpose(1, 0, 2)
    v = V.reshape(n, heads, w).transpose(1, 0, 2)
    outs = [np.array(attention(q[h].tolist(), k[h].tolist(), v[h].tolist(), causal)) for h in range(heads)]
    return np.hstack(outs) @ W_o
"""

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::RuntimeWarning")]


@pytest.fixture
def press(tmp_path, monkeypatch):
    """Return a function that checks a code, changed in some places, beside the files of its lesson."""
    return lambda lesson, *pairs, code="": check_in(
        tmp_path, monkeypatch, lesson, change(code or CODES[lesson], *pairs)
    )


@pytest.mark.parametrize(("lesson", "code"), [*CODES.items(), (NINE, TABLES), (TEN, RESHAPED)])
def test_the_codes_pass_unchanged(press, lesson, code):
    """So the change that a test makes is the only mistake."""
    assert press(lesson, code=code).first_failing is None


CUT = ".reshape(n, heads, w).transpose(1, 0, 2)"
SUM, MAX = "e.sum(axis=1, keepdims=True)", "s.max(axis=1, keepdims=True)"
STEPS = {
    "sums of the columns": (EIGHT, 2, "", (SUM, "e.sum(axis=0)")),
    "the largest of the columns": (EIGHT, 2, "", (MAX, "s.max(axis=0)")),
    "sums that nobody knows": (EIGHT, 2, "", (SUM, "(1 + e.sum(axis=0))")),
    "shifts that nobody knows": (EIGHT, 2, "", (MAX, "(s.max(axis=0) / 2)")),
    "sums of the columns in 09": (NINE, 3, TABLES, (SUM, "e.sum(axis=0)")),
    "one part is not cut": (TEN, 2, "", ("v = V[:, h * w:(h + 1) * w]", "v = V")),
    "two parts are not cut": (
        TEN,
        2,
        "",
        ("k = K[:, h * w:(h + 1) * w]", "k = K"),
        ("v = V[:, h * w:(h + 1) * w]", "v = V"),
    ),
    "one part is cut across": (
        TEN,
        2,
        RESHAPED,
        (f"Q{CUT}", "Q.reshape(heads, n, w)"),
    ),
    "all parts are cut across": (
        TEN,
        2,
        RESHAPED,
        *((f"{one}{CUT}", f"{one}.reshape(heads, -1, w)") for one in "QKV"),
    ),
    "products that are not added up": (NINE, 2, "", ("K @ Q[i]", "Q[i] * K")),
    "products of chosen keys": (NINE, 2, "", ("K @ Q[i]", "Q[i] * (K[:i + 1] if causal else K)")),
    "products of tables": (NINE, 2, TABLES, ("Q @ K.T", "Q * K")),
}


@pytest.mark.parametrize("kind", STEPS)
def test_the_step_with_the_mistake_is_told(press, kind):
    """Numbers that stand somewhere by chance, or inside what was never cut, show no step to be right."""
    lesson, step, code, *pairs = STEPS[kind]
    report = press(lesson, *pairs, code=code)

    assert (report.mistake or report.clue).step == step
    assert max(right_already(report), default=0) < step


FIVE, FOUR = "05_embed_tokens", "04_bigram_model"
OWN = {
    "a wrong row is looked up first": (FIVE, "token_table[token_id]", "token_table[0]", 1),
    "a wrong row is looked up next": (FIVE, "position_table[start + i]", "position_table[0]", 2),
    "a row of the other table": (FIVE, "position_table[start + i]", "token_table[start + i]", 2),
    "a constant is taken away, not added": (FOUR, "count + smoothing", "count - smoothing", 2),
    "a whole row is not a part of it": (EIGHT, "row[:count]", "row[:]", 1),
    "a division by a number of the row": (EIGHT, "score - largest", "score / largest", 2),
}


@pytest.mark.parametrize("kind", OWN)
def test_rows_of_the_inputs_and_constants_are_told_apart(press, kind):
    """Rows that are looked up or cut count as they come; a constant may differ only where a softmax follows."""
    lesson, old, new, step = OWN[kind]
    report = press(lesson, (old, new), code=load_lesson(lesson, ROOT).reference_source)

    assert (report.mistake or report.clue).step == step
    assert max(right_already(report), default=0) < step


def test_an_error_after_a_right_choice_is_not_told_as_the_choice(press):
    """Calls that all end in an error show nothing against the step before it, whose numbers are there."""
    code = load_lesson(EIGHT, ROOT).reference_source
    reports = [press(EIGHT, ("max(visible)", new), code=code) for new in ("min(visible)", "-max(visible)")]

    assert {report.clue.step if report.clue else 0 for report in reports} <= {0, 2}


def test_numbers_that_are_to_be_added_up_are_named(press):
    """The variable that holds them is named with its line, and the step that their sums belong to."""
    assert press(NINE, ("K @ Q[i]", "Q[i] * K")).clue.says == (
        "In line 8, `s` holds what is to be added up: its sums are the right numbers of step 2. They do not appear in "
        "your code."
    )


def test_a_mistake_of_all_parts_is_not_told_where_one_is_wrong(press):
    """An error alone is weak: parts that are right speak against a mistake that spoils all of them."""
    report = press(TEN, ("v = V[:, h * w:(h + 1) * w]", "v = V"))

    assert report.mistake is None


TWICE = {
    "lists": (TWO, ("math.exp(s - m)", "math.exp(math.exp(s - m))")),
    "without the shift": (TWO, ("math.exp(s - m)", "math.exp(math.exp(s))")),
    "a masked table": (EIGHT, ("np.exp(s - ", "np.exp(np.exp(s - "), ("keepdims=True))", "keepdims=True)))")),
    "rows": (NINE, ("np.exp(s - s.max())", "np.exp(np.exp(s - s.max()))")),
}


@pytest.mark.parametrize("kind", TWICE)
def test_exp_of_exp_is_one_mistake(press, kind):
    """It is not told as two others that come to the same numbers."""
    lesson, *pairs = TWICE[kind]

    assert press(lesson, *pairs).mistake.name == "e is raised twice"


BELOW = ["np.vstack(outs)", "np.concatenate(outs)", "np.concatenate(outs, axis=0)", "np.array(outs)", "np.stack(outs)"]


@pytest.mark.parametrize("joined", BELOW)
@pytest.mark.parametrize("named", [False, True])
def test_tables_below_each_other_are_to_stand_side_by_side(press, joined, named):
    """The shape of a product that does not fit comes from the join: nothing is to be turned."""
    new = f"joined = {joined}\n    return joined @ W_o" if named else f"return {joined} @ W_o"
    report = press(TEN, ("return np.hstack(outs) @ W_o", new))

    assert report.action == "Join them side by side in line 15: `np.hstack(outs)`."
    assert report.clue.step in {0, 4}


STARS = {
    "far from its error": ("Q * K", "For the dot product of each row with each row write `Q @ K.T` in line 6."),
    "in its own line": ("Q * K.T", "`*` multiplies number by number. For a matrix product write `Q @ K.T` in line 6."),
}


@pytest.mark.parametrize("kind", STARS)
def test_a_star_in_place_of_a_matrix_product_is_named(press, kind):
    """Also where the error comes only later, in a line that is right."""
    new, action = STARS[kind]

    assert press(NINE, ("Q @ K.T", new), code=TABLES).action == action


# The lesson, the last line, and the step; 0 where the line does several steps and the error stands between them.
LAST = {
    "a last name": (SEVEN, "return c / np.sqrt(var + eps) * gain + bais", 4),
    "a last method": (SEVEN, "return (c / np.sqrt(var + eps) * gain + bias).tolst()", 4),
    "a name between": (SEVEN, "return c / np.sqrt(var + eps) * gian + bias", 0),
    "shapes between": (SEVEN, "return c / np.sqrt(var + eps) @ gain[:1] + bias", 0),
    "a place between": (SEVEN, "return c / np.sqrt(var + eps) * gain[99] + bias", 0),
    "a first name": (SEVEN, "return c / np.sqrt(vra + eps) * gain + bias", 3),
    "a named sum": (SEVEN, "out = c / np.sqrt(var + eps) * gian + bias\n    return out", 0),
    "the table at the end": (TEN, "return np.hstack(outs) @ Wo", 5),
    "a method at the end": (TEN, "return (np.hstack(outs) @ W_o).to_list()", 5),
    "an argument at the end": (TEN, "return np.dot(np.hstack(outs), Wo)", 5),
    "the joined rows": (TEN, "return np.hstack(out) @ W_o", 4),
}


@pytest.mark.parametrize("kind", LAST)
def test_an_error_in_the_last_line_is_not_told_as_an_earlier_step(press, kind):
    """What Python had worked out in this line is not blamed; the step is told only where one is left."""
    lesson, line, step = LAST[kind]
    code = CODES[lesson]
    report = press(lesson, (code[code.rindex("return ") :].strip(), line))

    assert report.first_failing is not None
    assert (report.clue.step if report.clue else 0) == step
