"""The way of one submission: read, run, judge. Recording the report is for whoever asked."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from autograder.judge import judge
from autograder.lesson import Lesson, outcome_of
from autograder.loading import load_lesson
from autograder.needed import needed
from autograder.sandbox import Limits, PackedCalls, Sandbox, pack_calls
from course.report import Report
from course.submission import Submission, read_submission

TIMES_THE_REFERENCE: Final = 50


class Grader:
    """Grade many submissions with one sandbox. Use it in a `with` statement; each lesson is prepared once."""

    def __init__(self, root: Path, allow_missing: frozenset[str] = frozenset()) -> None:
        self._root = root
        self._allow_missing = allow_missing
        self._prepared: dict[str, Prepared] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the sandboxes."""
        for prepared in self._prepared.values():
            prepared.close()
        self._prepared.clear()

    def lesson(self, lesson_id: str) -> Lesson:
        """Return the lesson as it stands in the course folder now.

        Raises:
            GraderError: there is no such lesson, or it is broken.
        """
        return load_lesson(lesson_id, self._root)

    def grade_notebook(self, notebook: Mapping[str, Any], lesson_id: str) -> Report:
        """Grade a parsed notebook: read, run, judge.

        Raises:
            GraderError: a fault of ours; the submission is not graded.
        """
        lesson = self.lesson(lesson_id)
        return self.grade(read_submission(notebook, lesson.released, lesson.beside({})), lesson)

    def grade(self, submission: Submission, lesson: Lesson) -> Report:
        """Run and judge a submission that has been read.

        Raises:
            GraderError: a fault of ours; the submission is not graded.
        """
        prepared = self.prepare(lesson)
        cells = needed(submission.cells, lesson.given)
        shown, hidden = prepared.sandbox.run_both(cells, prepared.examples, prepared.hidden)
        return judge(lesson, submission, shown, hidden)

    def prepare(self, lesson: Lesson) -> Prepared:
        """Pack a lesson's calls and start its sandbox, once."""
        if lesson.version not in self._prepared:
            self._prepared[lesson.version] = Prepared(lesson, self._allow_missing)
        return self._prepared[lesson.version]


class Prepared:
    """A lesson's calls, packed once, and a sandbox with limits that fit its reference solution."""

    def __init__(self, lesson: Lesson, allow_missing: frozenset[str]) -> None:
        seconds = max(Limits().call_cpu_seconds, TIMES_THE_REFERENCE * _slowest_call(lesson))
        self.sandbox = Sandbox(limits=Limits(call_cpu_seconds=seconds), allow_missing=allow_missing)
        self.sandbox.__enter__()
        self.examples: PackedCalls = pack_calls(lesson.example_calls)
        self.hidden: PackedCalls = pack_calls(lesson.hidden_calls)

    def close(self) -> None:
        """End the sandbox and give the packed calls back."""
        self.sandbox.__exit__(None, None, None)
        self.examples.close()
        self.hidden.close()


def _slowest_call(lesson: Lesson) -> float:
    """Measure the reference's slowest call, in CPU seconds."""
    slowest = 0.0
    for call in lesson.calls:
        start = time.process_time()
        outcome_of(lesson.reference, call)
        slowest = max(slowest, time.process_time() - start)
    return slowest
