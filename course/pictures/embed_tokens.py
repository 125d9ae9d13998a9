"""Lesson 05: what each row takes from the token, what it takes from the place, and their sum."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from course.compare import close
from course.pictures.panels import Place, Squares, draw_grid, short
from course.pictures.picture import (
    Examples,
    Picture,
    Rows,
    ask,
    draw,
    expected_answer,
    needs_inputs,
    no_picture,
    rows_of,
)
from course.wording import count

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST_SPOKEN = 4


@needs_inputs("ids", "token_table", "position_table", "start")
def plot_embed_tokens(solve: object, examples: Examples) -> Picture:
    """Draw the rows of the example with the most tokens: what comes from each table, and the sum.

    Called with a position table of zeros, `solve` gives what comes from the token; the place is shown the same way.
    """
    example = max(examples, key=lambda each: len(each["ids"]))
    ids, tokens, places, start = (example[name] for name in ("ids", "token_table", "position_table", "start"))
    shape = (len(ids), len(tokens[0]))
    pairs = ((tokens, _zeros(places)), (_zeros(tokens), places), (tokens, places))
    answers = [answer for pair in pairs if (answer := ask(solve, ids, *pair, start, shape=shape))]
    if len(answers) < len(pairs):
        return no_picture(solve, "one row for each token, also with tables of zeros")
    from_token, from_place, total = map(rows_of, answers)
    answer = expected_answer(example)
    expected = rows_of(answer) if answer else total
    different = [
        (r, c) for r, row in enumerate(total) for c, number in enumerate(row) if not close(number, expected[r][c])
    ]
    parts = {"from the token": from_token, "from the place": from_place, "sum: yours": total, "expected": expected}

    def paint(figure: Figure) -> None:
        limit = max((abs(n) for rows in parts.values() for row in rows for n in row if math.isfinite(n)), default=1.0)
        panels = [_squares(title, rows, ids, limit or 1.0, different) for title, rows in parts.items()]
        draw_grid(figure, panels)

    return draw(_describe(parts, different), 130 + 84 * len(ids), paint)


def _zeros(table: Sequence[Sequence[float]]) -> list[list[float]]:
    return [[0.0 for _ in row] for row in table]


def _squares(title: str, rows: Rows, ids: Sequence[int], limit: float, different: Sequence[Place]) -> Squares:
    return Squares(
        rows=rows,
        row_labels=[f"token {at}, id {each}" for at, each in enumerate(ids)],
        column_labels=[f"column {at}" for at in range(len(rows[0]))],
        title=title,
        outlined=frozenset(different if "yours" in title else ()),
        limits=(-limit, limit),
    )


def _describe(parts: dict[str, Rows], different: Sequence[Place]) -> str:
    """Say in words what the picture shows: one sentence for each part."""
    says = ["The rows of your solve."]
    for title, rows in parts.items():
        told = (f"row {at} is {', '.join(map(short, row))}" for at, row in enumerate(rows))
        says += [f"{title[0].upper()}{title[1:]}: {'; '.join(told)}."] if title != "expected" or different else []
    if not different:
        return " ".join([*says, "Every number is as expected."])
    wrong = [f"row {r}, column {c}" for r, c in different[:_MOST_SPOKEN]]
    rest = [f"{count(len(different) - len(wrong), 'more square')}"] if len(different) > len(wrong) else []
    return " ".join([*says, f"Different: {'; '.join(wrong + rest)}."])
