"""The shares that are promised on the shared solutions, by the scripts that print them."""

import subprocess
import sys

import pytest
from conftest import CASES, NEEDS_CASES, ROOT

pytestmark = pytest.mark.slow


def _run(script, *words):
    command = [sys.executable, str(ROOT / "bench" / script), *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)


@NEEDS_CASES
def test_known_mistakes_are_named():
    """At least 85 % of the files with a known mistake are named rightly, in both places, and no right file is."""
    done = _run("diagnosis.py", str(CASES / "solutions" / "attention"))

    assert done.returncode == 0, done.stdout[-600:] + done.stderr
    assert done.stdout.count("known mistakes named correctly") == 2


@NEEDS_CASES
def test_the_xray_names_the_first_wrong_step():
    """It does so for at least 80 % of the files that nothing else names, and accuses no right one."""
    done = _run("xray.py")

    assert done.returncode == 0, done.stdout[-600:] + done.stderr


def test_no_small_change_slips_through():
    """In every lesson, no right solution that one small change makes wrong keeps full marks."""
    done = _run("mutants.py")

    assert done.returncode == 0, done.stdout[-1000:] + done.stderr
    assert done.stdout.count(" of them wrong") == 11
