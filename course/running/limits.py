"""What one run of a submission may use: the same for the grader's sandbox and for the check before handing in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

MOST_LEFT_OUT: Final = 3
# Sets keep one order, and sums too: one thread.
SAME_EVERYWHERE: Final[Mapping[str, str]] = {
    "PYTHONHASHSEED": "0",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
_MIB: Final = 1 << 20


@dataclass(frozen=True)
class Limits:
    """What one run may use. CPU seconds decide; wall seconds are far larger, so that a loaded machine fails no one.

    `load` is for each cell, `call` for each call, `total` for everything. `restarts`: children after the first one.
    """

    call_cpu_seconds: float = 0.5
    call_wall_seconds: float = 4.0
    load_cpu_seconds: float = 2.0
    load_wall_seconds: float = 5.0
    total_cpu_seconds: float = 6.0
    total_wall_seconds: float = 20.0
    memory_bytes: int = 256 * _MIB
    output_bytes: int = 4 * _MIB
    printed_characters: int = 4096
    restarts: int = 8
