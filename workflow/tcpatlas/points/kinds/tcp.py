"""TCP senders: what a scenario says of them, and a point."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Annotated, Any, NotRequired

from annotated_types import Ge, Gt, Le
from pydantic import with_config
from pydantic.functional_validators import AfterValidator

from tcpatlas.base.units import plain
from tcpatlas.base.validation import CLOSED, Number, problem, short
from tcpatlas.points.engines import offered
from tcpatlas.points.errors import PointError
from tcpatlas.points.kinds.compound import Compound, PointCompound, point_compound
from tcpatlas.points.kinds.quantities import Delay, Packets, Timer


def one_offered(key: str) -> AfterValidator:
    """Return the check that a text is one of what at least one engine takes."""

    def validate(value: str) -> str:
        if value not in offered(key):
            raise problem(f"{short(value)} is unknown; one of: {', '.join(offered(key))}")
        return value

    return AfterValidator(validate)


# Variants with parameters of their own; the others leave them aside.
OWN_FIELDS: Mapping[str, Callable[[Any], dict[str, Any]]] = {"compound": point_compound}


class Tcp(Compound):
    """A sender and the window of its receiver; `clock_tick` of the retransmission timer, 0 s: none."""

    variant: Annotated[str, one_offered("variants")]
    rwnd: Packets
    initial_window: Packets
    min_rto: Timer
    max_rto: Timer
    clock_tick: Delay = Decimal(0)


@with_config(CLOSED)
class PointTcp(PointCompound):
    """A sender in a point, with the parameters of its own that its variant has."""

    variant: str
    rwnd_packets: Annotated[int, Ge(1), Le(1000000)]
    initial_window_packets: Annotated[int, Ge(1), Le(1000000)]
    min_rto_s: Annotated[Number, Ge(1e-6), Le(86400)]
    max_rto_s: Annotated[Number, Ge(1e-6), Le(86400)]
    clock_tick_s: NotRequired[Annotated[Number, Gt(0), Le(3600)]]


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
    own = OWN_FIELDS.get(tcp.variant)
    return fields | (own(tcp) if own else {})
