"""Say where arrays were joined below each other in place of side by side, or multiplied number by number."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from course.errors.spot import Spot, Told, UnknownValueError, names_set_by
from course.values import Numbers, read_value

Shape = tuple[int, ...]
ShapeOf = Callable[[Spot, ast.expr], Shape]
_BELOW: Final = {"vstack", "concatenate", "row_stack"}
_BESIDE: Final = {"hstack", "column_stack"}
_DEEPER: Final = {"array", "asarray", "stack"}
_SUM: Final = "sum"
_TABLE: Final = 2


def shape_joined(spot: Spot, node: ast.expr) -> Shape:
    """Return the shape of tables that a call joins; empty where that is not known."""
    parts = _parts(spot, node)
    if not parts or not isinstance(node, ast.Call):
        return ()
    rows, columns = parts[0]
    name = _name(node)
    if name in _DEEPER:
        return (len(parts), rows, columns) if len(set(parts)) == 1 else ()
    if name == _SUM:
        return parts[0] if len(set(parts)) == 1 else ()
    if name in _BESIDE or _axis(node) in {1, -1}:
        return rows, sum(each[1] for each in parts)
    return sum(each[0] for each in parts), columns


def tell_below(spot: Spot, left: ast.expr, needed: Shape) -> Told | None:
    """Say that tables stand below each other, where side by side they are as wide as the right side of `@` needs."""
    made = pieces_behind(spot, left)
    for piece, line in made:
        parts = _parts(spot, piece)
        beside = len(parts) > 1 and len({rows for rows, _ in parts}) == 1 and bool(needed)
        if not beside or not isinstance(piece, ast.Call) or sum(width for _, width in parts) != needed[0]:
            continue
        shape = shape_joined(spot, piece)
        if shape[-1:] == needed[:1]:
            continue
        name, argument = ast.unparse(piece.func), ast.unparse(piece.args[0])
        tables = f"the {len(parts)} tables of `{argument}`"
        does = f"adds up {tables}" if name == _SUM else f"does not put {tables} side by side"
        return Told(
            f"`{name}` {does}: they come to shape {shape}. Line {spot.line} needs rows of {needed[0]} numbers.",
            f"Join them side by side in line {line}: `np.hstack({argument})`.",
        )
    return None


def tell_stars(spot: Spot, left: ast.expr, needed: Shape, shape_of: ShapeOf) -> Told | None:
    """Say that `*` stands where dot products of rows are meant: they would be as many as the next product needs."""
    for piece, line in pieces_behind(spot, left):
        for node in ast.walk(piece):
            if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult):
                continue
            one, two = shape_of(spot, node.left), shape_of(spot, node.right)
            if len(one) == len(two) == _TABLE and one[1] == two[1] and two[:1] == needed[:1]:
                return Told(
                    f"`{ast.unparse(node)}` in line {line} multiplies number by number and adds nothing up. That shows "
                    f"in line {spot.line}, where the shapes do not fit.",
                    f"For the dot product of each row with each row write "
                    f"`{ast.unparse(node.left)} @ {ast.unparse(node.right)}.T` in line {line}.",
                )
    return None


def say_matrix_product(spot: Spot, node: ast.AST, shape_of: ShapeOf) -> str:
    """Write the matrix product that fits where `*` does not; "" where there is none."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult):
        return ""
    one, two = shape_of(spot, node.left), shape_of(spot, node.right)
    if len(one) != _TABLE or len(two) != _TABLE:
        return ""
    left, right = ast.unparse(node.left), ast.unparse(node.right)
    if one[1] == two[0]:
        return f"{left} @ {right}"
    return f"{left} @ {right}.T" if one[1] == two[1] else ""


def pieces_behind(spot: Spot, node: ast.expr) -> Iterator[tuple[ast.expr, int]]:
    """Yield a piece of code, then those that gave its names their values before, each with its line."""
    yield node, spot.line
    names = _names(node)
    for each in reversed(spot.statements):
        if isinstance(each, (ast.Assign, ast.AugAssign)) and each.lineno < spot.line and names & names_set_by(each):
            names |= _names(each.value)
            yield each.value, each.lineno


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _parts(spot: Spot, node: ast.expr) -> Sequence[tuple[int, int]]:
    """Return the shapes of the tables that a call joins; none where they are no tables."""
    if not isinstance(node, ast.Call) or _name(node) not in _BELOW | _BESIDE | _DEEPER | {_SUM} or not node.args:
        return ()
    try:
        value = spot.value(node.args[0])
    except UnknownValueError:
        return ()
    tables = [each for part in value if isinstance(each := read_value(part), Numbers)] if type(value) is list else []
    shapes = [(each.shape[0], each.shape[1]) for each in tables if len(each.shape) == _TABLE]
    return shapes if shapes and len(shapes) == len(value) else ()


def _name(node: ast.Call) -> str:
    """Return the name of a function of numpy's, or `sum`; else ""."""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr if node.func.attr != _SUM else ""
    return _SUM if isinstance(node.func, ast.Name) and node.func.id == _SUM else ""


def _axis(node: ast.Call) -> object:
    """Return the axis that a call names; None where it names none."""
    named = [each.value for each in node.keywords if each.arg == "axis"] or node.args[1:2]
    try:
        return ast.literal_eval(named[0]) if named else None
    except ValueError:
        return None
