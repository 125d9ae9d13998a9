"""A question about the learner's own code, once all examples pass: which line does it? Checked at once; no marks."""

from __future__ import annotations

import ast
import io
import linecache
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from types import CodeType
from typing import Any, Final

from course.calling import call_each, was_stopped
from course.handed_out import EXAMPLES_CHANGED, are_released, say_no_practice
from course.judging import judge_examples, read_examples
from course.kept_cells import text_of, tree_of
from course.of_older import note_on_code
from course.practice import Practice, Question, find_practice
from course.show_html import inline_code
from course.values import name_type
from course.xray import Place, unwrap, watch
from course.xray_look import Look
from course.xray_places import places_of_step

_ORANGE, _GREEN, _GREY = "#c77700", "#2e9e5b", "#8a8f98"
_HOW: Final = (
    "Write the number of the line in place of 0, then run this cell again. Line 1 is the first line of the cell."
)
_NO_NUMBER: Final = (
    "{} is no line number. Write a whole number such as 4, with no quotes and no point, then run this cell again."
)
_NO_LINE: Final = "{} has {} lines, so there is no line {}. Write a number from 1 to {}, then run this cell again."
_BELOW: Final = "There is no line {}: the first line is line 1. Write another number, then run this cell again."
_LONGEST: Final = 40
_FIRST: Final = "First make all examples pass. Then this cell has a question about your own code."
_NONE: Final = "There is no question here."


@dataclass(frozen=True, repr=False)
class Reply:
    """What `my_line` says. It shows itself in a notebook as HTML and in a terminal as text. It gives no points."""

    says: tuple[str, ...]
    colour: str = _GREY

    def __repr__(self) -> str:
        """Return the reply as text."""
        return "\n".join(self.says)

    def _repr_html_(self) -> str:
        """Return the reply as an HTML fragment with inline styles only."""
        said = "".join(
            f'<p style="margin:6px 0;overflow-wrap:break-word">{inline_code(line)}</p>' for line in self.says
        )
        box = f"border-left:4px solid {self.colour};padding:2px 0 2px 14px;margin:4px 0;max-width:760px;line-height:1.5"
        return f'<div style="{box}">{said}</div>'


def my_line(
    solve: Callable[..., object], examples: Sequence[Mapping[str, Any]], line: object = 0, lesson: str = ""
) -> Reply:
    """Ask which line of your own code does one thing, and check the `line` that you think it is.

    Line 1 is the first line of the cell. In JupyterLab, "View" and then "Show Line Numbers" shows the numbers.
    `lesson` names the practice file beside the notebook.
    """
    practice = find_practice(lesson) if lesson else None
    if practice is None or practice.question is None:
        return Reply((f"{_NONE} {say_no_practice(lesson) if lesson else ''}".rstrip(),))
    if not are_released(examples, practice):
        return Reply((EXAMPLES_CHANGED,))
    reply, note = _ask(solve, examples, line, practice), note_on_code(solve)
    return replace(reply, says=(*reply.says, note)) if note else reply


def _ask(
    solve: Callable[..., object], examples: Sequence[Mapping[str, Any]], line: object, practice: Practice
) -> Reply:
    if was_stopped(solve) or not _all_pass(solve, examples):
        return Reply((_FIRST,))
    if practice.question is None:
        return Reply((_NONE,))
    if type(line) is int and line == 0:
        return Reply((practice.question.text, _HOW))
    mended = _say_no_line(line, solve)
    if mended or type(line) is not int:
        return Reply((practice.question.text, mended), _ORANGE)
    return _answer(solve, line, practice, practice.question)


def _say_no_line(line: object, solve: object) -> str:
    """Say what to write instead of a `line` that no line can have; empty where it is one."""
    if type(line) is not int:
        plain = line is None or isinstance(line, (str, int, float))
        return _NO_NUMBER.format(f"`{line!r:.{_LONGEST}}`" if plain else name_type(line).capitalize())
    code = _code_of(solve)
    lines = len(linecache.getlines(code.co_filename)) if code else 0
    if not lines:
        return _BELOW.format(line) if line < 0 else ""
    return "" if 0 < line <= lines else _NO_LINE.format("The cell with your `solve`", lines, line, lines)


def _all_pass(solve: object, examples: Sequence[Mapping[str, Any]]) -> bool:
    known = read_examples(examples)
    with redirect_stdout(io.StringIO()):
        outcomes = [call.outcome for call in call_each(solve, known)]
    return all(each.passed for each in judge_examples(known, outcomes))


def _answer(solve: Callable[..., object], line: int, practice: Practice, question: Question) -> Reply:
    step = f"step {question.step}, `{practice.title(question.step)}`"
    code_of_solve = _code_of(solve)
    own = code_of_solve.co_filename if code_of_solve else ""
    code = linecache.getline(own, line).strip()
    shown = f"Line {line} is `{code}`." if code else f"Line {line} of the cell with your `solve` has no code."
    places = list(_right_places(solve, practice, question.step))
    if not places:
        return Reply((shown, f"I cannot tell which line it is in your code. Compare your line with {step}."))
    if any(line in _statement(place) for place in places):
        done = f"Yes. After line {line}, the numbers of {step}, are there for the first time."
        return Reply((done, *([f"It is `{code}`."] if code else [])), _GREEN)
    return Reply((f"Not yet. {shown}", f"Look for the end of {step}. {_direction(line, places, own)}"), _ORANGE)


def _direction(line: int, places: Sequence[Place], own: str) -> str:
    """Say where the nearest of these lines is, without its number: a helper and the line that calls it both count."""
    here = [place.line for place in places if place.file == own]
    if not here:
        return f"It is in your function `{places[0].function}`, which has a cell of its own: count its lines there."
    nearest = min(here, key=lambda each: abs(each - line))
    return "It is further down in the cell." if line < nearest else "It is further up in the cell."


def _right_places(solve: Callable[..., object], practice: Practice, step: int) -> Iterator[Place]:
    """Yield where the step's numbers are complete, in every example in which they could not stand anywhere.

    Where they are only there in part, the next step completes them: its lines count.
    """
    for example, steps in zip(practice.cases, practice.step_values, strict=True):
        look = Look(watch(solve, example.arguments), steps)
        if look.sightings.complete and not look.is_weak(step):
            for number in (step, step + 1):
                told = [places_of_step(look.sightings, each) for each in steps if each.step == number]
                places = [place for each in told for place in _up_to_solve(solve, each)]
                yield from places
                if places:
                    break


def _up_to_solve(solve: object, places: Sequence[Place]) -> Sequence[Place]:
    """Leave out the functions that come after `solve` itself: they were only given the numbers."""
    code = _code_of(solve)
    functions = [(place.file, place.begins) for place in places]
    own = (code.co_filename, code.co_firstlineno) if code else None
    return places[: functions.index(own) + 1] if own in functions else places


def _code_of(solve: object) -> CodeType | None:
    """Return the code of the innermost function: a decorator may stand elsewhere."""
    codes = [code for each in unwrap(solve) if isinstance(code := getattr(each, "__code__", None), CodeType)]
    return codes[-1] if codes else None


def _statement(place: Place) -> Collection[int]:
    """Return all lines of the statement that holds this line; of one with lines inside it, only its head."""
    spans = [_span(node) for node in ast.walk(tree_of(text_of(place.file))) if isinstance(node, ast.stmt)]
    return min((span for span in spans if place.line in span), key=len, default=(place.line,))


def _span(node: ast.stmt) -> range:
    body = getattr(node, "body", None)
    end = body[0].lineno - 1 if isinstance(body, list) and body else node.end_lineno or node.lineno
    return range(node.lineno, max(end, node.lineno) + 1)
