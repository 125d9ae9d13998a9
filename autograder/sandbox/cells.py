"""Compile a notebook cell the way a notebook would, without running anything of what is not Python.

Magics and shell lines become statements that do nothing. They are looked for only where plain Python
does not compile, so that no valid line is ever mistaken for one.
"""

from __future__ import annotations
import __future__

import re
from types import CodeType
from typing import Final

_MAX_REPAIRS: Final = 200
_BODY_IS_PYTHON: Final = ("time", "timeit", "capture", "prun")
_TIMED: Final = re.compile(r"^\s*%time\s+(?P<statement>\S.*)$")
_ASSIGNED: Final = re.compile(r"^(?P<target>\s*[\w.,\[\]() ]+=\s*)[%!](?!=)")
_HELP: Final = re.compile(r"[%\w.*\[\]'\"]+\?{1,2};?$")
_FUTURES: Final[int] = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
_NESTED: Final[int] = (
    __future__.nested_scopes.compiler_flag
)  # shares its bit with other flags, and means nothing any more


def compile_cell(source: str, file_name: str, flags: int) -> CodeType | None:
    """Compile one cell; None when the whole cell is a magic that is not Python.

    Raises:
        SyntaxError, ValueError, UnicodeError, RecursionError, MemoryError: as `compile` does.
    """
    text = source.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    body = _without_cell_magic(text)
    if body is None:
        return None
    lines = body.split("\n")
    for _ in range(_MAX_REPAIRS):
        try:
            return _compile(lines, file_name, flags)
        except SyntaxError as error:
            if not _repair(lines, (error.lineno or 0) - 1):
                raise
    return _compile(lines, file_name, flags)


def future_flags(code: CodeType) -> int:
    """Return the `from __future__` switches of a cell; they hold for the cells after it too."""
    return code.co_flags & _FUTURES & ~_NESTED


def _compile(lines: list[str], file_name: str, flags: int) -> CodeType:
    code: CodeType = compile("\n".join(lines), file_name, "exec", flags=flags, dont_inherit=True)
    return code


def _without_cell_magic(text: str) -> str | None:
    start = text.lstrip()
    if not start.startswith("%%"):
        return text
    before = text[: len(text) - len(start)]
    magic, _, body = start.partition("\n")
    name = (magic[2:].split() or [""])[0]
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
