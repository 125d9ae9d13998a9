"""Set the kernel's limits of a child, and find out at the start whether this machine leaves room for them."""

from __future__ import annotations

import resource
from math import ceil
from typing import Final, NamedTuple

from autograder.sandbox.wire import OUTPUT_SLACK_BYTES

MOST_FILES: Final = 65


class Room(NamedTuple):
    """What a child may take: memory beyond what the zygote has, output, CPU time."""

    memory_bytes: int
    output_bytes: int
    cpu_seconds: float


class NoRoomError(Exception):
    """The limits that this machine or shell sets are below what a child is promised."""


def put_on(room: Room, used_bytes: int) -> None:
    """Bind this process to what it is promised, and nothing more; `used_bytes` of memory it has already."""
    for limit, value in _needed(room, used_bytes).values():
        resource.setrlimit(limit, (value, value))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))


def make_room(room: Room, used_bytes: int) -> None:
    """Lift the soft limits of the zygote, and make sure that a child can be given what it is promised.

    Raises:
        NoRoomError: names the limit, what it is and what is needed.
    """
    for name, (limit, value) in _needed(room, used_bytes).items():
        _, hard = resource.getrlimit(limit)
        if hard != resource.RLIM_INFINITY and hard < value:
            message = (
                f"the limit on {name} under which the grader was started is {hard:,}, and {value:,} are needed; "
                "start it from a shell with a higher limit (`ulimit -a` shows them)"
            )
            raise NoRoomError(message)
        resource.setrlimit(limit, (hard, hard))


def _needed(room: Room, used_bytes: int) -> dict[str, tuple[int, int]]:
    return {
        "open files (RLIMIT_NOFILE)": (resource.RLIMIT_NOFILE, MOST_FILES),
        "bytes of a file (RLIMIT_FSIZE)": (resource.RLIMIT_FSIZE, room.output_bytes + OUTPUT_SLACK_BYTES),
        "seconds of CPU time (RLIMIT_CPU)": (resource.RLIMIT_CPU, ceil(room.cpu_seconds) + 1),
        "bytes of memory (RLIMIT_AS)": (resource.RLIMIT_AS, used_bytes + room.memory_bytes),
    }
