"""Bind this process to reading the libraries and nothing else, with Landlock."""

from __future__ import annotations

import ctypes
import os
import struct
from pathlib import Path
from typing import Final

from autograder.sandbox.files import Readable
from autograder.sandbox.kernel import check, syscall
from autograder.sandbox.syscalls import LANDLOCK_ADD_RULE, LANDLOCK_CREATE_RULESET, LANDLOCK_RESTRICT_SELF

_ASK_VERSION: Final = 1
_PATH_BENEATH: Final = 1
_READ_FILE: Final = 4
_READ_FOLDER: Final = 8
_RULE: Final = struct.Struct("=Qi")
_RIGHTS_BY_VERSION: Final = {1: 13, 2: 14, 3: 15, 4: 15}
_RIGHTS_SINCE: Final = 16
_NETWORK: Final = 3  # bind and connect TCP
_SCOPES: Final = 3  # abstract unix sockets, signals
_VERSION_WITH_NETWORK: Final = 4
_VERSION_WITH_SCOPES: Final = 6


def restrict(readable: Readable) -> None:
    """Forbid every file access but reading `readable`, and from the kernel's version 6 on all sockets and signals.

    Raises:
        OSError: the kernel has no Landlock.
    """
    version = check(syscall(LANDLOCK_CREATE_RULESET, None, ctypes.c_size_t(0), _ASK_VERSION), "landlock")
    handled = _handled(version)
    rules = check(syscall(LANDLOCK_CREATE_RULESET, handled, ctypes.c_size_t(len(handled)), 0), "landlock")
    try:
        # Rights go down the tree, so that the library folder itself gets only the right to be listed.
        _allow(rules, readable.library, _READ_FOLDER)
        for path in (*readable.parts(), *readable.extra):
            _allow(rules, path, _READ_FILE | _READ_FOLDER)
        check(syscall(LANDLOCK_RESTRICT_SELF, rules, 0), "landlock")
    finally:
        os.close(rules)


def _handled(version: int) -> bytes:
    files = (1 << _RIGHTS_BY_VERSION.get(version, _RIGHTS_SINCE)) - 1
    words = [files]
    if version >= _VERSION_WITH_NETWORK:
        words.append(_NETWORK)
    if version >= _VERSION_WITH_SCOPES:
        words.append(_SCOPES)
    return struct.pack(f"{len(words)}Q", *words)


def _allow(rules: int, path: Path, rights: int) -> None:
    file = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        possible = rights if path.is_dir() else rights & _READ_FILE
        rule = _RULE.pack(possible, file)
        check(syscall(LANDLOCK_ADD_RULE, rules, _PATH_BENEATH, rule, 0), f"landlock {path}")
    finally:
        os.close(file)
