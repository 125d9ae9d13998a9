"""Show a report: as text for terminals and records, as an HTML fragment for notebook output.

The fragment has inline styles only, because a notebook that is not trusted loses everything else,
and it takes its colours from the page around it, so it reads in a light and in a dark theme.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from course.compare import Kind
from course.judging import ACCEPTED
from course.older import LABELS, lines_on_older
from course.report import GroupResult, Report, Table
from course.wording import (
    MAX_ROWS,
    STUB,
    align,
    clean,
    cut,
    first_failing_example,
    hand_in,
    headline,
    likely_cause,
    mark,
    next_action,
    not_started,
    passed_so_far,
    reread,
    step_to_reread,
)

_WIDTH: Final = 100
_MOST_LINES: Final = 15
_PARTS: Final = ("expected", "got", "difference")
_CELL: Final = "padding:1px clamp(4px,1.5cqw,10px) 1px 0;vertical-align:top;text-align:left"
_TABLE: Final = "border-collapse:collapse;margin:6px 0;width:auto;table-layout:auto;font-size:clamp(9.5px,4.6cqw,12px)"
_LINE: Final = "border-bottom:1px solid #8a8f98;background:transparent"
_ROWS_BY_WIDTH: Final = {1: 6, 2: 3, 3: 3}  # so many fit into 15 lines of a notebook page, by the numbers in a row
_ROWS_OF_WIDE: Final = 2
_LABELS: Final = tuple(f"   {part:<10}" for part in _PARTS)
_LABELLED: Final = {"Right already", "Likely mistake", "Look at", "Reread", "Next", "Note", *LABELS}
_AGAIN: Final = "Then run your cell and this cell again."
_MONO: Final = "font-family:monospace"
_CODE: Final = re.compile(r"`([^`\n]+)`")


def summary_line(report: Report) -> str:
    """Say in one plain line what failed first and which mistake it looks like, or that nothing failed."""
    failing = report.first_failing
    if failing is None:
        return f"All {len(report.examples)} examples and all hidden cases pass." if report.groups else headline(report)
    mistake = report.mistake
    likely = f" Likely mistake: {mistake.name}. Reread step {mistake.step}." if mistake else ""
    if isinstance(failing, GroupResult):
        return f"Hidden cases: {failing.name}. {clean(failing.says)}{likely}"
    return f"{headline(report)} {clean(failing.says)}{likely}"


def to_text(report: Report) -> str:
    """Write the report as plain text of at most 15 lines."""
    failing = first_failing_example(report)
    whole = lines_on_older(report) or (_passing(report) if failing is None else [])
    if whole or failing is None:
        return "\n".join(map(_fill, whole))
    if not_started(report):
        return _fill(_not_started(report))
    call = _indent(clean(failing.call)).splitlines()
    said = [part for line in _explanation(report) for part in _fill(line).splitlines()]
    head = f"{headline(report)}   {passed_so_far(report)}"
    lines: list[str] = []
    for rows in range(MAX_ROWS, 0, -1):
        table = [*_text_table(failing.table, rows), ""] if failing.table else []
        lines = [head, "", *call, "", *table, *said]
        if len(lines) <= _MOST_LINES:
            return "\n".join(lines)
    lines = [line for line in lines if line]
    if len(lines) > _MOST_LINES and len(call) > 1:
        lines = [head, f"{call[0]} ...", *lines[1 + len(call) :]]
    return "\n".join(lines)


def _passing(report: Report) -> list[str]:
    said = [headline(report)]
    if report.groups:
        said.append(f"{sum(group.passed for group in report.groups)} of {len(report.groups)} hidden groups pass.")
        said += [f"Hidden: {group.name}. {clean(group.says)}" for group in report.groups if not group.passed]
        said += _causes(report)
    elif hand_in(report):
        said.append(hand_in(report))
    return [*said, *(f"Note: {clean(note)}" for note in report.notes)]


def _not_started(report: Report) -> str:
    first = report.examples[0]
    return STUB if first.kind is Kind.NOT_WRITTEN else clean(first.says)


def _explanation(report: Report) -> list[str]:
    failing = first_failing_example(report)
    said = [clean(failing.says)] if failing else []
    said += [f"Right already: {clean(report.already)}"] if report.already else []
    said += _causes(report)
    said.append(f"Next: {next_action(report)} {_AGAIN}")
    return [*said, *(f"Note: {clean(note)}" for note in report.notes)]


def _causes(report: Report) -> list[str]:
    """Say the likely mistake, else what the answer shows of itself, and the step to reread."""
    said = [f"Likely mistake: {likely_cause(report)}"] if report.mistake else []
    if report.clue and not report.mistake:
        said.append(f"Look at: {clean(report.clue.says)}")
    return [*said, f"Reread: {reread(report)}"] if reread(report) else said


def _fill(text: str) -> str:
    return textwrap.fill(text, _WIDTH, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False)


def _indent(call: str) -> str:
    return textwrap.fill(call, _WIDTH, initial_indent="   ", subsequent_indent="         ", break_on_hyphens=False)


def _text_table(table: Table, rows: int) -> list[str]:
    """Write rows beside each other if they fit, else below each other; more than one row has its number."""
    shown = cut(table, max_rows=rows)
    blocks = [_columns(table, row, shown.columns) for row in shown.rows]
    names = [f"row {row}" if len(table.expected) > 1 else "" for row in shown.rows]
    lines = _beside(names, blocks)
    if len(shown.rows) < len(table.expected) or max(map(len, lines)) > _WIDTH:
        lines = [line for name, block in zip(names, blocks, strict=True) for line in _below(name, block)]
    return [line.rstrip() for line in lines if line.strip()] + ([f"   {shown.note}"] if shown.note else [])


def _beside(names: Sequence[str], blocks: Sequence[Sequence[str]]) -> list[str]:
    head = "".join(f"{name:<{len(block[0]) + 6}}" for name, block in zip(names, blocks, strict=True))
    rows = ["      ".join(block[at] for block in blocks) for at in range(len(_PARTS))]
    return [f"{label:<15}{row}" for label, row in zip(("", *_LABELS), (head, *rows), strict=True)]


def _below(name: str, block: Sequence[str]) -> list[str]:
    first = f"   {name}" if name else ""
    return [
        f"{first if at == 0 else '':<12}{label}  {line}"
        for at, (label, line) in enumerate(zip(_LABELS, block, strict=True))
    ]


def _columns(table: Table, row: int, columns: Sequence[int]) -> list[str]:
    """Write one row of the table as three lines whose numbers stand below each other."""
    padded = [align([table.expected[row][c], table.got[row][c], table.difference[row][c]]) for c in columns]
    return ["  ".join(cells) for cells in zip(*padded, strict=True)]


def to_html(report: Report) -> str:
    """Write the report as an HTML fragment with inline styles only."""
    failing = first_failing_example(report)
    if older := lines_on_older(report):
        return _box("#c77700", *map(_paragraph, older))
    if failing is None:
        return _box("#2e9e5b", _title(report), *map(_paragraph, _passing(report)[1:]))
    if not_started(report):
        return _box("#8a8f98", _paragraph(_not_started(report)))
    parts = [_title(report, passed_so_far(report)), _call(failing.call)]
    if failing.table:
        parts.append(_html_table(failing.table))
    said = [_link_to_step(report) if line.startswith("Reread: ") else _paragraph(line) for line in _explanation(report)]
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


def _html_table(table: Table) -> str:
    """Write each row of the answer as a small table. They stand beside each other, and below where it is narrow."""
    width = len(table.expected[0])
    shown = cut(table, max_rows=_ROWS_BY_WIDTH.get(width, _ROWS_OF_WIDE))
    if len(table.expected) == 1:
        blocks = [_html_block(table, "", {f"position {c}": (0, c) for c in shown.columns})]
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
    heads = "".join(_head("col", part) for part in _PARTS)
    named = len(table.expected) > 1 or len(table.expected[0]) > 1  # a single number needs no name
    corner = (_head("col", title) if title else "<td></td>") if named else ""
    body = "".join(
        f'<tr style="background:transparent">{_head("row", name) if named else ""}'
        f"{''.join(_number(cell, part) for cell, part in zip(cells, _PARTS, strict=True))}</tr>"
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
