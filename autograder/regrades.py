"""Keep what the last regrade changed, from before its first mark is written, so that a stopped one loses none of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from autograder.ledger import FOLDER, now, write_whole
from autograder.marks import ByHand

_NOBODY: Final = ByHand()


@dataclass(frozen=True)
class Change:
    """A mark that a regrade changes."""

    student: str
    before: float | None
    after: float
    why: str


@dataclass(frozen=True)
class Regrade:
    """What the last regrade changed. `done`: False if it was stopped before all of it was recorded."""

    at: str
    changes: tuple[Change, ...]
    done: bool = True


def write_regrade(root: Path, lesson_id: str, changes: Sequence[Change], *, done: bool) -> None:
    """Keep what a regrade changes, until the next regrade.

    Raises:
        OSError: the disk is full, or the folder cannot be written.
    """
    story = {"version": 1, "at": now(), "done": done, "changes": [asdict(change) for change in changes]}
    write_whole(_path(root, lesson_id), json.dumps(story, indent=1) + "\n")


def read_regrade(root: Path, lesson_id: str, stand: Mapping[str, ByHand]) -> Regrade | None:
    """Return what the last regrade changed, if there was one; of a stopped one, what stands in the gradebook."""
    with suppress(FileNotFoundError):
        story = json.loads(_path(root, lesson_id).read_text(encoding="utf-8"))
        changes, done = [Change(**each) for each in story["changes"]], story.get("done", True)
        stands = [each for each in changes if done or stand.get(each.student, _NOBODY).counted() == each.after]
        return Regrade(story["at"], tuple(stands), done)
    return None


def go_on(stopped: Sequence[Change], changes: Sequence[Change]) -> list[Change]:
    """Make one list of what a stopped regrade changed and of what is left to change, in the order of ids."""
    before = {change.student: change.before for change in stopped}
    left = [replace(each, before=before.get(each.student, each.before)) for each in changes]
    names = {change.student for change in left}
    whole = [*left, *(change for change in stopped if change.student not in names)]
    return sorted((each for each in whole if each.before != each.after), key=lambda each: each.student)


def _path(root: Path, lesson_id: str) -> Path:
    return root / FOLDER / f"{lesson_id}.regrade.json"
