"""The dumbbell: groups of sources behind access links, one bottleneck with its queue, one egress link."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Le, Len
from pydantic import Field

from tcpatlas.base.validation import Model, Number, Quantity
from tcpatlas.points.errors import PointError
from tcpatlas.points.parts import stop as stop_rules
from tcpatlas.points.parts.delays import DelayStep, DrawnDelays, Jitter, Reordering, jitter_of
from tcpatlas.points.parts.losses import LossProcess, check_losses, evenly_spaced
from tcpatlas.points.parts.probes import check_probes
from tcpatlas.points.parts.quantities import (
    MOST_PACKETS,
    AckSize,
    Delay,
    Duration,
    Packets,
    PositiveShare,
    Probability,
    Rate,
)
from tcpatlas.points.parts.rtt import RttDistribution
from tcpatlas.points.parts.sample import Sample
from tcpatlas.points.parts.sources import (
    CrossTraffic,
    Link,
    PointFields,
    SourceGroup,
    Traffic,
    files_of,
    source_groups,
)
from tcpatlas.points.parts.tcp import one_offered
from tcpatlas.points.parts.trace import RateStep, Trace, TraceFile, trace_of
from tcpatlas.points.parts.workload import workload_is_random

# Limits on the time to drain a full queue, in seconds, and on the packets of all windows together: engines
# hold times in 63 bits of picoseconds, and a bit for each packet of a window.
LONGEST_QUEUE = 100000
MOST_WINDOWS = 8 * 10**9
# Alternatives for the same quantity: a layer that gives one drops the inherited other.
_BUFFER, _BUFFER_BDP = "links.bottleneck.buffer", "links.bottleneck.buffer_bdp"
ALTERNATIVES = {"rtt": "propagation", "propagation": "rtt", _BUFFER: _BUFFER_BDP, _BUFFER_BDP: _BUFFER}
SEARCHED = {"users": "sources.count", "buffer": _BUFFER, "rate": "links.bottleneck.rate"}
SHORT_RUN = 200_000


class TokenBucket(Model):
    """Tokens for bytes arrive at a rate, up to the burst: a packet leaves once there are enough for it."""

    rate: Rate
    burst: Annotated[Decimal, Quantity("byte", "15 kB", ge=1, le=1e12, whole=True)]


class QueuedLink(Model):
    """The link with the queue, without its buffer."""

    rate: Rate
    delay: Delay | None = None
    loss: Annotated[Probability, Field(serialization_alias="loss_probability")] = Decimal(0)
    loss_process: LossProcess | None = None
    loss_growth: Annotated[Number, Gt(0)] | None = None
    queue: Annotated[str, one_offered("links.bottleneck.queue")]
    ties: Annotated[str, one_offered("links.bottleneck.ties")] | None = None
    target: Duration | None = None
    interval: Duration | None = None
    ecn: bool | None = None
    flows: Annotated[int, Ge(0), Le(65536)] | None = None
    mtu_rule: Literal["all", "each-queue"] | None = None
    rules: Literal["linux", "rfc"] | None = None
    flow_limit: Packets | None = None
    min_threshold: Packets | None = None
    max_threshold: Packets | None = None
    max_drop: PositiveShare | None = None
    weight: Annotated[Number, Gt(0), Le(1)] | None = None
    token_bucket: TokenBucket | None = None
    jitter: Jitter | DrawnDelays | None = None
    reordering: Reordering | None = None
    delay_steps: Annotated[list[DelayStep], Len(1)] | None = None


class Bottleneck(QueuedLink):
    """The link with the queue; its buffer includes the packet in service."""

    buffer: Packets
    rate_steps: Annotated[list[RateStep], Len(1)] | Trace | None = None


class BaseBottleneck(QueuedLink):
    """The link with the queue; its default delay is half of the remaining propagation time.

    `ties`: which comes first when a packet arrives at the instant of a departure. Default: the departure.
    `target` to `weight`: parameters of queue managements; the defaults are the engine's.
    Random losses, with probability `loss`, are independent unless `loss_process` says otherwise.
    `loss_growth`, for models only: a window of w packets loses each with probability loss times loss_growth
    to the power of w. `rate` holds until the first of `rate_steps`, and for the empty path throughout. With
    a `token_bucket` packets leave at the link's rate while there are tokens. `jitter`, `reordering` and
    `delay_steps` change the propagation delay of the bottleneck's link. Give exactly one of `buffer` and
    `buffer_bdp`, in bandwidth-delay products of the empty path, rounded up to packets.
    """

    buffer: Packets | None = None
    rate_steps: Annotated[list[RateStep], Len(1)] | TraceFile | None = None
    jitter: Jitter | None = None
    buffer_bdp: Annotated[Number, Gt(0), Le(1000)] | None = None


class ReturnLink(Model):
    """The link of acknowledgements, drop-tail; its buffer counts them, the one in service included."""

    rate: Rate
    buffer: Packets
    loss: Annotated[Probability, Field(serialization_alias="loss_probability")] = Decimal(0)


class Hop(Link):
    """A further drop-tail link in a row with the bottleneck; its buffer includes the packet in service."""

    buffer: Packets


# Of a key that no attribute can be written for.
_RETURN = "Annotated[ReturnLink | None, Field(default=None)]"


class SharedLinks(Model):
    """The links that all sources share."""

    bottleneck: Bottleneck
    hops: Annotated[list[Hop], Len(1, 999)] | None = None
    egress: Link
    __annotations__["return"] = _RETURN


class Links(Model):
    """The links of the forward path, and one that acknowledgements queue for on their way back."""

    bottleneck: BaseBottleneck
    hops: Annotated[list[Hop], Len(1, 999)] | None = None
    egress: Link
    access: Link
    __annotations__["return"] = _RETURN


class Base(Traffic):
    """A dumbbell, its TCP and its sources. Exactly one of rtt and propagation, both of the empty path.

    `rtt` includes the transmission times of a full packet and its acknowledgement, `propagation` does not.
    `rtt_distribution`, for models only, replaces the path's round-trip time.
    """

    kind: Literal["dumbbell"] = "dumbbell"
    links: Links
    rtt: Annotated[Decimal, Quantity("s", "50 ms", gt=0, le=3600)] | None = None
    propagation: Delay | None = None
    rtt_distribution: RttDistribution | None = None
    ack_size: AckSize
    cross_traffic: CrossTraffic | None = None


class Point(PointFields):
    """A dumbbell in a point."""

    kind: Literal["dumbbell"]
    links: SharedLinks
    rtt_distribution: RttDistribution | None = None


def way_back_of(links: Links) -> ReturnLink | None:
    """Return the link that acknowledgements queue for, if there is one."""
    link: ReturnLink | None = getattr(links, "return")
    return link


def point_fields(base: Base, factor: Decimal) -> Point:
    """Return the fields of a point whose run is `factor` times as long as the base says.

    Raises PointError where values exclude one another.
    """
    forward_delay, return_delay = _split_propagation(base)
    bottleneck = base.links.bottleneck
    delays = forward_delay + return_delay
    buffer = _buffer(base, _round_trip(base, None, delays))
    groups = source_groups(
        base, lambda access, extra: _round_trip(base, access, delays + extra), base.links.access
    )
    if base.stop.transfer is not None and [(group.count, group.workload.kind) for group in groups] != [
        (1, "bulk")
    ]:
        paths = ("stop.transfer", "sources.count", "sources.workload.kind", "groups")
        raise PointError(paths, "is of one bulk source; no other source may be there")
    if base.stop.duration is None and any(group.workload.comes_and_goes() for group in groups):
        raise PointError(("stop", "sources.workload", "groups"), "has no duration, but sources come and go")
    _check_queues(base, float(buffer), groups)
    _check_path(base, groups)
    count, mean_file_size = files_of(groups)
    any_on_off = any(group.workload.kind == "on-off" for group in groups)
    check_probes(base.probes, [group.workload for group in groups])
    _check_ties(bottleneck)
    _check_thresholds(bottleneck)
    _check_variation(base)
    check_losses(bottleneck.loss_process, bottleneck.loss)
    return Point(
        kind="dumbbell",
        links=SharedLinks(
            bottleneck=Bottleneck(
                **{
                    **{key: getattr(bottleneck, key) for key in QueuedLink.model_fields},
                    "delay": forward_delay,
                    "buffer": buffer,
                    "rate_steps": _steps(bottleneck),
                    "jitter": jitter_of(bottleneck.jitter),
                }
            ),
            hops=base.links.hops,
            egress=base.links.egress,
            **{"return": way_back_of(base.links)},
        ),
        return_delay=return_delay,
        rtt_distribution=base.rtt_distribution,
        packet_size=base.packet_size,
        ack_size=base.ack_size,
        sources=groups,
        cross_traffic=_cross_traffic(base),
        stop=base.stop.scaled(factor, count if any_on_off else 0, mean_file_size),
        probes=base.probes,
    )


def packets(point: Mapping[str, Any]) -> float:
    """Return the approximate number of packets in a run.

    Connections times the mean file size; for a duration, as many as the bottleneck and the sources' windows
    can carry; for loss events, 3/8 w^2 packets each: the window grows by one packet per round trip from half
    of the window w that fills path and buffer. A transfer keeps its length.
    """
    stop, groups = point["stop"], point["sources"]
    repeated = sum(stop.values())
    if "connections" in stop:
        return float(repeated * _mean_file_size(groups))
    if "transfer_packets" in stop or "packets" in stop:
        return float(repeated)
    links = point["links"]
    bottleneck = links["bottleneck"]
    delays = (links["egress"], bottleneck, groups[0]["access"])
    propagation = point["return_delay_s"] + sum(link["delay_s"] for link in delays)
    if "duration_s" in stop:
        rate = _rate_in_the_long_run(point) / 8 / min(packet_bits(point, group) / 8 for group in groups)
        windows = _windows(groups, bottleneck["loss_probability"], propagation)
        return float(repeated * (min(rate, windows / propagation) if propagation else rate))
    path = propagation * bottleneck["rate_bit_per_s"] / 8 / point["packet_bytes"]
    return float(repeated * 3 / 8 * (path + bottleneck["buffer_packets"]) ** 2)


def packet_bits(point: Mapping[str, Any], group: Mapping[str, Any] | None = None) -> float:
    """Return the bits of a packet, of one group where it has a size of its own."""
    return 8.0 * float((group or {}).get("packet_bytes", point["packet_bytes"]))


def goodput_bits(point: Mapping[str, Any], values: Mapping[str, float]) -> float:
    """Return what all groups' sources receive, in bit/s, of metrics in packets/s."""
    groups = point["sources"]
    if len(groups) > 1 and any("packet_bytes" in group for group in groups):
        return sum(packet_bits(point, g) * values.get(f"goodput[{g['name']}]", 0.0) for g in groups)
    return packet_bits(point, groups[0]) * values["goodput"]


def capacity(point: Mapping[str, Any]) -> float:
    """Return the highest rate of the bottleneck, in bit/s."""
    bottleneck = point["links"]["bottleneck"]
    steps = bottleneck.get("rate_steps", ())
    if isinstance(steps, dict):
        return float(max(bottleneck["rate_bit_per_s"], *steps["rate_bit_per_s"]))
    return float(max(bottleneck["rate_bit_per_s"], *(step["rate_bit_per_s"] for step in steps), 0))


def packet_time(point: Mapping[str, Any]) -> float:
    """Return the transmission time of a packet at the bottleneck, in seconds."""
    return float(8 * point["packet_bytes"] / point["links"]["bottleneck"]["rate_bit_per_s"])


def round_trip(point: Mapping[str, Any], group: Mapping[str, Any]) -> float:
    """Return the round-trip time of a group's empty path, in seconds, with a packet's transmission."""
    links = (group["access"], point["links"]["bottleneck"], point["links"]["egress"])
    bits = 8 * point["packet_bytes"]
    there = sum(link["delay_s"] + bits / link["rate_bit_per_s"] for link in links)
    return float(point["return_delay_s"] + group["extra_delay_s"] + there)


def _rate_in_the_long_run(point: Mapping[str, Any]) -> float:
    bucket = point["links"]["bottleneck"].get("token_bucket", {"rate_bit_per_s": math.inf})
    return min(capacity(point), float(bucket["rate_bit_per_s"]))


def _windows(groups: Sequence[Mapping[str, Any]], loss: float, rtt: float) -> float:
    """Return the most packets that all sources have in flight, where random losses bound their windows.

    A window is the larger of Reno's and CUBIC's mean windows: sqrt(3/2 / p) (Floyd and Fall) and
    1.054 (RTT / p)^(3/4) (RFC 9438, section 5.1, equation 6).
    """
    if loss == 0:
        return math.inf
    mean = max(math.sqrt(1.5 / loss), 1.054 * (rtt / loss) ** 0.75)
    return float(sum(group["count"] * min(mean, group["tcp"]["rwnd_packets"]) for group in groups))


def _mean_file_size(groups: Sequence[Mapping[str, Any]]) -> float:
    """Return the mean file size of the sources of a point that send files, in packets."""
    sizes = [
        (group["count"], group["workload"]["file_size"]["mean_packets"])
        for group in groups
        if "file_size" in group["workload"]
    ]
    return float(sum(each * size for each, size in sizes) / max(sum(each for each, _ in sizes), 1))


def shortened(point: Mapping[str, Any], factor: float) -> dict[str, Any]:
    """Return the point with its run shortened by a factor."""
    return {**point, "stop": stop_rules.shortened(point["stop"], factor)}


def shortest(point: Mapping[str, Any]) -> dict[str, Any]:
    """Return the point with the shortest meaningful run."""
    return {**point, "stop": stop_rules.shortest(point["stop"])}


def _round_trip(base: Base, access: Link | None, delays: Decimal) -> Decimal:
    """Return the time from sending a full packet to its acknowledgement on the empty path, in seconds.

    `delays` are those of the bottleneck and of the return path.
    """
    links = base.links
    access = access or links.access
    per_byte = sum(Decimal(8) / rate for rate in (access.rate, links.bottleneck.rate, links.egress.rate))
    return delays + access.delay + links.egress.delay + base.packet_size * per_byte


def _buffer(base: Base, rtt: Decimal) -> Decimal:
    """Return the buffer in packets, of an empty path with the RTT in seconds; raises PointError."""
    bottleneck = base.links.bottleneck
    if (bottleneck.buffer is None) == (bottleneck.buffer_bdp is None):
        raise PointError((_BUFFER, _BUFFER_BDP), "exactly one of buffer and buffer_bdp is needed")
    if bottleneck.buffer is not None:
        return bottleneck.buffer
    product = bottleneck.rate * rtt / (8 * base.packet_size)
    buffer = math.ceil(Decimal(bottleneck.buffer_bdp or 0) * product)
    if buffer > MOST_PACKETS:
        problem = f"are {buffer:g} packets; at most {MOST_PACKETS:g}"
        raise PointError((_BUFFER_BDP, "links.bottleneck.rate", "rtt", "propagation"), problem)
    return Decimal(buffer)


def _check_queues(base: Base, buffer: float, groups: Sequence[SourceGroup]) -> None:
    """Raise PointError if a full queue takes too long to drain, though each parameter is in range."""
    links, bits = base.links, float(base.packet_size) * 8
    sources = sum(group.count for group in groups)
    buffers = buffer * (sources if links.bottleneck.queue == "fair-individual" else 1)
    queues = [(_BUFFER, "links.bottleneck.rate", buffers, float(_lowest_rate(links.bottleneck)))]
    for group in groups:
        window, access = float(group.tcp.rwnd), float((group.access or links.access).rate)
        queues += [
            ("tcp.rwnd", "links.access.rate", window, access),
            ("tcp.rwnd", "links.egress.rate", window, float(links.egress.rate)),
        ]
    queues += [("links.hops", "links.hops", float(hop.buffer), float(hop.rate)) for hop in links.hops or ()]
    if (back := way_back_of(links)) is not None:
        if base.ack_size == 0:
            raise PointError(("ack_size", "links.return"), "is 0 B, which takes no time there; at least 1 B")
        data = any(group.direction is not None for group in groups)
        size = max(base.packet_size, base.ack_size) if data else base.ack_size
        acks = float(back.buffer * size / base.packet_size)
        queues.append(("links.return.buffer", "links.return.rate", acks, float(back.rate)))
    rates = base.cross_traffic.rates() if base.cross_traffic else []
    queues += [("cross_traffic.rate", "packet_size", 1, float(rate)) for rate in rates if rate > 0]
    for path, other, packets_there, rate in queues:
        if (seconds := packets_there * bits / rate) > LONGEST_QUEUE:
            problem = f"{packets_there:g} packets take {seconds:.3g} s to be sent; at most {LONGEST_QUEUE} s"
            raise PointError((path, other, "packet_size", "links", "groups"), problem)
    windows = sum(group.count * float(group.tcp.rwnd) for group in groups)
    if windows > MOST_WINDOWS:
        problem = f"the windows of all sources are {windows:g} packets; at most {MOST_WINDOWS:g}"
        raise PointError(("tcp.rwnd", "sources.count", "groups"), problem)


def _check_ties(bottleneck: QueuedLink) -> None:
    """Raise PointError for a tie rule that a fair queue lacks."""
    if bottleneck.ties not in (None, "departure-first") and bottleneck.queue != "drop-tail":
        problem = f"{bottleneck.queue} knows no other rule than departure-first; that, or the queue drop-tail"
        raise PointError(("links.bottleneck.ties", "links.bottleneck.queue"), problem)


def _steps(bottleneck: BaseBottleneck) -> list[RateStep] | Trace | None:
    """Return the steps of the rate, of a file as it is now."""
    steps = bottleneck.rate_steps
    return trace_of(steps) if isinstance(steps, TraceFile) else steps


def _lowest_rate(bottleneck: BaseBottleneck) -> Decimal:
    """Return the lowest rate at which a full queue may drain, in bit/s."""
    steps = _steps(bottleneck)
    of_steps = steps.rate if isinstance(steps, Trace) else [step.rate for step in steps or ()]
    rates = [bottleneck.rate, *(Decimal(rate) for rate in of_steps if rate > 0)]
    if bottleneck.token_bucket is not None:
        rates.append(bottleneck.token_bucket.rate)
    return min(rates)


def _check_variation(base: Base) -> None:
    """Raise PointError if steps are out of order, or no packet can ever get enough tokens."""
    bottleneck = base.links.bottleneck
    if isinstance(steps := bottleneck.rate_steps, list):
        _check_increase("links.bottleneck.rate_steps", steps)
        if steps[-1].rate == 0:
            raise PointError(
                ("links.bottleneck.rate_steps",), "ends with a rate of 0, and nothing is sent again"
            )
    _check_increase("links.bottleneck.delay_steps", bottleneck.delay_steps)
    if (bucket := bottleneck.token_bucket) is None:
        return
    paths = ("links.bottleneck.token_bucket.burst", "packet_size")
    if bucket.burst < base.packet_size:
        problem = f"{bucket.burst} B are no packet; at least {base.packet_size} B"
        raise PointError(paths, problem)
    if (seconds := float(8 * bucket.burst / bucket.rate)) > LONGEST_QUEUE:
        problem = f"the bucket takes {seconds:.3g} s to fill; at most {LONGEST_QUEUE} s"
        raise PointError((*paths, "links.bottleneck.token_bucket.rate"), problem)


def _check_path(base: Base, groups: Sequence[SourceGroup]) -> None:
    """Raise PointError for a group that passes links that are not there."""
    last = 1 + len(base.links.hops or ())
    for group in groups:
        path = f"groups.{group.name}"
        if group.direction is not None and way_back_of(base.links) is None:
            raise PointError((f"{path}.direction", "links.return"), "is return, but there is no links.return")
        if group.direction is not None and group.hops is not None:
            raise PointError((f"{path}.hops", f"{path}.direction"), "is of packets that do not return")
        if (hops := group.hops) is not None and not hops.first <= hops.last <= last:
            problem = f"{hops.first} to {hops.last} is no row of links; from first to last, at most {last}"
            raise PointError((f"{path}.hops", "links.hops"), problem)


def _check_increase(path: str, steps: Sequence[Any] | None) -> None:
    """Raise PointError unless each step, if there are any, is later than the one before."""
    for before, after in itertools.pairwise(step.at for step in steps or ()):
        if after <= before:
            problem = f"{float(after):g} s comes after {float(before):g} s; times that increase"
            raise PointError((path,), problem)


def _check_thresholds(bottleneck: QueuedLink) -> None:
    """Raise PointError unless both thresholds of random early detection are given, or neither."""
    low, high = bottleneck.min_threshold, bottleneck.max_threshold
    paths = ("links.bottleneck.min_threshold", "links.bottleneck.max_threshold")
    if (low is None) != (high is None):
        raise PointError(paths if high is None else paths[::-1], "is given alone; both thresholds or none")
    if low is not None and high is not None and low >= high:
        raise PointError(paths, f"{low} packets are not below the larger threshold; less than {high} packets")


def _cross_traffic(base: Base) -> CrossTraffic | None:
    """Return the cross traffic, if there ever is any."""
    traffic = base.cross_traffic
    if traffic is None or not any(traffic.rates()):
        return None
    _check_increase("cross_traffic.rate_steps", traffic.rate_steps)
    if traffic.phase is not None and traffic.kind != "deterministic":
        problem = f"{traffic.kind} traffic has no phase; leave it out"
        raise PointError(("cross_traffic.phase", "cross_traffic.kind"), problem)
    return traffic


def _split_propagation(base: Base) -> tuple[Decimal, Decimal]:
    """Return the bottleneck's delay and the return delay in seconds.

    RTT_0 = D + (P + a) (1/C_1 + 1/C + 1/C_3) (Zaragoza 2014, section 3.3): D is what `rtt` leaves after the
    transmission of the packet and its acknowledgement on the three links, or `propagation` itself. What the
    links' own delays leave of D is split evenly, unless the bottleneck's delay is given too. Acknowledgements
    do not queue: their transmission times are part of the return delay, but for that of `links.return`.
    """
    if (base.rtt is None) == (base.propagation is None):
        raise PointError(("rtt", "propagation"), "exactly one of rtt and propagation is needed")
    total, round_trip = ("rtt", base.rtt) if base.propagation is None else ("propagation", base.propagation)
    assert round_trip is not None
    links = base.links
    per_byte = sum(Decimal(8) / link.rate for link in (links.access, links.bottleneck, links.egress))
    acknowledgement, queued = base.ack_size * per_byte, Decimal(0)
    if (back := way_back_of(links)) is not None:
        acknowledgement -= base.ack_size * 8 / links.bottleneck.rate
        queued = base.ack_size * 8 / back.rate
    transmission = (base.packet_size * per_byte + acknowledgement + queued) if total == "rtt" else Decimal(0)
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
    """Say whether a run is random beyond its start: losses, arrivals, ties, files and their times."""
    bottleneck = point["links"]["bottleneck"]
    return bool(
        point["links"].get("return", {}).get("loss_probability")
        or (bottleneck["loss_probability"] > 0 and not evenly_spaced(bottleneck.get("loss_process")))
        or bottleneck.get("ties") == "random"
        or "jitter" in bottleneck
        or "reordering" in bottleneck
        or point.get("cross_traffic", {}).get("kind") == "poisson"
        or any(workload_is_random(group["workload"]) for group in point["sources"])
    )


def sample(point: Mapping[str, Any]) -> Sample:
    """Return the length and the replications of a run in the cross-check of engines.

    An isolated flow sends thousands of packets from one loss to the next, so a run that stops by loss events
    takes more packets and is repeated less often.
    """
    return Sample(150000, 2) if "loss_events" in point["stop"] else Sample(50000, 4)
