"""Fewer points, for runs that only show that everything works: nine show it as well as a thousand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tcpatlas.points.project import Point, ScenarioSet, Study


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


def evenly_spread(points: Sequence[Point], count: int) -> list[Point]:
    """Return at most `count` of the points, the first and, of several, the last among them."""
    last = len(points) - 1
    chosen = {round(last * index / max(count - 1, 1)) for index in range(count)}
    return [point for index, point in enumerate(points) if index in chosen]


def _thin(scenario_set: ScenarioSet, points: int, printed: set[tuple[str, str]]) -> ScenarioSet:
    spread = {point.name for point in evenly_spread(scenario_set.points, points)}
    kept = tuple(
        point
        for point in scenario_set.points
        if point.name in spread or (scenario_set.name, point.name) in printed
    )
    return replace(scenario_set, points=kept)
