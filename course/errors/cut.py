"""Notice an array of whole numbers that decimals are written into: numpy cuts them without a word."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from course.calling import call_each, in_silence
from course.compare import compare
from course.errors.spot import Told, statements_in
from course.errors.texts import code_of
from course.errors.words import write
from course.judging import Example

_MAKES: Final = {"array", "asarray", "zeros_like", "ones_like", "empty_like", "full_like", "full"}
_EXPLICIT: Final = _MAKES | {"zeros", "ones", "empty", "astype", "arange"}
_CURE: Final = "Give this array `dtype=float`"
_DECIMALS: Final = {"exp", "sqrt", "log", "tanh", "erf", "mean", "std", "var", "true_divide", "divide", "softmax"}
_WHOLE: Final = {"int", "'int'", "np.int64", "np.int32", "numpy.int64"}


def tell_cut(solve: object, example: Example) -> Told | None:
    """Say which array cuts decimals, where a `solve` is right as soon as the same inputs are written as floats.

    None where that is not so. Where the code itself asks for whole numbers, no call is needed.
    """
    code = code_of(solve)
    if code is None or all(each.is_integer() for each in example.returns.flat):
        return None
    given = [name for name, value in example.arguments.items() if type(value) is float and not value.is_integer()]
    for made, filled in _filled_arrays(code):
        kind = _whole_kind(made.value)
        if kind and _gives_decimals(filled, given):
            return _say(made, filled, "", f"Write `float` in place of `{kind}`" if kind in _WHOLE else _CURE)
        if not kind and _is_cut(solve, example):
            why = ", because the numbers that it is made of are whole in this example"
            return _say(made, filled, why, _CURE)
    return None


def _say(made: ast.Assign, filled: ast.stmt, why: str, action: str) -> Told:
    name = write(made.targets[0])
    return Told(
        f"{name} (line {made.lineno}) is an array of whole numbers{why}. Line {filled.lineno} writes decimals into it, "
        "and numpy cuts them off.",
        f"{action} in line {made.lineno}.",
    )


def _filled_arrays(code: ast.FunctionDef) -> Iterator[tuple[ast.Assign, ast.stmt]]:
    """Yield each statement that makes an array, with each one that writes numbers into it."""
    statements = list(statements_in(code))
    for made in statements:
        if not isinstance(made, ast.Assign) or not isinstance(made.targets[0], ast.Name) or not _makes(made.value):
            continue
        name = made.targets[0].id
        yield from ((made, each) for each in statements if name in _written_into(each))


def _written_into(statement: ast.stmt) -> Sequence[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    targets = [statement.target] if isinstance(statement, ast.AugAssign) else targets
    bases = [each for each in targets if isinstance(each, ast.Subscript)]
    while any(isinstance(each, ast.Subscript) for each in bases):
        bases = [each.value if isinstance(each, ast.Subscript) else each for each in bases]  # type: ignore[misc]  # to a name
    return [each.id for each in bases if isinstance(each, ast.Name)]


def _makes(value: ast.expr) -> bool:
    """Tell whether this makes an array whose kind comes from what it is given, or one of whole numbers."""
    if not isinstance(value, ast.Call):
        return False
    named = [each for each in value.keywords if each.arg == "dtype"]
    name = ast.unparse(value.func).rpartition(".")[2]
    return bool(_whole_kind(value)) or (name in _MAKES and not named)


def _whole_kind(value: ast.expr) -> str:
    """Return what in the text makes an array one of whole numbers, whatever the inputs are; empty if nothing does."""
    name = ast.unparse(value.func).rpartition(".")[2] if isinstance(value, ast.Call) else ""
    if not isinstance(value, ast.Call) or name not in _EXPLICIT:
        return ""
    named = [each.value for each in value.keywords if each.arg == "dtype"]
    kind = next((text for each in (*named, *value.args) if (text := ast.unparse(each)) in _WHOLE), "")
    if kind or named:
        return kind
    numbers = (
        value.args[1:2] if name in {"full", "full_like"} else value.args[:1] if name in {"array", "asarray"} else []
    )
    return "whole numbers" if numbers and _is_written_whole(numbers[0]) else ""


def _is_written_whole(node: ast.expr) -> bool:
    """Tell whether this is a whole number, or a list of them, as in `[0] * n`."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return isinstance(node.left, ast.List) and _is_written_whole(node.left)
    if isinstance(node, ast.List):
        return bool(node.elts) and all(map(_is_written_whole, node.elts))
    return isinstance(node, ast.Constant) and type(node.value) is int


def _gives_decimals(statement: ast.stmt, given: Sequence[str]) -> bool:
    """Tell whether the text shows that decimals are written: a division, a root, an input that is no whole number."""
    for each in ast.walk(statement):
        if isinstance(getattr(each, "op", None), ast.Div) or (isinstance(each, ast.Name) and each.id in given):
            return True
        if isinstance(each, ast.Call) and ast.unparse(each.func).rpartition(".")[2] in _DECIMALS:
            return True
    return False


def _is_cut(solve: object, example: Example) -> bool:
    """Tell whether the answer is right with the same inputs written as floats."""
    tables = [
        name for name, value in example.arguments.items() if type(value) is list and _as_floats(value) is not None
    ]
    tries = [tables, *([each] for each in tables)] if len(tables) > 1 else [tables]
    for names in filter(None, tries):
        given = {name: _as_floats(each) if name in names else each for name, each in example.arguments.items()}
        with in_silence():
            call = call_each(solve, [replace(example, arguments=given)])[0]
        if compare(call.outcome, example.returns).passed:
            return True
    return False


def _as_floats(value: Any) -> Any:  # noqa: ANN401  # nested lists of numbers; None for anything else
    if type(value) in {int, float}:
        return float(value)
    if type(value) is not list:
        return None
    rows = [_as_floats(each) for each in value]
    return None if any(each is None for each in rows) else rows
