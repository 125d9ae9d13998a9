"""Say whose mark a regrade changes, by how much and why; what a person gave stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from autograder.lines import one_line
from autograder.marks import ByHand
from autograder.one import Graded
from autograder.regrades import Change


@dataclass(frozen=True)
class Stays:
    """A mark that a person gave, where the code would now get another one."""

    student: str
    score: float
    would_be: float


def change_of(graded: Graded, stood: ByHand) -> Change | Stays | None:
    """Hold the new points of one submission against the mark that stands; None if all is as before."""
    if not graded.points:
        return None
    penalty = graded.penalty or 0.0
    own = {cell: stood.automatic.get(cell) for cell in graded.points}
    before, after = stood.counted(), max(0.0, replace(stood, penalty=penalty).total(graded.points))
    if before != after:
        late = f"; late, {penalty:g} off" if penalty != stood.penalty else ""
        return Change(graded.student, before, after, (graded.first_failing or "all passes now") + late)
    if before is not None and own != dict(graded.points):
        return Stays(graded.student, before, max(0.0, sum(graded.points.values()) - penalty))
    return None


def show_changes(found: Sequence[Change | Stays]) -> list[Change]:
    """Print the changes, by student; return them."""
    changes = sorted((each for each in found if isinstance(each, Change)), key=lambda each: each.student)
    print(f"{len(changes)} marks change." if changes else "No mark changes.")
    for change in changes:
        before = "none" if change.before is None else f"{change.before:g}"
        print(one_line(f"{change.student}: {before} -> {change.after:g}  ({change.why})"))
    for stays in sorted((each for each in found if isinstance(each, Stays)), key=lambda each: each.student):
        said = f"{stays.student}: {stays.score:g} stays, a person gave it; the code would now get {stays.would_be:g}"
        print(one_line(said))
    return changes
