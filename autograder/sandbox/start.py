"""Start a zygote process and talk to it. Trusts its first words only: they come before any student code."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import platform
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

from autograder.sandbox.model import ALL_LAYERS, SandboxError
from autograder.sandbox.rlimits import Room
from autograder.sandbox.watch import Bounds, Ending
from autograder.sandbox.wire import ENDING, GATE, HELLO, JOB, End
from course.running import boot
from course.running.limits import SAME_EVERYWHERE

_BOOT: Final = Path(boot.__file__)
_ZYGOTE: Final = "autograder.sandbox.zygote"
_PACKAGES: Final = ("numpy",)
# One thread: a child that is forked has no others, and may start none.
_ENVIRONMENT: Final = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/",
    "LC_ALL": "C.UTF-8",
    "LD_BIND_NOW": "1",  # symbols are looked up here once, and not in every child
    **SAME_EVERYWHERE,
}
_START_SECONDS: Final = 60.0
_SPARE_SECONDS: Final = 20.0
_STOP_SECONDS: Final = 5.0
_FAULT_CHARACTERS: Final = 2000

# What each layer is there to prevent, told when it is missing.
_DANGERS: Final = {
    "rlimits": "student code could use up the memory and the disk",
    "seccomp": "student code could open network connections, start programs, write files and signal other processes",
    "uid": "student code could read and change what belongs to the grader's root user",
    "files": "student code could read every file that the grader can read, hidden cases and other submissions included",
}


class Zygote:
    """Own one zygote process and the socket to it."""

    def __init__(self, room: Room, wanted: Collection[str] = ALL_LAYERS) -> None:
        command = _command(room, wanted)
        self._socket, theirs = socket.socketpair()
        with theirs, open(os.memfd_create("faults"), "rb") as faults:  # noqa: PTH123  # it has no path
            try:
                self._process = _launch([*command, str(theirs.fileno())], theirs.fileno(), faults.fileno())
            except OSError:
                self._socket.close()
                raise
            theirs.close()
            try:
                hello = self._hear_hello()
            except (OSError, ValueError) as error:
                self.close()
                message = f"the sandbox cannot be started: {_read_fault(faults.fileno()) or error}"
                raise SandboxError(message) from error
        self.layers: tuple[str, ...] = tuple(hello["on"])
        self.missing: dict[str, str] = hello["off"]

    @property
    def pid(self) -> int:
        """Return the process number of what was started."""
        return self._process.pid

    def ask(self, files: list[int], bounds: Bounds) -> None:
        """Hand over a job; one child will do it. `hear_ending` says what came of it."""
        self._socket.settimeout(bounds.total_wall + _SPARE_SECONDS)
        words = (bounds.load_cpu, bounds.load_wall, bounds.call_cpu, bounds.call_wall)
        with contextlib.suppress(OSError):  # a zygote that is gone is noticed by who listens to it
            socket.send_fds(self._socket, [JOB.pack(*words, bounds.total_cpu, bounds.total_wall)], files)

    def wait_for(self, gate: socket.socket) -> bool:
        """Wait until the child is at the gate; False when it ended before that."""
        poller = select.poll()
        for each in (gate, self._socket):
            poller.register(each, select.POLLIN)
        ready = dict(poller.poll((self._socket.gettimeout() or _SPARE_SECONDS) * 1000))
        return gate.fileno() in ready and gate.recv(1) == GATE

    def hear_ending(self) -> Ending | None:
        """Wait for the end of the child; None when the zygote itself is gone."""
        try:
            reply = self._receive(ENDING.size)
        except OSError:
            return None
        status, end, *used = ENDING.unpack(reply)
        return Ending(status, End(end), *used)

    def close(self) -> None:
        """Hang up and wait until the process is gone."""
        self._socket.close()
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End the process at once, whatever it does, and the one in the namespace, which is of the same group."""
        self._socket.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _hear_hello(self) -> dict[str, Any]:
        self._socket.settimeout(_START_SECONDS)
        (size,) = HELLO.unpack(self._receive(HELLO.size))
        hello: dict[str, Any] = json.loads(self._receive(size))
        if "fault" in hello:
            raise ValueError(hello["fault"])
        return hello

    def _receive(self, size: int) -> bytes:
        """Receive exactly `size` bytes."""
        data = b""
        while len(data) < size:
            part = self._socket.recv(size - len(data))
            if not part:
                message = "the sandbox's process ended"
                raise ConnectionError(message)
            data += part
        return data


def require(zygote: Zygote, allow_missing: Collection[str]) -> None:
    """Refuse to go on without the mandatory layers, unless each that is missing is allowed to be.

    Raises:
        SandboxError: says which layers are missing, why, and what student code could do.
    """
    needed = ["rlimits", "seccomp", *(["uid"] if os.getuid() == 0 else [])]
    lacking = [(name, _DANGERS[name]) for name in needed if name in zygote.missing]
    if {"landlock", "namespaces"} <= set(zygote.missing):
        lacking += [(name, _DANGERS["files"]) for name in ("landlock", "namespaces")]
    refused = [(name, danger) for name, danger in lacking if name not in allow_missing]
    if refused:
        reasons = "; ".join(f"{name} ({zygote.missing[name]}): without it {danger}" for name, danger in refused)
        message = f"this machine lacks a layer of the sandbox, so no student code was run. Missing: {reasons}."
        raise SandboxError(message)


def _command(room: Room, wanted: Collection[str]) -> list[str]:
    """Say how a zygote is started; the number of its socket is still to be added."""
    if platform.system() != "Linux":
        message = f"the sandbox needs Linux; on {platform.system()} student code would run without any layer"
        raise SandboxError(message)
    config = json.dumps({"packages": _PACKAGES, "folders": _folders(), "layers": sorted(wanted), "room": room})
    # -S: no site-packages; -P: nor this folder; -B: the jail is read-only anyway.
    return [sys.executable, "-S", "-s", "-P", "-B", str(_BOOT), _ZYGOTE, config]


def _launch(command: list[str], theirs: int, faults: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603  # our own file, by this very Python
        command,
        pass_fds=[theirs],
        env=_ENVIRONMENT,
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=faults,
        start_new_session=True,
    )


def _folders() -> list[str]:
    """Return the folders that the packages are imported from."""
    folders: dict[str, None] = {}
    for name in _PACKAGES:
        spec = importlib.util.find_spec(name)
        if spec is None or spec.origin is None:
            message = f"{name} is not installed beside the grader, but submissions may use it"
            raise SandboxError(message)
        folders[str(Path(spec.origin).parent.parent)] = None
    return list(folders)


def _read_fault(file: int) -> str:
    with contextlib.suppress(OSError):
        return os.pread(file, _FAULT_CHARACTERS, 0).decode("utf-8", "replace").strip()
    return ""
