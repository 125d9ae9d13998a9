"""Say in plain words what an error of arithmetic, of numpy, or of taking values apart means."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from typing import Final

from course.errors.joined import say_matrix_product
from course.errors.keepdims import say_keepdims
from course.errors.products import shape_of, sides_of, tell_product
from course.errors.spot import Spot, Told
from course.errors.words import count, write

_EXPECTED: Final = re.compile(r"expected (?:at least )?(\d+)")
_SHAPES: Final = re.compile(r"\([\d, ]*\)")
_NUMBER: Final = re.compile(r"\d+")
_SIZES: Final = re.compile(r"size (\d+) is different from (\d+)")


def tell_number(spot: Spot, error: str, message: str) -> Told | None:
    """Say what a ZeroDivisionError, an OverflowError or a ValueError means; None for another kind."""
    tell = _BY_ERROR.get(error) or next((tell for words, tell in _BY_WORDS.items() if words in message), tell_array)
    return tell(spot, message) if error in {*_BY_ERROR, "ValueError"} else None


def tell_array(spot: Spot, message: str) -> Told | None:
    """Say what numpy means; None where it is not numpy's."""
    if "inhomogeneous" in message or "setting an array element with a sequence" in message:
        return Told(
            "An array needs rows of the same length, and here one row is longer than another.",
            f"Print the length of each row just before line {spot.line}.",
        )
    if "Cannot cast ufunc" in message:
        return whole_array(spot, "decimals")
    if "NaN to integer" in message:
        return whole_array(spot, "nan")
    if "broadcast" in message or "matmul" in message or "not aligned" in message:
        return _shapes(spot, message)
    if "truth value" in message:
        return Told(
            "`if`, `and` and `max` need one True or False, and an array gives one for each of its numbers.",
            f"Use one number of the array in line {spot.line}, or `.all()`, `.any()`, `np.maximum`.",
        )
    return None


def whole_array(spot: Spot, what: str) -> Told | None:
    """An array of whole numbers that something else is written into: decimals, infinity."""
    found = [
        each for each in spot.statements if isinstance(each, (ast.Assign, ast.AugAssign)) and each.lineno == spot.line
    ]
    if not found:
        return None
    target: ast.expr = found[0].targets[0] if isinstance(found[0], ast.Assign) else found[0].target
    base = target
    while isinstance(base, ast.Subscript):
        base = base.value
    if (
        getattr(getattr(spot.names.get(base.id), "dtype", None), "kind", "") not in {"i", "u", "b"}
        if isinstance(base, ast.Name)
        else False
    ):
        return None
    line = spot.other_line_that_sets(base)
    where = f"in line {line}, where it is made" if line else "where it is made"
    return Told(
        f"{write(base)} is an array of whole numbers here, and line {spot.line} writes {what} into it.",
        f"Give the array `dtype=float` {where}.",
        sure=True,
    )


def _zero(spot: Spot, _message: str) -> Told:
    node = spot.find(ast.BinOp, ast.AugAssign)
    by = node.right if isinstance(node, ast.BinOp) else node.value if isinstance(node, ast.AugAssign) else None
    if by is None:
        return Told("Nothing can be divided by 0.", f"Look at what line {spot.line} divides by.")
    if isinstance(by, ast.Constant):
        return Told(
            f"Line {spot.line} divides by the number 0. Nothing can be divided by 0.",
            f"Write what is meant in line {spot.line} in place of the 0.",
        )
    line = spot.other_line_that_sets(by)
    where = f" It gets its value in line {line}." if line else ""
    return Told(
        f"Line {spot.line} divides by {write(by)}, which is 0 here. Nothing can be divided by 0.",
        f"Find out why {write(by)} is 0.{where}",
    )


def _too_large(spot: Spot, message: str) -> Told | None:
    if "infinity to integer" in message and (told := whole_array(spot, "infinity")):
        return told
    call = spot.find(ast.Call)
    if call is None or not call.args:
        return Told("The result is too large for Python.", f"Look at the numbers that line {spot.line} works with.")
    name, said = ast.unparse(call.func), spot.say(call.args[0])
    if "range" in message and name.endswith("exp"):
        return Told(
            f"`{name}` of a large number is too large for Python{f': here it is given {said}' if said else ''}.",
            f"In line {spot.line}, subtract the largest number of the row first: then no power is larger than 1.",
        )
    return Told(f"`{name}` cannot work with this number{f': {said}' if said else ''}.", f"Look at line {spot.line}.")


def _domain(spot: Spot, _message: str) -> Told | None:
    call = spot.find(ast.Call)
    if call is None or not call.args:
        return None
    name, argument = ast.unparse(call.func), call.args[0]
    said = spot.say(argument) or write(argument)
    rule = "is there only for numbers above 0"
    if name.endswith("sqrt"):
        rule = "is not there for numbers below 0"
    return Told(
        f"`{name}` {rule}, and here it is given {said}.",
        f"Find out why {write(argument)} comes to that, just before line {spot.line}.",
    )


def _empty(spot: Spot, _message: str) -> Told | None:
    call = spot.find(ast.Call)
    if call is None or not call.args:
        return None
    name, argument = ast.unparse(call.func), write(call.args[0])
    return Told(
        f"`{name}` needs at least one number, and {argument} is empty here.",
        f"Find out why {argument} is empty when line {spot.line} runs.",
    )


def _not_in_list(spot: Spot, _message: str) -> Told | None:
    call = spot.find(ast.Call)
    if call is None or not call.args or not isinstance(call.func, ast.Attribute):
        return None
    said, where = spot.say(call.args[0]) or write(call.args[0]), write(call.func.value)
    return Told(
        f"`{call.func.attr}` looks for {said}, and {where} does not have it.",
        f"Ask `if {ast.unparse(call.args[0])} in {ast.unparse(call.func.value)}` before line {spot.line}.",
    )


def _unpack(spot: Spot, message: str) -> Told:
    expected = _EXPECTED.search(message)
    names = count(int(expected.group(1)), "name") if expected else "the names"
    how = "more" if "too many" in message else "fewer"
    loops = [each for each in spot.statements if isinstance(each, ast.For) and each.lineno == spot.line]
    over = loops[0].iter if loops else None
    bare = over is not None and not isinstance(over, ast.Call)
    says = f"Line {spot.line} gives values to {names} at once, and there are {how} values than that."
    if bare and over is not None:
        written = ast.unparse(over)
        return Told(
            f"{says} A `for` over {write(over)} gives its items, not index and item.",
            f"For index and item, write `enumerate({written})` in line {spot.line}; for two lists, `zip(...)`.",
        )
    return Told(says, f"Write as many names as there are values in line {spot.line}.")


def _shapes(spot: Spot, message: str) -> Told:
    node = spot.find(ast.BinOp, ast.AugAssign, ast.Call)
    shapes = _SHAPES.findall(message.partition("signature")[0])
    parts = sides_of(node)
    sides = [said for each in parts if (said := _say_shape(spot, each))]
    if len(parts) > 1 and "broadcast" not in message and (told := tell_product(spot, *parts)):
        return told
    if len(sides) <= 1:
        sides = [f"shape {each}" for each in shapes[:2]]
    sizes = _SIZES.search(message)
    both = f" Here: {sides[0]} and {sides[1]}." if len(sides) > 1 else ""
    if "broadcast" in message:
        product = say_matrix_product(spot, node, shape_of) if node else ""
        kept = say_keepdims(spot, _both(node), [tuple(map(int, _NUMBER.findall(each))) for each in shapes])
        return Told(
            f"These two arrays do not fit together, number by number.{both}",
            f"`*` multiplies number by number. For a matrix product write `{product}` in line {spot.line}."
            if product
            else kept or f"Print the `.shape` of both just before line {spot.line} and make them fit.",
        )
    numbers = ""
    if sizes and not both:
        numbers = (
            f" Here a row on the left has length {sizes.group(2)}, a column on the right has length {sizes.group(1)}."
        )
    return Told(
        f"In a matrix product, each row on the left must be as long as each column on the right.{both}{numbers}",
        f"Print the `.shape` of both just before line {spot.line}. If both are as you expect, check their order, and "
        "whether one of them must be turned with `.T`.",
    )


def _both(node: ast.AST | None) -> Sequence[ast.expr]:
    return (node.target, node.value) if isinstance(node, ast.AugAssign) else sides_of(node)


def _say_shape(spot: Spot, node: ast.expr) -> str:
    shape = shape_of(spot, node)
    return f"{write(node)} has shape {shape}" if shape else ""


def _not_a_number(spot: Spot, message: str) -> Told:
    return Told(
        f"This text cannot be read as a number: {message.rpartition(':')[2].strip()[:30]}.",
        f"Look at the text that line {spot.line} makes a number of.",
    )


def _not_equally_long(spot: Spot, _message: str) -> Told:
    return Told(
        "`zip` with `strict=True` needs lists of the same length, and here one is longer.",
        f"Print the lengths of both lists just before line {spot.line}.",
    )


_BY_ERROR: Final[dict[str, Callable[[Spot, str], Told | None]]] = {
    "ZeroDivisionError": _zero,
    "OverflowError": _too_large,
}
_BY_WORDS: Final[dict[str, Callable[[Spot, str], Told | None]]] = {
    "unpack": _unpack,
    "math domain": _domain,
    "expected a positive input": _domain,
    "expected a nonnegative": _domain,
    "empty sequence": _empty,
    "argument is empty": _empty,
    "not in list": _not_in_list,
    "zip() argument": _not_equally_long,
    "could not convert": _not_a_number,
    "invalid literal": _not_a_number,
}
