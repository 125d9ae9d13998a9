"""Python files that a student put beside the notebook: those that a cell imports can be imported when it is graded."""

from __future__ import annotations

import re
import sys
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

MAX_MODULE_BYTES: Final = 200_000
MAX_MODULES_BYTES: Final = 2_000_000
GIVEN: Final = "earlier"  # the course's own module, which some lessons come with
_ENDING: Final = ".py"
_FROM: Final = re.compile(r"^[ \t]*from[ \t]+(\w+)[ \t.]", re.MULTILINE)
_IMPORT: Final = re.compile(r"^[ \t]*import[ \t]+([^\n#;]+)", re.MULTILINE)
_ASKED: Final = re.compile(r"\b(?:import_module|__import__)\([ \t]*[\"'](\w+)[\"'.]")
_OPENED: Final = re.compile(r"[\"'](?:\./)?(\w+)\.py[\"']")
_RUN: Final = re.compile(r"^%run[ \t]+(?:-i[ \t]+)?[\"']?(?:\./)?(\w+)(?:\.py)?[\"']?[ \t]*$", re.MULTILINE)
_WRITTEN: Final = re.compile(r"\s*%%(?:writefile|file)[ \t]+[\"']?(?:\./)?(\w+\.py)[\"']?[ \t]*\n")
# What the grader itself offers to import, and the libraries a lesson may use.
_OURS: Final = frozenset(
    {"numpy", "scipy", "matplotlib", "mpl_toolkits", "pandas", "torch", "IPython", "ipywidgets"}
    | {"course", "autograder", "nbgrader", "notebook"}
)

# Run in front of the student's cells, in the sandbox. It imports as Python does: when asked, and once.
_FINDER: Final = '''\
import sys as _sys


class _Beside:
    """Find the modules that lay beside the notebook."""

    texts = {texts!r}

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        from importlib.machinery import ModuleSpec
        return ModuleSpec(name, cls, origin=name + ".py") if name in cls.texts else None

    @staticmethod
    def create_module(spec):
        return None

    @classmethod
    def exec_module(cls, module):
        exec(compile(cls.texts[module.__name__], module.__name__ + ".py", "exec"), module.__dict__)


_sys.meta_path.insert(0, _Beside)
del _sys
'''


def names_with_room(sizes: Mapping[str, int]) -> list[str]:
    """Return the files that may go along with a notebook together, of these sizes in bytes: the smallest first."""
    room = MAX_MODULES_BYTES
    taken = []
    for name in sorted(sizes, key=lambda name: (sizes[name], name)):
        room -= sizes[name]
        if room >= 0:
            taken.append(name)
    return taken


@dataclass(frozen=True)
class Brought:
    """The code that makes the modules importable ("" if none is needed), and what to say about those left out."""

    source: str
    modules: tuple[str, ...]
    refused: tuple[str, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """What to say about all of them."""
        used = [
            f"`{name}.py` beside the notebook was used: a cell imports it." for name in self.modules if name != GIVEN
        ]
        return (*used, *self.refused)


def modules_beside(folder: Path) -> dict[str, str]:
    """Return the student's own modules that lie in the notebook's folder, by file name, as far as there is room."""
    sizes = {path.name: path.stat().st_size for path in folder.glob("*.py") if path.is_file() and not path.is_symlink()}
    taken = names_with_room({name: size for name, size in sizes.items() if size <= MAX_MODULE_BYTES})
    return {name: (folder / name).read_text(encoding="utf-8", errors="replace") for name in sorted(taken)}


def bring_modules(sources: Sequence[str], beside: Mapping[str, str]) -> Brought:
    """Bring the modules that the cells import, and those that they import in turn."""
    files = {name.removesuffix(_ENDING): text for name, text in beside.items() if name.endswith(_ENDING)}
    for source in sources:
        written = _WRITTEN.match(source)
        if written and written[1] not in (beside.keys() & {f"{GIVEN}{_ENDING}"}):
            files[written[1].removesuffix(_ENDING)] = source[written.end() :]
    texts: dict[str, str] = {}
    refused: list[str] = []
    wanted = deque(name for source in sources for name in imported(source))
    while wanted:
        name = wanted.popleft()
        text = files.pop(name, None)
        if text is None:  # there is no such file, or it was looked at before
            continue
        why = _why_refused(name, text)
        if why:
            refused.append(f"`{name}.py` beside the notebook was left out: {why}.")
        else:
            texts[name] = text
            wanted += imported(text)
    refused += _say_opened(sources, files)
    return Brought(_FINDER.format(texts=texts) if texts else "", tuple(texts), tuple(refused))


def _say_opened(sources: Sequence[str], files: Mapping[str, str]) -> Iterator[str]:
    """Say which files a cell opens, or runs in a way of its own: no file is there when the work is graded."""
    opened = dict.fromkeys(name for source in sources for name in _OPENED.findall(source))
    for name in opened:
        if name in files and name != GIVEN:
            yield f"`{name}.py` beside the notebook was not used: no file can be opened here. Write `import {name}`."


def imported(source: str) -> list[str]:
    """Return the names of the modules that a text imports or runs, by its lines alone."""
    names = [*_FROM.findall(source), *_RUN.findall(source), *_ASKED.findall(source)]
    for listed in _IMPORT.findall(source):
        names += [part.split()[0].partition(".")[0] for part in listed.split(",") if part.split()]
    return list(dict.fromkeys(names))


def import_what_is_run(source: str, modules: Collection[str]) -> str:
    """Write `%run helpers.py` as an import, where there is such a file: magics do nothing in the sandbox."""
    return _RUN.sub(lambda found: f"from {found[1]} import *" if found[1] in modules else found[0], source)


def _why_refused(name: str, text: str) -> str:
    if not name.isidentifier() or name in sys.stdlib_module_names or name in _OURS:
        return "a library has that name"
    if len(text.encode("utf-8", errors="replace")) > MAX_MODULE_BYTES:
        return f"it is larger than {MAX_MODULE_BYTES // 1_000} kB"
    return ""
