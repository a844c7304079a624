"""Groups of sources: their number, workload and TCP."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Annotated, Literal

from annotated_types import Ge, Le, Len, Lt
from pydantic import Field

from tcpatlas.base.validation import Model, Name, Number, Quantity
from tcpatlas.points.errors import PointError
from tcpatlas.points.parts.probes import Probe
from tcpatlas.points.parts.quantities import AckSize, Count, Delay, PacketSize, Rate
from tcpatlas.points.parts.stop import Stop
from tcpatlas.points.parts.tagged import check_own
from tcpatlas.points.parts.tcp import OwnTcp, Tcp, check_tcp, one_offered, with_own
from tcpatlas.points.parts.trace import RateStep
from tcpatlas.points.parts.workload import Workload, with_start


class Link(Model):
    """A link without a queue of its own."""

    rate: Rate
    delay: Delay = Decimal(0)


class Sources(Model):
    """One group of identical sources; with `groups`, only the default of their workloads."""

    count: Count | None = None
    workload: Workload | None = None


class HopRange(Model):
    """The links in a row that a group's packets pass, counted from the bottleneck, which is 1."""

    first: Annotated[int, Ge(1), Le(1000)]
    last: Annotated[int, Ge(1), Le(1000)]


class Group(Model):
    """One of several groups of sources; defaults are the base's, key by key for its TCP."""

    count: Count
    workload: Workload | None = None
    tcp: OwnTcp | None = None  # type: ignore[valid-type]
    access: Link | None = None
    extra_delay: Delay | None = None
    direction: Literal["return"] | None = None
    packet_size: PacketSize | None = None
    hops: HopRange | None = None


class CrossTraffic(Model):
    """Open-loop packets, of packet_size or the base's, that reach the bottleneck regardless of congestion.

    `phase` is that of the first packet of a deterministic stream, in periods (default: drawn for each
    replication). `rate` holds until the first of `rate_steps`.
    """

    kind: Annotated[str, one_offered("cross_traffic.kind")]
    rate: Annotated[Decimal, Quantity("bit/s", "100 kbit/s", ge=0, le=1e12)]
    packet_size: PacketSize | None = None
    phase: Annotated[Number, Ge(0), Lt(1)] | None = None
    rate_steps: Annotated[list[RateStep], Len(1)] | None = None

    def rates(self) -> list[Decimal]:
        """Return all its rates, in bit/s."""
        return [self.rate, *(step.rate for step in self.rate_steps or ())]


class Traffic(Model):
    """The keys that every base has besides its network."""

    packet_size: PacketSize
    tcp: Tcp
    sources: Sources = Sources()
    groups: Annotated[dict[Name, Group], Len(1)] | None = None
    stop: Stop
    probes: list[Probe] = Field(default_factory=list)


class SourceGroup(Model):
    """A group of sources in a point; `extra_delay` is added to its return path."""

    name: str
    count: Count
    workload: Workload
    tcp: Tcp
    access: Link | None = None
    extra_delay: Delay | None = None
    direction: Literal["return"] | None = None
    packet_size: PacketSize | None = None
    hops: HopRange | None = None


class PointFields(Model):
    """The keys that every point has besides its network, without those that place it in a set.

    `return_delay` is from the arrival of a packet's last bit at the receiver to the arrival of its
    acknowledgement at the sender. A point without the key `cross_traffic` has none.
    """

    return_delay: Annotated[Decimal, Quantity("s", "50 ms", ge=0, le=100000)]
    packet_size: PacketSize
    ack_size: AckSize
    sources: Annotated[list[SourceGroup], Len(1)]
    cross_traffic: CrossTraffic | None = None
    stop: Stop
    probes: list[Probe]


def source_groups(
    base: Traffic, round_trip: Callable[[Link | None, Decimal], Decimal], access: Link | None = None
) -> list[SourceGroup]:
    """Return the groups of sources of a base; one group alone is named `sources`. Raises PointError.

    `round_trip` is that of a full packet on the empty path, by access link and extra delay; `access` is the
    link of groups that do not have their own, if the network has any.
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
    made = []
    for name, group in groups.items():
        place = f"groups.{name}"
        workload = group.workload or base.sources.workload
        if workload is None:
            raise PointError((f"{place}.workload", "sources.workload"), "is missing, and sources has none")
        folder = f"{place}.workload" if group.workload else "sources.workload"
        check_own(workload, folder)
        if (needed := workload.connections()) > group.count:
            paths = (f"{place}.count" if base.groups else "sources.count", f"{folder}.page")
            raise PointError(paths, f"{group.count} sources; at least {needed}, the connections of a page")
        tcp = with_own(base.tcp, group.tcp)
        tcp_folder = f"{place}.tcp" if group.tcp else "tcp"
        check_own(tcp, tcp_folder)
        check_tcp(tcp, tcp_folder)
        link, extra = group.access or access, group.extra_delay
        if access is None:
            for key in ("access", "extra_delay", "direction", "packet_size", "hops"):
                if getattr(group, key) is not None:
                    raise PointError((f"{place}.{key}",), "is of dumbbells; leave it out")
        else:
            extra = extra or Decimal(0)
        trip = None if alone else round_trip(link, extra or Decimal(0))
        made.append(
            SourceGroup(
                name=name,
                count=group.count,
                workload=with_start(workload, folder, trip),
                tcp=tcp,
                access=link,
                extra_delay=extra,
                direction=group.direction,
                packet_size=group.packet_size,
                hops=group.hops,
            )
        )
    return made


def files_of(groups: Sequence[SourceGroup]) -> tuple[int, float]:
    """Return how many sources send files of their own, and these files' mean size: 0 and 0 without any."""
    sizes = [
        (group.count, float(group.workload.file_size.mean))
        for group in groups
        if group.workload.file_size is not None and group.workload.kind not in ("bulk", "arrivals")
    ]
    count = sum(each for each, _ in sizes)
    return count, sum(each * size for each, size in sizes) / max(count, 1)
