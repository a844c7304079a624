"""The parameters of the two Renos of local loops."""

from __future__ import annotations

from typing import Annotated, Literal

from tcpatlas.base.validation import Model
from tcpatlas.points.parts.tagged import Of

_INFORMED = Of(("informed-reno",))


class Renos(Model):
    """Readings of what their paper leaves open (Baccelli, Hong and Liu 2001).

    informed-reno hears of a loss when it happens. A window halves once for all losses among the packets sent
    before it last did, or for each; half of an odd one is the smaller or the larger half; `old_acks`, of
    packets sent before the last halving, let it grow or not; a packet's timer runs from its transmission, is
    restarted by every acknowledgement (RFC 6298), or times the first packet of a window alone.
    lifelong-reno has `halving` only.
    """

    halving: Annotated[Literal["per-window", "per-loss"], Of(("informed-reno", "lifelong-reno"))] = (
        "per-window"
    )
    odd_half: Annotated[Literal["smaller", "larger"], _INFORMED] = "smaller"
    old_acks: Annotated[Literal["ignored", "grow-window"], _INFORMED] = "ignored"
    timer: Annotated[Literal["per-packet", "restarted", "per-window"], _INFORMED] = "per-packet"
    rtt_samples: Annotated[Literal["first-of-window", "every-packet"], _INFORMED] = "first-of-window"
