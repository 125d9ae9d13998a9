"""Run the reference solution on an example and write down what each numbered step came to.

The steps are the comments `# 1. ...` of the reference. A step ends when the next line that runs belongs to no line of
it; then each name that it made, and that is used later, is read. A list that only grew gives what it grew by.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import FrameType
from typing import Any, Final

from autograder.lesson import Call, Solve, outcome_of
from autograder.loading import REFERENCE, STEP
from course.practice import StepValues
from course.values import Numbers, read_value

_GROWING: Final = ("append", "extend", "insert")


@dataclass(frozen=True)
class _Step:
    """The lines of a step, the names it makes that are used later, and whether it holds a `return` of an expression."""

    number: int
    lines: range
    names: tuple[str, ...]
    returns: bool


@dataclass
class _Place:
    """Where one running function is: its step, and the names as they were when the step began."""

    step: _Step | None = None
    before: dict[str, Any] = field(default_factory=dict)


def steps_of(source: str) -> tuple[_Step, ...]:
    """Cut the reference into its steps, each from its comment to the next one."""
    tree = ast.parse(source)
    comments = [number for number, line in enumerate(source.splitlines(), start=1) if STEP.match(line)]
    ends = [*comments[1:], len(source.splitlines()) + 1]
    return tuple(
        _step(tree, number, range(start, end))
        for number, (start, end) in enumerate(zip(comments, ends, strict=True), 1)
    )


def _step(tree: ast.Module, number: int, lines: range) -> _Step:
    inside = [node for node in ast.walk(tree) if getattr(node, "lineno", 0) in lines]
    inside.sort(key=lambda node: (node.lineno, node.col_offset))  # type: ignore[attr-defined]  # found by its line
    made = dict.fromkeys(name for node in inside for name in _made(node))
    used = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and _is_used_later(node, lines)
    }
    returns = [node for node in _returns(tree) if node in inside]
    returned = {node.id for each in returns for node in ast.walk(each) if isinstance(node, ast.Name)}
    names = tuple(name for name in made if name in used | returned)
    return _Step(number, lines, names, any(not isinstance(node.value, ast.Name) for node in returns))


def _is_used_later(name: ast.Name, lines: range) -> bool:
    return name.lineno >= lines.stop


def _returns(tree: ast.Module) -> list[ast.Return]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.Return)]


def _made(node: ast.AST) -> Iterator[str]:
    """Give the names that a node assigns, or puts something into."""
    if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            for part in ast.walk(target):
                if isinstance(part, ast.Name):
                    yield part.id
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if method in _GROWING:
            yield name


def trace_steps(solve: Solve, steps: tuple[_Step, ...], call: Call) -> tuple[StepValues, ...]:
    """Run `solve`, the reference, and return what each name of each step held, in the order of the steps."""
    tracer = _Tracer(steps)
    before = sys.gettrace()
    sys.settrace(tracer.begin)
    try:
        outcome_of(solve, call)
    finally:
        sys.settrace(before)
    found = {key: values for key, values in tracer.found.items() if _tells(key, tracer.found)}
    keys = sorted(found, key=lambda key: key[0])
    return tuple(StepValues(step, name, tuple(found[step, name])) for step, name in keys)


def _tells(key: tuple[int, str], found: dict[tuple[int, str], list[Numbers]]) -> bool:
    """Tell whether a name says something of its step: a list that is only made there has no numbers yet."""
    same = [values for other, values in found.items() if other[0] == key[0]]
    return any(each.flat for each in found[key]) or not any(each.flat for values in same for each in values)


class _Tracer:
    """Follow the running functions of the reference from line to line."""

    def __init__(self, steps: tuple[_Step, ...]) -> None:
        self._steps = steps
        self._places: dict[int, _Place] = {}
        self.found: dict[tuple[int, str], list[Numbers]] = {}

    def begin(self, frame: FrameType, _event: str, _argument: object) -> Any:  # noqa: ANN401  # as `settrace` wants it
        """Follow a function of the reference; comprehensions are part of their line."""
        if frame.f_code.co_filename != REFERENCE or frame.f_code.co_name.startswith("<"):
            return None
        self._places[id(frame)] = _Place()
        return self._follow

    def _follow(self, frame: FrameType, event: str, argument: object) -> Any:  # noqa: ANN401
        place = self._places[id(frame)]
        step = next((each for each in self._steps if frame.f_lineno in each.lines), None) if event == "line" else None
        if place.step is not None and step is not place.step:
            self._end(place.step, frame, place.before)
        if event == "return" and place.step is not None and place.step.returns:
            self._note(place.step.number, "the answer", argument)
        if step is not place.step:
            names = [name for name in step.names if name in frame.f_locals] if step else []
            place.before = {name: _size(frame.f_locals[name]) for name in names}
        place.step = step
        return self._follow

    def _end(self, step: _Step, frame: FrameType, before: dict[str, Any]) -> None:
        for name in [name for name in step.names if name in frame.f_locals]:
            value = frame.f_locals[name]
            known = before.get(name)
            if isinstance(value, list) and known is not None and known[0] == id(value):
                for new in value[known[1] :]:
                    self._note(step.number, name, new)
            else:
                self._note(step.number, name, value)

    def _note(self, step: int, name: str, value: object) -> None:
        numbers = read_value(value)
        if isinstance(numbers, Numbers):
            self.found.setdefault((step, name), []).append(numbers)


def _size(value: object) -> tuple[int, int]:
    return id(value), len(value) if isinstance(value, list) else 0
