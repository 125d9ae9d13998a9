"""What a wrong answer shows of itself."""

import pytest

from course.clues import broken_property, name_places, step_returned
from course.judging import Example
from course.outcomes import Answered
from course.practice import StepValues
from course.values import read_value

TABLE = [[0.5, 0.25, 0.25], [0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]
LOWER = [[1.0, 0.0, 0.0], [0.4, 0.6, 0.0], [0.2, 0.3, 0.5]]
SAYS = {
    "a factor": ([[2.0, 4.0]], [[1.0, 2.0]], "Every number is 2 times the right one."),
    "the sign": ([[-1.0, -2.0]], [[1.0, 2.0]], "Every number has the wrong sign."),
    "turned": ([[1, 3], [2, 4]], [[1, 2], [3, 4]], "Rows and columns are swapped."),
    "moved": ([[3, 4], [5, 6], [1, 2]], [[1, 2], [3, 4], [5, 6]], "each stands 1 place too early."),
    "moved down": ([[5, 6], [1, 2], [3, 4]], [[1, 2], [3, 4], [5, 6]], "each stands 1 place too late."),
    "another order": ([3, 2, 1], [1, 2, 3], "The numbers are right, but they stand in another order."),
    "a sum": ([[0.5, 0.25, 0.25], [0.1, 0.2, 0.5], [0.3, 0.3, 0.4]], TABLE, "Row 1 adds up to 0.80000. It should"),
    "the future": ([[0.5, 0.5, 0.0], *LOWER[1:]], LOWER, "Row 0 uses column 1, which comes later"),
    "one row": ([0.5, 0.25], [0.75, 0.25], "Your answer adds up to 0.75000."),
}


@pytest.mark.parametrize("kind", SAYS)
def test_a_broken_property_is_said_plainly(kind):
    """Each property has its own sentence."""
    got, want, says = SAYS[kind]

    assert says in broken_property(read_value(got), read_value(want))


@pytest.mark.parametrize(("got", "want"), [([0.25, 0.75], [0.75, 0.25]), ([[1, 2], [2, 1]], [[2, 1], [1, 2]])])
def test_two_numbers_that_change_places_tell_nothing(got, want):
    """Two shares of 1 can stand in each other's place by chance, whatever made them."""
    assert not broken_property(read_value(got), read_value(want))


ORDERS = {
    "two rows": ([[3, 4], [1, 2]], [[1, 2], [3, 4]]),
    "two rows of one number": ([[4], [8]], [[8], [4]]),
    "three rows, two of them the same": ([[3, 4], [3, 4], [1, 2]], [[3, 4], [1, 2], [3, 4]]),
    "reversed": ([[5, 6], [3, 4], [1, 2]], [[1, 2], [3, 4], [5, 6]]),
    "three numbers, two of them the same": ([3, 1, 1], [1, 3, 1]),
}


@pytest.mark.parametrize("kind", ORDERS)
def test_a_shift_is_said_only_where_nothing_else_looks_so(kind):
    """Two rows change places whether they come too early, too late or backwards: the order is all that is known."""
    said = broken_property(*map(read_value, ORDERS[kind]))

    assert "too early" not in said
    assert "too late" not in said


def test_rows_are_not_blamed_where_the_columns_may_have_changed_places():
    """Where both orders give these numbers, only the order is said."""
    want = [[1, 2, 3], [3, 1, 2], [2, 3, 1]]

    assert broken_property(read_value([want[2], want[0], want[1]]), read_value(want)) == (
        "The numbers are right, but they stand in another order."
    )


CAUSAL = {"Q": [[1, 0], [0, 1]], "K": [[1, 0], [0, 1]], "V": [[10, 0], [0, 10]]}
SEES = ("Choose the keys that this query may see", "Mix the value rows by weight")


def test_the_future_is_told_in_the_words_of_the_lesson():
    """A table of scores has rows and columns; in attention a column is a key, if each value row has its own."""
    got, want = read_value([[7, 3], [5, 5]]), read_value([[10, 0], [5, 5]])
    mixed = CAUSAL | {"V": [[10, 0], [5, 5]]}

    assert name_places([[[1, 2], [3, 4]]], SEES) == ("row", "column")
    said = broken_property(got, want, name_places(list(CAUSAL.values()), SEES))
    assert said == "Query 0 uses key 1, which comes later: the number in row 0, column 1 should be 0."
    assert broken_property(got, want, name_places(list(mixed.values()), SEES)) == ""
    assert broken_property(got, want, name_places(list(CAUSAL.values()), ())) == ""


QUIET = {
    "right": (TABLE, TABLE),
    "another shape": ([1.0, 2.0], [[1.0, 2.0]]),
    "nan": ([[float("nan"), 2.0]], [[1.0, 2.0]]),
    "nothing in common": ([[1.0, 5.0]], [[3.0, 7.0]]),
    "one number": (3.0, 6.0),
    "all zeros": ([[0.0, 0.0]], [[0.0, 2.0]]),
    "empty": ([], []),
}


@pytest.mark.parametrize("kind", QUIET)
def test_nothing_is_said_where_nothing_shows(kind):
    """No property is named for a right answer, or for numbers that only are wrong."""
    got, want = QUIET[kind]

    assert broken_property(read_value(got), read_value(want)) == ""


def table_step(rows):
    """Return the values of a lesson with a table in step 1 and the answer in step 2."""
    return [StepValues(1, "table", tuple(map(read_value, rows))), StepValues(2, "answer", (read_value([0.0]),))]


def test_an_answer_is_a_step_only_where_it_is_so_in_every_size():
    """In one example the numbers may be those of a step by chance; where the sizes differ, they are not."""
    weights = table_step([[0.25, 0.75], [0.5, 0.5]])
    examples = [Example({}, read_value([[2.5, 7.5], [5.0, 5.0]])), Example({}, read_value([[4.0], [4.0]]))]
    square, narrow = Answered(read_value([[0.25, 0.75], [0.5, 0.5]])), Answered(read_value([[1.0], [1.0]]))

    assert step_returned([weights, weights], examples, [square, square]).startswith("Your answer holds the numbers of")
    assert step_returned([weights, weights], examples, [square, narrow]) == ""
