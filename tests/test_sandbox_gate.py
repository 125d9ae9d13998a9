"""Two sets of calls in one child: the hidden inputs come only after all that is shown has been read."""

import pytest

from autograder.lesson import Call
from autograder.sandbox import Cell, Limits, Sandbox, pack_calls
from course.outcomes import Answered, NoFunction, Raised, Stopped, StopReason
from course.values import Numbers

SECRET = 271828.5
SHOWN = (1.0, 2.0, 3.0)
HIDDEN = (SECRET, 5.0, 6.0)
QUICK = Limits(load_cpu_seconds=0.3, call_cpu_seconds=0.05, call_wall_seconds=0.5)


@pytest.fixture(scope="module")
def sandbox():
    """One sandbox for the module."""
    with Sandbox(limits=QUICK) as one:
        yield one


@pytest.fixture(scope="module")
def run_both(sandbox):
    """Return a function that runs a source on the shown and the hidden calls."""
    with pack_calls([Call((x,)) for x in SHOWN]) as shown, pack_calls([Call((x,)) for x in HIDDEN]) as hidden:
        yield lambda source: sandbox.run_both([Cell(1, source)], shown, hidden)


def _answers(values):
    return tuple(Answered(Numbers((), (value,))) for value in values)


def test_both_sets_are_answered(run_both):
    """An honest function answers the shown and the hidden calls."""
    shown, hidden = run_both("def solve(x):\n    return x")

    assert (shown.outcomes, hidden.outcomes) == (_answers(SHOWN), _answers(HIDDEN))


def test_the_cells_run_once(run_both):
    """Cells and state are those of one process: the second set goes on where the first ended."""
    shown, hidden = run_both("n = 0\ndef solve(x):\n    global n\n    n += 1\n    return n")

    assert [o.value.flat[0] for o in (*shown.outcomes, *hidden.outcomes)] == [1, 2, 3, 4, 5, 6]


def test_prints_of_hidden_calls_are_never_shown(run_both):
    """What is printed after the gate is dropped."""
    shown, hidden = run_both("def solve(x):\n    print('got', x)\n    return x")

    assert shown.printed == "got 1.0\ngot 2.0\ngot 3.0\n"
    assert hidden.printed == ""


EARLY = {
    "opens the gate while it loads": "import os\nos.write(60, b'.')\nos.read(60, 1)\nimport time\ntime.sleep(0.1)\n",
    "opens the gate in a call": "import os\ndef open_gate():\n    os.write(60, b'.')\n    os.read(60, 1)\n",
}


@pytest.mark.parametrize("source", EARLY.values(), ids=EARLY)
def test_whoever_opens_the_gate_early_shows_nothing(run_both, source):
    """Code that takes the hidden inputs early can no longer be heard: all that is shown was read before."""
    look = (
        "def look():\n"
        "    import marshal\n"
        "    data = os.pread(61, 100000, 0)\n"
        "    print('leak', data)\n"
        "    raise ValueError(repr(data))\n"
        "def solve(x):\n"
        "    if 'open_gate' in globals() and x == 1.0:\n"
        "        open_gate()\n"
        "    look()\n"
    )
    shown, hidden = run_both(source + look)

    told = repr((shown, hidden.printed, hidden.cell_errors))
    assert "leak" not in shown.printed.partition("leak b''")[2]
    assert str(SECRET) not in told
    assert all(not isinstance(outcome, Answered) for outcome in shown.outcomes)


def test_the_later_file_is_empty_before_the_gate(run_both):
    """Before the gate there is nothing to read in the file that the hidden inputs go into."""
    shown, _ = run_both("import os\ndef solve(x):\n    return len(os.pread(61, 100, 0))")

    assert shown.outcomes == _answers((0.0, 0.0, 0.0))


def test_a_hang_in_a_shown_call_costs_that_call(run_both):
    """The other shown calls and all hidden ones are still answered."""
    shown, hidden = run_both("def solve(x):\n    while x == 2: pass\n    return x")

    assert shown.outcomes == (*_answers([1.0]), Stopped(StopReason.TIME), *_answers([3.0]))
    assert hidden.outcomes == _answers(HIDDEN)


def test_a_hang_in_a_hidden_call_costs_that_call(run_both):
    """The shown calls and the other hidden ones are answered."""
    shown, hidden = run_both("def solve(x):\n    while x == 5: pass\n    return x")

    assert shown.outcomes == _answers(SHOWN)
    assert hidden.outcomes == (*_answers([SECRET]), Stopped(StopReason.TIME), *_answers([6.0]))


def test_an_exit_in_a_hidden_call_costs_that_call(run_both):
    """A crash after the gate is settled like any other."""
    shown, hidden = run_both("import os\ndef solve(x):\n    if x == 5: os._exit(0)\n    return x")

    assert shown.outcomes == _answers(SHOWN)
    assert hidden.outcomes[1] == Stopped(StopReason.EXIT)
    assert hidden.outcomes[2] == _answers([6.0])[0]


def test_no_function_is_no_function_for_both(run_both):
    """Without a function there is no gate, and both sets say so."""
    shown, hidden = run_both("solver = 1")

    assert set(shown.outcomes) == set(hidden.outcomes) == {NoFunction("missing")}


def test_cells_that_never_end_fail_both(run_both):
    """A loop while loading is tried once, not once for each set, and without its cell there is no function."""
    shown, hidden = run_both("def solve(x): return x\nwhile True: pass")

    assert set(shown.outcomes) == set(hidden.outcomes) == {NoFunction("missing")}
    assert [(error.error, error.cell) for error in shown.cell_errors] == [("TimeoutError", 1)]
    assert hidden.cpu_seconds == 0


def test_a_place_moved_in_the_later_file_hurts_no_one_else(run_both):
    """Code that moves the place where the hidden inputs would be written cannot make that fail on our side."""
    shown, hidden = run_both("import os\nos.lseek(61, (1 << 63) - 1, 0)\ndef solve(x):\n    return x")

    assert (shown.outcomes, hidden.outcomes) == (_answers(SHOWN), _answers(HIDDEN))


def test_errors_are_told_with_their_line(run_both):
    """An error in a shown call has its line; after the gate nothing else changes."""
    shown, hidden = run_both("def solve(x):\n    return 1 / (x - 1)")

    assert shown.outcomes[0] == Raised("ZeroDivisionError", "float division by zero", 1, 2, "return 1 / (x - 1)")
    assert all(isinstance(outcome, Answered) for outcome in hidden.outcomes)
