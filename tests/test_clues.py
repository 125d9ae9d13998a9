"""What a wrong answer shows of itself."""

import pytest

from course.clues import broken_property, name_places
from course.values import read_value

TABLE = [[0.5, 0.25, 0.25], [0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]
LOWER = [[1.0, 0.0, 0.0], [0.4, 0.6, 0.0], [0.2, 0.3, 0.5]]
SAYS = {
    "a factor": ([[2.0, 4.0]], [[1.0, 2.0]], "Every number is 2 times the right one."),
    "the sign": ([[-1.0, -2.0]], [[1.0, 2.0]], "Every number has the wrong sign."),
    "turned": ([[1, 3], [2, 4]], [[1, 2], [3, 4]], "Rows and columns are swapped."),
    "moved": ([[3, 4], [5, 6], [1, 2]], [[1, 2], [3, 4], [5, 6]], "each stands 1 place too early."),
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


def test_two_numbers_that_change_places_tell_nothing():
    """Two shares of 1 can stand in each other's place by chance, whatever made them."""
    assert not broken_property(read_value([0.25, 0.75]), read_value([0.75, 0.25]))


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
