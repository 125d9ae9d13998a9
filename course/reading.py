"""Read whatever a student hands in as a notebook, or say in one sentence why it cannot be read.

Nothing of the student's is run or compiled here, and outputs are cut off before anything is parsed:
a notebook with 50 MB of outputs costs no more memory than its own text.
The student's check before handing in and the grader both read files with this module.
"""

from __future__ import annotations

import io
import json
import re
from dataclasses import dataclass
from typing import Any, Final

from course.archive import ArchiveError, ZipLimits, ZippedFile, looks_like_zip, unpack
from course.notebook_form import FormError, to_notebook
from course.scripts import script_to_notebook
from course.zipped import ZIP_IN_ZIP, FromZip, NoneInZipError, find_in_zip, write_modules

MAX_FILE_BYTES: Final = 200_000_000
_MAX_CONTAINERS: Final = 1_000_000
_MAX_REST_BYTES: Final = 20_000_000
_MAX_PIECES: Final = 6_000_000
_MAX_SCRIPT_BYTES: Final = 2_000_000

_BYTE_ORDER_MARKS: Final = (
    (b"\xff\xfe\x00\x00", "utf-32"),  # before UTF-16, whose mark it starts with
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
    (b"\xef\xbb\xbf", "utf-8-sig"),
)
_MARKS: Final = re.compile(rb"\A(?:\xef\xbb\xbf)+")  # some programs add one to that which is there
_NUL_PATTERNS: Final = (
    (re.compile(rb"[^\0]\0\0\0[^\0]\0\0\0"), "utf-32-le"),
    (re.compile(rb"\0\0\0[^\0]\0\0\0[^\0]"), "utf-32-be"),
    (re.compile(rb"[^\0]\0[^\0]\0"), "utf-16-le"),
    (re.compile(rb"\0[^\0]\0[^\0]"), "utf-16-be"),
)
_OUTPUTS: Final = re.compile(rb'"outputs"\s*:\s*\[')
# A bracket, or all texts and numbers up to the next one, or the quote of a text that never ends.
_PIECE: Final = re.compile(rb'(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"|[^"\[\]{}]++)++|[\[\]{}]|(?P<open>")', re.DOTALL)
_CONFLICT: Final = re.compile(r"^(?:<{7}|>{7})(?: |$)", re.MULTILINE)
_WEB_PAGE: Final = re.compile(r"\s*(?:<!doctype|<html|<\?xml|<head|<body)", re.IGNORECASE)
_LFS_POINTER: Final = "version https://git-lfs"
_PYTHON: Final = re.compile(r"^(?:def|import|from|class)[ \t]+\w", re.MULTILINE)
_TOO_DEEP: Final = "The file is nested too deep to be a notebook, so it was not read."
_TOO_MUCH: Final = "The file holds far more than a notebook's text, even without its outputs."
_LONG_NUMBER: Final = "The file holds a number with thousands of digits, so it was not read."
_MANY_OUTPUTS: Final = "The outputs hold millions of values. Clear all outputs and hand in again."
_SAVE_AGAIN: Final = "Open the notebook, save it and hand it in again."


class UnreadableError(Exception):
    """There is nothing to grade in this file. `reason` is one plain sentence for learner and instructor."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class ReadNotebook:
    """A notebook in nbformat 4 form without outputs, and one plain sentence for each thing that was mended."""

    notebook: dict[str, Any]
    notes: tuple[str, ...] = ()


def read_notebook(data: bytes, name: str = "x.ipynb") -> ReadNotebook:
    """Read a notebook, a Python file or a zip with one of them, by its content more than by its `name`.

    Raises:
        UnreadableError: there is nothing to grade in it.
    """
    if len(data) > MAX_FILE_BYTES:
        reason = f"The file is larger than {MAX_FILE_BYTES // 1_000_000} MB and was not read."
        raise UnreadableError(reason)
    if not data.strip(b"\0 \t\r\n"):
        reason = "The file is empty." if not data else "The file holds nothing but blanks."
        raise UnreadableError(reason)
    if looks_like_zip(data):
        return _read_zipped(data)
    try:
        return _read_text(*_to_utf8(data), name)
    except FormError as error:
        raise UnreadableError(str(error)) from None
    except (RecursionError, MemoryError):
        raise UnreadableError(_TOO_DEEP) from None


def _read_text(data: bytes, notes: list[str], name: str) -> ReadNotebook:
    start = data.lstrip()[:1]
    if start in {b"{", b"["} and not (start == b"[" and name.lower().endswith(".py")):
        return _read_json(data, notes)
    text = _decode(data[:_MAX_SCRIPT_BYTES], notes)
    named_python = name.lower().endswith((".py", ".py.txt"))
    if named_python or (_PYTHON.search(text) and not _WEB_PAGE.match(text)):
        return _read_script(data, text, notes, named_python=named_python)
    raise UnreadableError(_what_else(text))


def _read_json(data: bytes, notes: list[str]) -> ReadNotebook:
    short = _cut_outputs(data)
    if len(short) > _MAX_REST_BYTES or short.count(b"[") + short.count(b"{") > _MAX_CONTAINERS:
        raise UnreadableError(_TOO_MUCH)
    text = _decode(short, notes)
    try:
        value = json.loads(text, strict=False)
    except json.JSONDecodeError as error:
        raise UnreadableError(_why_broken(text, error)) from None
    except ValueError:
        raise UnreadableError(_LONG_NUMBER) from None
    made = to_notebook(value)
    return ReadNotebook(made.notebook, (*notes, *made.notes))


def _read_script(data: bytes, text: str, notes: list[str], *, named_python: bool) -> ReadNotebook:
    if len(data) > _MAX_SCRIPT_BYTES:
        reason = f"The Python file is larger than {_MAX_SCRIPT_BYTES // 1_000_000} MB and was not read."
        raise UnreadableError(reason)
    if _CONFLICT.search(text):
        raise UnreadableError(_conflict(text))
    said = "A Python file was handed in." if named_python else "The file holds Python code and is no notebook."
    return ReadNotebook(script_to_notebook(text), (*notes, f"{said} Its code was read as the notebook's."))


def _read_zipped(data: bytes) -> ReadNotebook:
    try:
        entries = [entry for entry in unpack(io.BytesIO(data), ZipLimits()) if not is_copy(entry.path)]
    except ArchiveError as error:
        raise UnreadableError(str(error)) from None
    refused = [entry.refused for entry in entries if entry.refused]
    files = [entry for entry in entries if not entry.refused]
    try:
        found = find_in_zip(files, _read_one)
    except NoneInZipError as error:
        raise UnreadableError(refused[0] if refused else str(error)) from None
    if found.notebook is None:
        raise UnreadableError(found.why)
    left_out = write_modules(found.notebook, found.path, files)
    said = f"The file was a zip: `{found.path}` in it was read."
    return ReadNotebook(found.notebook, (said, *refused, *found.notes, *left_out))


def _read_one(file: ZippedFile) -> FromZip:
    if looks_like_zip(file.data):
        return FromZip(file.path, None, (), ZIP_IN_ZIP)
    try:
        read = read_notebook(file.data, file.path)
    except UnreadableError as error:
        return FromZip(file.path, None, (), error.reason)
    return FromZip(file.path, read.notebook, read.notes)


def is_copy(path: str) -> bool:
    """Tell whether a path is one of the copies that macOS, Jupyter and hidden folders leave behind."""
    parts = path.split("/")
    hidden = any(part.startswith(".") and part not in {".", ".."} for part in parts)
    return hidden or not {"__MACOSX", "__pycache__"}.isdisjoint(parts)


def _to_utf8(data: bytes) -> tuple[bytes, list[str]]:
    """Bring any of the usual encodings to UTF-8, and note when it was another one."""
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            if encoding == "utf-8-sig":
                return _MARKS.sub(b"", data, count=1).rstrip(b"\0"), []
            return _recode(data, encoding)
    start = data[:64].lstrip(b" \r\n\t") if data[:1] != b"\0" else data[:64]
    for pattern, encoding in _NUL_PATTERNS:
        if pattern.match(start):
            return _recode(data, encoding)
    return data.strip(b"\0"), []


def _recode(data: bytes, encoding: str) -> tuple[bytes, list[str]]:
    text = data.decode(encoding, errors="replace")
    note = f"The file was written as {encoding[:6].upper()} and not as UTF-8; it was read all the same."
    return text.lstrip("\ufeff").encode("utf-8", errors="replace").strip(b"\0"), [note]


def _decode(data: bytes, notes: list[str]) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        notes.append("Some characters of the file could not be read and were replaced.")
        return data.decode("utf-8", errors="replace")


def _cut_outputs(data: bytes) -> bytes:
    """Take out every list of outputs; its line ends stay, so that lines keep their numbers."""
    kept: list[bytes] = []
    at, pieces = 0, _MAX_PIECES
    while found := _OUTPUTS.search(data, at):
        end, pieces = _end_of_list(data, found.end() - 1, pieces)
        if end is None:  # it never closes: the parser says where
            break
        kept += [data[at : found.end()], b"\n" * data.count(b"\n", found.end(), end), b"]"]
        at = end
    return b"".join([*kept, data[at:]])


def _end_of_list(data: bytes, start: int, pieces: int) -> tuple[int | None, int]:
    """Return where the list that opens at `start` has closed, and how many pieces may still be looked at."""
    depth = 0
    for piece in _PIECE.finditer(data, start):
        pieces -= 1
        if pieces < 0:
            raise UnreadableError(_MANY_OUTPUTS)
        first = data[piece.start()]
        if piece["open"]:  # to look on behind it would read the rest again from every quote in it
            break
        if first in b"[{":
            depth += 1
        elif first in b"]}":
            depth -= 1
            if depth == 0:
                return piece.end(), pieces
    return None, pieces


def _why_broken(text: str, error: json.JSONDecodeError) -> str:
    if _CONFLICT.search(text):
        return _conflict(text)
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        return f"The file breaks off in line {text.count(chr(10)) + 1}: its end is missing. {_SAVE_AGAIN}"
    return f"The file is not a valid notebook from line {error.lineno}, column {error.colno} on. {_SAVE_AGAIN}"


def _conflict(text: str) -> str:
    found = _CONFLICT.search(text)
    line = text.count("\n", 0, found.start()) + 1 if found else 0
    return f"The file holds the mark of a merge conflict in line {line}: choose one version and hand in again."


def _what_else(text: str) -> str:
    if _WEB_PAGE.match(text):
        return "The file is a web page and not a notebook: download the notebook itself (.ipynb) and hand that in."
    if _CONFLICT.match(text):
        return _conflict(text)
    if text.startswith("%PDF"):
        return "The file is a PDF and not a notebook: hand in the notebook itself (.ipynb)."
    if text.startswith(_LFS_POINTER):
        return "The file is a pointer of Git LFS and not the notebook itself."
    return "The file is neither a notebook nor Python code."
