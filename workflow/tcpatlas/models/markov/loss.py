"""Memoryless loss patterns (Bogoiavlenskaia, Kojo, Mutka and Alanko 2002, chapters 2 and 4).

A round sends a whole congestion window. All that the chain of windows needs of a loss pattern is how likely a
round of each window passes without a loss; the distribution by segments also needs how many segments a round
sends when a loss ends it.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

SMALLEST_WINDOW = 2
"""In segments: a loss never leaves a smaller cwnd in congestion avoidance."""


@dataclass(frozen=True)
class LossPattern:
    """Arrays of one length, for cwnd = 2, 3, ... w_max segments.

    Raises ValueError if the arrays are empty or of different lengths, or hold what is no probability, or if
    `delivered` and `lost` do not add up to 1. Both are kept because neither 1 - delivered nor 1 - lost is
    precise where the other is close to 1.
    """

    delivered: Array
    """g^w: all segments of a round are delivered."""
    lost: Array
    """g_w: at least one of them is lost."""
    sent: Array
    """Mean number of segments that a round sends up to its first loss, the lost one included."""

    def __post_init__(self) -> None:
        shape = np.shape(self.delivered)
        if len(shape) != 1 or shape[0] == 0 or np.shape(self.lost) != shape or np.shape(self.sent) != shape:
            raise ValueError("loss pattern: allowed: arrays of one length, an element per cwnd from 2 on")
        for name, values in (("delivered", self.delivered), ("lost", self.lost)):
            if not np.all((values >= 0) & (values <= 1)):
                raise ValueError(f"loss pattern: {name}: allowed: probabilities, from 0 to 1")
        if not np.allclose(self.delivered + self.lost, 1, rtol=0, atol=1e-12):
            raise ValueError("loss pattern: delivered and lost: allowed: probabilities that add up to 1")

    @property
    def max_window(self) -> int:
        """w_max, in segments."""
        return self.delivered.size + SMALLEST_WINDOW - 1

    @property
    def windows(self) -> Array:
        """2, 3, ... w_max, in segments."""
        return windows_up_to(self.max_window)

    @classmethod
    def by_window(cls, loss_probability: ArrayLike) -> "LossPattern":
        """Lose each segment independently, with a probability for each cwnd = 2, 3, ... w_max.

        Raises ValueError for anything but a one-dimensional array of probabilities.
        """
        p = np.asarray(loss_probability, float)
        if p.ndim != 1 or p.size == 0 or not np.all((p >= 0) & (p <= 1)):
            raise ValueError("loss_probability: allowed: a number from 0 to 1 for each cwnd from 2 on")
        windows = np.arange(SMALLEST_WINDOW, p.size + SMALLEST_WINDOW, dtype=float)
        with np.errstate(divide="ignore"):
            exponent = windows * np.log1p(-p)
        lost = -np.expm1(exponent)
        return cls(np.exp(exponent), lost, np.divide(lost, p, out=windows, where=p > 0))

    @classmethod
    def bernoulli(cls, loss_probability: float, max_window: int) -> "LossPattern":
        """Lose each segment with the same probability, in [0, 1). Raises ValueError outside of it."""
        if not 0 <= loss_probability < 1:
            raise ValueError(f"loss_probability: is {loss_probability}; allowed: 0 or more and less than 1")
        return cls.by_window(np.full(windows_up_to(max_window).size, float(loss_probability)))

    @classmethod
    def growing(cls, factor: float, base: float, max_window: int) -> "LossPattern":
        """Lose each segment with probability min(1, alpha^w q) at cwnd w (section 6.1, figure 8.6).

        `factor` is alpha, any number above 0; `base` is q, between 0 and 1. Raises ValueError otherwise.
        """
        if not 0 < factor < math.inf:
            raise ValueError(f"factor: is {factor}; allowed: a number above 0")
        if not 0 < base < 1:
            raise ValueError(f"base: is {base}; allowed: a number between 0 and 1, both excluded")
        exponent = windows_up_to(max_window) * math.log(factor) + math.log(base)
        return cls.by_window(np.exp(np.minimum(exponent, 0)))


def windows_up_to(max_window: int) -> Array:
    """Return cwnd = 2, 3, ... w_max. Raises ValueError for w_max < 2."""
    if max_window < SMALLEST_WINDOW:
        raise ValueError(f"max_window: is {max_window}; allowed: at least {SMALLEST_WINDOW} segments")
    return np.arange(SMALLEST_WINDOW, max_window + 1, dtype=float)
