"""The parameters of the two Renos of local loops."""

from typing import Annotated, Literal

from tcpatlas.base.validation import Model
from tcpatlas.points.parts.tagged import Of

_INFORMED = Of(("informed-reno",))


class Renos(Model):
    """Readings of what their paper leaves open (Baccelli, Hong and Liu 2001).

    informed-reno learns of a loss when it happens. The window halves once for all losses among packets sent
    before the last halving, or for each loss; half of an odd window is rounded down or up; `old_acks`, for
    packets sent before the last halving, let it grow or not; a packet's timer runs from its transmission, is
    restarted by every acknowledgement (RFC 6298), or times only the first packet of a window.
    lifelong-reno has `halving` only.
    """

    halving: Annotated[Literal["per-window", "per-loss"], Of(("informed-reno", "lifelong-reno"))] = (
        "per-window"
    )
    odd_half: Annotated[Literal["smaller", "larger"], _INFORMED] = "smaller"
    old_acks: Annotated[Literal["ignored", "grow-window"], _INFORMED] = "ignored"
    timer: Annotated[Literal["per-packet", "restarted", "per-window"], _INFORMED] = "per-packet"
    rtt_samples: Annotated[Literal["first-of-window", "every-packet"], _INFORMED] = "first-of-window"
