"""Be one object that stands in for everything: it answers to all, and nothing happens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, Final, Self

_GREY: Final = (0.5, 0.5, 0.5, 1.0)
_LIMITS: Final = (0.0, 1.0)
_INCHES: Final = (6.4, 4.8)


class Quiet:
    """Answer to everything with itself, or with nothing."""

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # anything can be asked of it
        """Return the stand-in for a method; protocols of Python's own stay absent."""
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return _SHAPED.get(name, self)

    def __setattr__(self, name: str, value: object) -> None:
        """Forget it."""

    def __call__(self, *given: object, **named: object) -> Any:  # noqa: ANN401  # see below
        """Return itself, so that chains of calls go on; what it decorates stays what it is."""
        return given[0] if len(given) == 1 and not named and isinstance(given[0], FunctionType) else self

    def __mro_entries__(self, _: object) -> tuple[type, ...]:
        """Be a base class: a new one each time, since no class may have the same one twice."""
        return (type("QuietBase", (_Base,), {}),)

    def __instancecheck__(self, _: object) -> bool:
        """Be a class that nothing is of."""
        return False

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

    def __float__(self) -> float:
        """Be zero."""
        return 0.0

    def __int__(self) -> int:
        """Be zero."""
        return 0

    def __format__(self, _: str) -> str:
        """Show nothing."""
        return ""

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

    def _no(self, _: object) -> bool:
        return False

    __lt__ = __le__ = __gt__ = __ge__ = _no
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _itself
    __floordiv__ = __rfloordiv__ = __mod__ = __pow__ = __rpow__ = __matmul__ = __neg__ = __pos__ = _itself
    __abs__ = __or__ = __and__ = _itself


class _Base(Quiet):
    """Be the base of a student's own class: what that sets on itself it finds again."""

    def __init__(self, *_: object, **__: object) -> None:
        """Take anything."""

    def __setattr__(self, name: str, value: object) -> None:
        """Keep it."""
        object.__setattr__(self, name, value)


class _Colours(Quiet):
    """Be every colour map, and the module of them: all is grey."""

    def __call__(self, *given: object, **named: object) -> Any:  # noqa: ANN401  # a colour, many, or itself
        """Return the four numbers of a colour for a number, and as many for each number of an array."""
        import numpy as np  # noqa: PLC0415  # the grader's own imports do without it

        if not given or isinstance(given[0], str | Quiet) or given[0] is None:
            return super().__call__(*given, **named)
        value: Any = given[0]
        shape = np.shape(value)
        return np.full((*shape, len(_GREY)), _GREY) if shape else _GREY


QUIET: Final = Quiet()
COLOURS: Final = _Colours()


def _subplots(rows: int = 1, columns: int = 1, *_: object, **named: Any) -> tuple[Quiet, Any]:  # noqa: ANN401
    """Return a figure and as many axes, in the same form, as matplotlib would."""
    import numpy as np  # noqa: PLC0415  # as above

    shape = (named.get("nrows", rows), named.get("ncols", columns))
    axes = np.full(shape, None, dtype=object)
    for at in np.ndindex(shape):
        axes[at] = QUIET
    if not named.get("squeeze", True):
        return QUIET, axes
    return QUIET, axes.squeeze() if axes.size != 1 else QUIET


def _always(value: object) -> Callable[..., Any]:
    return lambda *_, **__: value


# What is usually unpacked has to have its parts: `fig, ax = plt.subplots()`, `line, = ax.plot(x)`.
_SHAPED: Final[dict[str, Any]] = {
    "subplots": _subplots,
    "subplot_mosaic": _always((QUIET, QUIET)),
    "plot": _always([QUIET]),
    "hist": _always((QUIET, QUIET, QUIET)),
    "hist2d": _always((QUIET, QUIET, QUIET, QUIET)),
    "errorbar": _always((QUIET, QUIET, QUIET)),
    "stem": _always((QUIET, QUIET, QUIET)),
    "pie": _always((QUIET, QUIET)),
    "get_legend_handles_labels": _always(([], [])),
    **dict.fromkeys(("xlim", "ylim", "get_xlim", "get_ylim", "get_zlim", "get_clim"), _always(_LIMITS)),
    "get_size_inches": _always(_INCHES),
    **dict.fromkeys(("cm", "colormaps"), COLOURS),
    "get_cmap": _always(COLOURS),
}
