"""Name the variable that shows what goes wrong first: a list that is never emptied, or numbers not added up."""

from __future__ import annotations

from collections.abc import Sequence

from course.rounds import is_list_added_to
from course.xray import Sighting
from course.xray_lines import is_input
from course.xray_look import Look


def say_growing(look: Look) -> str:
    """Name the list that is never emptied, where that is what goes wrong first; else ""."""
    steps = [step for step in look.judged if step.step == look.first_growing == look.first_not_seen]
    growing = [look.search(step) for step in steps]
    named = zip(look.sightings.names, look.sightings.streams, strict=False)
    found = [
        (each.moment, name)
        for name, stream in named
        for each in stream
        if any(search.grows([[each]]) for search in growing)
    ]
    _, name = min(found, default=(0, ""))  # what it is copied to comes later
    places = (each.place for stream in look.sightings.streams for each in stream)
    if not name.isidentifier() or not is_list_added_to(name, places):
        return ""
    return f"The list `{name}` is never emptied: it still holds what earlier rounds put in. Make it new in the loop."


def say_sums(look: Look) -> str:
    """Name the variable, and its line, that holds all that the first wrong step should have added up; else ""."""
    steps = [step for step in look.judged if step.step == look.first_not_seen]
    if not steps or any(map(look.how, steps)):
        return ""  # what was seen of it is added up already
    search, named = look.search(steps[0]), zip(look.sightings.names, look.sightings.streams, strict=False)
    found = ((name, search.find_sums(_made(look, stream))) for name, stream in named)
    name, line = next(((name, each.place.line) for name, each in found if each and name.isidentifier()), ("", 0))
    if not name:
        return ""
    says = f"In line {line}, `{name}` holds what is to be added up: its sums are the right numbers of step"
    return f"{says} {look.first_not_seen}. They do not appear in your code."


def _made(look: Look, stream: Sequence[Sighting]) -> Sequence[Sighting]:
    """Leave out what is just an input again: its rows add up to right numbers by chance."""
    return [each for each in stream if not is_input([each], look.sightings.inputs)]
