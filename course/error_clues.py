"""Say in plain words what an error means, and what the names on its line held; no cause is guessed."""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable, Mapping
from traceback import walk_tb
from types import FrameType
from typing import Final

from course.outcomes import Raised

_NAME: Final = re.compile(r"(?<![\w.\"'])[A-Za-z_]\w*(?=\W|$)")
_MOST_NAMES: Final = 4
_LONGEST: Final = 30
_FLOAT_AS_PLACE: Final = (
    "slice indices must be integers",
    "not float",
    "'float' object cannot be interpreted as an integer",
    "only integers, slices",
)


def error_clue(raised: Raised, held: str = "") -> str:
    """Say what the error means; `held` is what `held_at` told. Empty for an error that this knows nothing about."""
    means = _means(raised)
    return " ".join(filter(None, [means, f"On this line {held}." if held else ""])) if means else ""


def _means(raised: Raised) -> str:
    if raised.error in {"TypeError", "IndexError"} and any(words in raised.message for words in _FLOAT_AS_PLACE):
        return "A place or a count must be a whole number, and here it is a float: `/` gives a float, `//` does not."
    if raised.error == "IndexError" and raised.code:
        return "An index is too large: a list of n entries has the places 0 to n - 1."
    if raised.error == "KeyError" and raised.code:
        return f"There is no entry with the key {raised.message[:_LONGEST]}. Capital and small letters are different."
    return ""


def held_at(error: BaseException, is_own: Callable[[FrameType], bool]) -> str:
    """Say what the names on the learner's own line held when the error came: whole numbers, sizes, keys. Never raises.

    Only plain values are looked at, so no code of the learner's runs.
    """
    own = [(frame, line) for frame, line in walk_tb(error.__traceback__) if is_own(frame)]
    if not own:
        return ""
    frame, line = own[-1]
    code = linecache.getline(frame.f_code.co_filename, line)
    values = {**_inputs(frame), **frame.f_locals}
    names = [name for name in dict.fromkeys(_NAME.findall(code)) if name in values]
    told = [said for name in names if (said := _say(name, values[name]))]
    return ", ".join(told[:_MOST_NAMES])


def _inputs(frame: FrameType) -> Mapping[str, object]:
    """Return the names of the function around a comprehension, which has a frame of its own before Python 3.12."""
    return frame.f_back.f_locals if frame.f_code.co_name.startswith("<") and frame.f_back else {}


def _say(name: str, value: object) -> str:
    if type(value) in {int, float}:
        return f"`{name}` is {value!r:.{_LONGEST}}"
    if type(value) is dict:
        keys = [key for key in value if type(key) is str]
        return f"`{name}` has the keys {', '.join(f'`{key:.{_LONGEST}}`' for key in keys)}" if keys else ""
    if type(value) in {list, tuple, str}:
        return f"`{name}` has length {len(value)}"  # type: ignore[arg-type]  # narrowed by the exact type
    return ""
