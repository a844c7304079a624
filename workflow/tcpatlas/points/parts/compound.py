"""The parameters of Compound TCP."""

from decimal import Decimal
from typing import Annotated, Literal

from annotated_types import Ge, Gt, Le, Lt

from tcpatlas.base.validation import Model, Number
from tcpatlas.points.parts.quantities import Packets
from tcpatlas.points.parts.tagged import Of

_COMPOUND = Of(("compound",))


class Compound(Model):
    """Parameters of Compound TCP, with its authors' defaults.

    The window grows by alpha w^k per round trip, a loss multiplies it by 1 - beta, and the delay window falls
    by zeta times the estimated backlog where that exceeds gamma. `damping` divides growth and cuts while a
    backlog is estimated.
    """

    arithmetic: Annotated[Literal["float", "linux"], _COMPOUND] = "float"
    alpha: Annotated[Number, Gt(0), Le(1000), _COMPOUND] = 0.125
    k: Annotated[Number, Gt(0), Lt(1), _COMPOUND] = 0.75
    beta: Annotated[Number, Gt(0), Lt(1), _COMPOUND] = 0.5
    zeta: Annotated[Number, Gt(0), Le(1000), _COMPOUND] = 1
    gamma: Annotated[Packets, _COMPOUND] = Decimal(30)
    damping: Annotated[int, Ge(1), Le(1000), _COMPOUND] = 1
    recovery: Annotated[Literal["pause", "rate-halving"], _COMPOUND] = "pause"
