"""A picture with its description, and the ground that every lesson's plot stands on.

A plot asks the learner's own `solve` for numbers, says in words what they show, and draws them. matplotlib is imported
when there is something to draw; without it the words stand alone.
"""

from __future__ import annotations

import base64
import copy
import io
import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from functools import wraps
from html import escape
from typing import TYPE_CHECKING, Any, Final

from course.calling import note_stopped, was_stopped
from course.handed_out import EXAMPLES_CHANGED, are_examples, are_released
from course.of_older import note_on_code
from course.practice import Practice, find_practice
from course.show_html import inline_code
from course.values import Numbers, read_value

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Rows = tuple[tuple[float, ...], ...]
Examples = Sequence[Mapping[str, Any]]
Plot = Callable[[object, Examples], "Picture"]

WIDTH: Final = 420  # pixels on a page; a phone shows it a little smaller
_INCH: Final = 96  # pixels of a page in an inch of matplotlib
_FILE_COLOURS: Final = 256
_FINE: Final = 2  # pixels of the file for one of the page, as fine screens have them
_FINE_ENOUGH: Final = 1.4  # for a tall picture, whose file would be large
_TALL: Final = 450

INK: Final = "#1b1f24"
QUIET: Final = "#57606a"
LINE: Final = "#8a8f98"
# The colours of Okabe and Ito, which the colour-blind can tell apart; the darker ones come first.
COLOURS: Final = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#f0e442")
DIFFERENT: Final = "#d55e00"
_LOOK: Final[dict[Any, Any]] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib: the same everywhere
    "font.size": 10,
    "text.color": INK,
    "text.parse_math": False,
    "axes.edgecolor": LINE,
    "axes.labelcolor": QUIET,
    "axes.titlesize": 10,
    "figure.constrained_layout.w_pad": 0.07,
    "figure.constrained_layout.h_pad": 0.07,
    "hatch.linewidth": 0.7,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
}


@dataclass(frozen=True)
class Picture:
    """A picture with its description. Only an `img` inside HTML keeps the description in a notebook."""

    says: str
    png: bytes = b""
    note: str = ""

    def __repr__(self) -> str:
        """Return the description, and the note below it."""
        return f"{self.says}\n{self.note}".rstrip()

    def _repr_html_(self) -> str:
        note = f'<p style="margin:4px 0">{inline_code(self.note)}</p>' if self.note else ""
        if not self.png:
            return f'<p style="margin:4px 0">{inline_code(self.says)}</p>{note}'
        data = base64.b64encode(self.png).decode("ascii")
        style = "max-width:100%;height:auto;background:#ffffff"
        image = f'<img alt="{escape(self.says)}" src="data:image/png;base64,{data}" width="{WIDTH}" style="{style}">'
        return f"<div>{image}</div>{note}"


def needs_inputs(*inputs: str) -> Callable[[Plot], Plot]:
    """Let a plot draw only examples that have these `inputs`; of others, say that their cell was changed."""

    def decorate(plot: Plot) -> Plot:
        @wraps(plot)
        def plot_if_whole(solve: object, examples: Examples) -> Picture:
            if not are_examples(examples, inputs):
                return Picture(f"There is no picture. {EXAMPLES_CHANGED}")
            return replace(plot(solve, examples), note=note_on_code(solve))

        return plot_if_whole

    return decorate


def ask(solve: object, *arguments: object, shape: tuple[int | None, ...]) -> Numbers | None:
    """Call the learner's `solve` once, on copies and without its prints; None if it gives no numbers of this shape.

    `None` in `shape` allows any length. A function that had to be stopped is not called again. What is wrong with a
    function is the check's to say; a picture only stays away.
    """
    if not callable(solve) or was_stopped(solve):
        return None
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = solve(*copy.deepcopy(arguments))
        numbers = read_value(value)
    except KeyboardInterrupt:
        note_stopped(solve)
        return None
    except BaseException:  # noqa: BLE001  # a learner's code may raise anything
        return None
    if not isinstance(numbers, Numbers) or len(numbers.shape) != len(shape):
        return None
    fits = all(want in {None, size} for size, want in zip(numbers.shape, shape, strict=True))
    return numbers if fits else None


def is_finite(numbers: Numbers) -> bool:
    """Tell whether there is neither nan nor inf among the numbers: a bar cannot show them, a square can name them."""
    return all(map(math.isfinite, numbers.flat))


def rows_of(numbers: Numbers) -> Rows:
    """Return a table's rows. `numbers` has two axes."""
    width = numbers.shape[1]
    return tuple(numbers.flat[at : at + width] for at in range(0, len(numbers.flat), width)) if width else ()


def expected_answer(example: Mapping[str, Any]) -> Numbers | None:
    """Return the right answer of a worked example, which stands in the check cell."""
    numbers = read_value(example.get("returns"))
    return numbers if isinstance(numbers, Numbers) else None


def practice_for(name: str, examples: Examples) -> Practice | None:
    """Return the practice data of the lesson `name` if it is there and belongs to these examples."""
    practice = find_practice(name)
    return practice if practice is not None and are_released(examples, practice) else None


def no_picture(solve: object, needs: str) -> Picture:
    """Say calmly why there is no picture. `needs` completes "a `solve` that gives ..."."""
    if was_stopped(solve):
        return Picture("There is no picture, because you stopped this `solve`. Change it, then run this cell again.")
    return Picture(f"There is no picture yet. It needs a `solve` that gives {needs}. The check says what to do first.")


def draw(says: str, height: float, paint: Callable[[Figure], None]) -> Picture:
    """Let `paint` draw on a white figure, `height` pixels of the page high. The same numbers give the same bytes."""
    try:
        import matplotlib as mpl  # noqa: PLC0415  # slow, and not always there
        from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415
        from matplotlib.figure import Figure  # noqa: PLC0415
        from PIL import Image  # noqa: PLC0415  # matplotlib brings it along
    except ImportError:
        return Picture(f"The picture needs matplotlib, which is not installed here. In words: {says}")
    with mpl.rc_context(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mpl.rcdefaults()  # whatever style the learner's own plots use
        mpl.rcParams.update(_LOOK)
        size = (WIDTH / _INCH, height / _INCH)
        figure = Figure(
            figsize=size,
            dpi=_INCH * (_FINE if height <= _TALL else _FINE_ENOUGH),
            facecolor="white",
            layout="constrained",
        )
        FigureCanvasAgg(figure)
        paint(figure)
        drawn, file = io.BytesIO(), io.BytesIO()
        figure.savefig(drawn, format="png")
    # A palette is enough for flat surfaces, and it makes the file a quarter as large.
    few = Image.open(drawn).convert("RGB").quantize(_FILE_COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    few.save(file, format="png", optimize=True)
    return Picture(says, file.getvalue())
