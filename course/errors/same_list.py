"""Find the line that puts one and the same list into a list several times, where its rows are then changed in place."""

from __future__ import annotations

import ast
from typing import Final

_CHANGES: Final = {"append", "extend", "insert"}


def say_same_list(function: ast.FunctionDef) -> str:
    """Name the line and the cure, in two sentences; "" where there is none."""
    for each in ast.walk(function):
        if not isinstance(each, ast.Assign) or not isinstance(each.targets[0], ast.Name):
            continue
        name, row = each.targets[0].id, _row_repeated(each.value)
        if row is not None and isinstance(each.value, ast.BinOp) and _changes_a_row(name, function):
            left, right = each.value.left, each.value.right
            times = ast.unparse(right if isinstance(left, ast.List) else left)
            return (
                f"Line {each.lineno} puts one and the same list into `{name}` again and again: what one row gets, all "
                f"rows get. Write `{name} = [{ast.unparse(row)} for _ in range({times})]`."
            )
    return ""


def _row_repeated(value: ast.expr) -> ast.expr | None:
    """Return the list inside `[[...]] * n`; None for anything else, such as `[0] * n`."""
    if not isinstance(value, ast.BinOp) or not isinstance(value.op, ast.Mult):
        return None
    outer = next((each for each in (value.left, value.right) if isinstance(each, ast.List)), None)
    inner = outer.elts[0] if outer is not None and len(outer.elts) == 1 else None
    return inner if inner is not None and _is_list(inner) else None


def _is_list(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return isinstance(node.left, ast.List) or isinstance(node.right, ast.List)
    return isinstance(node, (ast.List, ast.ListComp))


def _changes_a_row(name: str, function: ast.FunctionDef) -> bool:
    """Tell whether `name[i]` gets another item: by `append`, by `+=`, or in one of its places."""
    for each in ast.walk(function):
        changed: ast.expr | None = None
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr in _CHANGES:
            changed = each.func.value
        elif isinstance(each, ast.AugAssign) and _is_row(each.target, name):
            changed = each.target
        elif isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Store):
            changed = each.value
        if changed is not None and _is_row(changed, name):
            return True
    return False


def _is_row(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == name
