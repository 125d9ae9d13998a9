"""Find the notebook in a student's zip, and the Python files beside it that it imports, as in a folder."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Final

from course.archive import ZippedFile, looks_like_zip
from course.beside import MAX_MODULE_BYTES, bring_modules, names_with_room
from course.cell_text import source_of
from course.notebook_form import new_cell
from course.written import Written, what_is_written

_NOTEBOOK_ENDINGS: Final = (".ipynb", ".ipynb.txt", ".json")
_SCRIPT_ENDING: Final = ".py"
_MODULE: Final = re.compile(r"\w+\.py")
_LESSON: Final = re.compile(r"^check\(solve\b.*\blesson=\"(\w+)\"", re.MULTILINE)
_LISTED: Final = 5
_NOTHING_ZIPPED: Final = "The file is a zip, or a document of an office program, with no notebook in it."
ZIP_IN_ZIP: Final = "The zip holds another zip in place of a notebook, which was not opened."


class NoneInZipError(Exception):
    """There is no one notebook in the zip; the message is one plain sentence."""


@dataclass(frozen=True)
class FromZip:
    """What was found. `notebook` is None where the file cannot be read; the message in `why` says so."""

    path: str
    notebook: dict[str, Any] | None
    notes: tuple[str, ...]
    why: str = ""

    @property
    def written(self) -> Written | None:
        """What it holds of `solve`; None for a file that cannot be read."""
        return None if self.notebook is None else what_is_written(self.notebook)


def find_in_zip(files: Sequence[ZippedFile], read: Callable[[ZippedFile], FromZip]) -> FromZip:
    """Return the file that counts: one in which `solve` is written, before others; of several the lesson's own name.

    Raises:
        NoneInZipError: there is none, or several that could be it.
    """
    notebooks = [file for file in files if file.path.lower().endswith(_NOTEBOOK_ENDINGS)]
    scripts = [file for file in files if file.path.lower().endswith(_SCRIPT_ENDING)]
    found, found_scripts = list(map(read, notebooks)), list(map(read, scripts))
    if not found and not found_scripts:
        zips = any(file.path.lower().endswith(".zip") and looks_like_zip(file.data) for file in files)
        raise NoneInZipError(ZIP_IN_ZIP if zips else _NOTHING_ZIPPED)
    groups = (
        [each for each in found if each.written is Written.FINISHED],
        [each for each in found if each.written is Written.ELSEWHERE],
        [each for each in found_scripts if each.written is Written.FINISHED],
        [each for each in found if each.written is Written.AS_GIVEN],
        [each for each in found if each.notebook is not None],
        found,
        found_scripts,
    )
    chosen = _the_one(next(group for group in groups if group))
    others = [f"`{each.path}`" for each in found if each is not chosen and each.notebook is not None]
    if not others:
        return chosen
    said = f"There were other notebooks in it, which were not: {', '.join(others[:_LISTED])}."
    return replace(chosen, notes=(*chosen.notes, said))


def _the_one(group: Sequence[FromZip]) -> FromZip:
    """Return the only one, or the only one with the lesson's name, outside of folders before inside."""
    named = sorted((each for each in group if _has_lessons_name(each)), key=_depth)
    if len(group) == 1:
        return group[0]
    if named and (len(named) == 1 or _depth(named[0]) < _depth(named[1])):
        return named[0]
    listed = ", ".join(each.path for each in group[:_LISTED])
    message = f"The zip holds {len(group)} files that could be the notebook ({listed}): hand in one."
    raise NoneInZipError(message)


def _depth(found: FromZip) -> int:
    return found.path.count("/")


def _has_lessons_name(found: FromZip) -> bool:
    """Tell whether the file is called as its check cell calls the lesson."""
    cells = found.notebook["cells"] if found.notebook else ()
    names = {name for cell in cells for name in _LESSON.findall(source_of(cell))}
    return found.path.rpartition("/")[2].partition(".")[0] in names


def write_modules(notebook: Mapping[str, Any], path: str, files: Sequence[ZippedFile]) -> Iterator[str]:
    """Add a cell for each module beside the notebook that it imports, as if the notebook wrote the file itself.

    Yield what is to be said of those left out.
    """
    folder = path.rpartition("/")[0]
    modules: dict[str, bytes] = {}
    for file in sorted(files, key=lambda file: len(file.data)):  # of two of one name the larger counts
        place, _, name = file.path.rpartition("/")
        if place == folder and _MODULE.fullmatch(name) and file.path != path and len(file.data) <= MAX_MODULE_BYTES:
            modules[name] = file.data
    room = names_with_room({name: len(data) for name, data in modules.items()})
    texts = {name: modules[name].decode("utf-8", "replace") for name in room}
    cells = notebook["cells"]
    brought = bring_modules([source_of(cell) for cell in cells if cell["cell_type"] == "code"], texts)
    ids = {cell["id"] for cell in cells}
    free = (number for number in count(len(cells) + 1) if f"cell-{number}" not in ids)
    for module, number in zip(brought.modules, free, strict=False):
        cells.append(new_cell("code", f"%%writefile {module}.py\n{texts[f'{module}.py']}", number))
    yield from brought.refused
