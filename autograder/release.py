"""Make the student's notebook from the author's, by nbgrader's own `generate_assignment`.

The practice file, and `earlier.py` where a lesson builds on others, are written into `source/` first: from there
nbgrader copies them into the release, and back into every submission that it grades, whatever a student did to them.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from autograder.course_pages import write_course_pages
from autograder.earlier import write_earlier
from autograder.lesson import GraderError, Lesson
from autograder.loading import load_lesson
from autograder.practice import write_practice
from course.syllabus import START


def write_beside(lesson: Lesson, root: Path) -> None:
    """Write what is made from the author's notebook and goes out with it."""
    folder = root / "source" / lesson.id
    write_practice(lesson, folder)
    write_earlier(lesson.earlier, folder)


def release(lesson_id: str, root: Path) -> int:
    """Write `release/<lesson>` anew; the gradebook is not touched.

    Raises:
        GraderError: the lesson cannot be loaded, or nbgrader failed.
    """
    if lesson_id != START:  # the map of the course has nothing to solve
        write_beside(load_lesson(lesson_id, root), root)
    command = [sys.executable, "-m", "nbgrader", "generate_assignment", lesson_id, "--force", "--no-db"]
    done = subprocess.run(command, cwd=root, check=False, capture_output=True, text=True)  # noqa: S603  # our own words
    if done.returncode:
        message = f"nbgrader generate_assignment failed for {lesson_id!r}:\n{done.stderr[-2000:]}"
        raise GraderError(message)
    write_course_pages(root)
    print(f"release/{lesson_id} is written.")
    return 0
