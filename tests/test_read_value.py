"""What `solve` may return: tables of numbers however they are held; anything else is named, and never asked."""

from array import array
from collections import deque

import numpy as np
import pytest

from course.values import Numbers, Unusable, read_value

TABLE = Numbers((2, 2), (1.0, 2.0, 3.0, 4.0))
HOLDERS = {
    "arrays of the standard library as rows": [array("d", [1, 2]), array("d", [3, 4])],
    "arrays of whole numbers": [array("i", [1, 2]), array("B", [3, 4])],
    "a deque of lists": deque([[1, 2], [3, 4]]),
    "a list of deques": [deque([1, 2]), deque([3, 4])],
    "an array with a mask that hides nothing": np.ma.array([[1.0, 2.0], [3.0, 4.0]]),
    "a deque of numpy rows": deque(np.array([[1.0, 2.0], [3.0, 4.0]])),
}


@pytest.mark.parametrize("value", HOLDERS.values(), ids=HOLDERS)
def test_a_table_is_read_whatever_holds_it(value):
    """An array or a deque of the standard library is read as a list is."""
    assert read_value(value) == TABLE


def liar(kind):
    """Make a class of another kind that claims to hold the right numbers."""
    said = {"__iter__": lambda _: iter([1.0]), "__float__": lambda _: 1.0, "tolist": lambda _: [1.0]}
    return type("Liar", (kind,), said)


NAMED = {
    "a deque of letters": (deque("ab"), "a list that holds a string"),
    "an array of letters": (array("u", "ab"), "a list that holds a string"),
    "a list of its own class": (liar(list)([2.0]), "an object of type `Liar`"),
    "a number of its own class": ([liar(float)(2.0)], "a list that holds an object of type `Liar`"),
    "a deque of its own class": (liar(deque)([2.0]), "an object of type `Liar`"),
    "an array of its own class": (liar(array)("d", [2.0]), "an object of type `Liar`"),
    "an array that hides a number": (
        np.ma.array([[1.0, 2.0]], mask=[[False, True]]),
        "a masked array in which some places have no number",
    ),
}


@pytest.mark.parametrize(("value", "what"), NAMED.values(), ids=NAMED)
def test_anything_else_is_named(value, what):
    """An answer of another type is named, whatever it says of itself."""
    assert read_value(value) == Unusable("type", what)


@pytest.mark.parametrize("value", [deque(range(200_001)), array("b", bytes(200_001))], ids=["deque", "array"])
def test_more_numbers_than_any_answer_has_are_not_read(value):
    """The limit on numbers holds for each of them."""
    assert read_value(value).kind == "size"
