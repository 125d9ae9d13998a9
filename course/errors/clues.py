"""Say in plain words what an error means, with the values that it met, and what to do next."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from types import FunctionType, ModuleType
from typing import Any, Final

from course.errors.helpers import from_outside
from course.errors.inputs import wrong_inputs
from course.errors.lookups import tell_key, tell_place
from course.errors.loops import tell_stopped
from course.errors.names import tell_attribute, tell_module, tell_name
from course.errors.numbers import tell_array, tell_number
from course.errors.same_list import say_same_list
from course.errors.spot import Spot, Told, UnknownValueError, find_spot, function_of
from course.errors.texts import code_of
from course.errors.types import tell_type

_MAY_COME_IN: Final = (LookupError, TypeError, ValueError, ArithmeticError)
_LONGEST: Final = 30
_LONG_CALL: Final = 60


def explain(error: BaseException, solve: object) -> Told | None:
    """Say what an error in `solve` means; None for one that this knows nothing about.

    Only plain values are looked at, so no code of the learner's runs.
    """
    spot = find_spot(error, solve)
    if spot is None or isinstance(error, NotImplementedError):
        return None
    told = _tell(spot, error)
    function = function_of(solve)
    own = {"solve", "<module>", function.__name__ if function else ""}
    if told is None or spot.function in own or isinstance(error, (KeyboardInterrupt, RecursionError)):
        return told
    called = f", called in line {spot.called_in}" if spot.called_in else ""
    says = f"It is in your function `{spot.function}`{called}. {told.says}"
    outside = from_outside(spot) if isinstance(error, _MAY_COME_IN) else ""
    written = code_of(solve)
    if outside and written is not None and (same := say_same_list(written)):
        return Told(same)
    return Told(says, outside or told.action, unsure=bool(outside) or told.unsure, sure=told.sure and not outside)


def _tell(spot: Spot, error: BaseException) -> Told | None:
    message = _message(error)
    for kind, say in _ANYWHERE.items():
        if isinstance(error, kind):
            return say(spot)
    if isinstance(error, AttributeError) and isinstance(error.obj, ModuleType):
        return tell_attribute(spot, error)  # some modules look a name up in a function of their own
    if spot.inside:
        counted = wrong_inputs(spot) if isinstance(error, TypeError) else None
        return tell_array(spot, message) or counted or _given(spot)
    for kind, tell in _TELL.items():
        if isinstance(error, kind):
            return tell(spot, error)
    if isinstance(error, TypeError):
        return tell_type(spot, message)
    return tell_number(spot, type(error).__name__, message)


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001  # an error class of the learner's own may fail to write itself
        return ""


def _endless(spot: Spot) -> Told:
    name = spot.function
    return Told(
        f"Your function `{name}` calls itself in line {spot.line}, again and again, and never comes to an end.",
        f"Take the call of `{name}` out of line {spot.line}, or first return without it in the smallest case.",
    )


def _waits(spot: Spot) -> Told:
    return Told(
        "`input` waits for the keyboard, and nobody types while your code is checked.",
        f"Take `input` out of line {spot.line}: the values come from the parameters.",
    )


def _ends_python(spot: Spot) -> Told:
    return Told(
        f"Line {spot.line} ends Python: `{spot.code[:_LONG_CALL]}`.",
        f"Take that out of line {spot.line}. To end `{spot.function}` there, write `return` and the result.",
    )


def _given(spot: Spot) -> Told | None:
    """An error inside a function that the learner did not write here: say what it was given."""
    call = spot.find(ast.Call)
    if call is None:
        return None
    name = ast.unparse(call.func)[:_LONGEST]
    said = [told for each in call.args if (told := spot.say(each))]
    inputs = f" with {'; '.join(said)}" if said else ""
    return Told(
        f"Line {spot.line} calls `{name}`{inputs}, and `{name}` could not work with that.",
        f"Check what line {spot.line} gives to {_signature(spot, call.func, name)}.",
    )


def _signature(spot: Spot, function: ast.expr, name: str) -> str:
    try:
        value = spot.value(function)
    except UnknownValueError:
        return f"`{name}`"
    if not isinstance(value, FunctionType):
        return f"`{name}`"
    written = f"`{name}({', '.join(inspect.signature(value).parameters)})`"
    return written if len(written) <= _LONG_CALL else f"`{name}`"


_ANYWHERE: Final[Mapping[type[BaseException], Callable[[Spot], Told]]] = {
    KeyboardInterrupt: tell_stopped,
    RecursionError: _endless,
    EOFError: _waits,
    SystemExit: _ends_python,
}
_TELL: Final[Mapping[type[BaseException], Callable[[Spot, Any], Told | None]]] = {
    IndexError: tell_place,
    KeyError: tell_key,
    NameError: tell_name,
    AttributeError: tell_attribute,
    ModuleNotFoundError: tell_module,
}
