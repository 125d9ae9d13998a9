"""Show a report as an HTML fragment for notebook output.

The fragment has inline styles only, because a notebook that is not trusted loses everything else,
and it takes its colours from the page around it, so it reads in a light and in a dark theme.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from typing import Final

from course.judging import ACCEPTED
from course.older import LABELS, lines_on_older
from course.report import Report, Table
from course.show import PARTS, failing_lines, not_started_line, passing_lines
from course.wording import (
    align,
    clean,
    cut,
    first_failing_example,
    headline,
    mark,
    not_started,
    passed_so_far,
    reread,
    step_to_reread,
)

_CELL: Final = "padding:1px clamp(4px,1.5cqw,10px) 1px 0;vertical-align:top;text-align:left"
_TABLE: Final = "border-collapse:collapse;margin:6px 0;width:auto;table-layout:auto;font-size:clamp(9.5px,4.6cqw,12px)"
_LINE: Final = "border-bottom:1px solid #8a8f98;background:transparent"
_ROWS_BY_WIDTH: Final = {1: 6, 2: 3, 3: 3}  # so many fit into 15 lines of a notebook page, by the numbers in a row
_ROWS_OF_WIDE: Final = 2
_LABELLED: Final = {"Right already", "Likely mistake", "Look at", "Reread", "Next", "Note", *LABELS}
_MONO: Final = "font-family:monospace"
_CODE: Final = re.compile(r"`([^`\n]+)`")


def to_html(report: Report) -> str:
    """Write the report as an HTML fragment with inline styles only."""
    failing = first_failing_example(report)
    if older := lines_on_older(report):
        return _box("#c77700", *map(_paragraph, older))
    if failing is None:
        return _box("#2e9e5b", _title(report), *map(_paragraph, passing_lines(report)[1:]))
    if not_started(report):
        return _box("#8a8f98", _paragraph(not_started_line(report)))
    parts = [_title(report, passed_so_far(report)), _call(failing.call)]
    if failing.table:
        parts.append(_html_table(failing.table, failing.says))
    said = [
        _link_to_step(report) if line.startswith("Reread: ") else _paragraph(line) for line in failing_lines(report)
    ]
    return _box("#c77700", *parts, *said)


def groups_to_html(report: Report) -> str:
    """Write the hidden groups as an HTML table, for the instructor's view of a graded notebook."""
    rows = "".join(
        f'<tr><th scope="row" style="text-align:left">{escape(group.name)}</th>'
        f"<td>{'Pass' if group.passed else 'Fail'}</td><td>{group.earned:g} of {group.points:g}</td>"
        f'<td style="text-align:left">{inline_code(clean(group.says))}</td></tr>'
        for group in report.groups
    )
    head = "".join(f'<th scope="col">{title}</th>' for title in ("Hidden group", "Result", "Points", "What happened"))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _box(colour: str, *parts: str) -> str:
    style = f"border-left:4px solid {colour};padding:2px 0 2px 14px;margin:4px 0;max-width:900px;line-height:1.5"
    return f'<div style="{style}">{"".join(parts)}</div>'


def _title(report: Report, more: str = "") -> str:
    return f'<p style="margin:0 0 6px 0"><strong>{mark(report)}. {headline(report)}</strong> {more}</p>'


def _link_to_step(report: Report) -> str:
    """Make the sentence about the step a link to its heading, as JupyterLab names it; elsewhere it is plain text."""
    step, title = step_to_reread(report)
    place = escape(f"#Step-{step}.-{title}".replace(" ", "-"))
    return f'<p style="margin:6px 0"><strong>Reread:</strong> <a href="{place}">{inline_code(reread(report))}</a></p>'


def _paragraph(text: str) -> str:
    label, colon, rest = text.partition(": ")
    if colon and label in _LABELLED:
        return f'<p style="margin:6px 0"><strong>{label}:</strong> {inline_code(rest)}</p>'
    return f'<p style="margin:6px 0;overflow-wrap:break-word">{inline_code(text)}</p>'


def _call(call: str) -> str:
    style = f"{_MONO};margin:6px 0;white-space:pre-wrap;overflow-wrap:break-word"
    return f'<p style="{style}">{escape(clean(call))}</p>'


def inline_code(text: str) -> str:
    """Escape a sentence for HTML; what stands between backticks becomes code."""
    return _CODE.sub(rf'<code style="{_MONO}">\1</code>', escape(text, quote=False))


def _html_table(table: Table, says: str) -> str:
    """Write each row of the answer as a small table. They stand beside each other, and below where it is narrow.

    The number of a flat list is at a position, and that of a table with one row in a column: as the report `says`.
    """
    width = len(table.expected[0])
    shown = cut(table, max_rows=_ROWS_BY_WIDTH.get(width, _ROWS_OF_WIDE))
    if len(table.expected) == 1:
        place = "column" if ", column " in says else "position"
        blocks = [_html_block(table, "", {f"{place} {c}": (0, c) for c in shown.columns})]
    elif width == 1:
        blocks = [_html_block(table, "", {f"row {r}": (r, 0) for r in shown.rows})]
    else:
        blocks = [_html_block(table, f"row {r}", {f"column {c}": (r, c) for c in shown.columns}) for r in shown.rows]
    note = _paragraph(shown.note) if shown.note else ""
    # On a phone the numbers are written smaller. Very long ones are scrolled there, with the keyboard too.
    style = "container-type:inline-size;display:flex;flex-wrap:wrap;column-gap:28px;overflow-x:auto"
    return f'<div style="{style}" tabindex="0">{"".join(blocks)}</div>{note}'


def _html_block(table: Table, title: str, places: Mapping[str, tuple[int, int]]) -> str:
    """Write one number a line: expected, got, difference."""
    parts = [align([part[r][c] for r, c in places.values()]) for part in (table.expected, table.got, table.difference)]
    heads = "".join(_head("col", part) for part in PARTS)
    named = len(table.expected) > 1 or len(table.expected[0]) > 1  # a single number needs no name
    corner = (_head("col", title) if title else "<td></td>") if named else ""
    body = "".join(
        f'<tr style="background:transparent">{_head("row", name) if named else ""}'
        f"{''.join(_number(cell, part) for cell, part in zip(cells, PARTS, strict=True))}</tr>"
        for name, *cells in zip(places, *parts, strict=True)
    )
    head = f'<thead><tr style="{_LINE}">{corner}{heads}</tr></thead>'
    return f'<div><table style="{_TABLE}">{head}<tbody>{body}</tbody></table></div>'


def _number(text: str, part: str) -> str:
    """Write one number; a difference that counts stands out."""
    counts = part == "difference" and text.strip() != ACCEPTED
    inner = f"<strong>{escape(text)}</strong>" if counts else escape(text)
    return f'<td style="{_CELL};{_MONO};white-space:pre">{inner}</td>'


def _head(scope: str, text: str) -> str:
    wrap = "normal" if scope == "row" else "nowrap"  # a label gives way to the numbers
    return f'<th scope="{scope}" style="{_CELL};font-weight:normal;white-space:{wrap}">{text}</th>'
