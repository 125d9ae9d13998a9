"""What is sent to workers at once is bounded in bytes, whatever it is made of."""

from concurrent.futures import Executor, Future
from pathlib import Path

import pytest
from conftest import LESSON

from autograder.one import Graded, Task
from autograder.sending import batches, send

MILLION = 1_000_000
MADE_OF = {
    "the notebook": {"data": b"x" * 2 * MILLION},
    "modules beside it": {"data": b"", "beside": {f"m{number}.py": "x" * (MILLION // 5) for number in range(10)}},
}


class Counting(Executor):
    """Take chunks, and hand them back when the sender waits for the first of them."""

    def __init__(self):
        self.chunks = []
        self.most = 0
        self._out = []

    def submit(self, _grade, _root, tasks):
        """Take one chunk."""
        future = Future()
        self.chunks.append(tasks)
        self._out.append((future, tasks))
        self.most = max(self.most, len(self._out))
        return future

    def hand_back(self):
        """Finish all that is out."""
        for future, tasks in self._out:
            future.set_result([Graded(task.student, "") for task in tasks])
        self._out.clear()


@pytest.mark.parametrize("parts", MADE_OF.values(), ids=MADE_OF)
def test_bytes_bound_what_is_out(monkeypatch, parts):
    """A chunk ends at 4 MB, and no more chunks are sent while 64 MB are out; modules count as the notebook does."""
    executor = Counting()

    def wait(futures, return_when):
        assert return_when == "FIRST_COMPLETED"
        executor.hand_back()
        return type("Waited", (), {"done": list(futures)})

    monkeypatch.setattr("autograder.sending.wait", wait)
    tasks = (Task(f"s{number:03}", LESSON, "attention.ipynb", **parts) for number in range(100))
    results = [graded for some in send(lambda _: executor, 2, Path(), tasks) for graded in some]

    assert len(results) == 100
    assert {len(chunk) for chunk in executor.chunks} == {2}
    assert executor.most == 16


def test_a_batch_ends_where_its_results_are_large():
    """Results are recorded together up to a number and up to 16 million characters, all of them and in order."""
    sizes = [1, 8, 8, 1, 20, 1, 1, 1]
    results = [Graded(f"s{at}", "", notebook="x" * size * MILLION) for at, size in enumerate(sizes)]
    cut = list(batches(results, 3))

    assert [len(batch) for batch in cut] == [3, 2, 3]
    assert [graded for batch in cut for graded in batch] == results


def test_after_ctrl_c_what_is_ready_is_recorded():
    """Results that came before a Ctrl-C are handed over to be recorded; then the run ends as asked."""

    def results():
        yield from (Graded(f"s{at}", "") for at in range(5))
        raise KeyboardInterrupt

    seen = []
    with pytest.raises(KeyboardInterrupt):
        seen.extend(len(batch) for batch in batches(results(), 3))

    assert seen == [3, 2]
