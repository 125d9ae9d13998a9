"""Run a script of `bench/`."""

import subprocess
import sys

from conftest import ROOT


def run_bench(script, *words):
    """Return how it ended, with what it printed."""
    command = [sys.executable, str(ROOT / "bench" / script), *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
