"""Write the class report's page: one self-contained HTML file, no script, no network."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from jinja2 import Environment
from markupsafe import Markup

from autograder.class_report_facts import ClassFacts, Count, Line, Mark
from autograder.class_report_plots import draw_cases, draw_counts, draw_points
from autograder.templating import templates_in
from course.show_html import inline_code
from course.wording import clean

_MOST_NAMED: Final = 20


def render_class(facts: ClassFacts, written_at: str) -> str:
    """Write the whole page. `written_at`: the time in UTC, as ISO 8601."""
    number, _, name = facts.lesson.partition("_")
    named = [Count(each.mistake.name, each.number) for each in facts.mistakes]
    page: dict[str, Any] = {
        "facts": facts,
        "title": f"Lesson {number}: {name.replace('_', ' ')}",
        "written_at": f"{written_at[:16].replace('T', ' ')} UTC",
        "points": draw_points(facts) if facts.lines else None,
        "cases": draw_cases(facts) if facts.lines else None,
        "mistakes": draw_counts("the mistakes of this class, by number of students", named) if named else None,
        "first": draw_counts("the first failing case, by number of students", facts.first_failing)
        if facts.first_failing
        else None,
    }
    return _environment().get_template("page.html.j2").render(page)


@cache
def _environment() -> Environment:
    return templates_in(
        "class_report",
        sentence=lambda text: Markup(inline_code(clean(text))),  # noqa: S704  # escaped there
        named=_name,
        failed=_say_failed,
        share=_share,
    )


def _name(students: tuple[str, ...]) -> str:
    """Name the students, a long list only in part."""
    more = f" and {len(students) - _MOST_NAMED} more" if len(students) > _MOST_NAMED else ""
    return ", ".join(clean(student) for student in students[:_MOST_NAMED]) + more


def _share(part: int, whole: int) -> str:
    """Write a share in percent; a small one is not 0."""
    if not whole:
        return "-"
    percent = 100 * part / whole
    return "under 1 %" if 0 < percent < 1 else f"{percent:.0f} %"


def _say_failed(line: Line, facts: ClassFacts) -> str:
    """Say which cases a student failed, with the marks of the picture."""
    failed = [
        case.label if mark is Mark.WRONG else f"{case.label} ({mark})"
        for case, mark in zip(facts.cases, line.marks, strict=True)
        if mark is not Mark.RIGHT
    ]
    if len(failed) == len(facts.cases):
        return "every case" + (", with no answer" if set(line.marks) == {Mark.NO_ANSWER} else "")
    return ", ".join(failed) or "none"
