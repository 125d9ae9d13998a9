"""Say in plain words that a call gives a function too many inputs, or too few."""

from __future__ import annotations

import ast
import inspect
import re
from types import FunctionType
from typing import Final

from course.errors.spot import Spot, Told, UnknownValueError
from course.errors.words import count

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
    unknown = message.rpartition("unexpected keyword argument ")[2] if "unexpected keyword" in message else ""
    if unknown:
        return Told(f"`{name}({listed})` has no input with the name {unknown}.", compare)
    gives = f"Line {spot.line} gives it {count(given, 'input')}" if given is not None else "Here it gets another number"
    return Told(f"`{name}({listed})` takes {count(len(wants), 'input')}. {gives}.", compare)
