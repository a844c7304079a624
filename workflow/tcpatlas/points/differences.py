"""Differences between sets that are shown together: values that one sweeps and another overrides."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from tcpatlas.points.types import SAMPLED_SET, Point, ScenarioSet, Study

# Run length and measurements are not parameters of the network.
_NO_PARAMETERS = ("stop", "probes")


def with_differences(study: Study, together: Iterable[Sequence[str]]) -> Study:
    """Return the study with the differences of its points; `together` are names of sets, by item.

    A point gets each value in which points of the item's sets differ, unless it is swept there and thus
    already a parameter.
    """
    sets = {scenario_set.name: scenario_set for scenario_set in study.sets}
    paths: dict[str, dict[str, None]] = {name: {} for name in sets}
    for names in together:
        differing = dict.fromkeys(_differing([sets[name] for name in names]))
        for name in names:
            paths[name] |= differing
    return replace(
        study, sets=tuple(_described(scenario_set, paths[scenario_set.name]) for scenario_set in study.sets)
    )


def _differing(sets: Sequence[ScenarioSet]) -> Iterator[str]:
    """Yield the paths of numbers and words that any of the sets touches and in which their points differ."""
    points = [point for scenario_set in sets for point in scenario_set.points]
    touched = (path for scenario_set in sets for path in (*_overridden(scenario_set), *_swept(scenario_set)))
    for path in dict.fromkeys(touched):
        if path.partition(".")[0] not in _NO_PARAMETERS and any(
            point.setting(path) != points[0].setting(path) for point in points
        ):
            yield path


def _overridden(one: ScenarioSet) -> Iterator[str]:
    for path in one.overridden:
        yield from _leaves(path, one.points[0].setting(path))


def _swept(one: ScenarioSet) -> list[str]:
    return [path for path in one.points[0].parameters if path != SAMPLED_SET]


def _leaves(path: str, value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(f"{path}.{key}", inner)
    elif isinstance(value, str | int | float | Decimal):
        yield path


def _described(one: ScenarioSet, paths: Iterable[str]) -> ScenarioSet:
    return replace(one, points=tuple(_with_values(point, paths) for point in one.points)) if paths else one


def _with_values(point: Point, paths: Iterable[str]) -> Point:
    values = {path: _word(point.setting(path)) for path in paths if path not in point.parameters}
    return replace(point, differences={path: value for path, value in values.items() if value is not None})


def _word(value: Any) -> Any:
    """Return the display form of a value: a switch is on or off."""
    return ("off", "on")[value] if isinstance(value, bool) else value
