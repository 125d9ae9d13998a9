"""Notice that the code which is checked is not the code of the cell that the learner ran last.

A cell that Python cannot read, or that stops before its `def`, leaves the function of an earlier run behind.
Only the texts of the cells that were run are looked at; nothing is run.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache
from traceback import walk_tb
from types import FunctionType
from typing import Final

from course.cell_text import is_stub
from course.kept_cells import inputs_of, text_of
from course.outcomes import Raised
from course.report import Report
from course.running.names import functions_defined, names_defined, names_meant, names_used, unwrap
from course.submission import SOLVE
from course.unreadable import place_in_cell, plain_words, why_unreadable
from course.wording import clean, first_failing_example, headline, not_started, passed_so_far

NOT_CHECKED: Final = "Your newest code was not checked"
PART: Final = "Only a part of your cell was run"
CHECKED: Final = "Checked instead"
LABELS: Final = (NOT_CHECKED, PART, CHECKED)
_NEXT: Final = " Next: "
_MEND: Final = "Mend line {}, run that cell, then run this cell again."
_MEND_CELL: Final = "Mend that cell, run it, then run this cell again."
_DELETE: Final = "Delete the first line of that cell, run the cell, then run this cell again."
_RENAME: Final = "If that is your answer, write `def solve` there, run that cell, then run this cell again."
_ABOVE: Final = "what stands above this line."
_BEFORE: Final = "your older code."
_STUB: Final = "`solve` as it was handed out, which is not written yet."
_MISTYPED: Final = re.compile(r"^\w+[ \t]+solve[ \t]*\(.*\)[ \t]*:", re.MULTILINE)
_WHOLE_MAGIC: Final = re.compile(r"get_ipython\(\)\.run_cell_magic\((.*)\)\s*", re.DOTALL)
_RUN_AS_PYTHON: Final = ("time", "capture")
_defined: Final = lru_cache(2000)(names_defined)  # a kernel keeps every cell that was ever run
_functions: Final = lru_cache(2000)(functions_defined)
_ALIKE: Final = 0.75
_LIKE_THE_CELL: Final = 0.5
_LONGEST: Final = 120


@dataclass(frozen=True)
class _Run:
    """The text of one cell that was run. `magic`: what it began with, where that kept it from being run as Python."""

    text: str
    magic: str = ""


def older_code(solve: object) -> str:
    """Say which code a check of `solve` is about, and what to do, if it is not the cell that was run last; else ""."""
    main = vars(sys.modules["__main__"])
    inputs = main.get("In")
    function = unwrap(solve)
    if not isinstance(inputs, list) or not isinstance(function, FunctionType):
        return ""
    runs = [_read(each) for each in inputs if isinstance(each, str)]
    others = names_used(SOLVE, main)[1:] if main.get(SOLVE) is solve else []
    used = {SOLVE: function} | {name: unwrap(main.get(name)) for name in others}
    said = (_about(name, each, runs) for name, each in used.items() if isinstance(each, FunctionType))
    return _renamed(function, runs, used) or next(filter(None, said), "")


def note_on_older(report: Report) -> str:
    """Return the sentence of `older_code` from a report's notes; "" where there is none."""
    return next((note for note in report.notes if note.startswith(LABELS)), "")


def lines_on_older(report: Report) -> list[str]:
    """Say that the newest code was not checked, what was checked instead, and what to do; empty where all is well."""
    what, _, action = clean(note_on_older(report)).partition(_NEXT)
    if not what:
        return []
    came = headline(report) if first_failing_example(report) is None else f"{headline(report)} {passed_so_far(report)}"
    instead = _STUB if not_started(report) else f"{_ABOVE if what.startswith(PART) else _BEFORE} {came}"
    return [what, f"{CHECKED}: {instead}", f"Next: {action}"]


def _read(text: str) -> _Run:
    """Read a cell as Jupyter keeps it: one that begins with %% is a single call with the rest as its text."""
    whole = _WHOLE_MAGIC.fullmatch(text)
    try:
        magic, _, below = map(str, ast.literal_eval(f"[{whole[1]}]") if whole else ())
    except (ValueError, SyntaxError):
        return _Run(text)
    return _Run(below, "" if magic in _RUN_AS_PYTHON else f"%%{magic}")


def _about(name: str, function: FunctionType, runs: Sequence[_Run]) -> str:
    """Compare the cell that a function comes from with the last one that should define this name."""
    made = _made_in(function, runs)
    if made < 0 or name not in functions_defined(runs[made].text):
        return ""
    last = max((at for at in range(made + 1, len(runs)) if _should_define(name, runs[at])), default=made)
    return _say(name, runs[last]) if last > made else _partly(runs[made])


def _source(function: FunctionType) -> str:
    return text_of(function.__code__.co_filename)


def _made_in(function: FunctionType, runs: Sequence[_Run]) -> int:
    """Return the place of the cell that a function comes from; -1 where it is not known."""
    text = _source(function).strip()
    return max((at for at, run in enumerate(runs) if text and not run.magic and run.text.strip() == text), default=-1)


def _should_define(name: str, run: _Run) -> bool:
    if name not in run.text and name != SOLVE:
        return False
    defined = _defined(run.text)
    if defined:
        return name in defined
    meant = names_meant(run.text)
    mistyped = name == SOLVE and (_MISTYPED.search(run.text) or get_close_matches(SOLVE, meant, 1, _ALIKE))
    return (name in meant or bool(mistyped)) and why_unreadable(run.text) is not None


def _partly(run: _Run) -> str:
    """Say that a cell was run up to a line that has no place there: Jupyter runs the statements above it."""
    fault = why_unreadable(run.text)
    return f"{PART}: Python could not read all of it. {_say_fault(fault)}" if fault else ""


def _say(name: str, run: _Run) -> str:
    """Say why the last run of a cell did not define a name; "" where it may have done so in another way."""
    fault = why_unreadable(run.text)
    if run.magic:
        return f"{NOT_CHECKED}: a cell that begins with `{run.magic}` defines nothing here.{_NEXT}{_DELETE}"
    if fault is not None:
        return f"{NOT_CHECKED}: Python could not read the cell of `{name}` in its last run. {_say_fault(fault)}"
    if name not in functions_defined(run.text):
        return ""
    error = _last_error_in(run)
    how = f" with `{error.error}` ({error.message.rstrip('.')}) in line {error.line}" if error else ""
    mend = _MEND.format(error.line) if error else _MEND_CELL
    return f"{NOT_CHECKED}: the last run of its cell stopped{how}, before it defined `{name}`.{_NEXT}{mend}"


def _say_fault(fault: Raised) -> str:
    return f"Look at {place_in_cell(fault)}. {plain_words(fault)}{_NEXT}{_MEND.format(fault.line)}"


def _last_error_in(run: _Run) -> Raised | None:
    """Return the last error of the session, if it came from this cell."""
    error = getattr(sys, "last_value", None)
    if not isinstance(error, BaseException):
        return None
    for frame, line in walk_tb(error.__traceback__):
        if text_of(frame.f_code.co_filename).strip() == run.text.strip():
            return Raised(type(error).__name__, str(error)[:_LONGEST], line=line)
    return None


def _renamed(solve: FunctionType, runs: Sequence[_Run], used: Collection[str]) -> str:
    """Say that the cell of `solve` was run again with another name in it."""
    made = _made_in(solve, runs)
    inputs = inputs_of(solve.__code__)
    for run in reversed(runs[made + 1 :] if made >= 0 else []):
        if _should_define(SOLVE, run):
            return ""
        second_way = not is_stub(runs[made].text)  # `solve_2` beside a `solve` that is written
        new = {name: takes for name, takes in _functions(run.text).items() if not (second_way and SOLVE in name)}
        alike = get_close_matches(SOLVE, new, 1, _ALIKE)
        same = [name for name, takes in new.items() if takes == inputs and name not in used]
        if alike or (same and is_edited(run.text, runs[made].text)):
            name = (alike or same)[0]
            return f"{NOT_CHECKED}: it defines `{name}`, and the check calls `solve`.{_NEXT}{_RENAME}"
    return ""


def is_edited(text: str, before: str) -> bool:
    """Tell whether a text may be an edited form of the one before: of a stub, any text may."""
    one, other = ([line.strip() for line in each.splitlines() if line.strip()] for each in (text, before))
    return is_stub(before) or SequenceMatcher(None, one, other).ratio() >= _LIKE_THE_CELL
