"""Measure the grading engine beside stock nbgrader, on the same submissions in the same run.

    make bench              1,000 submissions by us, 20 by stock nbgrader, and how cost grows
    python bench/engine.py --ours 200 --stock 5 --growth 100,200      smaller

CPU seconds are user + system of the command and all its children. Everything is done in a new folder in build/, which
is deleted at the end and not sooner: for minutes after many files were deleted, Linux's ext4 takes up to a millisecond
for each new file (it does not use the deleted ones' numbers again so soon, and looks past them one by one).
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.feedback_page import FeedbackInput, render_feedback
from autograder.grader import Grader
from autograder.judge import judge
from autograder.needed import needed
from autograder.notebooks import mend, own_cells, write_report, write_text
from autograder.sample_class import NUMPY, PLAIN, RIGHT, Answer, fill_in
from course.reading import read_notebook
from course.submission import read_submission

ROOT = Path(__file__).resolve().parents[1]
LESSON = "09_attention"
STOCK_CONFIG = 'c = get_config()\nc.CourseDirectory.course_id = "transformer"\nc.Exchange.root = "exchange"\n'
COMMANDS = ("autograde", "generate_feedback")
ORDINARY = [
    RIGHT,
    NUMPY,
    PLAIN.replace("SCALE", "math.sqrt(len(K))"),
    RIGHT.replace("score - top", "score"),
    RIGHT.replace("return rows", "print(rows)"),
    None,
]


@dataclass(frozen=True)
class Cost:
    """What one command took."""

    cpu_seconds: float
    wall_seconds: float
    peak_mib: float


def make_course(folder: Path, number: int, *, stock: bool) -> None:
    """Make a course root with `number` ordinary submissions."""
    shutil.copytree(ROOT / "source", folder / "source")
    if stock:
        (folder / "nbgrader_config.py").write_text(STOCK_CONFIG, encoding="utf-8")
    else:
        shutil.copy(ROOT / "nbgrader_config.py", folder)
    run(folder, "nbgrader", "generate_assignment", LESSON)
    released = (ROOT / "release" / LESSON / "attention.ipynb").read_text(encoding="utf-8")
    texts = [fill_in(released, Answer(code)) for code in ORDINARY]
    for at in range(number):
        path = folder / "submitted" / f"student-{at:05}" / LESSON / "attention.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(texts[at % len(texts)], encoding="utf-8")
        path.with_name("timestamp.txt").write_text("2026-01-31 12:00:00 UTC", encoding="utf-8")


def run(folder: Path, module: str, *words: str) -> Cost:
    """Run a command and measure it with all its children."""
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", module, *words],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    peak = Peak(process.pid)
    _, said = process.communicate()
    peak.stop()
    if process.returncode:
        sys.exit(f"{module} {' '.join(words)} failed:\n{said[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(cpu, time.monotonic() - started, peak.mib)


class Peak:
    """Watch the memory of a process and its children: the largest sum of their proportional shares."""

    def __init__(self, pid: int) -> None:
        self.mib = 0.0
        self._pid = pid
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop watching."""
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(0.5):
            self.mib = max(self.mib, sum(map(_share_mib, _family(self._pid))))


def _family(pid: int) -> list[int]:
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except OSError:
        return []
    return [pid, *(each for child in children for each in _family(int(child)))]


def _share_mib(pid: int) -> float:
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0.0
    return int(text.partition("Pss:")[2].split()[0]) / 1024


def stages(number: int) -> dict[str, float]:
    """Measure the rooms of one submission, in milliseconds of this process's CPU; the child's are in the total only."""
    released = (ROOT / "release" / LESSON / "attention.ipynb").read_text(encoding="utf-8")
    texts = [fill_in(released, Answer(code)).encode() for code in ORDINARY]
    spent = dict.fromkeys(("read", "run (grader's side)", "judge", "autograded notebook", "feedback page"), 0.0)
    with Grader(ROOT) as grader:
        lesson = grader.lesson(LESSON)
        prepared = grader.prepare(lesson)
        for at in range(number):
            marks = [time.process_time()]
            notebook = read_notebook(texts[at % len(texts)], "attention.ipynb").notebook
            submission = read_submission(notebook, lesson.released)
            marks.append(time.process_time())
            cells = needed(submission.cells, lesson.given)
            shown, hidden = prepared.sandbox.run_both(cells, prepared.examples, prepared.hidden)
            marks.append(time.process_time())
            report = judge(lesson, submission, shown, hidden)
            marks.append(time.process_time())
            mend(notebook, lesson, submission.roles, ())
            write_report(notebook, report, {})
            write_text(notebook)
            marks.append(time.process_time())
            render_feedback(FeedbackInput(report, own_cells(submission, lesson), "student", 15.0, 15.0))
            marks.append(time.process_time())
            for name, begin, end in zip(spent, marks, marks[1:], strict=False):
                spent[name] += end - begin
    return {name: 1000 * seconds / number for name, seconds in spent.items()}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", type=int, default=1000)
    parser.add_argument("--stock", type=int, default=20)
    parser.add_argument("--growth", default="100,1000,5000")
    arguments = parser.parse_args()
    (ROOT / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=ROOT / "build") as folder:
        measure(Path(folder), arguments.ours, arguments.stock, [int(number) for number in arguments.growth.split(",")])


def measure(folder: Path, number: int, stock_number: int, growth: Sequence[int]) -> None:
    """Measure in `folder`, and print."""
    machine = f"{platform.platform()}, Python {platform.python_version()}, {os.cpu_count()} cores"
    print(machine, time.strftime("%Y-%m-%d"), sep=", ")
    stock = _stock(folder / "stock", stock_number, stock=True)
    plugged = _stock(folder / "plugged", stock_number, stock=False)
    make_course(folder / "ours", number, stock=False)
    ours = run(folder / "ours", "autograder", "grade", LESSON)
    each = ours.cpu_seconds / number
    print(f"stock nbgrader, autograde + feedback   {1000 * stock:8.1f} ms CPU a submission, start-up left out")
    print(f"nbgrader with our engine               {1000 * plugged:8.1f} ms   {stock / plugged:6.1f} times fewer")
    print(f"autograder grade, start-up included    {1000 * each:8.1f} ms   {stock / each:6.1f} times fewer")
    print(f"{number} submissions: {ours.wall_seconds:.1f} s wall, {ours.peak_mib:.0f} MiB at most")
    print("by stage, ms CPU of the grader's process:")
    for name, milliseconds in stages(300).items():
        print(f"  {name:24} {milliseconds:6.2f}")
    print("how cost grows:")
    for size in growth:
        make_course(folder / f"growth-{size}", size, stock=False)
        cost = run(folder / f"growth-{size}", "autograder", "grade", LESSON)
        print(
            f"  {size:6} submissions  {1000 * cost.cpu_seconds / size:6.1f} ms CPU each  "
            f"{cost.wall_seconds:6.1f} s wall  {cost.peak_mib:5.0f} MiB"
        )


def _stock(folder: Path, number: int, *, stock: bool) -> float:
    """Return CPU seconds a submission of nbgrader's two commands, without their start-up: in its favour."""
    make_course(folder, number, stock=stock)
    one, rest = (
        sum(run(folder, "nbgrader", command, LESSON, *words).cpu_seconds for command in COMMANDS)
        for words in (["--student=student-00000"], [])
    )
    return (rest - one) / (number - 2)


if __name__ == "__main__":
    main()
