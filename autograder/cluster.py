"""Send a class to other machines: an `Executor` over dask.distributed, and the check that a worker is of our version.

Only here is dask known. A worker reads, runs and judges with a sandbox of its own; records are written by the process
that has the gradebook. What a worker answers is believed, so a cluster is as trusted as this machine.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar

from autograder.lesson import GraderError
from autograder.loading import load_lesson
from autograder.one import ENGINE_VERSION

if TYPE_CHECKING:
    from distributed import Client

P = ParamSpec("P")
T = TypeVar("T")
ROOT_VARIABLE: Final = "AUTOGRADER_ROOT"
_CONNECT_SECONDS: Final = 20
_WORKER_SECONDS: Final = 60

# The sandbox is not for two threads; a worker that was started with more of them takes turns.
_one_at_a_time = threading.Lock()


@dataclass(frozen=True)
class Needs:
    """What a run needs of every worker."""

    lesson: str
    lesson_version: str
    engine_version: str = ENGINE_VERSION

    def refusal(self, root: Path) -> str:
        """Say what is wrong with this worker; nothing if it is right."""
        if self.engine_version != ENGINE_VERSION:
            return f"has engine version {ENGINE_VERSION}, this run needs {self.engine_version}"
        try:
            version = load_lesson(self.lesson, _root_here(root)).version
        except GraderError as error:
            return f"cannot load the lesson: {error}"
        if version != self.lesson_version:
            return f"has lesson version {version}, this run needs {self.lesson_version}"
        return ""


def needs_of(lesson_id: str, root: Path) -> Needs:
    """Return what a run over this lesson, as it stands here now, needs of the workers."""
    return Needs(lesson_id, load_lesson(lesson_id, root).version)


def on_worker(needs: Needs, work: Callable[..., T], root: Path, arguments: Sequence[object]) -> T:
    """Do one piece of work on a worker of the right version.

    Raises:
        GraderError: this worker has another version of the lesson or the engine.
    """
    from distributed import get_worker  # noqa: PLC0415  # an extra

    with _one_at_a_time:
        refusal = needs.refusal(root)
        if refusal:
            message = f"worker {get_worker().address} {refusal}"
            raise GraderError(message)
        return work(_root_here(root), *arguments)


def _root_here(root: Path) -> Path:
    """Return where the course folder is on this worker."""
    return Path(os.environ.get(ROOT_VARIABLE) or root)


class ClusterExecutor(Executor):
    """Hold a connection to a scheduler. A worker of another version gets no work; it is named on the terminal."""

    def __init__(self, client: Client, needs: Needs, root: Path) -> None:
        self._client = client
        self._needs = needs
        self._root = root
        self._inner: Executor = client.get_executor(pure=False, **self._choose_workers())

    def submit(self, work: Callable[P, T], /, *arguments: P.args, **_: P.kwargs) -> Future[T]:
        """Send work out. Its first argument is the course folder, which a worker may have elsewhere.

        Raises:
            GraderError: the scheduler is gone; dask would wait for ever.
        """
        if self._client.status != "running":
            message = "the connection to the dask scheduler is lost"
            raise GraderError(message)
        return self._inner.submit(on_worker, self._needs, work, self._root, arguments[1:])

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002  # as `Executor` has it
        """Close the connection; work that is still out is given up."""
        self._client.close()

    def _choose_workers(self) -> dict[str, list[str]]:
        """Ask all workers for their versions; with a wrong one among them, work goes to the others only."""
        answers: dict[str, str | Exception] = self._client.run(self._needs.refusal, self._root, on_error="return")
        for worker, answer in answers.items():
            if answer:
                why = f"cannot grade: {answer}" if isinstance(answer, Exception) else answer
                print(f"autograder: worker {worker} {why}; it gets no work", file=sys.stderr)
        right = [worker for worker, answer in answers.items() if not answer]
        # With none that is right, each piece of work is refused, and the receipt says why.
        return {"workers": right} if right and len(right) < len(answers) else {}


def connect(needs: Needs, root: Path, address: str = "", scheduler_file: str = "") -> ClusterExecutor:
    """Connect to a scheduler by its address or its file.

    Raises:
        GraderError: the extra is not installed, no scheduler answers, or it has no worker.
    """
    where = address or scheduler_file
    if scheduler_file and not Path(scheduler_file).is_file():
        message = f"there is no scheduler file {scheduler_file}"
        raise GraderError(message)
    try:
        from distributed import Client  # noqa: PLC0415  # an extra
    except ImportError as error:
        message = (
            "dask is not installed; in the course's repository: python -m pip install -c constraints.txt '.[cluster]'"
        )
        raise GraderError(message) from error
    try:
        client = Client(
            **({"address": address} if address else {"scheduler_file": scheduler_file}), timeout=_CONNECT_SECONDS
        )
    except (OSError, ValueError) as error:
        message = f"no dask scheduler answers at {where}: {error}"
        raise GraderError(message) from error
    try:
        client.wait_for_workers(1, timeout=_WORKER_SECONDS)
        return ClusterExecutor(client, needs, root)
    except BaseException as error:
        with suppress(Exception):
            client.close()
        if isinstance(error, TimeoutError):
            message = f"the dask scheduler at {where} has no worker"
            raise GraderError(message) from error
        raise
