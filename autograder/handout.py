"""Write the one zip that students get: the `course` wheel, the released lessons, an environment file, a start page.

Only what is named here goes in; a file in `release/` that is no part of a lesson stops it. The same input gives the
same bytes: members are sorted and carry no owner, no local permissions, and one date: that of the last commit.
"""

from __future__ import annotations

import io
import os
import subprocess
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from autograder.handout_lessons import read_release
from autograder.handout_page import FILE_NAME, FOLDER, Handout, environment_file, start_page
from autograder.handout_wheel import build_wheel, read_project
from autograder.lesson import GraderError

_EARLIEST: Final = 315532800  # 1980: the earliest that a zip can say
_LATEST: Final = 4354819198  # 2107, likewise
_NO_COMMIT: Final = 1767225600  # 2026: for a folder that is no checkout
_HANDED_OUT: Final = ("course", "release", "pyproject.toml")
Date = tuple[int, int, int, int, int, int]
_PLAIN_FILE: Final = 0o100644 << 16
_UNIX: Final = 3


def write_handout(root: Path, until: str = "") -> int:
    """Write `build/handout.zip` from the course folder `root`, with the lessons up to `until`, or with all.

    Raises:
        GraderError: something in `release/` must not be handed out, or the wheel could not be built.
    """
    content = make_handout(root, until)
    target = root / "build" / FILE_NAME
    target.parent.mkdir(exist_ok=True)
    unfinished = target.with_suffix(".part")
    unfinished.write_bytes(content)
    unfinished.replace(target)
    print(f"build/{FILE_NAME} is written ({len(content) / 1000:.0f} kB). START.html in it tells students how to begin.")
    return 0


def make_handout(root: Path, until: str = "") -> bytes:
    """Return the zip's bytes. Later lessons bring functions of earlier ones: with `until` they stay behind.

    Raises:
        GraderError: as `write_handout`.
    """
    project = read_project(root)
    lessons = read_release(root / "release")
    if until and until not in {lesson.id for lesson in lessons}:
        message = f"there is no lesson {until!r} in release/"
        raise GraderError(message)
    lessons = tuple(lesson for lesson in lessons if not until or lesson.id <= until)
    wheel_name, wheel = build_wheel(root / "course", project)
    handout = Handout(project, wheel_name, lessons)
    texts = {
        "START.html": start_page(handout),
        "environment.yml": environment_file(handout),
        **{path: text for lesson in lessons for path, text in lesson.files},
    }
    return _zipped({wheel_name: wheel} | {path: text.encode() for path, text in texts.items()}, date_of(root))


def date_of(root: Path) -> Date:
    """Return year, month, day, hour, minute, second of the handout, in UTC.

    It is SOURCE_DATE_EPOCH, where that is set, else the last commit that changed what is handed out.

    Raises:
        GraderError: SOURCE_DATE_EPOCH is not a number of seconds.
    """
    told = os.environ.get("SOURCE_DATE_EPOCH") or _last_commit(root) or str(_NO_COMMIT)
    if not (told.isascii() and told.isdigit()):
        message = f"SOURCE_DATE_EPOCH is {told!r}, not a number of seconds"
        raise GraderError(message)
    return time.gmtime(min(max(int(told), _EARLIEST), _LATEST))[:6]


def _last_commit(root: Path) -> str:
    """Return the time of the last commit as git writes it; empty where there is no git, or no commit."""
    command = ["git", "-C", str(root), "log", "-1", "--format=%ct", "--", *_HANDED_OUT]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603
    except (OSError, subprocess.CalledProcessError):
        return ""


def _zipped(files: Mapping[str, bytes], date: Date) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in sorted(files):
            member = zipfile.ZipInfo(f"{FOLDER}/{path}", date)
            member.create_system = _UNIX
            member.external_attr = _PLAIN_FILE
            archive.writestr(member, files[path], zipfile.ZIP_DEFLATED)
    return packed.getvalue()
