"""Stand in for the modules that scratch cells import: plots, widgets, the course's own checks.

The real ones are not here on purpose: a plot costs a second, and `course` would show how work is compared.
"""

from __future__ import annotations

import builtins
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final, NoReturn

from course.running.standing_in import COLOURS, QUIET, Quiet
from course.running.waiting import ASYNCIO, find_asyncio

_STAND_INS: Final = ("course", "IPython", "matplotlib", "mpl_toolkits", "ipywidgets")
_VERSION: Final = "9.9.9"  # newer than whatever a cell asks for


class _QuietModule(ModuleType):
    __path__: list[str] = []  # noqa: RUF012  # any submodule can be imported too
    __all__: list[str] = []  # noqa: RUF012  # `from course import *` brings nothing
    __version__ = _VERSION

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # anything can be asked of it
        return getattr(COLOURS if self.__name__ == "matplotlib.cm" else QUIET, name)


class _Loader:
    @staticmethod
    def create_module(spec: ModuleSpec) -> ModuleType:
        return _QuietModule(spec.name)

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        del module


class _Finder:
    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        del path, target
        if name == ASYNCIO:
            return find_asyncio()
        if name.partition(".")[0] not in _STAND_INS:
            return None
        return ModuleSpec(name, _Loader, is_package=True)  # type: ignore[arg-type]  # a loader is anything with its methods


def install() -> None:
    """Make the stand-ins importable, and give cells the built-ins that a notebook has."""
    sys.meta_path.insert(0, _Finder)
    extras = {
        "display": _nothing,
        "get_ipython": _quiet,
        "input": _nobody_answers,
        "exit": _leave,
        "quit": _leave,
    }
    vars(builtins).update(extras)


def _nothing(*_: object, **__: object) -> None:
    """Show nothing."""


def _quiet() -> Quiet:
    return QUIET


def _leave(code: object = None) -> NoReturn:
    raise SystemExit(code)


def _nobody_answers(prompt: object = "") -> NoReturn:
    """Raise at once: a made-up answer would let code go on with something that nobody typed."""
    del prompt
    message = "input() cannot be answered while your work is graded"
    raise EOFError(message)
