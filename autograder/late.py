"""What late work costs: nbgrader's own plug-in decides, as the course's configuration names it.

A course without one pays nothing for it: its configuration is looked through as text, and nbgrader, which takes two
seconds to import, stays out.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from jupyter_core.paths import jupyter_config_path

from autograder.feedback_page import render_feedback
from autograder.gradebook import Gradebook
from autograder.lesson import GraderError
from autograder.marks import Deadline
from autograder.one import Graded
from autograder.stamps import handed_in

_FILES: Final = ("jupyter_config.json", "jupyter_config.py", "nbgrader_config.json", "nbgrader_config.py")
# What a file says that configures late work, or has another file say it. `stock.` stands in the list of stages.
_CONFIGURES: Final = re.compile(r"LateSubmission|(?<!stock\.)AssignLatePenalties|load_subconfig")


class LateWork:
    """What late work costs in one lesson. It is for the process that has the gradebook, not for workers."""

    def __init__(self, root: Path, gradebook: Gradebook) -> None:
        files = list(_config_files(root))
        configured = any(_CONFIGURES.search(file.read_text("utf-8", "replace")) for file in files)
        self._default, self._deadlines = gradebook.deadlines() if configured else (Deadline(), {})
        self._stage = _load_stage(root, files) if self._default.due else None

    def may_cost(self, student: str, folder: Path) -> bool:
        """Tell whether the plug-in is to be asked about this work."""
        return self._stage is not None and self._seconds_late(student, folder) > 0

    def charge(self, graded: Graded, folder: Path) -> Graded:
        """Take off what the plug-in says, in the gradebook and on the page; if it fails, the work is not graded."""
        if graded.late_page is None:
            return graded
        score = float(graded.late_page.score or 0.0)
        try:
            penalty = self._penalty(graded.student, score, self._seconds_late(graded.student, folder))
        except Exception as error:  # noqa: BLE001  # a plug-in is anybody's code
            message = f"the plug-in for late work failed ({type(error).__name__}: {error}); see nbgrader_config.py"
            return replace(graded, fault=message, points={}, late_page=None)
        page = replace(graded.late_page, score=score - (penalty or 0.0), late_penalty=penalty or 0.0)
        return replace(graded, penalty=penalty, page=render_feedback(page), late_page=None)

    def _penalty(self, student: str, score: float, seconds: float) -> float | None:
        """Ask as nbgrader does: a new plug-in each time, its answer kept between 0 and the score."""
        stage: Any = self._stage
        stage.init_plugin()
        said = stage.plugin_inst.late_submission_penalty(student, score, seconds)
        if said is None:
            return None
        penalty = float(stage._check_late_penalty(SimpleNamespace(score=score), said))  # noqa: SLF001  # nbgrader's rule
        if not math.isfinite(penalty):
            message = f"it said {penalty}, which is no number of points"
            raise ValueError(message)
        return penalty

    def _seconds_late(self, student: str, folder: Path) -> float:
        deadline = self._deadlines.get(student, self._default)
        moment = handed_in(folder) or deadline.handed_in
        return (moment - deadline.due).total_seconds() if moment and deadline.due else 0.0


def _config_files(root: Path) -> Iterator[Path]:
    """Yield the files that nbgrader reads; what a later one says counts."""
    for folder in (*map(Path, reversed(jupyter_config_path())), root):
        yield from (folder / name for name in _FILES if (folder / name).is_file())


def _load_stage(root: Path, files: list[Path]) -> Any:  # noqa: ANN401  # nbgrader has no type hints
    """Return nbgrader's stage for late work with its configuration; None if the configuration is that it costs nothing.

    Raises:
        GraderError: the configuration or the plug-in cannot be loaded.
    """
    from nbgrader.converters import Autograde  # noqa: PLC0415  # it takes two seconds
    from nbgrader.plugins import LateSubmissionPlugin  # noqa: PLC0415
    from nbgrader.preprocessors import AssignLatePenalties  # noqa: PLC0415
    from traitlets import import_item  # noqa: PLC0415
    from traitlets.config.loader import Config, JSONFileConfigLoader, PyFileConfigLoader  # noqa: PLC0415

    if str(root) not in sys.path:
        sys.path.append(str(root))  # a plug-in may stand beside nbgrader_config.py
    try:
        config = Config()
        for file in files:
            loader = JSONFileConfigLoader if file.suffix == ".json" else PyFileConfigLoader
            config.merge(loader(file.name, str(file.parent)).load_config())
        stages = [import_item(s) if isinstance(s, str) else s for s in Autograde(config=config).autograde_preprocessors]
        kind = next((stage for stage in stages if issubclass(stage, AssignLatePenalties)), None)
        stage = kind and kind(config=config)
        if stage is None or not stage.enabled:
            return None
        stage.init_plugin()
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        message = f"the plug-in for late work cannot be loaded ({what}): mend nbgrader_config.py"
        raise GraderError(message) from error
    free = type(stage.plugin_inst) is LateSubmissionPlugin and stage.plugin_inst.penalty_method == "none"
    return None if free else stage
