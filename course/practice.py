"""Practice data: what `check` knows of a lesson beyond its examples, in `name.json` beside the notebook.

It is written when a lesson is released and holds data only: for each worked example the numbers of every step, and the
numbers that known mistakes give there. No solution code and no hidden case is in it, and the grader never reads it.
Without the file *check* still compares the answers; it only names no mistake.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from course.judging import Example, read_examples
from course.outcomes import Answered, Outcome, Raised
from course.values import Numbers, read_value, to_lists

VERSION: Final = 2
_MAX_BYTES: Final = 100_000


def _began_in() -> Path:
    try:
        return Path.cwd()
    except OSError:  # the folder is gone
        return Path()


_BEGAN_IN: Final = _began_in()


@dataclass(frozen=True)
class StepValues:
    """What one name holds at the end of one step: one value for each time the step is done, in order."""

    step: int
    name: str
    values: tuple[Numbers, ...]


Answer = Numbers | str | None  # numbers, an error ("ValueError: its message"), or nothing that can be compared
Gives = tuple[Answer, ...]


@dataclass(frozen=True)
class KnownMistake:
    """A mistake that at least one example shows.

    `gives` has one entry per example, then one per probe: what this mistake comes to there. `or_step`: a later step in
    which the same numbers can come to be; 0 where there is none.
    """

    name: str
    advice: str
    step: int
    gives: Gives
    or_step: int = 0


@dataclass(frozen=True)
class Pair:
    """Two mistakes at once: their places in the list of mistakes, and the numbers that both together give.

    `gives` has one entry per example; `probed` is the one number of `course.diagnosis.sum_up` for all the probes,
    which keeps the file small.
    """

    first: int
    second: int
    gives: Gives
    probed: Numbers


@dataclass(frozen=True)
class Hint:
    """One of the notebook's hints, as text."""

    title: str
    text: str


@dataclass(frozen=True)
class Question:
    """A question about the learner's own code: the line after which `step` has its numbers."""

    text: str
    step: int


@dataclass(frozen=True)
class LockedCell:
    """The released text of a code cell that is not the student's. `name`: its grade_id; "" where it has none."""

    name: str
    source: str


@dataclass(frozen=True, eq=False)
class Practice:
    """Everything that the practice file of a lesson says.

    `steps` are the titles; step 1 comes first. `step_values` has one entry per example, then one per probe.

    `probes` are further inputs. Their answers show a property plainly, such as rows that add up to 1, and tell mistakes
    apart that come to the same in every example. `earlier` is the text of `earlier.py`, which lies beside the notebook
    too: the check before handing in uses it as the grader does, whatever became of that file.
    """

    lesson: str
    steps: tuple[str, ...]
    examples: tuple[Example, ...]
    step_values: tuple[tuple[StepValues, ...], ...]
    mistakes: tuple[KnownMistake, ...] = ()
    pairs: tuple[Pair, ...] = ()
    probes: tuple[Example, ...] = ()
    hints: tuple[Hint, ...] = ()
    question: Question | None = None
    locked: tuple[LockedCell, ...] = ()
    earlier: str = ""

    @property
    def cases(self) -> tuple[Example, ...]:
        """The examples, then the probes: every input whose step values are known."""
        return (*self.examples, *self.probes)

    def title(self, step: int) -> str:
        """Return the title of a step, counted from 1; empty where there is no such step."""
        return self.steps[step - 1] if 1 <= step <= len(self.steps) else ""

    def to_json(self) -> str:
        """Write the practice file, one line for each of its parts' entries, so that two versions can be compared."""
        lines = [f'"version": {VERSION}']
        for part, value in vars(self).items():
            if value == "":
                continue
            entries = [_write(each) for each in value] if isinstance(value, tuple) else []
            inside = ",\n".join(entries)
            lines.append(f'"{part}": [\n{inside}\n]' if entries else f'"{part}": {_write(value)}')
        return "{\n" + ",\n".join(lines) + "\n}\n"

    @staticmethod
    def from_json(text: str) -> Practice:
        """Read a practice file.

        Raises:
            ValueError: it is not such a file, or one of another version.
        """
        data = json.loads(text)
        if not isinstance(data, dict) or data.pop("version", None) != VERSION:
            message = f"this is not practice data of version {VERSION}"
            raise ValueError(message)
        try:
            return Practice(
                lesson=str(data["lesson"]),
                steps=tuple(map(str, data["steps"])),
                examples=read_examples(data["examples"]),
                step_values=tuple(tuple(map(_step_values, each)) for each in data["step_values"]),
                mistakes=tuple(map(_mistake, data["mistakes"])),
                pairs=tuple(Pair(int(i), int(j), _gives(gives), _numbers(sum_)) for i, j, gives, sum_ in data["pairs"]),
                probes=read_examples(data["probes"]) if data["probes"] else (),
                hints=tuple(Hint(**hint) for hint in data["hints"]),
                question=Question(**data["question"]) if data["question"] else None,
                locked=tuple(LockedCell(**cell) for cell in data.get("locked", ())),
                earlier=str(data.get("earlier", "")),
            )
        except (KeyError, TypeError, AttributeError) as error:
            message = f"the practice data is damaged: {error}"
            raise ValueError(message) from error


def outcome_again(answer: Answer) -> Outcome:
    """Return the outcome that an entry of the practice file was made from."""
    if isinstance(answer, Numbers):
        return Answered(answer)
    error, _, message = (answer or "").partition(": ")
    return Raised(error, message)


def find_practice(name: str, folder: Path | None = None) -> Practice | None:
    """Return the practice data of the lesson's notebook `name`, which stands beside the notebook; None without it.

    Without a `folder`, a session that has moved to another folder still finds the file where the session began.
    """
    for file in practice_places(name, folder):
        try:
            stamp = file.stat()
        except OSError:
            continue
        return _read(file.resolve(), stamp.st_mtime_ns, stamp.st_size)
    return None


def practice_places(name: str, folder: Path | None = None) -> list[Path]:
    """Return where the practice file of the lesson `name` may be, the likeliest place first."""
    return [each / f"{name}.json" for each in ([folder] if folder else [Path(), _BEGAN_IN])]


@cache
def _read(file: Path, _changed: int, size: int) -> Practice | None:
    if size > _MAX_BYTES:
        return None
    try:
        return Practice.from_json(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def _write(value: object) -> str:
    return json.dumps(value, default=_plain, ensure_ascii=False, separators=(",", ":"))


def _plain(value: object) -> object:
    """Write numbers as nested lists of their own shape, a pair as a list, everything else by its fields."""
    if isinstance(value, Numbers):
        return to_lists(Numbers(value.shape, tuple(map(_short, value.flat))))
    if isinstance(value, StepValues):
        return vars(value) | {"values": [to_lists(_rounded(each)) for each in value.values]}
    if isinstance(value, Example):
        return {**value.arguments, "returns": value.returns}
    if isinstance(value, KnownMistake):
        return {part: each for part, each in vars(value).items() if part != "or_step" or each}
    return list(vars(value).values()) if isinstance(value, Pair) else vars(value)


def _rounded(numbers: Numbers) -> Numbers:
    """Keep 10 decimals of the numbers that a learner is shown: rounding them again must not change a digit."""
    return Numbers(numbers.shape, tuple(_whole(round(number, 10)) for number in numbers.flat))


def _short(number: float) -> float | int:
    """Keep 7 digits: comparing needs 5, and the file stays small."""
    return _whole(float(f"{number:.7g}"))


def _whole(number: float) -> float | int:
    """Write 2.0 as 2; floats above are not exact."""
    return int(number) if number.is_integer() and abs(number) < 1e15 else number  # noqa: PLR2004


def _numbers(value: object) -> Numbers:
    numbers = read_value(value)
    if not isinstance(numbers, Numbers):
        message = f"{numbers.what} stands where numbers should be"
        raise TypeError(message)
    return numbers


def _step_values(data: Mapping[str, Any]) -> StepValues:
    return StepValues(int(data["step"]), str(data["name"]), tuple(map(_numbers, data["values"])))


def _mistake(data: Mapping[str, Any]) -> KnownMistake:
    or_step = int(data.get("or_step", 0))
    return KnownMistake(str(data["name"]), str(data["advice"]), int(data["step"]), _gives(data["gives"]), or_step)


def _gives(data: Sequence[object]) -> Gives:
    return tuple(each if each is None or isinstance(each, str) else _numbers(each) for each in data)
