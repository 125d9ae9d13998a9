"""Say what the names stand for that a function uses, so that two sessions can be compared. Nothing is called."""

from __future__ import annotations

import ast
import builtins
import dis
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Final

from course.running.cells import parse_cell
from course.values import Numbers, read_value

_PLAIN: Final = (int, float, str, bool, type(None))
_GLOBAL: Final = ("LOAD_GLOBAL", "LOAD_NAME")
_OF_THE_NOTEBOOK: Final = ("__main__", "notebook")
_OWN_SCOPE: Final = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_BLOCKS: Final = (ast.stmt, ast.ExceptHandler, ast.match_case)
_LOOKS_DEFINED: Final = re.compile(r"^(?:async[ \t]+)?def[ \t]+(\w{1,40})", re.MULTILINE)
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_MOST_NAMES: Final = 200
_MOST_WRAPPERS: Final = 10
_LONGEST_SHOWN: Final = 40
UNREADABLE: Final = (SyntaxError, ValueError, RecursionError, MemoryError)

TextOf = Callable[[str], str]  # the text of a cell, by the file name of its code


@dataclass(frozen=True)
class Meaning:
    """What a name stands for. `stamp` is equal for equal things; "" if it cannot be told.

    `shown`: a short value as text. `code`: the stamp of a function's code alone; "" for all that is no function.
    """

    stamp: str = ""
    shown: str = ""
    code: str = ""

    def differs_from(self, other: Meaning) -> bool:
        """Tell whether both are known and not the same."""
        return bool(self.stamp) and bool(other.stamp) and self.stamp != other.stamp


def names_used(start: str, names: Mapping[str, object]) -> list[str]:
    """Return `start` and the names that it uses, and those that they use in turn; not those of Python itself."""
    found = [start]
    for name in found:
        function = unwrap(names.get(name))
        if isinstance(function, FunctionType) and function.__globals__ is names and len(found) < _MOST_NAMES:
            used = dict.fromkeys(_globals_of(function.__code__))
            found += [each for each in used if each not in found and (each in names or not hasattr(builtins, each))]
    return found


def look_up(wanted: Iterable[str], names: Mapping[str, object], text_of: TextOf) -> dict[str, Meaning]:
    """Say what each of the names stands for; one that stands for nothing is left out."""
    look = _Look(names, text_of)
    return {name: look.meaning(names[name]) for name in wanted if name in names}


def unwrap(value: object) -> object:
    """Return the function that a decorator has wrapped."""
    for _ in range(_MOST_WRAPPERS):
        inner = vars(value).get("__wrapped__") if hasattr(value, "__dict__") else None
        if inner is None:
            break
        value = inner
    return value


def names_defined(source: str) -> set[str]:
    """Return the names that a cell's text gives a meaning, at its own level; the cell is not run."""
    try:
        tree = parse_cell(source)
    except UNREADABLE:
        return set()
    return set() if tree is None else set(_bound_in(tree))


def ways_bound(source: str, name: str) -> set[str]:
    """Return the stamps of the statements that give `name` a meaning, at the cell's own level; the cell is not run."""
    try:
        tree = parse_cell(source)
    except UNREADABLE:
        return set()
    alone = [(node, ast.Module([node], [])) for node in ([] if tree is None else tree.body)]
    return {_stamp(ast.dump(node)) for node, module in alone if name in _bound_in(module)}


def functions_defined(source: str) -> dict[str, tuple[str, ...]]:
    """Return the functions that a cell's text defines outside any other, with their parameters; the cell is not run."""
    try:
        tree = parse_cell(source)
    except UNREADABLE:
        return {}
    own = [node for node in _statements(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {node.name: tuple(each.arg for each in (*node.args.posonlyargs, *node.args.args)) for node in own}


def names_meant(source: str) -> set[str]:
    """Return the names that a cell's text seems to define as functions: by its look alone, so where it has faults."""
    return set(_LOOKS_DEFINED.findall(source))


def codes_defined(source: str, name: str) -> set[str]:
    """Return the stamps of the code of all functions that a cell's text defines as `name`; the cell is not run."""
    defined = (node for node in _functions_in(source) if not isinstance(node, ast.Lambda) and node.name == name)
    return {_stamp(ast.dump(node)) for node in defined}


def _globals_of(code: CodeType) -> Iterator[str]:
    for instruction in dis.get_instructions(code):
        if instruction.opname in _GLOBAL:
            yield str(instruction.argval)
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _globals_of(each)


def _statements(tree: ast.Module | None) -> Iterator[ast.AST]:
    """Give the statements at the level of the cell, and those inside its `if`, `try`, `with` and loops."""
    waiting: list[ast.AST] = [] if tree is None else list(reversed(tree.body))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _DEFINITIONS):
            waiting += [each for each in ast.iter_child_nodes(node) if isinstance(each, _BLOCKS)]


def _bound_in(tree: ast.Module) -> Iterator[str]:
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, _DEFINITIONS):
            yield node.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (each.asname or each.name.partition(".")[0] for each in node.names)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif not isinstance(node, _OWN_SCOPE):
            waiting += ast.iter_child_nodes(node)


class _Look:
    """Look at what names stand for in one session."""

    def __init__(self, names: Mapping[str, object], text_of: TextOf) -> None:
        self._names = names
        self._text_of = text_of

    def meaning(self, value: object) -> Meaning:
        """Say what a value is, without asking it."""
        function = unwrap(value)
        if isinstance(function, FunctionType):
            code = self._code(function)
            defaults = [self.meaning(each).stamp for each in function.__defaults__ or ()]
            return Meaning(_stamp((code, defaults)) if code else "", code=code)
        if isinstance(value, ModuleType | BuiltinFunctionType | type):
            return Meaning(self._stamp_of_thing(value))
        if type(value) in _PLAIN:
            return Meaning(_stamp(repr(value)), _short(repr(value)))
        numbers = read_value(value)
        if not isinstance(numbers, Numbers):
            return Meaning()
        plain = type(value) in {list, tuple}
        return Meaning(_stamp((numbers.shape, numbers.flat)), _short(repr(value)) if plain else "")

    def _code(self, function: FunctionType) -> str:
        """Return the stamp of a function's own text, comments and blanks aside. Bytecode depends on what is around."""
        if function.__globals__ is not self._names:
            return f"{function.__module__}.{function.__qualname__}"
        line = function.__code__.co_firstlineno
        nodes = _functions_in(self._text_of(function.__code__.co_filename))
        found = [ast.dump(node) for node in nodes if _first_line(node) == line]
        return _stamp(found[0]) if len(found) == 1 else ""

    def _stamp_of_thing(self, value: ModuleType | BuiltinFunctionType | type) -> str:
        if isinstance(value, type) and value.__module__ in _OF_THE_NOTEBOOK:
            functions = [(name, unwrap(each)) for name, each in vars(value).items()]
            return _stamp([(name, self._code(each)) for name, each in functions if isinstance(each, FunctionType)])
        return f"{getattr(value, '__module__', '')}.{value.__name__}"


def _functions_in(source: str) -> list[_Function]:
    try:
        tree = parse_cell(source)
    except UNREADABLE:
        return []
    return [node for node in ast.walk(tree) if isinstance(node, _Function)] if tree is not None else []


def _first_line(node: _Function) -> int:
    """Return the line that a function's code counts as its first: that of its first decorator."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *[each.lineno for each in decorators]])


def _stamp(value: object) -> str:
    return f"{zlib.crc32(repr(value).encode('utf-8', 'replace')):08x}"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else ""
