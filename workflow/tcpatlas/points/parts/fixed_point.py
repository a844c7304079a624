"""Options of the fixed-point engine (Baccelli, Hong and Liu 2001, sections 5.3 and 5.4)."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

from annotated_types import Ge, Le

from tcpatlas.base.validation import Model, Quantity
from tcpatlas.points.parts.quantities import Count

Change = Annotated[Decimal, Quantity("1", "5 %", gt=0, le=1)]

# An iteration step with fewer packets is too short to estimate anything.
SHORTEST_STEP = 10000


class _Options(Model):
    """The scheme, and when its iteration stops.

    With the scheme `exact` all users are references, and there is nothing to iterate: `min_steps` are then
    the warm-up. After each `step` of so many packets of all users the cross flows learn
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

    scheme: Literal["0", "1", "2", "exact"] = "1"
    condition: Literal["users", "backlogged", "nothing"] = "users"
    step: Annotated[Decimal, Quantity("packet", "1000000 packets", ge=1, le=1e9, whole=True)] = Decimal(
        1000000
    )
    min_steps: Annotated[int, Ge(2), Le(1000)] = 4
    max_steps: Annotated[int, Ge(2), Le(1000)] = 30
    averaging: Literal["none", "linear"] = "none"
    change: Change = Decimal("0.05")
    environment: Change = Decimal("0.05")
    fairness: Change = Decimal("0.1")
    gaps: Literal["exponential", "constant"] = "exponential"
    service: Literal["lognormal", "exponential"] = "lognormal"
    loss_detection: Literal["instantaneous", "duplicate-acks"] = "instantaneous"
    gap_after: Literal["release", "due"] = "release"
    haste: Literal["none", "rate", "queue"] = "none"


class FixedPoint(_Options):
    """One in this many users is a reference."""

    users_per_reference: Count = 50

    def iteration(self, users: int, factor: Decimal) -> Iteration:
        """Return the options of a point whose run is `factor` times as long."""
        options = {name: getattr(self, name) for name in _Options.model_fields}
        step = max(round(self.step * factor), min(int(self.step), SHORTEST_STEP))
        exact = self.scheme == "exact"
        return Iteration(
            **options
            | {
                "references": users if exact else max(users // self.users_per_reference, 1),
                "step": Decimal(step),
                "max_steps": max(self.max_steps, self.min_steps),
            }
        )


class Iteration(_Options):
    """The options in a point, with the number of references."""

    references: Count
