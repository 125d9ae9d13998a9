"""The time of reading: it grows with the file and not with its square, and no file keeps the grader for long."""

import gc
import json
import re
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import get_context

import pytest
from cell_makers import RELEASED, RIGHT, STUB, code
from conftest import LESSON, ROOT

from autograder import one
from autograder.one import Task, grade_task, limit_reading
from course.reading import UnreadableError, read_notebook
from course.submission import read_submission

pytestmark = pytest.mark.slow

SPIN = re.compile(r"(?:x|x)*y")  # takes time without end on many x


def raw(*cells):
    """Write a notebook."""
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


def modules(count):
    """Write files from cells, and import all of them."""
    written = [code(f"%%writefile m{at}.py\nx = {at}") for at in range(count)]
    return raw(*written, *(code(f"import m{at}") for at in range(count)))


# What a file repeats, and how often at least: enough that its square would be seen.
FILES = {
    "an escaped quote in outputs that never end": (
        20_000,
        lambda times: b'{"cells":[{"cell_type":"code","source":"","outputs":["' + rb"\"" * times,
    ),
    "one module imported again and again": (100_000, lambda times: raw(code("import " + "a," * times))),
    "modules written and imported": (1_000, modules),
    "cells that each may go on in the next": (500, lambda times: raw(*[code("  def solve(a):\n  x=1")] * times)),
    "the lines of one function": (1_000, lambda times: raw(code("def solve(a):"), *[code("  return 1")] * times)),
    "cells of a lost id": (2_000, lambda times: raw(*(code(f"x = {at}", f"lost{at}") for at in range(times)))),
    "cells of the same id": (2_000, lambda times: raw(*[code("x = 1", "solve")] * times)),
    "cells that do not say their kind": (2_000, lambda times: raw(*[{"source": "x"}] * times)),
    "cells that are no cells": (2_000, lambda times: raw(*[1] * times)),
    "quotes in a docstring": (100_000, lambda times: raw(code(STUB + '"' * times))),
    "brackets of a check": (100_000, lambda times: raw(code(f"{RIGHT}\ncheck(" + ") ;" * times + "x"))),
    "blanks before code": (100_000, lambda times: raw(code(" " * times + RIGHT))),
}


def cpu_seconds(data):
    """Return the CPU time of reading a file as the grader does."""
    start = time.process_time()
    with suppress(UnreadableError):
        read_submission(read_notebook(data).notebook, RELEASED)
    return time.process_time() - start


@pytest.mark.parametrize("name", FILES)
def test_time_grows_as_the_file(name):
    """A file four times as long takes about four times the CPU time: below nine, where the square would be sixteen."""
    times, make = FILES[name]
    short, long = make(times), make(4 * times)
    gc.collect()

    took = [(cpu_seconds(short), cpu_seconds(long)) for _ in range(3)]

    assert min(each[1] for each in took) < 9 * min(each[0] for each in took)


def test_function_split_over_many_cells_is_joined():
    """A function of one line to a cell is put together, up to thirty cells after its first one."""
    cells = [code("def solve(x):"), *[code("    x += 1")] * 29, code("    return x")]

    (found,) = [cell for cell in read_submission({"cells": cells}, RELEASED).cells if "solve(x)" in cell.source]

    assert found.source.count("\n") == 30
    assert found.source.endswith("    return x")


@pytest.mark.parametrize(
    "data",
    [raw(*[0] * 10_001), raw(*[code("x")] * 10_001), b"import a\n" + b"# %%\nx\n" * 10_001],
    ids=["no cells", "cells", "a script"],
)
def test_notebook_of_very_many_cells_is_refused(data):
    """More than 10,000 cells are nobody's notebook, and are refused with their number."""
    with pytest.raises(UnreadableError, match=r"1000[12] cells, more than 10000"):
        read_notebook(data)


def test_databricks_cell_with_no_word_is_empty():
    """A cell of `# MAGIC` alone, as Databricks may write it, holds nothing; the file is read all the same."""
    read = read_notebook(b"def solve(x): return x\n# %%\n# MAGIC\n", "x.py")

    assert [cell["source"] for cell in read.notebook["cells"]] == ["def solve(x): return x", ""]


def spin(*_, **__):
    """Read for ever."""
    SPIN.match("x" * 60)


def test_reading_is_stopped_and_the_handler_put_back():
    """What reads too long is stopped in the midst of one search, and nothing of the limit stays behind."""
    before = signal.getsignal(signal.SIGPROF)

    with pytest.raises(UnreadableError, match="took too long to read"), limit_reading(0.1):
        spin()

    assert signal.getsignal(signal.SIGPROF) is before
    assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)


def test_limit_ends_with_the_reading():
    """What is done after the reading may take longer than it."""
    with limit_reading(0.05):
        pass
    start = time.process_time()

    while time.process_time() < start + 0.15:
        pass

    assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)


def test_other_threads_read_without_limit():
    """In a thread that is not the main one, as a cluster may have it, the reading runs without a limit."""

    def read():
        with limit_reading(0.01):
            return threading.current_thread() is threading.main_thread(), signal.getitimer(signal.ITIMER_PROF)

    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(read).result() == (False, (0, 0))


def test_worker_refuses_one_file_and_goes_on(monkeypatch):
    """In a worker process a file that takes too long is the student's problem, no fault, and the next one is read."""
    monkeypatch.setattr(one, "_READING_SECONDS", 0.2)
    monkeypatch.setattr(
        one, "read_notebook", lambda data, name: spin() if data == b"slow" else read_notebook(data, name)
    )
    tasks = [Task("s1", LESSON, "x.ipynb", data) for data in (b"slow", b"", b"slow")]

    with ProcessPoolExecutor(1, mp_context=get_context("fork")) as workers:
        slow, empty, again = workers.map(grade_task, [ROOT] * 3, tasks)

    assert slow.problem == again.problem
    assert "took too long to read" in slow.problem
    assert empty.problem == "The file is empty."
    assert not slow.fault
    assert not empty.fault
