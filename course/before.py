"""Run the saved notebook as the grader does, before it is handed in: what the check says is then the mark.

The hidden cases are not here, and so are not run. Nothing of the grader's is needed, and nothing is raised.
"""

from __future__ import annotations

import os
import re
import sys
import textwrap
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Final

from course.cell_text import is_stub
from course.compare import Kind
from course.differences import HAND_IN, Difference, find_differences, hidden_builtins
from course.explaining import cell_notes, explain, find_other_name, say_cell
from course.judging import judge_examples
from course.outcomes import Answered, Outcome, Raised
from course.reading import UnreadableError
from course.report import Report
from course.reused import find_reused
from course.running.fresh import FreshError, FreshRun, run_fresh
from course.running.names import names_used
from course.saved import NotFoundError, Saved, read_saved
from course.session import last_check
from course.show_html import inline_code
from course.submission import SOLVE
from course.wording import clean, count, first_failing_example, headline, not_started, passed_so_far

_WIDTH: Final = 100
_MOST_NOTES: Final = 3
_MINUTE: Final = 60
_BY_HAND: Final = "Press Ctrl+S (on a Mac Cmd+S) to save. Restart the kernel, run all cells, look at the check."
_STUB: Final = "`solve` is not written yet in the saved notebook, so there is nothing to run."
_WRITE: Final = "Write your code in the cell of `solve` and run the check cell. When it passes, come back to this cell."
_GRADED_ELSEWHERE: Final = "This cell does nothing while the work is graded."
_STOPPED: Final = "You stopped this check before it was done."
_FAULT: Final = "This check itself failed, which says nothing about your work"
_ANOTHER_RESULT: Final = "In your session the check came to something else than the saved notebook."
_COUNTING: Final = "Note: cells are counted from the top, texts included."
_TWO: Final = f"`{SOLVE}` is defined in cells "
_CELL_NUMBER: Final = re.compile(r"\b[Cc]ells? \d")
_NOT_RUN_HERE: Final = "were not run here. They are run when you hand in."


@dataclass(frozen=True, repr=False)
class BeforeResult:
    """What a clean start of the saved notebook came to. `report` is None where nothing could be run."""

    lines: tuple[str, ...]
    report: Report | None = None
    passed: bool = False

    def __repr__(self) -> str:
        """Return the lines as text."""
        return "\n".join(textwrap.fill(line, _WIDTH, subsequent_indent="  ") for line in self.lines)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Return text and HTML with inline styles only."""
        del include, exclude
        return {"text/plain": repr(self), "text/html": _to_html(self)}


def check_before_submitting() -> BeforeResult:
    """Run the saved notebook from a clean start in a process of its own, and say what the grader will say.

    It compares the worked examples, and names what only this session has. It takes half a minute at most.
    """
    if os.environ.get("NBGRADER_EXECUTION"):
        return BeforeResult((_GRADED_ELSEWHERE,))
    try:
        return _check(vars(sys.modules["__main__"]))
    except KeyboardInterrupt:
        return BeforeResult((_STOPPED, f"Next: {_BY_HAND}"))
    except (NotFoundError, FreshError) as reason:
        return BeforeResult((str(reason), f"Next: {_BY_HAND}"))
    except UnreadableError as error:
        said = f"The grader could not read the saved notebook. {error.reason}"
        return BeforeResult((said, "Next: mend this first: what cannot be read gets no points."))
    except Exception as error:  # noqa: BLE001  # a learner has no use for a traceback of ours
        return BeforeResult((f"{_FAULT} (`{type(error).__name__}`).", f"Next: {_BY_HAND}"))


def _check(session: Mapping[str, object]) -> BeforeResult:
    saved = read_saved(session)
    used = names_used(SOLVE, session) if SOLVE in session else []
    stub = next((cell.number for cell in saved.own if is_stub(cell.source)), 0)
    run = _not_written(saved, stub) if stub else _run(saved, used)
    outcomes = explain(run.outcomes, run.cell_errors, saved.own)
    results = judge_examples(saved.examples, outcomes)
    report = Report(
        lesson=saved.path.stem,
        examples=results,
        points_for_examples=saved.points,
        hidden_cases=saved.hidden_cases,
        notes=(*saved.notes, *cell_notes(outcomes, run.cell_errors, saved.own), *_changed(outcomes)),
    )
    live = _verdicts_of_the_session(session)
    same = live is None or live == tuple(each.passed for each in results)
    failing = first_failing_example(report)
    reused = find_reused(saved.submission.cells, saved.own, run, session, same=same) if failing else {}
    differences = find_other_name(saved.own, tuple(saved.examples[0].arguments)) or find_differences(
        saved.own, run, session, reused, same=same
    )
    if not failing and (hidden := hidden_builtins(saved.own, run, session)):
        differences = tuple(each for each in differences if each.name not in hidden)
        report = replace(report, notes=(*report.notes, *map(_hidden_name, hidden)))
    return _say(saved, report, differences, same=same, both=failing is None and live is not None and all(live))


def _hidden_name(name: str) -> str:
    return f"Only your session has a `{name}` of its own, which hides Python's. To be rid of it, run `del {name}`."


def _changed(outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    changed = any(isinstance(each, Answered) and each.changed_inputs for each in outcomes)
    return ("Your function changes its inputs, and one hidden group will fail. Make new lists.",) if changed else ()


def _run(saved: Saved, used: Sequence[str]) -> FreshRun:
    calls = [tuple(example.arguments.values()) for example in saved.examples]
    return run_fresh(saved.submission.cells, calls, used)


def _not_written(saved: Saved, cell: int) -> FreshRun:
    return FreshRun(tuple(Raised("NotImplementedError", "", cell) for _ in saved.examples))


def _verdicts_of_the_session(session: Mapping[str, object]) -> tuple[bool, ...] | None:
    """Return which examples passed in the last check of this very function; None if it was not checked."""
    last = last_check()
    if last is None or last.solve is not session.get(SOLVE):
        return None
    return tuple(each.passed for each in last.report.examples)


def _say(saved: Saved, report: Report, differences: Sequence[Difference], *, same: bool, both: bool) -> BeforeResult:
    """Write the result. `both`: the saved work passes, and so did the session's in its last check."""
    lines = [
        f"The notebook `{saved.path.name}`, {_age(saved.saved_at)}, was run from a clean start, as the grader does it."
    ]
    failing = first_failing_example(report)
    stub = failing is not None and failing.kind is Kind.NOT_WRITTEN and not_started(report)
    if stub:
        lines = [_STUB]
    elif failing is None:
        lines.append(headline(report) + _points(report))
    elif any(each.fault and each.fault.cell == failing.cell for each in differences):
        lines.append(f"No example can be run.{_points(report)}")
    else:
        lines.append(f"{headline(report)} {passed_so_far(report)}{_points(report)}")
        if failing.kind is not Kind.MISSING or not any(map(_is_solve, differences)):
            lines.append(clean(failing.says))
    lines += [clean(each.says) for each in differences]
    if not same and not differences:
        lines.append(_ANOTHER_RESULT)
    two = (_TWO,) if any(map(_is_solve, differences)) else ()
    told = (*two, *(say_cell(each.fault) for each in differences if each.fault))
    notes = [note for note in report.notes if not note.startswith(told)]
    lines += [f"Note: {clean(note)}" for note in notes[:_MOST_NOTES]]
    lines += [_COUNTING] if any(_CELL_NUMBER.search(line) for line in lines) else []
    lines.append(f"{_hidden(report.hidden_cases)} {_NOT_RUN_HERE}")
    lines.append(f"Next: {_next(report, differences, same=same, stub=stub, both=both)}")
    return BeforeResult(tuple(lines), report, passed=failing is None)


def _is_solve(difference: Difference) -> bool:
    return difference.name == SOLVE


def _points(report: Report) -> str:
    if not report.points_for_examples:
        return ""
    return f" Points for the examples: {report.example_points:g} of {report.points_for_examples:g}."


def _hidden(cases: int) -> str:
    return f"The {count(cases, 'hidden case')}" if cases > 1 else "The hidden cases"


def _next(report: Report, differences: Sequence[Difference], *, same: bool, stub: bool, both: bool) -> str:
    failing = first_failing_example(report)
    if failing is None and not (both and differences):
        return differences[0].when_right if differences else HAND_IN
    if differences:
        return differences[0].next_action
    if not same:
        return _BY_HAND
    if stub:
        return _WRITE
    if failing and failing.kind is Kind.STOPPED:
        return "Look at your loops: one may never end. If you run the check cell, stop it with the square button."
    return "Run the check cell above: it says more about this example."


def _age(saved_at: float) -> str:
    minutes = int((time.time() - saved_at) / _MINUTE)
    if minutes < 1:
        return "saved just now"
    return (
        f"saved {count(minutes, 'minute')} ago"
        if minutes < _MINUTE
        else time.strftime("saved on %Y-%m-%d at %H:%M", time.localtime(saved_at))
    )


def _to_html(result: BeforeResult) -> str:
    colour = "#8a8f98" if result.report is None else "#2e9e5b" if result.passed else "#c77700"
    style = f"border-left:4px solid {colour};padding:2px 0 2px 14px;margin:4px 0;max-width:760px;line-height:1.5"
    return f'<div style="{style}">{"".join(map(_paragraph, result.lines))}</div>'


def _paragraph(line: str) -> str:
    label, colon, rest = line.partition(": ")
    bold = f"<strong>{escape(label)}:</strong> " if colon and label in {"Next", "Note"} else ""
    said = inline_code(rest if bold else line)
    return f'<p style="margin:6px 0;overflow-wrap:break-word">{bold}{said}</p>'
