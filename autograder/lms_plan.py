"""Decide about every file of a download: whose it is, and whether it is the one that counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import Final

from autograder.fitting import holds_solve, is_name_like, why_unwritten
from autograder.ids import is_safe_student, why_no_student
from autograder.lesson import name_of
from autograder.lms_names import Delivered, Directory, Names, TwoStudentsError
from autograder.lms_unpack import Line
from autograder.roster import Student
from autograder.submitted import LATE_NOTE
from course.beside import MAX_MODULE_BYTES

_UNLISTED: Final = "not in list"


@dataclass(frozen=True)
class Plan:
    """What nbgrader shall collect (file: student and name in the student's folder), and a line for every file."""

    collected: Mapping[Path, Collected]
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Collected:
    """Where one file goes. `time` is when it was handed in, or "" where the name does not say."""

    student: str
    name: str
    time: str = ""


class _Kind(IntEnum):
    """How likely a file is the work, likeliest first."""

    NAMED = 0
    NOTEBOOK = 1
    HOLLOW = 2
    PYTHON = 3
    OTHER = 4
    EMPTY = 5


@dataclass(frozen=True)
class _File:
    path: Path
    shown: str
    delivered: Delivered | None


@dataclass(frozen=True)
class _Found:
    path: Path
    shown: str
    student: str
    delivered: Delivered
    kind: _Kind

    @property
    def rank(self) -> tuple[int, int, int, str]:
        """Sort the likeliest kind first, and in it the newest attempt."""
        number, attempt = self.delivered.order
        return (self.kind, -number, -attempt, self.shown)


@dataclass
class _Desk:
    """What is known so far."""

    lines: list[Line] = field(default_factory=list)
    work: dict[str, list[_Found]] = field(default_factory=dict)
    collected: dict[Path, Collected] = field(default_factory=dict)


def make_plan(files: Sequence[Path], folder: Path, lesson_id: str, students: Sequence[Student]) -> Plan:
    """Decide about all files below `folder`, which holds one download or several."""
    directory, name, desk = Directory(students), name_of(lesson_id), _Desk()
    shown = {path: path.relative_to(folder).as_posix() for path in files}
    names = Names(shown.values())
    for path in files:
        try:
            delivered = names.read(shown[path])
        except TwoStudentsError:
            why = "its name can be read as that of two students: rename the file"
            desk.lines.append(Line("refused", shown[path], why))
        else:
            _sort_in(desk, _File(path, shown[path], delivered), directory, name)
    for student in sorted(desk.work):
        _choose(desk, desk.work[student], name)
    return Plan(desk.collected, tuple(desk.lines))


def _sort_in(desk: _Desk, file: _File, directory: Directory, name: str) -> None:
    path, shown, delivered = file.path, file.shown, file.delivered
    if delivered is None:
        desk.lines.append(Line("not needed", shown, "its name says no student"))
        return
    student = directory.student(delivered)
    if student is None:
        who = f"{delivered.platform.value} {delivered.user}"
        desk.lines.append(Line(_UNLISTED, shown, f"{who} is not in the list of students"))
    elif not is_safe_student(student):
        desk.lines.append(Line("refused", shown, f"{student!r} cannot be a student's id: {why_no_student(student)}"))
    else:
        found = _Found(path, shown, student, delivered, _kind_of(path, delivered.file, name))
        desk.work.setdefault(student, []).append(found)


def _kind_of(path: Path, file: str, name: str) -> _Kind:
    if not path.stat().st_size:
        return _Kind.EMPTY
    base, ending = file.rpartition("/")[2], path.suffix.lower()
    alike, holds = is_name_like(base, name), holds_solve(path)
    if ending == ".ipynb" and holds and not why_unwritten(path):
        return _Kind.NAMED if alike else _Kind.NOTEBOOK
    if ending == ".ipynb" and (alike or holds):
        return _Kind.HOLLOW
    return _Kind.PYTHON if ending == ".py" and (alike or holds) else _Kind.OTHER


def _choose(desk: _Desk, found: Sequence[_Found], name: str) -> None:
    """Take the student's newest notebook, else the newest Python file, and what goes along with it."""
    best, *rest = sorted(found, key=lambda each: each.rank)
    if best.kind >= _Kind.OTHER:
        desk.lines += [Line("no notebook", each.shown, f"{each.student}, {_what(each)}") for each in (best, *rest)]
        return
    late = ", late" if best.delivered.late else ""
    desk.lines.append(Line("collected", best.shown, f"{best.student}{late}"))
    desk.collected[best.path] = Collected(best.student, f"{name}{best.path.suffix.lower()}", best.delivered.time)
    taken = {f"{name}{best.path.suffix.lower()}"}
    for each in rest:
        along = _name_along(each, best)
        if along and along not in taken:
            taken.add(along)
            desk.collected[each.path] = Collected(each.student, along, best.delivered.time)
            desk.lines.append(Line("collected", each.shown, f"{each.student}, beside the notebook"))
        else:
            why = (
                f"{each.student}, {_what(each)}" if each.kind >= _Kind.OTHER else f"{each.student}, another one counts"
            )
            desk.lines.append(Line("not needed", each.shown, why))


def _name_along(each: _Found, best: _Found) -> str:
    """Return the name of a file that goes along with the notebook: a module beside it, the mark of late work."""
    base = each.delivered.plain_file.rpartition("/")[2]
    beside = each.path.parent == best.path.parent
    if base == LATE_NOTE:  # a student's own file of that name is no mark
        marked = each.delivered.late and each.delivered.order[0] == best.delivered.order[0]
        return base if beside and marked else ""
    module = base.endswith(".py") and base.removesuffix(".py").isidentifier()
    return base if module and beside and each.path.stat().st_size <= MAX_MODULE_BYTES else ""


def _what(each: _Found) -> str:
    if each.kind is _Kind.EMPTY:
        return "the file is empty"
    if each.path.suffix.lower() == ".zip":
        return "a zip in a zip, which was not opened"
    return "a notebook without `solve`" if each.path.suffix.lower() == ".ipynb" else "not a notebook"


def lines_of_all(lines: Sequence[Line]) -> Iterator[str]:
    """Yield the list as text, sorted by what became of the files, with a count at its end, and what is to be done."""
    yield from sorted(map(str, lines))
    counts: dict[str, int] = {}
    for line in lines:
        counts[line.what] = counts.get(line.what, 0) + 1
    yield ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))
    if _UNLISTED in counts:
        yield (
            f"Not in the list of students: whoever handed in {counts[_UNLISTED]} of these files. "
            "Nothing of theirs was collected. Add them, or their numbers, to the list and collect again."
        )
