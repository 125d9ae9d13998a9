"""What a cell says: its text, its mark, the code in it. By patterns only; nothing of the student's is compiled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

_DEFINES_SOLVE: Final = re.compile(
    r"^[ \t]*(?:(?:async[ \t]+)?def[ \t]+solve\b|class[ \t]+solve\b|solve[ \t]*(?::[^=]+)?=(?!=)"
    r"|(?:from[ \t]+[\w.]+[ \t]+)?import[ \t].*\bsolve[ \t]*(?:[,)#;]|$))"
)
_NOT_WRITTEN: Final = re.compile(r"^[ \t]*raise[ \t]+NotImplementedError\b", re.MULTILINE)
_WRITTEN: Final = re.compile(r"^[ \t]*(?:return|yield)\b|\blambda\b", re.MULTILINE)
_DOCSTRING: Final = re.compile(r"\"{3}.*?\"{3}|'{3}.*?'{3}", re.DOTALL)
_HEAD: Final = re.compile(r"^([ \t]*)def[ \t]+solve[ \t]*\([^)]{0,500}\)[^:\n]{0,100}:", re.MULTILINE)
_CHECKS: Final = re.compile(r"^(?:check|plot_\w+)\([^\n]*\)[ \t;]*$", re.MULTILINE)
_DEFINES_CHECK: Final = re.compile(r"^[ \t]*def[ \t]+(?:check|plot_\w+)\b", re.MULTILINE)
_WRITES_A_FILE: Final = re.compile(r"\s*%%(?:writefile|file)\b")
_FENCE: Final = re.compile(r" {0,3}(?:```|~~~)")
_MOST_LETTERS: Final = 100_000
_ENDS: Final = re.compile(r"(?:return|yield|raise)\b")
_INDENT: Final = re.compile(r"[ \t]+")


def source_of(cell: Mapping[str, Any]) -> str:
    """Return a cell's text; notebooks store it as one string or as a list of lines."""
    source = cell.get("source", "")
    if isinstance(source, list | tuple):
        return "".join(line for line in source if isinstance(line, str))
    return source if isinstance(source, str) else ""


def grade_id_of(cell: Mapping[str, Any]) -> str | None:
    """Return the cell's nbgrader id, if its metadata still has one."""
    metadata = cell.get("metadata")
    mark = metadata.get("nbgrader") if isinstance(metadata, Mapping) else None
    grade_id = mark.get("grade_id") if isinstance(mark, Mapping) else None
    return grade_id if isinstance(grade_id, str) else None


def has_code(source: str) -> bool:
    """Tell whether there is a line that is neither blank nor a comment."""
    return any(line.strip() and not line.lstrip().startswith("#") for line in source.splitlines())


def defines_solve(source: str) -> bool:
    """Tell whether the text binds the name `solve`: by def, class, assignment or import."""
    if "solve" not in source or _WRITES_A_FILE.match(source):
        return False
    return any(_DEFINES_SOLVE.match(line) for line in source.split("\n") if "solve" in line)


def is_stub(source: str) -> bool:
    """Tell whether this is `solve` as it was released: nothing is returned, the stub still raises."""
    if "NotImplementedError" not in source or not defines_solve(source):
        return False
    return _NOT_WRITTEN.search(source) is not None and not _WRITTEN.search(_DOCSTRING.sub("", source))


def is_finished(source: str) -> bool:
    """Tell whether `solve` is defined, and not just as the stub."""
    return defines_solve(source) and not is_stub(source)


def line_left_over(source: str) -> tuple[int, bool]:
    """Return the line of the stub's `raise` in a `solve` that has lines of its own beside it; 0 where there is none.

    Also tell whether it is the last line of `solve`, where its `return` belongs.
    """
    short = len(source) <= _MOST_LETTERS  # nobody writes so much by hand, and the search takes time
    head = _HEAD.search(source) if short and "NotImplementedError" in source else None
    if head is None:
        return 0, False
    before, below = source[: head.end()], _DOCSTRING.sub(_blank, source[head.end() :])
    lines = [""]
    for line in below.split("\n")[1:]:
        if line.strip() and len(first_indent(line)) <= len(head[1]):
            break
        lines.append(line)
    code = {at: line for at, line in enumerate(lines) if has_code(line) and line.strip() != "pass"}
    raised = [at for at, line in code.items() if _NOT_WRITTEN.match(line)]
    if not raised or len(code) == len(raised):
        return 0, False
    return before.count("\n") + 1 + raised[0], raised[0] == max(code)


def _blank(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


def code_in(source: str) -> str:
    """Return the code of a cell: what stands between ``` fences, where `solve` stands there; else the whole text.

    Lines that are no code become blank, so that the others keep their numbers.
    """
    if "```" not in source and "~~~" not in source:
        return source
    inside, outside, fenced = [], [], False
    for line in source.split("\n"):
        if _FENCE.match(line):
            fenced = not fenced
            line = ""  # noqa: PLW2901  # the fence itself is no code
        inside.append(line if fenced else "")
        outside.append("" if fenced else line)
    starts_fenced = _FENCE.match(source.lstrip("\n")) is not None
    code = "\n".join(inside)
    return code if starts_fenced or (defines_solve(code) and not defines_solve("\n".join(outside))) else source


def silence_checks(source: str) -> str:
    """Make the lines of the check cell and the plot cell harmless in a cell that was merged with them."""
    if ("check" not in source and "plot_" not in source) or not defines_solve(source) or _DEFINES_CHECK.search(source):
        return source
    return _CHECKS.sub("pass", source)


def first_indent(source: str) -> str:
    """Return the blanks before the first line that is not blank."""
    line = next((line for line in source.split("\n") if line.strip()), "")
    indent = _INDENT.match(line)
    return indent[0] if indent else ""


def dedent(source: str) -> str:
    """Take the first line's indentation from all lines, as a notebook does before it runs a cell."""
    indent = first_indent(source)
    if not indent:
        return source
    return "\n".join(line.removeprefix(indent) for line in source.split("\n"))


def count_parts(before: str, following: Iterable[str]) -> int:
    """Return how many of the cells that follow were split off the function `solve` that the cell before starts.

    They are indented, as a function's lines are, up to the last one that returns.
    """
    last = next((line for line in reversed(before.split("\n")) if line.strip()), "")
    opens = last.partition("#")[0].rstrip().endswith(":")
    if not defines_solve(before) or not (opens or _INDENT.match(last)):
        return 0
    count = 0
    for number, source in enumerate(following, start=1):
        indent = first_indent(source)
        if not indent:
            break
        if _ends_function(source, indent) or (opens and number == 1):
            count = number
    return count


def _ends_function(source: str, indent: str) -> bool:
    return any(line.startswith(indent) and _ENDS.match(line, len(indent)) for line in source.split("\n"))
