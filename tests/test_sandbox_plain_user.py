"""The attack table and the honest styles hold as well where the grader itself is an ordinary user.

The tests of the sandbox are run once more by a user without rights, from a copy that this user may read.
"""

import os
import pwd
import re
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import pytest
from conftest import ROOT

USER = "nobody"
PACKAGES = ("numpy", "numpy.libs", "pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "py.py")
TESTS = ("test_sandbox_attacks.py", "test_sandbox_styles.py", "test_sandbox_gate.py", "test_sandbox_limits.py")
# Attacks, lies, bombs, styles. Where namespaces are forbidden, the attacks run with one set of layers out of three.
AT_LEAST = 200


def pythons():
    """Name what may be a Python of this version that anyone may start."""
    name = f"python3.{sys.version_info.minor}"
    places = (Path(sys.executable).resolve(), *(Path(folder, name) for folder in ("/usr/local/bin", "/usr/bin")))
    return [str(place) for place in places if place.exists()]


def run_as(user, command, environment=None, cwd="/"):
    """Run a command as another user, with no groups and an environment of its own."""
    return subprocess.run(
        command,
        user=user.pw_uid,
        group=user.pw_gid,
        extra_groups=[],
        env={"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8", **(environment or {})},
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def user():
    """An ordinary user of this machine."""
    if os.getuid() != 0:
        pytest.skip("only root can become another user; as a plain user every test is this one")
    try:
        return pwd.getpwnam(USER)
    except KeyError:
        pytest.skip(f"this machine has no user called {USER}")


@pytest.fixture(scope="module")
def python(user):
    """A Python of this version that this user may start."""
    for candidate in pythons():
        try:
            if run_as(user, [candidate, "-c", "import ctypes"]).returncode == 0:
                return candidate
        except OSError:
            continue
    return pytest.skip(f"no Python 3.{sys.version_info.minor} here that another user may start: {pythons()}")


@pytest.fixture(scope="module")
def copy(user):
    """A folder that anyone may read, with the project, numpy and pytest in it; in `base` the user may write."""
    skip = shutil.ignore_patterns("__pycache__", "lessons", "templates", "nbgrader*")
    with tempfile.TemporaryDirectory(prefix="plain-user-") as name:
        folder = Path(name)
        site = Path(find_spec("numpy").origin).parents[1]
        for package in PACKAGES:
            if (site / package).is_dir():
                shutil.copytree(site / package, folder / "lib" / package, ignore=shutil.ignore_patterns("__pycache__"))
            elif (site / package).is_file():
                shutil.copy(site / package, folder / "lib" / package)
        for package in ("course", "autograder"):
            shutil.copytree(ROOT / package, folder / package, ignore=skip)
        (folder / "tests").mkdir()
        for file in ("pyproject.toml", *(f"tests/{test}" for test in TESTS)):
            shutil.copy(ROOT / file, folder / file)
        (folder / "base").mkdir()
        subprocess.run(["/bin/chmod", "-R", "a+rX", name], check=True)
        os.chown(folder / "base", user.pw_uid, user.pw_gid)
        yield folder


def paths(copy):
    """Say where the copy's Python finds everything."""
    return {"PYTHONPATH": f"{copy}:{copy / 'lib'}", "PYTHONDONTWRITEBYTECODE": "1"}


@pytest.mark.slow
def test_all_attacks_fail_and_all_styles_pass(user, python, copy):
    """Not one attack gets anything, and every honest style is answered, when a plain user grades."""
    command = [python, "-m", "pytest", "--noconftest", "-q", "-p", "no:cacheprovider", f"--basetemp={copy / 'base/t'}"]
    done = run_as(user, [*command, *(f"tests/{test}" for test in TESTS)], paths(copy), cwd=copy)

    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) >= AT_LEAST, done.stdout[-500:]


@pytest.mark.slow
def test_the_doctor_finds_nothing_missing_that_a_plain_user_needs(user, python, copy):
    """For a plain user the layer of the user is not needed, and the self-test comes out as it must."""
    done = run_as(user, [python, "-m", "autograder", "doctor"], paths(copy), cwd=copy)

    assert done.returncode in (0, 1), done.stdout + done.stderr
    assert "not needed: the grader is not root" in done.stdout
    assert "FAILED" not in done.stdout
