"""Judge the worked examples of a lesson: the notebook's check and the grader both end here."""

from __future__ import annotations

import ast
import copy
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from course.compare import Verdict, close, compare, show_apart, show_number
from course.outcomes import Answered, Outcome, Raised
from course.report import ExampleResult, Table
from course.values import Numbers, read_value

_MAX_ARGUMENT: Final = 160
_LEAST_IN_FULL: Final = 1e-10
_NEXT_TO_NOTHING: Final = 5e-6
_WRONG_INPUTS: Final = re.compile(r"\(\) (takes|missing) ")
ACCEPTED: Final = "ok"


@dataclass(frozen=True)
class Example:
    """One worked example: the arguments by name in call order, and the right answer."""

    arguments: Mapping[str, Any]
    returns: Numbers


def read_examples(entries: Sequence[Mapping[str, Any]]) -> tuple[Example, ...]:
    """Read the `examples` of a check cell: dicts of arguments, with the answer under "returns".

    Raises:
        ValueError: there is no example, or one has no answer in numbers. The locked cell was changed.
    """
    if not entries:
        message = "the list of examples is empty"
        raise ValueError(message)
    return tuple(_read_example(entry) for entry in entries)


def examples_in(cell: str) -> tuple[Example, ...]:
    """Read the literal `examples = [...]` of the text of a check cell; nothing of it is run.

    Raises:
        ValueError, SyntaxError: there is no such list. The locked cell was changed.
    """
    for statement in ast.parse(cell).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "examples":
            return read_examples(ast.literal_eval(statement.value))
    message = "the cell `examples` does not assign `examples`"
    raise ValueError(message)


def _read_example(entry: Mapping[str, Any]) -> Example:
    returns = read_value(entry.get("returns"))
    if not isinstance(returns, Numbers):
        message = f'the "returns" of an example is {returns.what}, not numbers'
        raise ValueError(message)  # noqa: TRY004  # it is the cell's text that is wrong
    return Example({name: copy.deepcopy(value) for name, value in entry.items() if name != "returns"}, returns)


def judge_examples(examples: Sequence[Example], outcomes: Sequence[Outcome]) -> tuple[ExampleResult, ...]:
    """Judge one outcome per example."""
    pairs = zip(examples, outcomes, strict=True)
    return tuple(_judge(number, example, outcome) for number, (example, outcome) in enumerate(pairs, start=1))


def _judge(number: int, example: Example, outcome: Outcome) -> ExampleResult:
    verdict = compare(outcome, example.returns)
    return ExampleResult(
        number=number,
        kind=verdict.kind,
        says=_wrong_inputs(outcome, example) or verdict.says,
        call=write_call(example.arguments),
        table=_table(example, outcome, verdict),
        line=outcome.line if isinstance(outcome, Raised) else 0,
        cell=outcome.cell if isinstance(outcome, Raised) else 0,
    )


def write_call(arguments: Mapping[str, Any]) -> str:
    """Write the call as a learner can type it: `solve(Q = [[1, 0]], causal = True)`; long values are cut."""
    return f"solve({', '.join(f'{name} = {_cut(_write_value(value))}' for name, value in arguments.items())})"


def _write_value(value: object) -> str:
    """Write a value as Python does, but a small number with all its zeros: 0.00001, and not 1e-05."""
    if type(value) is list:
        return f"[{', '.join(map(_write_value, value))}]"
    if type(value) is dict:
        return f"{{{', '.join(f'{key!r}: {_write_value(each)}' for key, each in value.items())}}}"
    if type(value) is float and _LEAST_IN_FULL <= abs(value) < 1:
        return f"{Decimal(repr(value)):f}"
    return repr(value)


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_ARGUMENT else f"{text[:_MAX_ARGUMENT]} ... (cut)"


def _wrong_inputs(outcome: Outcome, example: Example) -> str:
    """Say which inputs `solve` must take, if Python could not even begin the call."""
    if not isinstance(outcome, Raised) or outcome.error != "TypeError" or outcome.line:
        return ""
    if not _WRONG_INPUTS.search(outcome.message):
        return ""
    inputs = ", ".join(example.arguments)
    return f"`solve` must take these inputs, in this order: `solve({inputs})`. Python says: {outcome.message[:200]}."


def _table(example: Example, outcome: Outcome, verdict: Verdict) -> Table | None:
    if verdict.passed or not isinstance(outcome, Answered) or not isinstance(outcome.value, Numbers):
        return None
    want, got = example.returns, outcome.value
    if got.shape != want.shape:
        return None
    cells = [_write(w, g) for w, g in zip(want.flat, got.flat, strict=True)]
    expected, came, difference = zip(*cells, strict=True)
    width = want.shape[-1] if want.shape else 1
    return Table(
        call=write_call(example.arguments),
        expected=_rows(expected, width),
        got=_rows(came, width),
        difference=_rows(difference, width),
    )


def _write(want: float, got: float) -> tuple[str, str, str]:
    """Write expected, got and difference. Accepted numbers may look alike; different ones never do."""
    if close(got, want):
        return _or_0(want), _or_0(got), ACCEPTED
    difference = got - want
    sign = "+" if difference > 0 else ""
    shown = f"{sign}{show_number(difference)}" if not math.isnan(difference) else "nan"
    return *show_apart(want, got), shown


def _or_0(number: float) -> str:
    """Write an accepted number; what is 0 but for rounding is 0."""
    return "0" if abs(number) < _NEXT_TO_NOTHING else show_number(number)


def _rows(cells: Sequence[str], width: int) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(cells[at : at + width]) for at in range(0, len(cells), width))
