"""Count what the class report tells. From records to facts; nothing is read, drawn or written here."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from statistics import median
from typing import Final

from autograder.class_report_records import ClassRecords, Student
from autograder.regrades import Regrade
from course.compare import Kind
from course.report import ExampleResult, GroupResult, LikelyMistake, Report
from course.wording import clean, not_started, step_to_reread

_NO_ANSWER: Final = {Kind.MISSING, Kind.NOT_WRITTEN, Kind.RAISED, Kind.STOPPED, Kind.NO_RETURN}
_MOST_BARS: Final = 20


class Mark(StrEnum):
    """How one case went for one student, from the best to the worst."""

    RIGHT = "right"
    WRONG = "another answer"
    NO_ANSWER = "no answer"
    NOT_RUN = "not run"  # graded before the lesson had this case


@dataclass(frozen=True)
class Case:
    """One worked example or hidden group, and how many students it went how for. `sentence` is a group's."""

    label: str
    sentence: str
    right: int
    wrong: int
    no_answer: int

    @property
    def failed(self) -> int:
        """How many students it catches."""
        return self.wrong + self.no_answer


@dataclass(frozen=True)
class Line:
    """One graded student: one mark per case. `student` is empty in an anonymous report."""

    student: str
    points: float
    marks: tuple[Mark, ...]
    first_failing: str
    mistake: str
    step: int


@dataclass(frozen=True)
class Count:
    """How many students. `students`: who, if they may be named."""

    label: str
    number: int
    students: tuple[str, ...] = ()


@dataclass(frozen=True)
class MistakeCount:
    """A known mistake of this class."""

    mistake: LikelyMistake
    number: int
    students: tuple[str, ...]


@dataclass(frozen=True)
class NotGraded:
    """Work without a mark and why. `stands`: the mark of earlier work stands."""

    student: str
    why: str
    stands: bool


@dataclass(frozen=True)
class ClassFacts:
    """Everything the report tells. `lines`: those who pass the fewest cases first."""

    lesson: str
    anonymous: bool
    most: float
    students: int
    handed_in: int
    graded: int
    all_right: int
    examples_right: int
    not_started: int
    unnamed: int
    median: float | None
    points: tuple[Count, ...]
    cases: tuple[Case, ...]
    lines: tuple[Line, ...]
    mistakes: tuple[MistakeCount, ...]
    steps: tuple[Count, ...]
    first_failing: tuple[Count, ...]
    caught_nobody: tuple[str, ...]
    caught_everybody: tuple[str, ...]
    not_graded: tuple[NotGraded, ...]
    missing: tuple[str, ...]
    strays: tuple[str, ...]
    n_strays: int
    regrade: Regrade | None


def count_class(records: ClassRecords, *, anonymous: bool = False) -> ClassFacts:
    """Count everything; an anonymous report names no student."""
    graded = [(s, s.report, s.points) for s in records.students if s.report is not None and s.points is not None]
    labels = _labels(records)
    lines = [_line(student, report, points, list(labels)) for student, report, points in graded]
    started = [line for line, (_, report, _) in zip(lines, graded, strict=True) if not not_started(report)]
    groups = [group.name for group in records.lesson.groups]
    caught = {name: [_failed(line.marks[list(labels).index(name)]) for line in started] for name in groups}
    facts = ClassFacts(
        lesson=records.lesson.id,
        anonymous=anonymous,
        most=records.most,
        students=len(records.students),
        handed_in=sum(student.handed_in for student in records.students),
        graded=len(graded),
        all_right=sum(set(line.marks) == {Mark.RIGHT} for line in lines),
        examples_right=sum(all(example.passed for example in report.examples) for _, report, _ in graded),
        not_started=len(lines) - len(started),
        unnamed=sum(bool(line.first_failing) and not line.mistake for line in started),
        median=median(line.points for line in lines) if lines else None,
        points=_points([line.points for line in lines], records.most),
        cases=tuple(_case(label, sentence, at, lines) for at, (label, sentence) in enumerate(labels.items())),
        lines=tuple(sorted(lines, key=_worst_first)),
        mistakes=_mistakes(graded),
        steps=_steps(graded),
        first_failing=_by_frequency([(line.first_failing, line.student) for line in lines if line.first_failing]),
        caught_nobody=tuple(name for name in groups if started and not any(caught[name])),
        caught_everybody=tuple(name for name in groups if started and all(caught[name])),
        not_graded=tuple(NotGraded(s.id, clean(s.why), s.report is not None) for s in records.students if s.why),
        missing=tuple(student.id for student in records.students if not student.handed_in),
        strays=tuple(map(clean, records.strays)),
        n_strays=len(records.strays),
        regrade=records.regrade,
    )
    return _without_names(facts) if anonymous else facts


def say_first_failing(report: Report) -> str:
    """Name the first case that fails: "example 5", "hidden: one token", or nothing."""
    part = report.first_failing
    if isinstance(part, ExampleResult):
        return f"example {part.number}"
    return f"hidden: {part.name}" if isinstance(part, GroupResult) else ""


def _labels(records: ClassRecords) -> dict[str, str]:
    """Return the label and the sentence of every case of the lesson."""
    examples = {f"example {number}": "" for number in range(1, 1 + len(records.lesson.examples))}
    return examples | {group.name: group.sentence for group in records.lesson.groups}


def _line(student: Student, report: Report, points: float, labels: Sequence[str]) -> Line:
    kinds = {f"example {example.number}": example.kind for example in report.examples}
    kinds |= {group.name: group.kind for group in report.groups}
    return Line(
        student=student.id,
        points=points,
        marks=tuple(_mark(kinds.get(label)) for label in labels),
        first_failing=say_first_failing(report),
        mistake=report.mistake.name if report.mistake else "",
        step=report.mistake.step if report.mistake else 0,
    )


def _mark(kind: Kind | None) -> Mark:
    if kind is None:
        return Mark.NOT_RUN
    return Mark.RIGHT if kind is Kind.PASSED else Mark.NO_ANSWER if kind in _NO_ANSWER else Mark.WRONG


def _failed(mark: Mark) -> bool:
    return mark in {Mark.WRONG, Mark.NO_ANSWER}


def _worst_first(line: Line) -> tuple[int, list[int], str]:
    """Put those who need help first, and those who fail the same cases side by side."""
    order = [-list(Mark).index(mark) for mark in line.marks]
    return order.count(0), order, line.student


def _case(label: str, sentence: str, at: int, lines: Sequence[Line]) -> Case:
    found = Counter(line.marks[at] for line in lines)
    return Case(label, sentence, found[Mark.RIGHT], found[Mark.WRONG], found[Mark.NO_ANSWER])


def _points(points: Sequence[float], most: float) -> tuple[Count, ...]:
    """Count students by points: one bar a point, or a few points a bar where there are many."""
    width = max(1, math.ceil(most / _MOST_BARS))
    bars = int(max(most, *points, 0) // width) + 1
    found = Counter(int(each // width) for each in points)
    whole = width == 1 and all(each == int(each) for each in points)
    lows = [bar * width for bar in range(bars)]
    return tuple(
        Count(f"{low}" if whole else f"{low} to under {low + width}", found[bar]) for bar, low in enumerate(lows)
    )


def _mistakes(graded: Sequence[tuple[Student, Report, float]]) -> tuple[MistakeCount, ...]:
    """Count the known mistakes, the most frequent first; advice and step are those of today's report."""
    who: defaultdict[str, list[str]] = defaultdict(list)
    named = {report.mistake.name: report.mistake for _, report, _ in graded if report.mistake}
    for student, report, _ in graded:
        if report.mistake:
            who[report.mistake.name].append(student.id)
    counts = [MistakeCount(named[name], len(students), tuple(students)) for name, students in who.items()]
    return tuple(sorted(counts, key=lambda each: (-each.number, each.mistake.step, each.mistake.name)))


def _steps(graded: Sequence[tuple[Student, Report, float]]) -> tuple[Count, ...]:
    counts = Counter(step_to_reread(report) for _, report, _ in graded)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Count(f"Step {step}. {title}", number) for (step, title), number in ordered if step)


def _by_frequency(pairs: Sequence[tuple[str, str]]) -> tuple[Count, ...]:
    who: defaultdict[str, list[str]] = defaultdict(list)
    for label, student in pairs:
        who[label].append(student)
    counts = [Count(label, len(students), tuple(students)) for label, students in who.items()]
    return tuple(sorted(counts, key=lambda each: -each.number))


def _without_names(facts: ClassFacts) -> ClassFacts:
    """Take every student's id out, also out of the reasons."""
    regrade = facts.regrade and replace(
        facts.regrade, changes=tuple(replace(change, student="") for change in facts.regrade.changes)
    )
    return replace(
        facts,
        lines=tuple(replace(line, student="") for line in facts.lines),
        mistakes=tuple(replace(each, students=()) for each in facts.mistakes),
        first_failing=tuple(replace(each, students=()) for each in facts.first_failing),
        not_graded=tuple(replace(each, student="", why=_unnamed(each)) for each in facts.not_graded),
        missing=(),
        strays=(),
        regrade=regrade,
    )


def _unnamed(work: NotGraded) -> str:
    return re.sub(rf"(?<!\w){re.escape(work.student)}(?!\w)", "...", work.why)
