"""Say in plain words what stands in the place of an index or a count, where a whole number is needed."""

from __future__ import annotations

import ast

from course.errors.spot import Spot, Told, UnknownValueError


def tell_not_whole(spot: Spot, _message: str) -> Told:
    """A float where a place or a count is needed; `/` is only blamed where it stands."""
    node = spot.find(ast.Subscript, ast.Call, ast.BinOp)
    parts = node.args if isinstance(node, ast.Call) else [node.slice] if isinstance(node, ast.Subscript) else []
    inner = [each for part in parts for each in ast.iter_child_nodes(part)] if node else []
    culprit = next((each for each in (*parts, *inner) if _is_float(spot, each)), None)
    said = f" Here it is {spot.say(culprit)}, a float." if culprit is not None else " Here it is a float."
    line = _line_of_division(spot, culprit if culprit is not None else node)
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


def _line_of_division(spot: Spot, node: ast.AST | None) -> int:
    """Return the line of the `/` that this value comes from; 0 where there is none."""
    if node is None:
        return 0
    if _divides(node):
        return spot.line
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    lines = [line for name in names if (line := spot.line_that_sets(name))]
    return next((each.lineno for each in spot.statements if each.lineno in lines and _divides(each)), 0)


def _divides(node: ast.AST) -> bool:
    return any(isinstance(getattr(each, "op", None), ast.Div) for each in ast.walk(node))


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
