"""Hold what goes into a run of a submission and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from autograder.lesson import GraderError
from course.outcomes import Outcome, Raised

ALL_LAYERS: Final = ("namespaces", "uid", "landlock", "seccomp", "rlimits")


class SandboxError(GraderError):
    """A fault of ours or of this machine: student code was not run, or its end is not known."""


@dataclass(frozen=True)
class Run:
    """What came of one submission: one outcome per call, and the cells that failed while they were loaded.

    Among the cell errors are the cells that were left out because nothing came after them (`line` is 0), and, where
    there is no function, as "SkippedCell" those that are not Python.
    """

    outcomes: tuple[Outcome, ...]
    cell_errors: tuple[Raised, ...]
    printed: str
    printed_cut: bool
    cpu_seconds: float
    layers: tuple[str, ...]
