"""Measure how often the right mistake is named, on a folder of wrong and right solutions.

    python bench/diagnosis.py FOLDER [LESSON]        FOLDER holds wrong/*.py and right/*.py

Each file is put into the released notebook and graded in the sandbox. Printed are the file, the mistake that *check* in
the notebook names from the examples and probes, the mistake that the grader names from all cases, and the steps.

`attention_read.csv` holds, for each wrong file, the known mistake that a person found in it by reading the code alone,
or `-` where its mistake is not one of the lesson's. Against this list the promise of 85 % is counted.
"""

from __future__ import annotations

import argparse
import copy
import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.grader import Grader
from autograder.judge import judge
from autograder.lesson import name_of
from autograder.practice import practice_of
from autograder.sandbox import Run, pack_calls
from course.report import LikelyMistake
from course.submission import read_submission
from course.teaching import name_mistake

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
LEAST = 0.85


@dataclass(frozen=True)
class Named:
    """What was said of one file. `shown`: an example fails; `lost`: marks were lost."""

    file: str
    tag: str
    shown: bool
    lost: bool
    in_notebook: LikelyMistake | None
    by_grader: LikelyMistake | None

    def name(self, where: str) -> str:
        """Return the name that was said there, or nothing."""
        said = self.in_notebook if where == "in the notebook" else self.by_grader
        return said.name if said else ""


def name_all(folder: Path, lesson_id: str) -> Iterator[Named]:
    """Grade every file of a folder."""
    released: dict[str, Any] = json.loads(
        (ROOT / "release" / lesson_id / f"{name_of(lesson_id)}.ipynb").read_text(encoding="utf-8")
    )
    with Grader(ROOT) as grader:
        lesson = grader.lesson(lesson_id)
        practice = practice_of(lesson)
        prepared = grader.prepare(lesson)
        with pack_calls((*lesson.example_calls, *lesson.probes)) as shown_calls:
            for file in sorted(folder.glob("*.py")):
                submission = read_submission(_fill_in(released, file), lesson.released, lesson.beside({}))
                shown, hidden = prepared.sandbox.run_both(submission.cells, shown_calls, prepared.hidden)
                cut = len(lesson.examples)
                report = judge(lesson, submission, _first(shown, cut), hidden)
                yield Named(
                    file.stem,
                    _tag(file),
                    shown=not all(example.passed for example in report.examples),
                    lost=report.first_failing is not None,
                    in_notebook=name_mistake(practice, shown.outcomes[:cut], shown.outcomes[cut:]),
                    by_grader=report.mistake,
                )


def _tag(file: Path) -> str:
    first = file.read_text(encoding="utf-8").lstrip("\ufeff").partition("\n")[0].strip()
    return first.removeprefix("# tag: ") if first.startswith("# tag: ") else ""


def _first(run: Run, number: int) -> Run:
    return Run(run.outcomes[:number], *[vars(run)[each] for each in list(vars(run))[1:]])


def _fill_in(released: dict[str, Any], file: Path) -> dict[str, Any]:
    notebook = copy.deepcopy(released)
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    code = "".join(line for line in lines if not line.startswith(("# tag:", "# note:")))
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == "solve":
            cell["source"] = code
    return notebook


def main() -> int:
    """Print the table and the counts. Return 1 where less than 85 % of the known mistakes are named as such."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("lesson", nargs="?", default="09_attention")
    arguments = parser.parse_args()
    wrong, right = (list(name_all(arguments.folder / kind, arguments.lesson)) for kind in ("wrong", "right"))
    for kind, rows in (("wrong", wrong), ("right", right)):
        print(f"\n{kind + ': file, tag':50} {'in the notebook':50} by the grader")
        for row in rows:
            notebook = _say(row.in_notebook) if row.shown else "(no example fails)"
            by_grader = _say(row.by_grader) if row.lost else "(full marks)"
            print(f"  {row.file:24} {row.tag:23} {notebook:50} {by_grader}")
    accused = [row.file for row in right if row.in_notebook or row.by_grader]
    print(f"\nright files told that they made a mistake: {len(accused)} of {len(right)}", *accused)
    shown, lost = [row for row in wrong if row.shown], [row for row in wrong if row.lost]
    print(f"wrong files named in the notebook: {sum(row.in_notebook is not None for row in shown)} of {len(shown)}")
    print(f"wrong files named by the grader: {sum(row.by_grader is not None for row in lost)} of {len(lost)}")
    kept = not accused
    read = HERE / f"{name_of(arguments.lesson)}_read.csv"
    if read.is_file():
        with read.open(encoding="utf-8", newline="") as file:
            due = {row["file"]: row["mistake"] for row in csv.DictReader(file) if row["mistake"] != "-"}
        for where, rows in (("in the notebook", shown), ("by the grader", lost)):
            known = [row for row in rows if row.file in due]
            named = sum(due[row.file] == row.name(where) for row in known)
            print(f"known mistakes named correctly {where}: {named} of {len(known)} ({named / len(known):.0%})")
            kept = kept and named >= LEAST * len(known)
    return 0 if kept else 1


def _say(mistake: LikelyMistake | None) -> str:
    return f"{mistake.step} {mistake.name[:46]}" if mistake else "-"


if __name__ == "__main__":
    raise SystemExit(main())
