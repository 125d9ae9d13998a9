"""Take a sample class through the whole round with nbgrader's own commands, in the folder demo/.

One student works through the exchange (fetch, submit, collect). The rest of the class arrives as a zip
downloaded from a learning platform. More lessons are then graded by the class-wide command, into the same gradebook.
Everything stays inside demo/, which is made anew each time.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import sys
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from autograder.class_report import report_class
from autograder.class_run import Options, grade_class
from autograder.lesson import GraderError, name_of
from autograder.loading import load_lesson
from autograder.sample_class import SAMPLE_CLASS, fill_in, small_class

LESSON: Final = "09_attention"
AT_ONCE: Final = ("02_softmax", "07_layer_norm", "10_multi_head_attention")
BY_EXCHANGE: Final = "student-01"
ZIP_TIME: Final = "2026-01-31-12-00-00"
STUDENT_CONFIG: Final = """\
c = get_config()  # noqa: F821
c.CourseDirectory.course_id = "transformer"
c.Exchange.root = {exchange!r}
c.Exchange.cache = {cache!r}
"""


@dataclass(frozen=True)
class Places:
    """The folders of the demo: the instructor's course root and the desk of the student by exchange."""

    course: Path
    desk: Path

    @property
    def mark(self) -> Path:
        """Tell that this folder is the demo's own, to be made anew."""
        return self.course / ".made-by-the-demo"

    @property
    def log(self) -> Path:
        """Where the output of all commands goes."""
        return self.course / "commands.log"


def run_demo(root: Path) -> int:
    """Run the round and print the class.

    Raises:
        GraderError: one of the commands failed; its output is in the message.
    """
    places = _set_up(root)
    with _only_inside(places.course):
        _hand_out(places)
        _hand_in(places)
        _grade_and_return(places)
        for lesson_id in AT_ONCE:
            _grade_at_once(places, lesson_id)
        nbgrader(places, "export")
        print()
        report_class(LESSON, places.course)
    _say_what_now(places, root)
    return 0


def _set_up(root: Path) -> Places:
    places = Places(root / "demo", root / "demo" / "desk" / BY_EXCHANGE)
    if places.course.exists() and not places.mark.exists():
        message = f"{places.course} is there already and was not made by the demo: move it away first"
        raise GraderError(message)
    shutil.rmtree(places.course, ignore_errors=True)
    places.desk.mkdir(parents=True)
    places.mark.touch()
    shutil.copytree(root / "source", places.course / "source")
    shutil.copy(root / "nbgrader_config.py", places.course)
    exchange = places.course / "exchange"
    config = STUDENT_CONFIG.format(exchange=str(exchange), cache=str(places.desk / ".cache"))
    (places.desk / "nbgrader_config.py").write_text(config, encoding="utf-8")
    return places


def _hand_out(places: Places) -> None:
    nbgrader(places, "generate_assignment", LESSON)
    nbgrader(places, "release_assignment", LESSON)


def _hand_in(places: Places) -> None:
    notebook = f"{name_of(LESSON)}.ipynb"
    nbgrader(places, "list", cwd=places.desk)
    nbgrader(places, "fetch_assignment", LESSON, cwd=places.desk)
    fetched = places.desk / LESSON / notebook
    fetched.write_text(fill_in(fetched.read_text(encoding="utf-8"), SAMPLE_CLASS[BY_EXCHANGE]), encoding="utf-8")
    nbgrader(places, "submit", LESSON, f"--student={BY_EXCHANGE}", cwd=places.desk)
    nbgrader(places, "collect", LESSON)

    released = (places.course / "release" / LESSON / notebook).read_text(encoding="utf-8")
    archive = places.course / "downloaded" / LESSON / "archive"
    archive.mkdir(parents=True)
    with zipfile.ZipFile(archive / "class.zip", "w") as packed:
        for student, answer in SAMPLE_CLASS.items():
            if student != BY_EXCHANGE:
                packed.writestr(f"{student}_attempt_{ZIP_TIME}_{notebook}", fill_in(released, answer))
    nbgrader(places, "zip_collect", LESSON)


def _grade_and_return(places: Places) -> None:
    nbgrader(places, "autograde", LESSON)
    nbgrader(places, "generate_feedback", LESSON)
    nbgrader(places, "release_feedback", LESSON)
    nbgrader(places, "fetch_feedback", LESSON, cwd=places.desk)


def _grade_at_once(places: Places, lesson_id: str) -> None:
    """Put a small class straight into `submitted/`, and grade it with the class-wide command."""
    nbgrader(places, "generate_assignment", lesson_id)
    lesson = load_lesson(lesson_id, places.course)
    notebook = f"{lesson.name}.ipynb"
    released = (places.course / "release" / lesson_id / notebook).read_text(encoding="utf-8")
    for student, answer in small_class(lesson.reference_source).items():
        file = places.course / "submitted" / student / lesson_id / notebook
        file.parent.mkdir(parents=True)
        file.write_text(fill_in(released, answer), encoding="utf-8")
    print(f"$ autograder grade {lesson_id}", flush=True)
    if grade_class(places.course, Options(lesson_id)):
        message = f"the sample class of {lesson_id} was not graded: see above"
        raise GraderError(message)


def _say_what_now(places: Places, root: Path) -> None:
    course = places.course.relative_to(root)
    print(f"""
The round is complete. Look at:
  class report     {course}/reports/{LESSON}.html
  feedback pages   {course}/feedback/*/{LESSON}/{name_of(LESSON)}.html
  fetched feedback {places.desk.relative_to(root)}/{LESSON}/feedback/
  grades           {course}/grades.csv
  what nbgrader said {course}/commands.log
Open the lesson as a student does:  make lab""")


def nbgrader(places: Places, *words: str, cwd: Path | None = None) -> None:
    """Run one nbgrader command in a forked process: nbgrader is imported once for all of them.

    Raises:
        GraderError: the command failed.
    """
    print(f"$ nbgrader {' '.join(words)}", flush=True)
    place = cwd or places.course
    process = multiprocessing.get_context("fork").Process(target=_run_command, args=(words, place, places.log))
    process.start()
    process.join()
    if process.exitcode:
        tail = places.log.read_text(encoding="utf-8", errors="replace")[-3000:]
        message = f"`nbgrader {' '.join(words)}` failed. Its last words:\n{tail}"
        raise GraderError(message)


def _run_command(words: Sequence[str], cwd: Path, log: Path) -> None:
    from nbgrader.apps.nbgraderapp import NbGraderApp  # noqa: PLC0415  # two seconds that help must not wait for

    os.chdir(cwd)
    with log.open("a", encoding="utf-8") as file:
        file.write(f"\n$ nbgrader {' '.join(words)}\n")
        file.flush()
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
        NbGraderApp.launch_instance(argv=list(words))
        sys.stdout.flush()


@contextmanager
def _only_inside(folder: Path) -> Iterator[None]:
    """Keep Jupyter's and matplotlib's own files inside `folder`."""
    import nbgrader.apps.nbgraderapp  # noqa: F401, PLC0415  # before the forks

    jupyter = folder / ".jupyter"
    inside = {
        "JUPYTER_CONFIG_DIR": jupyter / "config",
        "JUPYTER_DATA_DIR": jupyter / "data",
        "JUPYTER_RUNTIME_DIR": jupyter / "runtime",
        "IPYTHONDIR": jupyter / "ipython",
        "MPLCONFIGDIR": jupyter / "matplotlib",
        # nbgrader calls the program `alembic`, which stands beside this Python
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
    }
    before = {name: os.environ.get(name) for name in inside}
    os.environ.update({name: str(value) for name, value in inside.items()})
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
