"""The reward of chapter 2: one sentence as vectors, before and after the learner's own layers.

The tables and weights are data, in `sentence.json`. What the lessons teach is not here: where the learner has not
passed lesson 05, the vectors that it would make are read from the data, and lesson 06 is left out.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final

from course.carry_on import own_function
from course.compare import compare
from course.outcomes import Answered
from course.pictures.panels import Squares, draw_grid, short
from course.pictures.picture import Picture, Rows, ask, draw, no_picture, rows_of
from course.practice import find_practice

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_OWN: Final = "07_layer_norm"
_NOT_YET: Final = (
    "The sentence waits for a `solve` that gives every example of the check. The check says what to do first."
)
_EMBED: Final = "05_embed_tokens"
_FEED_FORWARD: Final = "06_feed_forward"
_LETTERS: Final = 54  # so many fit below the picture


@dataclass(frozen=True)
class _Stage:
    """The rows of the sentence at one place of the way, and what has just happened to them."""

    title: str
    rows: Rows


def show_sentence(solve: object) -> Picture:
    """Draw the sentence's vectors before and after layer norm, `solve`, and after the learner's feed-forward layer."""
    data = _data()
    before, notes = _embedded(data)
    normed = _ask(solve, data, before.rows, "gain", "bias", "eps")
    if normed is None:
        return no_picture(solve, "one row of numbers for each row of X")
    if not _gives_examples(solve):
        return Picture(_NOT_YET)
    stages = [before, _Stage("after your layer norm", normed)]
    own = own_function(Path("..") / _FEED_FORWARD, _FEED_FORWARD)
    moved = _ask(own.function, data, normed, "W1", "b1", "W2", "b2")
    if moved is None:
        notes.append(f"The feed-forward layer of lesson 06 is left out. {own.why_not}".rstrip())
    else:
        stages.append(_Stage("after your feed-forward layer, from lesson 06", moved))
    return _draw(data["words"], stages, notes)


def _gives_examples(solve: object) -> bool:
    """Tell whether `solve` gives every example of its lesson; without the practice file none is known."""
    practice = find_practice(_OWN.partition("_")[2])
    for example in practice.examples if practice else ():
        answer = ask(solve, *example.arguments.values(), shape=example.returns.shape)
        if answer is None or not compare(Answered(answer), example.returns).passed:
            return False
    return True


def _embedded(data: dict[str, Any]) -> tuple[_Stage, list[str]]:
    """Return the vectors from the learner's own lesson 05; from the data, and a note, where it is not passed."""
    own = own_function(Path("..") / _EMBED, _EMBED)
    shape = len(data["ids"]), len(data["gain"])
    answer = ask(own.function, data["ids"], data["token_table"], data["position_table"], 0, shape=shape)
    if answer is not None:
        return _Stage("before: vectors from your lesson 05", rows_of(answer)), []
    rows = tuple(map(tuple, data["vectors"]))
    note = f"The vectors of lesson 05 are the course's. {own.why_not}".rstrip()
    return _Stage("before: the course's vectors", rows), [note]


def _ask(function: object, data: dict[str, Any], rows: Rows, *names: str) -> Rows | None:
    """Call a layer on the rows; the names are those of its other inputs in the data."""
    X = [list(row) for row in rows]
    answer = ask(function, X, *(data[name] for name in names), shape=(len(X), len(X[0])))
    return rows_of(answer) if answer is not None else None


def _draw(words: Sequence[str], stages: Sequence[_Stage], notes: Sequence[str]) -> Picture:
    limit = max(map(_size, (row for stage in stages for row in stage.rows))) or 1.0

    def paint(figure: Figure) -> None:
        columns = [str(column) for column in range(len(stages[0].rows[0]))]
        draw_grid(
            figure,
            [Squares(stage.rows, words, columns, stage.title, digits=1, limits=(-limit, limit)) for stage in stages],
            columns=1,
        )
        if notes:
            figure.supxlabel("\n".join(line for note in notes for line in wrap(note, _LETTERS)), fontsize=10)

    says = [f"The sentence “{' '.join(words)}” as vectors, one row for each word."]
    for stage in stages:
        sizes = ", ".join(f"“{word}” {short(_size(row), 1)}" for word, row in zip(words, stage.rows, strict=True))
        says.append(f"{stage.title.capitalize()}: the largest size in each row is {sizes}.")
    height = len(stages) * (48 + 34 * len(words)) + 40 * len(notes)
    return draw(" ".join([*says, *notes]), height, paint)


def _size(row: Sequence[float]) -> float:
    """Return how far the numbers of a row reach from 0."""
    return max((abs(number) for number in row if math.isfinite(number)), default=0.0)


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = json.loads((files("course.rewards") / "sentence.json").read_text(encoding="utf-8"))
    return data
