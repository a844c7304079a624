"""TCP senders: what a scenario says of them, and a point."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal, NotRequired

from annotated_types import Ge, Gt, Le
from pydantic import with_config
from pydantic.functional_validators import AfterValidator
from typing_extensions import TypedDict

from tcpatlas.base.units import plain
from tcpatlas.base.validation import CLOSED, Model, Number, Quantity, problem, short
from tcpatlas.points.engines import offered
from tcpatlas.points.errors import PointError
from tcpatlas.points.kinds.compound import Compound, PointCompound, point_compound
from tcpatlas.points.kinds.quantities import Delay, Duration, Packets, Timer


def one_offered(key: str) -> AfterValidator:
    """Return the check that a text is one of what at least one engine takes."""

    def validate(value: str) -> str:
        if value not in offered(key):
            raise problem(f"{short(value)} is unknown; one of: {', '.join(offered(key))}")
        return value

    return AfterValidator(validate)


READINGS = ("halving", "odd_half", "old_acks", "timer", "rtt_samples")
# Variants with parameters of their own; the others leave them aside.
OWN_FIELDS: Mapping[str, Callable[[Any], dict[str, Any]]] = {
    "compound": point_compound,
    "informed-reno": lambda tcp: {key: getattr(tcp, key) for key in READINGS},
    "lifelong-reno": lambda tcp: {"halving": tcp.halving},
}
# Variants whose timeouts are whole numbers of ticks.
IN_TICKS = ("informed-reno", "lifelong-reno")
Halving = Literal["per-window", "per-loss"]
OddHalf = Literal["smaller", "larger"]
OldAcks = Literal["ignored", "grow-window"]
RtoTimer = Literal["per-packet", "restarted"]
RttSamples = Literal["first-of-window", "every-packet"]


class DelayedAck(Model):
    """A receiver that acknowledges every so many packets, or after the timeout (RFC 1122, RFC 5681).

    The first `quick_acks` packets of a connection are acknowledged one by one, as the Linux kernel does.
    """

    packets: Annotated[int, Ge(2), Le(1000)] = 2
    timeout: Annotated[Decimal, Quantity("s", "200 ms", gt=0, le=3600)] = Decimal("0.2")
    quick_acks: Annotated[int, Ge(0), Le(1000000)] = 0


class Tcp(Compound):
    """A sender and its receiver; `clock_tick` of the retransmission timer, 0 s: none.

    After a pause longer than `idle_restart` it is in slow start again; without it, it never is. Without
    `delayed_ack` every packet is acknowledged.
    `sack` (selective acknowledgements), `ecn` and `timestamps` are a kernel's, by default as its variant has
    them.

    informed-reno, which hears of a loss when it happens, has what its paper leaves open (Baccelli, Hong and
    Liu 2001): a window halves once for all losses among the packets sent before it last did, or for each;
    half of an odd one is the smaller or the larger half; `old_acks`, of packets sent before the last halving,
    let it grow or not; a packet's timer runs from its transmission or is restarted by every acknowledgement
    (RFC 6298). lifelong-reno has `halving` only.
    """

    variant: Annotated[str, one_offered("sources.tcp.variant")]
    rwnd: Packets
    initial_window: Packets
    min_rto: Timer
    max_rto: Timer
    clock_tick: Delay = Decimal(0)
    idle_restart: Duration | None = None
    delayed_ack: DelayedAck | None = None
    sack: bool | None = None
    ecn: bool | None = None
    timestamps: bool | None = None
    halving: Halving = "per-window"
    odd_half: OddHalf = "smaller"
    old_acks: OldAcks = "ignored"
    timer: RtoTimer = "per-packet"
    rtt_samples: RttSamples = "first-of-window"


@with_config(CLOSED)
class PointDelayedAck(TypedDict):
    """Delayed acknowledgements in a point."""

    packets: Annotated[int, Ge(2), Le(1000)]
    timeout_s: Annotated[Number, Gt(0), Le(3600)]
    quick_acks: Annotated[int, Ge(0), Le(1000000)]


@with_config(CLOSED)
class PointTcp(PointCompound):
    """A sender in a point, with the parameters of its own that its variant has."""

    variant: str
    rwnd_packets: Annotated[int, Ge(1), Le(1000000)]
    initial_window_packets: Annotated[int, Ge(1), Le(1000000)]
    min_rto_s: Annotated[Number, Ge(1e-6), Le(86400)]
    max_rto_s: Annotated[Number, Ge(1e-6), Le(86400)]
    clock_tick_s: NotRequired[Annotated[Number, Gt(0), Le(3600)]]
    idle_restart_s: NotRequired[Annotated[Number, Gt(0), Le(86400)]]
    delayed_ack: NotRequired[PointDelayedAck]
    sack: NotRequired[bool]
    ecn: NotRequired[bool]
    timestamps: NotRequired[bool]
    halving: NotRequired[Halving]
    odd_half: NotRequired[OddHalf]
    old_acks: NotRequired[OldAcks]
    timer: NotRequired[RtoTimer]
    rtt_samples: NotRequired[RttSamples]


def point_tcp(tcp: Tcp, folder: str) -> dict[str, Any]:
    """Return the fields of a point; raises PointError, for keys in `folder`, if the timeouts cannot be."""
    least, largest = float(tcp.min_rto), float(tcp.max_rto)
    if largest < least:
        paths = (f"{folder}.max_rto", f"{folder}.min_rto")
        raise PointError(paths, f"{largest:g} s is below the smallest timeout; at least {least:g} s")
    fields: dict[str, Any] = {
        "variant": tcp.variant,
        "rwnd_packets": plain(tcp.rwnd),
        "initial_window_packets": plain(tcp.initial_window),
        "min_rto_s": plain(tcp.min_rto),
        "max_rto_s": plain(tcp.max_rto),
    }
    if tcp.clock_tick:
        fields["clock_tick_s"] = plain(tcp.clock_tick)
    if tcp.variant in IN_TICKS:
        _check_ticks(tcp, folder)
    if tcp.idle_restart is not None:
        fields["idle_restart_s"] = plain(tcp.idle_restart)
    if tcp.delayed_ack is not None:
        fields["delayed_ack"] = {
            "packets": tcp.delayed_ack.packets,
            "timeout_s": plain(tcp.delayed_ack.timeout),
            "quick_acks": tcp.delayed_ack.quick_acks,
        }
    options = {"sack": tcp.sack, "ecn": tcp.ecn, "timestamps": tcp.timestamps}
    fields |= {key: value for key, value in options.items() if value is not None}
    own = OWN_FIELDS.get(tcp.variant)
    return fields | (own(tcp) if own else {})


def _check_ticks(tcp: Tcp, folder: str) -> None:
    paths = (f"{folder}.min_rto", f"{folder}.clock_tick")
    if tcp.clock_tick == 0:
        raise PointError(paths[::-1], f"is 0 s; {tcp.variant} counts timeouts in ticks, e.g. of 500 ms")
    ticks = tcp.min_rto / tcp.clock_tick
    if ticks != int(ticks) or ticks < 1:
        problem = f"{float(tcp.min_rto):g} s is no whole number of ticks of {float(tcp.clock_tick):g} s"
        raise PointError(paths, f"{problem}; one tick or more")
