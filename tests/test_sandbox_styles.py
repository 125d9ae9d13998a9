"""What honest students write runs, whatever its style, and says clearly what is wrong where it is."""

import pytest

from autograder.lesson import Call
from autograder.sandbox import Cell, Sandbox, SandboxError, pack_calls
from course.outcomes import Answered, NoFunction, Raised, Stopped, StopReason
from course.values import Numbers, Unusable

ADDS = "def solve(x, y):\n    return x + y\n"
ADDED = Answered(Numbers((), (5.0,)))


@pytest.fixture(scope="module")
def sandbox():
    """One sandbox for all."""
    with Sandbox() as sandbox:
        yield sandbox


@pytest.fixture
def run(sandbox):
    """Return a function that runs cells (numbered from 1) on one call of `solve(2, 3)`, or on other arguments."""

    def run(*sources, arguments=(2, 3), twice=False):
        cells = [Cell(number, source) for number, source in enumerate(sources, start=1)]
        with pack_calls([Call(arguments, twice)]) as packed:
            return sandbox.run(cells, packed)

    return run


HONEST = {
    "a function": (ADDS,),
    "a lambda": ("solve = lambda x, y: x + y",),
    "a partial": ("from functools import partial\nsolve = partial(lambda a, x, y: x + y, None)",),
    "a bound method": ("class A:\n    def go(self, x, y):\n        return x + y\nsolve = A().go",),
    "an object with __call__": ("class A:\n    def __call__(self, x, y):\n        return x + y\nsolve = A()",),
    "a decorated function": (f"from functools import lru_cache\n@lru_cache\n{ADDS}",),
    "numpy": ("import numpy as np\ndef solve(x, y):\n    return np.float64(x) + np.array(y)",),
    "numpy imported inside": ("def solve(x, y):\n    import numpy as np\n    return np.add(x, y)",),
    "numpy's other parts": (f"import numpy as np\nnp.random.default_rng(0).normal(size=3)\nnp.ma, np.fft\n{ADDS}",),
    "the standard library": (f"import decimal, fractions, heapq, statistics, timeit, unittest, hashlib\n{ADDS}",),
    "several cells": ("def helper(x, y):\n    return x + y", "def solve(x, y):\n    return helper(x, y)"),
    "defined again later": ("def solve(x, y):\n    return 0", ADDS),
    "a dataclass": (f"from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\nP(1)\n{ADDS}",),
    "a future import for later cells": (
        "from __future__ import annotations",
        "def solve(x: unknown, y) -> unknown:\n    return x + y",
    ),
    "an enum and a named tuple": (
        "import enum, typing\nclass E(enum.Enum):\n    A = 1\nclass N(typing.NamedTuple):\n    a: int\nN(1)",
        ADDS,
    ),
    "set under if __name__ == '__main__'": (
        f"if __name__ == '__main__':\n    ready = 0\n{ADDS.replace('x + y', 'x + y + ready')}",
    ),
    "a pickle of an own class": (f"import copy\nclass A:\n    pass\ncopy.deepcopy(A())\n{ADDS}",),
    "deep recursion": ("def down(n):\n    return n and 1 + down(n - 1)\ndef solve(x, y):\n    return down(950) - 945",),
    "a byte-order mark and CRLF": ("\ufeffdef solve(x, y):\r\n    return x + y\r\n",),
    "prints": ("def solve(x, y):\n    print(x)\n    return x + y",),
    "a warning": ("import warnings\nwarnings.warn('careful')", ADDS),
    "an invalid escape": ("pattern = '\\d'", ADDS),
    "an endless print in another call": (ADDS, "print('x' * 10_000_000)"),
}


@pytest.mark.parametrize("sources", HONEST.values(), ids=HONEST)
def test_every_honest_style_is_answered(run, sources):
    """A right function gives its answer, however it is written."""
    result = run(*sources)
    outcome = result.outcomes[0]
    assert result.cell_errors == ()
    assert isinstance(outcome, Answered), outcome
    assert outcome.value == ADDED.value


NOTEBOOK_SYNTAX = {
    "line magic": "%matplotlib inline\n",
    "line magic with options": "%load_ext autoreload\n%autoreload 2\n",
    "shell line": "!pip install 'torch' --quiet\n",
    "shell line over two lines": "!pip install \\\n    torch\n",
    "shell line in a block": "if True:\n    !ls\n",
    "assigned shell line": "files = !ls *.py\nassert files is None\n",
    "assigned magic": "t = %timeit -o 1 + 1\n",
    "help": "print?\nlen??\n?len\n",
    "timed statement": "%time a = 40\nassert a == 40\n",
    "repeated statement": "%timeit solve(1, 2)\n",
    "timed cell": "%%time\nb = 1\n",
    "captured cell": "\n%%capture out\nb = 1\n",
    "bash cell": "%%bash\nrm -rf / --no-preserve-root (\n",
    "html cell": "%%html\n<b>Hello</b>\n",
    "plot": "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.plot([1]); plt.show()\n",
    "plots in a grid": "from matplotlib import pyplot as plt\nf, axes = plt.subplots(2, 3)\naxes[1, 2].imshow([[1]])\n",
    "plots in a row": "import matplotlib.pyplot as plt\nfig, (a, b) = plt.subplots(1, 2)\nline, = a.plot([1, 2])\n",
    "the course's check": "from course import check, plot_attention\ncheck(solve)\nplot_attention([[1]])\n",
    "the course itself": "import course\ncourse.show(1).of(2)['three']\n",
    "widgets": "import ipywidgets as w\nfrom IPython.display import display, HTML\ndisplay(w.IntSlider(min=1))\n",
    "display and get_ipython": "display(1)\nget_ipython().run_line_magic('matplotlib', 'inline')\n",
    "history names": "In, Out, _\n",
}


@pytest.mark.parametrize("scratch", NOTEBOOK_SYNTAX.values(), ids=NOTEBOOK_SYNTAX)
def test_notebook_syntax_is_harmless(run, scratch):
    """What works in a notebook neither fails here nor does anything."""
    result = run(ADDS, scratch + "after = 1\n" if not scratch.startswith(("%%bash", "%%html")) else scratch)
    assert result.cell_errors == ()
    assert result.outcomes == (ADDED,)


BROKEN_CELLS = {
    "a syntax error": ("x = (\n", "SyntaxError", 1, "x = ("),
    "a syntax error below": ("a = 1\nb = = 2\n", "SyntaxError", 2, "b = = 2"),
    "a missing module": ("\nimport torch\n", "ModuleNotFoundError", 2, "import torch"),
    "input": ("n = int(input('n: '))", "EOFError", 1, "n = int(input('n: '))"),
    "exit": ("exit()", "SystemExit", 1, "exit()"),
    "an interrupt": ("raise KeyboardInterrupt", "KeyboardInterrupt", 1, "raise KeyboardInterrupt"),
    "a file that may not be written": ("open('x.txt', 'w')", "PermissionError", 1, "open('x.txt', 'w')"),
    "a lone surrogate": ("a = '\ud800'", "UnicodeEncodeError", 0, ""),
    "an error that cannot be shown": (
        "class E(Exception):\n    def __str__(self):\n        1 / 0\nraise E",
        "E",
        4,
        "raise E",
    ),
}


@pytest.mark.parametrize(("source", "error", "line", "code"), BROKEN_CELLS.values(), ids=BROKEN_CELLS)
def test_a_broken_cell_stops_only_itself(run, source, error, line, code):
    """Cells before and after a broken one run, and the error names its cell, line and code."""
    result = run("start = 0", source, ADDS)
    assert result.outcomes == (ADDED,)
    assert [(e.error, e.line, e.code) for e in result.cell_errors] == [(error, line, code)]
    assert result.cell_errors[0].cell == 2


def test_a_nul_byte_is_an_error_of_its_cell(run):
    """A NUL byte in the text stops one cell; Python's versions name the error differently."""
    result = run(ADDS, "a = 1\x00")
    assert result.outcomes == (ADDED,)
    assert [error.cell for error in result.cell_errors] == [2]


def test_a_syntax_error_says_what_is_wrong(run):
    """The message is the compiler's own, without the name we gave the cell."""
    assert run("x = (\n").cell_errors == (Raised("SyntaxError", "'(' was never closed", 1, 1, "x = ("),)


def test_an_error_points_into_the_students_code(run):
    """The innermost line of the student's own cells is named, with the number of its cell."""
    helper = "import math\n\ndef root(x):\n    return math.sqrt(x)\n"
    result = run("pass", helper, "def solve(x, y):\n    return root(-1)\n")
    assert result.outcomes == (Raised("ValueError", "math domain error", 2, 4, "return math.sqrt(x)"),)


def test_a_missing_function_is_told_apart(run):
    """No function and something else under its name are two things."""
    assert run("def Solve(x, y):\n    return 1").outcomes == (NoFunction("missing"),)
    assert run("solve = [1, 2]").outcomes == (NoFunction("a list"),)


def test_what_cannot_be_read_as_numbers_is_named(run):
    """None, text, generators and coroutines come back as words."""
    assert run("def solve(x, y):\n    print(x + y)").outcomes == (Answered(Unusable("none", "None"), printed=True),)
    assert run("def solve(x, y):\n    yield x").outcomes == (Answered(Unusable("type", "a generator")),)
    assert run("def solve(x, y):\n    return str(x)").outcomes == (Answered(Unusable("type", "a string")),)
    coroutine = run("async def solve(x, y):\n    return x").outcomes[0].value
    assert coroutine.kind == "type"


def test_every_shape_comes_back_whole(run):
    """Scalars, empty lists, tables and cubes keep their shape and their exact numbers."""
    for text, shape in (("[]", (0,)), ("[[], []]", (2, 0)), ("[[1, 2.5], (3, 4)]", (2, 2)), ("[[[1e300]]]", (1, 1, 1))):
        value = run(f"def solve(x, y):\n    return {text}").outcomes[0].value
        assert value.shape == shape
    assert value.flat == (1e300,)


def test_the_second_of_two_calls_counts(run):
    """With `twice`, state or arguments that the first call spoilt show in the result."""
    grows = "seen = []\ndef solve(x, y):\n    seen.append(x)\n    return len(seen)"
    assert run(grows, twice=True).outcomes[0].value.flat == (2.0,)


def test_changed_inputs_are_noticed(run):
    """Changing an argument in place is told, and reading it is not."""
    changes = "def solve(rows, n):\n    rows[0][0] = 0.5\n    return n"
    assert run(changes, arguments=([[1.0], [2.0]], 1)).outcomes[0].changed_inputs
    assert not run("def solve(rows, n):\n    return rows", arguments=([[1.0], [2.0]], 1)).outcomes[0].changed_inputs
    arrays = "import numpy as np\ndef solve(rows, n):\n    rows[0] = np.array(rows[0])\n    return n"
    assert run(arrays, arguments=([[1.0], [2.0]], 1)).outcomes[0].changed_inputs


def test_prints_are_kept_and_cut(run):
    """The first characters are kept, and a cut is said."""
    assert run("print('one')", f"print('two')\n{ADDS}").printed == "one\ntwo\n"
    result = run("print('x' * 5000)", ADDS)
    assert result.printed_cut
    assert result.printed.startswith("x" * 4096 + "\n[the rest is not shown")


def test_a_killed_call_keeps_its_prints(run):
    """What an endless loop printed before it was stopped is shown."""
    result = run("def solve(x, y):\n    print('before')\n    while True:\n        pass")
    assert result.outcomes == (Stopped(StopReason.TIME),)
    assert result.printed == "before\n"


PATCHED = {
    "print and stdout": "import builtins, sys\nbuiltins.print = None\nsys.stdout.close()\nsys.stdout = None\n",
    "every built-in function": (
        "import builtins\nfor n in list(vars(builtins)):\n    if n[0].islower():\n        setattr(builtins, n, None)\n"
    ),
    "os, marshal, struct, json": (
        "import os, marshal, struct, json\n"
        "os.write = os._exit = marshal.loads = marshal.dumps = struct.pack = json.dumps = None\n"
    ),
    "numpy": "import numpy\nnumpy.array = numpy.isclose = numpy.float64 = None\n",
    "sys.modules": "import sys\nsys.modules.clear()\n",
    "closed descriptors": "import os\nos.closerange(0, 60)\n",
    "low recursion limit": "import sys\nsys.setrecursionlimit(80)\n",
}


@pytest.mark.parametrize("patch", PATCHED.values(), ids=PATCHED)
def test_patching_everything_does_not_hurt_a_right_answer(run, patch):
    """The harness uses its own references, so a right function is right after any replacement."""
    assert run(ADDS, patch).outcomes[0] == ADDED


def test_only_plain_arguments_are_packed():
    """An argument that would change on the way is a fault of ours."""
    with pytest.raises(SandboxError, match="type object"):
        pack_calls([Call(([1, object()],))])


def test_the_namespace_is_no_longer_main_during_the_calls(run):
    """A function cannot tell by `__name__` that it is run as in a notebook."""
    assert run("def solve(x, y):\n    return x + y if __name__ == 'notebook' else 0").outcomes == (ADDED,)
