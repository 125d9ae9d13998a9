"""Draw what the learner's own function does. matplotlib is imported when a plot is asked for."""

from __future__ import annotations

import base64
import copy
import io
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Final

from course.checking import was_stopped
from course.values import Numbers, read_value

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Rows = tuple[tuple[float, ...], ...]

_MAX_SIDE: Final = 12
_MAX_SPOKEN: Final = 4
_DARK_SQUARE: Final = 0.6
_CANNOT: Final = "The picture needs a `solve` that gives one weight per query and key. Pass the examples first."
_NO_LIBRARY: Final = "The picture needs matplotlib, which is not installed here. The lesson works without it."


@dataclass(frozen=True)
class Picture:
    """A picture with its description. Only an `img` inside HTML keeps the description in a notebook."""

    says: str
    png: bytes = b""

    def __repr__(self) -> str:
        """Return the description."""
        return self.says

    def _repr_html_(self) -> str:
        if not self.png:
            return f'<p style="margin:4px 0">{escape(self.says).replace("`solve`", "<code>solve</code>")}</p>'
        data = base64.b64encode(self.png).decode("ascii")
        style = "max-width:100%;height:auto;background:#ffffff"
        return f'<div><img alt="{escape(self.says)}" src="data:image/png;base64,{data}" style="{style}"></div>'


@dataclass(frozen=True)
class _Panel:
    """The weights of one call: `weights` is (n_queries, n_keys)."""

    causal: bool
    weights: Rows


def plot_attention(solve: object, examples: Sequence[Mapping[str, Any]]) -> Picture:
    """Draw the attention weights of the first example, without and with the causal mask.

    With the identity matrix as values, each output row is the row of weights: so `solve` itself draws them.
    """
    if was_stopped(solve):
        return Picture(_CANNOT)
    Q, K = examples[0]["Q"], examples[0]["K"]
    panels = []
    for causal in (False, True):
        weights = _weights(solve, Q, K, causal=causal)
        if weights is None or max(len(Q), len(K)) > _MAX_SIDE:
            return Picture(_CANNOT)
        panels.append(_Panel(causal, weights))
    try:
        return Picture(_describe(panels), _draw(panels))
    except ImportError:
        return Picture(_NO_LIBRARY)


def _weights(solve: object, Q: list[list[float]], K: list[list[float]], *, causal: bool) -> Rows | None:
    """Call `solve` with the identity matrix as values; None if no weights come back."""
    identity = [[float(i == j) for j in range(len(K))] for i in range(len(K))]
    value = _quiet(solve, copy.deepcopy(Q), copy.deepcopy(K), identity, causal)
    numbers = read_value(value)
    if not isinstance(numbers, Numbers) or numbers.shape != (len(Q), len(K)):
        return None
    if not all(map(math.isfinite, numbers.flat)):
        return None
    width = len(K)
    return tuple(numbers.flat[at : at + width] for at in range(0, len(numbers.flat), width))


def _quiet(solve: object, *arguments: object) -> object:
    """Call `solve` without its prints; None if it gives no answer, for whatever reason."""
    function: Callable[..., object] = solve if callable(solve) else lambda *_: None
    try:
        with redirect_stdout(io.StringIO()):
            return function(*arguments)
    except BaseException:  # noqa: BLE001  # the check says what is wrong with it; a picture only stays away
        return None


def _describe(panels: Sequence[_Panel]) -> str:
    """Say in words what the picture shows."""
    return " ".join(["Attention weights of your solve, one row per query.", *map(_describe_panel, panels)])


def _describe_panel(panel: _Panel) -> str:
    rows = (_describe_row(query, row) for query, row in enumerate(panel.weights))
    return f"{_title(panel)}: {'; '.join(rows)}."


def _describe_row(query: int, row: Sequence[float]) -> str:
    """Name every weight of a short row, the largest of a long one."""
    total = f"(sum {_short(math.fsum(row))})"
    if len(row) > _MAX_SPOKEN:
        key = max(range(len(row)), key=row.__getitem__)
        return f"query {query} gives most to key {key}, {_short(row[key])} {total}"
    shares = ", ".join(f"{_short(weight)} to key {key}" for key, weight in enumerate(row))
    return f"query {query} gives {shares} {total}"


def _short(number: float) -> str:
    """Write two decimals; a weight that is exactly 0 stays "0", so that the mask shows."""
    return f"{number:.2f}" if number else "0"


def _title(panel: _Panel) -> str:
    return f"causal = {panel.causal}"


def _draw(panels: Sequence[_Panel]) -> bytes:
    """Draw the panels side by side as a small PNG: dark on white, so that it reads in every theme."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415  # slow, and not always there
    from matplotlib.figure import Figure  # noqa: PLC0415

    n_queries, n_keys = len(panels[0].weights), len(panels[0].weights[0])
    figure = Figure(
        figsize=(3.4 + 1.1 * n_keys, 1.3 + 0.55 * n_queries), dpi=110, facecolor="white", layout="constrained"
    )
    FigureCanvasAgg(figure)
    for axes, panel in zip(figure.subplots(1, len(panels), sharey=True), panels, strict=True):
        _draw_panel(axes, panel)
    file = io.BytesIO()
    figure.savefig(file, format="png", metadata={"Software": None})
    return file.getvalue()


def _draw_panel(axes: Axes, panel: _Panel) -> None:
    n_keys = len(panel.weights[0])
    axes.imshow(panel.weights, cmap="Blues", vmin=0.0, vmax=1.0, aspect="auto")
    axes.set_title(_title(panel), fontsize=11)
    axes.set_xticks(range(n_keys), [f"key {key}" for key in range(n_keys)])
    axes.set_yticks(range(len(panel.weights)), [f"query {query}" for query in range(len(panel.weights))])
    axes.tick_params(length=0, labelsize=9)
    axes.spines[:].set_color("#8a8f98")
    for query, row in enumerate(panel.weights):
        for key, weight in enumerate(row):
            colour = "white" if weight > _DARK_SQUARE else "#1b1f24"
            axes.text(key, query, _short(weight), ha="center", va="center", color=colour, fontsize=11)
        total = f"sum {_short(math.fsum(row))}"
        axes.text(n_keys - 0.4, query, total, ha="left", va="center", color="#1b1f24", fontsize=9)
