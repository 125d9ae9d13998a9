"""Write what happened in the child as flat records, and read nothing back.

Runs beside student code. Whatever a value does when it is asked for its name or text, only bounded
bytes come out of here.
"""

from __future__ import annotations

from array import array
from typing import Final

from autograder.sandbox.wire import (
    AXIS,
    COUNT,
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
from course.outcomes import Raised
from course.values import Numbers, Unusable, name_type, read_value

_SLICE: Final = str.__getitem__
_ENCODE: Final = str.encode
_NO_NUMBER: Final = -1


def answer(number: int, value: object, *, changed: bool, printed: bool) -> bytes:
    """Write the returned value: numbers as raw doubles, all else as words."""
    flags = Flag.CHANGED_INPUTS * changed + Flag.PRINTED * printed
    read = read_value(value)
    if isinstance(read, Unusable):
        kind = UNUSABLE_KINDS.index(read.kind)
        return _record(number, Tag.UNUSABLE, COUNT.pack(flags) + COUNT.pack(kind) + _text(read.what, MAX_WHAT))
    return _record(number, Tag.NUMBERS, COUNT.pack(flags) + _numbers(read))


def error(number: int, tag: Tag, raised: Raised) -> bytes:
    """Write an error."""
    words = _text(raised.error, MAX_ERROR_NAME) + _text(raised.message, MAX_MESSAGE)
    return _record(number, tag, PLACE.pack(raised.cell, raised.line) + words)


def stopped(number: int, word: str) -> bytes:
    """Write that a call gave no answer: for "memory", "exit" or "size"."""
    return _record(number, Tag.STOPPED, COUNT.pack(STOP_WORDS.index(word)))


def loaded() -> bytes:
    """Write that all cells have been run."""
    return _record(_NO_NUMBER, Tag.LOADED, b"")


def no_function(found: object, *, missing: bool) -> bytes:
    """Write that there is nothing to call."""
    what = "missing" if missing else name_type(found)
    return _record(_NO_NUMBER, Tag.NO_FUNCTION, _text(what, MAX_WHAT))


def _record(number: int, tag: Tag, payload: bytes) -> bytes:
    return RECORD.pack(number, tag, len(payload)) + payload


def _numbers(read: Numbers) -> bytes:
    axes = b"".join([AXIS.pack(axis) for axis in read.shape])
    return COUNT.pack(len(read.shape)) + axes + array("d", read.flat).tobytes()


def _text(text: str, characters: int) -> bytes:
    """Encode a text cut to length. A str subclass gets no say in it."""
    data = _ENCODE(_SLICE(text, slice(characters)), "utf-8", "replace")
    return TEXT.pack(len(data)) + data
