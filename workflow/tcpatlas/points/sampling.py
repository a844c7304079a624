"""A few short points of every set of a scenario, so that even a slow engine answers all sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tcpatlas.points.cost import point_packets
from tcpatlas.points.run_length import RunLength, shortened, shortest
from tcpatlas.points.thinning import evenly_spread
from tcpatlas.points.types import Point, ScenarioSet

# The parameter that says which set a point was taken from.
SAMPLED_SET = "sampled_set"


def sample(
    study: str, name: str, spec: Mapping[str, Any], sets: Iterable[ScenarioSet], length: RunLength
) -> tuple[Point, ...]:
    """Return the points of the set `name`: `points` of each set that an engine answers, `packets` long.

    They are spread evenly over those of a set of which a run of that length can say something; where that are
    none, it is the one that needs the fewest packets, at its shortest. `spec` is the set as written.
    """
    asked = spec["points_of"]
    chosen = [
        point
        for one in sets
        if one.engines
        for point in evenly_spread(_affordable(one.points, asked["packets"]), asked["points"])
    ]
    return tuple(
        replace(
            point,
            study=study,
            set=name,
            name=f"{point.set}_{point.name}",
            place=place,
            document={
                **_of_length(point.document, asked["packets"] * float(length.factor)),
                "study": study,
                "set": name,
                "point": f"{point.set}_{point.name}",
                "parameters": {SAMPLED_SET: point.set, **point.parameters},
                "replications": length.replications_of(spec),
            },
        )
        for place, point in enumerate(chosen)
    )


def _affordable(points: Sequence[Point], packets: float) -> Sequence[Point]:
    """Return the points whose shortest run takes no more than so many packets, or else the cheapest one."""
    costs = [point_packets(shortest(point.document)) for point in points]
    within = [point for point, cost in zip(points, costs, strict=True) if cost <= packets]
    return within or [points[costs.index(min(costs))]]


def _of_length(point: Mapping[str, Any], packets: float) -> Mapping[str, Any]:
    """Return the point with a run of about so many packets: at least the shortest one, at most its own."""
    least = shortest(point)
    if packets <= point_packets(least):
        return least
    return shortened(point, min(packets / point_packets(point), 1))
