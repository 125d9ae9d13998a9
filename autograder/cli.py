"""The command `autograder`. Each verb imports what it needs, so that help comes at once."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from pathlib import Path

LAYERS = ("namespaces", "uid", "landlock", "seccomp", "rlimits")  # a test holds them equal to the sandbox's


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb. Exit codes: 0 all is well, 1 a check found something, 2 a fault of ours, 130 stopped by Ctrl-C."""
    arguments = _parser().parse_args(argv)
    from autograder.lesson import GraderError  # noqa: PLC0415  # help must not wait for it

    try:
        return _run(arguments)
    except GraderError as error:
        print(f"autograder: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        rest = ": what is graded stays, and the same command does what is left" if arguments.verb == "grade" else ""
        print(f"\nautograder: stopped{rest}", file=sys.stderr)
        return 130


def _run(arguments: argparse.Namespace) -> int:
    if arguments.verb == "doctor":
        from autograder.doctor import run_doctor  # noqa: PLC0415

        return run_doctor()
    root = Path(arguments.root).resolve()
    _insist_on_course(root, getattr(arguments, "lesson", None))
    if arguments.verb in {"new", "release", "handout"}:
        return _for_students(arguments, root)
    if arguments.verb == "grade":
        return _grade(arguments, root)
    if arguments.verb in {"report", "kills"}:
        return _tell(arguments, root)
    if arguments.verb in {"roster", "canvas"}:
        return _class_list(arguments, root)
    from autograder.demo import run_demo  # noqa: PLC0415

    return run_demo(root)


def _for_students(arguments: argparse.Namespace, root: Path) -> int:
    if arguments.verb == "new":
        from autograder.new_lesson import new_lesson  # noqa: PLC0415

        return new_lesson(arguments.id, root)
    if arguments.verb == "handout":
        from autograder.handout import write_handout  # noqa: PLC0415

        return write_handout(root, arguments.until)
    from autograder.release import release  # noqa: PLC0415

    return release(arguments.lesson, root)


def _class_list(arguments: argparse.Namespace, root: Path) -> int:
    from autograder.class_list import CanvasFile, fill_canvas_file, import_roster  # noqa: PLC0415

    if arguments.verb == "roster":
        return import_roster(root, arguments.file, _url(arguments, root))
    file = CanvasFile(arguments.file, arguments.column, arguments.to)
    return fill_canvas_file(arguments.lesson, root, file, _url(arguments, root))


def _tell(arguments: argparse.Namespace, root: Path) -> int:
    if arguments.verb == "kills":
        from autograder.kills import print_kills  # noqa: PLC0415

        return print_kills(arguments.lesson, root)
    from autograder.class_report import report_class  # noqa: PLC0415

    return report_class(arguments.lesson, root, _url(arguments, root), anonymous=arguments.anonymous)


def _insist_on_course(root: Path, lesson: str | None) -> None:
    from autograder.lesson import GraderError, name_of  # noqa: PLC0415

    if not (root / "source").is_dir() or not (root / "nbgrader_config.py").is_file():
        message = f"{root} is not a course folder: it has no source/ and nbgrader_config.py. Go there, or use --root."
        raise GraderError(message)
    if lesson is not None and not (root / "source" / lesson / f"{name_of(lesson)}.ipynb").is_file():
        known = ", ".join(sorted(path.name for path in (root / "source").glob("*_*")))
        message = f"there is no lesson {lesson!r}. There is: {known}."
        raise GraderError(message)


def _grade(arguments: argparse.Namespace, root: Path) -> int:
    from autograder.class_run import Options, grade_class  # noqa: PLC0415
    from autograder.lesson import GraderError  # noqa: PLC0415
    from autograder.loading import lesson_ids  # noqa: PLC0415

    if bool(arguments.lesson) == arguments.all:
        message = "name one lesson, or use --all for every lesson in source/"
        raise GraderError(message)
    lessons = [arguments.lesson] if arguments.lesson else lesson_ids(root)
    codes = []
    for lesson in lessons:
        options = Options(
            lesson_id=lesson,
            students=frozenset(map(_id_of, arguments.student)) if arguments.student else None,
            workers=arguments.workers or os.cpu_count() or 1,
            regrade=arguments.regrade or arguments.dry_run,
            dry_run=arguments.dry_run,
            db_url=_url(arguments, root),
            allow_missing=frozenset(arguments.allow_missing),
        )
        codes.append(grade_class(root, options, _cluster(arguments, root, lesson)))
    return max(codes, default=0)


def _id_of(word: str) -> str:
    """Return the student's id, also where the shell completed it to the name of a folder."""
    return word.removeprefix("submitted/").rstrip("/")


def _url(arguments: argparse.Namespace, root: Path) -> str:
    return arguments.db or _configured_url(root)


def _configured_url(root: Path) -> str:
    """Return the gradebook that nbgrader_config.py names, if it names one; to read it takes two seconds."""
    if "CourseDirectory.db_url" not in (root / "nbgrader_config.py").read_text(encoding="utf-8"):
        return ""
    from traitlets.config.loader import PyFileConfigLoader  # noqa: PLC0415

    config = PyFileConfigLoader("nbgrader_config.py", str(root)).load_config()
    return str(config.CourseDirectory.get("db_url", ""))


def _cluster(arguments: argparse.Namespace, root: Path, lesson: str) -> Callable[[int], Executor] | None:
    """Return what connects to a dask cluster, if one is asked for."""
    if not (arguments.dask or arguments.dask_file):
        return None
    from autograder.cluster import connect, needs_of  # noqa: PLC0415

    return lambda _: connect(needs_of(lesson, root), root, arguments.dask, arguments.dask_file)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="autograder", description="Grade the course and report on it.")
    parser.add_argument("--root", default=".", help="the course folder (default: this folder)")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    new = verbs.add_parser("new", help="make the two files of a new lesson, and print how to go on")
    new.add_argument("id", help="for example 12_gpt_logits")
    release = verbs.add_parser("release", help="make release/LESSON again from source/LESSON")
    release.add_argument("lesson", help="for example 09_attention")
    handout = verbs.add_parser("handout", help="write build/handout.zip, all that a student needs to start")
    handout.add_argument("--until", default="", metavar="LESSON", help="leave out the lessons after this one")
    grade = verbs.add_parser("grade", help="grade a class at once, into nbgrader's gradebook and feedback pages")
    grade.add_argument("lesson", nargs="?", help="for example 09_attention")
    grade.add_argument("--all", action="store_true", help="every lesson in source/")
    grade.add_argument("--student", action="append", metavar="ID", help="only this student; may be given again")
    grade.add_argument(
        "--allow-missing",
        action="append",
        default=[],
        choices=LAYERS,
        help="grade although this layer of the sandbox is missing; see `autograder doctor`",
    )
    grade.add_argument("--workers", type=int, default=0, help="how many sandboxes at once (default: one for each core)")
    grade.add_argument(
        "--regrade", action="store_true", help="take today's lesson to all work; says first what changes"
    )
    grade.add_argument("--dry-run", action="store_true", help="only say what a regrade would change")
    cluster = grade.add_mutually_exclusive_group()
    cluster.add_argument("--dask", default="", metavar="ADDRESS", help="grade on a dask cluster: tcp://SCHEDULER:8786")
    cluster.add_argument("--dask-file", default="", metavar="FILE", help="the same, with the scheduler's file")
    report = verbs.add_parser("report", help="tell how the class did, in reports/: a page, CSV and JSON")
    report.add_argument("lesson", help="for example 09_attention")
    report.add_argument("--anonymous", action="store_true", help="name no student")
    kills = verbs.add_parser("kills", help="print which example and hidden group catches which known mistake")
    kills.add_argument("lesson", help="for example 09_attention")
    roster = verbs.add_parser("roster", help="put a list of students into nbgrader's gradebook")
    roster.add_argument("file", type=Path, help="a CSV file with a column `id`; also last_name, first_name, email")
    canvas = verbs.add_parser("canvas", help="fill a lesson's column of the gradebook file that Canvas exports")
    canvas.add_argument("lesson", help="for example 09_attention")
    canvas.add_argument("file", type=Path, help="the file that Canvas exported; it stays as it is")
    canvas.add_argument("--to", type=Path, help="where the filled file goes (default: FILE-filled.csv beside it)")
    canvas.add_argument("--column", default="", help="the assignment's name in Canvas (default: the lesson's)")
    for verb in (grade, report, roster, canvas):
        verb.add_argument(
            "--db", default="", metavar="URL", help="the gradebook (default: nbgrader_config.py's, or gradebook.db)"
        )
    verbs.add_parser("doctor", help="say which layers of the sandbox this machine gives, and try them out")
    verbs.add_parser("demo", help="take a sample class through the whole round, in the folder demo/")
    return parser
