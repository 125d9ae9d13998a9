"""Find the loop in which a number or a list starts again in each round, or never does, or in which nothing is kept.

Only the text of the learner's function is read. What is said of it is so in any case, whatever was meant.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from course.errors.same_list import say_same_list
from course.kept_cells import text_of, tree_of
from course.xray import Place

_LOOPS: Final = (ast.For, ast.While)
_ADDS: Final = {"append", "extend"}


def say_lost_rounds(places: Iterable[Place]) -> str:
    """Name the line and the loop, in a sentence; "" where there is none. `places`: lines of the functions that ran."""
    return next((said for function in _ran(places) for said in _lost_rounds(function)), "")


def say_cause(places: Iterable[Place]) -> str:
    """Say which line keeps nothing, is never set back, or makes rows that are one and the same list; "" for none."""
    looks = (say_same_list, _renamed, _never_reset)
    return next((said for function in _ran(places) for look in looks if (said := look(function))), "")


def _renamed(function: ast.FunctionDef) -> str:
    """Find a loop over a list that only gives its own variable new values."""
    for loop in _loops(function):
        over = _list_of(loop)
        names = {each.id for each in ast.walk(loop.target) if isinstance(each, ast.Name)}
        for line in loop.body if over else ():
            for name in names.intersection(_set_by(line)):
                if _reads(name, loop) == _reads(name, line) > 0:
                    says = f"Line {line.lineno} only gives `{name}` a new value: `{over}` keeps its old ones."
                    return f"{says} Put each new value into a new list with `append`."
    return ""


def _list_of(loop: ast.For) -> str:
    """Return the name of what a loop goes through, with or without `enumerate`; "" where it has none."""
    over = loop.iter
    if isinstance(over, ast.Call) and ast.unparse(over.func) == "enumerate" and over.args:
        over = over.args[0]
    return over.id if isinstance(over, ast.Name) else ""


def _never_reset(function: ast.FunctionDef) -> str:
    """Find a sum that starts before a loop, and is read after each of its rounds."""
    assigned = [each for each in ast.walk(function) if isinstance(each, ast.Assign)]
    for loop in _loops(function):
        for at, inner in enumerate(loop.body):
            for name in _sums_in(inner) if isinstance(inner, ast.For) else ():
                starts = [each for each in assigned if name in _set_by(each) and not _adds_to(name, each)]
                once = len(starts) == 1 and isinstance(starts[0].value, ast.Constant)
                read = any(_reads(name, line) > _adds_to(name, line) for line in loop.body[at + 1 :])
                if read and once and starts[0] not in ast.walk(loop):
                    return (
                        f"Line {starts[0].lineno} sets `{name}` only once, so each round of the loop of line "
                        f"{loop.lineno} goes on with the sum of the round before. Set it inside this loop."
                    )
    return ""


def _sums_in(loop: ast.For) -> list[str]:
    """Return the names that a loop only adds values to."""
    lines = [each for each in ast.walk(loop) if isinstance(each, ast.stmt)]
    names = sorted({name for line in lines for name in _sums(line)})
    return [name for name in names if sum(_adds_to(name, line) for line in lines) == _reads(name, loop)]


def _sums(line: ast.stmt) -> list[str]:
    """Return the name that a line adds a value to; a counter adds a plain number."""
    if isinstance(line, ast.AugAssign) and isinstance(line.target, ast.Name) and isinstance(line.op, ast.Add):
        return [] if isinstance(line.value, ast.Constant) else [line.target.id]
    if isinstance(line, ast.Assign) and _is_sum(line.value):
        names = [each for each in _set_by(line) if _reads(each, line)]
        return [] if any(isinstance(each, ast.Constant) for each in ast.iter_child_nodes(line.value)) else names
    return []


def _loops(function: ast.FunctionDef) -> Iterator[ast.For]:
    return (each for each in ast.walk(function) if isinstance(each, ast.For))


def is_list_added_to(name: str, places: Iterable[Place]) -> bool:
    """Tell whether a line of the functions that ran adds to this name: a list that only gets new values never grows."""
    lines = (each for function in _ran(places) for each in ast.walk(function) if isinstance(each, ast.stmt))
    return any(_adds_to(name, each) for each in lines if not isinstance(each, ast.Assign) or _is_sum(each.value))


def _is_sum(value: ast.expr) -> bool:
    return isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add)


def _ran(places: Iterable[Place]) -> Iterator[ast.FunctionDef]:
    for file, name in dict.fromkeys((each.file, each.function) for each in places):
        functions = (each for each in ast.walk(tree_of(text_of(file))) if isinstance(each, ast.FunctionDef))
        yield from (each for each in functions if each.name == name)


def _lost_rounds(function: ast.FunctionDef) -> Iterator[str]:
    for block in _blocks(function):
        for at, loop in enumerate(block):
            if not isinstance(loop, _LOOPS) or any(isinstance(each, ast.Break) for each in ast.walk(loop)):
                continue
            begun = {name for each in block[:at] if _is_start(each) for name in _set_by(each)}
            for place, line in enumerate(loop.body):
                for name in _set_by(line):
                    reads = _reads(name, loop) - sum(_adds_to(name, each) for each in loop.body)
                    if reads or _reads(name, function) <= _reads(name, loop):
                        continue
                    if _is_start(line) and any(_adds_to(name, each) for each in loop.body[place:]):
                        yield _say(line.lineno, f"starts `{name}` again", loop.lineno)
                    elif not _is_start(line) and name in begun and not _adds_to(name, line):
                        yield _say(line.lineno, f"gives `{name}` a new value", loop.lineno)


def _say(line: int, does: str, loop: int) -> str:
    return f"Line {line} {does} in each round of the loop of line {loop}, so only its last round counts."


def _blocks(function: ast.FunctionDef) -> Iterator[Sequence[ast.stmt]]:
    for each in ast.walk(function):
        for field in ("body", "orelse"):
            block = getattr(each, field, None)
            if isinstance(block, list):
                yield block


def _is_start(line: ast.stmt) -> bool:
    """Tell whether a line gives a name a plain number or an empty list."""
    if not isinstance(line, ast.Assign):
        return False
    return isinstance(line.value, ast.Constant) or (isinstance(line.value, ast.List) and not line.value.elts)


def _set_by(line: ast.stmt) -> list[str]:
    targets = line.targets if isinstance(line, ast.Assign) else []
    return [each.id for each in targets if isinstance(each, ast.Name)]


def _adds_to(name: str, line: ast.stmt) -> int:
    """Count how often a line reads a name only to add to it: `s += x`, `s = s + x`, `s.append(x)`."""
    if isinstance(line, ast.AugAssign):
        return int(isinstance(line.target, ast.Name) and line.target.id == name)
    if isinstance(line, ast.Assign):
        return _reads(name, line) if name in _set_by(line) else 0
    call = line.value if isinstance(line, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in _ADDS:
        return int(isinstance(call.func.value, ast.Name) and call.func.value.id == name)
    return 0


def _reads(name: str, inside: ast.AST) -> int:
    """Count how often a name is read; `s += x` counts as one."""
    names = [each for each in ast.walk(inside) if isinstance(each, ast.Name) and each.id == name]
    added = [each for each in ast.walk(inside) if isinstance(each, ast.AugAssign) and each.target in names]
    return sum(isinstance(each.ctx, ast.Load) for each in names) + len(added)
