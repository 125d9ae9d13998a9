"""Say which loop was running when the learner stopped a call, and why it may never end."""

from __future__ import annotations

import ast
from typing import Final

from course.errors.spot import Spot, Told
from course.errors.words import say_held

_LONGEST: Final = 40
_GROW: Final = {"append", "extend", "insert"}
_ONLY_READ: Final = {"len", "range", "min", "max", "sum", "abs", "print", "int", "float", "str"}
_Loop = ast.While | ast.For


def tell_stopped(spot: Spot) -> Told:
    """Name the line where the call was stopped, and the loop around it."""
    at = f"When you stopped it, your code was in line {spot.line}: `{spot.code[:_LONGEST]}`."
    around = [each for each in spot.statements if isinstance(each, _Loop) and _holds(each, spot.line)]
    if not around:
        return Told(at, f"Find out why your code stays in line {spot.line}.")
    inner_first = sorted(around, key=lambda each: -each.lineno)
    endless = [each for each in inner_first if _is_endless(each)]
    whiles = [each for each in inner_first if isinstance(each, ast.While)]
    loop = (endless or whiles or inner_first)[0]
    says = f"{at} The loop that begins in line {loop.lineno} may never end."
    if isinstance(loop, ast.For):
        listed = ast.unparse(loop.iter)
        action = f"Do not make `{listed}` longer inside the loop of line {loop.lineno}: use another list for that."
        return Told(says, action if endless else f"Make line {loop.lineno} go through fewer items.")
    names = [name for name in _names(loop.test) if name in spot.own_names]
    if not names:
        return Told(says, f"Leave the loop of line {loop.lineno} with `break` or `return` when the work is done.")
    test, held = ast.unparse(loop.test), say_held(names, spot.own_names)
    now = f" Now {held}." if held else ""
    if endless:
        return Told(f"{says}{now} No line inside it changes that.", f"Change `{names[0]}` in each round of the loop.")
    return Told(f"{says}{now}", f"Make sure that each round of the loop brings `{test}` nearer to its end.")


def _holds(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def _is_endless(loop: _Loop) -> bool:
    """Tell whether nothing in a `while` changes what it asks for, or a `for` makes its own list longer."""
    inside = [node for each in loop.body for node in ast.walk(each)]
    methods = {(ast.unparse(each.value), each.attr) for each in inside if isinstance(each, ast.Attribute)}
    if isinstance(loop, ast.For):
        return any((ast.unparse(loop.iter), name) in methods for name in _GROW)
    set_here = {each.id for each in inside if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    changed = set_here | {owner for owner, _ in methods} | _written_to(inside) | _handed_on(inside)
    ends = any(isinstance(each, (ast.Break, ast.Return)) for each in inside)
    return not ends and not changed & set(_names(loop.test))


def _written_to(inside: list[ast.AST]) -> set[str]:
    """Return the names whose items are set or deleted."""
    items = [each for each in inside if isinstance(each, ast.Subscript) and not isinstance(each.ctx, ast.Load)]
    return {ast.unparse(each.value) for each in items}


def _handed_on(inside: list[ast.AST]) -> set[str]:
    """Return the names that are given to a function, which may change them."""
    calls = [each for each in inside if isinstance(each, ast.Call) and ast.unparse(each.func) not in _ONLY_READ]
    return {name for call in calls for each in call.args for name in _names(each)}


def _names(test: ast.expr) -> list[str]:
    return list(dict.fromkeys(each.id for each in ast.walk(test) if isinstance(each, ast.Name)))
