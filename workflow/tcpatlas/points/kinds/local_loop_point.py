"""What a point of kind local-loop holds: typed dictionaries, in SI units."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from annotated_types import Ge, Gt, Le, Len, Lt
from pydantic import with_config
from typing_extensions import TypedDict

from tcpatlas.base.validation import CLOSED, Number
from tcpatlas.points.kinds.fixed_point import PointFixedPoint
from tcpatlas.points.kinds.tcp import PointTcp
from tcpatlas.points.kinds.workload import PointWorkload

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
    warmup_packets: Annotated[int, Ge(1)]


@with_config(CLOSED)
class PointFields(TypedDict):
    """What a point of this kind holds beside what every point does."""

    kind: Literal["local-loop"]
    stations: Annotated[list[PointStation], Len(2, 8)]
    return_delay_s: Annotated[Number, Ge(0)]
    packet_bytes: Annotated[int, Ge(1)]
    ack_bytes: Annotated[int, Ge(0)]
    sources: Annotated[list[PointUsers], Len(1, 1)]
    known: NotRequired[PointKnown]
    fixed_point: PointFixedPoint
    stop: PointStop
    probes: Annotated[list[Any], Len(0, 0)]
