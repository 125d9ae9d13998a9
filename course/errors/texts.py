"""Read in the text of the learner's cells what a name was given. No code of the learner's runs."""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Iterator
from typing import Final

from course.errors.spot import function_of

_LONGEST: Final = 60
_UNREADABLE: Final = (SyntaxError, ValueError, RecursionError, MemoryError)


def value_written(solve: object, name: str) -> str:
    """Return what stands right of `name = ` outside of all functions; empty where it is long or cannot be found."""
    for tree in _cells_around(solve):
        for each in reversed(tree.body):
            if isinstance(each, (ast.Assign, ast.AnnAssign)) and each.value and name in _names_given(each):
                return _short(each.value)
    return ""


def default_written(solve: object, name: str) -> str:
    """Return the default value of an input as the `def` line has it; empty where it is long or cannot be found."""
    function = function_of(solve)
    for tree in _cells_around(solve):
        for each in ast.walk(tree):
            if isinstance(each, ast.FunctionDef) and function is not None and each.name == function.__name__:
                value = _defaults(each.args).get(name)
                return _short(value) if value is not None else ""
    return ""


def line_that_replaces(name: str, text: str) -> tuple[int, str]:
    """Return the line of a cell that gives a name the result of calling that same name; 0 where there is none."""
    given = [each for each in _parse(text).body if isinstance(each, ast.Assign) and name in _names_given(each)]
    calls = (each.func for one in given[-1:] for each in ast.walk(one.value) if isinstance(each, ast.Call))
    if not any(isinstance(each, ast.Name) and each.id == name for each in calls):
        return 0, ""
    line = given[-1].lineno
    return line, text.splitlines()[line - 1].strip()


def _cells_around(solve: object) -> Iterator[ast.Module]:
    """Yield the cell of `solve`, then all cells that were run, the newest first."""
    function = function_of(solve)
    if function is not None:
        yield _parse("".join(linecache.getlines(function.__code__.co_filename)))
    yield from map(_parse, reversed(cells_run()))


def cells_run() -> list[str]:
    """Return the texts of the cells that were run, as Jupyter keeps them."""
    inputs = vars(sys.modules["__main__"]).get("In")
    return [each for each in inputs if isinstance(each, str)] if isinstance(inputs, list) else []


def _parse(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except _UNREADABLE:
        return ast.Module([], [])


def _names_given(statement: ast.Assign | ast.AnnAssign) -> list[str]:
    """Return the names that get the whole value."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return [each.id for each in targets if isinstance(each, ast.Name)]


def _defaults(inputs: ast.arguments) -> dict[str, ast.expr]:
    plain = [*inputs.posonlyargs, *inputs.args]
    last = plain[len(plain) - len(inputs.defaults) :]
    pairs = [*zip(last, inputs.defaults, strict=True), *zip(inputs.kwonlyargs, inputs.kw_defaults, strict=True)]
    return {each.arg: value for each, value in pairs if value is not None}


def _short(value: ast.expr) -> str:
    text = ast.unparse(value)
    return text if len(text) <= _LONGEST else ""
