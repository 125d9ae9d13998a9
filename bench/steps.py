"""Change each lesson's own solution in one small place: does *check* send the learner to the step of that place?

    python bench/steps.py [--show] [LESSON ...]

The changes are those of `bench/mutants.py`; of interest are those with which a worked example fails. Printed are, for
each lesson, how many are told the step that was changed, no step, or another one, and how long a check takes; then
each one that is told another step, with `--show` its code and the whole report too. Not all of those are false: a wrong
number can be made good in several places.
"""

from __future__ import annotations

import ast
import contextlib
import io
import linecache
import re
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from statistics import median

from mutants import SECONDS, TimeIsUpError, begin, bring_earlier, changes

from autograder.lesson import Lesson
from autograder.loading import lesson_ids, load_lesson
from course import session
from course.checking import check
from course.values import to_lists

ROOT = Path(__file__).resolve().parents[1]
STEP_COMMENT = re.compile(r"[ \t]*# (\d+)\. ")
TOLD = re.compile(r"(?:Reread: step|Change step) (\d+)")
RIGHT, NONE, OTHER = "right", "none", "other"


def steps_of_lines(source: str) -> dict[int, set[int]]:
    """Return the step that each line of a solution belongs to: none before the first; two where the next one begins."""
    marks = [int(found[1]) if (found := STEP_COMMENT.match(line)) else 0 for line in source.splitlines()]
    steps, step = {}, 0
    for number, (mark, after) in enumerate(pairwise([*marks, 0]), start=1):
        step = mark or step
        steps[number] = {step, after} - {0}
    return steps


def places(source: str) -> Iterator[tuple[str, str, set[int]]]:
    """Yield each changed solution with its place and the steps that it may belong to."""
    steps = steps_of_lines(source)
    ends = {
        (node.lineno, type(node).__name__): node.end_lineno or node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.stmt)
    }
    for place, text in changes(source):
        found = re.match(r"line (\d+), (\w+)\.(\w+)", place)
        if found and found[2] != "FunctionDef":
            line = int(found[1])
            last = ends.get((line, found[2]), line) if found[3] == "body" else line
            yield text, place, set().union(*(steps[each] for each in range(line, last + 1)))


def say(lesson: Lesson, text: str) -> tuple[str, float] | None:
    """Check a changed solution; return what a learner reads and the milliseconds; None where nothing fails or ends."""
    file = f"<cell {abs(hash(text))}>"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    names: dict[str, object] = {}
    examples = [{**each.arguments, "returns": to_lists(each.returns)} for each in lesson.examples]
    session._last.clear()  # noqa: SLF001  # each is a first try
    signal.setitimer(signal.ITIMER_REAL, SECONDS, 1.0)  # each call that has no end is ended
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            if lesson.earlier:
                exec("from earlier import *", names)  # noqa: S102  # our own file
            exec(compile(text, file, "exec"), names)  # noqa: S102  # a change of a solution of our own
            start = time.perf_counter()
            result = check(names["solve"], examples, lesson=lesson.name)
            said = repr(result)
            took = 1000 * (time.perf_counter() - start)
    except TimeIsUpError:
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        linecache.cache.pop(file, None)
    return None if result.report.first_failing is None or TimeIsUpError.__name__ in said else (said, took)


def look(lesson: Lesson, *, show: bool) -> None:
    """Print how the changes of one lesson are told."""
    counts: Counter[str] = Counter()
    others, times = [], []
    for text, place, steps in places(lesson.reference_source):
        found = say(lesson, text) if steps else None
        if found is None:
            continue
        said, took = found
        times.append(took)
        told = {int(step) for step in TOLD.findall(said)}
        kind = NONE if not told else RIGHT if told & steps else OTHER
        counts[kind] += 1
        if kind == OTHER:
            line = lesson.reference_source.splitlines()[int(re.findall(r"\d+", place)[0]) - 1].strip()
            others.append((place, sorted(steps), sorted(told), line, text, said))
    times.sort()
    shares = "  ".join(f"{kind} {100 * counts[kind] / counts.total():3.0f} %" for kind in (RIGHT, NONE, OTHER))
    tail = times[int(0.9 * len(times))]
    print(f"{lesson.id:26} {counts.total():4} changes  {shares}  median {median(times):.0f} ms, 90 % under {tail:.0f}")
    for place, steps, told, line, text, said in others:
        print(f"    {place}: step {steps} told {told}: {line}")
        if show:
            print(text, said, "-" * 80, sep="\n")


def main(words: list[str]) -> None:
    """Look at each lesson beside its practice file."""
    begin()
    for lesson_id in [each for each in words if each != "--show"] or lesson_ids(ROOT):
        lesson = load_lesson(lesson_id, ROOT)
        bring_earlier(lesson)
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            shutil.copy(ROOT / "release" / lesson_id / f"{lesson.name}.json", folder)
            look(lesson, show="--show" in words)


if __name__ == "__main__":
    main(sys.argv[1:])
