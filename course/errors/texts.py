"""Read in the text of the learner's cells what a name was given. No code of the learner's runs."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from typing import Final

from course.errors.spot import function_of, names_set_by, statements_in
from course.kept_cells import text_of, tree_of

_LONGEST: Final = 60


def code_of(solve: object) -> ast.FunctionDef | None:
    """Return the code of `solve` as it stands in its cell; None where it cannot be had."""
    inner = function_of(solve)
    if inner is None:
        return None
    tree = tree_of(text_of(inner.__code__.co_filename))
    found = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef) and each.name == inner.__name__]
    return next((each for each in found if _first_line(each) == inner.__code__.co_firstlineno), None)


def _first_line(function: ast.FunctionDef) -> int:
    return min([function.lineno, *(each.lineno for each in function.decorator_list)])


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
    """Return the last line outside of functions that gives a name another value; 0 where a `def` of it comes later."""
    line = 0
    for each in statements_in(tree_of(text)):
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and each.name == name:
            line = 0
        elif name in names_set_by(each):
            line = each.lineno
    return line, text.splitlines()[line - 1].strip() if line else ""


def _cells_around(solve: object) -> Iterator[ast.Module]:
    """Yield the cell of `solve`, then all cells that were run, the newest first."""
    function = function_of(solve)
    if function is not None:
        yield tree_of(text_of(function.__code__.co_filename))
    yield from map(tree_of, reversed(cells_run()))


def cells_run() -> list[str]:
    """Return the texts of the cells that were run, as Jupyter keeps them."""
    inputs = vars(sys.modules["__main__"]).get("In")
    return [each for each in inputs if isinstance(each, str)] if isinstance(inputs, list) else []


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
