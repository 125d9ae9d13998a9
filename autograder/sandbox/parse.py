"""Read the untrusted bytes of a child: strict caps everywhere, the first record of a call wins, the rest is ignored."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from struct import error as StructError  # noqa: N812  # the class's own name is in lower case
from typing import Final

from autograder.sandbox.wire import (
    AXIS,
    COUNT,
    DOUBLE_BYTES,
    MAX_AXES,
    MAX_CELL_ERRORS,
    MAX_ERROR_NAME,
    MAX_MESSAGE,
    MAX_WHAT,
    PLACE,
    RECORD,
    STOP_WORDS,
    TEXT,
    UNUSABLE_KINDS,
    Flag,
    Tag,
)
from course.outcomes import Answered, NoFunction, Outcome, Raised, Stopped, StopReason
from course.running.errors import quote
from course.submission import Cell
from course.values import MAX_NUMBERS, Numbers, Unusable

_RECORDS_PER_CALL: Final = 4
_RECORDS_BESIDE: Final = 200


class _MalformedError(Exception):
    """The record is not one of ours; only ever caught below."""


@dataclass
class Answers:
    """Gather what the children of one run have said so far."""

    outcomes: list[Outcome | None]
    cells: dict[int, str]
    loaded: bool = False
    cell_errors: list[Raised] = field(default_factory=list)
    no_function: NoFunction | None = None

    @classmethod
    def of(cls, calls: int, cells: tuple[Cell, ...]) -> Answers:
        """Begin with nothing answered."""
        return cls([None] * calls, {cell.number: cell.source for cell in cells})

    def read(self, data: bytes) -> None:
        """Take in the output file of one child."""
        most = _RECORDS_PER_CALL * len(self.outcomes) + _RECORDS_BESIDE
        first = not self.loaded
        for seen, (number, tag, payload) in enumerate(_records(data)):
            if seen >= most:
                return
            try:
                self._take(number, tag, payload, first=first)
            except (_MalformedError, StructError, IndexError, UnicodeDecodeError):
                continue

    def _take(self, number: int, tag: int, payload: bytes, *, first: bool) -> None:
        if tag == Tag.LOADED:
            self.loaded = True
        elif tag == Tag.NO_FUNCTION:
            self.no_function = self.no_function or NoFunction(_text(payload, 0, MAX_WHAT)[0])
        elif tag == Tag.CELL_ERROR and first and len(self.cell_errors) < MAX_CELL_ERRORS:
            self.cell_errors.append(self._error(payload, number))
        elif 0 <= number < len(self.outcomes) and self.outcomes[number] is None:
            self.outcomes[number] = self._outcome(tag, payload)

    def _outcome(self, tag: int, payload: bytes) -> Outcome | None:
        if tag == Tag.NUMBERS:
            return _numbers(payload)
        if tag == Tag.UNUSABLE:
            return _unusable(payload)
        if tag == Tag.ERROR:
            return self._error(payload)
        if tag == Tag.STOPPED:
            return Stopped(StopReason(STOP_WORDS[payload[0]]))
        return None

    def _error(self, payload: bytes, otherwise: int = 0) -> Raised:
        """Read an error; `otherwise` is its cell when no line of it is known."""
        cell, line = PLACE.unpack_from(payload)
        name, at = _text(payload, PLACE.size, MAX_ERROR_NAME)
        message, _ = _text(payload, at, MAX_MESSAGE)
        return quote(Raised(name, message, cell, line), self.cells, otherwise)


def _records(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    at = 0
    while at + RECORD.size <= len(data):
        number, tag, size = RECORD.unpack_from(data, at)
        at += RECORD.size
        if size > len(data) - at:
            return
        yield number, tag, data[at : at + size]
        at += size


def _numbers(payload: bytes) -> Answered:
    axes = payload[1]
    start = COUNT.size * 2 + AXIS.size * axes
    if axes > MAX_AXES or len(payload) < start:
        raise _MalformedError
    shape = tuple(AXIS.unpack_from(payload, COUNT.size * 2 + AXIS.size * axis)[0] for axis in range(axes))
    size = math.prod(shape)
    if size > MAX_NUMBERS or len(payload) - start != size * DOUBLE_BYTES:
        raise _MalformedError
    flat = array("d")
    flat.frombytes(payload[start:])
    return _answered(payload, Numbers(shape, tuple(flat)))


def _unusable(payload: bytes) -> Answered:
    what, _ = _text(payload, COUNT.size * 2, MAX_WHAT)
    return _answered(payload, Unusable(UNUSABLE_KINDS[payload[1]], what))


def _answered(payload: bytes, value: Numbers | Unusable) -> Answered:
    flags = payload[0]
    return Answered(value, bool(flags & Flag.CHANGED_INPUTS), bool(flags & Flag.PRINTED))


def _text(payload: bytes, at: int, characters: int) -> tuple[str, int]:
    """Return the text at `at`, cut to length, and where it ends."""
    (size,) = TEXT.unpack_from(payload, at)
    start = at + TEXT.size
    if start + size > len(payload):
        raise _MalformedError
    return payload[start : start + size].decode("utf-8", "replace")[:characters], start + size
