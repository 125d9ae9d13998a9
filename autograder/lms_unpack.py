"""Unpack what a learning platform gave, and the zips of students inside it, without ever leaving the folder."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from autograder.lines import one_line
from autograder.lms_names import file_if_late, students_in
from autograder.submitted import LATE_NOTE, LATE_TEXT
from course.archive import ArchiveError, ZipLimits, ZippedFile, looks_like_zip, names_in, unpack
from course.reading import is_copy

_CLASS: Final = ZipLimits(entries=50_000, entry_bytes=500_000_000, total_bytes=20_000_000_000)
_STUDENT: Final = ZipLimits()
_SIGNATURE_BYTES: Final = 4
_NOTEBOOK: Final = ".ipynb"
_WORK: Final = (_NOTEBOOK, ".py", ".zip")


@dataclass(frozen=True)
class Line:
    """What became of one file: a word, the file's path in the download, and why."""

    what: str
    path: str
    why: str = ""

    def __str__(self) -> str:
        """Return the line without control characters, which a file's name may hold."""
        said = f"{self.what:<11} {self.path}" + (f": {self.why}" if self.why else "")
        return one_line(said)


def unpack_downloads(source: Path, target: Path) -> Iterator[Line]:
    """Unpack or copy every file of `source` into `target`. Yield a line for each file that is not there afterwards."""
    files = sorted(path for path in source.rglob("*") if path.is_symlink() or not path.is_dir())
    for path in files:
        name = path.relative_to(source).as_posix()
        if path.is_symlink() or not path.is_file():
            yield Line("refused", name, "it is a link or no file")
        elif path.suffix.lower() == ".zip" and _is_zip(path):
            yield from _unpack_download(path, target, name, alone=len(files) == 1)
        else:
            yield from _write(target, name, path.read_bytes())


def _is_zip(path: Path) -> bool:
    with path.open("rb") as opened:
        return looks_like_zip(opened.read(_SIGNATURE_BYTES))


def _unpack_download(path: Path, target: Path, name: str, *, alone: bool) -> Iterator[Line]:
    """Unpack the zip of a class, or of one student: that one's own name says whose it is, and its entries do not.

    A zip with a student's name and with work of several in it can be a class's only where it is `alone`: a student
    may have packed names of others.
    """
    named = bool(students_in(name))
    of_several = named and _holds_several(names_in(path))
    if of_several and not alone:
        why = "its name says a student, and names in it say several; if it is a class's, rename it"
        yield Line("refused", name, why)
    elif named and not of_several:
        yield from _unpack_all(unpack(path, _STUDENT), target, name, name, zips=False)
    else:
        yield from _unpack_all(unpack(path, _CLASS), target, name, name[: -len(path.suffix)], zips=True)


def _holds_several(entries: Iterable[str]) -> bool:
    """Tell whether the work in a zip has names of several students; a picture called `fig_1_2_final.png` says none."""
    work = [entry for entry in entries if entry.lower().endswith(_WORK) and not is_copy(entry)]
    return len({min(students) for students in map(students_in, work) if students}) > 1


def _unpack_all(files: Iterable[ZippedFile], target: Path, name: str, folder: str, *, zips: bool) -> Iterator[Line]:
    try:
        for file in files:
            inside = f"{folder}/{file.path}"
            if file.refused:
                yield Line("refused", inside, file.refused)
            elif zips and file.path.lower().endswith(".zip") and looks_like_zip(file.data) and not is_copy(file.path):
                yield from _unpack_all(unpack(io.BytesIO(file.data), _STUDENT), target, inside, inside, zips=False)
            else:
                yield from _write(target, inside, file.data)
    except ArchiveError as error:
        yield Line("refused", name, str(error))


def _write(target: Path, name: str, data: bytes) -> Iterator[Line]:
    """Write one file below `target`. Copies that a system made are left out; `x.ipynb.txt` is called `x.ipynb`."""
    if is_copy(name):
        yield Line("ignored", name, "a copy that macOS or Jupyter made")
        return
    plain = name.replace("\\", "_")  # a student can put one into a file's name; as a folder it would say another name
    shorter = plain.rpartition(".")[0]
    if shorter.lower().endswith(_NOTEBOOK) and plain.lower().endswith((".txt", ".json")):
        plain = shorter
        yield Line("renamed", name, f"the ending {name[len(shorter) :]} was dropped")
    parts = plain.split("/")
    if not all(parts) or {".", ".."} & set(parts):
        yield Line("refused", name, "its path leads out of the folder")
        return
    place = target.joinpath(*parts)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("xb") as file:
            file.write(data)
        _note_late(plain, place)
    except FileExistsError:
        yield Line("refused", name, "there is already a file of this name")
    except (OSError, ValueError) as error:
        yield Line("refused", name, f"it cannot be written ({type(error).__name__})")


def _note_late(name: str, place: Path) -> None:
    """Keep the platform's mark of late work as a small file that goes along with the notebook."""
    file = file_if_late(name)
    if file:
        before = place.name.removesuffix(file.rpartition("/")[2])
        place.with_name(before + LATE_NOTE).write_text(LATE_TEXT, encoding="utf-8")
