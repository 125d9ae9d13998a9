"""The shares that are promised on the shared solutions, by the scripts that print them."""

import pytest
from bench_helpers import run_bench
from conftest import CASES, NEEDS_CASES

pytestmark = [NEEDS_CASES, pytest.mark.slow]


def test_known_mistakes_are_named():
    """At least 85 % of the files with a known mistake are named rightly, in both places, and no right file is."""
    done = run_bench("diagnosis.py", str(CASES / "solutions" / "attention"))

    assert done.returncode == 0, done.stdout[-600:] + done.stderr
    assert done.stdout.count("known mistakes named correctly") == 2


def test_the_xray_names_the_first_wrong_step():
    """It does so for at least 80 % of the files that nothing else names, and accuses no right one."""
    done = run_bench("xray.py")

    assert done.returncode == 0, done.stdout[-600:] + done.stderr
