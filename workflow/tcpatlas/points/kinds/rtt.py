"""A distribution of round-trip times: what models may be told in place of the path's own."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, NotRequired

from annotated_types import Ge, Gt, Lt
from pydantic import model_validator, with_config
from typing_extensions import TypedDict

from tcpatlas.base.units import plain
from tcpatlas.base.validation import CLOSED, Model, Number, Quantity, problem
from tcpatlas.points.kinds.quantities import Duration


class RttDistribution(Model):
    """Normal, cut at 0, its `mean` and `standard_deviation` those before the cut; and a share of `outliers`.

    All outliers take the same time, `outlier`.
    """

    mean: Duration
    standard_deviation: Duration
    outliers: Annotated[Decimal, Quantity("1", "1 %", ge=0, lt=1)] = Decimal(0)
    outlier: Duration | None = None

    @model_validator(mode="after")
    def _complete(self) -> RttDistribution:
        if self.outliers > 0 and self.outlier is None:
            raise problem("has outliers, but does not say how long they take; outlier is needed")
        return self


@with_config(CLOSED)
class PointRttDistribution(TypedDict):
    """The distribution in a point."""

    mean_s: Annotated[Number, Gt(0)]
    standard_deviation_s: Annotated[Number, Gt(0)]
    outliers: NotRequired[Annotated[Number, Gt(0), Lt(1)]]
    outlier_s: NotRequired[Annotated[Number, Ge(0)]]


def point_rtt_distribution(rtt: RttDistribution) -> dict[str, Any]:
    """Return the fields of a point."""
    fields = {"mean_s": plain(rtt.mean), "standard_deviation_s": plain(rtt.standard_deviation)}
    if rtt.outliers > 0 and rtt.outlier is not None:
        fields |= {"outliers": plain(rtt.outliers), "outlier_s": plain(rtt.outlier)}
    return fields
