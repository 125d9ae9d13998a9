"""Say in plain words what a TypeError means."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable
from typing import Final

from course.errors.indices import tell_index, tell_not_whole
from course.errors.inputs import tell_count
from course.errors.numbers import tell_array
from course.errors.operands import WORDS, tell_none, tell_operands
from course.errors.spot import Spot, Told
from course.errors.taken import tell_not_callable
from course.errors.words import write

_GIVEN: Final = re.compile(r"but (\d+) (?:was|were) given|\((\d+) given\)|got (\d+)$")


def tell_type(spot: Spot, message: str) -> Told | None:
    """Say what a TypeError means; None for one that this knows nothing about."""
    return next((told for words, tell in _TELL.items() if words in message for told in [tell(spot, message)]), None)


def _no_length(spot: Spot, message: str) -> Told | None:
    call = spot.find(ast.Call)
    if call is None or not call.args:
        return None
    if "NoneType" in message:
        return tell_none(spot, call.args[0])
    said = spot.say(call.args[0]) or _of_kind(message)
    return Told(f"`len` counts the items of a list or a text. Here it is given {said}.", _give_list(spot, "len"))


def _give_list(spot: Spot, name: str) -> str:
    return f"Give `{name}` the whole list in line {spot.line}, not one number of it."


def _of_kind(message: str) -> str:
    kind = message.partition("'")[2].partition("'")[0]
    return WORDS.get(kind, f"an object of type `{kind}`") if kind else "something else"


def _not_iterable(spot: Spot, message: str) -> Told | None:
    call = spot.find(ast.Call)
    added = spot.find(ast.AugAssign)
    over = added.value if added else call.args[0] if call is not None and call.args else _gone_through(spot)
    if over is None:
        return None
    if "NoneType" in message:
        return tell_none(spot, over)
    if added is not None:
        return _joined(spot, added, message)
    said = spot.say(over) or f"{write(over)}, {_of_kind(message)}"
    if call is not None:
        name = ast.unparse(call.func)
        return Told(f"`{name}` needs a list, and here it is given {said}.", _give_list(spot, name))
    if "int" not in message:
        return Told(f"`for` goes through a list, and here is {said}.", f"Put the list there in line {spot.line}.")
    return Told(
        f"`for` goes through a list, and here is {said}. To count from 0 up to a number, `range(...)` makes the list.",
        f"Write `range({ast.unparse(over)})` in line {spot.line}, or put the list there.",
    )


def _joined(spot: Spot, added: ast.AugAssign, message: str) -> Told:
    """A number that `+=` should join to a list."""
    name, value = ast.unparse(added.target), ast.unparse(added.value)
    line = spot.line_that_sets(name)
    made = f" (line {line})" if line and line != spot.line else ""
    return Told(
        f"`{name}` is a list{made}, and `+=` joins another list to it. Right of it stands "
        f"{spot.say(added.value) or _of_kind(message)}.",
        f"To add numbers up, begin with `{name} = 0`; to collect them, write `{name}.append({value})` "
        f"in line {spot.line}.",
    )


def _gone_through(spot: Spot) -> ast.expr | None:
    """Return what a `for` or a comprehension goes through."""
    node = spot.find(ast.For, ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)
    if node is None:
        found: ast.expr | None = spot.find(ast.expr)
        return found
    iterated: ast.expr = node.iter if isinstance(node, ast.For) else node.generators[0].iter
    return iterated


def _one_value(spot: Spot, message: str) -> Told:
    """Several names, and a single value for them."""
    del message
    loops = [each for each in spot.statements if isinstance(each, ast.For) and each.lineno == spot.line]
    if not loops:
        return Told(
            f"Line {spot.line} has several names before the `=`, and only one value for them.",
            f"Write one name in line {spot.line}, or as many values as names.",
        )
    over = ast.unparse(loops[0].iter)
    return Told(
        f"Each item of `{over}` is one value, and line {spot.line} has several names for it.",
        f"For index and item, write `enumerate({over})` in line {spot.line}; for two lists, `zip(...)`.",
    )


def _no_items(spot: Spot, message: str) -> Told | None:
    node = spot.find(ast.Subscript)
    if node is None:
        return None
    if "NoneType" in message:
        return tell_none(spot, node.value)
    said = spot.say(node.value) or f"{write(node.value)}, {_of_kind(message)}"
    if "function" in message or "method" in message:
        return Told(
            f"{write(node.value)} is a function. It is called with round brackets, not with square ones.",
            f"Write `{ast.unparse(node.value)}(...)` in line {spot.line}.",
        )
    if "assignment" in message:
        return Told(
            f"Here is {said}. Its items cannot be changed.", f"Make a list first: `list(...)`, line {spot.line}."
        )
    return Told(
        f"Square brackets take an item of a list, and here is {said}, which has no items.",
        f"Leave out one pair of square brackets in line {spot.line}, or use the whole list there.",
    )


def _one_number(spot: Spot, message: str) -> Told | None:
    call = spot.find(ast.Call)
    if call is None or not call.args:
        return None
    said, name = spot.say(call.args[0]), ast.unparse(call.func)
    if "None" in said or "NoneType" in message:
        return tell_none(spot, call.args[0])
    argument = ast.unparse(call.args[0])
    if name != "range" and ("array" in said or "Python scalars" in message):
        return _whole_array(spot, call, said or f"{write(call.args[0])}, an array")
    if name == "range":
        return Told(
            f"`range` counts up to a number, and here it is given {said or _of_kind(message)}.",
            f"Write `range(len({argument}))` in line {spot.line}, or go through the list itself.",
        )
    way = f"`[{name}(each) for each in {argument}]`"
    if " row with " in said or " rows with " in said:
        way = f"`[[{name}(each) for each in row] for row in {argument}]`"
    root = name.rpartition(".")[2] == "sqrt"
    length = f"If its length is meant, write `{name}(len({argument}))` in line {spot.line}. Else do" if root else "Do"
    return Told(
        f"`{name}` takes one number, and here it is given {said or _of_kind(message)}.",
        f"{length} it for each number{'' if root else f' in line {spot.line}'}: {way}.",
    )


def _whole_array(spot: Spot, call: ast.Call, said: str) -> Told:
    """A function for one number that was given an array."""
    name, argument = ast.unparse(call.func), ast.unparse(call.args[0])
    short = name.rpartition(".")[2]
    module = sys.modules.get("numpy")
    alias = next((each for each, value in spot.names.items() if value is module and module is not None), "np")
    if short in {"float", "int"}:
        whole = f"({argument})" if isinstance(call.args[0], ast.BinOp) else argument
        way = f"`{whole}.astype({short})`"
    elif hasattr(module, short):
        way = f"`{alias}.{short}({argument})`"
    else:
        way = f"`{alias}.vectorize({name})({argument})`"
    return Told(
        f"`{name}` takes one number, and here it is given {said}.",
        f"For a whole array, write {way} in line {spot.line}.",
    )


def _one_sign(spot: Spot, message: str) -> Told | None:
    node = spot.find(ast.UnaryOp)
    if node is None or "NoneType" in message:
        return tell_none(spot, node.operand) if node is not None else None
    return Told(
        f"A sign in front works on one number, and here is {spot.say(node.operand) or _of_kind(message)}.",
        f"Go through the list in line {spot.line} with a `for`, and do it for each number.",
    )


def _unhashable(spot: Spot, message: str) -> Told:
    return Told(
        f"A key of a dictionary, or an item of a set, cannot be {_of_kind(message.rpartition('type')[2] or message)}.",
        f"Use a number, a text or a tuple as the key in line {spot.line}.",
    )


_TELL: Final[dict[str, Callable[[Spot, str], Told | None]]] = {
    "slice indices must be integers": tell_not_whole,
    "'float' object cannot be interpreted": tell_not_whole,
    "must be integers or slices, not float": tell_not_whole,
    "by non-int of type 'NoneType'": tell_operands,
    "multiply sequence by non-int": tell_operands,
    "cannot be interpreted as an integer": _one_number,
    "indices must be integers": tell_index,
    "is not callable": tell_not_callable,
    "Cannot cast ufunc": tell_array,
    "unsupported operand": tell_operands,
    "can only concatenate": tell_operands,
    "must be str, not": tell_operands,
    "not supported between": tell_operands,
    "has no len()": _no_length,
    "is not iterable": _not_iterable,
    "cannot unpack non-iterable": _one_value,
    "is not subscriptable": _no_items,
    "does not support item assignment": _no_items,
    "must be real number": _one_number,
    "converted to Python scalars": _one_number,
    "bad operand type for abs": _one_number,
    "bad operand type": _one_sign,
    "__round__": _one_number,
    "positional argument": tell_count,
    "keyword argument": tell_count,
    "takes exactly": tell_count,
    "takes at most": tell_count,
    "takes no arguments": tell_count,
    "at least 1 argument": tell_count,
    "unhashable type": _unhashable,
}
