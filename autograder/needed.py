"""Leave out of a run what cannot matter: the author's silent statements that nothing of the student's builds on.

The author's cells import, write down examples, and call the course's functions, which are silent in the sandbox. Only
such statements are ever left out, and only where the student's cells mention none of the names that they define or
call. A cell in which anything else stands is run as it is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from course.submission import SOLVE, Cell

_ANY_NAME: Final = ""
_LOOKS_AROUND: Final = re.compile(r"\b(?:vars|globals|locals|dir|getattr|__dict__|import_module|__import__)\b")


@dataclass(frozen=True)
class Statement:
    """One statement of an author's cell, and the names that it defines or calls; "" stands for any name."""

    source: str
    names: frozenset[str]


def statements_in(source: str) -> tuple[Statement, ...]:
    """Cut an author's cell into its statements; one that cannot be cut, or holds anything else, is one statement."""
    try:
        body = ast.parse(source).body
    except SyntaxError:  # a magic
        body = []
    found = [(each, _names(each)) for each in body]
    if not found or any(names is None for _, names in found):
        return (Statement(source, frozenset({_ANY_NAME})),)
    return tuple(Statement(ast.unparse(each), frozenset(names or ())) for each, names in found)


def needed(cells: Sequence[Cell], given: Mapping[str, Sequence[Statement]]) -> tuple[Cell, ...]:
    """Return the student's cells as they are, and of the author's what they mention. `given`: author's cells in parts.

    A name counts as mentioned wherever its letters stand, in a comment too: that keeps too much, never too little.
    Code that looks around for names may mean any.
    """
    text = "\n".join([SOLVE, *[cell.source for cell in cells if cell.source not in given]])
    if _LOOKS_AROUND.search(text):
        return tuple(cells)
    kept: list[Cell] = []
    for cell in reversed(cells):
        source = cell.source
        if source in given:
            parts = []
            for statement in reversed(given[source]):
                if any(name in text for name in statement.names):
                    parts.append(statement.source)
                    text = f"{text}\n{statement.source}"
            source = "\n".join(reversed(parts))
        if source:
            kept.append(Cell(cell.number, source))
    return tuple(reversed(kept))


def _names(statement: ast.stmt) -> set[str] | None:
    """Return what a silent statement defines and calls; None if it is none."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {
            _ANY_NAME if each.name == "*" else (each.asname or each.name).partition(".")[0] for each in statement.names
        }
    if isinstance(statement, ast.Expr):
        return _called(statement.value)
    if isinstance(statement, ast.Assign) and all(isinstance(each, ast.Name) for each in statement.targets):
        called = _called(statement.value)
        return None if called is None else called | {ast.unparse(each) for each in statement.targets}
    return None


def _called(value: ast.expr) -> set[str] | None:
    """Return the names of functions that are called, where there is nothing but calls by name, names and data."""
    called = set()
    for node in ast.walk(value):
        if isinstance(node, ast.Call):
            if not isinstance(node.func, ast.Name):
                return None
            called.add(node.func.id)
        elif not isinstance(
            node,
            ast.Name | ast.Constant | ast.List | ast.Tuple | ast.Dict | ast.UnaryOp | ast.USub | ast.keyword | ast.Load,
        ):
            return None
    return called
