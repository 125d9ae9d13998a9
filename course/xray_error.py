"""Tell of an error that ended a watched call where it stands: with which inputs, and how far its line had come."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dis import Instruction, get_instructions
from enum import Enum, auto
from itertools import pairwise
from types import FrameType

from course.errors.spot import Spot, find_spot
from course.values import Numbers, read_value

_SPELLED = (NameError, AttributeError)


class Reached(Enum):
    """How far the last line of a function had come."""

    UNKNOWN = auto()
    LATER = auto()
    END = auto()


def how_far(error: BaseException, solve: object) -> Reached:
    """Tell how much of its last line of work an error let run: a part of it, or all but a last name that is wrong.

    An error of the numbers themselves is not meant: it says which step it is in.
    """
    spot = find_spot(error, solve)
    if spot is None or spot.function != "solve" or not spot.nodes or _is_of_numbers(error, spot):
        return Reached.UNKNOWN
    way = next((found for each in spot.statements if _is_last_work(each, spot) and (found := _way(each, spot))), [])
    done = [*_done_on(way), *(each for end in way[-1:] for each in ast.iter_child_nodes(end))]
    if not any(isinstance(part, (ast.BinOp, ast.Call)) for each in done for part in ast.walk(each)):
        return Reached.UNKNOWN
    return Reached.END if isinstance(error, _SPELLED) and _is_end(way) else Reached.LATER


def _is_of_numbers(error: BaseException, spot: Spot) -> bool:
    call = spot.find(ast.Call)
    return isinstance(error, ArithmeticError) or (call is not None and ast.unparse(call.func).startswith("math."))


def _is_last_work(statement: ast.stmt, spot: Spot) -> bool:
    """Tell whether nothing comes after this line, or only `return` and a name."""
    after = [each for each in spot.statements if each.lineno > (statement.end_lineno or 0)]
    plain = all(isinstance(each, ast.Return) and isinstance(each.value, ast.Name) for each in after)
    return plain and isinstance(statement, (ast.Return, ast.Expr, ast.Assign))


def uses_input(entries: Sequence[tuple[FrameType, int]], inputs: Sequence[Numbers]) -> bool:
    """Tell whether the last line of these uses a variable that holds an input, or a row of one."""
    own = next((at for at in reversed(range(len(entries))) if not entries[at][0].f_code.co_name.startswith("<")), 0)
    rows = {row for each in inputs for row in (each.flat, *_rows(each))}
    for frame, line in entries[own:]:
        loads = [each.argval for each in get_instructions(frame.f_code) if _is_load(each, line)]
        names = {name for each in loads for name in (each if isinstance(each, tuple) else (each,))}
        held = map(read_value, (value for name, value in frame.f_locals.items() if name in names))
        if any(isinstance(each, Numbers) and each.shape and each.flat in rows for each in held):
            return True
    return False


def _is_load(each: Instruction, line: int) -> bool:
    return each.opname.startswith("LOAD_") and each.positions is not None and each.positions.lineno == line


def _rows(numbers: Numbers) -> Iterator[tuple[float, ...]]:
    width = numbers.shape[-1] if numbers.shape else 0
    return (numbers.flat[at : at + width] for at in range(0, len(numbers.flat), width)) if width else iter(())


def _way(root: ast.AST, spot: Spot) -> list[ast.AST]:
    """Return the pieces of code from a statement down to the one that failed; none where it is not in there."""
    if root is spot.nodes[-1]:
        return [root]
    ways = (_way(each, spot) for each in ast.iter_child_nodes(root))
    return next(([root, *way] for way in ways if way), [])


def _done_on(way: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """Yield what Python had worked out before it came to the end of the way."""
    for parent, child in pairwise(way):
        if isinstance(parent, ast.BinOp) and child is parent.right:
            yield parent.left
        if isinstance(parent, ast.Call) and child in parent.args:
            yield from parent.args[: [each is child for each in parent.args].index(True)]


def _is_end(way: Sequence[ast.AST]) -> bool:
    """Tell whether at most one sign or call was left: the way is the statement, that one, and the piece itself."""
    statement, *inner = way
    if len(inner) <= 1:
        return isinstance(statement, ast.Return)
    parent, failed, *deeper = inner
    right = isinstance(parent, ast.BinOp) and failed is parent.right
    given = isinstance(parent, ast.Call) and failed in (parent.func, *parent.args[-1:])
    return isinstance(statement, ast.Return) and not deeper and (right or given)
