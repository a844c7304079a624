"""Fewer points, for runs that only show that everything works: nine show it as well as a thousand."""

from __future__ import annotations

from dataclasses import replace

from tcpatlas.project import ScenarioSet, Study


def thinned(study: Study, points: int) -> Study:
    """Return the study with so many points a set, evenly spread, and those that printed numbers speak of.

    The items still refer to the sets as they were: load them again.
    """
    printed = {
        (place.set.name, place.point.name)
        for item in study.items
        for number in item.numbers
        for each in number.places
        for place in (each, each.against)
        if place is not None
    }
    return replace(study, sets=tuple(_thin(one, points, printed) for one in study.sets))


def _thin(scenario_set: ScenarioSet, points: int, printed: set[tuple[str, str]]) -> ScenarioSet:
    last = len(scenario_set.points) - 1
    spread = {round(last * index / max(points - 1, 1)) for index in range(points)}
    kept = tuple(
        point
        for index, point in enumerate(scenario_set.points)
        if index in spread or (scenario_set.name, point.name) in printed
    )
    return replace(scenario_set, points=kept)
