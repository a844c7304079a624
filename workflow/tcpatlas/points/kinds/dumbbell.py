"""The dumbbell: groups of sources behind access links, one bottleneck with its queue, one egress link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any, Literal, NotRequired

from annotated_types import Ge, Gt, Le, Len, Lt
from pydantic import Field, with_config
from typing_extensions import TypedDict

from tcpatlas.base.units import plain
from tcpatlas.base.validation import CLOSED, Model, Name, Number, Quantity
from tcpatlas.points.errors import PointError
from tcpatlas.points.kinds import stop as stop_rules
from tcpatlas.points.kinds.probes import PointProbe, Probe, point_probes
from tcpatlas.points.kinds.quantities import Delay, Duration, Packets
from tcpatlas.points.kinds.rtt import PointRttDistribution, RttDistribution, point_rtt_distribution
from tcpatlas.points.kinds.sample import Sample
from tcpatlas.points.kinds.stop import PointStop, Stop
from tcpatlas.points.kinds.tcp import PointTcp, Tcp, one_offered, point_tcp
from tcpatlas.points.kinds.workload import PointWorkload, Workload, point_workload, workload_is_random

Rate = Annotated[Decimal, Quantity("bit/s", "10 Mbit/s", ge=1, le=1e12)]
Bytes = Annotated[Decimal, Quantity("byte", "1500 B", ge=1, le=65535, whole=True)]
Count = Annotated[int, Ge(1), Le(1000000)]
# Seconds that a full queue may take to be sent, and packets that all windows may hold together: engines add
# up times in 63 bits of picoseconds, and keep a bit for each packet of a window.
LONGEST_QUEUE = 100000
MOST_WINDOWS = 8 * 10**9
# Two ways to say the same: a layer that gives one drops what it inherits of the other.
ALTERNATIVES = {"rtt": "propagation", "propagation": "rtt"}
SEARCHED = {"users": "sources.count", "buffer": "links.bottleneck.buffer", "rate": "links.bottleneck.rate"}
SHORT_RUN = 200_000


class Link(Model):
    """A link without a queue of its own."""

    rate: Rate
    delay: Delay = Decimal(0)


class Bottleneck(Model):
    """The link with the queue; its default delay is half of the propagation time that is left.

    `ties`: what comes first when a packet arrives at the instant of a departure.
    `target` and `interval`: of the queue managements that have them; by default as the kernel has them.
    `loss_growth`, for models only: a window of w packets loses each with probability loss times loss_growth
    to the power of w.
    """

    rate: Rate
    delay: Delay | None = None
    loss: Annotated[Decimal, Quantity("1", "0.1 %", ge=0, lt=1)] = Decimal(0)
    loss_growth: Annotated[Number, Gt(0)] = 1
    buffer: Packets
    queue: Annotated[str, one_offered("links.bottleneck.queue")]
    ties: Annotated[str, one_offered("links.bottleneck.ties")] = "departure-first"
    target: Duration | None = None
    interval: Duration | None = None


class Links(Model):
    """The links of the way there."""

    access: Link
    bottleneck: Bottleneck
    egress: Link


class Sources(Model):
    """One group of like sources; beside `groups`, only the default of their workloads."""

    count: Count | None = None
    workload: Workload | None = None


class Group(Model):
    """One of several groups of sources; what it does not say is as in the base."""

    count: Count
    workload: Workload | None = None
    tcp: Tcp | None = None
    access: Link | None = None
    extra_delay: Delay = Decimal(0)


class CrossTraffic(Model):
    """Packets of packet_size that reach the bottleneck whatever happens there.

    `phase` is that of the first packet of a deterministic stream, in periods. Default: drawn for each
    replication.
    """

    kind: Annotated[str, one_offered("cross_traffic.kind")]
    rate: Annotated[Decimal, Quantity("bit/s", "100 kbit/s", ge=0, le=1e12)]
    phase: Annotated[Number, Ge(0), Lt(1)] | None = None


class Base(Model):
    """A dumbbell, its TCP and its sources. Exactly one of rtt and propagation, both of the empty path.

    `rtt` includes the transmission times of a full packet and its acknowledgement, `propagation` does not.
    `rtt_distribution`, for models only, is put in place of the path's round-trip time.
    """

    kind: Literal["dumbbell"] = "dumbbell"
    links: Links
    rtt: Annotated[Decimal, Quantity("s", "50 ms", gt=0, le=3600)] | None = None
    propagation: Delay | None = None
    rtt_distribution: RttDistribution | None = None
    packet_size: Bytes
    ack_size: Annotated[Decimal, Quantity("byte", "40 B", ge=0, le=65535, whole=True)]
    tcp: Tcp
    sources: Sources = Sources()
    groups: Annotated[dict[Name, Group], Len(1)] | None = None
    cross_traffic: CrossTraffic | None = None
    stop: Stop
    probes: list[Probe] = Field(default_factory=list)


@with_config(CLOSED)
class PointLink(TypedDict):
    """A link in a point."""

    rate_bit_per_s: Annotated[Number, Ge(1), Le(1e12)]
    delay_s: Annotated[Number, Ge(0), Le(3600)]


@with_config(CLOSED)
class PointBottleneck(TypedDict):
    """The bottleneck in a point; the packet in service counts as in the buffer.

    Without `ties`, a departure comes before an arrival of the same instant.
    """

    rate_bit_per_s: Annotated[Number, Ge(1), Le(1e12)]
    delay_s: Annotated[Number, Ge(0), Le(3600)]
    loss_probability: Annotated[Number, Ge(0), Lt(1)]
    loss_growth: NotRequired[Annotated[Number, Gt(0)]]
    queue: str
    ties: NotRequired[str]
    target_s: NotRequired[Annotated[Number, Gt(0), Le(86400)]]
    interval_s: NotRequired[Annotated[Number, Gt(0), Le(86400)]]
    buffer_packets: Annotated[int, Ge(1), Le(1000000)]


@with_config(CLOSED)
class PointLinks(TypedDict):
    """The links that all sources share."""

    bottleneck: PointBottleneck
    egress: PointLink


@with_config(CLOSED)
class PointGroup(TypedDict):
    """A group of sources in a point; `extra_delay_s` is added to its way back."""

    name: str
    count: Annotated[int, Ge(1), Le(1000000)]
    workload: PointWorkload
    tcp: PointTcp
    access: PointLink
    extra_delay_s: Annotated[Number, Ge(0), Le(3600)]


@with_config(CLOSED)
class PointCrossTraffic(TypedDict):
    """Cross traffic in a point; without a phase, it is drawn from the seed."""

    kind: str
    rate_bit_per_s: Annotated[Number, Ge(1), Le(1e12)]
    phase: NotRequired[Annotated[Number, Ge(0), Lt(1)]]


@with_config(CLOSED)
class PointFields(TypedDict):
    """What a point of this kind holds beside what every point does.

    `return_delay_s` is from the arrival of a packet's last bit at the receiver to the arrival of its
    acknowledgement at the sender.
    """

    kind: Literal["dumbbell"]
    links: PointLinks
    return_delay_s: Annotated[Number, Ge(0), Le(100000)]
    rtt_distribution: NotRequired[PointRttDistribution]
    packet_bytes: Annotated[int, Ge(1), Le(65535)]
    ack_bytes: Annotated[int, Ge(0), Le(65535)]
    sources: Annotated[list[PointGroup], Len(1)]
    cross_traffic: NotRequired[PointCrossTraffic]
    stop: PointStop
    probes: list[PointProbe]


def point_fields(base: Base, factor: Decimal) -> dict[str, Any]:
    """Return the fields of a point whose run is `factor` times as long as the base says.

    Raises PointError where values exclude one another.
    """
    forward_delay, return_delay = _split_propagation(base)
    bottleneck = base.links.bottleneck
    groups = _groups(base, forward_delay + return_delay)
    sources = [(group["count"], group["workload"]["kind"]) for group in groups]
    if base.stop.transfer is not None and sources != [(1, "bulk")]:
        paths = ("stop.transfer", "sources.count", "sources.workload.kind", "groups")
        raise PointError(paths, "is of one bulk source; no other source may be there")
    _check_queues(base, groups)
    count, mean_file_size = _on_off(groups)
    if base.stop.packets is not None and count == 0:
        places = ("stop.packets", "sources.workload.kind", "groups")
        raise PointError(places, "is of on-off sources; at least one is needed")
    return {
        "kind": base.kind,
        "links": {
            "bottleneck": {
                "rate_bit_per_s": plain(bottleneck.rate),
                "delay_s": plain(forward_delay),
                "loss_probability": plain(bottleneck.loss),
                **({} if bottleneck.loss_growth == 1 else {"loss_growth": plain(bottleneck.loss_growth)}),
                "queue": bottleneck.queue,
                **_ties(bottleneck),
                **({} if bottleneck.target is None else {"target_s": plain(bottleneck.target)}),
                **({} if bottleneck.interval is None else {"interval_s": plain(bottleneck.interval)}),
                "buffer_packets": plain(bottleneck.buffer),
            },
            "egress": _link(base.links.egress),
        },
        "return_delay_s": plain(return_delay),
        **(
            {"rtt_distribution": point_rtt_distribution(base.rtt_distribution)}
            if base.rtt_distribution
            else {}
        ),
        "packet_bytes": plain(base.packet_size),
        "ack_bytes": plain(base.ack_size),
        "sources": groups,
        **_cross_traffic(base),
        "stop": base.stop.scaled(factor, count, mean_file_size),
        "probes": point_probes(base.probes, [group["workload"] for group in groups]),
    }


def packets(point: Mapping[str, Any]) -> float:
    """Return how many packets a run takes, about.

    Connections times the mean file size; for a duration, as many as the bottleneck can carry; for loss
    events, 3/8 w^2 packets each: one a round trip, from half of the window w that fills path and buffer. A
    transfer is as long as it is.
    """
    stop, groups = point["stop"], point["sources"]
    repeated = sum(stop.values())
    if "connections" in stop:
        return float(repeated * _on_off(groups)[1])
    if "transfer_packets" in stop:
        return float(repeated)
    links = point["links"]
    bottleneck = links["bottleneck"]
    if "duration_s" in stop:
        return float(repeated * bottleneck["rate_bit_per_s"] / 8 / point["packet_bytes"])
    delays = (links["egress"], bottleneck, groups[0]["access"])
    propagation = point["return_delay_s"] + sum(link["delay_s"] for link in delays)
    path = propagation * bottleneck["rate_bit_per_s"] / 8 / point["packet_bytes"]
    return float(repeated * 3 / 8 * (path + bottleneck["buffer_packets"]) ** 2)


def _on_off(groups: Sequence[Mapping[str, Any]]) -> tuple[int, float]:
    """Return how many on-off sources there are, and their mean file size in packets: 0 and 0 without any."""
    sizes = [
        (group["count"], group["workload"]["file_size"]["mean_packets"])
        for group in groups
        if group["workload"]["kind"] == "on-off"
    ]
    count = sum(each for each, _ in sizes)
    return count, sum(each * size for each, size in sizes) / max(count, 1)


def shortened(point: Mapping[str, Any], factor: float) -> dict[str, Any]:
    """Return the point with its run shortened by a factor."""
    return {**point, "stop": stop_rules.shortened(point["stop"], factor)}


def shortest(point: Mapping[str, Any]) -> dict[str, Any]:
    """Return the point with the shortest meaningful run."""
    return {**point, "stop": stop_rules.shortest(point["stop"])}


def _groups(base: Base, delays: Decimal) -> list[dict[str, Any]]:
    """Return the groups of sources; one group alone is named `sources`.

    `delays` are those of the bottleneck and of the way back.
    """
    if base.groups is None:
        for key in ("count", "workload"):
            if getattr(base.sources, key) is None:
                raise PointError((f"sources.{key}",), "is missing, and there are no groups")
        groups = {"sources": Group(count=base.sources.count or 1)}
    elif base.sources.count is not None:
        raise PointError(("sources.count", "groups"), "is there beside groups; one or the other")
    else:
        groups = base.groups
    alone = sum(group.count for group in groups.values()) == 1
    return [_group(base, name, group, None if alone else delays) for name, group in groups.items()]


def _group(base: Base, name: str, group: Group, delays: Decimal | None) -> dict[str, Any]:
    own = f"groups.{name}"
    workload = group.workload or base.sources.workload
    if workload is None:
        raise PointError((f"{own}.workload", "sources.workload"), "is missing, and sources has none")
    access = group.access or base.links.access
    folder = f"{own}.workload" if group.workload else "sources.workload"
    round_trip = None if delays is None else _round_trip(base, access, delays + group.extra_delay)
    return {
        "name": name,
        "count": group.count,
        "workload": point_workload(workload, folder, round_trip),
        "tcp": point_tcp(group.tcp or base.tcp, f"{own}.tcp" if group.tcp else "tcp"),
        "access": _link(access),
        "extra_delay_s": plain(group.extra_delay),
    }


def _round_trip(base: Base, access: Link, delays: Decimal) -> Decimal:
    """Return the time from sending a full packet to its acknowledgement on the empty path, in seconds."""
    links = base.links
    per_byte = sum(Decimal(8) / rate for rate in (access.rate, links.bottleneck.rate, links.egress.rate))
    return delays + access.delay + links.egress.delay + base.packet_size * per_byte


def _check_queues(base: Base, groups: Sequence[Mapping[str, Any]]) -> None:
    """Raise PointError where a full queue takes too long, though each of its numbers is in order."""
    links, bits = base.links, float(base.packet_size) * 8
    sources = sum(group["count"] for group in groups)
    buffers = float(links.bottleneck.buffer) * (sources if links.bottleneck.queue == "fair-individual" else 1)
    queues = [("links.bottleneck.buffer", "links.bottleneck.rate", buffers, float(links.bottleneck.rate))]
    for group in groups:
        window, access = group["tcp"]["rwnd_packets"], group["access"]["rate_bit_per_s"]
        queues += [
            ("tcp.rwnd", "links.access.rate", window, access),
            ("tcp.rwnd", "links.egress.rate", window, float(links.egress.rate)),
        ]
    if base.cross_traffic is not None and base.cross_traffic.rate > 0:
        queues.append(("cross_traffic.rate", "packet_size", 1, float(base.cross_traffic.rate)))
    for path, other, packets_there, rate in queues:
        if (seconds := packets_there * bits / rate) > LONGEST_QUEUE:
            problem = f"{packets_there:g} packets take {seconds:.3g} s to be sent; at most {LONGEST_QUEUE} s"
            raise PointError((path, other, "packet_size", "links", "groups"), problem)
    windows = sum(group["count"] * group["tcp"]["rwnd_packets"] for group in groups)
    if windows > MOST_WINDOWS:
        problem = f"the windows of all sources are {windows:g} packets; at most {MOST_WINDOWS:g}"
        raise PointError(("tcp.rwnd", "sources.count", "groups"), problem)


def _ties(bottleneck: Bottleneck) -> dict[str, Any]:
    """Return `ties` unless departures come first, which is all that fair queues know."""
    if bottleneck.ties == "departure-first":
        return {}
    if bottleneck.queue != "drop-tail":
        problem = f"{bottleneck.queue} knows no other rule than departure-first; that, or the queue drop-tail"
        raise PointError(("links.bottleneck.ties", "links.bottleneck.queue"), problem)
    return {"ties": bottleneck.ties}


def _cross_traffic(base: Base) -> dict[str, Any]:
    """Return `cross_traffic` if there is any; it must leave the sources something of the bottleneck."""
    traffic, bottleneck = base.cross_traffic, base.links.bottleneck
    if traffic is None or traffic.rate == 0:
        return {}
    if bottleneck.queue != "drop-tail":
        problem = f"{bottleneck.queue} knows no turn for it; no cross traffic, or the queue drop-tail"
        raise PointError(("cross_traffic", "links.bottleneck.queue"), problem)
    if traffic.rate >= bottleneck.rate:
        raise PointError(
            ("cross_traffic.rate", "links.bottleneck.rate"),
            f"{float(traffic.rate):g} bit/s leave nothing; "
            f"less than the bottleneck's {float(bottleneck.rate):g} bit/s",
        )
    fields = {"kind": traffic.kind, "rate_bit_per_s": plain(traffic.rate)}
    if traffic.phase is not None:
        if traffic.kind != "deterministic":
            problem = f"{traffic.kind} traffic has no phase; leave it out"
            raise PointError(("cross_traffic.phase", "cross_traffic.kind"), problem)
        fields["phase"] = plain(traffic.phase)
    return {"cross_traffic": fields}


def _link(link: Link) -> dict[str, Any]:
    return {"rate_bit_per_s": plain(link.rate), "delay_s": plain(link.delay)}


def _split_propagation(base: Base) -> tuple[Decimal, Decimal]:
    """Return the bottleneck's delay and the return delay in seconds.

    RTT_0 = D + (P + a) (1/C_1 + 1/C + 1/C_3) (Zaragoza 2014, section 3.3): D is what `rtt` leaves after the
    transmission of the packet and its acknowledgement on the three links, or `propagation` itself. What the
    links' own delays leave of D is split evenly, unless the bottleneck's delay is given too. Acknowledgements
    do not queue: their transmission times are part of the return delay.
    """
    if (base.rtt is None) == (base.propagation is None):
        raise PointError(("rtt", "propagation"), "exactly one of rtt and propagation is needed")
    total, round_trip = ("rtt", base.rtt) if base.propagation is None else ("propagation", base.propagation)
    assert round_trip is not None
    links = base.links
    per_byte = sum(Decimal(8) / link.rate for link in (links.access, links.bottleneck, links.egress))
    acknowledgement = base.ack_size * per_byte
    transmission = (base.packet_size * per_byte + acknowledgement) if total == "rtt" else Decimal(0)
    fixed = transmission + links.access.delay + links.egress.delay + (links.bottleneck.delay or 0)
    left = round_trip - fixed
    if left < 0:
        what = "the path's transmission times and delays" if total == "rtt" else "the links' own delays"
        raise PointError(
            (total, "links", "packet_size", "ack_size"),
            f"{float(round_trip):g} s is less than {what}; at least {float(fixed):.6g} s",
        )
    if links.bottleneck.delay is None:
        return left / 2, left / 2 + acknowledgement
    return links.bottleneck.delay, left + acknowledgement


def is_random(point: Mapping[str, Any]) -> bool:
    """Say whether a run draws anything but how it begins: losses, arrivals, ties, files and their times."""
    bottleneck = point["links"]["bottleneck"]
    return bool(
        bottleneck["loss_probability"] > 0
        or bottleneck.get("ties") == "random"
        or point.get("cross_traffic", {}).get("kind") == "poisson"
        or any(workload_is_random(group["workload"]) for group in point["sources"])
    )


def sample(point: Mapping[str, Any]) -> Sample:
    """Return how long a run of the cross-check of engines is, and how often it is repeated.

    An isolated flow sends thousands of packets from one loss to the next, so a run that stops by loss events
    takes more packets and is repeated less often.
    """
    return Sample(150000, 2) if "loss_events" in point["stop"] else Sample(50000, 4)
