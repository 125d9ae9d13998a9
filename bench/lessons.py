"""Measure what grading costs for each lesson: 100 submissions of its own solution, in the sandbox.

    python bench/lessons.py [NUMBER]

Printed are the CPU milliseconds of a submission: its child (load and all calls), and the grader's process.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from autograder.grader import Grader
from autograder.judge import judge
from autograder.loading import lesson_ids
from course.submission import Cell, Submission

ROOT = Path(__file__).resolve().parents[1]


def main(number: int) -> None:
    """Measure every lesson in `source/`."""
    print(f"{'lesson':26} {'calls':>5} {'child ms':>9} {'grader ms':>10}")
    for lesson_id in lesson_ids(ROOT):
        with Grader(ROOT) as grader:
            lesson = grader.lesson(lesson_id)
            prepared = grader.prepare(lesson)
            names = f"from earlier import *\n{lesson.reference_source}" if lesson.earlier else lesson.reference_source
            cells = (Cell(1, _with(lesson.earlier)), Cell(2, names)) if lesson.earlier else (Cell(2, names),)
            child = 0.0
            start = time.process_time()
            for _ in range(number):
                shown, hidden = prepared.sandbox.run_both(cells, prepared.examples, prepared.hidden)
                report = judge(lesson, Submission(cells), shown, hidden)
                child += shown.cpu_seconds + hidden.cpu_seconds
            if report.first_failing is not None:
                sys.exit(f"the solution of {lesson_id} does not pass: {report.first_failing}")
            own = time.process_time() - start
            print(f"{lesson_id:26} {len(lesson.calls):5} {1000 * child / number:9.1f} {1000 * own / number:10.1f}")


def _with(earlier: str) -> str:
    """Make the module `earlier` importable, as the grader does."""
    return (
        "import sys, types\nmodule = sys.modules['earlier'] = types.ModuleType('earlier')\n"
        f"exec(compile({earlier!r}, 'earlier.py', 'exec'), module.__dict__)"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 100)
