"""A course root of its own, in which tests run nbgrader's commands as a person does."""

import atexit
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from conftest import LESSON, ROOT

from autograder.demo import STUDENT_CONFIG


class Round:
    """A course root, a student's desk beside it, and everything nbgrader said."""

    def __init__(self, folder: Path) -> None:
        self.course = folder / "course-root"
        self.desk = folder / "desk"
        self.said: dict[str, str] = {}
        inside = {"JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "JUPYTER_RUNTIME_DIR": "run"}
        self.environment = os.environ | {name: str(folder / "jupyter" / part) for name, part in inside.items()}
        self.environment["IPYTHONDIR"] = str(folder / "jupyter" / "ipython")
        self.environment["MPLCONFIGDIR"] = str(folder / "jupyter" / "matplotlib")
        self.environment["HOME"] = str(folder / "home")
        self.environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        (folder / "home").mkdir()
        self.desk.mkdir()
        shutil.copytree(ROOT / "source", self.course / "source")
        shutil.copy(ROOT / "nbgrader_config.py", self.course)
        config = STUDENT_CONFIG.format(exchange=str(self.course / "exchange"), cache=str(folder / "cache"))
        (self.desk / "nbgrader_config.py").write_text(config, encoding="utf-8")

    def run(self, *words: str, at: Path | None = None, expect: int = 0) -> None:
        """Run one nbgrader command as a person does and keep what it said."""
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", *words],
            cwd=at or self.course,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        self.said[words[0]] = done.stdout + done.stderr
        assert done.returncode == expect, f"nbgrader {' '.join(words)}\n{done.stdout}\n{done.stderr}"

    def release(self) -> None:
        """Bring what `nbgrader generate_assignment` makes of the lesson: it is made once, and copied."""
        made = _made_once()
        shutil.copytree(made / "release", self.course / "release")
        shutil.copy(made / "gradebook.db", self.course)

    def notebook(self, folder: str, student: str = ".") -> Path:
        """Return the path of a student's notebook in one of nbgrader's folders."""
        return self.course / folder / student / LESSON / "attention.ipynb"


@cache
def _made_once() -> Path:
    """Return a course root in which nbgrader has made the release; it is there as long as this process."""
    folder = TemporaryDirectory(prefix="released-")
    atexit.register(folder.cleanup)
    this = Round(Path(folder.name))
    this.run("generate_assignment", LESSON)
    return this.course
