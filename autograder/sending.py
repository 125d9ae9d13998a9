"""Send submissions to workers in chunks, whatever executor they belong to."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, as_completed
from pathlib import Path
from typing import Final, TypeVar

from autograder.one import Graded, Task, grade_task

T = TypeVar("T")
_CHUNK: Final = 5
_KILLED: Final = (
    "the worker process that graded it was killed, twice: is the machine out of memory? "
    "The same command does what is left, with `--workers 1` in the least memory"
)


def grade_chunk(root: Path, tasks: Sequence[Task]) -> list[Graded]:
    """Grade some tasks in a worker."""
    return [grade_task(root, task) for task in tasks]


def send(
    make_executor: Callable[[int], Executor], workers: int, root: Path, tasks: Sequence[Task]
) -> Iterator[list[Graded]]:
    """Send tasks out in chunks. A chunk that its worker did not do is sent again, one by one, then it is our fault.

    A pool of processes breaks as a whole when one of them is killed, so the rest goes to a fresh one. Work is begun
    in order: the first chunks without a result are those that the processes were at, and one of them may have been
    what killed its worker. They come last, one by one.
    """
    chunks = list(batches(tasks, _CHUNK))
    alone: list[Task] = []
    while chunks or alone:
        with make_executor(workers) as executor:
            failed, lost = yield from _at_once(executor, root, chunks)
            alone += [task for chunk in (*failed, *lost[:workers]) for task in chunk]
            chunks = lost[workers:]
            if not lost:
                alone = yield from _one_by_one(executor, root, alone)


def _at_once(
    executor: Executor, root: Path, chunks: Sequence[list[Task]]
) -> Generator[list[Graded], None, tuple[list[list[Task]], list[list[Task]]]]:
    """Grade all chunks; return those that failed by themselves, and in order those that a broken executor lost."""
    futures = {_submit(executor, root, chunk): at for at, chunk in enumerate(chunks)}
    failed, lost = [], []
    for future in as_completed(futures):
        at = futures.pop(future)  # with the future its result is let go
        try:
            yield future.result()
        except BrokenExecutor:
            lost.append(at)
        except Exception:  # noqa: BLE001  # a worker was killed, or refused: every executor has its own words
            failed.append(at)
    return [chunks[at] for at in failed], [chunks[at] for at in sorted(lost)]


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


def batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Cut `items` into lists of `size`; the last may be shorter."""
    batch: list[T] = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
