"""Say where `keepdims=True` makes one number for each row fit beside the rows again."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Final

from course.errors.joined import pieces_behind
from course.errors.spot import Spot
from course.errors.words import write

_OF_ROWS: Final = {"max", "min", "sum", "mean", "std", "var", "prod", "amax", "amin", "median"}
_TABLE: Final = 2
_LONGEST: Final = 60


def say_keepdims(spot: Spot, sides: Sequence[ast.expr], shapes: Sequence[Sequence[int]]) -> str:
    """Write where `keepdims=True` is missing, if a table met one number for each of its rows; "" where it did not."""
    if len(sides) != len(shapes) or sorted(map(len, shapes)) != [1, _TABLE]:
        return ""
    table = max(shapes, key=len)
    (side, short), *_ = [pair for pair in zip(sides, shapes, strict=True) if len(pair[1]) == 1]
    if short[0] != table[0]:
        return ""
    for piece, line in pieces_behind(spot, side):
        if any(isinstance(each, (ast.MatMult, ast.Subscript)) for each in ast.walk(piece)):
            return ""  # it may have another shape than what it is made of
        calls = list(_calls_over_rows(spot, piece))
        if calls:
            return _say(calls[0], line, write(side), table[0]) if len(calls) == 1 else ""
    return ""


def _say(call: ast.Call, line: int, what: str, rows: int) -> str:
    kept = ast.keyword("keepdims", ast.Constant(value=True))
    written = ast.unparse(ast.Call(call.func, call.args, [*call.keywords, kept]))
    shown = f": `{written}`" if len(written) <= _LONGEST else ""
    return (
        f"If {what} is to be one number for each row, add `keepdims=True` in line {line}{shown}. Then the shape is "
        f"({rows}, 1), and it fits."
    )


def _calls_over_rows(spot: Spot, piece: ast.expr) -> Iterator[ast.Call]:
    """Yield the calls that make one number of each row, and take its column away."""
    for each in ast.walk(piece):
        if not isinstance(each, ast.Call) or not isinstance(each.func, ast.Attribute) or each.func.attr not in _OF_ROWS:
            continue
        value = each.func.value
        of_module = isinstance(value, ast.Name) and isinstance(spot.names.get(value.id), ModuleType)
        named = {word.arg: ast.unparse(word.value) for word in each.keywords}
        placed = [ast.unparse(one) for one in each.args[int(of_module) :]][:1]
        if "keepdims" not in named and (named.get("axis") or "".join(placed)) in {"1", "-1"}:
            yield each
