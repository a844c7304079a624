"""A propagation delay that varies."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from tcpatlas.base.validation import Model, Quantity, Text
from tcpatlas.points.errors import PointError
from tcpatlas.points.parts.quantities import Delay, PositiveShare

DELAY_KEYS = ("jitter", "reordering", "delay_steps")


class Jitter(Model):
    """What each packet's delay differs by, by a distribution or a file's delays; a delay below 0 is 0.

    The `file` has a delay in s in each line, of which one is drawn for each packet. A packet that would
    overtake others arrives with them, unless it `reorders`.
    """

    distribution: Literal["uniform", "normal"] | None = None
    standard_deviation: Delay | None = None
    file: Text | None = None
    reorders: Literal[True] | None = None


class DrawnDelays(Model):
    """What such a file says."""

    distribution: Literal["sample"] = "sample"
    delays: Annotated[list[float], Field(serialization_alias="delays_s")]
    reorders: Literal[True] | None = None


class Reordering(Model):
    """A share of the packets is later by `delay`; the others pass them."""

    share: PositiveShare
    delay: Delay


class DelayStep(Model):
    """What a link's delay is longer by from a time on, counted from the start of the run with warm-up."""

    at: Annotated[Decimal, Quantity("s", "10 s", gt=0, le=1000000)]
    extra_delay: Delay


def jitter_of(jitter: Jitter | None) -> Jitter | DrawnDelays | None:
    """Return the jitter of a point, with a file's delays as they are now; raises PointError."""
    by = [] if jitter is None else [jitter.distribution is None, jitter.standard_deviation is None]
    if jitter is None or (jitter.file is None and not any(by)):
        return jitter
    if jitter.file is None or not all(by):
        problem = "must have a distribution with its standard_deviation, or a file"
        raise PointError(("links.bottleneck.jitter",), problem)
    return DrawnDelays(delays=_delays(jitter.file), reorders=jitter.reorders)


def _delays(file: str) -> list[float]:
    """Return the delays in a file's lines; the first may be a heading."""
    delays, number = [], 0
    try:
        for number, line in enumerate(Path(file).read_text("utf-8").splitlines() or [""], start=1):
            if number == 1 and line[:1].isalpha():
                continue
            delays.append(float(line))
            if not 0 <= delays[-1] <= 3600:
                raise ValueError(line)
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or f"line {number}: is no delay; from 0 to 3600, in s"
        raise PointError(("links.bottleneck.jitter",), f"{file}: {said}") from None
    return delays
