"""Write a piece of the learner's code, and what it held, in plain words. Nothing of theirs runs."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from types import FunctionType, ModuleType
from typing import Final

from course.values import Numbers, name_type, read_value

PLAIN: Final = (list, tuple, str, dict, range)
_LONGEST: Final = 40
_MOST_DIGITS: Final = 6
_MOST_NAMES: Final = 4
_SHORT: Final = 30


def write(node: ast.AST | None) -> str:
    """Write a short piece of code between backticks; a long one is "this value"."""
    text = ast.unparse(node) if node is not None else ""
    return f"`{text}`" if text and len(text) <= _LONGEST and "`" not in text else "this value"


def describe(value: object) -> str:  # noqa: PLR0911  # one for each kind of value
    """Say in plain words what a value is: "the number 3", "a list of 2 rows with 3 numbers each"."""
    kind = type(value)
    if kind in {int, float}:
        written = repr(value) if kind is int or len(repr(value)) <= _MOST_DIGITS else f"{value:.{_MOST_DIGITS}g}"
        return f"the number {written:.{_LONGEST}}"
    if kind is str:
        return f"the text {value!r:.{_LONGEST}}"
    if value is None or kind is bool:
        return str(value)
    if kind.__module__ == "numpy" and hasattr(value, "shape"):
        return f"an array of shape {value.shape}" if value.shape else f"the number {value}"
    if isinstance(value, ModuleType):
        return "a module"
    if isinstance(value, FunctionType) or kind.__name__ in {"builtin_function_or_method", "type", "method"}:
        return "a function"
    return _describe_list(value) if isinstance(value, (list, tuple)) and kind in PLAIN else name_type(value)


def _describe_list(value: list[object] | tuple[object, ...]) -> str:
    if not value:
        return "an empty list"
    numbers = read_value(value)
    shape = numbers.shape if isinstance(numbers, Numbers) else ()
    match shape:
        case (size,):
            return f"a list of {count(size, 'number')}"
        case (rows, width):
            return f"a list of {count(rows, 'row')} with {count(width, 'number')} each"
    return f"a list of {count(len(value), 'item')}"


def count(number: int, noun: str) -> str:
    """Write a number with its noun: "1 row", "2 rows"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def say_held(names: Iterable[str], values: Mapping[str, object]) -> str:
    """Say what names held: whole numbers, sizes, keys. "`i` is 3, `ids` has length 3"."""
    return ", ".join([said for name in names if (said := _say(name, values[name]))][:_MOST_NAMES])


def _say(name: str, value: object) -> str:
    if type(value) in {int, float}:
        return f"`{name}` is {value!r:.{_SHORT}}"
    if type(value) is dict:
        keys = [key for key in value if type(key) is str]
        return f"`{name}` has the keys {', '.join(f'`{key:.{_SHORT}}`' for key in keys)}" if keys else ""
    if type(value) in {list, tuple, str}:
        return f"`{name}` has length {len(value)}"  # type: ignore[arg-type]  # narrowed by the exact type
    return ""
