"""Send submissions to workers in chunks, whatever executor they belong to."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from itertools import count, islice
from operator import itemgetter
from pathlib import Path
from typing import Final

from autograder.one import Graded, Task, grade_task

_CHUNK: Final = 5
_CHUNK_BYTES: Final = 4_000_000
_MOST_CHUNKS: Final = 256
_MOST_BYTES: Final = 64_000_000
_BATCH_CHARACTERS: Final = 16_000_000
_KILLED: Final = (
    "the worker process that graded it was killed, twice: is the machine out of memory? "
    "The same command does what is left, with `--workers 1` in the least memory"
)


def grade_chunk(root: Path, tasks: Sequence[Task]) -> list[Graded]:
    """Grade some tasks in a worker."""
    return [grade_task(root, task) for task in tasks]


def send(
    make_executor: Callable[[int], Executor], workers: int, root: Path, tasks: Iterable[Task]
) -> Iterator[list[Graded]]:
    """Send tasks out in chunks. A chunk that its worker did not do is sent again, one by one, then it is our fault.

    `tasks` are taken as there is room for them, so that a large class with large files does not fill the memory.

    A pool of processes breaks as a whole when one of them is killed, so the rest goes to a fresh one. Work is begun
    in order: the first chunks without a result are those that the processes were at, and one of them may have been
    what killed its worker. They come last, one by one.
    """
    queue, alone = _Queue(tasks), list[Task]()
    while queue or alone:
        with make_executor(workers) as executor:
            failed, lost = yield from _at_once(executor, workers, root, queue)
            alone += [task for chunk in (*failed, *lost[:workers]) for task in chunk]
            queue.put_back(lost[workers:])
            if not lost:
                alone = yield from _one_by_one(executor, root, alone)


class _Queue:
    """Hand out chunks of tasks in order; no chunk is made before it is asked for."""

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._fresh = _chunks(tasks)
        self._first: deque[list[Task]] = deque()

    def __bool__(self) -> bool:
        """Tell whether there is another chunk."""
        if not self._first:
            self._first.extend(islice(self._fresh, 1))
        return bool(self._first)

    def take(self) -> list[Task]:
        """Return the next chunk, of those that there are."""
        return self._first.popleft()

    def put_back(self, chunks: Sequence[list[Task]]) -> None:
        """Take chunks back, to be handed out first."""
        self._first.extendleft(reversed(chunks))


def _chunks(tasks: Iterable[Task]) -> Iterator[list[Task]]:
    """Cut the tasks into chunks: a few, or fewer where the files are large."""
    chunk: list[Task] = []
    for task in tasks:
        chunk.append(task)
        if len(chunk) == _CHUNK or sum(each.size for each in chunk) >= _CHUNK_BYTES:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _at_once(
    executor: Executor, workers: int, root: Path, queue: _Queue
) -> Generator[list[Graded], None, tuple[list[list[Task]], list[list[Task]]]]:
    """Grade all chunks; return those that failed by themselves, and in order those that a broken executor lost."""
    out: dict[Future[list[Graded]], tuple[int, list[Task]]] = {}
    failed: list[list[Task]] = []
    lost: list[tuple[int, list[Task]]] = []
    numbers = count()
    while True:
        while not lost and _has_room(out.values(), workers) and queue:
            chunk = queue.take()
            out[_submit(executor, root, chunk)] = next(numbers), chunk
        if not out:
            return failed, [chunk for _, chunk in sorted(lost, key=itemgetter(0))]
        for future in wait(out, return_when=FIRST_COMPLETED).done:
            number, chunk = out.pop(future)  # with the future its result is let go
            try:
                yield future.result()
            except BrokenExecutor:
                lost.append((number, chunk))
            except Exception:  # noqa: BLE001  # a worker was killed, or refused: every executor has its own words
                failed.append(chunk)


def _has_room(out: Collection[tuple[int, list[Task]]], workers: int) -> bool:
    """Tell whether one more chunk may be out: every worker has its next one, and the files fill no memory."""
    if len(out) < 2 * workers:
        return True
    return len(out) < _MOST_CHUNKS and sum(task.size for _, chunk in out for task in chunk) < _MOST_BYTES


def _one_by_one(executor: Executor, root: Path, tasks: Sequence[Task]) -> Generator[list[Graded], None, list[Task]]:
    """Grade one task after the other; return what is left when the executor breaks."""
    for at, task in enumerate(tasks):
        try:
            yield _submit(executor, root, [task]).result()
        except BrokenExecutor:
            yield [Graded(task.student, task.sha256, fault=_KILLED)]
            return list(tasks[at + 1 :])
        except Exception as error:  # noqa: BLE001  # the same
            yield [Graded(task.student, task.sha256, fault=str(error) or type(error).__name__)]
    return []


def _submit(executor: Executor, root: Path, tasks: Sequence[Task]) -> Future[list[Graded]]:
    """Send one piece of work out; where the executor does not take it, the reason is its result."""
    try:
        return executor.submit(grade_chunk, root, tasks)
    except Exception as error:  # noqa: BLE001  # broken or disconnected
        refused: Future[list[Graded]] = Future()
        refused.set_exception(error)
        return refused


def batches(results: Iterable[Graded], size: int) -> Iterator[list[Graded]]:
    """Cut `results` into lists of `size`, or shorter ones where they are large; the last may be shorter.

    After a Ctrl-C what is there already comes first.
    """
    batch: list[Graded] = []
    characters = 0
    try:
        for graded in results:
            batch.append(graded)
            characters += len(graded.notebook) + len(graded.page)
            if len(batch) == size or characters >= _BATCH_CHARACTERS:
                yield batch
                batch, characters = [], 0
    except KeyboardInterrupt:
        if batch:
            yield batch
        raise
    if batch:
        yield batch
