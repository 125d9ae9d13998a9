"""Stand in for what scratch cells import: plots, widgets, the course's own checks. Everything answers, nothing happens.

The real ones are not here on purpose: a plot costs a second, and `course` would show how work is compared.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Iterator
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final, NoReturn, Self

_STAND_INS: Final = ("course", "IPython", "matplotlib", "mpl_toolkits", "ipywidgets")


class Quiet:
    """Answer to everything with itself, or with nothing."""

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # anything can be asked of it
        """Return the stand-in for a method; protocols of Python's own stay absent."""
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return _SHAPED.get(name, self)

    def __setattr__(self, name: str, value: object) -> None:
        """Forget it."""

    def __call__(self, *_: object, **__: object) -> Any:  # noqa: ANN401  # see `decorated`
        """Return itself, so that chains of calls go on."""
        return self

    def __getitem__(self, _: object) -> Self:
        """Return itself."""
        return self

    def __setitem__(self, _: object, __: object) -> None:
        """Forget it."""

    def __iter__(self) -> Iterator[Self]:
        """Hold nothing."""
        return iter(())

    def __len__(self) -> int:
        """Hold nothing."""
        return 0

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Let errors through."""

    def __repr__(self) -> str:
        """Show nothing."""
        return ""

    def _itself(self, *_: object) -> Self:
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _itself
    __floordiv__ = __mod__ = __pow__ = __matmul__ = __neg__ = __pos__ = __abs__ = __or__ = __and__ = _itself


QUIET: Final = Quiet()


def _subplots(rows: int = 1, columns: int = 1, **named: Any) -> tuple[Quiet, Any]:  # noqa: ANN401  # as matplotlib's
    """Return a figure and as many axes, in the same form, as matplotlib would."""
    import numpy as np  # noqa: PLC0415  # the grader's own imports do without it

    shape = (named.get("nrows", rows), named.get("ncols", columns))
    axes = np.full(shape, None, dtype=object)
    for at in np.ndindex(shape):
        axes[at] = QUIET
    return QUIET, axes.squeeze() if axes.size != 1 else QUIET


def _lines(*_: object, **__: object) -> list[Quiet]:
    return [QUIET]


def _histogram(*_: object, **__: object) -> tuple[Quiet, Quiet, Quiet]:
    return QUIET, QUIET, QUIET


# What is usually unpacked has to have its parts: `fig, ax = plt.subplots()`, `line, = ax.plot(x)`.
_SHAPED: Final[dict[str, Callable[..., Any]]] = {"subplots": _subplots, "plot": _lines, "hist": _histogram}


class _QuietModule(ModuleType):
    __path__: list[str] = []  # noqa: RUF012  # any submodule can be imported too
    __all__: list[str] = []  # noqa: RUF012  # `from course import *` brings nothing

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # anything can be asked of it
        return getattr(QUIET, name)


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
