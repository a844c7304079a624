"""What a point of kind local-loop holds: typed dictionaries, in SI units."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from annotated_types import Ge, Gt, Le, Len, Lt
from pydantic import with_config
from typing_extensions import TypedDict

from tcpatlas.base.validation import CLOSED, Number
from tcpatlas.points.kinds.fixed_point import PointFixedPoint

Queue = Literal["fair-shared", "fair-individual", "drop-tail"]


@with_config(CLOSED)
class PointLoad(TypedDict):
    """The load of a router in a point, as shares of its rate."""

    mean: Annotated[Number, Gt(0), Le(1)]
    standard_deviation: Annotated[Number, Ge(0)]
    hurst: Annotated[Number, Gt(0), Lt(1)]
    slot_s: Annotated[Number, Gt(0)]


@with_config(CLOSED)
class PointStation(TypedDict):
    """A station in a point."""

    name: str
    rate_bit_per_s: Annotated[Number, Ge(1)]
    delay_s: Annotated[Number, Ge(0)]
    buffer_packets: NotRequired[Annotated[int, Ge(1)]]
    queue: NotRequired[Queue]
    head_of_line: NotRequired[Literal["in-buffer", "apart"]]
    load: NotRequired[PointLoad]


@with_config(CLOSED)
class PointTcp(TypedDict):
    """The senders in a point."""

    variant: Literal["reno"]
    rwnd_packets: Annotated[int, Ge(1)]
    clock_tick_s: Annotated[Number, Gt(0)]
    min_rto_ticks: Annotated[int, Ge(1)]
    idle_restart_s: Annotated[Number, Gt(0)]
    loss_detection: Literal["instantaneous", "duplicate-acks"]
    halving: Literal["per-window", "per-loss"]
    odd_half: Literal["smaller", "larger"]
    old_acks: Literal["ignored", "grow-window"]
    timer: Literal["per-packet", "restarted"]
    rtt_samples: Literal["first-of-window", "every-packet"]


@with_config(CLOSED)
class PointBurst(TypedDict):
    """Sizes of downloads in a point."""

    mean_packets: Annotated[Number, Ge(1)]
    standard_deviation_packets: Annotated[Number, Ge(0)]


@with_config(CLOSED)
class PointThinkTime(TypedDict):
    """Pauses between downloads in a point."""

    mean_s: Annotated[Number, Gt(0)]
    standard_deviation_s: Annotated[Number, Ge(0)]


@with_config(CLOSED)
class PointWorkload(TypedDict):
    """What the users do, in a point."""

    kind: Literal["http", "bulk"]
    burst: NotRequired[PointBurst]
    think_time: NotRequired[PointThinkTime]
    first_think: NotRequired[Literal["equilibrium", "whole"]]
    ends_at: NotRequired[Literal["source", "destination"]]
    start_spread_s: NotRequired[Annotated[Number, Ge(0)]]


@with_config(CLOSED)
class PointUsers(TypedDict):
    """The users in a point."""

    name: Literal["sources"]
    count: Annotated[int, Ge(1)]
    workload: PointWorkload
    tcp: PointTcp


@with_config(CLOSED)
class PointKnown(TypedDict):
    """What formula (1) takes as known, in a point."""

    rtt_s: Annotated[Number, Gt(0)]
    loss: Annotated[Number, Ge(0), Lt(1)]
    timeouts: Annotated[Number, Ge(0), Lt(1)]
    idle: Annotated[Number, Ge(0), Lt(1)]


@with_config(CLOSED)
class PointStop(TypedDict):
    """How many packets are measured, of all users together."""

    packets: Annotated[int, Ge(1)]


@with_config(CLOSED)
class PointFields(TypedDict):
    """What a point of this kind holds beside what every point does."""

    kind: Literal["local-loop"]
    stations: Annotated[list[PointStation], Len(2, 8)]
    return_delay_s: Annotated[Number, Ge(0)]
    packet_bytes: Annotated[int, Ge(1)]
    sources: Annotated[list[PointUsers], Len(1, 1)]
    known: NotRequired[PointKnown]
    fixed_point: PointFixedPoint
    stop: PointStop
    probes: Annotated[list[Any], Len(0, 0)]
