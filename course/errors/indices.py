"""Say in plain words what stands in the place of an index or a count, where a whole number is needed."""

from __future__ import annotations

import ast
from typing import Final

from course.errors.spot import Spot, Told, UnknownValueError, names_set_by, statements_in
from course.kept_cells import inputs_of

_MOST_STEPS: Final = 8


def tell_not_whole(spot: Spot, _message: str) -> Told:
    """A float where a place or a count is needed; `/` is only blamed where it stands."""
    node = spot.find(ast.Subscript, ast.Call, ast.BinOp)
    parts = node.args if isinstance(node, ast.Call) else [node.slice] if isinstance(node, ast.Subscript) else []
    inner = [each for part in parts for each in ast.iter_child_nodes(part)] if node else []
    culprit = next((each for each in (*parts, *inner) if _is_float(spot, each)), None)
    said = f" Here it is {spot.say(culprit)}, a float." if culprit is not None else " Here it is a float."
    line = _line_of_division(spot, culprit if culprit is not None else node, spot.line)
    rule = "A place in a list and a count must be whole numbers."
    if not line:
        return Told(f"{rule}{said}", f"Make it a whole number in line {spot.line}: `int(...)` does that.")
    return Told(
        f"{rule}{said} `/` always gives a float, `//` gives a whole number.",
        f"Look at the `/` in line {line}. If a whole number is meant, write `//`.",
    )


def _is_float(spot: Spot, node: ast.AST) -> bool:
    try:
        return type(spot.value(node)) is float
    except UnknownValueError:
        return False


def _line_of_division(spot: Spot, node: ast.AST | None, line: int, steps: int = _MOST_STEPS) -> int:
    """Return the line of the `/` that a value in this line comes from, however many names it went through; else 0."""
    if node is None or not steps:
        return 0
    divided = next((each for each in ast.walk(node) if isinstance(getattr(each, "op", None), ast.Div)), None)
    if divided is not None:
        return divided.lineno  # type: ignore[attr-defined,no-any-return]  # a BinOp or an AugAssign has one
    names = sorted({each.id for each in ast.walk(node) if isinstance(each, ast.Name)})
    made = [each for name in names if _may_be_float(spot, name) for each in _where_made(spot, name, line)]
    return next((found for each in made if (found := _line_of_division(spot, each, each.lineno, steps - 1))), 0)


def _may_be_float(spot: Spot, name: str) -> bool:
    """Tell whether a name holds a float, or something that is not known here: of whole numbers no float is made."""
    value = spot.own_names.get(name)
    return type(value) is float or value is None


def _where_made(spot: Spot, name: str, line: int) -> list[ast.expr | ast.stmt]:
    """Return the pieces of code that give a name its value before a line, the last one first.

    A function of the learner's gives what it returns; an input has what the line that calls the function gives it.
    """
    everywhere = [each for each in ast.walk(spot.tree) if isinstance(each, ast.stmt)]
    returns = [
        each
        for function in everywhere
        if isinstance(function, ast.FunctionDef) and function.name == name
        for each in statements_in(function)
        if isinstance(each, ast.Return)
    ]
    if returns:
        return [*returns]
    for statements in (spot.statements, everywhere):
        made = [each for each in statements if each.lineno < line and name in names_set_by(each)]
        if made:
            return sorted(made, key=lambda each: -each.lineno)
        if statements is spot.statements and (given := _given(spot, name)):
            return given
    return []


def _given(spot: Spot, name: str) -> list[ast.expr | ast.stmt]:
    """Return what the calling line gives an input of the learner's function."""
    calls = [each for each in ast.walk(spot.tree) if isinstance(each, ast.Call) and each.lineno == spot.called_in]
    mine = [each.args for each in calls if isinstance(each.func, ast.Name) and each.func.id == spot.function]
    names = inputs_of(spot.home.f_code)
    return [each for args in mine for other, each in zip(names, args, strict=False) if other == name]


def tell_index(spot: Spot, message: str) -> Told | None:
    """Say what stands in the place of an index."""
    node = spot.find(ast.Subscript)
    if node is None:
        return None
    if isinstance(node.slice, ast.Tuple) and "tuple" in message:
        each = "".join(f"[{ast.unparse(index)}]" for index in node.slice.elts)
        return Told(
            "Only a numpy array takes two indices between one pair of brackets. A list takes one at a time.",
            f"Write `{ast.unparse(node.value)}{each}` in line {spot.line}.",
        )
    said = spot.say(node.slice)
    return Told(
        f"An index must be a whole number.{f' Here it is {said}.' if said else ''} "
        "`for x in xs` gives the items of `xs`; `for i in range(len(xs))` gives the indices.",
        f"Use a whole number as the index in line {spot.line}.",
    )
