"""A propagation delay that varies."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

from tcpatlas.base.validation import Model, Quantity
from tcpatlas.points.parts.quantities import Delay, PositiveShare

DELAY_KEYS = ("jitter", "reordering", "delay_steps")


class Jitter(Model):
    """What each packet's delay differs by; a delay below 0 is 0.

    A packet that would overtake others arrives with them, unless it `reorders`.
    """

    distribution: Literal["uniform", "normal"]
    standard_deviation: Delay
    reorders: Literal[True] | None = None


class Reordering(Model):
    """A share of the packets is later by `delay`; the others pass them."""

    share: PositiveShare
    delay: Delay


class DelayStep(Model):
    """What a link's delay is longer by from a time on, counted from the start of the run with warm-up."""

    at: Annotated[Decimal, Quantity("s", "10 s", gt=0, le=1000000)]
    extra_delay: Delay
