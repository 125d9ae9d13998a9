"""Show a report as text, for terminals and records. `course.show_html` says the same on a notebook page."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

from course.compare import Kind
from course.older import lines_on_older
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
    next_action,
    not_started,
    passed_so_far,
    reread,
)

_WIDTH: Final = 100
_MOST_LINES: Final = 15
PARTS: Final = ("expected", "got", "difference")
_LABELS: Final = tuple(f"   {part:<10}" for part in PARTS)
_AGAIN: Final = "Then run your cell and this cell again."


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
    whole = lines_on_older(report) or (passing_lines(report) if failing is None else [])
    if whole or failing is None:
        return "\n".join(map(_fill, whole))
    if not_started(report):
        return _fill(not_started_line(report))
    call = _indent(clean(failing.call)).splitlines()
    said = [part for line in failing_lines(report) for part in _fill(line).splitlines()]
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


def passing_lines(report: Report) -> list[str]:
    """Say that all examples pass, what the hidden cases found, and what comes next."""
    said = [headline(report)]
    if report.groups:
        said.append(f"{sum(group.passed for group in report.groups)} of {len(report.groups)} hidden groups pass.")
        said += [f"Hidden: {group.name}. {clean(group.says)}" for group in report.groups if not group.passed]
        said += _causes(report)
    elif hand_in(report):
        said.append(hand_in(report))
    return [*said, *(f"Note: {clean(note)}" for note in report.notes)]


def not_started_line(report: Report) -> str:
    """Say calmly that there is nothing to check yet."""
    first = report.examples[0]
    return STUB if first.kind is Kind.NOT_WRITTEN else clean(first.says)


def failing_lines(report: Report) -> list[str]:
    """Say what is wrong with the first failing example, in the order of the report."""
    failing = first_failing_example(report)
    said = [clean(failing.says)] if failing else []
    said += [f"Right already: {clean(report.already)}"] if report.already else []
    said += _causes(report)
    said.append(f"Next: {next_action(report)} {_AGAIN}")
    return [*said, *(f"Note: {clean(note)}" for note in report.notes)]


def _causes(report: Report) -> list[str]:
    """Say the likely mistake, else what the answer shows of itself, and the step to reread."""
    said = [f"Likely mistake: {likely_cause(report)}"] if report.mistake else []
    if report.clue and report.clue.says and not report.mistake:
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
    rows = ["      ".join(block[at] for block in blocks) for at in range(len(PARTS))]
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
