"""TCP senders and their receivers."""

from decimal import Decimal
from typing import Annotated, Any, ClassVar, Literal

from annotated_types import Ge, Le
from pydantic import create_model
from pydantic.functional_validators import AfterValidator

from tcpatlas.base.validation import Model, Quantity, problem, short, type_of
from tcpatlas.points.engines import offered
from tcpatlas.points.errors import PointError
from tcpatlas.points.parts.compound import Compound
from tcpatlas.points.parts.cubic import Cubic
from tcpatlas.points.parts.external import External
from tcpatlas.points.parts.quantities import Delay, Duration, Packets, Timer
from tcpatlas.points.parts.renos import Renos
from tcpatlas.points.parts.tagged import Of, Tagged

# Variants with selective acknowledgements whose recovery and pacing may be chosen.
SELECTIVE = ("newreno-sack", "cubic", "dctcp")
# Those and the controllers of others.
_LOSSES_BY_TIME = (*SELECTIVE, "external")
# Variants whose timeouts are whole numbers of ticks, with the largest timeout in seconds; informed-reno has
# no limit, written as a day.
_IN_TICKS = {"informed-reno": 86400, "lifelong-reno": 64}


def one_offered(path: str) -> AfterValidator:
    """Return a validator that accepts the texts that at least one engine takes at a path of a point."""

    def validate(value: str) -> str:
        if value not in offered(path):
            raise problem(f"{short(value)} is unknown; one of: {', '.join(offered(path))}")
        return value

    return AfterValidator(validate)


class DelayedAck(Model):
    """A receiver that acknowledges every n packets, or after the timeout (RFC 1122, RFC 5681).

    The first `quick_acks` packets of a connection are acknowledged one by one, as the Linux kernel does; with
    `timers: linux` so are the next ones after a long pause.
    """

    packets: Annotated[int, Ge(2), Le(1000)] = 2
    timeout: Annotated[Decimal, Quantity("s", "200 ms", gt=0, le=3600)] = Decimal("0.2")
    quick_acks: Annotated[int, Ge(0), Le(1000000)] = 0


class Tcp(Tagged, Compound, Cubic, External, Renos):
    """A sender and its receiver. The retransmission timer has `clock_tick` granularity only if given.

    After a pause longer than `idle_restart` the sender re-enters slow start; without it, never. Without
    `delayed_ack` every packet is acknowledged. `ecn` says whether packets may be marked (RFC 3168; default:
    the variant's); `sack` (selective acknowledgements) and `timestamps` are options of the kernel.
    `sack_recovery` says what is sent after a loss: within half of the window (RFC 6675), or in proportion to
    arrivals (PRR, RFC 9937); default: the variant's. `loss_detection` says how losses are found: by later
    packets that arrive (RFC 6675, the simulators' default), or by time and probes (RACK-TLP, RFC 8985, the
    kernel's). `rules: linux` has windows as Linux 6.1 has them where that and the RFCs differ, and RACK-TLP.
    With `timers: linux`, `min_rto` is the least that a timeout has above the smoothed round trip (200 ms in
    the kernel), probes wait and receivers acknowledge as Linux's do.
    With `pacing` packets are spread over the round trip, at twice the window per RTT in slow start
    and 1.2 times later; without it, acknowledgements clock them out. With `pacing: false`
    bbr, which has its own, leaves it to them, too. `partial_acks` selects the NewReno of
    RFC 6582, section 4; Slow-but-Steady by default. Parameters of one variant are in a base class.
    """

    TAG: ClassVar[str] = "variant"

    variant: Annotated[str, one_offered("sources.tcp.variant")]
    rwnd: Packets
    initial_window: Packets
    min_rto: Timer
    max_rto: Timer
    clock_tick: Delay | None = None
    idle_restart: Duration | None = None
    delayed_ack: DelayedAck | None = None
    sack: bool | None = None
    ecn: bool | None = None
    timestamps: bool | None = None
    sack_recovery: Annotated[Literal["rfc6675", "prr"] | None, Of(SELECTIVE, needed=False)] = None
    loss_detection: Annotated[Literal["rfc6675", "rack-tlp"] | None, Of(_LOSSES_BY_TIME, needed=False)] = None
    rules: Annotated[Literal["rfc", "linux"] | None, Of(("newreno", *SELECTIVE), needed=False)] = None
    timers: Annotated[Literal["rfc", "linux"] | None, Of(("newreno", *SELECTIVE, "bbr"), needed=False)] = None
    pacing: Annotated[bool | None, Of((*SELECTIVE, "bbr"), needed=False)] = None
    partial_acks: Annotated[
        Literal["slow-but-steady", "impatient"] | None, Of(("newreno",), needed=False)
    ] = None


def _optional(kind: type[Model]) -> type[Model]:
    """Return the type with all of its keys optional."""
    fields: Any = {name: (type_of(field) | None, None) for name, field in kind.model_fields.items()}
    return create_model(f"Own{kind.__name__}", __base__=Model, __doc__=kind.__doc__, **fields)


# The keys that a group overrides; it inherits all others from the base.
OwnTcp = _optional(Tcp)


def with_own(tcp: Tcp, of_group: Model | None) -> Tcp:
    """Return the TCP of a group: the base's with the group's own keys; a tick of 0 s is none."""
    own_keys = (
        {} if of_group is None else {name: getattr(of_group, name) for name in type(of_group).model_fields}
    )
    own_values = {name: value for name, value in own_keys.items() if value is not None}
    if own_values.get("clock_tick", tcp.clock_tick) == 0:
        own_values["clock_tick"] = None
    return tcp.model_copy(update=own_values) if own_values else tcp


def check_tcp(tcp: Tcp, folder: str) -> None:
    """Raise PointError, for keys in `folder`, if the timeouts are impossible."""
    least, largest = float(tcp.min_rto), float(tcp.max_rto)
    if largest < least:
        paths = (f"{folder}.max_rto", f"{folder}.min_rto")
        raise PointError(paths, f"{largest:g} s is below the smallest timeout; at least {least:g} s")
    if tcp.variant not in _IN_TICKS:
        return
    for key, value, unit in (("initial_window", 1, "packet"), ("max_rto", _IN_TICKS[tcp.variant], "s")):
        if getattr(tcp, key) != value:
            raise PointError((f"{folder}.{key}",), f"{tcp.variant} has its own; only {value} {unit}")
    paths = (f"{folder}.min_rto", f"{folder}.clock_tick")
    if not tcp.clock_tick:
        raise PointError(paths[::-1], f"is missing; {tcp.variant} counts timeouts in ticks, e.g. of 500 ms")
    ticks = tcp.min_rto / tcp.clock_tick
    if ticks != int(ticks) or ticks < 1:
        problem = f"{least:g} s is no whole number of ticks of {float(tcp.clock_tick):g} s"
        raise PointError(paths, f"{problem}; one tick or more")
