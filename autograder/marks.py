"""What goes into the gradebook for one submission and what stands there already."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True)
class Marks:
    """What the grader gives one submission: points by cell, the automatic comment, when it was handed in.

    `penalty` is what nbgrader's plug-in for late work takes off, None if there is none.
    """

    student: str
    points: Mapping[str, float]
    comment: str
    handed_in: datetime | None = None
    penalty: float | None = None


@dataclass(frozen=True)
class Deadline:
    """Until when a student may hand in, any extension included, and when the gradebook says it was done; in UTC."""

    due: datetime | None = None
    handed_in: datetime | None = None


@dataclass(frozen=True)
class ByHand:
    """What a person gave in the gradebook; it survives every grading. `automatic` and `penalty` stand there now."""

    automatic: Mapping[str, float | None] = field(default_factory=dict)
    scores: Mapping[str, float] = field(default_factory=dict)
    extra: Mapping[str, float] = field(default_factory=dict)
    comment: str = ""
    penalty: float = 0.0

    def given(self) -> str:
        """Name what a person gave, so that it is seen when it changes; "" if nothing."""
        given = sorted(self.scores.items()), sorted(self.extra.items()), self.comment
        return hashlib.sha256(repr(given).encode("utf-8", "replace")).hexdigest()[:16] if any(given) else ""

    def total(self, points: Mapping[str, float]) -> float:
        """Return the score that counts: a person's score before ours, with extra credit, less the late penalty."""
        return sum(self.part(cell, own) for cell, own in points.items()) - self.penalty

    def part(self, cell: str, own: float) -> float:
        """Return what counts for one cell."""
        return self.scores.get(cell, own) + self.extra.get(cell, 0.0)

    def counted(self) -> float | None:
        """Return the score that nbgrader exports; None while a part has neither a person's score nor ours."""
        own = {cell: score or 0.0 for cell, score in self.automatic.items() if score is not None or cell in self.scores}
        return max(0.0, self.total(own)) if own and len(own) == len(self.automatic) else None
