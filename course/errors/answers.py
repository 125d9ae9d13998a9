"""Say which line returned what is no table of numbers, or why no `return` was reached."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Sequence
from typing import Final

from course.errors.operands import IN_PLACE
from course.errors.spot import Told, function_of, statements_in
from course.errors.words import write
from course.outcomes import Answered, Outcome
from course.values import Numbers, Unusable

_GIVE_NONE: Final = IN_PLACE | {"print", "update", "shuffle"}


def explain_answer(solve: object, outcome: Outcome) -> Told | None:
    """Say what is wrong with an answer that is None or of a wrong type; None where there is no more to say."""
    if not isinstance(outcome, Answered) or not isinstance(outcome.value, Unusable):
        return None
    function = _function(solve)
    if function is None:
        return None
    returns = [each for each in statements_in(function) if isinstance(each, ast.Return) and each.value is not None]
    if not returns:
        return None
    if outcome.value.kind == "none":
        return _nothing(function, returns)
    return _text(returns) if "string" in outcome.value.what else None


def explain_short(solve: object, outcome: Outcome, rows: int) -> Told | None:
    """Say how to move a `return` that ends a loop in its first round; None where the answer is not that short."""
    if not isinstance(outcome, Answered) or not isinstance(outcome.value, Numbers) or rows <= 1:
        return None
    function, shape = _function(solve), outcome.value.shape
    if function is None or shape[:1] != (1,):
        return None
    loops = [each for each in statements_in(function) if isinstance(each, (ast.For, ast.While))]
    returns = [each for each in statements_in(function) if isinstance(each, ast.Return)]
    around = [next((loop for loop in loops if each in list(statements_in(loop))), None) for each in returns]
    if not returns or around[-1] is None or len(set(around)) != 1:
        return None
    last, loop = returns[-1].lineno, around[-1].lineno
    word = "for" if isinstance(around[-1], ast.For) else "while"
    return Told(
        f"The `return` in line {last} stands inside the loop of line {loop}, so it ends the work in the first round.",
        f"Move the `return` of line {last} to the left: it must stand straight below the `{word}` of line {loop}.",
    )


def _text(returns: Sequence[ast.Return]) -> Told:
    lines = " and ".join(str(each.lineno) for each in returns)
    if len(returns) > 1:
        return Told(
            f"Your `return` stands in lines {lines}. One of them gives text, and the answer must be numbers.",
            "Find the line that gives text. Return the numbers themselves, without quotes or `str(...)`.",
        )
    return Told(
        f"Line {lines} returns {write(returns[0].value)}, and that is text or holds text. The answer must be numbers.",
        f"Return the numbers themselves in line {lines}, without quotes, `str(...)` or `join`.",
    )


def _nothing(function: ast.FunctionDef, returns: Sequence[ast.Return]) -> Told | None:
    last = returns[-1]
    if isinstance(last.value, ast.Call):
        name = ast.unparse(last.value.func)
        if name.rpartition(".")[2] in _GIVE_NONE:
            return Told(
                f"Line {last.lineno} returns what `{name}(...)` gives, and that is always None.",
                f"Call `{name}(...)` in a line of its own, and return the list in the next line.",
            )
    if any(each in function.body for each in returns):
        return None
    return Told(
        f"The `return` in line {last.lineno} stands inside an `if` or a loop, and this call did not reach it.",
        f"Put a `return` at the end of `{function.name}`, as far left as the first line inside it.",
    )


def _function(solve: object) -> ast.FunctionDef | None:
    """Return the code of `solve` as it stands in its cell."""
    inner = function_of(solve)
    if inner is None:
        return None
    try:
        tree = ast.parse("".join(linecache.getlines(inner.__code__.co_filename)))
    except (SyntaxError, ValueError, RecursionError):
        return None
    found = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef) and each.name == inner.__name__]
    return next((each for each in found if _first_line(each) == inner.__code__.co_firstlineno), None)


def _first_line(function: ast.FunctionDef) -> int:
    return min([function.lineno, *(each.lineno for each in function.decorator_list)])
