"""The parameters of CUBIC."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Gt, Le

from tcpatlas.base.validation import Model, Number
from tcpatlas.points.parts.tagged import Of

_CUBIC = Of(("cubic",), needed=False)


class Cubic(Model):
    """As RFC 9438 recommends unless something else is said: `c` of 0.4 packets/s^3, and fast convergence.

    Far from its plateau the window grows by `c` t^3 packets within t seconds; with `fast_convergence` a flow
    whose windows get smaller gives up some more for newcomers (sections 4.2 and 4.7).
    """

    c: Annotated[Annotated[Number, Gt(0), Le(1000000)] | None, _CUBIC] = None
    fast_convergence: Annotated[bool | None, _CUBIC] = None
