"""Hold one outcome against the expected numbers and say, in plain words, what is the matter.

This is the only comparison of the house: the notebook's check and the grader both use it.
It is zero until shown: a number passes only if `abs(got - want) <= allowed(want)`, so NaN never passes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from course.outcomes import Answered, NoFunction, Outcome, Raised, Stopped, StopReason
from course.values import Numbers, Unusable

ABSOLUTE_TOLERANCE: Final = 1e-5
RELATIVE_TOLERANCE: Final = 1e-5
LEFT_OVER: Final = "the line of the stub is still there: delete it"
RETURN_HERE: Final = "the line of the stub is still there: put `return` and your result in its place"
_MATRIX: Final = 2
_MAX_MESSAGE: Final = 200
_SHORT_LIST: Final = 12
_LONGEST_LINE: Final = 60


class Kind(StrEnum):
    """The kinds of verdict, in the order in which they are looked for."""

    MISSING = "missing"
    NOT_WRITTEN = "not_written"
    RAISED = "raised"
    STOPPED = "stopped"
    NO_RETURN = "no_return"
    TYPE = "type"
    SHAPE = "shape"
    NOT_FINITE = "not_finite"
    VALUES = "values"
    PASSED = "passed"


@dataclass(frozen=True)
class Verdict:
    """Say whether one case passed and why not.

    `says` may quote the case's data. `safe` never does: it is all that is shown of a hidden case.
    """

    kind: Kind
    says: str
    safe: str

    @property
    def passed(self) -> bool:
        """True for a right answer and for nothing else."""
        return self.kind is Kind.PASSED


_PASSED: Final = Verdict(Kind.PASSED, "The answer is right.", "The answer is right.")


def allowed(want: float) -> float:
    """Return the largest accepted distance from `want`."""
    return ABSOLUTE_TOLERANCE + RELATIVE_TOLERANCE * abs(want)


def close(got: float, want: float) -> bool:
    """Tell whether `got` is near enough to `want`. NaN is near nothing; infinity only to itself."""
    return got == want or abs(got - want) <= allowed(want)


def compare(outcome: Outcome, want: Numbers) -> Verdict:
    """Judge one outcome against the expected numbers."""
    if isinstance(outcome, NoFunction):
        return _no_function(outcome)
    if isinstance(outcome, Raised):
        return _raised(outcome)
    if isinstance(outcome, Stopped):
        return _stopped(outcome)
    return _answered(outcome, want)


def _no_function(outcome: NoFunction) -> Verdict:
    if outcome.alike:
        says = f"There is no function `solve`, but there is `{outcome.alike}`. Is that a typing mistake?"
    elif outcome.what == "missing":
        says = "There is no function `solve`. Write it in the cell that begins with `def solve`, then run that cell."
    elif outcome.line:
        place = f"line {outcome.line} of {f'cell {outcome.cell}' if outcome.cell else 'your cell'}"
        puts, it = ("gives this name a value", "the value")
        if "solve(" in outcome.code:
            puts, it = ("puts the result of `solve` in its place", "the result")
        says = (
            f"`solve` is {outcome.what}, not a function: {place}, `{outcome.code[:_LONGEST_LINE]}`, {puts}. "
            f"Give {it} another name in that line, such as `result`. Then run the cell with `def solve` again first."
        )
    else:
        says = f"`solve` is {outcome.what}, not a function. Define it with `def solve`."
    return Verdict(Kind.MISSING, says, "There is no function `solve` to call.")


def _raised(outcome: Raised) -> Verdict:
    if outcome.error == "NotImplementedError" and outcome.message not in {LEFT_OVER, RETURN_HERE}:
        says = "`solve` is not written yet. Write your code in its cell, then run this cell again."
        return Verdict(Kind.NOT_WRITTEN, says, says)
    places = (f"cell {outcome.cell}" if outcome.cell else "", f"line {outcome.line}" if outcome.line else "")
    where = f" in {', '.join(filter(None, places))}" if any(places) else ""
    code = f": `{outcome.code.strip()}`" if outcome.code.strip() else ""
    message = outcome.message.strip().replace("\n", " ")[:_MAX_MESSAGE]
    quoted = f" ({message})" if message else ""
    return Verdict(
        Kind.RAISED,
        f"Your code stopped with `{outcome.error}`{quoted}{where}{code}.",
        # Neither message nor line: student code can choose both, and so spell out what it was given.
        f"Your code stopped with {_known_error(outcome.error)}.",
    )


# A hidden case tells which of these it met, and no more: a name chosen among many would carry its input out.
_MET: Final = (
    *("AttributeError", "IndexError", "KeyError", "NameError", "OverflowError", "RecursionError", "TypeError"),
    *("ValueError", "ZeroDivisionError"),
)


def _known_error(name: str) -> str:
    return f"`{name}`" if name in _MET else "an error"


_STOPPED: Final = {
    StopReason.TIME: "Your code took too long and was stopped. Look for a loop that never ends.",
    StopReason.MEMORY: "Your code used too much memory and was stopped. Look for a list that grows without end.",
    StopReason.CRASH: "Python itself crashed while it ran your code.",
    StopReason.EXIT: "Your code ended Python (for example with `exit()`), so there is no answer.",
    StopReason.SIZE: "The returned value is too large to be an answer.",
    StopReason.NOT_RUN: "This case was not run, because earlier cases used up the time.",
    StopReason.INTERRUPTED: "You stopped this call. If it took long, look for a loop that never ends.",
}


def _stopped(outcome: Stopped) -> Verdict:
    says = _STOPPED[outcome.reason]
    return Verdict(Kind.STOPPED, says, says)


def _answered(outcome: Answered, want: Numbers) -> Verdict:
    got = outcome.value
    if isinstance(got, Unusable):
        return _unusable(got, want, printed=outcome.printed)
    if got.shape != want.shape:
        return _shape(got, want)
    if got.flat == want.flat:
        return _PASSED
    # The same as `close`, written out: this line sees every number of every submission.
    wrong = [
        at
        for at, (g, w) in enumerate(zip(got.flat, want.flat, strict=True))
        if not (abs(g - w) <= ABSOLUTE_TOLERANCE + RELATIVE_TOLERANCE * abs(w) or g == w)
    ]
    if not wrong:
        return _PASSED
    return _not_finite(got, wrong) or _values(got, want, wrong)


def _unusable(got: Unusable, want: Numbers, *, printed: bool) -> Verdict:
    if got.kind == "none":
        hint = "It printed instead: `print` only shows a value." if printed else "Did you forget `return`?"
        says = f"`solve` returned None, so there is no answer to compare. {hint}"
        return Verdict(Kind.NO_RETURN, says, says)
    kind = Kind.SHAPE if got.kind in {"ragged", "size"} else Kind.TYPE
    hint = " Put it into a list, and use `return`, not `yield`." if got.what == "a generator" else ""
    says = f"`solve` returned {got.what}.{hint} Return {_describe_shape(want.shape)}."
    return Verdict(kind, says, _SAFE_TYPE if kind is Kind.TYPE else _safe_shape(want))


_SAFE_TYPE: Final = "`solve` returned something that is not made of plain numbers."


def _safe_shape(want: Numbers) -> str:
    """Say that the shape is wrong, and no more than the lesson's text says of every answer: a number, a list, rows."""
    if len(want.shape) >= _MATRIX:
        return "Your answer has the wrong shape: too many or too few rows or columns."
    return f"Your answer has the wrong shape: it is not one {'flat list of numbers' if want.shape else 'number'}."


def _shape(got: Numbers, want: Numbers) -> Verdict:
    if len(got.shape) == len(want.shape) == 1:
        return _length(got, want)
    turned = " Rows and columns are swapped." if got.shape == want.shape[::-1] else ""
    says = f"`solve` returned {_describe_shape(got.shape)}. Expected: {_describe_shape(want.shape)}.{turned}"
    return Verdict(Kind.SHAPE, says, _safe_shape(want) + turned)


def _length(got: Numbers, want: Numbers) -> Verdict:
    """Say of two flat lists how long they are and, where they are short, what they hold."""
    many = "many" if len(got.flat) > len(want.flat) else "few"
    says = f"`solve` returned {_describe_list(got)}. Expected: {_describe_list(want)}."
    return Verdict(Kind.SHAPE, says, f"Your answer has too {many} numbers.")


def _describe_list(numbers: Numbers) -> str:
    size = _describe_shape(numbers.shape)
    shown = ", ".join(map(show_number, numbers.flat))
    return f"{size}, [{shown}]" if 0 < len(numbers.flat) <= _SHORT_LIST else size


def _describe_shape(shape: tuple[int, ...]) -> str:
    if not shape:
        return "one number"
    if 0 in shape:
        return "an empty list"
    if len(shape) == 1:
        return f"a flat list of {shape[0]} number{'s' * (shape[0] != 1)}"
    if len(shape) == _MATRIX:
        return f"a list of {shape[0]} row{'s' * (shape[0] != 1)} with {shape[1]} number{'s' * (shape[1] != 1)} each"
    return f"a table of shape {shape}"


def _not_finite(got: Numbers, wrong: list[int]) -> Verdict | None:
    bad = [at for at in wrong if not math.isfinite(got.flat[at])]
    if not bad:
        return None
    word = "nan (not a number)" if math.isnan(got.flat[bad[0]]) else "inf (infinity)"
    return Verdict(
        Kind.NOT_FINITE,
        f"Your answer holds {word}{_place(got, bad[0])}.",
        f"Your answer holds {word}.",
    )


def _values(got: Numbers, want: Numbers, wrong: list[int]) -> Verdict:
    worst = max(wrong, key=lambda at: abs(got.flat[at] - want.flat[at]))
    expected, came = show_apart(want.flat[worst], got.flat[worst])
    return Verdict(
        Kind.VALUES,
        f"The answer is different: {came} instead of {expected}{_place(got, worst)}.",
        "The numbers are different from the right answer.",
    )


def _place(got: Numbers, at: int) -> str:
    if len(got.shape) == _MATRIX:
        return f" in row {at // got.shape[1]}, column {at % got.shape[1]}"
    return f" at position {at}" if len(got.shape) == 1 else ""


def show_number(number: float, digits: int = 5) -> str:
    """Write a number short: whole numbers without a point, large ones with an exponent."""
    if number == int(number) if math.isfinite(number) else False:
        return f"{number + 0.0:.0f}" if abs(number) < 1e15 else f"{number:.6g}"  # noqa: PLR2004  # floats above are not exact
    return f"{number:.{digits}f}" if 10.0**-digits <= abs(number) < 1e9 else f"{number:.{digits}g}"  # noqa: PLR2004


def show_apart(want: float, got: float) -> tuple[str, str]:
    """Write two different numbers with as many digits as it takes to see that they differ."""
    for digits in range(5, 18):
        pair = show_number(want, digits), show_number(got, digits)
        if pair[0] != pair[1]:
            return pair
    return repr(want), repr(got)
