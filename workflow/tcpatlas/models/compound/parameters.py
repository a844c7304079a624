"""The parameters of Compound TCP and their limits.

Source: Blanc, Collange and Avrachenkov 2008, sections 1 and 2.1.1.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Arithmetic = Literal["float", "linux"]


@dataclass(frozen=True, order=True)
class Parameters:
    """Constants of equation 2 and of the reaction to a loss; the defaults are the authors'.

    Raises ValueError, one line with the key and what is allowed.
    """

    alpha: float = 1 / 8
    """Superlinear growth: the window grows by alpha w^k a round trip."""
    k: float = 3 / 4
    beta: float = 1 / 2
    """A loss multiplies the whole window by 1 - beta."""
    zeta: float = 1.0
    """The delay window falls by zeta times the estimated backlog."""
    gamma: float = 30.0
    """Threshold of the estimated backlog, in packets."""

    def __post_init__(self) -> None:
        for key, inside, allowed in (
            ("alpha", 0 < self.alpha < math.inf, "a number above 0"),
            ("k", 0 < self.k < 1, "a number between 0 and 1, both excluded (section 2.1.1)"),
            ("beta", 0 < self.beta < 1, "a number between 0 and 1, both excluded"),
            ("zeta", 0 < self.zeta < math.inf, "a number above 0"),
            ("gamma", 1 <= self.gamma < math.inf, "at least 1 packet"),
        ):
            if not inside:
                raise ValueError(f"tcp.{key}: is {getattr(self, key)}; allowed: {allowed}")

    def check_integers(self) -> None:
        """Raise ValueError as above if the module's integers cannot express the parameters."""
        shift = -math.log2(self.alpha)
        for key, inside, allowed in (
            ("alpha", shift >= 0 and shift == int(shift), "1, 1/2, 1/4, 1/8, ..."),
            ("k", self.k == 3 / 4, "0.75"),
            ("zeta", self.zeta == int(self.zeta), "a whole number"),
        ):
            if not inside:
                raise ValueError(
                    f"tcp.{key}: is {getattr(self, key)}; allowed with arithmetic linux: {allowed}"
                )

    @property
    def alpha_shift(self) -> int:
        """The n of alpha = 2^-n, by which the Linux module shifts; meaningful after check_integers()."""
        return int(-math.log2(self.alpha))

    @classmethod
    def from_tcp(cls, tcp: Mapping[str, Any]) -> "Parameters":
        """Read the `tcp` object of a point (docs/formats.md)."""
        return cls(
            alpha=tcp["alpha"], k=tcp["k"], beta=tcp["beta"], zeta=tcp["zeta"], gamma=tcp["gamma_packets"]
        )
