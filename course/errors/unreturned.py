"""Say which list should have been returned, or that nothing was ever added to the one that was."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from course.errors.spot import Told, statements_in

_LOOPS: Final = (ast.For, ast.While)
_WHAT: Final = {0: "one number", 1: "a flat list of numbers"}


def tell_unreturned(function: ast.FunctionDef, got: Sequence[int], want: Sequence[int]) -> Told | None:
    """Look at the one `return name` at the end of a function whose answer has a wrong shape; None where that is fine.

    `got` and `want`: the shapes of the answer and of the right one.
    """
    returns = [each for each in ast.walk(function) if isinstance(each, ast.Return)]
    if len(returns) != 1 or returns[0] is not function.body[-1] or not isinstance(returns[0].value, ast.Name):
        return None
    name, line = returns[0].value.id, returns[0].lineno
    begun = dict(_lists_begun(function))
    if name in begun and 0 in got and _times(function, name) == 1:
        return Told(
            f"`{name}` is empty in line {line}: nothing was added to it after line {begun[name]}.",
            f"Add each {'row' if len(want) > 1 else 'number'} with `{name}.append(...)` as soon as it is complete.",
        )
    if len(got) != len(want) - 1 or len(got) not in _WHAT:
        return None
    forgotten = [(other, at) for other in begun if (at := _only_added_to(function, other, name))]
    if len(forgotten) != 1:
        return None
    (other, at) = forgotten[0]
    return Told(
        f"Line {line} returns `{name}`, {_WHAT[len(got)]}. Nothing uses `{other}`, the list that line {at} adds to.",
        f"Write `return {other}` in line {line}.",
    )


def _lists_begun(function: ast.FunctionDef) -> Iterator[tuple[str, int]]:
    """Yield the names that get their only value from `name = []`, above all loops, with the line."""
    stored = [each.id for each in ast.walk(function) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
    for each in function.body:
        if isinstance(each, ast.Assign) and ast.unparse(each.value) in {"[]", "list()"}:
            name = ast.unparse(each.targets[0])
            if len(each.targets) == 1 and stored.count(name) == 1:
                yield name, each.lineno


def _times(node: ast.AST, name: str) -> int:
    """Count how often a name is read."""
    reads = (each for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load))
    return sum(each.id == name for each in reads)


def _only_added_to(function: ast.FunctionDef, name: str, item: str) -> int:
    """Return the line in a loop that adds the item to a list which nothing else reads; 0 where there is none."""
    for loop in statements_in(function):
        for each in statements_in(loop) if isinstance(loop, _LOOPS) else ():
            call = each.value if isinstance(each, ast.Expr) else None
            if isinstance(call, ast.Call) and ast.unparse(call.func) == f"{name}.append" and _times(call, item):
                return each.lineno if _times(function, name) == 1 else 0
    return 0
