"""Bring parsed JSON of any notebook version, whole or damaged, into one form: nbformat 4.5 without outputs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

_MAX_DEPTH: Final = 100
_MAX_CELLS: Final = 10_000
_NEWEST_FORMAT: Final = 4
_MINOR: Final = 5
_CELL_ID: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_REPLACEMENT: Final = "\ufffd"
_KINDS: Final = ("code", "markdown", "raw")
_TEXT_KINDS: Final = {"heading": "markdown", "html": "markdown", "text": "markdown", "plaintext": "raw"}
_FLAGS: Final = ("deletable", "editable", "collapsed")
_METADATA: Final[dict[str, Any]] = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}

_NO_CELLS: Final = "The file is JSON but no notebook: it has no list of cells."
_TOO_DEEP: Final = "The file is nested too deep to be a notebook, so it was not read."


class FormError(Exception):
    """It is no notebook, or none of a learner's size; the message is one plain sentence."""


@dataclass(frozen=True)
class Made:
    """A notebook in our form and what was mended."""

    notebook: dict[str, Any]
    notes: tuple[str, ...]


@dataclass
class _Workshop:
    """What is collected while the cells are made."""

    notes: dict[str, None] = field(default_factory=dict)
    ids: set[str] = field(default_factory=set)

    def note(self, sentence: str) -> None:
        self.notes[sentence] = None


def new_cell(kind: str, source: str, number: int) -> dict[str, Any]:
    """Make a cell in our form."""
    cell: dict[str, Any] = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": source}
    return cell | ({"outputs": [], "execution_count": None} if kind == "code" else {})


def new_notebook(cells: list[dict[str, Any]]) -> dict[str, Any]:
    """Make a notebook in our form: Python's, whatever kernel was named."""
    metadata = {name: dict(value) for name, value in _METADATA.items()}
    return {"cells": cells, "metadata": metadata, "nbformat": _NEWEST_FORMAT, "nbformat_minor": _MINOR}


def refuse_many(cells: int) -> None:
    """Refuse a notebook with more cells than anybody writes.

    Raises:
        FormError: it has too many.
    """
    if cells > _MAX_CELLS:
        message = f"The file holds {cells} cells, more than {_MAX_CELLS}, and was not read."
        raise FormError(message)


def to_notebook(value: object) -> Made:
    """Make a notebook of parsed JSON.

    Raises:
        FormError: it is no notebook, or has too many cells.
    """
    if not isinstance(value, dict):
        raise FormError(_NO_CELLS)
    work = _Workshop()
    found = list(_cells_of(value))
    refuse_many(len(found))
    cells = [_make_cell(cell, number, work) for number, cell in enumerate(found, start=1)]
    _note_format(value, work)
    _note_kernel(value.get("metadata"), work)
    return Made(new_notebook([cell for cell in cells if cell is not None]), tuple(work.notes))


def _cells_of(value: Mapping[str, Any]) -> Iterator[object]:
    """Yield the cells; before version 4 they stand in worksheets."""
    cells, sheets = value.get("cells"), value.get("worksheets")
    if isinstance(cells, list):
        yield from cells
    elif isinstance(sheets, list):
        for sheet in sheets:
            inside = sheet.get("cells") if isinstance(sheet, dict) else None
            yield from inside if isinstance(inside, list) else ()
    else:
        raise FormError(_NO_CELLS)


def _make_cell(cell: object, number: int, work: _Workshop) -> dict[str, Any] | None:
    if not isinstance(cell, dict):
        work.note(f"Entry {number} of the notebook's list of cells was no cell and was left out.")
        return None
    kind = _kind_of(cell, number, work)
    made = new_cell(kind, _source_of(cell, number, work), number)
    made["metadata"] = _metadata_of(cell, number, work)
    made["id"] = _free_id(cell.get("id"), number, work)
    attachments = cell.get("attachments")
    if kind != "code" and isinstance(attachments, dict):
        pictures = {name: mimes for name, mimes in attachments.items() if _is_picture(mimes)}
        made |= {"attachments": _clean(pictures, work)} if pictures else {}
    return made


def _kind_of(cell: Mapping[str, Any], number: int, work: _Workshop) -> str:
    said = cell.get("cell_type")
    kind = said.strip().lower() if isinstance(said, str) else ""
    if kind in _KINDS:
        return kind
    if kind in _TEXT_KINDS:
        return _TEXT_KINDS[kind]
    kind = "code" if {"execution_count", "outputs", "input", "prompt_number"} & cell.keys() else "raw"
    work.note(f"Cell {number} did not say what kind of cell it is; it was read as {kind}.")
    return kind


def _source_of(cell: Mapping[str, Any], number: int, work: _Workshop) -> str:
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if not isinstance(source, str):
        work.note(f"The text of cell {number} was no text; what could be read of it was kept.")
        source = "".join(line for line in source if isinstance(line, str)) if isinstance(source, list) else ""
    text = _clean_text(source, work)
    if "\0" in text:
        work.note("NUL characters in the code were left out.")
        text = text.replace("\0", "")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    level = cell.get("level")
    if cell.get("cell_type") == "heading" and isinstance(level, int):
        return f"{'#' * min(max(level, 1), 6)} {text}"
    return text


def _metadata_of(cell: Mapping[str, Any], number: int, work: _Workshop) -> dict[str, Any]:
    """Keep what we use: nbgrader's mark and three switches. Editors add much more, in forms of their own."""
    metadata = cell.get("metadata", {})
    if not isinstance(metadata, dict):
        work.note(f"The metadata of cell {number} could not be read and was left out.")
        return {}
    kept: dict[str, Any] = {name: metadata[name] for name in _FLAGS if isinstance(metadata.get(name), bool)}
    mark = metadata.get("nbgrader")
    if isinstance(mark, dict):
        kept["nbgrader"] = _clean(mark, work)
    return kept


def _free_id(said: object, number: int, work: _Workshop) -> str:
    """Keep a cell's id where it is a valid one and not taken; ids must be unique."""
    wanted = said if isinstance(said, str) and _CELL_ID.fullmatch(said) else f"cell-{number}"
    free, tries = wanted, 0
    while free in work.ids:
        tries += 1
        free = f"cell-{number}-{tries}"
    work.ids.add(free)
    return free


def _is_picture(mimes: object) -> bool:
    return isinstance(mimes, dict) and all(isinstance(data, str) for data in mimes.values())


def _clean(value: object, work: _Workshop, depth: int = 0) -> Any:  # noqa: ANN401  # JSON
    """Copy JSON so that it can be written again: no lone surrogates, not nested deep."""
    if depth > _MAX_DEPTH:
        raise FormError(_TOO_DEEP)
    if isinstance(value, str):
        return _clean_text(value, work)
    if isinstance(value, dict):
        return {_clean_text(name, work): _clean(each, work, depth + 1) for name, each in value.items()}
    if isinstance(value, list):
        return [_clean(each, work, depth + 1) for each in value]
    return value


def _clean_text(text: str, work: _Workshop) -> str:
    if not _SURROGATE.search(text):
        return text
    work.note("Characters that are no characters (half of a pair) were replaced.")
    return _SURROGATE.sub(_REPLACEMENT, text)


def _note_format(value: Mapping[str, Any], work: _Workshop) -> None:
    said = value.get("nbformat")
    if not isinstance(said, int) or isinstance(said, bool):
        work.note("The notebook does not say which format it has; it was read as format 4.")
    elif said > _NEWEST_FORMAT:
        work.note(f"The notebook has a newer format ({str(said)[:20]}) than we know; it was read as format 4.")
    elif said < _NEWEST_FORMAT:
        work.note(f"The notebook has an old format ({str(said)[:20]}); it was read as format 4.")


def _note_kernel(metadata: object, work: _Workshop) -> None:
    """Say it when the notebook was written for another language. It is graded as Python all the same."""
    if not isinstance(metadata, dict):
        return
    for place, name in (("kernelspec", "language"), ("language_info", "name"), ("kernelspec", "name")):
        entry = metadata.get(place)
        said = entry.get(name) if isinstance(entry, dict) else None
        if isinstance(said, str) and said.strip():
            if "python" not in said.lower() and "pyodide" not in said.lower():
                shown = _clean_text(said, work)[:40]
                work.note(f"The notebook names another kernel ({shown!r}); its code was read as Python.")
            return
