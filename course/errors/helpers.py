"""Tell whether an error in a function of the learner's was handed to it from outside, and point to the calling line."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from course.errors.spot import Spot
from course.errors.words import describe, write
from course.kept_cells import inputs_of

_TABLE: Final = 2


def from_outside(spot: Spot) -> str:
    """Say to look at the line that calls this function; empty where the fault may well be inside it.

    The function is not to blame where it has done its work before in the same call, or where an input holds lists
    inside the rows of a table.
    """
    same_cell = spot.caller is not None and spot.caller.f_code.co_filename == spot.home.f_code.co_filename
    calls = [each for each in ast.walk(spot.tree) if _calls(each, spot.function) and _holds(each, spot.called_in)]
    if not same_cell or len(calls) != 1:
        return ""
    worked, given = _line_before(spot), _given(spot)
    if not worked and not any(_depth(value) > _TABLE for value in given):
        return ""
    start = f"`{spot.function}` worked in line {worked}. So look" if worked else "Look"
    return f"{start} at what line {spot.called_in} gives it: {'; '.join(_say(calls[0], given))}."


def _given(spot: Spot) -> list[object]:
    """Return the inputs of this function, in their order."""
    return [spot.home.f_locals.get(name) for name in inputs_of(spot.home.f_code)]


def _line_before(spot: Spot) -> int:
    """Return the last line above, of the same function and outside of its loops and branches, that calls this one."""
    functions = [each for each in ast.walk(spot.tree) if isinstance(each, ast.FunctionDef)]
    around = [each for each in functions if _holds(each, spot.called_in)]
    home = max(around, key=lambda each: each.lineno, default=None)
    body = home.body if home else []
    plain = [each for each in body if isinstance(each, (ast.Assign, ast.AnnAssign, ast.Expr))]
    done = [each for each in plain if (each.end_lineno or each.lineno) < spot.called_in]
    lines = [each.lineno for each in done if any(_calls(node, spot.function) for node in ast.walk(each))]
    return max(lines, default=0)


def _say(call: ast.AST, given: Sequence[object]) -> Iterator[str]:
    """Write the inputs of the call with what they are."""
    for node, value in zip(getattr(call, "args", ()), given, strict=False):
        nested = "a list with lists inside its rows" if _depth(value) > _TABLE else describe(value)
        yield f"{write(node)}, {nested}"


def _depth(value: object) -> int:
    """Count the lists inside each other, along the first items."""
    depth = 0
    while type(value) in {list, tuple} and value:
        value, depth = value[0], depth + 1  # type: ignore[index]  # narrowed by the exact type
    return depth


def _calls(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def _holds(node: ast.AST, line: int) -> bool:
    first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)
    return bool(first <= line <= (last or first))
