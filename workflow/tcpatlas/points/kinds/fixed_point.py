"""Options of the fixed-point engine (Baccelli, Hong and Liu 2001, sections 5.3 and 5.4)."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Le
from pydantic import with_config
from typing_extensions import TypedDict

from tcpatlas.base.units import plain
from tcpatlas.base.validation import CLOSED, Model, Number, Quantity

Scheme = Literal["0", "1", "2", "exact"]
Change = Annotated[Decimal, Quantity("1", "5 %", gt=0, le=1)]

# A step of the iteration with fewer packets teaches the cross flows nothing.
SHORTEST_STEP = 10000


class FixedPoint(Model):
    """The scheme, and when its iteration stops.

    One of so many users is a reference, all of them with the scheme `exact`, which has nothing to iterate:
    `min_steps` are then the warm-up. After each `step` of so many packets of all users the cross flows learn
    from the references, depending on how many users are on, how many have packets at the shared router
    (`backlogged`), or on nothing: what these showed in that step, or, with `averaging` linear, in all steps,
    of which the k-th weighs k. It has converged when twice in a row what the references show is what the
    cross flows act on, in the same states: when it is no more than this share of `change` away, or than two
    standard errors of the step. A result holds if bursts and think times are as near their means
    (`environment`), and is fair if references and cross flows are as near one another (`fairness`).

    What the paper leaves open: the law of the cross flows' `gaps` (schemes 0 and 1) and of their `service`
    times (2); a gap begins when the packet before it went or was due; `haste` makes up for what scheme 1
    delays, in rate or in queue. `loss_detection` is that of informed-reno in the recursion: when a loss
    happens, or when three later packets have been acknowledged.
    """

    scheme: Scheme = "1"
    users_per_reference: Annotated[int, Ge(1), Le(1000000)] = 50
    condition: Literal["users", "backlogged", "nothing"] = "users"
    step: Annotated[Decimal, Quantity("packet", "1000000 packets", ge=1, le=1e9, whole=True)] = Decimal(
        1000000
    )
    min_steps: Annotated[int, Ge(3), Le(1000)] = 4
    max_steps: Annotated[int, Ge(3), Le(1000)] = 30
    averaging: Literal["none", "linear"] = "none"
    change: Change = Decimal("0.05")
    environment: Change = Decimal("0.05")
    fairness: Change = Decimal("0.1")
    gaps: Literal["exponential", "constant"] = "exponential"
    service: Literal["lognormal", "exponential"] = "lognormal"
    loss_detection: Literal["instantaneous", "duplicate-acks"] = "instantaneous"
    gap_after: Literal["release", "due"] = "release"
    haste: Literal["none", "rate", "queue"] = "none"


@with_config(CLOSED)
class PointFixedPoint(TypedDict):
    """The options in a point."""

    scheme: Scheme
    references: Annotated[int, Ge(1)]
    condition: Literal["users", "backlogged", "nothing"]
    step_packets: Annotated[int, Ge(1)]
    min_steps: Annotated[int, Ge(3)]
    max_steps: Annotated[int, Ge(3)]
    averaging: Literal["none", "linear"]
    change: Annotated[Number, Gt(0)]
    environment: Annotated[Number, Gt(0)]
    fairness: Annotated[Number, Gt(0)]
    gaps: Literal["exponential", "constant"]
    service: Literal["lognormal", "exponential"]
    loss_detection: Literal["instantaneous", "duplicate-acks"]
    gap_after: Literal["release", "due"]
    haste: Literal["none", "rate", "queue"]


def point_fixed_point(options: FixedPoint, users: int, factor: Decimal) -> dict[str, Any]:
    """Return the options of a point whose run is `factor` times as long; raises PointError."""
    exact = options.scheme == "exact"
    return {
        "scheme": options.scheme,
        "references": users if exact else max(users // options.users_per_reference, 1),
        "condition": options.condition,
        "step_packets": max(round(options.step * factor), min(int(options.step), SHORTEST_STEP)),
        "min_steps": options.min_steps,
        "max_steps": max(options.max_steps, options.min_steps),
        "averaging": options.averaging,
        "change": plain(options.change),
        "environment": plain(options.environment),
        "fairness": plain(options.fairness),
        "gaps": options.gaps,
        "service": options.service,
        "loss_detection": options.loss_detection,
        "gap_after": options.gap_after,
        "haste": options.haste,
    }
