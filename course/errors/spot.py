"""Find where in the learner's own code an error came, and what the names there held. No code of the learner's runs."""

from __future__ import annotations

import ast
import builtins
import inspect
import linecache
import operator
import sys
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import FrameType, FunctionType, MethodType, ModuleType, TracebackType
from typing import Any, Final

from course.beside import GIVEN
from course.errors.words import PLAIN, describe, write
from course.kept_cells import text_of, tree_of

_SUMS: Final[Mapping[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}


@dataclass(frozen=True)
class Told:
    """What an error means, and the one thing to do next; `action` is empty where that depends.

    `unsure`: the line where it came may be right, and what it works on may be wrong. `sure`: no other cause is looked
    for.
    """

    says: str
    action: str = ""
    unsure: bool = False
    sure: bool = False


class UnknownValueError(Exception):
    """What a piece of code held cannot be told without running it."""


@dataclass(frozen=True, eq=False)
class Spot:
    """The innermost line of the learner's own code; `inside` is true where the error came in a function it calls.

    `home` is the function around it: a comprehension has a frame of its own before Python 3.12. `caller` is the
    learner's own that calls it, in its line `called_in`; None and 0 where there is none.
    """

    frame: FrameType
    home: FrameType
    line: int
    span: tuple[int | None, ...]
    inside: bool
    caller: FrameType | None
    called_in: int

    @property
    def code(self) -> str:
        """The text of the line."""
        return self.text_of(self.line)

    @property
    def function(self) -> str:
        """The name of the learner's function; of a comprehension, that of the function around it."""
        return self.home.f_code.co_name

    @cached_property
    def tree(self) -> ast.Module:
        """The whole cell; empty where it holds more than Python."""
        return tree_of(text_of(self.frame.f_code.co_filename))

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """The pieces of code that Python was working at, the outer ones first."""
        found = [node for node in ast.walk(self.tree) if isinstance(node, (ast.expr, ast.stmt))]
        return tuple(each for each in found if span_of(each) == self.span)

    @cached_property
    def statements(self) -> tuple[ast.stmt, ...]:
        """All statements of the function, or of the cell outside of functions, in the order of the text."""
        first = self.home.f_code.co_firstlineno
        functions = (ast.FunctionDef, ast.AsyncFunctionDef)
        homes = [each for each in ast.walk(self.tree) if isinstance(each, functions) and first <= each.lineno]
        home: ast.AST = min(homes, key=lambda each: each.lineno, default=self.tree)
        return tuple(sorted(statements_in(home), key=lambda each: each.lineno))

    @cached_property
    def own_names(self) -> Mapping[str, object]:
        """The variables of the function."""
        return {**self.home.f_locals, **self.frame.f_locals}

    @cached_property
    def names(self) -> Mapping[str, Any]:
        """Everything that has a name here."""
        return ChainMap(dict(self.own_names), self.frame.f_globals, vars(builtins))

    def text_of(self, line: int) -> str:
        """Return the text of a line of this cell."""
        return linecache.getline(self.frame.f_code.co_filename, line).strip()

    def find(self, *kinds: type[ast.AST]) -> Any:  # noqa: ANN401  # a node of one of these kinds
        """Return the piece of code of this kind that Python was working at; None if there is none."""
        return next((each for each in self.nodes if isinstance(each, kinds)), None)

    def value(self, node: ast.AST | None) -> Any:  # noqa: ANN401  # whatever the learner's code holds
        """Return what a plain piece of code stands for.

        Raises:
            UnknownValueError: it calls something, or it is no plain value.
        """
        try:
            return self._value(node)
        except (LookupError, ArithmeticError, TypeError, ValueError, AttributeError) as error:
            raise UnknownValueError from error

    def _value(self, node: ast.AST | None) -> Any:  # noqa: ANN401, PLR0911  # as `value`; one return for each kind
        match node:
            case ast.Constant():
                return node.value
            case ast.Name():
                return self.names[node.id]
            case ast.Subscript():
                base = self._value(node.value)
                if type(base) in PLAIN:
                    return base[self._value(node.slice)]
            case ast.UnaryOp(op=ast.USub()):
                return -_number(self._value(node.operand))
            case ast.BinOp() if type(node.op) in _SUMS:
                return _SUMS[type(node.op)](_number(self._value(node.left)), _number(self._value(node.right)))
            case ast.Call(func=ast.Name(id="len"), args=[one]) if type(self._value(one)) in PLAIN:
                return len(self._value(one))
            case ast.Attribute() if isinstance(self._value(node.value), ModuleType):
                return vars(self._value(node.value))[node.attr]
            case ast.List() | ast.Tuple():
                return [self._value(each) for each in node.elts]
        raise UnknownValueError

    def say(self, node: ast.AST | None) -> str:
        """Write a piece of code with what it held: "`n`, the number 3"; empty where that cannot be told."""
        try:
            held = describe(self.value(node))
        except UnknownValueError:
            return ""
        return held if isinstance(node, ast.Constant) else f"{write(node)}, {held}"

    def line_that_sets(self, name: str) -> int:
        """Return the last line before this one that gives the name its value; 0 if there is none in this cell."""
        everywhere = self.statements if name in self.own_names else tuple(statements_in(self.tree))
        lines = [each.lineno for each in everywhere if name in names_set_by(each)]
        before = [line for line in lines if line < self.line]
        return max(before) if before else min(lines, default=0)

    def other_line_that_sets(self, node: ast.AST | None) -> int:
        """Return that line for a piece of code that is a name; 0 where it is none, and where it is this very line."""
        line = self.line_that_sets(node.id) if isinstance(node, ast.Name) else 0
        return line if line != self.line else 0

    def is_written_here(self, value: object) -> bool:
        """Tell whether this is a function whose `def` line stands in this notebook, and not in an earlier lesson."""
        return isinstance(value, FunctionType) and value.__globals__ is self.frame.f_globals


def find_spot(error: BaseException, solve: object) -> Spot | None:
    """Return the innermost place of an error in the learner's own code; None if it has none, or one of no line.

    Their own code shares its names with `solve`, or stands in a file of theirs beside the notebook.
    """
    own = names_around(solve)
    entries = list(_entries(error.__traceback__))
    places = [at for at, entry in enumerate(entries) if _is_own(entry.tb_frame, own)]
    if not places or not entries[places[-1]].tb_lineno:
        return None
    entry = entries[places[-1]]
    positions = list(entry.tb_frame.f_code.co_positions())
    line, end_line, column, end = positions[entry.tb_lasti // 2]
    homes = [at for at in places if not entries[at].tb_frame.f_code.co_name.startswith("<")] or places
    callers = [at for at in places if at < homes[-1]]
    return Spot(
        entry.tb_frame,
        entries[homes[-1]].tb_frame,
        entry.tb_lineno,
        (line, end_line, column, end),
        inside=places[-1] + 1 < len(entries),
        caller=entries[callers[-1]].tb_frame if callers else None,
        called_in=entries[callers[-1]].tb_lineno or 0 if callers else 0,
    )


def place_of(error: BaseException, solve: object) -> tuple[int, str]:
    """Return the number and the text of that line; 0 and nothing where there is none."""
    spot = find_spot(error, solve)
    return (spot.line, spot.code) if spot else (0, "")


def function_of(solve: object) -> FunctionType | None:
    """Return the function as the learner wrote it, inside a decorator or a `partial`; None if there is none."""
    try:
        inner = inspect.unwrap(getattr(solve, "func", solve))  # type: ignore[arg-type]  # what is no function raises
    except Exception:  # noqa: BLE001  # an object of the learner's own may refuse to be asked
        return None
    inner = getattr(inner, "__func__", inner) if isinstance(inner, MethodType) else inner
    return inner if isinstance(inner, FunctionType) else None


def names_around(solve: object) -> dict[str, Any]:
    """Return the names of the notebook that `solve` was written in."""
    function = function_of(solve)
    return function.__globals__ if function else vars(sys.modules["__main__"])


def _entries(entry: TracebackType | None) -> Iterator[TracebackType]:
    while entry is not None:
        yield entry
        entry = entry.tb_next


def _is_own(frame: FrameType, own: object) -> bool:
    if frame.f_globals is own:
        return True
    file = frame.f_globals.get("__file__")
    return isinstance(file, str) and Path(file).parent == Path.cwd() and Path(file).stem != GIVEN


def _number(value: object) -> Any:  # noqa: ANN401  # int or float
    if type(value) in {int, float}:
        return value
    raise UnknownValueError


def span_of(node: ast.expr | ast.stmt) -> tuple[int | None, ...]:
    """Return the first and last line, then the first and last column."""
    return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset


def statements_in(home: ast.AST) -> Iterator[ast.stmt]:
    """Yield the statements of a function or a cell, without those of the functions inside it."""
    for each in ast.iter_child_nodes(home):
        if isinstance(each, ast.stmt):
            yield each
        if not isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            yield from statements_in(each)


def names_set_by(statement: ast.stmt) -> set[str]:
    """Return the names that a statement gives a value."""
    parts: list[ast.AST] = [statement]
    if isinstance(statement, (ast.For, ast.AsyncFor)):
        parts = [statement.target]
    elif isinstance(statement, (ast.While, ast.If, ast.FunctionDef, ast.With, ast.Try)):
        parts = []
    return {name for part in parts for name in names_stored(part)}


def names_stored(node: ast.AST) -> list[str]:
    """Return the names that get a value somewhere in a piece of code."""
    names = [each for each in ast.walk(node) if isinstance(each, ast.Name)]
    return [each.id for each in names if isinstance(each.ctx, ast.Store)]
