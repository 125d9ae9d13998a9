"""Give the next useful hint for the last failing example: a little more each time the learner has tried again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from course.compare import Kind, show_number
from course.handed_out import EXAMPLES_CHANGED, say_no_practice
from course.older import lines_on_older
from course.practice import Hint, Practice, StepValues
from course.progress import name_code, note_hint, read_progress
from course.report import Report
from course.session import LastCheck, last_check
from course.show_html import inline_code
from course.values import Numbers
from course.wording import first_failing_example, next_action, not_started, step_to_reread

_MOST_NUMBERS: Final = 8
_NOTHING: Final = 5e-6
_NO_CHECK: Final = "Run the check cell first. A hint belongs to the first example that fails."
_NO_HINTS: Final = "The hints of this lesson are in the three fold-out boxes above."
_PASSED: Final = "All examples pass, so you need no hint."
_TRY_FIRST: Final = "Write a first try of your own, complete or not. Run the check cell, then ask for a hint."
_TRY_AGAIN: Final = "Change your code, run the check cell again, and the next hint opens."
_ONE_EACH_TIME: Final = "“Then” is the next time that your code does this step."
_ALMOST: Final = "Python may print a number such as -2.2e-07 for 0. It means -0.00000022: that is only rounding."
_PRINT: Final = "Print your own numbers beside these."
_NO_MORE: Final = "There are no more hints. Work through the example by hand and compare each number with your own."


@dataclass(frozen=True, repr=False)
class HintResult:
    """The hints that are open, the newest last, and one sentence on what comes next."""

    hints: tuple[Hint, ...]
    says: str

    def __repr__(self) -> str:
        """Return the newest hint as text; the older ones by their titles."""
        older = [f"Open already: {'; '.join(hint.title for hint in self.hints[:-1])}."] if self.hints[1:] else []
        newest = [f"{hint.title}\n{_indent(hint.text)}" for hint in self.hints[-1:]]
        return "\n\n".join([*older, *newest, self.says])

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Return text and HTML; the older hints are folded away."""
        del include, exclude
        return {"text/plain": repr(self), "text/html": _to_html(self)}


def hint() -> HintResult:
    """Give the next hint for the example that failed in the last check.

    The first one opens after one own try, a further one after a changed try. What was opened stays open.
    """
    last = last_check()
    if last is None:
        return HintResult((), _NO_CHECK)
    before = " ".join(lines_on_older(last.report)) or _replaced(last.report)
    if before:
        return HintResult((), before)
    if first_failing_example(last.report) is None:
        return HintResult((), _PASSED)
    if last.practice is None or not last.practice.hints:
        return HintResult((), f"{_NO_HINTS} {_why_none(last)}".rstrip())
    if not_started(last.report):
        return HintResult((), _TRY_FIRST)
    return _next(last, last.practice)


def _replaced(report: Report) -> str:
    """Say what stands in the place of the function, where the learner had written one."""
    failing = first_failing_example(report)
    replaced = failing is not None and failing.kind is Kind.MISSING and "not a function" in failing.says
    return f"{failing.says} After that, run the check cell again." if failing and replaced else ""


def _why_none(last: LastCheck) -> str:
    if last.practice is not None or not last.report.lesson:
        return ""
    return say_no_practice(last.report.lesson) or EXAMPLES_CHANGED


def _next(last: LastCheck, practice: Practice) -> HintResult:
    steps = _steps(last, practice)
    opened = read_progress(practice.lesson).hints
    titles = [each.title for each in opened]
    code = name_code(last.solve)
    following = next((each for each in steps if each.title not in titles), None)
    tried = code not in {each.code for each in opened}
    new = following.title if following is not None and tried else ""
    if new:
        note_hint(practice.lesson, code, new)
        titles.append(new)
        following = next((each for each in steps if each.title not in titles), None)
    here = _numbers_of_step(last, practice)
    newest = new or (here.title if here else "")
    shown = tuple(sorted((each for each in steps if each.title in titles), key=lambda each: each.title == newest))
    return HintResult(shown, _NO_MORE if following is None else _TRY_AGAIN)


def _steps(last: LastCheck, practice: Practice) -> tuple[Hint, ...]:
    """Order the hints, so that each gives away a little more: of the step in question first, then of the whole."""
    numbers = _numbers_of_step(last, practice)
    first, *others = practice.hints
    step, _ = step_to_reread(last.report)
    own: tuple[Hint | None, ...] = (numbers, _way_of_step(practice, step)) if step and numbers else (first, numbers)
    if step and _ended_by_hand(last.report):
        own = own[::-1]  # to print the numbers of a loop without an end is no help
    if not step and _stopped_somewhere(last.report):
        own = (*others[:1], numbers, first)
    elif not step and last.report.action:
        own = (first,)
    return tuple(dict.fromkeys(each for each in (_said_by_report(last.report), *own, *others) if each))


def _said_by_report(report: Report) -> Hint | None:
    """Repeat the cause and the action where the report names both: nothing is of more use before it is done."""
    failing = first_failing_example(report)
    if failing is not None and failing.kind is Kind.NO_RETURN and not report.action:
        return Hint("What to change first", f"{failing.says} {next_action(report)}")
    sent_here = "hint()" in report.action
    if report.mistake or not report.clue or not report.clue.says or not report.action or sent_here:
        return None
    return Hint("What to change first", f"{report.clue.says} {report.action}")


def _stopped_somewhere(report: Report) -> bool:
    """Tell whether an error ended the failing example: whoever got so far needs no word on how to start."""
    failing = first_failing_example(report)
    return failing is not None and failing.kind is Kind.RAISED


def _ended_by_hand(report: Report) -> bool:
    failing = first_failing_example(report)
    return failing is not None and failing.kind is Kind.STOPPED


def _way_of_step(practice: Practice, step: int) -> Hint | None:
    """Take one step out of the outline, which is the last hint; None where its points are not the lesson's steps."""
    points = re.findall(r"^\d+\.\s+(.*)", practice.hints[-1].text, re.MULTILINE)
    if len(points) != len(practice.steps):
        return None
    return Hint(f"How to do step {step}", points[step - 1])


def _numbers_of_step(last: LastCheck, practice: Practice) -> Hint | None:
    """Say which numbers the step in question gives in the failing example; every step's where none is known."""
    failing = first_failing_example(last.report)
    number = failing.number if failing else 1
    step, _ = step_to_reread(last.report)
    values = [each for each in practice.step_values[number - 1] if step in {0, each.step}]
    found = [each for each in values if any(one.flat for one in each.values)]
    if not found:
        return None
    steps = {each.step: [other for other in found if other.step == each.step] for each in found}
    lines = [f"- Step {at} ({practice.title(at)}) gives {_write_all(parts)}." for at, parts in steps.items()]
    lines += [_ONE_EACH_TIME] if any(each.values[1:] for each in found) else []
    lines += [_ALMOST] if any(0 < abs(n) < _NOTHING for each in found for one in each.values for n in one.flat) else []
    where = f"step {step}" if step else "each step"
    text = "\n".join([*lines, _PRINT])
    return Hint(f"What {where} gives in example {number}", text)


def _write_all(parts: Sequence[StepValues]) -> str:
    """Write what a step gives; several things, and single numbers, with their names."""
    if len(parts) == 1 and (not parts[0].name.isidentifier() or any(each.shape for each in parts[0].values)):
        return _write(parts[0].values)
    return "; ".join(f"{each.name} = {_write(each.values)}" for each in parts)


def _write(values: tuple[Numbers, ...]) -> str:
    shown = [_write_one(each) for each in values[:_MOST_NUMBERS]]
    more = " and so on" if len(values) > _MOST_NUMBERS else ""
    return ", then ".join(shown) + more


def _write_one(numbers: Numbers) -> str:
    if not numbers.shape:
        return _short(numbers.flat[0])
    shown = [_short(number) for number in numbers.flat[:_MOST_NUMBERS]]
    if len(numbers.shape) == 1:
        return f"[{', '.join(shown)}{', ...' if len(numbers.flat) > _MOST_NUMBERS else ''}]"
    width = len(numbers.flat) // numbers.shape[0] if numbers.shape[0] else 0
    rows = [Numbers((width,), numbers.flat[at * width : (at + 1) * width]) for at in range(numbers.shape[0])]
    return f"[{', '.join(map(_write_one, rows[:_MOST_NUMBERS]))}]"


def _short(number: float) -> str:
    """Write a number as the lesson does: five decimals, and 0 for what is next to nothing."""
    return "0" if abs(number) < _NOTHING else show_number(number)


def _indent(text: str) -> str:
    return "\n".join(f"   {line}".rstrip() for line in text.splitlines())


def _to_html(result: HintResult) -> str:
    parts = [
        f'<details{" open" if at == len(result.hints) - 1 else ""} style="margin:4px 0">'
        f'<summary style="cursor:pointer"><strong>{escape(hint.title)}</strong></summary>'
        f'<div style="margin:4px 0 8px 18px;max-width:720px;line-height:1.5">{_markdown(hint.text)}</div></details>'
        for at, hint in enumerate(result.hints)
    ]
    return "".join([*parts, f'<p style="margin:6px 0">{inline_code(result.says)}</p>'])


def _markdown(text: str) -> str:
    """Write the little Markdown that hints use: paragraphs, lists and code between backticks."""
    blocks = re.split(r"\n\s*\n", text.strip())
    return "".join(_block(block.splitlines()) for block in blocks)


def _block(lines: list[str]) -> str:
    items = [re.match(r"(?:\d+\.|-)\s+(.*)", line.strip()) for line in lines]
    html = []
    listed = [item[1] for item in items if item]
    if listed:
        kind = "ol" if lines[0].strip()[0].isdigit() else "ul"
        html.append(f"<{kind}>{''.join(f'<li>{inline_code(item)}</li>' for item in listed)}</{kind}>")
    plain = " ".join(line.strip() for line, item in zip(lines, items, strict=True) if not item)
    return "".join(html) + (f"<p>{inline_code(plain)}</p>" if plain else "")
