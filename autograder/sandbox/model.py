"""Hold what goes into a run of a submission and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from autograder.lesson import GraderError
from course.outcomes import Outcome, Raised

ALL_LAYERS: Final = ("namespaces", "uid", "landlock", "seccomp", "rlimits")
_MIB: Final = 1 << 20


class SandboxError(GraderError):
    """A fault of ours or of this machine: student code was not run, or its end is not known."""


@dataclass(frozen=True)
class Limits:
    """What one run may use. CPU seconds decide; wall seconds are far larger, so that a loaded machine fails no one.

    `load` is for each cell, `call` for each call, `total` for everything. `restarts`: children after the first one.
    """

    call_cpu_seconds: float = 0.25
    call_wall_seconds: float = 2.0
    load_cpu_seconds: float = 2.0
    load_wall_seconds: float = 5.0
    total_cpu_seconds: float = 4.0
    total_wall_seconds: float = 10.0
    memory_bytes: int = 256 * _MIB
    output_bytes: int = 4 * _MIB
    printed_characters: int = 4096
    restarts: int = 8


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
