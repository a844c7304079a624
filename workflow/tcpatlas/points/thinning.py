"""Thins sets for smoke runs, which need few points to show that everything works."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from tcpatlas.points.engines import all_engines
from tcpatlas.points.types import Point, ScenarioSet, Study

# Above the time that a process takes to start, below that of a kernel.
_LONG_START_S = 0.02


def thinned(study: Study, points: int, printed: Collection[tuple[str, str]]) -> Study:
    """Return the study with at most that many points per set, evenly spread, and all `printed` ones.

    These are the points that a printed number refers to, each as the names of its set and its own. Where they
    are more than `points`, an engine that starts a system for each run is left out, unless it is the first.
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
    if len(kept) <= points:
        return replace(scenario_set, points=kept)
    others = [*scenario_set.engines][1:]
    slow = tuple(name for name in others if all_engines()[name].cost.run_seconds > _LONG_START_S)
    engines = {engine: length for engine, length in scenario_set.engines.items() if engine not in slow}
    return replace(scenario_set, points=kept, engines=engines, left_out=(*scenario_set.left_out, *slow))
