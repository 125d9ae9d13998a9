"""The command `autograder`. Each verb imports what it needs, so that help comes at once."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb. Exit codes: 0 all is well, 1 a check found something, 2 a fault of ours."""
    arguments = _parser().parse_args(argv)
    from autograder.lesson import GraderError  # noqa: PLC0415  # help must not wait for it

    try:
        return _run(arguments)
    except GraderError as error:
        print(f"autograder: {error}", file=sys.stderr)
        return 2


def _run(arguments: argparse.Namespace) -> int:
    root = Path(arguments.root).resolve()
    if arguments.verb == "release":
        from autograder.release import release  # noqa: PLC0415

        return release(arguments.lesson, root)
    if arguments.verb == "report":
        from autograder.class_table import print_class  # noqa: PLC0415

        return print_class(arguments.lesson, root)
    from autograder.demo import run_demo  # noqa: PLC0415

    return run_demo(root)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="autograder", description="Grade the course and report on it.")
    parser.add_argument("--root", default=".", help="the course folder (default: this folder)")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    release = verbs.add_parser("release", help="make release/LESSON again from source/LESSON")
    release.add_argument("lesson", help="for example 09_attention")
    report = verbs.add_parser("report", help="print the graded class as a table")
    report.add_argument("lesson", help="for example 09_attention")
    verbs.add_parser("demo", help="take a sample class through the whole round, in the folder demo/")
    return parser
