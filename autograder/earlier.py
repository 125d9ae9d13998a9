"""Write `earlier.py`: the functions of earlier lessons that a lesson builds on, from their reference solutions.

It lies beside the lesson's notebook, and is released with that lesson only. The grader gives every submission the
course's own functions; in a learner's notebook `course.carry_on` puts the learner's own ones in their place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Final

from autograder.lesson import EARLIER

_SOLVE: Final = re.compile(r"\bsolve\b")
_HEAD: Final = '''\
"""Functions of earlier lessons, as the course wrote them. This lesson builds on them.

Where you have passed a lesson, your own `solve` is used instead: the last line takes care of that.
"""

{imports}
from course import carry_on

{functions}

carry_on(globals(), {lessons})
'''
_IMPORT: Final = re.compile(r"^(?:import|from) .*\n", re.MULTILINE)


def earlier_text(references: Mapping[str, str]) -> str:
    """Write the module from the reference solutions of the earlier lessons, by lesson id; empty if there is none."""
    if not references:
        return ""
    imports = sorted({line for text in references.values() for line in _IMPORT.findall(text)})
    functions = []
    for lesson_id, text in references.items():
        body = _SOLVE.sub(_name(lesson_id), _IMPORT.sub("", text)).strip("\n")
        functions.append(f"\n{body}\n")
    lessons = ", ".join(f'{_name(lesson_id)}="{lesson_id}"' for lesson_id in references)
    return _HEAD.format(imports="".join(imports).rstrip("\n"), functions="\n".join(functions), lessons=lessons)


def earlier_module(text: str) -> ModuleType:
    """Run the module's text, the author's own code, with the course's functions in it."""
    module = ModuleType("earlier")
    trusted = text[: text.rindex("\ncarry_on(")].replace("from course import carry_on\n", "")
    exec(compile(trusted, EARLIER, "exec"), module.__dict__)  # noqa: S102
    return module


def write_earlier(text: str, folder: Path) -> None:
    """Write the file beside the notebook, or take it away where the lesson needs none."""
    file = folder / EARLIER
    if not text:
        file.unlink(missing_ok=True)
    elif not file.is_file() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")


def _name(lesson_id: str) -> str:
    return lesson_id.partition("_")[2]
