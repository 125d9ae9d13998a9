"""*check* calls a function twice, and says where the second answer is another one."""

import random
import time

import pytest

from course.checking import check

EXAMPLES = [{"x": [1.0, 2.0], "returns": [2.0, 4.0]}, {"x": [3.0], "returns": [6.0]}]


def _twice(x):
    return [2 * each for each in x]


def _grows(x, seen=[]):  # noqa: B006  # the mistake itself
    seen.append(x)
    return [2 * each + (len(seen) > len(EXAMPLES)) for each in x]


_KEPT = {}


def _remembers(x):
    _KEPT[len(x)] = _KEPT.get(len(x), 0) + 1
    return [2 * each * (_KEPT[len(x)] == 1) for each in x]


def _remembers_well(x, known={}):  # noqa: B006  # right all the same
    return known.setdefault(tuple(x), [2 * each for each in x])


def _throws_dice(x):
    return [2 * each + random.random() for each in x]  # noqa: S311  # nothing is kept secret


def notes(solve):
    """Return what *check* notes."""
    return check(solve, EXAMPLES).report.notes


@pytest.mark.parametrize("solve", [_grows, _remembers, _throws_dice])
def test_another_second_answer_is_told(solve):
    """A list as default value, a name outside, random numbers: the note says what differs and where to look."""
    _KEPT.clear()
    (said,) = notes(solve)

    assert said.startswith("Called a second time, your function gives another answer for example 1.")
    assert "a list as default value" in said


@pytest.mark.parametrize(
    "solve", [_twice, _remembers_well, lambda _: [float("nan")], lambda _: None, lambda _: 1 / 0, 3]
)
def test_the_same_second_answer_is_not_told(solve):
    """Where both answers are the same, or there is none, nothing is noted; nan is the same as nan."""
    assert notes(solve) == ()


def test_the_second_call_is_silent(capsys):
    """What the function prints is on the screen once."""
    check(lambda x: print("here") or [2 * each for each in x], EXAMPLES)

    assert capsys.readouterr().out.count("here") == len(EXAMPLES)


def test_a_slow_function_is_called_once():
    """Nobody waits twice for a slow function."""
    calls = []

    def slow(x):
        calls.append(x)
        time.sleep(0.11)
        return [2 * each for each in x]

    check(slow, EXAMPLES)

    assert len(calls) == len(EXAMPLES)
