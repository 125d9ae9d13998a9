"""Say which line returned what is no table of numbers, or why no `return` was reached."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Final

from course.errors.operands import IN_PLACE
from course.errors.spot import Told, names_set_by, statements_in
from course.errors.texts import code_of
from course.errors.unreturned import tell_unreturned
from course.errors.words import write
from course.outcomes import Answered, Outcome
from course.values import Numbers, Unusable

_ONE_BY_ONE: Final = ("map", "zip", "filter", "generator", "range", "reversed", "enumerate", "dict_values")
_COLLECT: Final = "Begin with `out = []`, write `out.append(...)` for each item, and end with `return out`."
_GIVE_NONE: Final = IN_PLACE | {"print", "update", "shuffle"}


def explain_answer(solve: object, outcome: Outcome, shape: Sequence[int]) -> Told | None:
    """Say what is wrong with an answer of a wrong type or shape; None where there is no more to say.

    `shape`: that of the right answer.
    """
    if not isinstance(outcome, Answered):
        return None
    function = code_of(solve)
    statements = list(statements_in(function)) if function else []
    returns = [each for each in statements if isinstance(each, ast.Return) and each.value is not None]
    wrong = outcome.value
    if function is None or not returns:
        return _yields(function) if function and isinstance(wrong, Unusable) and "generator" in wrong.what else None
    if not isinstance(wrong, Unusable):
        fits = wrong.shape == tuple(shape)
        return None if fits else _several(returns, shape) or tell_unreturned(function, wrong.shape, shape)
    if wrong.kind == "none":
        return _nothing(function, returns)
    if "string" in wrong.what:
        return _text(returns)
    return _several(returns, shape) or (_wrong_type(returns, wrong.what, shape) if wrong.kind == "type" else None)


def explain_short(solve: object, outcome: Outcome, rows: int) -> Told | None:
    """Say what a `return` that ends a loop in its first round should be; None where the answer is not that short.

    `rows`: how many the right answer has.
    """
    function = code_of(solve)
    if not isinstance(outcome, Answered) or not isinstance(outcome.value, Numbers) or function is None:
        return None
    loops = [each for each in statements_in(function) if isinstance(each, (ast.For, ast.While))]
    returns = [each for each in statements_in(function) if isinstance(each, ast.Return)]
    around = [next((loop for loop in loops if each in list(statements_in(loop))), None) for each in returns]
    loop = around[-1] if returns else None
    if loop is None or len(set(around)) != 1 or returns[-1].value is None:
        return None
    last, first = returns[-1].lineno, loop.lineno
    says = (
        f"The `return` in line {last} stands inside the loop of line {first}, so it ends the work in the first round."
    )
    if not _is_begun_before(returns[-1].value, loop, function):
        return Told(
            says,
            f"Begin with an empty list before line {first}, append to it in each round, and return it below the loop.",
        )
    if rows <= 1 or outcome.value.shape[:1] != (1,):
        return None
    word = "for" if isinstance(loop, ast.For) else "while"
    return Told(
        says,
        f"Move the `return` of line {last} to the left: it must stand straight below the `{word}` of line {first}.",
    )


def _is_begun_before(value: ast.expr, loop: ast.stmt, function: ast.FunctionDef) -> bool:
    """Tell whether what is returned has its beginning before the loop, so that it grows from round to round."""
    names = {each.id for each in ast.walk(value) if isinstance(each, ast.Name)}
    before = (each for each in statements_in(function) if each.lineno < loop.lineno)
    return any(names & names_set_by(each) for each in before)


def _several(returns: Sequence[ast.Return], shape: Sequence[int]) -> Told | None:
    """`return w @ V, w`: a comma makes a tuple of what is returned."""
    value, line = returns[-1].value, returns[-1].lineno
    if not isinstance(value, ast.Tuple) or (len(shape) == 1 and len(value.elts) == shape[0]):
        return None
    if len(value.elts) == 1:
        return Told(
            f"Line {line} ends with a comma, and that makes a tuple with one thing in it.",
            f"Take the comma out: `return {ast.unparse(value.elts[0])}`.",
        )
    return Told(
        f"Line {line} returns {len(value.elts)} things (a tuple): {', '.join(map(write, value.elts))}. The answer is "
        f"{_wanted(shape)}.",
        f"Return only the one that is meant in line {line}, without a comma.",
    )


def _wrong_type(returns: Sequence[ast.Return], what: str, shape: Sequence[int]) -> Told:
    """An object that is no list of numbers, or a list that holds one."""
    value = returns[-1].value
    line = f"line {returns[-1].lineno}" if len(returns) == 1 else "your `return`"
    kind = next((each for each in _ONE_BY_ONE if each in what), "") if shape else ""
    held = what.partition(" that holds ")[2]
    if kind and held:
        return Told(
            f"The list that you return holds {held}, which is no list.",
            f"Put `list(...)` around each `{kind}(...)` that you collect." if kind != "generator" else _COLLECT,
        )
    if kind:
        inner = ast.unparse(value).removeprefix("(").removesuffix(")") if isinstance(value, ast.GeneratorExp) else ""
        put = (
            f"`return list({inner or ast.unparse(value)})`"
            if len(returns) == 1 and value is not None
            else "`list(...)` there"
        )
        return Told(
            f"{line.capitalize()} returns {what}, which gives its items one by one and is no list.", f"Write {put}."
        )
    if held == "None":
        return Told(
            "One item of what you return is None. A function without `return` gives None, and so does `append`.",
            "Find the line that puts this item there, and put the number or the row there.",
        )
    if "function" in what and value is not None and len(returns) == 1:
        return Told(
            f"{line.capitalize()} returns a function itself, {write(value)}, and not its result.",
            f"Call it with round brackets, so that {line} returns {_wanted(shape)}.",
        )
    says = "A root or a power of a number below 0 gives a complex number: `(-2) ** 0.5`." if "complex" in what else ""
    says = says or f"{line.capitalize()} returns {what}, and the answer is {_wanted(shape)}."
    return Told(says, f"Make {line} return {_wanted(shape)}.")


def _yields(function: ast.FunctionDef) -> Told | None:
    lines = [each.lineno for each in ast.walk(function) if isinstance(each, (ast.Yield, ast.YieldFrom))]
    return Told(f"The `yield` in line {lines[0]} makes a generator, which is no list.", _COLLECT) if lines else None


def _wanted(shape: Sequence[int]) -> str:
    """Say what this lesson asks for."""
    if not shape:
        return "one number"
    return "a flat list of numbers" if len(shape) == 1 else "a list of rows, each of them a list of numbers"


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
