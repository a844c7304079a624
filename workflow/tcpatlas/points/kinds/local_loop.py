"""The local loop: users behind one shared router, each with a path of several stations.

A packet passes the stations in order; at the shared one it meets the other users' packets, everywhere else
only those of its own connection, and in the backbone other traffic (Baccelli, Hong and Liu 2001).
"""

import math
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal

from annotated_types import Gt, Len, Lt

from tcpatlas.base.validation import Model, Name, Number, Quantity
from tcpatlas.points.errors import PointError
from tcpatlas.points.parts.fixed_point import FixedPoint, Iteration
from tcpatlas.points.parts.probes import check_probes
from tcpatlas.points.parts.quantities import AckSize, Delay, Duration, Packets, Probability
from tcpatlas.points.parts.sample import Sample
from tcpatlas.points.parts.sources import Link, PointFields, Traffic, source_groups
from tcpatlas.points.parts.stop import Stop
from tcpatlas.points.parts.tcp import one_offered

ALTERNATIVES: Mapping[str, str] = {}
SEARCHED = {"users": "sources.count"}
# Packets in a short run: enough for thousands of users, or for a fixed-point iteration.
SHORT_RUN = 400_000

# Shorter runs are meaningless: a loop carries thousands of packets per second.
SHORTEST_RUN = 20000


class Load(Model):
    """Fractional Brownian load of a router, as shares of its rate; `standard_deviation` is that of a slot."""

    mean: Annotated[Decimal, Quantity("1", "90 %", gt=0, le=1)]
    standard_deviation: Annotated[Decimal, Quantity("1", "45 %", ge=0, le=100)]
    hurst: Annotated[Number, Gt(0), Lt(1)]
    slot: Duration = Decimal("0.01")


class Station(Link):
    """A link with its queue, and the propagation delay to the next station.

    With `queue` it is the shared router, with `load` the router that other traffic loads. Each of them has
    a `buffer`. `head_of_line`, for the shared router: whether a user's first packet takes room in its buffer
    (default: it does). `drop`, for a shared buffer with fair queueing: when full, it drops a packet of the
    longest queue, or the arriving one.
    """

    buffer: Packets | None = None
    queue: Annotated[str, one_offered("stations.queue")] | None = None
    head_of_line: Literal["in-buffer", "apart"] | None = None
    drop: Literal["longest-queue", "arriving"] | None = None
    load: Load | None = None


class NamedStation(Station):
    """A station in a point."""

    name: str


class Known(Model):
    """A connection as formula (1) takes it: its round-trip time, and probabilities of a packet."""

    rtt: Duration
    loss: Probability = Decimal(0)
    timeouts: Probability = Decimal(0)
    idle: Probability = Decimal(0)


class Base(Traffic):
    """Stations from the source's own link to the destination's, and their users.

    `stop.packets` ends a run once all users together have sent about that many packets. An engine that
    follows only some users exactly counts their share of the packets.
    """

    kind: Literal["local-loop"]
    stations: Annotated[dict[Name, Station], Len(2, 8)]
    return_delay: Delay
    ack_size: AckSize = Decimal(0)
    known: Known | None = None
    fixed_point: FixedPoint = FixedPoint()


class Point(PointFields):
    """A local loop in a point."""

    kind: Literal["local-loop"]
    stations: Annotated[list[NamedStation], Len(2, 8)]
    known: Known | None = None
    fixed_point: Iteration


def point_fields(base: Base, factor: Decimal) -> Point:
    """Return the fields of a point whose run is `factor` times as long as the base says.

    Raises PointError where values exclude one another.
    """
    _check_stations(base.stations)
    _check_queue(base)
    groups = source_groups(base, lambda access, extra: _round_trip(base) + extra)
    check_probes(base.probes, [group.workload for group in groups])
    followed = base.fixed_point.iteration(sum(group.count for group in groups), factor)
    return Point(
        kind="local-loop",
        stations=[_named(name, station) for name, station in base.stations.items()],
        return_delay=base.return_delay,
        packet_size=base.packet_size,
        ack_size=base.ack_size,
        sources=groups,
        fixed_point=followed,
        stop=_stop(base.stop, followed, factor),
        probes=base.probes,
        known=base.known,
    )


def _stop(stop: Stop, followed: Iteration, factor: Decimal) -> Stop:
    """Return the stop rule of a run `factor` times as long; for packets, after the minimum of steps."""
    if stop.packets is None:
        return stop.scaled(factor, 0, 0)
    return Stop(
        packets=Decimal(max(round(stop.packets * factor), min(int(stop.packets), SHORTEST_RUN))),
        warmup_packets=followed.step * followed.min_steps,
    )


def packets(point: Mapping[str, Any]) -> float:
    """Return the approximate packets of all users in a run: an iteration takes half of the allowed steps."""
    iteration = point["fixed_point"]
    steps = iteration["min_steps"] if iteration["scheme"] == "exact" else iteration["max_steps"] / 2
    return float(point["stop"]["packets"] + iteration["step_packets"] * steps)


def shortened(point: Mapping[str, Any], factor: float) -> dict[str, Any]:
    """Return the point with its run shortened by a factor, its steps too."""
    followed = point["fixed_point"]
    step = max(round(followed["step_packets"] * factor), 1)
    measured = max(round(point["stop"]["packets"] * factor), 1)
    return {
        **point,
        "fixed_point": {**followed, "step_packets": step},
        "stop": {"packets": measured, "warmup_packets": step * followed["min_steps"]},
    }


def shortest(point: Mapping[str, Any]) -> dict[str, Any]:
    """Return the point with the shortest meaningful run."""
    return shortened(point, min(SHORTEST_RUN / point["stop"]["packets"], 1))


def capacity(point: Mapping[str, Any]) -> float:
    """Return the rate of the loop, in bit/s; inf of cross flows that only approximate users."""
    if point["fixed_point"]["scheme"] != "exact":
        return math.inf
    return float(next(station["rate_bit_per_s"] for station in point["stations"] if "queue" in station))


def is_random(point: Mapping[str, Any]) -> bool:
    """Say whether a run is random beyond its start: downloads, think times, cross flows."""
    return True


def sample(point: Mapping[str, Any]) -> Sample:
    """Return the length and the replications of a run in the cross-check of engines."""
    return Sample(300000, 2)


def _round_trip(base: Base) -> Decimal:
    """Return the time from sending a full packet to its acknowledgement on the empty path, in seconds."""
    bits = 8 * base.packet_size
    return base.return_delay + sum(station.delay + bits / station.rate for station in base.stations.values())


def _named(name: str, station: Station) -> NamedStation:
    values = {key: getattr(station, key) for key in Station.model_fields}
    if station.queue is not None:
        values["head_of_line"] = station.head_of_line or "in-buffer"
    return NamedStation(name=name, **values)


def _check_stations(stations: Mapping[str, Station]) -> None:
    names = list(stations)
    shared = [name for name in names if stations[name].queue]
    loaded = [name for name in names if stations[name].load]
    if len(shared) != 1 or shared[0] == names[0]:
        problem = f"{len(shared)} stations have a queue; one behind the source's has, the shared router"
        raise PointError((f"stations.{shared[-1]}.queue" if shared else "stations",), problem)
    if len(loaded) > 1:
        raise PointError((f"stations.{loaded[1]}.load",), "is the second load; one station at most has one")
    for name in loaded:
        if not 0 < names.index(name) < names.index(shared[0]):
            problem = "is not on the way to the shared router; of a station between the source's and that one"
            raise PointError((f"stations.{name}.load",), problem)
    for name, station in stations.items():
        needed = name in shared or name in loaded
        if needed != (station.buffer is not None):
            needs = "is missing; the shared router and a loaded one have a buffer, e.g. 10000 packets"
            unused = "bounds nothing; of the shared router or a loaded one only"
            raise PointError((f"stations.{name}.buffer",), needs if needed else unused)
        if station.head_of_line is not None and name not in shared:
            raise PointError((f"stations.{name}.head_of_line",), "says nothing; of the shared router only")
        if station.drop is not None and station.queue != "fair-shared":
            raise PointError((f"stations.{name}.drop",), "says nothing; of a queue fair-shared only")


def _check_queue(base: Base) -> None:
    """Raise PointError for queue options that section 5 defines for fair queueing only."""
    for name, station in base.stations.items():
        if station.queue is None or station.queue.startswith("fair-"):
            continue
        if base.fixed_point.scheme != "exact":
            no = "which the schemes of cross flows do not have; with the scheme exact only"
            problem = f"is {station.queue}, {no}"
            raise PointError((f"stations.{name}.queue", "fixed_point.scheme"), problem)
        if station.head_of_line == "apart":
            problem = f"is apart, which a queue that is {station.queue} does not have; only in-buffer"
            raise PointError((f"stations.{name}.head_of_line",), problem)
