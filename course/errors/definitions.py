"""Say in plain words that the `def solve` line is another one than the lesson's, and where it stands."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from course.errors.spot import Told, find_spot, function_of
from course.errors.texts import cells_run, code_of
from course.kept_cells import inputs_of, text_of, tree_of
from course.older import is_edited

_LONGEST: Final = 60
_SOLVE: Final = "solve"


def tell_order(solve: object, inputs: Sequence[str]) -> Told | None:
    """Say that the inputs have the lesson's names in another order; None where they have not."""
    takes, line = _takes(solve), _line_of(solve)
    names = [[each.lower() for each in some] for some in (takes, inputs)]
    if not line or names[0] == names[1] or sorted(names[0]) != sorted(names[1]):
        return None
    return Told(
        f"Line {line} takes the inputs in another order, `{_SOLVE}({', '.join(takes)})`. They are given in the order "
        f"of the lesson: {', '.join(inputs)}.",
        f"Write `def {_SOLVE}({', '.join(inputs)}):` in line {line}.",
    )


def tell_definition(error: BaseException | None, solve: object, inputs: Sequence[str]) -> Told | None:
    """Say which `def` line made a `solve` that cannot be called with these inputs; None for any other error."""
    line = _line_of(solve)
    if not isinstance(error, TypeError) or not line or find_spot(error, solve) is not None:
        return None
    text = _text_of(solve)
    code = text.splitlines()[line - 1].strip()
    shown = f"`{code[:_LONGEST]}`" if "`" not in code else "another `def solve`"
    right = f"`def {_SOLVE}({', '.join(inputs)})`"
    same_cell = [each.lineno for each in _definitions(text) if _inputs_of(each) == tuple(inputs)]
    if same_cell:
        return Told(
            f"Your cell defines `{_SOLVE}` twice. The lower one counts: line {line}, {shown}.",
            f"Delete the `{_SOLVE}` of line {line}, or give it another name.",
        )
    earlier = [each for each in cells_run() if not is_edited(text, each)]
    others = (each for before in earlier for each in _definitions(before))
    if any(_inputs_of(each) == tuple(inputs) for each in others):
        return Told(
            f"The `{_SOLVE}` that was called is not the one of your cell {right}: another cell was run after it, and "
            f"its line {line} is {shown}.",
            f"Delete that line's function, or give it another name. Then run the cell with {right} again.",
        )
    return Told(f"The `{_SOLVE}` that was called begins in line {line}: {shown}.", f"Write {right[:-1]}:` there.")


def _takes(solve: object) -> tuple[str, ...]:
    function = function_of(solve)
    return inputs_of(function.__code__) if function else ()


def _text_of(solve: object) -> str:
    """Return the cell of a function; empty where it cannot be had."""
    function = function_of(solve)
    return text_of(function.__code__.co_filename) if function else ""


def _line_of(solve: object) -> int:
    """Return the line of the `def` in its cell; 0 where it cannot be found."""
    code = code_of(solve)
    return code.lineno if code else 0


def _definitions(text: str) -> Iterator[ast.FunctionDef]:
    yield from (each for each in ast.walk(tree_of(text)) if isinstance(each, ast.FunctionDef) and each.name == _SOLVE)


def _inputs_of(function: ast.FunctionDef) -> tuple[str, ...]:
    return tuple(each.arg for each in (*function.args.posonlyargs, *function.args.args))
