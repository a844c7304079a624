"""TCP senders: what a scenario says of them, and a point."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal, NotRequired

from annotated_types import Ge, Gt, Le, Lt
from pydantic import with_config
from pydantic.functional_validators import AfterValidator
from typing_extensions import TypedDict

from tcpatlas.base.units import plain
from tcpatlas.base.validation import CLOSED, Model, Number, Quantity, problem, short
from tcpatlas.points.engines import offered
from tcpatlas.points.errors import PointError

Packets = Annotated[Decimal, Quantity("packet", "44 packets", ge=1, le=1000000, whole=True)]
Duration = Annotated[Decimal, Quantity("s", "1 s", gt=0, le=86400)]
Delay = Annotated[Decimal, Quantity("s", "50 ms", ge=0, le=3600)]


def one_offered(key: str) -> AfterValidator:
    """Return the check that a text is one of what at least one engine takes."""

    def validate(value: str) -> str:
        if value not in offered(key):
            raise problem(f"{short(value)} is unknown; one of: {', '.join(offered(key))}")
        return value

    return AfterValidator(validate)


class Compound(Model):
    """Parameters of Compound TCP, with its authors' defaults; other variants leave them aside.

    The window grows by alpha w^k a round trip, a loss multiplies it by 1 - beta, and the delay window falls
    by zeta times the estimated backlog where that is above gamma. `damping` makes growth and cuts so many
    times smaller while a backlog is estimated.
    """

    arithmetic: Literal["float", "linux"] = "float"
    alpha: Annotated[Number, Gt(0), Le(1000)] = 0.125
    k: Annotated[Number, Gt(0), Lt(1)] = 0.75
    beta: Annotated[Number, Gt(0), Lt(1)] = 0.5
    zeta: Annotated[Number, Gt(0), Le(1000)] = 1
    gamma: Packets = Decimal(30)
    damping: Annotated[int, Ge(1), Le(1000)] = 1
    recovery: Literal["pause", "rate-halving"] = "pause"


class Tcp(Compound):
    """A sender and the window of its receiver; `clock_tick` of the retransmission timer, 0 s: none."""

    variant: Annotated[str, one_offered("variants")]
    rwnd: Packets
    initial_window: Packets
    min_rto: Duration
    max_rto: Duration
    clock_tick: Delay = Decimal(0)


@with_config(CLOSED)
class PointTcp(TypedDict):
    """A sender in a point; from `arithmetic` on, of compound only."""

    variant: str
    rwnd_packets: Annotated[int, Ge(1)]
    initial_window_packets: Annotated[int, Ge(1)]
    min_rto_s: Annotated[Number, Gt(0)]
    max_rto_s: Annotated[Number, Gt(0)]
    clock_tick_s: NotRequired[Annotated[Number, Gt(0)]]
    arithmetic: NotRequired[Literal["float", "linux"]]
    alpha: NotRequired[Annotated[Number, Gt(0)]]
    k: NotRequired[Annotated[Number, Gt(0), Lt(1)]]
    beta: NotRequired[Annotated[Number, Gt(0), Lt(1)]]
    zeta: NotRequired[Annotated[Number, Gt(0)]]
    gamma_packets: NotRequired[Annotated[Number, Ge(1)]]
    damping: NotRequired[Annotated[int, Ge(1)]]
    recovery: NotRequired[Literal["pause", "rate-halving"]]


def point_tcp(tcp: Tcp, folder: str) -> dict[str, Any]:
    """Return the fields of a point; raises PointError, for keys in `folder`, if the timeouts cannot be."""
    least, largest = float(tcp.min_rto), float(tcp.max_rto)
    if largest < least:
        paths = (f"{folder}.max_rto", f"{folder}.min_rto")
        raise PointError(paths, f"{largest:g} s is below the smallest timeout; at least {least:g} s")
    fields = {
        "variant": tcp.variant,
        "rwnd_packets": plain(tcp.rwnd),
        "initial_window_packets": plain(tcp.initial_window),
        "min_rto_s": plain(tcp.min_rto),
        "max_rto_s": plain(tcp.max_rto),
    }
    if tcp.clock_tick:
        fields["clock_tick_s"] = plain(tcp.clock_tick)
    if tcp.variant == "compound":
        fields |= {
            "arithmetic": tcp.arithmetic,
            **{key: plain(getattr(tcp, key)) for key in ("alpha", "k", "beta", "zeta")},
            "gamma_packets": plain(tcp.gamma),
            "damping": tcp.damping,
            "recovery": tcp.recovery,
        }
    return fields
