"""What `bench/mutants.py` finds: a small change of a right solution that makes it wrong costs marks."""

import pytest
from bench_helpers import run_bench

pytestmark = pytest.mark.slow


def test_no_small_change_slips_through():
    """In every lesson, no right solution that one small change makes wrong keeps full marks."""
    done = run_bench("mutants.py")

    assert done.returncode == 0, done.stdout[-1000:] + done.stderr
    assert done.stdout.count(" of them wrong") == 11
