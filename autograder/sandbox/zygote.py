"""Be the zygote: import numpy once, put on the jail once, then fork a child per job and tell how each one ended.

It passes the files of a job on to the child and never reads them, so that nothing of one submission
is in the memory that the next one is forked from.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import resource
import socket
import sys
import traceback
from typing import Any, Final

from autograder.sandbox.child import Setting, run_child
from autograder.sandbox.files import find_readable
from autograder.sandbox.kernel import fork
from autograder.sandbox.layers import Jail, put_on
from autograder.sandbox.rlimits import NoRoomError, Room, make_room
from autograder.sandbox.warming import warm_up
from autograder.sandbox.watch import Bounds, Watcher
from autograder.sandbox.wire import ENDING, GATED_JOB_FILES, HELLO, JOB, JOB_FILES, Exit
from course.running import quiet

# What solutions import most, once here instead of once per submission. Rarer modules are left to those who use them:
# each shared library in this process makes every fork slower.
# fmt: off
_COMMON: Final = (
    "abc", "collections", "collections.abc", "contextlib", "copy", "dataclasses", "enum", "functools", "itertools",
    "json", "math", "operator", "random", "re", "string", "textwrap", "time", "types", "typing", "warnings",
)
# fmt: on


def main(config: str, socket_file: str) -> None:
    """Get ready, say which layers are on, then serve jobs until the grader hangs up."""
    grader = socket.socket(fileno=os.dup(int(socket_file)))  # a low number: the old one may be one that a child uses
    os.close(int(socket_file))
    try:
        setting, watcher, hello = _prepare(json.loads(config))
    except NoRoomError as error:
        _say_hello(grader, {"fault": str(error)})
        os._exit(1)
    except BaseException:  # noqa: BLE001  # whatever it is, the grader has to hear of it
        hello = {"fault": traceback.format_exc(limit=-3)}
        _say_hello(grader, hello)
        os._exit(1)
    _say_hello(grader, hello)
    gc.collect()
    gc.freeze()
    gc.disable()
    while True:
        _serve(grader, setting, watcher)


def _prepare(config: dict[str, Any]) -> tuple[Setting, Watcher, dict[str, Any]]:
    """Import what submissions use and put on the jail."""
    packages = _import_all(config["packages"], config["folders"])
    watcher = Watcher.open()
    devnull = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    readable, used_bytes = find_readable(packages), _address_space_bytes()
    make_room(Room(*config["room"]), used_bytes)
    jail = put_on(config["layers"], readable)
    watcher.alone = "namespaces" in jail.on
    quiet.install()
    setting = Setting(os.getpid(), devnull, used_bytes, jail.filter, jail.rlimits, warm_up(devnull))
    return setting, watcher, _describe(jail)


def _describe(jail: Jail) -> dict[str, Any]:
    return {"on": jail.on, "off": jail.off}


def _import_all(packages: list[str], folders: list[str]) -> tuple[str, ...]:
    """Import `packages` from `folders`, which are on the path only meanwhile, and the usual standard modules."""
    standard = [entry for entry in sys.path if entry and "-packages" not in entry]
    sys.path[:] = [*folders, *standard]
    for name in (*packages, *_COMMON):
        importlib.import_module(name)
    sys.path[:] = standard
    sys.path_importer_cache.clear()
    return tuple(packages)


def _address_space_bytes() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123  # one line
        return int(file.read().split()[0]) * resource.getpagesize()


def _say_hello(grader: socket.socket, hello: dict[str, Any]) -> None:
    data = json.dumps(hello).encode()
    grader.sendall(HELLO.pack(len(data)) + data)


def _serve(grader: socket.socket, setting: Setting, watcher: Watcher) -> None:
    """Run one job: fork, watch, clean up, report."""
    message, files, _, _ = socket.recv_fds(grader, JOB.size, GATED_JOB_FILES)
    if len(message) < JOB.size or len(files) < JOB_FILES:
        os._exit(0)
    pid = fork()
    if pid == 0:
        try:
            grader.close()
            run_child(setting, files)
        except MemoryError:
            os._exit(Exit.NO_MEMORY)
        finally:
            os._exit(Exit.NO_CHANNEL)
    _, _, output, _, loading, *_ = files
    ending = watcher.watch(pid, output, loading, Bounds._make(JOB.unpack(message)))
    for file in files:
        os.close(file)
    grader.sendall(ENDING.pack(*ending))
