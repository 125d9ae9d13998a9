"""A lesson as the grader sees it: one notebook for the truth, one module for the hidden side.

`autograder.loading` makes a `Lesson`. Expected values are computed there, from the notebook's reference solution;
they never leave the grader's process.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from autograder.needed import Statement
from course.diagnosis import Known
from course.judging import Example
from course.outcomes import Answered, Outcome, Raised
from course.practice import Hint, Practice, Question
from course.values import Numbers, read_value

EARLIER: Final = "earlier.py"
Solve = Callable[..., object]


class GraderError(Exception):
    """A fault of the course or the grader, never of a student: nothing is graded, nothing is lost."""


@dataclass(frozen=True)
class Call:
    """One hidden case: the positional arguments. With `twice`, the second of two calls on the same objects counts."""

    arguments: tuple[Any, ...]
    twice: bool = False


@dataclass(frozen=True)
class Group:
    """Hidden cases that look for one danger. A learner sees `name` and `sentence`, never a case."""

    name: str
    sentence: str
    points: float
    calls: tuple[Call, ...]


@dataclass(frozen=True)
class Mistake:
    """A known wrong solution: wrong in one way, with the advice for the learner and the step to reread.

    `also`: the same mistake in other styles, where it comes to other numbers, such as nan in numpy. `or_step`: a later
    step in which the same numbers can come to be; 0 where there is none.
    """

    name: str
    advice: str
    step: int
    solve: Solve
    also: tuple[Solve, ...] = ()
    or_step: int = 0


@dataclass(frozen=True)
class Lesson:
    """Everything the grader knows of one lesson.

    `expected` has one entry per hidden call, in group order. What a mistake gives, and whether that passes,
    has one entry per call of `calls`; `known` holds the same for every style of every mistake. Of the two graded cells
    that are locked, `released` is the students' text and `locked` the author's; `given` maps the text of each code cell
    that a student did not write to its statements. `probes` are further inputs for *check*, whose answers show a
    property plainly, such as rows that add up to 1; `earlier` is the text of `earlier.py`, the functions of earlier
    lessons; `practice` is the practice file in `source/`, where it fits this lesson; `texts` are the author's text
    cells.
    """

    id: str
    name: str
    reference: Solve
    steps: tuple[str, ...]
    examples: tuple[Example, ...]
    example_points: float
    groups: tuple[Group, ...]
    expected: tuple[Numbers, ...]
    mistakes: tuple[Mistake, ...]
    mistake_outcomes: Mapping[str, tuple[Outcome, ...]]
    mistake_passes: Mapping[str, tuple[bool, ...]]
    known: tuple[tuple[Mistake, Known], ...]
    released: Mapping[str, str]
    locked: Mapping[str, str]
    given: Mapping[str, tuple[Statement, ...]]
    version: str
    reference_source: str = ""
    hints: tuple[Hint, ...] = ()
    question: Question | None = None
    probes: tuple[Call, ...] = ()
    earlier: str = ""
    practice: Practice | None = None
    texts: frozenset[str] = frozenset()

    def beside(self, files: Mapping[str, str]) -> Mapping[str, str]:
        """Return the Python files beside a submission, with the course's own `earlier.py` in place of any other."""
        return {**files, EARLIER: self.earlier} if self.earlier else files

    @property
    def calls(self) -> tuple[Call, ...]:
        """All calls: the worked examples first, then the hidden cases in group order."""
        return self.example_calls + self.hidden_calls

    @property
    def example_calls(self) -> tuple[Call, ...]:
        """The worked examples as calls."""
        return tuple(Call(tuple(example.arguments.values())) for example in self.examples)

    @property
    def hidden_calls(self) -> tuple[Call, ...]:
        """The hidden cases as calls, in group order."""
        return tuple(call for group in self.groups for call in group.calls)

    @property
    def hidden_points(self) -> float:
        """Points of all hidden groups together."""
        return sum(group.points for group in self.groups)


def name_of(lesson_id: str) -> str:
    """Return the notebook's name: "09_attention" gives "attention"."""
    return lesson_id.partition("_")[2]


def outcome_of(solve: Solve, call: Call) -> Outcome:
    """Call trusted code (the reference, a known mistake) on fresh copies of the arguments."""
    arguments = marshal.loads(marshal.dumps(call.arguments))  # noqa: S302  # our own data
    try:
        value = solve(*arguments)
        if call.twice:
            value = solve(*arguments)
    except Exception as error:  # noqa: BLE001  # a known mistake may raise anything
        return Raised(type(error).__name__, str(error))
    return Answered(read_value(value))
