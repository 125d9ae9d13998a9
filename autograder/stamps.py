"""Read nbgrader's small files beside the work, above all when it was handed in. A student can write them as well."""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from dateutil.parser import parse as parse_time
from dateutil.tz import gettz

from autograder.submitted import TIMESTAMP, UNTIMED_SENTENCE

_MOST_BYTES: Final = 1_000
_OWN_FORM: Final = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{6})?) UTC\n?", re.ASCII)  # as nbgrader writes it
_ZONE: Final = re.compile(
    r"[A-Za-z][A-Za-z0-9_+-]{0,30}(?:/[A-Za-z][A-Za-z0-9_+-]{0,30}){0,3}"
)  # `UTC`, `Europe/Berlin`


def side_file(folder: Path, name: str) -> str:
    """Return what one of nbgrader's small files beside the work says.

    A student may have put anything there in its place: a link, a pipe or a large file says "".
    """
    try:
        file = os.open(folder / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        state = os.fstat(file)
        if not stat.S_ISREG(state.st_mode) or state.st_size > _MOST_BYTES:
            return ""
        return os.pread(file, _MOST_BYTES, 0).decode("utf-8", "replace").replace("\r\n", "\n")
    except OSError:
        return ""
    finally:
        os.close(file)


def handed_in(folder: Path) -> datetime | None:
    """Read nbgrader's timestamp as UTC without a zone, as the gradebook keeps it; None if it says no time."""
    return _moment(side_file(folder, TIMESTAMP))


def stamp_of(folder: Path) -> str:
    """Return what the timestamp says, "" if it says no time: nbgrader's own commands stop at what they cannot read."""
    said = side_file(folder, TIMESTAMP)
    return said if _moment(said) else ""


def note_untimed(folder: Path) -> tuple[str, ...]:
    """Say that there is a timestamp which nobody can read, if it is so."""
    return (UNTIMED_SENTENCE,) if os.path.lexists(folder / TIMESTAMP) and handed_in(folder) is None else ()


def is_same_time(folder: Path, graded: Path) -> bool:
    """Tell whether the work was handed in when the graded copy was: nbgrader grades later work again."""
    said = side_file(folder, TIMESTAMP)
    return not said or said == side_file(graded, TIMESTAMP) or _moment(said) is None


def _moment(said: str) -> datetime | None:
    """Read a time. The zone may be a place's name."""
    words = said.strip().split(" ")
    own_form = _OWN_FORM.fullmatch(said)
    with suppress(ValueError, OverflowError, OSError):  # a student can write what they like into it
        if own_form:
            return datetime.fromisoformat(own_form[1])  # read four times a submission: a hundred times faster
        zones = {}
        if len(words) == 3 and _ZONE.fullmatch(words[2]):  # noqa: PLR2004  # day, hour, zone
            zones["TZ"], words[2] = gettz(words[2]), "TZ"
        moment: datetime = parse_time(" ".join(words), tzinfos=zones)
        return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment
    return None
