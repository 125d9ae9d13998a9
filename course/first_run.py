"""Say it plainly where a cell asks for `solve` before the learner's own cell was run: below Python's own error."""

from __future__ import annotations

import os
import sys
from typing import Any, Final

_RUN_FIRST: Final = (
    "There is no `solve` yet. Run your own cell first, the one that begins `solve`, then run this cell again."
)


def watch_for_solve() -> None:
    """Let the notebook say it after each cell that stops in this way; elsewhere than in a notebook do nothing."""
    notebook = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if notebook is not None and not os.environ.get("NBGRADER_EXECUTION"):
        notebook.events.register("post_run_cell", say_run_first)


def say_run_first(result: Any) -> None:  # noqa: ANN401  # IPython's account of one cell
    """Print it where a cell stopped because its own text asks for `solve`."""
    error = getattr(result, "error_in_exec", None)
    if isinstance(error, NameError) and error.name == "solve":
        print(f"\n{_RUN_FIRST}")
