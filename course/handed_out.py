"""Say what is not as it was handed out, and what to do: the practice file, or the cell with the examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from course.judging import read_examples
from course.practice import Practice, find_practice, practice_places

EXAMPLES_CHANGED: Final = (
    "The cell with the examples was changed: they are not those of the lesson. Undo the change, or copy this cell "
    "again from the lesson's notebook in the handout. Then run it. The grader uses the lesson's own examples."
)


def say_no_practice(name: str) -> str:
    """Say what is wrong with the practice file of the lesson `name`; empty if it can be read."""
    if find_practice(name) is not None:
        return ""
    if any(file.exists() for file in practice_places(name)):
        return f"The practice file `{name}.json` beside the notebook is damaged. Copy it again from the handout."
    return f"The practice file `{name}.json` is not beside the notebook. Copy it there from the handout."


def are_examples(examples: object, inputs: Sequence[str] = ()) -> bool:
    """Tell whether these can be a lesson's examples: at least one, each with an answer and the `inputs`."""
    try:
        return all(set(inputs) <= set(each.arguments) for each in read_examples(examples))  # type: ignore[arg-type]
    except (ValueError, TypeError, AttributeError):  # whatever stands in the cell now
        return False


def are_released(examples: Sequence[Mapping[str, Any]], practice: Practice) -> bool:
    """Tell whether these are the examples of the practice file."""
    return are_examples(examples) and read_examples(examples) == practice.examples
