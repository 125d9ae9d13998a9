"""Show the map of the course: chapters, lessons, where the learner is, and what comes next."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final

from course.progress import read_progress
from course.syllabus import CHAPTERS, LESSONS, Chapter, Lesson

_PASSED: Final = "passed"
_BEGUN: Final = "begun"
_NOT_BEGUN: Final = "not begun"
_MISSING: Final = "not here yet"
_SIGNS: Final = {_PASSED: "✓", _BEGUN: "…", _NOT_BEGUN: "○", _MISSING: "-"}
_CELL: Final = "text-align:left;padding:3px 14px 3px 0"


@dataclass(frozen=True, repr=False)
class CourseMap:
    """Each lesson with its state, in the order of the syllabus."""

    states: tuple[tuple[Lesson, str], ...]

    @property
    def following(self) -> Lesson | None:
        """Return the first lesson that is here and not passed; None when all are."""
        return next((lesson for lesson, state in self.states if state in {_BEGUN, _NOT_BEGUN}), None)

    def __repr__(self) -> str:
        """Return the map as text."""
        state = dict(self.states)
        lines = []
        for number, chapter in enumerate(CHAPTERS, start=1):
            lines.append(f"Chapter {number}. {chapter.title}")
            lines += [
                f"  {_SIGNS[state[each]]} {each.id[:2]}  {each.title} ({each.minutes} min): {state[each]}"
                for each in chapter.lessons
            ]
            lines.append(f"     {_reward(chapter, state)}")
        return "\n".join([*lines, "", self._says()])

    def _says(self) -> str:
        done = sum(state == _PASSED for _, state in self.states)
        if self.following is None:
            return f"You have passed all {done} lessons that are here."
        following = f"Next: lesson {self.following.id[:2]}, {self.following.title}."
        return f"{done} of {len(self.states)} lessons passed. {following}"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Return text and HTML; the lessons are links to their notebooks."""
        del include, exclude
        return {"text/plain": repr(self), "text/html": self._html()}

    def _html(self) -> str:
        state = dict(self.states)
        head = "".join(f'<th scope="col" style="{_CELL}">{each}</th>' for each in ("Lesson", "Minutes", "Needs", "You"))
        body = "".join(_rows(number, chapter, state) for number, chapter in enumerate(CHAPTERS, start=1))
        table = f'<table style="border-collapse:collapse"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
        return (
            f'<div style="overflow-x:auto" tabindex="0">{table}</div><p style="margin:8px 0">{escape(self._says())}</p>'
        )


def course_map(folder: Path | None = None) -> CourseMap:
    """Return the map. `folder` holds the lessons' folders; it is the one above the notebook's unless given."""
    root = folder or Path("..")
    return CourseMap(tuple((lesson, _state(lesson, root)) for lesson in LESSONS))


def _state(lesson: Lesson, root: Path) -> str:
    if not (root / lesson.id / f"{lesson.name}.ipynb").is_file():
        return _MISSING
    progress = read_progress(lesson.id, root / lesson.id)
    if progress.passed:
        return _PASSED
    return _BEGUN if progress.tries else _NOT_BEGUN


def _reward(chapter: Chapter, state: dict[Lesson, str]) -> str:
    earned = all(state[each] == _PASSED for each in chapter.lessons)
    return f"{'Earned' if earned else 'At the end'}: {chapter.reward}"


def _rows(number: int, chapter: Chapter, state: dict[Lesson, str]) -> str:
    title = f"Chapter {number}. {escape(chapter.title)}"
    span = f'<tr><th scope="rowgroup" colspan="4" style="{_CELL};padding-top:10px">{title}</th></tr>'
    rows = [_row(each, state[each]) for each in chapter.lessons]
    reward = f'<tr><td colspan="4" style="{_CELL};font-style:italic">{escape(_reward(chapter, state))}</td></tr>'
    return "".join([span, *rows, reward])


def _row(lesson: Lesson, state: str) -> str:
    name = f"{lesson.id[:2]} {escape(lesson.title)}"
    if state != _MISSING:
        name = f'<a href="../{lesson.id}/{lesson.name}.ipynb">{name}</a>'
    needs = ", ".join(f"{number:02}" for number in lesson.needs) or "nothing"
    cells = (name, str(lesson.minutes), needs, f"{_SIGNS[state]} {state}")
    return "<tr>" + "".join(f'<td style="{_CELL}">{cell}</td>' for cell in cells) + "</tr>"
