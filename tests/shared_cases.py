"""The shared cases, made once a run from the real release."""

import atexit
import functools
import subprocess
import sys
import tempfile
from pathlib import Path

from conftest import CASES, LESSON, ROOT

_FOLDER = tempfile.TemporaryDirectory(prefix="cases-")
atexit.register(_FOLDER.cleanup)


@functools.cache
def made_cases():
    """Write the case folders and return where they are."""
    script, release = CASES / "notebooks" / "make_cases.py", ROOT / "release" / LESSON / "attention.ipynb"
    subprocess.run(
        [sys.executable, script, "--release", release, "--out", _FOLDER.name], check=True, capture_output=True
    )
    return Path(_FOLDER.name)
