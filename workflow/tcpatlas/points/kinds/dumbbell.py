"""The dumbbell: groups of sources behind access links, one bottleneck with its queue, one egress link."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated, Literal

from tcpatlas.base.formatting import duration
from tcpatlas.base.validation import Quantity
from tcpatlas.points.errors import PointError
from tcpatlas.points.kinds.dumbbell_checks import (
    LONGEST_QUEUE,
    MOST_WINDOWS,
    check_increase,
    check_path,
    check_thresholds,
    check_ties,
    check_variation,
)
from tcpatlas.points.kinds.dumbbell_runs import capacity as capacity
from tcpatlas.points.kinds.dumbbell_runs import is_random as is_random
from tcpatlas.points.kinds.dumbbell_runs import packets as packets
from tcpatlas.points.kinds.dumbbell_runs import sample as sample
from tcpatlas.points.kinds.dumbbell_runs import shortened as shortened
from tcpatlas.points.kinds.dumbbell_runs import shortest as shortest
from tcpatlas.points.parts.delays import jitter_of
from tcpatlas.points.parts.links import (
    Bottleneck,
    Links,
    QueuedLink,
    SharedLinks,
    lowest_rate,
    steps_of,
    way_back_of,
)
from tcpatlas.points.parts.losses import check_losses
from tcpatlas.points.parts.probes import check_probes
from tcpatlas.points.parts.quantities import MOST_PACKETS, AckSize, Delay
from tcpatlas.points.parts.rtt import RttDistribution
from tcpatlas.points.parts.sources import (
    CrossTraffic,
    Link,
    PointFields,
    SourceGroup,
    Traffic,
    files_of,
    source_groups,
)

# Alternatives for the same quantity: a layer that gives one drops the inherited other.
_BUFFER, _BUFFER_BDP = "links.bottleneck.buffer", "links.bottleneck.buffer_bdp"
ALTERNATIVES = {"rtt": "propagation", "propagation": "rtt", _BUFFER: _BUFFER_BDP, _BUFFER_BDP: _BUFFER}
SEARCHED = {"users": "sources.count", "buffer": _BUFFER, "rate": "links.bottleneck.rate"}
SHORT_RUN = 200_000


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
    check_path(base.links, groups)
    count, mean_file_size = files_of(groups)
    any_on_off = any(group.workload.kind == "on-off" for group in groups)
    check_probes(base.probes, [group.workload for group in groups])
    check_ties(bottleneck)
    check_thresholds(bottleneck)
    check_variation(bottleneck, base.packet_size)
    check_losses(bottleneck.loss_process, bottleneck.loss)
    return Point(
        kind="dumbbell",
        links=SharedLinks(
            bottleneck=Bottleneck(
                **{
                    **{key: getattr(bottleneck, key) for key in QueuedLink.model_fields},
                    "delay": forward_delay,
                    "buffer": buffer,
                    "rate_steps": steps_of(bottleneck),
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
        problem = f"are {buffer:,.0f} packets; at most {MOST_PACKETS:,}"
        raise PointError((_BUFFER_BDP, "links.bottleneck.rate", "rtt", "propagation"), problem)
    return Decimal(buffer)


def _check_queues(base: Base, buffer: float, groups: Sequence[SourceGroup]) -> None:
    """Raise PointError if a full queue takes too long to drain, though each parameter is in range."""
    links, bits = base.links, float(base.packet_size) * 8
    sources = sum(group.count for group in groups)
    buffers = buffer * (sources if links.bottleneck.queue == "fair-individual" else 1)
    queues = [(_BUFFER, "links.bottleneck.rate", buffers, float(lowest_rate(links.bottleneck)))]
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
        problem = f"the windows of all sources are {windows:,.0f} packets; at most {MOST_WINDOWS:,}"
        raise PointError(("tcp.rwnd", "sources.count", "groups"), problem)


def _cross_traffic(base: Base) -> CrossTraffic | None:
    """Return the cross traffic, if there ever is any."""
    traffic = base.cross_traffic
    if traffic is None or not any(traffic.rates()):
        return None
    check_increase("cross_traffic.rate_steps", traffic.rate_steps)
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
            f"{duration(round_trip)} is less than {what}; at least {duration(fixed)}",
        )
    if links.bottleneck.delay is None:
        return left / 2, left / 2 + acknowledgement
    return links.bottleneck.delay, left + acknowledgement
