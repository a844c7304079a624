"""The parameters of CUBIC."""

from typing import Annotated, Literal

from annotated_types import Gt, Le

from tcpatlas.base.validation import Model, Number
from tcpatlas.points.parts.tagged import Of

_CUBIC = Of(("cubic",), needed=False)


class Cubic(Model):
    """Defaults from RFC 9438: `c` of 0.4 packets/s^3, and fast convergence.

    `reno_friendly` says how the Reno-friendly window grows above the window of the last cut: by a packet a
    round trip (`rfc9438`, section 4.3), or by 0.53 as below it (`rfc8312`, section 4.2), which is the default
    because the Linux kernel has it.

    Far from its plateau the window grows by `c` t^3 packets within t seconds; with `fast_convergence` a flow
    whose windows shrink yields more bandwidth to newcomers (sections 4.2 and 4.7).
    """

    c: Annotated[Annotated[Number, Gt(0), Le(1000000)] | None, _CUBIC] = None
    fast_convergence: Annotated[bool | None, _CUBIC] = None
    reno_friendly: Annotated[Literal["rfc8312", "rfc9438"] | None, _CUBIC] = None
