"""Build the wheel that students install: the package `course` alone, as a distribution of its own.

The project itself installs `course` together with the grader. The students' wheel is built beside it, in a temporary
folder, from a copy of `course/` and a `pyproject.toml` written for it. It has no dependencies: a hub, Colab or an older
laptop keeps the numpy and matplotlib it has, and the lesson can be checked without either.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from autograder.lesson import GraderError

DISTRIBUTION: Final = "transformer-course-student"
_DATA: Final = ("py.typed", "*.json")  # what the package holds besides modules
_PYPROJECT: Final = """\
[build-system]
requires = {requires}
build-backend = "setuptools.build_meta"

[project]
name = "{name}"
version = "{version}"
description = "What a student's notebook imports: the check, its words, the plots"
requires-python = ">={python}"

[tool.setuptools.packages.find]
include = ["course*"]

[tool.setuptools.package-data]
"*" = {data}
"""
_FIRST_SECOND: Final = "315532800"  # of 1980: the earliest that a wheel can say


@dataclass(frozen=True)
class Project:
    """What the handout takes from `pyproject.toml`. `python` is the oldest version that will do; `pins` are exact."""

    version: str
    python: str
    pins: Mapping[str, str]
    build_requires: tuple[str, ...]


def read_project(root: Path) -> Project:
    """Read the project's version and pins.

    Raises:
        GraderError: this is not the project's own folder.
    """
    try:
        written = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
        return Project(
            version=written["project"]["version"],
            python=written["project"]["requires-python"].removeprefix(">="),
            pins=dict(line.split("==") for line in written["project"]["dependencies"]),
            build_requires=tuple(written["build-system"]["requires"]),
        )
    except (OSError, KeyError, ValueError) as error:
        message = f"the handout is made in the project's own folder, with its pyproject.toml; not in {root}: {error}"
        raise GraderError(message) from error


def build_wheel(course: Path, project: Project) -> tuple[str, bytes]:
    """Return the wheel's file name and its bytes, the same for the same files.

    Raises:
        GraderError: pip or setuptools failed, for instance because the package registry cannot be reached.
    """
    with tempfile.TemporaryDirectory() as place:
        project_folder, wheels = Path(place, "project"), Path(place, "wheels")
        _copy(course, project_folder / "course")
        (project_folder / "pyproject.toml").write_text(_pyproject(project), encoding="utf-8")
        options = ("--no-deps", "--quiet", "--wheel-dir", str(wheels))
        done = subprocess.run(  # noqa: S603  # our own words
            [sys.executable, "-m", "pip", "wheel", *options, str(project_folder)],
            env=os.environ | {"SOURCE_DATE_EPOCH": _FIRST_SECOND},
            umask=0o022,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            message = f"the wheel of `course` could not be built:\n{done.stderr[-2000:]}"
            raise GraderError(message)
        (wheel,) = wheels.iterdir()
        return wheel.name, wheel.read_bytes()


def _copy(package: Path, target: Path) -> None:
    """Copy modules and data; caches stay behind, and local permissions too, which a wheel would carry on."""
    for path in sorted(package.rglob("*")):
        if any(map(path.match, ("*.py", *_DATA))):
            copy = target / path.relative_to(package)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
            copy.chmod(0o644)


def _pyproject(project: Project) -> str:
    return _PYPROJECT.format(
        requires=json.dumps(project.build_requires),
        name=DISTRIBUTION,
        version=project.version,
        python=project.python,
        data=json.dumps(_DATA),
    )
