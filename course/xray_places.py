"""Say in which lines of the learner's the numbers of a step come to be."""

from __future__ import annotations

from course.practice import StepValues
from course.xray import Home, Place, Sightings
from course.xray_look import Look


def places_of_step(sightings: Sightings, step: StepValues) -> tuple[Place, ...]:
    """Return the first line after which all numbers of the step are there; then the line that called it, if any.

    A function that starts later is not meant: it was only given the numbers.
    """
    look = Look(sightings, (step,))
    search = look.search(step)
    found = [sighting for stream in look.streams if (sighting := search.find_lines(stream))]
    found = found or [sighting for stream in look.streams if (sighting := search.find_one_by_one(stream))]
    places: dict[Home, Place] = {}
    for each in sorted(found, key=lambda sighting: sighting.moment):
        places.setdefault(each.place.home, each.place)
    started: dict[Home, int] = {}
    for each in sorted((each for stream in sightings.streams for each in stream), key=lambda each: each.moment):
        started.setdefault(each.place.home, each.moment)
    first = started[next(iter(places))] if places else 0
    return tuple(place for function, place in places.items() if started[function] <= first)
