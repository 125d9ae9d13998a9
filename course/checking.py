"""Run the learner's `solve` on the worked examples, in the notebook they write it in."""

from __future__ import annotations

import io
import linecache
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from typing import Any, Final

from course.calling import call_each, notes_on, was_stopped
from course.cell_text import defines_solve
from course.compare import Kind, compare
from course.judging import judge_examples, read_examples
from course.outcomes import Outcome
from course.practice import Practice, find_practice
from course.report import Report
from course.running.cells import compile_cell
from course.session import LastCheck, remember
from course.show import to_html, to_text
from course.teaching import Taught, teach
from course.xray_steps import find_step

_OLDER: Final = "The last run of your cell did not define `solve`: it stopped first. This is about your older code."
_TEACHABLE: Final = {Kind.RAISED, Kind.TYPE, Kind.SHAPE, Kind.NOT_FINITE, Kind.VALUES}


@dataclass(frozen=True, repr=False)
class CheckResult:
    """What `check` found. It shows itself in a notebook as HTML and in a terminal as text."""

    report: Report

    @property
    def points(self) -> float:
        """One point for each worked example that passes."""
        return float(sum(example.passed for example in self.report.examples))

    def __repr__(self) -> str:
        """Return the report as text."""
        return to_text(self.report)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Return both forms. While stock nbgrader runs the cell, the text is the bare number it gives credit for."""
        del include, exclude
        text = str(self.points) if os.environ.get("NBGRADER_EXECUTION") else to_text(self.report)
        return {"text/html": to_html(self.report), "text/plain": text}


def check(solve: object, examples: Sequence[Mapping[str, Any]], hidden_cases: int = 0, lesson: str = "") -> CheckResult:
    """Call `solve` on every worked example and report the first one that fails.

    An example is a dict: the arguments by name in call order, and the right answer under "returns". `lesson` names the
    practice file beside the notebook, which lets the report name a mistake; without it the answers are only compared.

    Raises:
        ValueError: the examples are not such a list.
    """
    known = read_examples(examples)
    practice = find_practice(lesson) if lesson else None
    if practice is not None and practice.examples != known:
        practice = None  # of another version of the lesson
    calls = call_each(solve, known)
    older = (_OLDER,) if _is_older(solve) else ()
    outcomes = [call.outcome for call in calls]
    results = judge_examples(known, outcomes)
    first = next((each.kind for each in results if not each.passed), Kind.PASSED)
    report = Report(
        lesson=practice.lesson if practice else lesson,
        examples=results,
        points_for_examples=float(len(known)),
        hidden_cases=hidden_cases,
        notes=(*older, *notes_on(solve, known, calls)),
    )
    if practice is not None and first in _TEACHABLE:
        taught = _teach(practice, solve, outcomes)
        report = replace(report, mistake=taught.mistake, clue=taught.clue, already=taught.already)
    remember(LastCheck(solve, practice, report))
    return CheckResult(report)


def _teach(practice: Practice, solve: object, outcomes: Sequence[Outcome]) -> Taught:
    """Look into the answers, then into the running function."""
    with redirect_stdout(io.StringIO()):  # what the function prints was seen already
        probed = [call.outcome for call in call_each(solve, practice.probes)]
    finding = None
    if callable(solve) and not was_stopped(solve):
        both = zip((*outcomes, *probed), practice.cases, strict=True)
        passed = [compare(outcome, case.returns).passed for outcome, case in both]
        finding = find_step(solve, [case.arguments for case in practice.cases], passed, practice.step_values)
    return teach(practice, outcomes, probed, finding)


def _source_of(solve: object) -> str:
    """Return the text of the cell that `solve` comes from; empty where there is none."""
    code = getattr(solve, "__code__", None)
    return "".join(linecache.getlines(code.co_filename)) if code else ""


def _is_older(solve: object) -> bool:
    """Tell whether the cell of `solve` was changed and run again, and Python could not read it."""
    inputs = getattr(sys.modules["__main__"], "In", None)
    last = next((text for text in reversed(inputs) if defines_solve(text)), "") if isinstance(inputs, list) else ""
    if not last or last.strip() == _source_of(solve).strip():
        return False
    try:
        compile_cell(last, "<cell>", 0)
    except SyntaxError:
        return True
    except (ValueError, RecursionError, MemoryError):
        return False
    return False
