"""Draw the class report's pictures with matplotlib: each once for a light page and once for a dark one, as SVG.

What a picture shows is also in its description, which is made from the same facts.
"""

from __future__ import annotations

import base64
import io
import math
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from matplotlib import rc_context
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from autograder.class_report_facts import ClassFacts, Count, Mark
from course.wording import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_BARS: Final = 12
_MOST_IDS: Final = 60
_LONGEST_ID: Final = 12
_WRAP: Final = 44
_SETTINGS: Final[dict[Any, Any]] = {
    "font.size": 10,
    "svg.fonttype": "none",
    "svg.hashsalt": "class report",
    "axes.linewidth": 0.8,
}


@dataclass(frozen=True)
class Picture:
    """One picture: its description and the data of its two files."""

    says: str
    light: str
    dark: str
    width: int
    height: int


@dataclass(frozen=True)
class _Theme:
    """The colours of a page; marks differ in brightness, so that they differ without colour too."""

    text: str
    quiet: str
    line: str
    page: str
    bar: str
    marks: dict[Mark, str]


_LIGHT: Final = _Theme(
    text="#1b1f24",
    quiet="#57606a",
    line="#d0d7de",
    page="#ffffff",
    bar="#3d6fa8",
    marks={Mark.RIGHT: "#dcebe1", Mark.WRONG: "#d9772b", Mark.NO_ANSWER: "#4a2140", Mark.NOT_RUN: "#ffffff"},
)
_DARK: Final = _Theme(
    text="#e6e8ea",
    quiet="#a5adb5",
    line="#3a4148",
    page="#14171a",
    bar="#79b8ff",
    marks={Mark.RIGHT: "#223a30", Mark.WRONG: "#e08a3c", Mark.NO_ANSWER: "#f7e9c8", Mark.NOT_RUN: "#14171a"},
)


def draw_points(facts: ClassFacts) -> Picture:
    """Draw how many students have how many points."""
    bars = facts.points
    width, height = 4.2, 2.3

    def draw(figure: Figure, theme: _Theme) -> None:
        axes = _axes(figure, (0.65, 0.55, width - 0.75, height - 0.65), theme)
        axes.bar(range(len(bars)), [bar.number for bar in bars], width=0.8, color=theme.bar)
        for at, bar in enumerate(bars):
            if bar.number:
                axes.text(at, bar.number, f"{bar.number}", ha="center", va="bottom", color=theme.text, fontsize=9)
        step = math.ceil(len(bars) / 16)
        axes.set_xticks(range(0, len(bars), step), [bar.label.partition(" ")[0] for bar in bars[::step]])
        axes.margins(y=0.15)
        axes.tick_params(labelsize=9)
        axes.set_xlabel("points", color=theme.quiet)
        axes.set_ylabel("students", color=theme.quiet)
        axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=4))
        axes.spines[["top", "right"]].set_visible(False)

    told = "; ".join(f"{bar.label}: {bar.number}" for bar in bars if bar.number)
    says = f"Bar chart of {count(facts.graded, 'student')} by points, 0 to {facts.most:g}. Students with {told}."
    return _picture(says, draw, width, height)


def draw_cases(facts: ClassFacts) -> Picture:
    """Draw the heat map: a row for each case, a column for each student, those who pass the fewest on the left."""
    ids = [line.student for line in facts.lines]
    named = len(ids) <= _MOST_IDS and all(0 < len(each) <= _LONGEST_ID and each.isascii() for each in ids)
    below = 0.45 + (0.06 * max(map(len, ids)) if named else 0.0)
    left, right, rows = 0.2 + 0.07 * max(len(case.label) for case in facts.cases), 0.6, 0.235 * len(facts.cases)
    width, height = 8.8, rows + below + 0.3

    def draw(figure: Figure, theme: _Theme) -> None:
        axes = _axes(figure, (left, below, width - left - right, rows), theme)
        colours = {mark: to_rgba(colour) for mark, colour in theme.marks.items()}
        cells = [[colours[line.marks[at]] for line in facts.lines] for at in range(len(facts.cases))]
        axes.imshow(cells, aspect="auto", interpolation="none")
        axes.set_yticks(range(len(facts.cases)), [case.label for case in facts.cases], color=theme.text)
        _grid(axes, facts, theme)
        for at, case in enumerate(facts.cases):
            axes.text(1.01, at, f"{case.failed}", transform=axes.get_yaxis_transform(), va="center", color=theme.text)
        axes.text(1.01, -0.75, "failed", transform=axes.get_yaxis_transform(), va="bottom", color=theme.quiet)
        if named:
            size = min(8.0, 60 * (width - left - right) / len(ids))  # in points, of which an inch has 72
            axes.set_xticks(range(len(ids)), ids, rotation=90, fontsize=size, parse_math=False, color=theme.quiet)
        else:
            axes.set_xticks([])
        handles = [Patch(fc=theme.marks[m], ec=theme.quiet, lw=0.6, label=m.value) for m in _shown(facts)]
        figure.legend(handles=handles, loc="lower left", ncols=4, frameon=False, borderpad=0.1, labelcolor=theme.text)

    worst = sorted(facts.cases, key=lambda case: -case.failed)[:3]
    told = ", ".join(f"{case.label} ({case.failed})" for case in worst if case.failed) or "none"
    says = (
        f"Heat map: {count(len(facts.cases), 'case')} in rows, {count(facts.graded, 'student')} in columns, "
        f"those who pass the fewest on the left. {count(facts.all_right, 'student')} passed every case. "
        f"Failed most often: {told}."
    )
    return _picture(says, draw, width, height)


def draw_counts(title: str, counts: Sequence[Count]) -> Picture:
    """Draw the most frequent of `counts` as bars, each below its label. `title` says what is counted."""
    shown = [(textwrap.fill(each.label, _WRAP), each.number) for each in counts[:_MOST_BARS]]
    heights = [0.36 + 0.18 * (1 + label.count("\n")) for label, _ in shown]
    width, height = 4.2, sum(heights) + 0.05

    def draw(figure: Figure, theme: _Theme) -> None:
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        axes.set(xlim=(0, width), ylim=(0, height))
        longest = max(number for _, number in shown)
        top = height
        for (label, number), tall in zip(shown, heights, strict=True):
            bar = 3.7 * number / longest
            axes.text(0.02, top - 0.05, label, va="top", color=theme.text, linespacing=1.25, parse_math=False)
            axes.barh(top - tall + 0.2, bar, height=0.2, left=0.02, color=theme.bar)
            axes.text(bar + 0.1, top - tall + 0.2, f"{number}", va="center", color=theme.text, weight="bold")
            top -= tall

    told = "; ".join(f"{each.label}: {each.number}" for each in counts[:_MOST_BARS])
    rest = f" The other {len(counts) - _MOST_BARS} are in the table." if len(counts) > _MOST_BARS else ""
    return _picture(f"Bar chart of {title}. {told}.{rest}", draw, width, height)


def _shown(facts: ClassFacts) -> list[Mark]:
    """Return the marks that the legend explains."""
    not_run = any(Mark.NOT_RUN in line.marks for line in facts.lines)
    return [mark for mark in Mark if mark is not Mark.NOT_RUN or not_run]


def _grid(axes: Axes, facts: ClassFacts, theme: _Theme) -> None:
    """Part the cells by thin lines, and the examples from the hidden groups by a wide one."""
    axes.set_yticks([at - 0.5 for at in range(1, len(facts.cases))], minor=True)
    if len(facts.lines) <= _MOST_IDS:
        axes.set_xticks([at - 0.5 for at in range(1, len(facts.lines))], minor=True)
    axes.grid(which="minor", color=theme.page, linewidth=1.2)
    axes.tick_params(which="both", length=0)
    axes.spines[:].set_visible(False)
    axes.axhline(sum(not case.sentence for case in facts.cases) - 0.5, color=theme.quiet, linewidth=1.2)


def _axes(figure: Figure, box: tuple[float, float, float, float], theme: _Theme) -> Axes:
    """Add axes; `box`: left, bottom, width and height in inches."""
    width, height = figure.get_size_inches()
    left, bottom, wide, tall = box
    axes = figure.add_axes((left / width, bottom / height, wide / width, tall / height), facecolor="none")
    axes.tick_params(colors=theme.quiet)
    axes.spines[:].set_color(theme.line)
    return axes


def _picture(says: str, draw: Callable[[Figure, _Theme], None], width: float, height: float) -> Picture:
    """Draw for both pages; width and height are in inches, of 96 pixels each on a page."""
    files = []
    for theme in (_LIGHT, _DARK):
        with rc_context(_SETTINGS):
            figure = Figure(figsize=(width, height))
            draw(figure, theme)
            file = io.BytesIO()
            figure.savefig(file, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
        files.append(f"data:image/svg+xml;base64,{base64.b64encode(file.getvalue()).decode('ascii')}")
    light, dark = files
    return Picture(says, light, dark, round(96 * width), round(96 * height))
