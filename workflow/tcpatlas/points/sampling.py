"""The cross-check of engines: a few short points of every simulated set."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tcpatlas.points import kinds
from tcpatlas.points.engines import takes
from tcpatlas.points.run_length import RunLength
from tcpatlas.points.scenario import CrossCheck
from tcpatlas.points.study import available, engine_factors
from tcpatlas.points.thinning import evenly_spread
from tcpatlas.points.types import SAMPLED_SET, Point, ScenarioSet, Study

# A set is left out if even its shortest run needs this many times a sample's packets: an engine with 100,000
# packets per second would take minutes.
_MOST_SAMPLES = 20


def with_samples(study: Study, asked: CrossCheck, others: Iterable[Study], length: RunLength) -> Study:
    """Return the study with a set `all-<study>` for each other study with points to compare.

    It has some points of each simulated set, evenly spread over the points that all engines take and whose
    shortest meaningful run is no longer than a sample; if there is none, the point that needs the fewest
    packets, unless even that takes too long. Designs are left out: they cover a space, not a setting.
    """
    engines = engine_factors(asked.engines, study.file, "cross_check.engines")
    here, left_out = available(engines)
    sets = list(study.sets)
    for other in others:
        points = [
            point
            for scenario_set in other.sets
            if scenario_set.engines and not scenario_set.designed
            for point in evenly_spread(_affordable(_taken(scenario_set, engines)), asked.points)
        ]
        if points:
            name, title = f"all-{other.name}", f"Some points of every set of {other.name}"
            renamed = tuple(_sample(study.name, name, *numbered, length) for numbered in enumerate(points))
            sets.append(ScenarioSet(study.name, name, title, here, (), renamed, frozenset(), left_out))
    return replace(study, sets=tuple(sets))


def _taken(scenario_set: ScenarioSet, engines: Iterable[str]) -> list[Point]:
    """Return the points that all engines take; the set's own engines are known to take them."""
    others = [engine for engine in engines if engine not in scenario_set.engines]
    return [point for point in scenario_set.points if all(takes(engine, point.document) for engine in others)]


def _affordable(points: Sequence[Point]) -> Sequence[Point]:
    """Return the points whose shortest run is no longer than a sample, or else the cheapest one.

    Even that one is left out if it takes too many packets.
    """
    samples = [
        _packets(kinds.of(point.document).shortest(point.document))
        / kinds.of(point.document).sample(point.document).packets
        for point in points
    ]
    within = [point for point, count in zip(points, samples, strict=True) if count <= 1]
    if within or not points or min(samples) > _MOST_SAMPLES:
        return within
    return [points[samples.index(min(samples))]]


def _sample(study: str, set_name: str, place: int, point: Point, length: RunLength) -> Point:
    """Return the point as one of a set of samples: shortened, and with a fixed number of replications."""
    sample = kinds.of(point.document).sample(point.document)
    replications = {"minimum": sample.replications, "maximum": sample.replications, "targets": {}}
    name = f"{point.set}_{point.name}"
    document = {
        **_of_length(point.document, sample.packets * float(length.factor)),
        "study": study,
        "set": set_name,
        "point": name,
        "parameters": {SAMPLED_SET: point.set, **point.parameters},
        "replications": {**replications, **length.bounds},
    }
    return replace(point, study=study, set=set_name, name=name, place=place, document=document)


def _of_length(point: Mapping[str, Any], packets: float) -> dict[str, Any]:
    """Return the point with a run of about that many packets, between its shortest and its own length."""
    kind = kinds.of(point)
    least = kind.shortest(point)
    if packets <= kind.packets(least):
        return least
    return kind.shortened(point, min(packets / kind.packets(point), 1))


def _packets(point: Mapping[str, Any]) -> float:
    return kinds.of(point).packets(point)
