"""The one report of the house: what a learner and an instructor are told about one submission.

Judging writes it, showing reads it (`course.show`), and it travels as JSON (version 1) between
`nbgrader autograde` and `nbgrader generate_feedback`. No hidden input, answer or code is ever in it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

from course.compare import Kind

VERSION: Final = 1


@dataclass(frozen=True)
class Table:
    """One failing worked example as text: the call, then rows of numbers already written out."""

    call: str
    expected: tuple[tuple[str, ...], ...]
    got: tuple[tuple[str, ...], ...]
    difference: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class ExampleResult:
    """What one worked example came to.

    `table` is there for a wrong answer of the right shape; `line` for an error in the student's code, else 0.
    """

    number: int
    kind: Kind
    says: str
    call: str
    table: Table | None = None
    line: int = 0
    cell: int = 0

    @property
    def passed(self) -> bool:
        """True for a right answer."""
        return self.kind is Kind.PASSED


@dataclass(frozen=True)
class GroupResult:
    """What one group of hidden cases came to. All cases must pass for its points."""

    name: str
    sentence: str
    points: float
    earned: float
    cases: int
    passed_cases: int
    says: str
    kind: Kind = Kind.PASSED

    @property
    def passed(self) -> bool:
        """True if every case of the group passed."""
        return self.passed_cases == self.cases


@dataclass(frozen=True)
class LikelyMistake:
    """Name the known mistake whose numbers are the student's, with the step to reread."""

    name: str
    advice: str
    step: int
    step_title: str


@dataclass(frozen=True)
class Clue:
    """What a wrong answer shows of itself where no known mistake fits; `step` is 0 where no step is known."""

    says: str
    step: int = 0
    step_title: str = ""


@dataclass(frozen=True)
class Report:
    """Everything said about one submission, or about one press of *check* (then `groups` is empty).

    `action` is the one thing to do next; empty where it follows from the kind of failure and the step.
    """

    lesson: str
    examples: tuple[ExampleResult, ...]
    points_for_examples: float
    groups: tuple[GroupResult, ...] = ()
    hidden_cases: int = 0
    mistake: LikelyMistake | None = None
    notes: tuple[str, ...] = ()
    printed: str = ""
    layers: tuple[str, ...] = ()
    clue: Clue | None = None
    already: str = ""
    action: str = ""

    @property
    def example_points(self) -> float:
        """Points earned by the worked examples, each worth the same."""
        return self.points_for_examples * sum(e.passed for e in self.examples) / len(self.examples)

    @property
    def group_points(self) -> float:
        """Points earned by the hidden groups."""
        return sum(group.earned for group in self.groups)

    @property
    def first_failing(self) -> ExampleResult | GroupResult | None:
        """The first example that fails, else the first hidden group that fails."""
        parts: tuple[ExampleResult | GroupResult, ...] = (*self.examples, *self.groups)
        return next((part for part in parts if not part.passed), None)

    def to_json(self) -> str:
        """Write the report as one line of JSON."""
        return json.dumps({"version": VERSION, **vars(self)}, default=vars)

    @staticmethod
    def from_json(text: str) -> Report:
        """Read a report written by `to_json`.

        Raises:
            ValueError: the text is not such a report, or one of another version.
        """
        data = json.loads(text)
        if not isinstance(data, dict) or data.pop("version", None) != VERSION:
            message = f"this is not a report of version {VERSION}"
            raise ValueError(message)
        mistake, clue = data.pop("mistake"), data.pop("clue", None)
        return Report(
            examples=tuple(_example(each) for each in data.pop("examples")),
            groups=tuple(_group(each) for each in data.pop("groups")),
            mistake=LikelyMistake(**mistake) if mistake else None,
            clue=Clue(**clue) if clue else None,
            notes=tuple(data.pop("notes")),
            layers=tuple(data.pop("layers")),
            **data,
        )


def _example(data: dict[str, Any]) -> ExampleResult:
    table = data.pop("table")
    kind = Kind(data.pop("kind"))
    return ExampleResult(kind=kind, table=_table(table) if table else None, **data)


def _group(data: dict[str, Any]) -> GroupResult:
    return GroupResult(kind=Kind(data.pop("kind", Kind.PASSED)), **data)


def _table(data: dict[str, Any]) -> Table:
    rows = {part: tuple(map(tuple, data[part])) for part in ("expected", "got", "difference")}
    return Table(call=data["call"], **rows)
