"""Send submissions to workers in chunks, whatever executor they belong to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, as_completed
from pathlib import Path
from typing import Final, TypeVar

from autograder.one import Graded, Task, grade_task

T = TypeVar("T")
_CHUNK: Final = 5


def grade_chunk(root: Path, tasks: Sequence[Task]) -> list[Graded]:
    """Grade some tasks in a worker."""
    return [grade_task(root, task) for task in tasks]


def send(executor: Executor, root: Path, tasks: Sequence[Task]) -> Iterator[list[Graded]]:
    """Send tasks out in chunks. A chunk that its worker did not do is sent again, one by one, then it is our fault."""
    futures = {executor.submit(grade_chunk, root, chunk): chunk for chunk in batches(tasks, _CHUNK)}
    again: list[Task] = []
    for future in as_completed(futures):
        chunk = futures.pop(future)  # with the future its result is let go
        try:
            yield future.result()
        except Exception:  # noqa: BLE001  # a worker was killed, or refused: every executor has its own words
            again += chunk
    for task in again:
        try:
            yield executor.submit(grade_chunk, root, [task]).result()
        except Exception as error:  # noqa: BLE001  # the same
            yield [Graded(task.student, task.sha256, fault=str(error) or type(error).__name__)]


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
