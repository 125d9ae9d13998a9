"""Say in plain words what is called like a function and is none."""

from __future__ import annotations

import ast
import builtins
import sys

from course.beside import GIVEN
from course.errors.spot import Spot, Told
from course.errors.texts import cells_run


def tell_not_callable(spot: Spot, message: str) -> Told | None:
    """Say what stands before the round brackets, and whose function that name is elsewhere."""
    del message
    call = spot.find(ast.Call)
    if call is None:
        return None
    said, name = spot.say(call.func), call.func.id if isinstance(call.func, ast.Name) else ""
    if name and (whose := _function_outside(spot, name)):
        return _taken(spot, name, said, whose)
    if not said:
        return None
    if said.endswith("a module"):
        return Told(f"{said} is a module: its functions have names of their own, such as `math.sqrt`.", "")
    if "list" in said or "array" in said or "dict" in said:
        return Told(
            f"Round brackets call a function, and here stands {said}. An item is taken with square brackets.",
            f"Write square brackets in line {spot.line}: `{ast.unparse(call.func)}[...]`.",
        )
    return Told(
        f"Round brackets after a name call a function, and here stands {said}. To multiply, write `*`.",
        f"Change `{ast.unparse(call.func)}(...)` in line {spot.line}.",
    )


def _function_outside(spot: Spot, name: str) -> str:
    """Say whose function this name is elsewhere: Python's, this lesson's, or one of the notebook; empty if none."""
    if hasattr(builtins, name):
        return "Python's"
    if callable(vars(sys.modules.get(GIVEN, builtins)).get(name)):
        return "this lesson's"
    written = any(f"def {name}(" in text for text in cells_run())
    return "this notebook's" if written or callable(spot.frame.f_globals.get(name)) else ""


def _taken(spot: Spot, name: str, said: str, whose: str) -> Told:
    """A name of a function that was given another value."""
    line = spot.line_that_sets(name)
    at = f"`{spot.text_of(line)}` (line {line})" if line else f"`{name} = ...`"
    back = {
        "Python's": f"run `del {name}` in a new cell",
        "this lesson's": "run the first code cell of the notebook again",
    }.get(whose, f"run the cell with `def {name}` again")
    again = "" if name in spot.own_names else f" Then {back}."
    held = f" Here it is {said.partition(', ')[2]}." if said else ""
    return Told(
        f"`{name}` is a function of {whose}, but in your code it holds a value. Look for a line such as {at}.{held}",
        f"Give your own variable another name than `{name}`.{again}",
    )
