"""The reward of chapter 1: the learner's own table of letter pairs invents names.

The names that it learns from are data, in `names.json`; they were put together from syllables and name nobody. What the
lessons teach is not here: the table comes from the notebook, and the ids from the learner's lesson 01 where it is
passed. Here every letter is looked up by itself, and new names are drawn.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Final

from course.carry_on import own_function
from course.compare import close, compare
from course.judging import read_examples
from course.outcomes import Answered
from course.pictures.panels import Squares, draw_squares
from course.pictures.picture import Examples, Picture, Rows, ask, draw, is_finite, rows_of
from course.show_html import inline_code

if TYPE_CHECKING:
    from matplotlib.figure import Figure

END: Final = "."  # stands before the first name, and after each
_UNKNOWN: Final = "?"
_ENCODE_TEXT: Final = "01_encode_text"
_SMOOTHING: Final = 0.01
_INVENTED: Final = 8
_LONGEST: Final = 12  # letters; a name that has not come to an end by then is cut
_TOLD: Final = 4
_HEIGHT: Final = 430  # pixels of the page
_WAITING: Final = "No names yet: they wait for a `solve` that gives every example. The check says what to do first."


@dataclass(frozen=True, repr=False)
class Invented:
    """Invented names, what there is to say about them, and the table that they were drawn from."""

    names: tuple[str, ...]
    says: tuple[str, ...]
    picture: Picture | None = None

    def __repr__(self) -> str:
        """Return everything as text."""
        return "\n".join([*self.names, *self.says, *([repr(self.picture)] if self.picture else [])])

    def _repr_html_(self) -> str:
        words = "".join(f'<li style="font-family:monospace">{inline_code(name)}</li>' for name in self.names)
        names = f'<ol style="margin:6px 0;columns:2 11em;max-width:420px">{words}</ol>' if words else ""
        told = "".join(f'<p style="margin:6px 0;max-width:760px">{inline_code(each)}</p>' for each in self.says)
        return f"<div>{names}{told}{self.picture._repr_html_() if self.picture else ''}</div>"


def invent_names(solve: object, examples: Examples, seed: int = 1) -> Invented:
    """Let the table of `solve` invent names. The random numbers come from the seed: the same seed, the same names.

    It waits until `solve` gives every one of the `examples`.
    """
    names = known_names()
    vocab = [_UNKNOWN, END, *sorted(set("".join(names)))]
    ids, whose = _ids(END + END.join(names) + END, vocab)
    table = _table(solve, ids, len(vocab)) if _gives_all(solve, examples) else None
    if table is None:
        return Invented((), (_WAITING,))
    even = [[0.0] + [1 / (len(vocab) - 1)] * (len(vocab) - 1)] * len(vocab)
    invented, without = (tuple(_draw_names(each, vocab, random.Random(seed))) for each in (table, even))  # noqa: S311
    new = sum(name not in names for name in invented)
    plain = ", ".join(without)
    some = f"{names[0]}, {names[len(names) // 2]} and {names[-1]}"
    says = (
        f"Your table invented these {len(invented)} names, and {new} of them are new.",
        f"It learned from {len(names)} names that were made up from syllables, such as {some}.",
        f"A table with the same number everywhere has learned nothing. With the same random numbers it gives: {plain}.",
        whose,
    )
    return Invented(invented, says, _picture(table, vocab))


@cache
def known_names() -> tuple[str, ...]:
    """Return the names that the table learns from."""
    return tuple(json.loads((files("course.rewards") / "names.json").read_text(encoding="utf-8")))


def _ids(text: str, vocab: list[str]) -> tuple[list[int], str]:
    """Turn the text into ids, with the learner's own lesson 01 where it is passed; say whose function ran."""
    own = own_function(Path("..") / _ENCODE_TEXT, _ENCODE_TEXT)
    answer = ask(own.function, text, vocab, shape=(len(text),))
    right = [vocab.index(letter) for letter in text]
    if answer is not None and list(answer.flat) == right:
        return right, "Your own `solve` of lesson 01 turned the names into ids."
    why = "Your own function gives other ids here." if own.function else own.why_not
    return right, f"The course turned the names into ids. {why}"


def _gives_all(solve: object, examples: Examples) -> bool:
    for example in read_examples(examples):
        numbers = ask(solve, *example.arguments.values(), shape=example.returns.shape)
        if numbers is None or not compare(Answered(numbers), example.returns).passed:
            return False
    return True


def _table(solve: object, ids: list[int], vocab_size: int) -> Rows | None:
    """Ask for the table of the names; None if its rows are no probabilities."""
    numbers = ask(solve, ids, vocab_size, _SMOOTHING, shape=(vocab_size, vocab_size))
    if numbers is None or not is_finite(numbers) or min(numbers.flat) < 0:
        return None
    rows = rows_of(numbers)
    return rows if all(close(math.fsum(row), 1.0) for row in rows) else None


def _draw_names(table: Sequence[Sequence[float]], vocab: Sequence[str], numbers: random.Random) -> Iterator[str]:
    """Draw letter after letter, each from the row of the letter before it, until the end sign comes."""
    for _ in range(_INVENTED):
        name, letter = "", END
        while len(name) < _LONGEST:
            letter = _draw_letter(table[vocab.index(letter)], vocab, numbers.random())
            if letter == END:
                break
            name += letter
        yield name or "(no letter)"


def _draw_letter(row: Sequence[float], vocab: Sequence[str], number: float) -> str:
    """Return the first letter at which the probabilities so far add up to more than the random number."""
    return next((letter for letter, reached in zip(vocab, accumulate(row), strict=True) if number < reached), vocab[-1])


def _picture(table: Rows, vocab: Sequence[str]) -> Picture:
    """Draw the table without the unknown token, which no name holds, and say the likeliest pairs."""
    letters = vocab[1:]
    rows = tuple(row[1:] for row in table[1:])

    def paint(figure: Figure) -> None:
        axes = figure.subplots()
        draw_squares(axes, Squares(rows, letters, letters, "Your table: a darker square is likelier"))
        axes.set_yticks(range(len(letters)), letters)
        axes.set(xlabel="the next letter (the sign . is the end of a name)", ylabel="the letter now")

    best = sorted(
        ((max(row), now, letters[_largest(row)]) for now, row in zip(letters, rows, strict=True)), reverse=True
    )
    told = ", ".join(f"{_spoken(after)} after {now} ({share:.2f})" for share, now, after in best[:_TOLD])
    says = f"Your table of letter pairs as a heat map; a darker square is likelier. The likeliest pairs: {told}."
    return draw(says, _HEIGHT, paint)


def _spoken(letter: str) -> str:
    return "the end" if letter == END else letter


def _largest(row: Sequence[float]) -> int:
    return max(range(len(row)), key=row.__getitem__)
