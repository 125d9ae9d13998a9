"""Write what the clean process says as lines of JSON, and read them: the reader believes no more than their form."""

from __future__ import annotations

import json
from typing import Any, Final

from course.outcomes import Answered, NoFunction, Outcome, Raised, Stopped, StopReason
from course.values import Numbers, Unusable

READY: Final = "ready"
CELL: Final = "cell"
CELL_ERROR: Final = "cell error"
NAMES: Final = "names"
CALL: Final = "call"
OUTCOME: Final = "outcome"
DONE: Final = "done"


def write_line(word: str, number: int = 0, said: object = None) -> bytes:
    """Write one line: what it is about, the number of the cell or call, and what is said."""
    return json.dumps([word, number, said]).encode() + b"\n"


def read_line(line: bytes) -> tuple[str, int, Any]:
    """Read a line.

    Raises:
        ValueError: it is not one of ours.
    """
    word, number, said = json.loads(line)
    if not isinstance(word, str) or not isinstance(number, int):
        message = "this line is not one of ours"
        raise ValueError(message)  # noqa: TRY004  # whatever is wrong with a line, it is skipped
    return word, number, said


def write_outcome(outcome: Outcome) -> dict[str, Any]:
    """Write an outcome as JSON has it."""
    if isinstance(outcome, Answered):
        value = outcome.value
        said = {"shape": value.shape, "flat": value.flat} if isinstance(value, Numbers) else vars(value)
        return {"changed_inputs": outcome.changed_inputs, "printed": outcome.printed, "value": said}
    return dict(vars(outcome))


def read_outcome(data: dict[str, Any]) -> Outcome:
    """Read an outcome.

    Raises:
        ValueError, KeyError, TypeError, AttributeError: it is none.
    """
    if "value" in data:
        return Answered(_read_value(data["value"]), bool(data["changed_inputs"]), bool(data["printed"]))
    if "reason" in data:
        return Stopped(StopReason(data["reason"]))
    if "what" in data:
        return NoFunction(str(data["what"]))
    return Raised(str(data["error"]), str(data["message"]), int(data["cell"]), int(data["line"]))


def _read_value(data: dict[str, Any]) -> Numbers | Unusable:
    if "kind" in data:
        return Unusable(str(data["kind"]), str(data["what"]))
    return Numbers(tuple(map(int, data["shape"])), tuple(map(float, data["flat"])))
