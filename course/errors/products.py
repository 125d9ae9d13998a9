"""Say which shapes a matrix product met, which two numbers of them must agree, and what makes them fit."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Final

from course.errors.joined import shape_joined, tell_below, tell_stars
from course.errors.spot import Spot, Told, UnknownValueError
from course.errors.words import write
from course.values import Numbers, read_value

_PRODUCTS: Final = {"dot", "matmul"}
_ARRAYS: Final = {"np.array", "np.asarray", "numpy.array"}
_TABLE: Final = 2
_LONGEST: Final = 40


def sides_of(node: ast.AST | None) -> Sequence[ast.expr]:
    """Return the left and the right side of a sign, or of `np.dot(a, b)`, `np.matmul(a, b)` and `a.dot(b)`."""
    if isinstance(node, ast.BinOp):
        return node.left, node.right
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _PRODUCTS:
        both = node.args if len(node.args) > 1 else [node.func.value, *node.args]
        return both[:2]
    return ()


def shape_of(spot: Spot, node: ast.expr) -> tuple[int, ...]:
    """Return the shape of an array, as far as plain code tells it; empty where it is not known."""
    try:
        value = spot.value(node)
    except UnknownValueError:
        return _shape_of_code(spot, node) or shape_joined(spot, node)
    shape = getattr(value, "shape", ())
    if type(value) is list:
        numbers = read_value(value)
        shape = numbers.shape if isinstance(numbers, Numbers) else ()
    return shape if type(shape) is tuple else ()


def _shape_of_code(spot: Spot, node: ast.expr) -> tuple[int, ...]:
    if isinstance(node, ast.Attribute) and node.attr == "T":
        return shape_of(spot, node.value)[::-1]
    if isinstance(node, ast.Call) and ast.unparse(node.func) in _ARRAYS and len(node.args) == 1:
        return shape_of(spot, node.args[0])
    if isinstance(node, ast.Subscript) and _is_whole(spot, node.slice):
        return shape_of(spot, node.value)[1:]
    if isinstance(node, ast.BinOp):
        left, right = shape_of(spot, node.left), shape_of(spot, node.right)
        if isinstance(node.op, ast.MatMult):
            return (left[0], right[1]) if len(left) == len(right) == _TABLE else ()
        if isinstance(node.right, ast.Constant) or left == right:
            return left
    return ()


def _is_whole(spot: Spot, node: ast.expr) -> bool:
    try:
        return type(spot.value(node)) is int
    except UnknownValueError:
        return False


def tell_product(spot: Spot, left: ast.expr, right: ast.expr) -> Told | None:
    """Say which numbers of the two shapes do not agree; None where the shapes are not known or not of tables."""
    one, two = shape_of(spot, left), shape_of(spot, right)
    if not one or len(two) != _TABLE or one[-1] == two[0]:
        return None
    cause = tell_below(spot, left, two) or tell_stars(spot, left, two, shape_of)
    if cause is not None:
        return cause
    last = "last number of the left shape" if len(one) > 1 else "number of the left shape"
    return Told(
        f"In a matrix product, the {last} and the first one of the right shape must agree. Here {write(left)} has "
        f"shape {one} and {write(right)} has shape {two}: {one[-1]} and {two[0]} do not agree.",
        _way(spot, left, right, one, two),
    )


def _way(spot: Spot, left: ast.expr, right: ast.expr, one: Sequence[int], two: Sequence[int]) -> str:
    """Say how the two fit: with the right one turned, with the left one turned, or in the other order."""
    right_fits, left_fits = one[-1] == two[1], len(one) == _TABLE and one[0] == two[0]
    turned = right if right_fits else left if left_fits else None
    if len(one) == _TABLE and two[1] == one[0] and not (turned and _is_turned(turned)):
        return _other_order(spot, left, right, turned)
    if right_fits and not left_fits:
        return f"If both shapes are as you expect, {_turn(right)} in line {spot.line}: then {one[-1]} meets {two[1]}."
    if left_fits and not right_fits:
        return f"If both shapes are as you expect, {_turn(left)} in line {spot.line}: then {one[0]} meets {two[0]}."
    if left_fits:
        return f"Find out which of the two must be turned with `.T` in line {spot.line}."
    return f"Find out which of the two shapes is not as you expect, just before line {spot.line}."


def _other_order(spot: Spot, left: ast.expr, right: ast.expr, turned: ast.expr | None) -> str:
    """Say that the two fit in the other order; where one of them fits when turned too, which is meant is not known."""
    swapped = ast.unparse(ast.BinOp(right, ast.MatMult(), left))
    order = "the other order" if len(swapped) > _LONGEST else f"the other order (`{swapped}`)"
    if turned is None:
        return f"If both shapes are as you expect, {order} fits in line {spot.line}."
    return f"Two things fit in line {spot.line}: {order}, or to {_turn(turned)}. Find out which one is meant."


def _turn(node: ast.expr) -> str:
    if _is_turned(node) and isinstance(node, ast.Attribute):
        return f"write `{ast.unparse(node.value)}` without `.T`"
    return f"turn the {'table' if len(ast.unparse(node)) > _LONGEST else f'table `{_bracketed(node)}`'} with `.T`"


def _is_turned(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "T"


def _bracketed(node: ast.expr) -> str:
    text = ast.unparse(node)
    return text if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)) else f"({text})"
