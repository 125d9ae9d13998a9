"""Compile a notebook cell the way a notebook would, without running anything of what is not Python.

Magics and shell lines become statements that do nothing. They are looked for only where plain Python
does not compile, so that no valid line is ever mistaken for one. `await` may stand outside a function.
"""

from __future__ import annotations
import __future__

import ast
import re
from collections.abc import Iterator
from types import CodeType
from typing import Any, Final

_MAX_REPAIRS: Final = 200
_BODY_IS_PYTHON: Final = ("time", "timeit", "capture", "prun")
_TIMED: Final = re.compile(r"^\s*%time\s+(?P<statement>\S.*)$")
_ASSIGNED: Final = re.compile(r"^(?P<target>\s*[\w.,\[\]() ]+=\s*)[%!](?!=)")
_HELP: Final = re.compile(r"[%\w.*\[\]'\"]+\?{1,2};?$")
_FUTURES: Final[int] = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
_NESTED: Final[int] = (
    __future__.nested_scopes.compiler_flag
)  # shares its bit with other flags, and means nothing any more


_AWAITS: Final = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


def compile_cell(source: str, file_name: str, flags: int) -> CodeType | None:
    """Compile one cell; None when the whole cell is a magic that is not Python.

    Raises:
        SyntaxError, ValueError, UnicodeError, RecursionError, MemoryError: as `compile` does.
    """
    code: CodeType | None = _build(source, file_name, flags)
    return code


def parse_cell(source: str) -> ast.Module | None:
    """Parse one cell; None when the whole cell is a magic that is not Python.

    Raises:
        SyntaxError, ValueError, UnicodeError, RecursionError, MemoryError: as `compile` does.
    """
    tree: ast.Module | None = _build(source, "", ast.PyCF_ONLY_AST)
    return tree


def compile_rest(source: str, file_name: str, flags: int, line: int) -> Iterator[CodeType]:
    """Compile, one by one, the statements after the one that `line` belongs to, of a cell that compiles.

    Of several statements in that line none is given: which one it was is not known.

    Raises:
        SyntaxError, ValueError, UnicodeError, RecursionError, MemoryError: as `compile` does.
    """
    tree: ast.Module | None = _build(source, file_name, flags | ast.PyCF_ONLY_AST)
    for statement in [] if tree is None else tree.body:
        if _first_line(statement) > line:
            yield _compile(ast.Module([statement], []), file_name, flags)


def cell_magic(source: str) -> str:
    """Return the magic that a cell begins with, such as "%%bash"; "" when there is none."""
    start = source.removeprefix("\ufeff").lstrip()
    return start.split(maxsplit=1)[0] if start.startswith("%%") else ""


def future_flags(code: CodeType) -> int:
    """Return the `from __future__` switches of a cell; they hold for the cells after it too."""
    return code.co_flags & _FUTURES & ~_NESTED


def _first_line(statement: ast.stmt) -> int:
    """Return where a statement starts; Python counts a function's decorators as before it."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *[each.lineno for each in decorators]])


def _build(source: str, file_name: str, flags: int) -> Any:  # noqa: ANN401  # code or a tree, as the flags say
    text = source.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    body = _without_cell_magic(text)
    if body is None:
        return None
    lines = body.split("\n")
    for _ in range(_MAX_REPAIRS):
        try:
            return _compile("\n".join(lines), file_name, flags)
        except SyntaxError as error:
            if not _repair(lines, (error.lineno or 0) - 1):
                raise
    return _compile("\n".join(lines), file_name, flags)


def _compile(source: str | ast.Module, file_name: str, flags: int) -> Any:  # noqa: ANN401  # as `_build`
    return compile(source, file_name, "exec", flags=flags | _AWAITS, dont_inherit=True)


def _without_cell_magic(text: str) -> str | None:
    start = text.lstrip()
    if not start.startswith("%%"):
        return text
    before = text[: len(text) - len(start)]
    _, _, body = start.partition("\n")
    name = cell_magic(text).removeprefix("%%")
    # The blank line keeps the numbers of the lines.
    return f"{before}\n{body}" if name in _BODY_IS_PYTHON else None


def _repair(lines: list[str], at: int) -> bool:
    """Make a magic, shell or help line harmless, with the lines it goes on to. False: it is not such a line."""
    if not 0 <= at < len(lines):
        return False
    harmless = _harmless(lines[at])
    if harmless is None:
        return False
    while lines[at].endswith("\\") and at + 1 < len(lines):
        lines[at], at = harmless, at + 1
        harmless = ""
    lines[at] = harmless
    return True


def _harmless(line: str) -> str | None:
    text = line.strip()
    indent = line[: len(line) - len(line.lstrip())]
    timed = _TIMED.match(line)
    if timed:
        return indent + timed["statement"]
    if text.startswith(("%", "!", "?")) or _HELP.match(text):
        return f"{indent}pass"
    assigned = _ASSIGNED.match(line)
    return f"{assigned['target']}None" if assigned else None
