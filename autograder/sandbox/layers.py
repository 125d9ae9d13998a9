"""Put on the layers of the jail that hold for the zygote and all its children alike."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from autograder.sandbox import landlock, namespaces
from autograder.sandbox.files import Readable
from autograder.sandbox.kernel import (
    PR_SET_CHILD_SUBREAPER,
    PR_SET_DUMPABLE,
    PR_SET_NO_NEW_PRIVS,
    drop_capabilities,
    prctl,
)
from autograder.sandbox.seccomp import Filter, make_filter

UNPRIVILEGED_UID: Final = 60001
_REASON_BYTES: Final = 500


@dataclass
class Jail:
    """Say which layers are on, why the others are not, and keep what each child still has to put on itself."""

    on: list[str] = field(default_factory=list)
    off: dict[str, str] = field(default_factory=dict)
    filter: Filter | None = None
    rlimits: bool = False


def put_on(wanted: list[str], readable: Readable) -> Jail:
    """Put on every layer in `wanted` that this machine allows. Returns in the process that goes on as the zygote."""
    jail = Jail()

    def layer(name: str, apply: Callable[[], None], *, rehearse: bool) -> None:
        if name not in wanted:
            jail.off[name] = "not asked for"
            return
        reason = _rehearse(apply) if rehearse else ""
        if reason:
            jail.off[name] = reason
            return
        try:
            apply()
            jail.on.append(name)
        except OSError as error:
            jail.off[name] = str(error)

    layer("namespaces", lambda: namespaces.enter(readable), rehearse=True)
    outer = namespaces.become_first_process() if "namespaces" in jail.on else None
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    layer("uid", lambda: _drop_uid(readable), rehearse=True)
    drop_capabilities()
    prctl(PR_SET_DUMPABLE, 0)  # no ptrace and no /proc/PID/mem, even for processes of the same user
    prctl(PR_SET_CHILD_SUBREAPER, 1)  # no orphan escapes
    namespaces.end_with(outer)
    layer("landlock", lambda: landlock.restrict(readable), rehearse=True)
    layer("seccomp", lambda: _keep_filter(jail), rehearse=False)
    layer("rlimits", lambda: _keep_rlimits(jail), rehearse=False)
    return jail


def _keep_filter(jail: Jail) -> None:
    jail.filter = make_filter()


def _keep_rlimits(jail: Jail) -> None:
    jail.rlimits = True


def _drop_uid(readable: Readable) -> None:
    if os.getuid() != 0:
        message = "the grader is not root, so that student code runs as the grader's own user"
        raise OSError(message)
    os.setgroups([])
    os.setresgid(UNPRIVILEGED_UID, UNPRIVILEGED_UID, UNPRIVILEGED_UID)
    os.setresuid(UNPRIVILEGED_UID, UNPRIVILEGED_UID, UNPRIVILEGED_UID)
    for path in (readable.library / "os.py", *readable.extra):
        if not os.access(path, os.R_OK):
            message = f"another user may not read {path}, which Python needs"
            raise OSError(message)


def _rehearse(apply: Callable[[], None]) -> str:
    """Try a layer in a throw-away process first, because half a layer is worse than none. Return what went wrong."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            apply()
        except BaseException as error:  # noqa: BLE001  # whatever it is, the layer does not work
            os.write(writer, (str(error) or type(error).__name__).encode()[:_REASON_BYTES])
        finally:
            os._exit(0)
    os.close(writer)
    os.waitpid(pid, 0)
    reason = os.read(reader, _REASON_BYTES).decode("utf-8", "replace")
    os.close(reader)
    return reason
