"""Say which of a student's files is the work: by its name first, and by its text where that one holds none.

Nothing is run. A file with `solve` as it was given, or one that cannot be read, gives way to one with a `solve`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Final

from course.archive import unpacked_bytes
from course.reading import UnreadableError, read_notebook
from course.written import Written, what_is_written

_MAX_LOOKED_INTO_BYTES: Final = 5_000_000
_MOST_LOOKED_INTO: Final = 8
_SOLVE_MARKS: Final = (b"def solve", b"solve =", b"solve=", b"check(solve")
_TEXT_ENDINGS: Final = (".ipynb.txt", ".ipynb.json", ".json", ".txt")


class _Fit(IntEnum):
    """How well a file fits, best first."""

    EXACT = 0
    ALIKE = 1
    NOTEBOOK = 2
    HOLLOW = 3
    PYTHON = 4
    ZIP = 5
    TEXT = 6
    EMPTY = 7


@dataclass(frozen=True)
class HandedIn:
    """One file as it lies there. `modified` is in nanoseconds."""

    path: Path
    size: int
    modified: int
    readable: bool


@dataclass(frozen=True)
class Choice:
    """The file that counts, and what to say about it and the others."""

    path: Path
    notes: tuple[str, ...]


def choose(files: Sequence[HandedIn], folder: Path, name: str) -> Choice | None:
    """Return which file counts as the work on the lesson `name`; None if none can be it."""
    ranked = _rank(files, folder, name)
    if not ranked:
        return None
    chosen, why = _first_written([path for _, path in ranked])
    return Choice(chosen, tuple(_say(ranked, chosen, why, folder, name)))


def why_unwritten(path: Path) -> str:
    """Say why a file gives way to another: "cannot be read ...", "holds `solve` as it was given"; else ""."""
    written = _written(path)
    if isinstance(written, UnreadableError):
        return f"cannot be read ({written.reason.rstrip('.')})"
    return "holds `solve` only as it was given" if written is Written.AS_GIVEN else ""


def holds_solve(path: Path) -> bool:
    """Tell whether a file of any name holds a `solve` or a lesson's check cell."""
    return _holds(path, _SOLVE_MARKS)


def is_name_like(file_name: str, name: str) -> bool:
    """Tell `attention (1).ipynb`, `Copy of attention.ipynb` and `ATTENTION_ana_FINAL.ipynb` from other names."""
    return _letters(name) in _letters(file_name.partition(".")[0])


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _rank(files: Sequence[HandedIn], folder: Path, name: str) -> list[tuple[_Fit, Path]]:
    """Return the files that could be the work: the best fit first, of equal ones the newest."""
    fits = [(_fit(file, folder, name), file) for file in files]
    ranked = sorted(
        ((fit, -file.modified, file.path.name, file.path) for fit, file in fits if fit is not None),
    )
    return [(fit, path) for fit, _, _, path in ranked]


def _fit(file: HandedIn, folder: Path, name: str) -> _Fit | None:
    path, lower = file.path, file.path.name.lower()
    if lower.endswith(".ipynb"):
        return _fit_of_notebook(file, folder, name)
    if not file.size:
        return None
    if lower.endswith(".py"):
        return _Fit.PYTHON if is_name_like(path.name, name) or _holds(file.path, _SOLVE_MARKS[:1]) else None
    if lower.endswith(".zip"):
        return _Fit.ZIP
    return _Fit.TEXT if lower.endswith(_TEXT_ENDINGS) and _holds(file.path, (b'"cells"', b"def solve")) else None


def _fit_of_notebook(file: HandedIn, folder: Path, name: str) -> _Fit | None:
    if not file.size:
        return _Fit.EMPTY
    if file.path == folder / f"{name}.ipynb":
        return _Fit.EXACT
    alike, holds = is_name_like(file.path.name, name), holds_solve(file.path)
    if not holds:
        return _Fit.HOLLOW if alike else None
    return _Fit.ALIKE if alike else _Fit.NOTEBOOK


def _first_written(paths: Sequence[Path]) -> tuple[Path, str]:
    """Return the first file, or one further on in which `solve` is written, and why the first gives way to it."""
    first, *rest = paths
    why = why_unwritten(first) if rest else ""
    if why:
        for path in rest[:_MOST_LOOKED_INTO]:
            if _written(path) is Written.FINISHED:
                return path, why
    return first, ""


def _written(path: Path) -> Written | UnreadableError | None:
    """Look into a file; None if it is too large to be looked into before it is graded."""
    try:
        if max(path.stat().st_size, unpacked_bytes(path)) > _MAX_LOOKED_INTO_BYTES:
            return None
        return what_is_written(read_notebook(path.read_bytes(), path.name).notebook)
    except UnreadableError as error:
        return error
    except OSError:
        return None


def _holds(path: Path, marks: Collection[bytes]) -> bool:
    """Look into a file whose name says nothing; UTF-16 is read by leaving out its NUL bytes."""
    try:
        with path.open("rb") as opened:
            text = opened.read(_MAX_LOOKED_INTO_BYTES).replace(b"\0", b"")
    except OSError:
        return False
    return any(mark in text for mark in marks)


def _say(ranked: Sequence[tuple[_Fit, Path]], chosen: Path, why: str, folder: Path, name: str) -> Iterator[str]:
    shown = chosen.relative_to(folder).as_posix()
    if why:
        yield f"`{ranked[0][1].relative_to(folder).as_posix()}` {why}, so `{shown}` was graded."
    if chosen != folder / f"{name}.ipynb":
        yield f"The work was handed in as `{shown}` and not as `{name}.ipynb`; it was read all the same."
    notebooks = [path for other, path in ranked if other <= _Fit.HOLLOW and path != chosen]
    if notebooks:
        listed = ", ".join(f"`{path.relative_to(folder).as_posix()}`" for path in notebooks[:5])
        yield f"`{shown}` was graded. There were other notebooks, which were not: {listed}."


def folders_imported(files: Sequence[HandedIn], chosen: Path) -> Iterator[str]:
    """Say which folders with Python files beside the notebook it imports: only files beside it go along."""
    inside = [file.path.relative_to(chosen.parent) for file in files if file.path.is_relative_to(chosen.parent)]
    folders = {path.parts[0] for path in inside if len(path.parts) > 1 and path.suffix == ".py"}
    for folder in sorted(folders)[:_MOST_LOOKED_INTO]:
        marks = [f"from {folder}.", f"from {folder} import", f"import {folder}."]
        if folder.isidentifier() and _holds(chosen, [mark.encode() for mark in marks]):
            yield f"The folder `{folder}` was not used: only Python files right beside the notebook can be imported."
