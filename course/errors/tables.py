"""Tell an index that runs too far from one that counts another list, or that changed places with its neighbour."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from course.errors.spot import Spot, UnknownValueError, names_stored
from course.errors.words import count
from course.kept_cells import inputs_of


def gone_through(spot: Spot, name: str) -> ast.expr | None:
    """Return what the loop nearest to this line goes through with this name; None where there is no such loop."""
    loops = [each for each in ast.walk(spot.tree) if isinstance(each, (ast.For, ast.comprehension))]
    over = [each.iter for each in loops if _index_of(each) == name]
    first = spot.home.f_code.co_firstlineno
    near = [each for each in over if each.lineno >= first]
    return min(near, key=lambda each: abs(each.lineno - spot.line), default=None)


def counts_another(spot: Spot, index: ast.expr) -> bool:
    """Tell whether an index is a name that counts the items of another list: then either of the two may be wrong."""
    over = gone_through(spot, index.id) if isinstance(index, ast.Name) else None
    if not isinstance(over, ast.Call) or len(over.args) != 1:
        return False
    counted = over.args[0]
    return ast.unparse(over.func) == "enumerate" or isinstance(counted, (ast.Name, ast.Call))


def tell_swapped(spot: Spot, node: ast.Subscript) -> str:
    """Say to swap the two indices of a table where only that fits all the places that they go through."""
    inner = node.value
    if not isinstance(inner, ast.Subscript) or not isinstance(node.slice, ast.Name):
        return ""
    try:
        table = spot.value(inner.value)
        rows, width = len(table), min(map(len, table))
    except (UnknownValueError, TypeError, ValueError):
        return ""
    reach = [_reach(spot, each) for each in (inner.slice, node.slice)]
    if reach != [width, rows] or rows == width:
        return ""
    name, row, column = (ast.unparse(each) for each in (inner.value, node.slice, inner.slice))
    size = f"`{name}` has {count(rows, 'row')} with {count(width, 'number')} each"
    return f"Write `{name}[{row}][{column}]` in line {spot.line}: the row comes first, and {size}."


def tell_too_small(spot: Spot, node: ast.Subscript, size: int, index: int) -> str:
    """Say to make a table of the learner's own larger, where the index is an item of an input; else nothing.

    What the inputs hold cannot be wrong, so the table is.
    """
    table = node.value.value if isinstance(node.value, ast.Subscript) else node.value
    inputs = _inputs(spot)
    if not isinstance(table, ast.Name) or table.id in inputs or not _is_item_of(spot, node.slice, inputs):
        return ""
    line = _line_that_makes(spot, table.id)
    if not line:
        return ""
    sizes = [name for name, value in inputs.items() if type(value) is int and value > max(index, size)]
    needs = f"`{sizes[0]}`" if len(sizes) == 1 else "more"
    if table is node.value:
        return f"`{table.id}` needs {needs} rows; it is made in line {line}."
    return f"Each row of `{table.id}` needs {needs} numbers; it is made in line {line}."


def _inputs(spot: Spot) -> dict[str, object]:
    """Return the inputs of the function that still hold what they were given."""
    given = inputs_of(spot.home.f_code)
    changed = {name for each in spot.statements for name in names_stored(each)}
    return {name: spot.home.f_locals[name] for name in given if name in spot.home.f_locals and name not in changed}


def _is_item_of(spot: Spot, index: ast.expr, inputs: Collection[str]) -> bool:
    """Tell whether an index is an item of an input, or a name that only ever holds such items."""
    if isinstance(index, ast.Subscript):
        return isinstance(index.value, ast.Name) and index.value.id in inputs
    if not isinstance(index, ast.Name):
        return False
    values = [value for each in spot.statements for name, value in _set_by(each) if name == index.id]
    return bool(values) and all(isinstance(each, ast.Subscript) and _is_item_of(spot, each, inputs) for each in values)


def _set_by(statement: ast.stmt) -> Iterator[tuple[str, ast.expr | None]]:
    """Yield each name that a statement sets with what it gets; None where that is not written there."""
    if isinstance(statement, ast.Assign):
        for target in statement.targets:
            both = isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple)
            if both and len(target.elts) == len(statement.value.elts):  # type: ignore[attr-defined]  # two tuples
                pairs = zip(target.elts, statement.value.elts, strict=True)  # type: ignore[attr-defined]  # the same
            else:
                pairs = zip([target], [statement.value], strict=True)
            for one, value in pairs:
                yield from ((name, value if isinstance(one, ast.Name) else None) for name in names_stored(one))
    elif isinstance(statement, (ast.For, ast.AugAssign)):
        yield from ((name, None) for name in names_stored(statement.target))


def _line_that_makes(spot: Spot, name: str) -> int:
    """Return the line of the one statement that makes a list, or of the loop that fills it; 0 where it is not plain."""
    made = [each for each in spot.statements if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == name]
    if len(made) != 1 or not isinstance(made[0].value, (ast.List, ast.ListComp, ast.BinOp)):
        return 0
    filled = [each for each in spot.statements if isinstance(each, ast.For) and f"{name}.append(" in ast.unparse(each)]
    return min([each.lineno for each in filled if each.lineno < spot.line], default=made[0].lineno)


def _reach(spot: Spot, index: ast.expr) -> int:
    """Return how many numbers a name counts, in its `range` or `enumerate`; 0 where that is not known."""
    over = gone_through(spot, index.id) if isinstance(index, ast.Name) else None
    if not isinstance(over, ast.Call) or len(over.args) != 1:
        return 0
    try:
        counted = spot.value(over.args[0])
        return counted if type(counted) is int else len(counted)
    except (UnknownValueError, TypeError):
        return 0


def _index_of(loop: ast.For | ast.comprehension) -> str:
    """Return the name that counts in a loop: `i` in `for i in range(n)` and in `for i, row in enumerate(rows)`."""
    target = loop.target
    if isinstance(target, ast.Tuple) and ast.unparse(loop.iter).startswith("enumerate("):
        target = target.elts[0]
    return target.id if isinstance(target, ast.Name) else ""
