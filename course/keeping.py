"""Notice what a function leaves behind: changed inputs, and something that it keeps from call to call."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any, Final

from course.calling import Call, call_each, in_silence, write
from course.errors.spot import Told, function_of, names_around, statements_in
from course.errors.texts import code_of, default_written, value_written
from course.judging import Example
from course.outcomes import Answered, NoFunction, Raised, Stopped

_QUICK_SECONDS: Final = 0.1
_AGAIN: Final = "Called a second time, your function gives another answer for example {}."
_KEEPS: Final = {"list", "dict", "set", "int", "float"}
_UNKNOWN: Final = Told(
    "It keeps something from call to call, or it uses random numbers.",
    "Make everything that `solve` uses inside `solve`, and use no random numbers.",
)
_RANDOM: Final = Told(
    "It uses random numbers, and the right answer has none of its own.",
    "Take the random numbers out of `solve`.",
)
_OF_ALL: Final = {"max", "min", "sum", "mean", "std", "var", "fsum", "softmax"}
_DICE: Final = {"random", "randint", "shuffle", "choice", "uniform", "rand", "randn", "normal", "default_rng"}


@dataclass(frozen=True)
class Kept:
    """What a function leaves behind. `told` says it; `examples` are the places of the examples that it touches."""

    told: Told
    examples: tuple[int, ...]


def changed_inputs(calls: Sequence[Call], examples: Sequence[Example]) -> Kept | None:
    """Say which inputs were changed; None if none was."""
    names = list(dict.fromkeys(name for call in calls for name in call.changed))
    if not names:
        return None
    which = f"its input {names[0]}" if len(names) == 1 else f"its inputs {', '.join(names[:-1])} and {names[-1]}"
    cures = " and ".join(f"`{name} = {_copied(name, examples[0].arguments.get(name))}`" for name in names)
    return Kept(
        Told(
            f"Your function changes {which}. Hidden cases look for that, and it costs a point.",
            f"Begin `solve` with {cures}.",
        ),
        tuple(at for at, call in enumerate(calls) if call.changed),
    )


def with_value_read_anew(told: Told, solve: object) -> Told:
    """Say too which value a loop takes anew, in each round, from the very list that the loop changes."""
    code = code_of(solve)
    for loop in reversed(list(statements_in(code))) if code else ():
        if not isinstance(loop, (ast.For, ast.While)):
            continue
        for name in _changed_in(loop):
            call = next((each for each in ast.walk(ast.Module(loop.body, [])) if _reads_all(each, name)), None)
            if isinstance(call, ast.Call):
                written = ast.unparse(call)
                return Told(
                    f"{told.says} And `{written}` in line {call.lineno} is taken anew in each round of the loop, when "
                    f"some numbers of `{name}` have changed.",
                    f"{told.action.rstrip('.')}, and take `{written}` once, above the loop of line {loop.lineno}.",
                )
    return told


def _changed_in(loop: ast.For | ast.While) -> list[str]:
    """Return the lists whose items a loop sets, without those that a loop inside it sets."""
    inner = [node for each in statements_in(loop) if isinstance(each, (ast.For, ast.While)) for node in ast.walk(each)]
    nodes = [node for each in loop.body for node in ast.walk(each) if node not in inner]
    items = [each for each in nodes if isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Store)]
    return [each.value.id for each in items if isinstance(each.value, ast.Name)]


def _reads_all(node: ast.AST, name: str) -> bool:
    """Tell whether a call works on all items of a list: `max(row)`, `row.sum()`."""
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and node.func.value.id == name:
        return node.func.attr in _OF_ALL
    of_all = ast.unparse(node.func).rpartition(".")[2] in _OF_ALL
    return of_all and any(isinstance(each, ast.Name) and each.id == name for arg in node.args for each in ast.walk(arg))


def _copied(name: str, value: object) -> str:
    """Write what makes a copy: of a table, new rows too."""
    if isinstance(value, dict):
        return f"{{key: {_copied('value', next(iter(value.values()), None))} for key, value in {name}.items()}}"
    if not isinstance(value, list):
        return f"{name}.copy()"
    return f"[row[:] for row in {name}]" if any(type(each) is list for each in value) else f"{name}[:]"


def another_answer(solve: object, examples: Sequence[Example], calls: Sequence[Call]) -> Kept | None:
    """Make the calls a second time, in silence and only where they are quick; None where they come to the same."""
    ended = any(isinstance(call.outcome, (Stopped, NoFunction)) for call in calls)
    if ended or sum(call.seconds for call in calls) > _QUICK_SECONDS:
        return None
    before = dict(_names_kept(solve))
    with in_silence():
        second = call_each(solve, examples)
    other = tuple(at for at, pair in enumerate(zip(calls, second, strict=True)) if not _same(*pair))
    if not other:
        return None
    after = dict(_names_kept(solve))
    name = next((name for name, text in after.items() if before.get(name) != text), "")
    told = _say(solve, name) if name else _RANDOM if _throws_dice(solve) else _UNKNOWN
    touched = tuple(range(len(calls))) if told is _RANDOM else other
    return Kept(Told(f"{_AGAIN.format(other[0] + 1)} {told.says}", told.action), touched)


def _same(one: Call, two: Call) -> bool:
    if isinstance(one.outcome, Raised) and isinstance(two.outcome, Raised):
        return (one.outcome.error, one.outcome.line) == (two.outcome.error, two.outcome.line)
    return isinstance(one.outcome, Answered) and isinstance(two.outcome, Answered) and one.written == two.written


def _say(solve: object, name: str) -> Told:
    if name in _defaults(solve):
        start = default_written(solve, name)
        begin = f"begin `solve` with `{name} = {start}`" if start else f"make `{name}` in the first line of `solve`"
        return Told(
            f"`{name}` has its default value in the `def` line: Python makes it once, and every call adds to the same "
            "one.",
            f"Take `{name}` out of the `def` line and {begin}.",
        )
    start = value_written(solve, name)
    begin = f"begin `solve` with `{name} = {start}`" if start else f"move the line that makes `{name}` into `solve`"
    return Told(
        f"`{name}` is made outside of the function, so it keeps what earlier calls left in it.",
        f"Make it inside: {begin}.",
    )


def _throws_dice(solve: object) -> bool:
    function = function_of(solve)
    return function is not None and any(_DICE & set(each.co_names) for each in _codes(function.__code__))


def _names_kept(solve: object) -> Iterator[tuple[str, str]]:
    """Yield the names that outlive a call, with their values as text: default values, and names outside."""
    for name, value in {**_globals(solve), **_defaults(solve)}.items():
        if type(value).__name__ in _KEEPS:
            yield name, write(sorted(map(write, value)) if type(value) is set else value)


def _defaults(solve: object) -> Mapping[str, object]:
    function = function_of(solve)
    parameters = inspect.signature(function).parameters.values() if function else ()
    return {each.name: each.default for each in parameters if each.default is not each.empty}


def _globals(solve: object) -> Mapping[str, Any]:
    """Return the names outside that `solve`, or a function it uses, speaks of."""
    function, around = function_of(solve), names_around(solve)
    found: dict[str, Any] = {}
    left = list(_codes(function.__code__)) if function else []
    while left:
        for name in left.pop().co_names:
            if name in around and name not in found:
                found[name] = value = around[name]
                if isinstance(value, FunctionType) and value.__globals__ is around:
                    left += _codes(value.__code__)
    return found


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of a function and of the functions inside it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)
