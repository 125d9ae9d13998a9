"""Load the templates of a page: everything put into them is escaped, and a name that is not there is an error."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

import autograder.templates
from course.wording import clean, count


def templates_in(folder: str, **filters: Callable[..., Any]) -> Environment:
    """Open the folder of one kind of page in `autograder/templates`, with the filters that its templates use."""
    environment = Environment(
        loader=FileSystemLoader(Path(autograder.templates.__file__).parent / folder, encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(clean=clean, count=count, **filters)
    return environment
