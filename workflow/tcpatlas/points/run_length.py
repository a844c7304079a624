"""Length and replications of runs, from configuration, scale and set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Le, Len
from pydantic import model_validator

from tcpatlas.base.validation import MetricName, Model, Number, Quantity, problem
from tcpatlas.points import kinds
from tcpatlas.points.nuisance import MOST_PARAMETERS

Count = Annotated[int, Ge(2), Le(1000)]
Shift = Annotated[Decimal, Quantity("1", "0.0001 %", gt=0, le=0.01)]


class Target(Model):
    """The half-width that a metric's interval must reach: the larger of relative to the mean and absolute."""

    relative: Annotated[Number, Gt(0), Le(1)] | None = None
    absolute: Annotated[Number, Gt(0)] | None = None

    @model_validator(mode="after")
    def _some(self) -> Target:
        if not self.model_fields_set:
            raise problem("is empty; at least one is needed")
        return self


class Bounds(Model):
    """The least and the largest number of replications."""

    minimum: Count
    maximum: Count


class Replications(Bounds):
    """Replications of each point, until the targets hold or the maximum is reached."""

    targets: dict[MetricName, Target]


class OwnReplications(Model):
    """A set's own replications, in place of the configuration's.

    With `common_random_numbers` all points have the seeds of the first one, replication by replication: the
    same file sizes and off times, so that chance cancels in ratios and differences of two points.

    `nuisance` maps parameters, by dotted path, to a share: the first replication runs the point itself, the
    others, up to the maximum, shift these parameters by up to that share. Their numbers form a band.
    """

    minimum: Count | None = None
    maximum: Count | None = None
    targets: dict[MetricName, Target] | None = None
    common_random_numbers: Literal[True] | None = None
    nuisance: Annotated[dict[str, Shift], Len(1, MOST_PARAMETERS)] | None = None


@dataclass(frozen=True)
class RunLength:
    """The part of every point that the configuration adds: factor on the run length, replications, seed.

    `bounds` are the scale's numbers of replications, which override any set's.
    """

    factor: Decimal
    replications: Mapping[str, Any]
    seed: int
    bounds: Mapping[str, Any] = field(default_factory=dict)

    def replications_of(self, spec: OwnReplications | None) -> dict[str, Any]:
        """Return the replications of a set's points, given the set's own."""
        of_set = (
            spec.model_dump(exclude_none=True, exclude={"common_random_numbers", "nuisance"}) if spec else {}
        )
        replications = {**self.replications, **of_set, **self.bounds}
        if spec and spec.nuisance:
            replications |= {"minimum": replications["maximum"], "targets": {}}
        return replications


def shortened(point: Mapping[str, Any], length: float) -> dict[str, Any]:
    """Return the point with its run shortened by a factor, and with the least number of replications."""
    bounds = {**point["replications"], "maximum": point["replications"]["minimum"]}
    return {**kinds.of(point).shortened(point, length), "replications": bounds}
