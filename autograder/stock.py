"""What the released hidden cell's hidden region calls when nbgrader runs it with its own `Execute`.

This project's own grading never runs that region. It is there so that a course whose config does not name
our engine still gets the right number of points; without the sandbox, and so without its protection.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import autograder
from autograder.judge import judge
from autograder.lesson import outcome_of
from autograder.loading import load_lesson
from autograder.sandbox import Run
from course.submission import Submission


def hidden_points(lesson_id: str, solve: Callable[..., object]) -> float:
    """Run the hidden cases in this kernel and return the points, for nbgrader's partial credit."""
    lesson = load_lesson(lesson_id, Path(autograder.__file__).resolve().parents[1])
    shown, hidden = (
        Run(tuple(outcome_of(solve, call) for call in calls), (), "", printed_cut=False, cpu_seconds=0.0, layers=())
        for calls in (lesson.example_calls, lesson.hidden_calls)
    )
    return judge(lesson, Submission(()), shown, hidden).group_points
