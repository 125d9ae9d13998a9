"""What the last press of *check* was about: hints and questions go on from there. A kernel has one notebook."""

from __future__ import annotations

from dataclasses import dataclass

from course.practice import Practice
from course.progress import name_code, note_try
from course.report import Report
from course.wording import not_started, step_to_reread


@dataclass(frozen=True)
class LastCheck:
    """The function that was checked, the practice data it was held against, and what was said."""

    solve: object
    practice: Practice | None
    report: Report


_last: list[LastCheck] = []


def last_check() -> LastCheck | None:
    """Return what the last check was about; None before the first one."""
    return _last[-1] if _last else None


def remember(last: LastCheck) -> None:
    """Keep a check, and note the try in the learner's own file."""
    _last[:] = [last]
    if last.practice is not None and not not_started(last.report):
        passed = tuple(example.passed for example in last.report.examples)
        note_try(last.practice.lesson, name_code(last.solve), passed, step_to_reread(last.report)[0])
