"""A distribution of round-trip times that models may use in place of the path's own."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from pydantic import model_validator

from tcpatlas.base.validation import Model, Quantity, problem
from tcpatlas.points.parts.quantities import Duration


class RttDistribution(Model):
    """Normal, cut at 0, its `mean` and `standard_deviation` those before the cut; and a share of `outliers`.

    All outliers take the same time, `outlier`.
    """

    mean: Duration
    standard_deviation: Duration
    outliers: Annotated[Decimal, Quantity("1", "1 %", ge=0, lt=1)] | None = None
    outlier: Duration | None = None

    @model_validator(mode="after")
    def _complete(self) -> RttDistribution:
        if self.outliers and self.outlier is None:
            raise problem("has outliers, but does not say how long they take; outlier is needed")
        return self
