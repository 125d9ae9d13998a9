"""Make the student's notebook from the author's, by nbgrader's own `generate_assignment`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from autograder.lesson import GraderError
from autograder.loading import load_lesson


def release(lesson_id: str, root: Path) -> int:
    """Write `release/<lesson>` anew; the gradebook is not touched.

    Raises:
        GraderError: the lesson cannot be loaded, or nbgrader failed.
    """
    load_lesson(lesson_id, root)
    command = [sys.executable, "-m", "nbgrader", "generate_assignment", lesson_id, "--force", "--no-db"]
    done = subprocess.run(command, cwd=root, check=False, capture_output=True, text=True)  # noqa: S603  # our own words
    if done.returncode:
        message = f"nbgrader generate_assignment failed for {lesson_id!r}:\n{done.stderr[-2000:]}"
        raise GraderError(message)
    print(f"release/{lesson_id} is written.")
    return 0
