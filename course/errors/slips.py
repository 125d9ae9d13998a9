"""Say what an everyday slip leads to: a function without its module, a key without quotes, `==` where `=` is meant."""

from __future__ import annotations

import ast
import difflib
import math
import sys
from types import FunctionType
from typing import Final

from course.errors.spot import Spot, Told, UnknownValueError, span_of

_NUMBERS: Final = {"pi", "inf", "nan", "tau"}
_OF_NUMPY: Final = {
    *("arange", "argmax", "argsort", "array", "asarray", "clip", "concatenate", "cumsum", "dot", "eye", "exp", "full"),
    *("linspace", "log", "matmul", "maximum", "mean", "ones", "ones_like", "outer", "sqrt", "std", "tanh", "transpose"),
    *("tril", "triu", "var", "vstack", "where", "zeros", "zeros_like"),
}
_LONGEST: Final = 40
_ALIKE: Final = 0.75


def tell_slip(spot: Spot, name: str) -> Told | None:
    """Say which slip made a name unknown; None where it is none of these."""
    return tell_equals(spot, name) or _key(spot, name) or _of_module(spot, name)


def tell_equals(spot: Spot, name: str) -> Told | None:
    """`big == max(row)` in a line of its own, where `big` has no value yet."""
    for each in spot.statements:
        test = each.value if isinstance(each, ast.Expr) and each.lineno == spot.line else None
        if not isinstance(test, ast.Compare) or [type(sign) for sign in test.ops] != [ast.Eq]:
            continue
        if isinstance(test.left, ast.Name) and test.left.id == name:
            value = ast.unparse(test.comparators[0])
            way = f"`{name} = {value}`" if len(value) <= _LONGEST else "one `=`"
            return Told(
                f"`==` only asks whether two values are equal. A name gets its value with one `=`, and `{name}` has "
                "none yet.",
                f"Write {way} in line {spot.line}.",
            )
    return None


def _key(spot: Spot, name: str) -> Told | None:
    """`block[w_q]`, where `"w_q"` is a key of the dictionary."""
    for each in ast.walk(spot.tree):
        if not isinstance(each, ast.Subscript) or span_of(each.slice) != spot.span:
            continue
        try:
            owner = spot.value(each.value)
        except UnknownValueError:
            continue
        if type(owner) is dict and name in owner:
            base = ast.unparse(each.value)
            return Told(
                f"`{name}` is a key of `{base}`, a dictionary. Such a key is a text and has quotes; without them it is "
                "a variable, and there is none with that name.",
                f'Write `{base}["{name}"]` in line {spot.line}.',
            )
    return None


def _of_module(spot: Spot, name: str) -> Told | None:
    """`sqrt(2)` or `pi`: it belongs to a module, whose name stands in front of it."""
    call = next((each for each in ast.walk(spot.tree) if _calls(each, spot)), None)
    if (call is None and name not in _NUMBERS) or _own_function_alike(spot, name):
        return None
    numpy, math_name, numpy_name = sys.modules.get("numpy"), _alias(spot, "math"), _alias(spot, "numpy")
    in_numpy = hasattr(numpy, name) and not hasattr(sys.modules["builtins"], name) if numpy else name in _OF_NUMPY
    array = numpy_name and in_numpy and isinstance(call, ast.Call) and _takes_array(spot, call)
    if hasattr(math, name) and not array and (math_name or not (numpy_name and in_numpy)):
        return _say(spot, name, "math", math_name or "math", "" if math_name else "import math")
    if in_numpy and (numpy_name or name in _OF_NUMPY):
        return _say(spot, name, "numpy", numpy_name or "np", "" if numpy_name else "import numpy as np")
    return None


def _say(spot: Spot, name: str, module: str, alias: str, load: str) -> Told:
    first = f"Add `{load}` at the top of your cell, and write" if load else "Write"
    return Told(
        f"Nothing has the name `{name}` alone: it belongs to the module `{module}`, whose name stands in front of it.",
        f"{first} `{alias}.{name}` in line {spot.line}.",
    )


def _calls(node: ast.AST, spot: Spot) -> bool:
    return isinstance(node, ast.Call) and span_of(node.func) == spot.span


def _own_function_alike(spot: Spot, name: str) -> bool:
    own = [
        each for each, value in spot.names.items() if spot.is_written_here(value) and isinstance(value, FunctionType)
    ]
    return bool(difflib.get_close_matches(name, own, 1, _ALIKE))


def _alias(spot: Spot, module: str) -> str:
    """Return the name that a module has in this notebook; empty where it is not imported."""
    found = sys.modules.get(module)
    return next((each for each, value in spot.names.items() if found is not None and value is found), "")


def _takes_array(spot: Spot, call: ast.Call) -> bool:
    """Tell whether a call is given an array, or a value that is not known, such as `s - s.max()`."""
    try:
        value = spot.value(call.args[0]) if call.args else None
    except UnknownValueError:
        names = [spot.names.get(each.id) for each in ast.walk(call.args[0]) if isinstance(each, ast.Name)]
        return any(getattr(each, "shape", ()) for each in names)
    return bool(getattr(value, "shape", ())) or type(value) in {list, tuple}
