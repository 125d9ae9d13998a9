"""Read a Python file as a notebook: one cell, or the cells that jupytext, nbconvert or Databricks marked in it."""

from __future__ import annotations

import re
from typing import Any, Final

from course.notebook_form import new_cell, new_notebook, refuse_many

# `# %% [markdown]` of jupytext and VS Code, `# In[3]:` of nbconvert, `# COMMAND ----------` of Databricks.
_PERCENT: Final = re.compile(r"# ?%%(?P<rest>[^\n]*)")
_NUMBERED: Final = re.compile(r"# ?In\[[ \d*]*\]:?[ \t]*")
_COMMAND: Final = re.compile(r"# COMMAND -{5,}[ \t]*")
_MAGIC: Final = "# MAGIC"
_DATABRICKS: Final = "# Databricks notebook source"
_HEADER: Final = re.compile(r"\A(?:#!.*\n)?# ---\n(?:#.*\n)*?# ---\n")
_CODING: Final = re.compile(r"#!|#.*coding[:=]")
_TEXT_MARKS: Final = ("[markdown]", "[md]", "[raw]")


def script_to_notebook(text: str) -> dict[str, Any]:
    """Return the file's cells as a notebook in our form.

    Raises:
        FormError: it has too many cells.
    """
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    parts = [_Part("code", [])]
    for line in _HEADER.sub("", plain).split("\n"):
        kind = _kind_after(line)
        if kind:
            parts.append(_Part(kind, []))
        elif line.strip() != _DATABRICKS:
            parts[-1].lines.append(line)
    speaking = [part for part in parts if part.says_something()]
    refuse_many(len(speaking))
    return new_notebook([part.to_cell(number) for number, part in enumerate(speaking, start=1)])


def _kind_after(line: str) -> str:
    """Return the kind of cell that starts after this line, or "" if none does."""
    percent = _PERCENT.fullmatch(line)
    if percent:
        return "markdown" if any(mark in percent["rest"] for mark in _TEXT_MARKS) else "code"
    return "code" if _NUMBERED.fullmatch(line) or _COMMAND.fullmatch(line) else ""


class _Part:
    """The lines between two marks."""

    def __init__(self, kind: str, lines: list[str]) -> None:
        self.kind = kind
        self.lines = lines

    def says_something(self) -> bool:
        return any(line.strip() and not _CODING.match(line) for line in self.lines)

    def to_cell(self, number: int) -> dict[str, Any]:
        if self.kind == "code" and any(line.startswith(_MAGIC) for line in self.lines):
            return self._magic_cell(number)
        lines = [_without_mark(line) for line in self.lines] if self.kind == "markdown" else self.lines
        return new_cell(self.kind, "\n".join(lines).strip("\n"), number)

    def _magic_cell(self, number: int) -> dict[str, Any]:
        """Databricks writes a cell of another language, or one that starts with `%python`, as comments."""
        lines = [line[len(_MAGIC) :].removeprefix(" ") if line.startswith(_MAGIC) else line for line in self.lines]
        first = next((line for line in lines if line.strip()), "")
        if not first.startswith("%"):
            return new_cell("code", "\n".join(lines).strip("\n"), number)
        language = first.split()[0]
        body = "\n".join([first.removeprefix(language).strip(), *lines[lines.index(first) + 1 :]]).strip("\n")
        return new_cell("code" if language == "%python" else "raw", body, number)


def _without_mark(line: str) -> str:
    return line.removeprefix("#").removeprefix(" ")
