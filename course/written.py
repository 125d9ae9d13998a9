"""Say by its text alone whether `solve` is written in a notebook. Nothing of the student's is run."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from course.cell_text import code_in, is_finished, is_stub, source_of


class Written(Enum):
    """What a notebook holds of `solve`."""

    FINISHED = "it is defined"
    AS_GIVEN = "only as it was given"
    ELSEWHERE = "a cell names it, and none defines it"
    NOT = "nothing"


def what_is_written(notebook: Mapping[str, Any]) -> Written:
    """Look at every cell: a student may have written `solve` in any, also in one that became text."""
    texts = [source_of(cell) for cell in notebook["cells"]]
    codes = [code_in(text) for text in texts]
    if any(map(is_finished, codes)):
        return Written.FINISHED
    if any(map(is_stub, codes)):
        return Written.AS_GIVEN
    return Written.ELSEWHERE if any("solve" in code for code in codes) else Written.NOT
