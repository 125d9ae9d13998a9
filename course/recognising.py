"""Say which cell of a notebook is which graded cell. Total and deterministic, and cheap on any text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from course.cell_text import code_in, defines_solve, grade_id_of, has_code, is_finished, is_stub, source_of

SOLVE: Final = "solve"
_ALIKE: Final = 0.9
_LONGEST_COMPARED: Final = 4_000
_MOST_COMPARED: Final = 300
_MOST_LONGER: Final = 2
_RUN: Final = 3
_KINDS_OF_TEXT: Final = ("markdown", "raw")


@dataclass(frozen=True)
class Roles:
    """The role of each cell (None: the student's own), and what had to be mended."""

    roles: tuple[str | None, ...]
    notes: tuple[str, ...]


def find_roles(cells: Sequence[Mapping[str, Any]], released: Mapping[str, str]) -> Roles:
    """Give each graded cell its role exactly once: locked cells first, then `solve` among the others."""
    search = _Search(cells, released)
    for grade_id in released:
        search.place_locked(grade_id)
    search.place_solve()
    return Roles(tuple(search.roles), tuple(search.sentences()))


class _Search:
    """One notebook being searched."""

    def __init__(self, cells: Sequence[Mapping[str, Any]], released: Mapping[str, str]) -> None:
        self.roles: list[str | None] = [None] * len(cells)
        self._released = released
        self._kinds = [cell.get("cell_type") for cell in cells]
        self._texts = [source_of(cell) for cell in cells]
        self._code = [code_in(text) for text in self._texts]
        self._ids = [grade_id_of(cell) for cell in cells]
        self._notes: list[str] = []
        self._lost: list[tuple[str, int]] = []
        self._missing: list[str] = []
        self._finished_outside = any(
            is_finished(code) for code, name in zip(self._code, self._ids, strict=True) if name not in released
        )

    def place_locked(self, grade_id: str) -> None:
        """Find a locked cell: of those with its id the one most like the released text, else one that is like it."""
        text = self._released[grade_id]
        marked = [at for at in self._at_id(grade_id) if not self._holds_own_solve(at, text)]
        if marked:
            likeness = _Likeness(text)
            compared = marked[:_MOST_COMPARED]
            chosen = max(compared, key=lambda at: (likeness.of(self._texts[at]), -at)) if len(marked) > 1 else marked[0]
            self._take(grade_id, chosen)
            self._note_marked(grade_id, chosen)
            if _code_of(self._texts[chosen]) != _code_of(text):
                self._notes.append(f"The locked cell `{grade_id}` had been changed; its released text was used.")
            return
        found = self._most_alike(text)
        if found is None:
            self._missing.append(grade_id)
        else:
            self._take(grade_id, found)
            self._lost.append((grade_id, found))

    def place_solve(self) -> None:
        """Find the cell of `solve`. The last one of several counts: it runs last."""
        marked = [at for at in self._at_id(SOLVE) if self.roles[at] is None]
        chosen = next((group[-1] for group in self._solve_groups(marked) if group), None)
        if chosen is None:
            self._missing.append(SOLVE)
            return
        self._take(SOLVE, chosen)
        if chosen in marked:
            self._note_marked(SOLVE, chosen)
        elif marked or self._ids[chosen] is not None:
            self._notes.append(f"`solve` was found in cell {chosen + 1}, which is not its own cell, and was used.")
        else:
            self._lost.append((SOLVE, chosen))
        if self._kinds[chosen] != "code":
            self._notes.append(f"Cell {chosen + 1} with `solve` is no code cell; the code in it was used.")
        self._note_several(marked)

    def sentences(self) -> Iterator[str]:
        """Yield one sentence for each mend; all lost marks are one: another editor did that, not the student."""
        yield from self._notes
        if len(self._lost) > 1:
            yield "The grading marks of the cells were missing (another editor removed them) and were put back."
        else:
            for grade_id, at in self._lost:
                yield f"The grading mark of cell {at + 1} (`{grade_id}`) was missing and was put back."
        locked = [f"`{grade_id}`" for grade_id in self._missing if grade_id != SOLVE]
        if len(locked) > 1:
            yield f"The locked cells {', '.join(locked[:-1])} and {locked[-1]} were missing; each was put back."
        elif locked:
            yield f"The locked cell {locked[0]} was missing and was put back."
        if SOLVE in self._missing:
            yield "The cell `solve` was missing and was put back."

    def _solve_groups(self, marked: Sequence[int]) -> Iterator[list[int]]:
        """Yield groups of cells that may be `solve`'s, the likeliest group first."""
        free = [at for at, role in enumerate(self.roles) if role is None]
        yield [at for at in marked if is_finished(self._code[at])]
        yield [at for at in free if self._kinds[at] == "code" and is_finished(self._code[at])]
        yield [at for at in marked if has_code(self._code[at]) and not is_stub(self._code[at])]
        yield [at for at in free if self._kinds[at] in _KINDS_OF_TEXT and _is_answer(self._code[at])]
        yield [at for at in marked if defines_solve(self._code[at])]
        yield list(marked)
        yield [at for at in free if self._kinds[at] == "code" and defines_solve(self._code[at])]

    def _at_id(self, grade_id: str) -> list[int]:
        return [at for at, name in enumerate(self._ids) if name == grade_id]

    def _take(self, grade_id: str, at: int) -> None:
        self.roles[at] = grade_id

    def _holds_own_solve(self, at: int, text: str) -> bool:
        """Tell whether the student's `solve` is in this locked cell: merged with it, or written in no other place."""
        if not is_finished(self._code[at]):
            return False
        merged = bool(text) and squash(text) in squash(self._texts[at])
        return merged or not self._finished_outside

    def _most_alike(self, text: str) -> int | None:
        unplaced = [at for at, role in enumerate(self.roles) if role is None]
        graded = {SOLVE, *self._released}
        free = [at for at in unplaced if self._ids[at] not in graded]
        strayed = [at for at in unplaced if self._ids[at] in graded]
        wanted = squash(text)
        same = [at for at in (*free, *strayed) if wanted and squash(self._texts[at]) == wanted]
        if same:
            return same[0]
        likeness = _Likeness(text)
        alike = {at: likeness.of(self._texts[at]) for at in free[:_MOST_COMPARED] if not is_finished(self._code[at])}
        best = max(alike, key=lambda at: alike[at], default=None)
        return best if best is not None and alike[best] >= _ALIKE else None

    def _note_marked(self, grade_id: str, chosen: int) -> None:
        times = len(self._at_id(grade_id))
        if times > 1:
            self._notes.append(f"The cell id `{grade_id}` appears {times} times. Cell {chosen + 1} was used.")

    def _note_several(self, marked: Sequence[int]) -> None:
        several = [
            at
            for at, role in enumerate(self.roles)
            if role in {None, SOLVE} and self._kinds[at] == "code" and is_finished(self._code[at])
        ]
        if len(several) > 1 and len(marked) < len(several):
            listed = ", ".join(str(at + 1) for at in several[:-1])
            self._notes.append(f"`solve` is defined in cells {listed} and {several[-1] + 1}; the last one counts.")


def _is_answer(code: str) -> bool:
    """Tell whether a text cell holds a whole `solve`, and not just its name in an explanation."""
    return is_finished(code) and ("return" in code or "lambda" in code or "import" in code)


class _Likeness:
    """Compare texts with one text, without their blanks: 1.0 for the same. Linear in their length, and bounded."""

    def __init__(self, text: str) -> None:
        self._text = squash(text)

    @cached_property
    def _wanted(self) -> Counter[str]:
        return _runs(self._text)

    def of(self, other: str) -> float:
        text = squash(other)
        if text == self._text:
            return 1.0
        longer, shorter = max(len(text), len(self._text)), min(len(text), len(self._text))
        if longer > _MOST_LONGER * shorter:
            return 0.0
        runs = _runs(text)
        total = runs.total() + self._wanted.total()
        return 2 * (runs & self._wanted).total() / total if total else 0.0


def squash(text: str) -> str:
    """Return the text without its blanks."""
    return "".join(text.split())


def _code_of(text: str) -> str:
    """Return the text without its blanks and comments: a former release has other comments."""
    return squash("\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#")))


def _runs(text: str) -> Counter[str]:
    """Count all runs of three letters in the first few thousand."""
    cut = text[:_LONGEST_COMPARED]
    return Counter(cut[at : at + _RUN] for at in range(len(cut) - _RUN + 1))
