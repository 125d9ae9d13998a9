"""The project's own promises: pins, imports, the release, quick help."""

import re
import shutil
import subprocess
import sys
import tomllib

import pytest
from conftest import LONGEST, ROOT

import course
from autograder import cli
from autograder.sandbox.model import ALL_LAYERS


def _pins():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return dict(line.split("==") for line in project["dependencies"])


def test_conda_pins_equal_pip_pins():
    """environment.yml pins exactly what pyproject.toml pins."""
    text = (ROOT / "environment.yml").read_text(encoding="utf-8")
    conda = dict(re.findall(r"^  - ([a-z0-9-]+)=([\d.post]+)$", text, re.MULTILINE))
    conda.pop("python")

    assert conda == _pins()


def test_lock_agrees_with_the_pins():
    """constraints.txt locks the pinned packages at the pinned versions."""
    locked = dict(line.lower().split("==") for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").split())

    assert {name: locked[name] for name in _pins()} == _pins()


EXPORTED = ["carry_on", "check", "check_before_submitting", "course_map", "hint", "my_line"]


def test_course_exports_what_lessons_use():
    """A lesson imports these names from `course` and no others, and every one of them is there."""
    plots = [name for name in course.__all__ if name.startswith("plot_")]

    assert sorted(set(course.__all__) - set(plots)) == EXPORTED
    assert {"plot_attention", "plot_contributions"} <= set(plots)
    assert all(callable(getattr(course, name)) for name in course.__all__)


def test_imports_run_one_way():
    """`course` never imports the autograder: it is handed out to students."""
    for path in (ROOT / "course").rglob("*.py"):
        assert not re.search(r"^\s*(import|from) autograder", path.read_text(encoding="utf-8"), re.MULTILINE), path


@pytest.mark.parametrize("module", ["course", "course.submission"])
def test_course_needs_only_the_standard_library(module):
    """A lesson can be checked where neither numpy nor matplotlib is installed."""
    code = f"import sys; sys.modules.update(numpy=None, matplotlib=None); import {module}; print('ok')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)

    assert done.stdout == "ok\n", done.stderr


def test_help_imports_nothing_heavy():
    """`autograder --help` waits for neither nbgrader nor numpy nor the lessons."""
    code = (
        "import sys; from autograder.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'nbgrader', 'numpy', 'nbformat', 'nbconvert', 'jinja2', 'autograder.lesson'} & set(sys.modules)\n"
        "print(sorted(heavy), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)

    assert done.stderr == "[]\n"
    assert "release" in done.stdout
    assert "demo" in done.stdout


def test_nbgrader_builds_no_grammars():
    """The pinned jsonschema brings no parser of addresses, whose grammars take seconds at each start of nbgrader."""
    code = "import sys; import nbgrader.apps; print({'jsonschema', 'lark'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)

    assert done.stdout == "{'jsonschema'}\n"


WRONG_PLACES = {
    "no such lesson": (
        ["release", "99_nothing"],
        "there is no lesson '99_nothing'. There is: 00_start_here, 01_encode_text, ",
    ),
    "no such lesson to report": (["report", "99_nothing"], "there is no lesson '99_nothing'"),
    "not a course folder": (["--root", "tests", "demo"], "is not a course folder"),
    "neither a lesson nor all": (["grade"], "name one lesson, or use --all"),
}


@pytest.mark.parametrize(("words", "says"), WRONG_PLACES.values(), ids=WRONG_PLACES)
def test_a_wrong_call_is_told_what_to_do(words, says):
    """A command that cannot be done ends with exit code 2 and a sentence, not a traceback."""
    command = [sys.executable, "-m", "autograder", *words]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)

    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_the_demo_deletes_nothing_but_its_own_folder(tmp_path):
    """A folder `demo/` that the demo did not make is left alone."""
    shutil.copytree(ROOT / "source", tmp_path / "source")
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo" / "thesis.txt").write_text("precious", encoding="utf-8")
    command = [sys.executable, "-m", "autograder", "--root", str(tmp_path), "demo"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)

    assert done.returncode == 2
    assert "move it away" in done.stderr
    assert (tmp_path / "demo" / "thesis.txt").read_text(encoding="utf-8") == "precious"


def test_the_command_knows_the_layers_of_the_sandbox():
    """`--allow-missing` takes exactly the sandbox's layers."""
    assert cli.LAYERS == ALL_LAYERS


def test_the_longest_files_of_tests_are_there():
    """What is to be begun first is the name of a file."""
    assert [name for name in LONGEST if not (ROOT / "tests" / f"{name}.py").is_file()] == []
