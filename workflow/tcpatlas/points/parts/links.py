"""The links of a dumbbell: the bottleneck with its queue, further ones in a row, the way back."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

from annotated_types import Ge, Gt, Le, Len
from pydantic import Field

from tcpatlas.base.validation import Model, Number, Quantity
from tcpatlas.points.parts.delays import DelayStep, DrawnDelays, Jitter, Reordering
from tcpatlas.points.parts.losses import LossProcess
from tcpatlas.points.parts.quantities import Delay, Duration, Packets, PositiveShare, Probability, Rate
from tcpatlas.points.parts.sources import Link
from tcpatlas.points.parts.tcp import one_offered
from tcpatlas.points.parts.trace import RateStep, Trace, TraceFile, trace_of


class TokenBucket(Model):
    """Tokens for bytes arrive at a rate, up to the burst: a packet leaves once there are enough for it."""

    rate: Rate
    burst: Annotated[Decimal, Quantity("byte", "15 kB", ge=1, le=1e12, whole=True)]


class QueuedLink(Model):
    """The link with the queue, without its buffer."""

    rate: Rate
    delay: Delay | None = None
    loss: Annotated[Probability, Field(serialization_alias="loss_probability")] = Decimal(0)
    loss_process: LossProcess | None = None
    loss_growth: Annotated[Number, Gt(0)] | None = None
    queue: Annotated[str, one_offered("links.bottleneck.queue")]
    ties: Annotated[str, one_offered("links.bottleneck.ties")] | None = None
    target: Duration | None = None
    interval: Duration | None = None
    ecn: bool | None = None
    flows: Annotated[int, Ge(0), Le(65536)] | None = None
    mtu_rule: Literal["all", "each-queue"] | None = None
    rules: Literal["linux", "rfc"] | None = None
    flow_limit: Packets | None = None
    min_threshold: Packets | None = None
    max_threshold: Packets | None = None
    max_drop: PositiveShare | None = None
    weight: Annotated[Number, Gt(0), Le(1)] | None = None
    token_bucket: TokenBucket | None = None
    jitter: Jitter | DrawnDelays | None = None
    reordering: Reordering | None = None
    delay_steps: Annotated[list[DelayStep], Len(1)] | None = None


class Bottleneck(QueuedLink):
    """The link with the queue; its buffer includes the packet in service."""

    buffer: Packets
    rate_steps: Annotated[list[RateStep], Len(1)] | Trace | None = None


class BaseBottleneck(QueuedLink):
    """The link with the queue; its default delay is half of the remaining propagation time.

    `ties`: which comes first when a packet arrives at the instant of a departure. Default: the departure.
    `target` to `weight`: parameters of queue managements; the defaults are the engine's.
    Random losses, with probability `loss`, are independent unless `loss_process` says otherwise.
    `loss_growth`, for models only: a window of w packets loses each with probability loss times loss_growth
    to the power of w. `rate` holds until the first of `rate_steps`, and for the empty path throughout. With
    a `token_bucket` packets leave at the link's rate while there are tokens. `jitter`, `reordering` and
    `delay_steps` change the propagation delay of the bottleneck's link. Give exactly one of `buffer` and
    `buffer_bdp`, in bandwidth-delay products of the empty path, rounded up to packets.
    """

    buffer: Packets | None = None
    rate_steps: Annotated[list[RateStep], Len(1)] | TraceFile | None = None
    jitter: Jitter | None = None
    buffer_bdp: Annotated[Number, Gt(0), Le(1000)] | None = None


class ReturnLink(Model):
    """The link of acknowledgements, drop-tail; its buffer counts them, the one in service included."""

    rate: Rate
    buffer: Packets
    loss: Annotated[Probability, Field(serialization_alias="loss_probability")] = Decimal(0)


class Hop(Link):
    """A further drop-tail link in a row with the bottleneck; its buffer includes the packet in service."""

    buffer: Packets


# Of a key that no attribute can be written for.
_RETURN = "Annotated[ReturnLink | None, Field(default=None)]"


class SharedLinks(Model):
    """The links that all sources share."""

    bottleneck: Bottleneck
    hops: Annotated[list[Hop], Len(1, 999)] | None = None
    egress: Link
    __annotations__["return"] = _RETURN


class Links(Model):
    """The links of the forward path, and one that acknowledgements queue for on their way back."""

    bottleneck: BaseBottleneck
    hops: Annotated[list[Hop], Len(1, 999)] | None = None
    egress: Link
    access: Link
    __annotations__["return"] = _RETURN


def way_back_of(links: Links) -> ReturnLink | None:
    """Return the link that acknowledgements queue for, if there is one."""
    link: ReturnLink | None = getattr(links, "return")
    return link


def steps_of(bottleneck: BaseBottleneck) -> list[RateStep] | Trace | None:
    """Return the steps of the rate, of a file as it is now."""
    steps = bottleneck.rate_steps
    return trace_of(steps) if isinstance(steps, TraceFile) else steps


def lowest_rate(bottleneck: BaseBottleneck) -> Decimal:
    """Return the lowest rate at which a full queue may drain, in bit/s."""
    steps = steps_of(bottleneck)
    of_steps = steps.rate if isinstance(steps, Trace) else [step.rate for step in steps or ()]
    rates = [bottleneck.rate, *(Decimal(rate) for rate in of_steps if rate > 0)]
    if bottleneck.token_bucket is not None:
        rates.append(bottleneck.token_bucket.rate)
    return min(rates)
