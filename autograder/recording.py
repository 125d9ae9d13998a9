"""Write a batch into the gradebook so that a value which the database refuses costs one student, not the batch."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.database import RefusedError
from autograder.gradebook import Gradebook
from autograder.lesson import GraderError
from autograder.marks import Marks


def record(gradebook: Gradebook, batch: Sequence[Marks]) -> dict[str, str]:
    """Write the batch, in halves where a value is refused; return why, for each student who is not written."""
    try:
        gradebook.record(batch)
    except RefusedError as error:
        if len(batch) == 1:
            return {batch[0].student: str(error)}
        half = len(batch) // 2
        return record(gradebook, batch[:half]) | record(gradebook, batch[half:])
    except GraderError as error:
        return {marks.student: str(error) for marks in batch}
    return {}
