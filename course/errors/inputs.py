"""Say in plain words that a call gives a function too many inputs, or too few."""

from __future__ import annotations

import ast
import inspect
import re
from types import FunctionType
from typing import Final

from course.beside import GIVEN
from course.carry_on import own_functions_in
from course.errors.spot import Spot, Told, UnknownValueError
from course.errors.words import count

_WORD: Final = re.compile(r"[a-z_]\w*")
_CALLED: Final = re.compile(r"^(?:[\w<>]+\.)*(\w+)\(\) (?:takes|missing|got|expected)|^(\w+) expected ")


def wrong_inputs(spot: Spot) -> Told | None:
    """Say that a call gives a function another number of inputs than it takes; None if it does not."""
    call = spot.find(ast.Call)
    try:
        function = spot.value(call.func) if call is not None else None
    except UnknownValueError:
        return None
    if not isinstance(function, FunctionType):
        return None
    wants, given = inspect.signature(function).parameters, _count_given(spot, call)
    if given is None or any(each.kind is not each.POSITIONAL_OR_KEYWORD for each in wants.values()):
        return None
    least = sum(each.default is each.empty for each in wants.values())
    return None if least <= given <= len(wants) else tell_count(spot, f"{ast.unparse(call.func)}() takes")


def _count_given(spot: Spot, call: ast.Call) -> int | None:
    """Count the inputs of a call, also those of `*rows`; None where that cannot be told."""
    try:
        sizes = [len(spot.value(each.value)) if isinstance(each, ast.Starred) else 1 for each in call.args]
    except (UnknownValueError, TypeError):
        return None
    return None if any(each.arg is None for each in call.keywords) else sum(sizes) + len(call.keywords)


def _other_function(spot: Spot, call: ast.Call, function: FunctionType, given: int | None) -> str:
    """Write the one other function of the lesson that takes as many inputs and names them most like the call."""
    given_code = ast.unparse(ast.List([*call.args, *(each.value for each in call.keywords)]))
    words = {each.replace("_", "") for each in _WORD.findall(given_code.lower())}
    own = sum(each.lower().replace("_", "") in words for each in inspect.signature(function).parameters)
    fits: list[tuple[int, str]] = []
    for name, value in spot.frame.f_globals.items():
        if not isinstance(value, FunctionType) or value is function or not _is_given(value):
            continue
        inputs = inspect.signature(value).parameters
        if len(inputs) == given:
            alike = sum(each.lower().replace("_", "") in words for each in inputs) + 2 * (function.__name__ in name)
            fits.append((alike, f"{name}({', '.join(inputs)})"))
    best = max(fits, default=(0, ""))
    alone = sum(each[0] == best[0] for each in fits) == 1
    return best[1] if alone and best[0] > own else ""


def _is_given(function: FunctionType) -> bool:
    """Tell whether a function comes with the lesson: the course's, or the learner's own of an earlier lesson."""
    return function.__module__ == GIVEN or bool(own_functions_in({"": function}))


def tell_count(spot: Spot, message: str) -> Told | None:
    """Say how many inputs a function takes and gets; None where the message is about something else."""
    call = spot.find(ast.Call)
    found = _CALLED.search(message)
    if call is None or not found:
        return None
    name = ast.unparse(call.func) if isinstance(call.func, ast.Name) else found.group(1) or found.group(2)
    given = _count_given(spot, call)
    try:
        function = spot.value(call.func)
    except UnknownValueError:
        function = None
    if not isinstance(function, FunctionType):
        here = f"the {given} given here" if given is not None else "are given here"
        return Told(f"`{name}` takes another number of inputs than {here}.", f"Change line {spot.line}.")
    wants = inspect.signature(function).parameters
    listed = ", ".join(wants)
    compare = f"Compare line {spot.line} with the line `def {name}({listed})`."
    if not spot.is_written_here(function):
        compare = f"Give `{name}` these inputs in line {spot.line}, in this order: {listed}."
        other = _other_function(spot, call, function, given)
        if other:
            compare = f"Is `{other}` meant? It takes {count(given or 0, 'input')}: write it in line {spot.line}."
    unknown = message.rpartition("unexpected keyword argument ")[2] if "unexpected keyword" in message else ""
    if unknown:
        return Told(f"`{name}({listed})` has no input with the name {unknown}.", compare)
    gives = f"Line {spot.line} gives it {count(given, 'input')}" if given is not None else "Here it gets another number"
    return Told(f"`{name}({listed})` takes {count(len(wants), 'input')}. {gives}.", compare)
