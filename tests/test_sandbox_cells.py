"""A cell that hangs, crashes or fails costs what it alone would have done, and is named."""

import time

import pytest

from autograder.lesson import Call
from autograder.sandbox import Cell, Limits, Sandbox, pack_calls
from course.outcomes import Answered, NoFunction, Stopped, StopReason
from course.values import Numbers

HONEST = "def solve(x):\n    return x\n"
SHOWN, HIDDEN = (1.0, 2.0), (3.0, 4.0)
QUICK = Limits(load_cpu_seconds=0.3, load_wall_seconds=1.0, call_cpu_seconds=0.1, memory_bytes=64 << 20)


@pytest.fixture(scope="module")
def sandbox():
    """One sandbox for all, with short limits for a cell."""
    with Sandbox(limits=QUICK) as one:
        yield one


@pytest.fixture(scope="module")
def run_both(sandbox):
    """Return a function that runs cells, numbered from 1, on the shown and the hidden calls."""
    with pack_calls([Call((x,)) for x in SHOWN]) as shown, pack_calls([Call((x,)) for x in HIDDEN]) as hidden:
        yield lambda *cells: sandbox.run_both([Cell(n, s) for n, s in enumerate(cells, start=1)], shown, hidden)


@pytest.fixture(scope="module")
def run(sandbox):
    """Return a function that runs cells, numbered from 1, on the shown calls."""
    with pack_calls([Call((x,)) for x in SHOWN]) as shown:
        yield lambda *cells: sandbox.run([Cell(n, s) for n, s in enumerate(cells, start=1)], shown)


def _answers(values):
    return tuple(Answered(Numbers((), (value,))) for value in values)


def _errors(run):
    return [(error.error, error.cell, error.line) for error in run.cell_errors]


LEFT_OUT = {
    "an endless loop": ("while True: pass", "TimeoutError"),
    "a long measurement": ("import timeit\ntimeit.timeit('sum(range(10000))', number=200000)", "TimeoutError"),
    "sleeps": ("import time\nfor _ in range(12): time.sleep(0.1)", "TimeoutError"),
    "os._exit": ("import os\nos._exit(0)", "SystemExit"),
    "an exit code of ours": ("import os\nos._exit(77)", "Crash"),
    "a segfault": ("import ctypes\nctypes.string_at(0)", "Crash"),
    "closed files": ("import os\nos.closerange(0, 256)", "Crash"),
    "forged marks": ("import os\nos.write(64, bytes(4))\nos.write(64, b'\\1\\0\\0\\0')\nos._exit(1)", "SystemExit"),
}


@pytest.mark.parametrize(("scratch", "error"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_a_scratch_cell_that_never_ends_is_left_out(run, run_both, scratch, error):
    """The cells before and after it run, all calls are answered, and the cell is named."""
    cells = (HONEST, scratch, "print('after')")
    shown, hidden = run_both(*cells)

    assert (shown.outcomes, hidden.outcomes) == (_answers(SHOWN), _answers(HIDDEN))
    assert _errors(shown) == [(error, 2, 0)]
    assert shown.printed == "after\n"
    alone = run(*cells)
    assert (alone.outcomes, _errors(alone)) == (_answers(SHOWN), [(error, 2, 0)])


def test_endless_memory_is_told_as_memory(run_both):
    """A list that grows without end ends its cell with an error of its own, or the cell is left out."""
    shown, _ = run_both(HONEST, "a = []\nwhile True: a.append(' ' * 9999)")

    assert shown.outcomes == _answers(SHOWN)
    assert [error.error for error in shown.cell_errors] == ["MemoryError"]


def test_the_cell_is_left_out_after_a_call_that_hangs_too(run_both):
    """Each further child leaves out the same cells, and a hang in a call costs that call."""
    shown, hidden = run_both("while True: pass", "def solve(x):\n    while x in (2, 3): pass\n    return x")

    assert shown.outcomes == (*_answers([1.0]), Stopped(StopReason.TIME))
    assert hidden.outcomes == (Stopped(StopReason.TIME), *_answers([4.0]))
    assert _errors(shown) == [("TimeoutError", 1, 0)]


def test_three_cells_are_left_out_and_no_more(run_both):
    """Each try costs time, so that there is an end to it."""
    bad = ("while True: pass", "import os\nos._exit(1)", "import ctypes\nctypes.string_at(0)")
    shown, hidden = run_both(*bad, HONEST)
    assert (shown.outcomes, hidden.outcomes) == (_answers(SHOWN), _answers(HIDDEN))
    assert [error.cell for error in shown.cell_errors] == [1, 2, 3]

    shown, hidden = run_both(*bad, "import os\nos._exit(2)", HONEST)
    assert set(shown.outcomes) == set(hidden.outcomes) == {Stopped(StopReason.EXIT)}
    assert [error.cell for error in shown.cell_errors] == [1, 2, 3, 4]


def test_each_cell_has_its_own_time(run_both):
    """Many cells that each take a while are no fault."""
    spin = "import time\nend = time.process_time() + 0.1\nwhile time.process_time() < end: pass"
    shown, hidden = run_both(HONEST, *[spin] * 4)

    assert shown.cell_errors == ()
    assert (shown.outcomes, hidden.outcomes) == (_answers(SHOWN), _answers(HIDDEN))


def test_the_total_ends_cells_that_forge_their_own_progress():
    """Marks that a cell writes itself give it more time for a cell, and never more than the total."""
    limits = Limits(load_wall_seconds=0.3, total_wall_seconds=0.6)
    forge = "import os, time\nwhile True:\n    os.write(64, bytes(4))\n    time.sleep(0.01)"
    started = time.monotonic()
    with pack_calls([Call((1.0,))]) as packed, Sandbox(limits=limits) as sandbox:
        result = sandbox.run([Cell(1, forge), Cell(2, HONEST)], packed)
    assert result.outcomes == (Stopped(StopReason.TIME),)
    assert time.monotonic() - started < 5


@pytest.mark.slow
def test_sleepers_do_not_hold_up_a_class():
    """However slow the shown calls, the hidden ones get a short second look and no total of their own."""
    limits = Limits(call_wall_seconds=0.6, total_wall_seconds=1.0)
    with pack_calls([Call((x,)) for x in range(20)]) as packed, Sandbox(limits=limits) as sandbox:
        started = time.monotonic()
        shown, hidden = sandbox.run_both(
            [Cell(1, "import time\ndef solve(x):\n    time.sleep(0.5)\n    return x")], packed, packed
        )
    assert time.monotonic() - started < 4.5
    assert shown.outcomes[0] == _answers([0.0])[0]
    assert hidden.outcomes[-1] == Stopped(StopReason.NOT_RUN)


REST = {
    "a missing module": f"import torch\n{HONEST}",
    "a name that is not there": f"plt.plot([1])\n{HONEST}",
    "several failures": f"import torch\ntorch.ones(1)\n1 / 0\n{HONEST}assert solve(1) == 2\nlast = 1",
    "a thread": f"import threading\nthreading.Thread(target=print).start()\n{HONEST}",
    "a decorator that fails above another": f"@nothing\ndef first():\n    pass\n{HONEST}",
    "a statement over several lines": f"print(\n    1,\n    1 / 0,\n)\n{HONEST}",
    "after a magic": f"%matplotlib inline\n1 / 0\n!ls\n{HONEST}",
    "an awaited failure": f"async def f():\n    1 / 0\nawait f()\n{HONEST}",
    "an error with a false traceback": (
        f"class E(Exception):\n    __traceback__ = property(lambda self: 1 / 0)\nraise E\n{HONEST}"
    ),
}


@pytest.mark.parametrize("source", REST.values(), ids=REST)
def test_a_failing_statement_costs_itself_only(run, source):
    """The rest of its cell runs, and the first failure is the one that is told."""
    result = run(source)

    assert result.outcomes == _answers(SHOWN)
    assert [error.cell for error in result.cell_errors] == [1]


STOPS = {
    "exit": f"exit()\n{HONEST}",
    "exit after a failure": f"1 / 0\nexit()\n{HONEST}",
    "an interrupt": f"raise KeyboardInterrupt\n{HONEST}",
    "a syntax error": f"{HONEST}x = = 1\n",
    "one line": "1 / 0; solve = abs",
}


@pytest.mark.parametrize("source", STOPS.values(), ids=STOPS)
def test_what_ends_a_cell_ends_it(run, source):
    """An exit is meant, a cell that cannot be read is not run, and of one line nothing more is known."""
    result = run(source)

    assert result.outcomes == (NoFunction("missing"),) * len(SHOWN)
    assert len(result.cell_errors) == 1


AWAIT = {
    "await": "async def f():\n    return 1\nassert await f() == 1\n",
    "a sleep": "import asyncio\nawait asyncio.sleep(0.01)\n",
    "tasks": "import asyncio\nassert await asyncio.gather(asyncio.sleep(0.01, 1), asyncio.sleep(0, 2)) == [1, 2]\n",
    "asyncio.run": "import asyncio\nasync def f():\n  return await asyncio.sleep(0, 3)\nassert asyncio.run(f()) == 3\n",
    "async with": (
        "class A:\n    async def __aenter__(self): return 1\n    async def __aexit__(self, *e): pass\n"
        "async with A() as a:\n    assert a == 1\n"
    ),
}


@pytest.mark.parametrize("source", AWAIT.values(), ids=AWAIT)
def test_cells_may_await(run, source):
    """What Jupyter allows at the top of a cell works here."""
    result = run(source + HONEST)

    assert result.cell_errors == ()
    assert result.outcomes == _answers(SHOWN)


def test_waiting_for_nothing_is_ended(run):
    """A future that nobody sets takes the time of its cell."""
    result = run(HONEST, "import asyncio\nawait asyncio.get_running_loop().create_future()")

    assert (result.outcomes, _errors(result)) == (_answers(SHOWN), [("TimeoutError", 2, 0)])


def test_a_skipped_cell_is_told_where_the_function_is_missing(run, run_both):
    """A cell that is not Python is named when `solve` may be in it, and only then."""
    shown, hidden = run_both(f"%%writefile solve.py\n{HONEST}")
    assert set(shown.outcomes) == set(hidden.outcomes) == {NoFunction("missing")}
    assert _errors(shown) == [("SkippedCell", 1, 0)]
    assert "%%writefile" in shown.cell_errors[0].message
    assert run("%%bash\nls", HONEST).cell_errors == ()


STOOD_IN = {
    "a version": "import matplotlib, IPython, ipywidgets\nassert matplotlib.__version__.split('.') > ['3']\n",
    "a base class": (
        "import matplotlib\nclass F(matplotlib.ticker.Formatter, matplotlib.artist.Artist):\n"
        "    def __init__(self):\n        super().__init__('x')\n        self.n = 3\n"
        "assert F().n == 3 and F().axes.set_title(1) is not None\n"
    ),
    "limits of an axis": "import matplotlib.pyplot as plt\nx0, x1 = plt.gca().get_xlim()\ny0, y1 = plt.ylim()\n",
    "a colour": (
        "import matplotlib.pyplot as plt, matplotlib.cm as m\nr, g, b, a = plt.get_cmap('viridis')(0.5)\n"
        "r, g, b, a = m.jet(1)\nr, g, b, a = plt.cm.hot.reversed()(0)\n"
        "assert plt.colormaps['a']([1, 2]).shape == (2, 4)\n"
    ),
    "a grid that keeps its axes": (
        "from matplotlib.pyplot import *\nimport matplotlib.pyplot as plt\nf, a = plt.subplots(3, 1, squeeze=False)\n"
        "assert a.shape == (3, 1)\nf, a = plt.subplots(2, 2, True)\na[1, 1].plot()\n"
    ),
    "a decorated function": "import ipywidgets as w\n@w.interact(n=3)\ndef f(n):\n    return 7\nassert f(1) == 7\n",
    "a formatted number": "from IPython import display as d\nf'{d.x:.2f}', float(d.y), d.z < 3, len(d)\n",
    "a home": "import os, pathlib\nassert os.path.expanduser('~') == str(pathlib.Path.home()) == '/'\n",
}


@pytest.mark.parametrize("source", STOOD_IN.values(), ids=STOOD_IN)
def test_stand_ins_answer_as_the_real_ones_would(run, source):
    """What is unpacked, compared, subclassed or formatted has the form it needs."""
    result = run(source + HONEST)

    assert result.cell_errors == ()
    assert result.outcomes == _answers(SHOWN)
