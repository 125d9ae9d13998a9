"""Leave out of a run what cannot matter: the author's statements that nothing of the student's builds on.

The author's cells check, hint and draw. In the sandbox all of that is silent, so running it would cost time and
change nothing. What they define, such as an import, is kept where a student's cell mentions its name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from course.submission import SOLVE, Cell


@dataclass(frozen=True)
class Statement:
    """One statement of an author's cell, and the names that it defines; "" stands for any name."""

    source: str
    defines: frozenset[str]


def statements_in(source: str) -> tuple[Statement, ...]:
    """Cut an author's cell into its statements.

    Raises:
        SyntaxError: it is not Python.
    """
    lines = source.splitlines()
    return tuple(
        Statement("\n".join(lines[each.lineno - 1 : each.end_lineno]), frozenset(_names(each)))
        for each in ast.parse(source).body
    )


def needed(cells: Sequence[Cell], given: Mapping[str, Sequence[Statement]]) -> tuple[Cell, ...]:
    """Return the student's cells as they are, and of the author's what they mention. `given`: author's cells in parts.

    A name counts as mentioned wherever its letters stand, in a comment too: that keeps too much, never too little.
    """
    text = "\n".join([SOLVE, *[cell.source for cell in cells if cell.source not in given]])
    kept: list[Cell] = []
    for cell in reversed(cells):
        source = cell.source
        if source in given:
            parts = []
            for statement in reversed(given[source]):
                if any(name in text for name in statement.defines):
                    parts.append(statement.source)
                    text = f"{text}\n{statement.source}"
            source = "\n".join(reversed(parts))
        if source:
            kept.append(Cell(cell.number, source))
    return tuple(reversed(kept))


def _names(statement: ast.stmt) -> Iterator[str]:
    for node in ast.walk(statement):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from ("" if each.name == "*" else (each.asname or each.name).partition(".")[0] for each in node.names)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
