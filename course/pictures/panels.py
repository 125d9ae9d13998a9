"""What a lesson's plot is made of, each drawn into one axes: squares, bars, stacked bars, a strip of boxes, curves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from course.pictures.picture import COLOURS, DIFFERENT, INK, LINE, QUIET, Rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Place = tuple[int, int]  # row, column

_MOST_SQUARES: Final = (12, 8)  # rows, columns: with more of them the squares are too small for numbers
_LETTERS: Final = 66  # so many fit below a heat map that is as wide as the picture
_WIDE_ENOUGH: Final = 0.24  # the share of the longest bar that has room for a word
_NOT_A_NUMBER: Final = "#d0d7de"
_CONTRASTS: Final = ("#000000", "#ffffff")


@dataclass(frozen=True)
class Squares:
    """A table to draw as a heat map.

    `hidden` squares are hatched, `outlined` ones get a thick border. `sums` writes each row's sum at its side. Without
    `limits` the colours reach from 0 to 1; with negative numbers the two limits should be alike.
    """

    rows: Rows
    row_labels: Sequence[str]
    column_labels: Sequence[str]
    title: str = ""
    hidden: frozenset[Place] = frozenset()
    outlined: frozenset[Place] = frozenset()
    sums: bool = False
    digits: int = 2
    limits: tuple[float, float] = (0.0, 1.0)


@dataclass(frozen=True)
class Stack:
    """A bar made of several numbers: its label, a word inside each part that is wide enough, a note at its end."""

    label: str
    numbers: Sequence[float]
    words: Sequence[str]
    note: str


def draw_grid(figure: Figure, tables: Sequence[Squares], columns: int = 2) -> None:
    """Draw small heat maps side by side, `columns` in a line, in reading order; those in a line share row labels."""
    lines = math.ceil(len(tables) / columns)
    grid = figure.subplots(lines, columns, squeeze=False)
    for at, axes in enumerate(grid.flat):
        if at < len(tables):
            draw_squares(axes, tables[at])
            axes.tick_params(labelleft=at % columns == 0)
        else:
            axes.set_axis_off()


def short(number: float, digits: int = 2) -> str:
    """Write a few decimals; exactly 0 stays "0", so that a mask shows, and a small number is not written as "-0.00"."""
    text = f"{number:.{digits}f}" if number else "0"
    return text.removeprefix("-") if not text.strip("-0.") else text


def _plain(number: float) -> str:
    """Write at most two decimals."""
    return f"{number:g}" if round(number, 2) == number else short(number)


def draw_squares(axes: Axes, squares: Squares) -> None:
    """Draw a heat map with the numbers in its squares."""
    from matplotlib import colormaps  # noqa: PLC0415  # matplotlib is imported when there is a plot
    from matplotlib.colors import Normalize  # noqa: PLC0415

    axes.set_title(squares.title, loc="left")
    if not squares.rows:
        axes.text(0.5, 0.5, "no numbers", ha="center", va="center", transform=axes.transAxes)
        axes.set(xticks=[], yticks=[])
        return
    colours = colormaps["PuOr" if squares.limits[0] < 0 else "Blues"]
    scale = Normalize(*squares.limits, clip=True)
    columns = len(squares.column_labels)
    written = len(squares.rows) <= _MOST_SQUARES[0] and columns <= _MOST_SQUARES[1]
    for row, numbers in enumerate(squares.rows):
        for column, number in enumerate(numbers):
            colour = colours(scale(number)) if math.isfinite(number) else _NOT_A_NUMBER
            _square(axes, (row, column), colour, squares, edge=0.6 * written)
            if written:
                back = colour if (row, column) in squares.hidden else "none"
                _write(axes, column, row, short(number, squares.digits), on=colour, back=back)
        if squares.sums and written:
            total = f"sum {short(math.fsum(numbers)) if all(map(math.isfinite, numbers)) else 'nan'}"
            axes.text(columns - 0.4, row, total, ha="left", va="center", fontsize=9)
    axes.set(xlim=(-0.5, columns - 0.5), ylim=(len(squares.rows) - 0.5, -0.5))
    place = axes.get_subplotspec()
    beside = place.get_gridspec().ncols if place else 1
    _label(axes.set_xticks, squares.column_labels, most=_LETTERS // beside // (2 + len(squares.column_labels[-1])))
    _label(axes.set_yticks, squares.row_labels)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def _square(axes: Axes, place: Place, colour: Any, squares: Squares, *, edge: float) -> None:  # noqa: ANN401
    from matplotlib.patches import Rectangle  # noqa: PLC0415

    row, column = place
    corner = (column - 0.5, row - 0.5)
    hatch = "///" if place in squares.hidden else None
    axes.add_patch(Rectangle(corner, 1, 1, facecolor=colour, edgecolor=LINE, linewidth=edge, hatch=hatch))
    if place in squares.outlined:
        inner = (column - 0.46, row - 0.46)
        axes.add_patch(Rectangle(inner, 0.92, 0.92, fill=False, edgecolor=DIFFERENT, linewidth=2.4, zorder=2.5))


def draw_bars(  # noqa: PLR0913  # what a bar chart needs
    axes: Axes,
    heights: Sequence[float],
    labels: Sequence[str],
    marks: Sequence[float] = (),
    *,
    colour: str = COLOURS[0],
    level: float = math.nan,
) -> None:
    """Draw one bar for each number, with the number at its end. `marks` are short lines at other heights.

    A number that would stand in the way of a line at the height `level` stands inside its bar.
    """
    axes.bar(range(len(heights)), heights, width=0.6, color=colour)
    axes.axhline(0, color=LINE, linewidth=0.8)
    for at, mark in enumerate(marks):
        axes.hlines(mark, at - 0.42, at + 0.42, color=DIFFERENT, linewidth=2.4)
    for at, height in enumerate(heights):
        room = 0.3 * (max(*heights, 0) - min(*heights, 0))
        inside = 0 <= height < level <= height + room
        side, away = ("bottom", 6) if height >= 0 and not inside else ("top", -6)
        text = axes.annotate(
            _plain(height), (at, height), (0, away), textcoords="offset points", ha="center", va=side, zorder=4
        )
        # Wide enough that a line behind the number cannot be read as a minus sign.
        if not inside:
            text.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 4 if marks else 1})
    middle, reach = (len(heights) - 1) / 2, max(len(heights) / 2 + 0.1, 1.6)
    axes.set_xlim(middle - reach, middle + reach)
    axes.margins(y=0.3)
    _label(axes.set_xticks, labels)
    axes.set_yticks([])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def draw_stacks(axes: Axes, stacks: Sequence[Stack], parts: Sequence[str]) -> None:
    """Draw one lying bar for each stack: its positive numbers to the right of 0, the others to the left.

    `parts` names the numbers of a stack in the legend.
    """
    above, below = (max(sum(max(sign * n, 0) for n in stack.numbers) for stack in stacks) for sign in (1, -1))
    for at, stack in enumerate(stacks):
        ends = {True: 0.0, False: 0.0}
        for part, (number, word) in enumerate(zip(stack.numbers, stack.words, strict=True)):
            start, right = ends[number >= 0], number >= 0
            axes.barh(at, number, left=start, height=0.6, color=_colour(part), edgecolor="white", linewidth=1)
            if abs(number) > _WIDE_ENOUGH * (above + below):
                _write(axes, start + number / 2, at, word, on=_colour(part), size=9)
            ends[right] += number
        axes.annotate(stack.note, (ends[True], at), (6, 0), textcoords="offset points", va="center", fontsize=9)
    axes.axvline(0, color=LINE, linewidth=0.8)
    axes.set_ylim(len(stacks) - 0.5, -0.5)
    _label(axes.set_yticks, [stack.label for stack in stacks])
    axes.set_xticks([0], ["0"])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    handles = [_patch(part, name) for part, name in enumerate(parts)]
    figure = axes.get_figure(root=True)
    if figure is not None:
        figure.legend(handles=handles, loc="outside lower left", ncols=3, frameon=False, fontsize=9)


def draw_strip(axes: Axes, pieces: Sequence[str], below: Sequence[str], colours: Sequence[str]) -> None:
    """Draw pieces of text as boxes in one line, each as wide as its text, with a word below it."""
    left = 0.0
    for piece, word, colour in zip(pieces, below, colours, strict=True):
        width = 0.6 + 0.4 * max(len(piece), len(word))
        axes.barh(0, width, left=left, height=0.8, color=colour, edgecolor="white", linewidth=2)
        _write(axes, left + width / 2, 0, piece, on=colour)
        axes.text(left + width / 2, -0.55, word, ha="center", va="top", fontsize=9, color=QUIET)
        left += width
    axes.set(xlim=(0, max(left, 8)), ylim=(-1.1, 0.5))
    axes.set_axis_off()


def draw_curves(axes: Axes, x: Sequence[float], curves: dict[str, Sequence[float]]) -> None:
    """Draw lines over the same `x`, each in its own colour and dash, with its name in the legend."""
    dashes = ("-", "--", "-.", ":")
    for at, (name, y) in enumerate(curves.items()):
        axes.plot(x, y, color=_colour(at), linestyle=dashes[at % len(dashes)], linewidth=2, label=name)
    if len(curves) > 1:
        axes.legend(frameon=False, fontsize=9)
    _quiet_frame(axes)


def draw_points(
    axes: Axes, x: Sequence[float], y: Sequence[float], names: Sequence[str] = (), *, rising: bool = False
) -> None:
    """Mark points on a curve, each with its name at the right: above a falling curve, below a `rising` one."""
    axes.plot(x, y, "o", color=DIFFERENT, markeredgecolor="white", markersize=8, zorder=3)
    side, away = ("top", -5) if rising else ("bottom", 4)
    named: dict[tuple[float, float], list[str]] = {}
    for across, up, name in zip(x, y, names, strict=False):
        named.setdefault((round(across, 2), round(up, 2)), []).append(name)
    for place, together in named.items():
        axes.annotate(", ".join(together), place, (8, away), textcoords="offset points", va=side, fontsize=9)


def draw_level(axes: Axes, height: float, name: str) -> None:
    """Draw a dashed line across the axes at one height, with its name at the right."""
    axes.axhline(height, color=DIFFERENT, linestyle="--", linewidth=1.4)
    across = axes.get_yaxis_transform()
    axes.text(1.01, height, name, transform=across, va="center", fontsize=9, color=INK)


def _colour(part: int) -> str:
    return COLOURS[part % len(COLOURS)]


def _patch(part: int, name: str) -> Any:  # noqa: ANN401  # matplotlib is not imported here yet
    from matplotlib.patches import Patch  # noqa: PLC0415

    return Patch(facecolor=_colour(part), label=name)


def _write(axes: Axes, across: float, up: float, text: str, *, on: Any, back: Any = "none", size: int = 11) -> None:  # noqa: ANN401, PLR0913  # as matplotlib's own
    """Write `text` in the middle, black or white, whichever reads better on its ground."""
    box = {"boxstyle": "square,pad=0.15", "facecolor": back, "edgecolor": "none"}
    axes.text(across, up, text, ha="center", va="center", fontsize=size, color=_readable(on), bbox=box, zorder=3)


def _readable(ground: Any) -> str:  # noqa: ANN401
    """Choose black or white by the contrast that WCAG defines: one of them always has 4.5 to 1."""
    from matplotlib.colors import to_rgb  # noqa: PLC0415

    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4  # noqa: PLR2004
        for part in to_rgb(ground)
    )
    light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return _CONTRASTS[light < 0.179]  # noqa: PLR2004  # there both have the same contrast


def _label(set_ticks: Any, labels: Sequence[str], most: int = 16) -> None:  # noqa: ANN401
    """Write the labels along an axis, only every second or third where there are too many."""
    step = max(1, math.ceil(len(labels) / max(1, most)))
    set_ticks(range(0, len(labels), step), labels[::step])


def _quiet_frame(axes: Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(length=0)
