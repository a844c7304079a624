"""The parameters of Compound TCP: what a scenario says of them, and a point."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal, NotRequired

from annotated_types import Ge, Gt, Le, Lt
from pydantic import with_config
from typing_extensions import TypedDict

from tcpatlas.base.units import plain
from tcpatlas.base.validation import CLOSED, Model, Number
from tcpatlas.points.kinds.quantities import Packets


class Compound(Model):
    """Parameters of Compound TCP, with its authors' defaults; other variants leave them aside.

    The window grows by alpha w^k a round trip, a loss multiplies it by 1 - beta, and the delay window falls
    by zeta times the estimated backlog where that is above gamma. `damping` makes growth and cuts so many
    times smaller while a backlog is estimated.
    """

    arithmetic: Literal["float", "linux"] = "float"
    alpha: Annotated[Number, Gt(0), Le(1000)] = 0.125
    k: Annotated[Number, Gt(0), Lt(1)] = 0.75
    beta: Annotated[Number, Gt(0), Lt(1)] = 0.5
    zeta: Annotated[Number, Gt(0), Le(1000)] = 1
    gamma: Packets = Decimal(30)
    damping: Annotated[int, Ge(1), Le(1000)] = 1
    recovery: Literal["pause", "rate-halving"] = "pause"


@with_config(CLOSED)
class PointCompound(TypedDict):
    """The same in a point; there only if the variant is compound."""

    arithmetic: NotRequired[Literal["float", "linux"]]
    alpha: NotRequired[Annotated[Number, Gt(0), Le(1000)]]
    k: NotRequired[Annotated[Number, Gt(0), Lt(1)]]
    beta: NotRequired[Annotated[Number, Gt(0), Lt(1)]]
    zeta: NotRequired[Annotated[Number, Gt(0), Le(1000)]]
    gamma_packets: NotRequired[Annotated[Number, Ge(1), Le(1000000)]]
    damping: NotRequired[Annotated[int, Ge(1), Le(1000)]]
    recovery: NotRequired[Literal["pause", "rate-halving"]]


def point_compound(tcp: Compound) -> dict[str, Any]:
    """Return the fields of a point."""
    return {
        "arithmetic": tcp.arithmetic,
        **{key: plain(getattr(tcp, key)) for key in ("alpha", "k", "beta", "zeta")},
        "gamma_packets": plain(tcp.gamma),
        "damping": tcp.damping,
        "recovery": tcp.recovery,
    }
