"""The points that a statement about a trend or a mean speaks of: from one point on, along a parameter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tcpatlas.points.types import Point, ScenarioSet


def series_from(
    first: Point, along: str, scenario_set: ScenarioSet, sets: tuple[ScenarioSet, ...]
) -> tuple[tuple[ScenarioSet, Point], ...]:
    """Return the points from the first on, each with its set.

    `along` is a number that the set sweeps: the points are those with a larger one, all else equal. Or the
    item's sets differ in it: they are those at the same place in the sweeps of the sets with a larger one.
    ValueError where this leads to no other point.
    """
    if along in first.parameters:
        found = [(scenario_set, point) for point in _sweep(first, along, scenario_set)]
    else:
        found = list(_across(first, along, sets))
    if len(found) < 2:
        raise ValueError(f"{along} leads from {first.name} to no other point")
    return tuple(found)


def _sweep(first: Point, along: str, scenario_set: ScenarioSet) -> list[Point]:
    """Return the points that differ from the first in one number only, and have a larger one."""
    start = _number(first, along, first.parameters[along])
    others = {path: value for path, value in first.parameters.items() if path != along}
    alike = [
        point
        for point in scenario_set.points
        if along in point.parameters and others == {k: v for k, v in point.parameters.items() if k != along}
    ]
    larger = [point for point in alike if _number(point, along, point.parameters[along]) >= start]
    return sorted(larger, key=lambda point: point.parameters[along])


def _across(first: Point, along: str, sets: tuple[ScenarioSet, ...]) -> Iterator[tuple[ScenarioSet, Point]]:
    """Yield the points at the first one's place in its own set and those with a larger number."""
    start = _number(first, along, setting(first, along))
    found = []
    for scenario_set in sets:
        for point in scenario_set.points:
            if point.place == first.place and point.parameters.keys() == first.parameters.keys():
                number = _number(point, along, setting(point, along))
                if point is first or number > start:
                    found.append((number, scenario_set, point))
    found.sort(key=lambda one: one[0])
    if len({number for number, *_ in found}) < len(found):
        raise ValueError(f"{along} is the same in two sets")
    for _, scenario_set, point in found:
        yield scenario_set, point


def setting(point: Point, path: str) -> Any:
    """Return what a point has at a dotted path of the scenario; None if it has nothing there.

    The point's own keys end in their units: `file_size.mean` is `file_size.mean_packets`.
    """
    value: Any = point.document
    for part in path.split("."):
        if not isinstance(value, Mapping):
            return None
        keys = [key for key in value if key == part or key.startswith(f"{part}_")]
        value = value[min(keys, key=len)] if keys else None
    return value


def _number(point: Point, path: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{path} is no number at {point.name}")
    return value
