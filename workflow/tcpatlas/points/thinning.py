"""Thins sets for smoke runs, which need few points to show that everything works."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from tcpatlas.points.types import Point, ScenarioSet, Study


def thinned(study: Study, points: int, printed: Collection[tuple[str, str]]) -> Study:
    """Return the study with at most that many points per set, evenly spread, and all `printed` ones.

    These are the points that a printed number refers to, each as the names of its set and its own.
    """
    return replace(study, sets=tuple(_thin(scenario_set, points, printed) for scenario_set in study.sets))


def evenly_spread(points: Sequence[Point], count: int) -> list[Point]:
    """Return at most `count` of the points, the first and, of several, the last among them."""
    last = len(points) - 1
    chosen = {round(last * index / max(count - 1, 1)) for index in range(count)}
    return [point for index, point in enumerate(points) if index in chosen]


def _thin(scenario_set: ScenarioSet, points: int, printed: Collection[tuple[str, str]]) -> ScenarioSet:
    spread = {point.name for point in evenly_spread(scenario_set.points, points)}
    kept = tuple(
        point
        for point in scenario_set.points
        if point.name in spread or (scenario_set.name, point.name) in printed
    )
    return replace(scenario_set, points=kept)
