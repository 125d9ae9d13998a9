"""Change right solutions in one small place: does any that has become wrong still earn full marks?

    python bench/mutants.py [LESSON ...]

A change is another operator, a number that is one larger, the other branch, a statement left out, and so on. What still
passes all examples and hidden cases is held against the lesson's oracle on random legal inputs and at their limits. One
that differs there is printed: it shows a danger for which the lesson has no hidden case yet. The solutions are the
lesson's own and those in `../shared/cases/solutions/*/right`, where that folder is there.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import importlib.util
import io
import math
import re
import signal
import sys
import types
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from autograder.grader import Grader
from autograder.lesson import Lesson
from course.compare import compare
from course.outcomes import Answered
from course.syllabus import LESSONS
from course.values import Numbers, read_value

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "cases" / "solutions"
SECONDS = 4.0  # for all cases of one changed solution; a loop may have lost its end
OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Pow)
COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
OTHERS = """max min sum|min max|sum max min|abs float|sorted list set|exp exp2 expm1|mean sum median|var std|sqrt abs
append extend|triu tril|tril triu|argmax argmin|maximum minimum|zeros ones"""
OTHER_NAMES = {name: others for name, *others in (each.split() for each in re.split(r"[|\n]", OTHERS))}
Case = tuple[Sequence[Any], bool, Numbers]  # the arguments, called twice, the right answer


class TimeIsUpError(BaseException):
    """No `except` in a solution stops this."""


def changes(source: str) -> Iterator[tuple[str, str]]:
    """Yield every solution that differs from this one in one place, with the place."""
    tree = ast.parse(source)
    solve = next((each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name == "solve"), None)
    inputs = [each.arg for each in solve.args.args] if solve else []
    for node in list(ast.walk(tree)):
        for field, new in list(alternatives(node, inputs)):
            old = getattr(node, field)
            setattr(node, field, new)
            with contextlib.suppress(ValueError, AttributeError):  # what cannot be written is no program
                yield f"line {getattr(node, 'lineno', '?')}, {type(node).__name__}.{field}", ast.unparse(tree)
            setattr(node, field, old)


def alternatives(node: ast.AST, inputs: Sequence[str]) -> Iterator[tuple[str, object]]:  # noqa: C901, PLR0912  # one case for each kind
    """Yield a field of the node and what could stand there in place of what does."""
    match node:
        case ast.BinOp() | ast.AugAssign():
            yield from (("op", kind()) for kind in OPERATORS if not isinstance(node.op, kind))
        case ast.Compare(ops=[one]):
            yield from (("ops", [kind()]) for kind in COMPARISONS if not isinstance(one, kind))
        case ast.Constant(value=bool()):
            yield "value", not node.value
        case ast.Constant(value=int() | float() as value):
            yield from (("value", other) for other in {value + 1, value - 1, 0, -value, value * 2} - {value})
        case ast.UnaryOp(op=ast.USub()):
            yield "op", ast.UAdd()
        case ast.Name(id=name, ctx=ast.Load()):
            others = [each for each in inputs if each != name] if name in inputs else OTHER_NAMES.get(name, ())
            yield from (("id", other) for other in others)
        case ast.Attribute(attr=name):
            yield from (("attr", other) for other in OTHER_NAMES.get(name, ()))
        case ast.Subscript(slice=index) if not isinstance(index, ast.Slice):
            yield from (("slice", ast.Constant(place)) for place in (0, -1))
        case ast.Slice():
            yield from ((side, None) for side in ("lower", "upper") if getattr(node, side))
        case ast.If(test=test) | ast.IfExp(test=test):
            yield from (("test", ast.Constant(value)) for value in (True, False))
            yield "test", ast.UnaryOp(ast.Not(), test)
        case ast.comprehension(ifs=[_, *_]):
            yield "ifs", []
        case ast.Call(func=ast.Name(id="range"), args=[end]):
            yield from (("args", [ast.BinOp(end, ast.Add(), ast.Constant(more))]) for more in (1, -1))
            yield "args", [ast.Constant(1), end]
        case ast.Call(args=[one, other]):
            yield "args", [other, one]
    for at in range(len(getattr(node, "keywords", ()))):
        yield "keywords", node.keywords[:at] + node.keywords[at + 1 :]  # type: ignore[attr-defined]  # as asked for
    for field in ("left", "right", "func", "value", "iter"):
        if isinstance(part := getattr(node, field, None), ast.Attribute) and part.attr == "T":
            yield field, part.value
    if isinstance(node, ast.FunctionDef | ast.For | ast.While | ast.If):
        body = node.body
        yield from (("body", [*body[:at], ast.Pass(), *body[at + 1 :]]) for at in range(len(body)))
        yield from (("body", [*body[:at], body[at + 1], body[at], *body[at + 2 :]]) for at in range(len(body) - 1))


def passes(source: str, cases: Sequence[Case]) -> bool:
    """Tell whether a solution gives the right answer in every case, in time."""
    names: dict[str, Any] = {"__name__": "student", "math": math, "np": np}
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(source, "<changed>", "exec"), names)  # noqa: S102  # a change of a solution of our own
            return all(_is_right(names["solve"], case) for case in cases)
    except (Exception, TimeIsUpError):  # noqa: BLE001  # whatever ends a solution, it has not passed
        return False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _is_right(solve: Callable[..., object], case: Case) -> bool:
    given, twice, expected = case
    arguments = copy.deepcopy(given)
    if twice:
        solve(*arguments)
    return compare(Answered(read_value(solve(*arguments))), expected).passed


def cases_of(lesson: Lesson) -> list[Case]:
    """Return the examples and hidden cases of a lesson."""
    examples = [(tuple(each.arguments.values()), False, each.returns) for each in lesson.examples]
    hidden = zip(lesson.hidden_calls, lesson.expected, strict=True)
    return examples + [(call.arguments, call.twice, expected) for call, expected in hidden]


def trials_of(lesson: Lesson) -> list[Case]:
    """Return random legal inputs and those at the limits, with the oracle's answers."""
    file = ROOT / "tests" / "oracles" / f"{lesson.name}.py"
    spec = importlib.util.spec_from_file_location(f"oracle_{lesson.name}", file)
    if spec is None or spec.loader is None:
        message = f"{file} is missing: the lesson has no oracle"
        raise SystemExit(message)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    rng = np.random.default_rng(7)
    inputs = [module.legal(rng) for _ in range(120)] + list(module.limits())
    return [(each, False, read_value(np.array(module.oracle(*copy.deepcopy(each)), dtype=float))) for each in inputs]  # type: ignore[misc]  # an oracle gives numbers


def solutions_of(lesson: Lesson) -> dict[str, str]:
    """Return the right solutions by name."""
    shared = sorted((SHARED / lesson.name / "right").glob("*.py"))
    return {"the lesson's own": lesson.reference_source} | {file.stem: file.read_text("utf-8-sig") for file in shared}


def begin() -> None:
    """Let changed solutions warn of nothing, and end where their time is up."""
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    signal.signal(signal.SIGALRM, _end)


def _end(*_: object) -> None:
    raise TimeIsUpError


def bring_earlier(lesson: Lesson) -> None:
    """Make the functions of earlier lessons importable, where this one builds on any."""
    if lesson.earlier:
        sys.modules["earlier"] = types.ModuleType("earlier")
        exec(lesson.earlier, sys.modules["earlier"].__dict__)  # noqa: S102  # our own file


def main(words: list[str]) -> int:
    """Print what slips through, lesson by lesson. Return 1 if anything does."""
    begin()
    slipped = 0
    with Grader(ROOT) as grader:
        for lesson_id in words or [each.id for each in LESSONS if (ROOT / "source" / each.id).is_dir()]:
            lesson = grader.lesson(lesson_id)
            bring_earlier(lesson)
            cases, trials = cases_of(lesson), trials_of(lesson)
            solutions = solutions_of(lesson).items()
            changed = {text: f"{name}, {place}" for name, source in solutions for place, text in changes(source)}
            full = [text for text in changed if passes(text, cases)]
            wrong = [changed[text] for text in full if not passes(text, trials)]
            print(f"{lesson_id}: {len(changed)} changed, {len(full)} with full marks, {len(wrong)} of them wrong")
            print(*(f"  {each}" for each in wrong), sep="\n", end="\n" if wrong else "")
            slipped += len(wrong)
    return 1 if slipped else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
