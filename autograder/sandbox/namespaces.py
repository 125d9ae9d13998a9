"""Move this process into namespaces of its own, with a root folder that holds the libraries, read-only, and no more."""

from __future__ import annotations

import os
import select
from pathlib import Path
from typing import Final

from autograder.sandbox.files import Readable
from autograder.sandbox.kernel import PR_SET_PDEATHSIG, check, detach, mount, prctl, syscall, unshare
from autograder.sandbox.syscalls import MACHINES

_NEW_USER: Final = 0x10000000
_NEW_OTHERS: Final = 0x20000 | 0x20000000 | 0x40000000 | 0x8000000 | 0x4000000  # mount, pid, net, ipc, uts
_READ_ONLY, _NO_SUID, _NO_DEVICES, _NO_EXEC, _REMOUNT = 1, 2, 4, 8, 32
_BIND, _RECURSIVE, _PRIVATE, _RELATIVE_TIMES = 4096, 16384, 0x40000, 0x200000
_NO_TIMES, _NO_FOLDER_TIMES = 1024, 2048
# Flags of the original mount that a user namespace may not clear.
_KEPT: Final = _NO_SUID | _NO_DEVICES | _NO_EXEC | _NO_TIMES | _NO_FOLDER_TIMES
_ROOT: Final = "/tmp"  # noqa: S108  # only a place that exists everywhere to build the new root on
_ROOT_OPTIONS: Final = "size=256k,mode=755"
_EMPTY_OPTIONS: Final = "size=4k"
_SIGKILL: Final = 9


def enter(readable: Readable) -> None:
    """Leave every namespace of the grader's and see only `readable` as files.

    Raises:
        OSError: this system or container does not allow it.
    """
    user, group = os.getuid(), os.getgid()
    unshare(_NEW_OTHERS if user == 0 else _NEW_OTHERS | _NEW_USER)
    if user != 0:
        _stay_the_same_user(user, group)
    mount(None, "/", None, _RECURSIVE | _PRIVATE)
    files = [(path, os.open(path, os.O_PATH)) for path in (readable.library, *readable.extra)]
    mount("none", _ROOT, "tmpfs", _NO_SUID | _NO_DEVICES, _ROOT_OPTIONS)
    try:
        for path, file in sorted(files):
            _show(path, file)
            if path == readable.library:
                _cover(readable.hidden)
    finally:
        for _, file in files:
            os.close(file)
    for folder in readable.hidden:
        mount(None, _ROOT + str(folder), None, _REMOUNT | _READ_ONLY | _NO_SUID | _NO_DEVICES)
    _swap_root()


def become_first_process() -> int:
    """Go on as process 1 of the new process namespace: when it ends, the kernel ends all others there.

    The process that was here before only waits for it, and holds nothing. Returns a handle to it.
    """
    outer = os.pidfd_open(os.getpid())
    pid = os.fork()
    if pid == 0:
        return outer
    os.closerange(0, os.sysconf("SC_OPEN_MAX"))
    os._exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) & 0xFF)


def end_with(outer: int | None) -> None:
    """End this process when the `outer` one does. Only once the user is final: a change of user forgets it."""
    if outer is None:
        return
    prctl(PR_SET_PDEATHSIG, _SIGKILL)
    poller = select.poll()
    poller.register(outer, select.POLLIN)
    if poller.poll(0):  # it ended before we asked; in here its number is 0 either way
        os._exit(1)
    os.close(outer)


def _stay_the_same_user(user: int, group: int) -> None:
    Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1", encoding="ascii")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1", encoding="ascii")


def _show(path: Path, file: int) -> None:
    """Bind the open `file` into the new root at the same path, read-only."""
    target = Path(_ROOT + str(path))
    source = f"/proc/self/fd/{file}"
    flags = os.fstatvfs(file).f_flag & _KEPT
    if Path(source).is_dir():
        target.mkdir(parents=True, exist_ok=True)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch()
    mount(source, str(target), None, _BIND | _RECURSIVE)
    mount(None, str(target), None, _BIND | _REMOUNT | _READ_ONLY | flags)


def _cover(folders: tuple[Path, ...]) -> None:
    """Lay an empty folder over each of `folders`."""
    for folder in folders:
        mount("none", _ROOT + str(folder), "tmpfs", _NO_SUID | _NO_DEVICES, _EMPTY_OPTIONS)


def _swap_root() -> None:
    mount(None, _ROOT, None, _REMOUNT | _READ_ONLY | _NO_SUID | _NO_DEVICES)
    os.chdir(_ROOT)
    pivot_root = MACHINES[os.uname().machine].pivot_root
    check(syscall(pivot_root, b".", b"."), "pivot_root")
    detach(".")
    os.chdir("/")
