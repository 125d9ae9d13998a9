"""What one call of `solve` came to. The notebook's check and the grader both end here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from course.values import Numbers, Unusable


class StopReason(StrEnum):
    """Why a call gave no answer although nothing was raised."""

    TIME = "time"
    MEMORY = "memory"
    CRASH = "crash"
    EXIT = "exit"
    SIZE = "size"
    NOT_RUN = "not_run"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True)
class Answered:
    """The call returned something; `value` says what."""

    value: Numbers | Unusable
    changed_inputs: bool = False
    printed: bool = False


@dataclass(frozen=True)
class Raised:
    """The call raised. `cell` and `line` point into the student's own code; 0 when unknown."""

    error: str
    message: str
    cell: int = 0
    line: int = 0
    code: str = ""


@dataclass(frozen=True)
class Stopped:
    """The call was ended from outside."""

    reason: StopReason


@dataclass(frozen=True)
class NoFunction:
    """There is nothing to call: `what` is "missing" or names what `solve` is instead. `alike`: a name close to it.

    `line` and `code`: the line of the student's `cell` that put the function's own result in its place; 0 when unknown.
    """

    what: str = "missing"
    alike: str = ""
    cell: int = 0
    line: int = 0
    code: str = ""


Outcome = Answered | Raised | Stopped | NoFunction


def numbers_of(outcome: Outcome) -> Numbers | None:
    """Return the numbers that a call answered with; None where there are none."""
    if isinstance(outcome, Answered) and isinstance(outcome.value, Numbers):
        return outcome.value
    return None
