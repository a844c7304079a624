"""How long a run is: the scale's factor, its warm-up, and shorter runs of the same point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from tcpatlas.base.units import plain

# Below this a run says nothing at all; a scenario that asks for less than this keeps its own length.
SHORTEST_RUN = 100
WARMUP_SHARE = 100
# A bulk transfer's window goes up and down for seconds before it repeats itself.
SHORTEST_DURATION = Decimal(20)
WARMUP_SHARE_OF_TIME = 10
# The first ends slow start; after the second a connection has forgotten it.
WARMUP_LOSS_EVENTS = 2


@dataclass(frozen=True)
class RunLength:
    """What the configuration adds to every point: factor on the run length, replications, seed.

    `bounds` are the scale's own numbers of replications, which hold over those of any set; `slow` are the
    further factors of slow engines, where a set does not choose its own.
    """

    factor: Decimal
    replications: Mapping[str, Any]
    seed: int
    bounds: Mapping[str, Any] = field(default_factory=dict)
    slow: Mapping[str, float] = field(default_factory=dict)

    def replications_of(self, spec: Mapping[str, Any]) -> dict[str, Any]:
        """Return the replications of the points of a set."""
        return {**self.replications, **spec.get("replications", {}), **self.bounds}

    def stop(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Return the stop rule of a point whose scenario asks for connections, loss events or seconds."""
        if "duration" in asked:
            duration = max(asked["duration"] * self.factor, min(asked["duration"], SHORTEST_DURATION))
            return {"duration_s": plain(duration), "warmup_s": plain(duration / WARMUP_SHARE_OF_TIME)}
        if "loss_events" in asked:
            events = max(round(asked["loss_events"] * self.factor), 1)
            return {"loss_events": events, "warmup_loss_events": WARMUP_LOSS_EVENTS}
        connections = asked["connections"]
        scaled = max(round(connections * self.factor), min(connections, SHORTEST_RUN))
        return {"connections": scaled, "warmup_connections": scaled // WARMUP_SHARE}


def shortened(point: Mapping[str, Any], length: float) -> dict[str, Any]:
    """Return the point with its run shortened by a factor, and with the least number of replications.

    A number of repetitions stays at least 1, a warm-up of none stays none.
    """
    stop = {
        key: max(round(value * length), min(value, 1)) if isinstance(value, int) else value * length
        for key, value in point["stop"].items()
    }
    bounds = {**point["replications"], "maximum": point["replications"]["minimum"]}
    return {**point, "stop": stop, "replications": bounds}


def shortest(point: Mapping[str, Any]) -> dict[str, Any]:
    """Return the point with the shortest run that still says something."""
    stop = point["stop"]
    if "duration_s" in stop:
        least = float(SHORTEST_DURATION) / stop["duration_s"]
    elif "loss_events" in stop:
        least = 1 / stop["loss_events"]
    else:
        least = SHORTEST_RUN / stop["connections"]
    return shortened(point, min(least, 1))
