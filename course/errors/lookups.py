"""Say in plain words what a list or a dict has, where an item was asked for that is not there."""

from __future__ import annotations

import ast
import re
from typing import Final

from course.errors.names import alike_in
from course.errors.spot import Spot, Told, UnknownValueError
from course.errors.tables import counts_another, gone_through, tell_swapped, tell_too_small
from course.errors.words import count, say_held, write

_NAME: Final = re.compile(r"(?<![\w.\"'])[A-Za-z_]\w*(?=\W|$)")
_MOST_KEYS: Final = 6
_LONGEST: Final = 30


def tell_place(spot: Spot, error: BaseException) -> Told | None:
    """An index for which the list is too short."""
    node = spot.find(ast.Subscript)
    if node is None or "pop from empty" in str(error):
        return Told("This list is empty here, so nothing can be taken out.", "") if "pop" in str(error) else None
    try:
        base, index = spot.value(node.value), spot.value(node.slice)
        size = len(base)
    except (UnknownValueError, TypeError):
        held = _held(spot)
        return Told(
            f"An index is too large: a list of n items has the indices 0 to n - 1.{f' Here {held}.' if held else ''}"
        )
    if type(index) is not int:
        return None
    written = write(node.slice)
    asked = f"index {index}" if isinstance(node.slice, ast.Constant) else f"index {index} ({written})"
    name = write(node.value)
    has = f"{name} has {count(size, 'item')}, so its last index is {size - 1}" if size else f"{name} is empty"
    says = f"{has[:1].upper()}{has[1:]}. Line {spot.line} asks for {asked}."
    if "assignment" in str(error):
        return Told(
            f"{says} Writing to an index does not make a list longer.",
            f"Use `{ast.unparse(node.value)}.append(...)` in line {spot.line}.",
        )
    return _too_far(spot, node, says, size, index)


def _too_far(spot: Spot, node: ast.Subscript, says: str, size: int, index: int) -> Told:
    """Say what to do about an index that is beyond the end of a list."""
    written, name = write(node.slice), write(node.value)
    if not size:
        return Told(says, f"Find out why {name} is empty when line {spot.line} runs.")
    swapped = tell_swapped(spot, node)
    if swapped:
        return Told(says, swapped)
    larger = tell_too_small(spot, node, size, index)
    if larger:
        return Told(says, larger)
    if counts_another(spot, node.slice):
        return Told(
            f"{says}{_origin(spot, node.slice)}",
            f"Find out what is wrong in line {spot.line}: is {written} too large, or is {name} too short?",
            unsure=True,
        )
    return Told(says, f"Change {written} so that it is never larger than {size - 1}.{_origin(spot, node.slice)}")


def _origin(spot: Spot, index: ast.AST) -> str:
    """Say where the name in an index gets its numbers from; empty where there is no such name, or it is not known."""
    names = {each.id for each in ast.walk(index) if isinstance(each, ast.Name)}
    if len(names) != 1:
        return ""
    (name,) = names
    near = gone_through(spot, name)
    if near is not None:
        return f" `{name}` comes from {write(near)}{f' in line {near.lineno}' if near.lineno != spot.line else ''}."
    line = spot.line_that_sets(name)
    return f" `{name}` gets its value in line {line}." if line and line != spot.line else ""


def tell_key(spot: Spot, error: BaseException) -> Told | None:
    """A key that the dict does not have."""
    key = error.args[0] if error.args else None
    node = spot.find(ast.Subscript)
    try:
        keys = list(spot.value(node.value)) if node is not None else []
    except (UnknownValueError, TypeError):
        return None
    if node is None or type(key) not in {str, int, float, bool, tuple}:
        return None
    shown = ", ".join(f"{each!r:.{_LONGEST}}" for each in keys[:_MOST_KEYS] if type(each) in {str, int, float, bool})
    more = ", ..." if len(keys) > _MOST_KEYS else ""
    has = f"Its keys are {shown}{more}." if shown else "It has no keys yet." if not keys else ""
    says = f"{write(node.value)} has no key `{key!r:.{_LONGEST}}`. {has}".strip()
    alike = alike_in(key, [each for each in keys if type(each) is str]) if type(key) is str else ""
    if alike:
        return Told(f"{says} Did you mean `{alike!r}`?", f"Write `{alike!r}` in line {spot.line}.")
    written, base = ast.unparse(node.slice), ast.unparse(node.value)
    return Told(says, f"Give this key a value before line {spot.line} reads it, or use `{base}.get({written}, 0)`.")


def _held(spot: Spot) -> str:
    names = [name for name in dict.fromkeys(_NAME.findall(spot.code)) if name in spot.own_names]
    return say_held(names, spot.own_names)
