"""The local loop: users behind fair queueing, each over a path of several stations of his own.

A packet passes the stations in order; at the shared one it meets the other users' packets, everywhere else
only those of its own connection, and in the backbone other traffic (Baccelli, Hong and Liu 2001).
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Le, Len, Lt

from tcpatlas.base.units import plain
from tcpatlas.base.validation import Model, Name, Number, Quantity
from tcpatlas.points.errors import PointError
from tcpatlas.points.kinds.fixed_point import FixedPoint, point_fixed_point
from tcpatlas.points.kinds.local_loop_point import PointFields as PointFields
from tcpatlas.points.kinds.local_loop_point import Queue
from tcpatlas.points.kinds.quantities import Delay, Duration, Packets
from tcpatlas.points.kinds.sample import Sample
from tcpatlas.points.kinds.tcp import Tcp, point_tcp
from tcpatlas.points.kinds.workload import Workload, point_workload

Rate = Annotated[Decimal, Quantity("bit/s", "10 Mbit/s", ge=1, le=1e12)]
Share = Annotated[Decimal, Quantity("1", "90 %", gt=0, le=1)]
Probability = Annotated[Decimal, Quantity("1", "0.16 %", ge=0, lt=1)]
ALTERNATIVES: Mapping[str, str] = {}
SEARCHED = {"users": "sources.count"}
# Of thousands of users, or of the steps of a fixed point.
SHORT_RUN = 400_000

# Of a loop that carries thousands of packets a second fewer say nothing at all.
SHORTEST_RUN = 20000


class Load(Model):
    """Fractional Brownian load of a router, as shares of its rate; `standard_deviation` is that of a slot."""

    mean: Share
    standard_deviation: Annotated[Decimal, Quantity("1", "45 %", ge=0, le=100)]
    hurst: Annotated[Number, Gt(0), Lt(1)]
    slot: Duration = Decimal("0.01")


class Station(Model):
    """A link with its queue, and the propagation delay to the next station.

    With `queue` it is the shared router, with `load` the router that other traffic loads. Each of them has
    a `buffer`. `head_of_line`: whether a user's first packet takes room in the shared router's.
    """

    rate: Rate
    delay: Delay = Decimal(0)
    buffer: Packets | None = None
    queue: Queue | None = None
    head_of_line: Literal["in-buffer", "apart"] = "in-buffer"
    load: Load | None = None


class Sources(Model):
    """The users."""

    count: Annotated[int, Ge(1), Le(1000000)]
    workload: Workload


class Known(Model):
    """What formula (1) takes as known of a connection: its round-trip time, and probabilities of a packet."""

    rtt: Duration
    loss: Probability = Decimal(0)
    timeouts: Probability = Decimal(0)
    idle: Probability = Decimal(0)


class Stop(Model):
    """As long as it takes all users together to send so many packets is measured, about.

    An engine that follows some of them exactly counts theirs: their share of the packets.
    """

    packets: Annotated[int, Ge(1), Le(10**12)]


class Base(Model):
    """Stations from the source's own link to the destination's, and their users."""

    kind: Literal["local-loop"]
    stations: Annotated[dict[Name, Station], Len(2, 8)]
    return_delay: Delay
    packet_size: Annotated[Decimal, Quantity("byte", "1500 B", ge=1, le=65535, whole=True)]
    ack_size: Annotated[Decimal, Quantity("byte", "40 B", ge=0, le=65535, whole=True)] = Decimal(0)
    tcp: Tcp
    sources: Sources
    known: Known | None = None
    fixed_point: FixedPoint = FixedPoint()
    stop: Stop


def point_fields(base: Base, factor: Decimal) -> dict[str, Any]:
    """Return the fields of a point whose run is `factor` times as long as the base says.

    Raises PointError where values exclude one another.
    """
    _check_stations(base.stations)
    _check_drop_tail(base)
    followed = point_fixed_point(base.fixed_point, base.sources.count, factor)
    measured = max(round(base.stop.packets * factor), min(base.stop.packets, SHORTEST_RUN))
    fields = {
        "kind": base.kind,
        "stations": [_station(name, station) for name, station in base.stations.items()],
        "return_delay_s": plain(base.return_delay),
        "packet_bytes": plain(base.packet_size),
        "ack_bytes": plain(base.ack_size),
        "sources": [
            {
                "name": "sources",
                "count": base.sources.count,
                "workload": point_workload(base.sources.workload, "sources.workload", _round_trip(base)),
                "tcp": point_tcp(base.tcp, "tcp"),
            }
        ],
        "fixed_point": followed,
        "stop": _stop(measured, followed),
        "probes": [],
    }
    if base.known is not None:
        known = base.known
        fields["known"] = {"rtt_s": plain(known.rtt)} | {
            key: plain(getattr(known, key)) for key in ("loss", "timeouts", "idle")
        }
    return fields


def packets(point: Mapping[str, Any]) -> float:
    """Return the packets of all users in a run, about: one that iterates takes half of the allowed steps."""
    iteration = point["fixed_point"]
    steps = iteration["min_steps"] if iteration["scheme"] == "exact" else iteration["max_steps"] / 2
    return float(point["stop"]["packets"] + iteration["step_packets"] * steps)


def shortened(point: Mapping[str, Any], factor: float) -> dict[str, Any]:
    """Return the point with its run shortened by a factor, its steps too."""
    followed = point["fixed_point"]
    steps = {**followed, "step_packets": max(round(followed["step_packets"] * factor), 1)}
    return {
        **point,
        "fixed_point": steps,
        "stop": _stop(max(round(point["stop"]["packets"] * factor), 1), steps),
    }


def _stop(packets: int, followed: Mapping[str, Any]) -> dict[str, int]:
    """Return the rule of a run that measures so many packets after the least number of steps."""
    return {"packets": packets, "warmup_packets": followed["step_packets"] * followed["min_steps"]}


def _round_trip(base: Base) -> Decimal | None:
    """Return the round-trip time of the empty path, None where a source is alone."""
    if base.sources.count == 1:
        return None
    bits = 8 * base.packet_size
    return base.return_delay + sum(station.delay + bits / station.rate for station in base.stations.values())


def shortest(point: Mapping[str, Any]) -> dict[str, Any]:
    """Return the point with the shortest meaningful run."""
    return shortened(point, min(SHORTEST_RUN / point["stop"]["packets"], 1))


def is_random(point: Mapping[str, Any]) -> bool:
    """Say whether a run draws anything but how it begins: downloads, think times, cross flows."""
    return True


def sample(point: Mapping[str, Any]) -> Sample:
    """Return how long a run of the cross-check of engines is, and how often it is repeated."""
    return Sample(300000, 2)


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
        if station.head_of_line != "in-buffer" and name not in shared:
            raise PointError((f"stations.{name}.head_of_line",), "says nothing; of the shared router only")


def _check_drop_tail(base: Base) -> None:
    """Raise PointError where a FIFO would need what section 5 has for fair queueing only."""
    for name, station in base.stations.items():
        if station.queue != "drop-tail":
            continue
        if base.fixed_point.scheme != "exact":
            problem = "is drop-tail, which the schemes of cross flows do not have; with the scheme exact only"
            raise PointError((f"stations.{name}.queue", "fixed_point.scheme"), problem)
        if station.head_of_line != "in-buffer":
            problem = "is apart, but a drop-tail queue has one head of line; only in-buffer"
            raise PointError((f"stations.{name}.head_of_line",), problem)


def _station(name: str, station: Station) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "name": name,
        "rate_bit_per_s": plain(station.rate),
        "delay_s": plain(station.delay),
    }
    if station.buffer is not None:
        fields["buffer_packets"] = plain(station.buffer)
    if station.queue is not None:
        fields |= {"queue": station.queue, "head_of_line": station.head_of_line}
    if station.load is not None:
        load = station.load
        fields["load"] = {
            "mean": plain(load.mean),
            "standard_deviation": plain(load.standard_deviation),
            "hurst": plain(Decimal(str(load.hurst))),
            "slot_s": plain(load.slot),
        }
    return fields
