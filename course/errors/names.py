"""Say in plain words which name was meant, where Python does not know the one that is there."""

from __future__ import annotations

import ast
import builtins
import difflib
import keyword
import re
import sys
from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import Final

from course.errors.operands import tell_none
from course.errors.slips import tell_equals, tell_slip
from course.errors.spot import Spot, Told
from course.errors.words import describe, write

_QUOTED: Final = re.compile(r"'(\w+)'")
_LONGEST: Final = 30
_SHORTEST: Final = 3
_MODULES: Final = {"np": "import numpy as np", "numpy": "import numpy as np"} | {
    name: f"import {name}" for name in ("math", "random", "json", "copy", "itertools", "functools", "collections")
}
_FROM_OTHER_LANGUAGES: Final = {"true": "True", "false": "False", "none": "None", "null": "None", "nil": "None"}
_OF_ARRAYS: Final = {"shape", "T", "dot", "reshape", "sum", "max", "mean", "astype", "size", "ndim"}


def tell_name(spot: Spot, error: BaseException) -> Told | None:
    """Say what a NameError means: a module that is not imported, a name much like it, or no value yet."""
    found = _QUOTED.search(str(error))
    name = found.group(1) if found else ""
    if not name:
        return None
    if isinstance(error, UnboundLocalError) or "free variable" in str(error):
        return tell_equals(spot, name) or _too_early(spot, name)
    return tell_slip(spot, name) or _unknown(spot, name)


def _unknown(spot: Spot, name: str) -> Told | None:
    if name in _FROM_OTHER_LANGUAGES:
        alike = _FROM_OTHER_LANGUAGES[name]
    elif name in _MODULES:
        return Told(f"`{name}` is not imported in this notebook.", f"Add `{_MODULES[name]}` at the top of your cell.")
    else:
        alike = alike_in(name, [*spot.own_names, *_own(spot.frame.f_globals), *_of_python()])
    if not alike:
        return None
    return Told(f"Nothing has the name `{name}`. Did you mean `{alike}`?", f"Write `{alike}` in line {spot.line}.")


def _of_python() -> list[str]:
    """Return the names of Python's own that somebody may have meant; a very short one is like too many others."""
    return [name for name in vars(builtins) if len(name) >= _SHORTEST and not name.startswith("_")]


def _own(names: Mapping[str, object]) -> list[str]:
    """Leave out what a notebook brings along by itself: `_12`, `In`, `exit`."""
    return [name for name in names if not name.startswith("_") and name not in {"In", "Out", "exit", "quit"}]


def _too_early(spot: Spot, name: str) -> Told:
    if hasattr(builtins, name):
        return Told(
            f"A line of `{spot.function}` gives `{name}` a value. So in the whole of it, `{name}` is your own variable "
            f"and not the function of Python's, and in line {spot.line} it has no value yet.",
            f"Give your own variable another name than `{name}`.",
        )
    outside = name in spot.frame.f_globals
    if callable(spot.frame.f_globals.get(name)) or isinstance(spot.frame.f_globals.get(name), ModuleType):
        what = "function" if callable(spot.frame.f_globals[name]) else "module"
        line = spot.line_that_sets(name)
        sets = f"Line {line}" if line else "A line"
        return Told(
            f"{sets} of `{spot.function}` gives `{name}` a value. So in the whole of `{spot.function}`, `{name}` is "
            f"your own variable and not the {what} `{name}`, and in line {spot.line} it has no value yet.",
            f"Give your own variable another name than `{name}`.",
        )
    why = f" The `{name}` outside of the function is another one." if outside else ""
    return Told(
        f"`{name}` has no value yet when line {spot.line} uses it: the line that sets it comes later, or did not run."
        f"{why}",
        f"Give `{name}` its first value above line {spot.line}, inside `{spot.function}`.",
    )


def tell_attribute(spot: Spot, error: BaseException) -> Told | None:
    """Say what an AttributeError means."""
    node = spot.find(ast.Attribute, ast.Call)
    node = node.func if isinstance(node, ast.Call) else node
    name, owner = str(getattr(error, "name", "")), getattr(error, "obj", None)
    if not name or not isinstance(node, ast.Attribute):
        return None
    base = write(node.value)
    taken = _taken(spot, node, owner)
    if taken is not None:
        return taken
    if owner is None:
        return tell_none(spot, node.value)
    other = _of_another_kind(spot, node, owner)
    if other is not None:
        return other
    known = vars(owner) if isinstance(owner, ModuleType) else dir(type(owner))
    alike = alike_in(name, [each for each in known if not each.startswith("_")])
    what = f"`{owner.__name__}`" if isinstance(owner, ModuleType) else f"{base}, {describe(owner)},"
    if alike:
        return Told(f"{what} has no `{name}`. Did you mean `{alike}`?", f"Write `{alike}` in line {spot.line}.")
    return Told(f"{what} has no `{name}`.".replace(",,", ","), f"Check the name after the point in line {spot.line}.")


def _taken(spot: Spot, node: ast.Attribute, owner: object) -> Told | None:
    """A name of a module that was given another value."""
    name = node.value.id if isinstance(node.value, ast.Name) else ""
    load = _MODULES.get(name, "")
    module = sys.modules.get(load.split()[1]) if load else None
    if isinstance(owner, ModuleType) or not hasattr(module, node.attr):
        return None
    line = spot.line_that_sets(name)
    at = f"`{spot.text_of(line)}` (line {line})" if line else f"`{name} = ...`"
    again = "" if name in spot.own_names else f" Then run `{load}` again."
    return Told(
        f"`{name}` is a module, but in your code this name holds {describe(owner)}. Look for a line such as {at}.",
        f"Give your own variable another name than `{name}`.{again}",
    )


def _of_another_kind(spot: Spot, node: ast.Attribute, owner: object) -> Told | None:
    """What a list is asked for, and only an array has; and the like."""
    base, name = write(node.value), node.attr
    if type(owner) is list and name in _OF_ARRAYS:
        return Told(
            f"{base} is {describe(owner)}, and a list has no `{name}`: that belongs to numpy arrays.",
            f"Make an array of it first: `np.array({ast.unparse(node.value)})`, or do it with a loop.",
        )
    if type(owner).__name__ == "ndarray" and name == "append":
        return Told(
            f"{base} is an array, and an array does not grow.",
            "Use a list: begin with `[]`, append to it, and make the array at the end.",
        )
    if type(owner) is dict and name in owner:
        return Told(
            f"{base} is a dictionary. An entry is taken with square brackets and the key.",
            f"Write `{ast.unparse(node.value)}[{name!r}]` in line {spot.line}.",
        )
    return None


def tell_module(spot: Spot, error: BaseException) -> Told:
    """Say that a module is not there."""
    name = str(getattr(error, "name", "") or "this module")
    return Told(
        f"There is no module `{name:.{_LONGEST}}` here. The lesson can be done with plain Python or numpy.",
        f"Check its spelling in line {spot.line}, or do without it.",
    )


def alike_in(name: str, names: Iterable[str]) -> str:
    """Return the name most like this one; empty if none is."""
    others = [each for each in dict.fromkeys(names) if isinstance(each, str) and not keyword.iskeyword(each)]
    same = [each for each in others if each.lower() == name.lower()]
    return next(iter(same or difflib.get_close_matches(name, others, 1, 0.7)), "")
