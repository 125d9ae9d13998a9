"""Write the two texts of the handout: the page that says how to start, and the environment file for conda."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from jinja2 import Environment

from autograder.handout_lessons import ReleasedLesson
from autograder.handout_wheel import Project
from autograder.templating import templates_in
from course.syllabus import START

FILE_NAME: Final = "handout.zip"
FOLDER: Final = "transformer-course"  # what the zip unpacks to
_ENVIRONMENT: Final = "transformer"


@dataclass(frozen=True)
class Handout:
    """What the two texts speak of. `wheel` is the wheel's file name."""

    project: Project
    wheel: str
    lessons: tuple[ReleasedLesson, ...]


def start_page(handout: Handout) -> str:
    """Return the page: self-contained HTML, no script, no network."""
    return _render("page.html.j2", handout)


def environment_file(handout: Handout) -> str:
    """Return the text of environment.yml: the versions that the course is tested with, and the wheel."""
    return _render("environment.yml.j2", handout)


def _render(template: str, handout: Handout) -> str:
    first = next((lesson for lesson in handout.lessons if lesson.id != START), handout.lessons[0])
    course_map = next((lesson for lesson in handout.lessons if lesson.id == START), None)
    facts = {"zip": FILE_NAME, "folder": FOLDER, "environment": _ENVIRONMENT, "first": first, "map": course_map}
    return _environment().get_template(template).render(facts | vars(handout))


@cache
def _environment() -> Environment:
    return templates_in("handout")
