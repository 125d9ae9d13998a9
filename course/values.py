"""Read what `solve` returned as plain numbers, or name what it is instead.

Only exact built-in and numpy types are read: an object of the student's own class that only
claims to be a number is named, never asked. Standard library only; numpy is looked at, not imported.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Final

MAX_NUMBERS: Final = 200_000
MAX_DEPTH: Final = 6
_NUMPYS: Final = {"numpy", "numpy.ma", "numpy.ma.core"}  # a masked array is said to be of the last two
_EXACT_FRACTIONS: Final = {("decimal", "Decimal"), ("fractions", "Fraction")}
_WORDS: Final = {
    "NoneType": "None",
    "str": "a string",
    "bytes": "a bytes object",
    "dict": "a dict",
    "set": "a set",
    "bool": "True or False",
    "generator": "a generator",
    "complex": "a complex number",
    "coroutine": "a coroutine (an `async` function was called)",
    "function": "a function",
    "builtin_function_or_method": "a function",
    "method": "a function",
    "type": "a class",
    "module": "a module",
    "list": "a list",
    "tuple": "a tuple",
    "int": "a number",
    "float": "a number",
    "ndarray": "a numpy array",
}


@dataclass(frozen=True)
class Numbers:
    """Hold a rectangular table of numbers: `shape` by axis, `flat` in row order."""

    shape: tuple[int, ...]
    flat: tuple[float, ...]


@dataclass(frozen=True)
class Unusable:
    """Name what came back when it cannot be read as numbers.

    `what` completes "it returned ..."; `kind` is "none", "type", "ragged" or "size".
    """

    kind: str
    what: str


class _NotNumbersError(Exception):
    def __init__(self, kind: str, what: str) -> None:
        super().__init__(what)
        self.answer = Unusable(kind, what)


def read_value(value: object) -> Numbers | Unusable:
    """Read nested lists, tuples, deques, arrays and numbers of exact types; name anything else."""
    if value is None:
        return Unusable("none", "None")
    quick = _read_matrix(value)
    if quick is not None:
        return quick
    try:
        shape, flat = _read(value, 0)
    except _NotNumbersError as error:
        return error.answer
    if len(flat) > MAX_NUMBERS:
        return Unusable("size", f"more than {MAX_NUMBERS:,} numbers")
    return Numbers(shape, tuple(flat))


def to_lists(numbers: Numbers) -> Any:  # noqa: ANN401  # a number, or lists of lists of numbers
    """Write a table of numbers as plain nested lists of its shape; one number as itself."""
    return _nest(numbers.shape, numbers.flat)


def _nest(shape: tuple[int, ...], flat: Sequence[float]) -> Any:  # noqa: ANN401  # as `to_lists`
    if not shape:
        return flat[0]
    if len(shape) == 1:
        return list(flat)
    size = len(flat) // shape[0] if shape[0] else 0
    return [_nest(shape[1:], flat[at * size : (at + 1) * size]) for at in range(shape[0])]


def name_type(value: object) -> str:
    """Say in plain words what `value` is: "a string", "a generator", "a `map` object"."""
    name = type(value).__name__[:60]
    return _WORDS.get(name, f"an object of type `{name}`")


def _read_matrix(value: object) -> Numbers | None:
    """Read the usual case fast: a list of equally long lists of floats and ints."""
    if type(value) is not list or not value or type(value[0]) is not list:
        return None
    width = len(value[0])
    if not all(type(row) is list and len(row) == width for row in value):
        return None
    if width * len(value) > MAX_NUMBERS:
        return None
    flat = list(chain.from_iterable(value))
    if not set(map(type, flat)) <= {float, int}:
        return None
    try:
        return Numbers((len(value), width), tuple(map(float, flat)))
    except OverflowError:
        return None


def _read(value: object, depth: int) -> tuple[tuple[int, ...], list[float]]:
    kind = type(value)
    if kind is float or kind is int:
        return (), [_as_float(value)]
    if kind is list or kind is tuple:
        return _read_rows(value, depth)  # type: ignore[arg-type]  # narrowed by the exact type
    if kind is array or kind is deque:
        return _read_rows(list(islice(value, MAX_NUMBERS + 1)), depth)  # type: ignore[call-overload]  # as above
    if kind.__module__ in _NUMPYS:
        return _read_numpy(value, depth)
    if (kind.__module__, kind.__name__) in _EXACT_FRACTIONS:
        return (), [_as_float(value)]
    raise _NotNumbersError("type", name_type(value) if depth == 0 else f"a list that holds {name_type(value)}")


def _read_rows(rows: list[object] | tuple[object, ...], depth: int) -> tuple[tuple[int, ...], list[float]]:
    if depth >= MAX_DEPTH:
        raise _NotNumbersError("type", f"lists nested more than {MAX_DEPTH} deep")
    if len(rows) > MAX_NUMBERS:
        raise _NotNumbersError("size", f"more than {MAX_NUMBERS:,} rows")
    flat: list[float] = []
    shapes: list[tuple[int, ...]] = []
    for row in rows:
        shape, numbers = _read(row, depth + 1)
        shapes.append(shape)
        flat += numbers
        if len(flat) > MAX_NUMBERS:
            raise _NotNumbersError("size", f"more than {MAX_NUMBERS:,} numbers")
    if not shapes:
        return (0,), []
    if any(shape != shapes[0] for shape in shapes):
        raise _NotNumbersError("ragged", _describe_ragged(shapes))
    return (len(rows), *shapes[0]), flat


def _describe_ragged(shapes: list[tuple[int, ...]]) -> str:
    other = next(shape for shape in shapes if shape != shapes[0])
    if not other or not shapes[0]:
        return "a list that mixes numbers and rows"
    return f"rows of different lengths: {shapes[0][0]} and {other[0]}"


def _read_numpy(value: object, depth: int) -> tuple[tuple[int, ...], list[float]]:
    """Read arrays, matrices and scalars that numpy itself defines."""
    dtype = getattr(value, "dtype", None)
    kind = getattr(dtype, "kind", "?")
    if kind == "O" and hasattr(value, "tolist"):
        return _read(value.tolist(), depth + 1)
    if kind not in "iuf":
        words = {"b": "True or False", "c": "complex numbers", "U": "strings", "S": "bytes"}
        raise _NotNumbersError("type", f"a numpy array of {words[kind]}" if kind in words else name_type(value))
    if depth and type(value).__name__ == "matrix":
        raise _NotNumbersError("type", "a list of numpy matrices, each a table of its own")
    shape: tuple[int, ...] = value.shape  # type: ignore[attr-defined]  # arrays and scalars both have it
    size = 1
    for axis in shape:
        size *= axis
    if size > MAX_NUMBERS or len(shape) > MAX_DEPTH:
        raise _NotNumbersError("size", f"an array of shape {shape}")
    listed = value.tolist()  # type: ignore[attr-defined]
    for _ in shape[1:]:
        listed = [number for row in listed for number in row]
    numbers = listed if shape else [listed]
    if None in numbers:
        raise _NotNumbersError("type", "a masked array in which some places have no number")
    return shape, [float(number) for number in numbers]


def _as_float(value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]  # int, float, Decimal or Fraction
    except (OverflowError, ValueError):
        raise _NotNumbersError("type", "a number too large for a float") from None
