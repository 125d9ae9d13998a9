"""Watch a child from outside: what it has used, whether it gets on, how it ended. Then leave nothing of it.

Progress is seen only as growth of the output file, and of the loading file until there is output. Neither is read here:
student code that makes them grow gains nothing but its own total.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
from dataclasses import dataclass
from typing import Final, NamedTuple, Self

from autograder.sandbox.wire import End

# A call's time starts when growth is seen, so that it is never cut short; it may last this share longer.
_LOOKS_PER_CALL: Final = 4
_SHORTEST_LOOK_SECONDS: Final = 0.005
_KIB: Final = 1024
_REAP_SECONDS: Final = 0.0005
_CHILDREN_BYTES: Final = 65536


class Bounds(NamedTuple):
    """What this child may use, in CPU and wall seconds: to load one cell, for one call, for everything."""

    load_cpu: float
    load_wall: float
    call_cpu: float
    call_wall: float
    total_cpu: float
    total_wall: float


class Ending(NamedTuple):
    """How a child ended: the kernel's wait status, why, and what it used."""

    status: int
    end: End
    wall_seconds: float
    cpu_seconds: float
    memory_bytes: int


@dataclass
class Watcher:
    """Keep what is needed to find stray processes. `alone`: this process is number 1 of its own namespace."""

    children: int
    alone: bool = False

    @classmethod
    def open(cls) -> Self:
        """Open the kernel's list of our children, which cannot be opened any more once the jail is on.

        Raises:
            OSError: the kernel is too old to wait for a process with a time limit.
        """
        os.close(os.pidfd_open(os.getpid()))
        try:
            return cls(os.open("/proc/thread-self/children", os.O_RDONLY | os.O_CLOEXEC))
        except OSError:
            return cls(-1)

    def watch(self, pid: int, output: int, loading: int, bounds: Bounds) -> Ending:
        """Wait until the child ends or has used up a limit; then kill all that it may have started."""
        handle = os.pidfd_open(pid)
        started = time.monotonic()
        try:
            end = _wait(pid, handle, (output, loading), bounds)
        finally:
            os.close(handle)
        os.kill(pid, signal.SIGKILL)
        # Before it is waited for: until then its number cannot have become another process's.
        self._kill_others(pid)
        _, status, usage = os.wait4(pid, 0)
        wall = time.monotonic() - started
        self._leave_nothing()
        return Ending(status, end, wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * _KIB)

    def _kill_others(self, group: int) -> None:
        """Kill the child's group, or everything else in our namespace."""
        with contextlib.suppress(OSError):
            if self.alone:
                os.kill(-1, signal.SIGKILL)
            else:
                os.killpg(group, signal.SIGKILL)

    def _leave_nothing(self) -> None:
        """Wait for, and kill, what else the child may have started; with the call filter on there is nothing."""
        with contextlib.suppress(ChildProcessError):
            while True:
                if os.waitpid(-1, os.WNOHANG)[0] != 0:
                    continue
                if self.children >= 0 and not self.alone:
                    for stray in os.pread(self.children, _CHILDREN_BYTES, 0).split():
                        os.kill(int(stray), signal.SIGKILL)
                time.sleep(_REAP_SECONDS)


def _wait(pid: int, handle: int, growing: tuple[int, int], bounds: Bounds) -> End:
    """Return who ends the child. The clock of a call or cell starts anew at every growth of its file."""
    clock = (~pid << 3) | 2  # Linux's name for the CPU clock of that process
    look = max(bounds.call_cpu / _LOOKS_PER_CALL, _SHORTEST_LOOK_SECONDS)
    poller = select.poll()
    poller.register(handle, select.POLLIN)
    started = step_wall = time.monotonic()
    step_cpu, sizes = 0.0, (0, 0)
    while not poller.poll(look * 1000):
        now, cpu = time.monotonic(), time.clock_gettime(clock)
        if cpu >= bounds.total_cpu or now - started >= bounds.total_wall:
            return End.TOTAL_LIMIT
        output, loading = (os.fstat(file).st_size for file in growing)
        if output > sizes[0] or (output == 0 and loading > sizes[1]):
            sizes, step_cpu, step_wall = (output, loading), cpu, now
        elif output == 0 and (cpu - step_cpu >= bounds.load_cpu or now - step_wall >= bounds.load_wall):
            return End.LOAD_LIMIT
        elif output > 0 and (cpu - step_cpu >= bounds.call_cpu or now - step_wall >= bounds.call_wall):
            return End.CALL_LIMIT
    return End.ITSELF
