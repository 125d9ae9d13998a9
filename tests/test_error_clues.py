"""Errors in a learner's code: what they mean, and what the names on the line held."""

import linecache

import pytest

from course.error_clues import error_clue, held_at
from course.outcomes import Raised

MEANS = {
    "a float as an index": (Raised("TypeError", "list indices must be integers or slices, not float", 1, 2), "`//`"),
    "an index too large": (Raised("IndexError", "list index out of range", 1, 2, "x[i]"), "places 0 to n - 1"),
    "a missing key": (Raised("KeyError", "'W_q'", 1, 2, "b['W_q']"), "no entry with the key 'W_q'"),
}


@pytest.mark.parametrize("kind", MEANS)
def test_an_error_is_said_in_plain_words(kind):
    """Each of the errors with one meaning has its own sentence, and ends with what the line held."""
    raised, says = MEANS[kind]

    assert says in error_clue(raised)
    assert error_clue(raised, "`i` is 4").endswith("On this line `i` is 4.")


def test_any_other_error_gets_no_false_name():
    """A TypeError of another kind says nothing more than Python does."""
    assert error_clue(Raised("TypeError", "unsupported operand type(s) for +: 'int' and 'str'", 1, 2, "a + b")) == ""


def test_what_the_line_held_is_said_without_running_code_of_the_learners():
    """Numbers, sizes and keys of plain values are told; an object of the learner's own is not asked."""
    source = (
        "class Odd:\n    def __repr__(self):\n        raise SystemExit\n"
        "def f(ids, i, odd, table):\n    return ids[i], odd, table\n"
    )
    linecache.cache["held"] = len(source), None, source.splitlines(keepends=True), "held"
    names = {}
    exec(compile(source, "held", "exec"), names)  # noqa: S102
    with pytest.raises(IndexError) as caught:
        names["f"]([1, 2], 2, names["Odd"](), {"w_q": 1})
    held = held_at(caught.value, lambda frame: frame.f_globals is names)

    assert held == "`ids` has length 2, `i` is 2, `table` has the keys `w_q`"
