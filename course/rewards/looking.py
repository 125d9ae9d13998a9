"""Where one attention head looks while a word is written back to front: in words, and as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from course.pictures.panels import Squares, draw_squares, short
from course.pictures.picture import Picture, draw

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_HEIGHT: Final = 310  # pixels of the page


@dataclass(frozen=True)
class Head:
    """One head's weights: a row for each letter written, a column for each letter of `text`, "abcde|edcb"."""

    number: int
    text: str
    rows: Sequence[Sequence[float]]

    @property
    def letters(self) -> str:
        """Return the letters that are written, in order."""
        return self.text[len(self.rows) - 1 :: -1]

    @property
    def copied(self) -> list[float]:
        """Return, for each letter written, the weight of the place it is copied from: from the last to the first."""
        return [row[len(self.rows) - 1 - at] for at, row in enumerate(self.rows)]

    @property
    def places(self) -> int:
        """Return at how many letters the head gives its largest weight to the place to copy from."""
        return sum(weight == max(row) for weight, row in zip(self.copied, self.rows, strict=True))

    @property
    def sentence(self) -> str:
        """Say how well the head looks at the right places."""
        many = len(self.rows)
        return f"Head {self.number} gives its largest weight to the letter to copy for {self.places} of {many} letters."


def draw_head(head: Head) -> Picture:
    """Draw the head's weights; the place to copy from has a thick border, what is still unwritten is hatched."""
    many = len(head.rows)
    squares = Squares(
        rows=tuple(map(tuple, head.rows)),
        row_labels=[f"writes {letter}" for letter in head.letters],
        column_labels=list(head.text),
        title=f"Attention weights of head {head.number}",
        hidden=frozenset((r, c) for r in range(many) for c in range(many + 1 + r, len(head.text))),
        outlined=frozenset((r, many - 1 - r) for r in range(many)),
    )

    def paint(figure: Figure) -> None:
        axes = figure.subplots()
        draw_squares(axes, squares)
        axes.set_xlabel("letters read (hatched: not written yet)\nthick border: the letter to copy; | ends the word")

    told = [
        f"Writing {letter}, it gives {short(weight)} to letter {many - at} of the word."
        for at, (letter, weight) in enumerate(zip(head.letters, head.copied, strict=True))
    ]
    opening = f"Attention weights of head {head.number} while the model reads {head.text[:many]}, bar"
    return draw(f"{opening}, and writes {head.letters}. {' '.join(told)}", _HEIGHT, paint)
