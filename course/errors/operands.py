"""Say in plain words what happened where two values do not go together, or where one of them is None."""

from __future__ import annotations

import ast
import re
from typing import Final

from course.errors.spot import Spot, Told
from course.errors.words import write
from course.kept_cells import text_of, tree_of

WORDS: Final = {"NoneType": "None", "str": "a text", "int": "a number", "float": "a number", "list": "a list"}
_KINDS: Final = re.compile(r"'([\w.]+)'(?: and |, not )'([\w.]+)'")
IN_PLACE: Final = {"append", "extend", "insert", "sort", "reverse", "remove"}


def tell_operands(spot: Spot, message: str) -> Told | None:  # noqa: PLR0911  # one for each thing that may be wrong
    """Say what stands left and right of a sign that cannot join the two."""
    node = spot.find(ast.BinOp, ast.AugAssign, ast.Compare)
    if node is None:
        return _items_added(spot, message)
    left, right = _sides(node)
    said = [spot.say(each) or _by_message(each, message, at) for at, each in enumerate((left, right))]
    both = f"Left of `{_sign(node)}` stands {said[0]}; right of it, {said[1]}."
    kinds = " ".join(said)
    if "^" in _sign(node):
        return Told(
            f"{both} In Python `^` is not a power: the square of x is `x ** 2` or `x * x`.",
            f"Write `**` instead of `^` in line {spot.line}{_as_power(spot, node)}",
        )
    if "None" in kinds:
        return tell_none(spot, left if "None" in said[0] else right, both)
    if "the text" in kinds or "a text" in kinds:
        return Told(
            f"{both} A text and a number do not mix.",
            f"Use `int(...)` or `float(...)` to make a number of the text in line {spot.line}, or `str(...)`.",
        )
    if "list" in kinds and "array" not in kinds and _sign(node) == "@":
        return Told(
            f"{both} `@` is for numpy arrays.",
            f"Make arrays of both before line {spot.line}, such as `np.array({ast.unparse(left)})`.",
        )
    if "list" in kinds and "array" not in kinds:
        return Told(
            f"{both} `{_sign(node)}` works on numbers here, not on a whole list.",
            f"Go through the list in line {spot.line} with a `for`, and do it for each number.",
            unsure=True,
        )
    return Told(both, f"Check both values in line {spot.line}: is each of them what you expect?")


def _as_power(spot: Spot, node: ast.BinOp | ast.AugAssign | ast.Compare) -> str:
    """Write what `a ^ b` is with `**`. That sign takes less than `^` does: what is meant beside others is not known."""
    if isinstance(node, ast.AugAssign):
        return f": `{ast.unparse(ast.AugAssign(node.target, ast.Pow(), node.value))}`."
    written = ast.get_source_segment(text_of(spot.frame.f_code.co_filename), node) or ""
    changed = tree_of(f"({written.replace('^', '**')})")
    powers = [each for each in ast.walk(changed) if isinstance(each, ast.BinOp) and isinstance(each.op, ast.Pow)]
    if len(powers) != 1:
        return ", and put brackets around what belongs together."
    alone = [ast.dump(each) for each in _sides(node)] == [ast.dump(each) for each in _sides(powers[0])]
    power = f"`{ast.unparse(powers[0])}`"
    longer = "" if alone else " It takes only what stands right beside it: put brackets around what is longer."
    return f": {power}.{longer}"


def _items_added(spot: Spot, message: str) -> Told | None:
    """`sum` of rows: the additions are made inside a function of Python's."""
    call = spot.find(ast.Call)
    if call is not None and isinstance(call.func, ast.Name) and call.func.id in {"sum", "max", "min", "sorted"}:
        what = "rows" if "list" in message else "values that are not all numbers"
        return Told(
            f"`{call.func.id}` works on numbers, and it met {what}.",
            f"Give `{call.func.id}` a list of plain numbers in line {spot.line}, one row at a time.",
            unsure=True,
        )
    return None


def _sides(node: ast.BinOp | ast.AugAssign | ast.Compare) -> tuple[ast.expr, ast.expr]:
    if isinstance(node, ast.AugAssign):
        return node.target, node.value
    return (node.left, node.right) if isinstance(node, ast.BinOp) else (node.left, node.comparators[0])


def _sign(node: ast.BinOp | ast.AugAssign | ast.Compare) -> str:
    signs = {"Add": "+", "Sub": "-", "Mult": "*", "Div": "/", "FloorDiv": "//", "Pow": "**", "Mod": "%", "MatMult": "@"}
    signs |= {"BitXor": "^", "BitAnd": "&", "BitOr": "|", "LShift": "<<", "RShift": ">>"}
    signs |= {"Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=", "In": "in", "NotIn": "not in"}
    op = node.ops[0] if isinstance(node, ast.Compare) else node.op
    return signs.get(type(op).__name__, "=") + ("=" if isinstance(node, ast.AugAssign) else "")


def _by_message(node: ast.AST, message: str, at: int) -> str:
    found = _KINDS.search(message)
    kind = found.group(at + 1) if found else ""
    return f"{write(node)}, {WORDS.get(kind, f'an object of type `{kind}`')}" if kind else write(node)


def tell_none(spot: Spot, node: ast.AST, says: str = "") -> Told:
    """None usually comes from a function without `return`, or from a method that changes a list."""
    name = node.id if isinstance(node, ast.Name) else ""
    line = spot.line_that_sets(name) if name else 0
    says = says or f"{write(node)} is None here."
    for each in _setters(spot, name):
        call = each.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in IN_PLACE:
            return Told(
                f"{says} `{call.func.attr}` changes the list itself and gives None.",
                f"Write `{ast.unparse(call.func)}(...)` alone in line {each.lineno}, without `{name} =`.",
            )
    function = _function_of(spot, node) or next((_function_of(spot, each.value) for each in _setters(spot, name)), "")
    if function:
        return Told(f"{says} It is what `{function}` gives back.", f"End `{function}` with `return` and its result.")
    cause = "A function without `return` gives None, and so does `append`, `sort` or `print`."
    where = f"Look at line {line}, where `{name}` gets its value." if line else f"Find out in line {spot.line} why."
    return Told(f"{says} {cause}", where)


def _setters(spot: Spot, name: str) -> list[ast.Assign]:
    """Return the statements `name = ...` of the function."""
    assigned = [each for each in spot.statements if isinstance(each, ast.Assign)]
    return [each for each in assigned if name and ast.unparse(each.targets[0]) == name]


def _function_of(spot: Spot, node: ast.AST) -> str:
    """Return the name of the learner's function that is called here; empty where there is none."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return ""
    return node.func.id if spot.is_written_here(spot.names.get(node.func.id)) else ""
