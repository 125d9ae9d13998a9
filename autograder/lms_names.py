"""Read the names that learning platforms give to downloaded work: who, which attempt, which file, late or not.

A platform writes who it was in front of the name that the student chose. So all names of one download have its
platform's form, whatever students chose: the form that all of them have tells how to read a name that has two. Where
that leaves a doubt the name is nobody's: a student may have chosen it so that their work counts as another's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Final

from autograder.roster import Student


class Platform(Enum):
    """Whose form of a name it is. The value is the platform's name."""

    CANVAS = "Canvas"
    MOODLE = "Moodle"
    PLAIN = "plain"


# `studentone_1001_55509_attention-1.ipynb`, `studenttwo_LATE_1002_55502_attention.ipynb`
_CANVAS: Final = re.compile(
    r"[^/_]+_(?:(?P<late>late)_)?(?P<user>\d+)_(?P<order>\d+)_(?P<file>.+)", re.IGNORECASE | re.DOTALL
)
# `one student_2001_assignsubmission_file_/attention.ipynb`, or without a folder
_MOODLE: Final = re.compile(r"[^/]*?_(?P<user>\d+)_assignsubmission_(?:file|onlinetext)_?/?(?P<file>.+)", re.DOTALL)
# `s01_attempt_2026-01-30-15-00-00_attention.ipynb`, also with something before the student
_PLAIN: Final = re.compile(r"(?P<user>[^/]+?)_attempt_(?P<order>[0-9-]+)_(?P<file>.+)", re.DOTALL)
_MOODLE_USER: Final = re.compile(r"_(\d+)_assignsubmission_")
_FORMS: Final = ((Platform.MOODLE, _MOODLE), (Platform.PLAIN, _PLAIN), (Platform.CANVAS, _CANVAS))
_ATTEMPT: Final = re.compile(r"-(\d{1,4})(?=\.[^/]*$)")


@dataclass(frozen=True)
class Delivered:
    """What a path says. `order` grows with each attempt; `user` is the platform's number of the student."""

    platform: Platform
    user: str
    file: str
    order: tuple[int, int] = (0, 0)
    late: bool = False
    time: str = ""

    @property
    def plain_file(self) -> str:
        """The file's name without the number that Canvas adds to a later attempt."""
        return _ATTEMPT.sub("", self.file) if self.platform is Platform.CANVAS else self.file


class Names:
    """Read the names of downloads. `paths`: all of them, for they say which folder holds which platform's names."""

    def __init__(self, paths: Iterable[str] = ()) -> None:
        self._common: dict[str, set[Platform]] = {}
        for path in paths:
            folder, readings = _readings(path)
            if readings:
                self._common.setdefault(folder, set(Platform)).intersection_update(readings)

    def read(self, path: str) -> Delivered | None:
        """Read one path; None if it says no student.

        Raises:
            TwoStudentsError: it can be read in two ways, and the other names do not tell which.
        """
        folder, readings = _readings(path)
        if len(readings) > 1:
            common = self._common.get(folder, set())
            readings = {platform: found for platform, found in readings.items() if common == {platform}}
            if not readings:
                raise TwoStudentsError
        for platform, found in readings.items():
            if platform is Platform.MOODLE and len({*_MOODLE_USER.findall(found.string.partition("/")[0])}) > 1:
                raise TwoStudentsError  # a person may choose the name that is shown
            return _delivered(platform, found.groupdict())
        return None


def _readings(path: str) -> tuple[str, Mapping[Platform, re.Match[str]]]:
    """Find the first part of a path that has a platform's form; return the folder it lies in, and all its readings.

    Moodle names folders; the others name files, and a folder only where it is a student's unpacked zip.
    """
    parts = path.split("/")
    for start, part in enumerate(parts):
        rest = "/".join(parts[start:])
        fitting = [(platform, form.match(rest)) for platform, form in _FORMS]
        there = {each: found for each, found in fitting if found and found.start("file") <= len(part) + 1}
        named = start == len(parts) - 1 or part.lower().endswith(".zip")
        if there and (named or Platform.MOODLE in there):
            return "/".join(parts[:start]), there
    return "", {}


def students_in(path: str) -> set[str]:
    """Return the students that a path can be read to say, as the platforms call them."""
    return {found["user"] for found in _readings(path)[1].values()}


def file_if_late(path: str) -> str:
    """Return the student's own part of a path that can be read to say that the work was late; else ""."""
    late = (found for found in _readings(path)[1].values() if found.groupdict().get("late"))
    return next((found["file"] for found in late), "")


class TwoStudentsError(Exception):
    """A name says two students."""


def _delivered(platform: Platform, found: dict[str, str | None]) -> Delivered:
    file, order = found["file"] or "", found.get("order") or ""
    attempt = _ATTEMPT.search(file)
    number = int("".join(filter(str.isdigit, order))[:30] or 0)
    return Delivered(
        platform,
        found["user"] or "",
        file,
        (number, int(attempt[1]) if attempt else 0),
        late=bool(found.get("late")),
        time=_time(order) if platform is Platform.PLAIN else "",
    )


def _time(text: str) -> str:
    """Write `2026-01-30-15-00-00` as a time that nbgrader reads, or "" if it is none."""
    parts = [int(part) for part in text.split("-") if part][:6]
    try:
        return datetime(*parts).isoformat(" ") if len(parts) > 2 else ""  # type: ignore[arg-type]  # noqa: DTZ001, PLR2004
    except (ValueError, OverflowError):
        return ""


class Directory:
    """Say which student a platform's number means. Without a list of students the number itself is the id."""

    def __init__(self, students: Iterable[Student]) -> None:
        listed = tuple(students)
        self._ids = {student.id for student in listed}
        self._by_number = {
            Platform.CANVAS: {student.canvas_id: student.id for student in listed if student.canvas_id},
            Platform.MOODLE: {student.moodle_id: student.id for student in listed if student.moodle_id},
            Platform.PLAIN: {},
        }

    def student(self, delivered: Delivered) -> str | None:
        """Return the student's id; None if the list has the platform's numbers, and not this one."""
        if delivered.platform is Platform.PLAIN:
            return self._plain(delivered.user)
        numbers = self._by_number[delivered.platform]
        if delivered.user in numbers:
            return numbers[delivered.user]
        return None if numbers and delivered.user not in self._ids else delivered.user

    def _plain(self, before: str) -> str:
        """Take the longest known id at the end of what stands before `_attempt_`; else its last part."""
        words = before.split("_")
        endings = ("_".join(words[start:]) for start in range(len(words)))
        return next((ending for ending in endings if ending in self._ids), words[-1])
