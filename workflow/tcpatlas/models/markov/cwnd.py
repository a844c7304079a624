"""The distribution of cwnd by rounds, by segments and over time (Bogoiavlenskaia et al. 2002, appendix C).

A segment sees large windows more often than a round does: a round sends as many segments as its window holds.
Over time a round counts for as long as it lasts: an RTT, or, if the link needs longer for the window, w t_0.
Equation (8.2) is printed with the two cases swapped: U_w = max(RTT, w t_0).
"""

import math
from dataclasses import dataclass
from enum import Enum

from .chain import by_rounds
from .loss import Array, LossPattern, windows_up_to
from .rtt import RttLaw


class Basis(Enum):
    """The whole that the share of a window is a share of.

    By segments and over time a loss ends its round, as in theorem 1: the n-th segment of a window is only
    sent if the n - 1 before it were delivered. In theorem 2 a round sends its whole window. By rounds there
    is no difference.
    """

    ROUNDS = "rounds"
    SEGMENTS = "segments"
    """What table 7.2 was computed with."""
    TIME = "time"
    """The distribution that chapter 5 calls omega."""


@dataclass(frozen=True)
class Cwnd:
    """A distribution of cwnd: the probabilities of 2, 3, ... w_max segments, which add up to 1."""

    probability: Array

    @property
    def windows(self) -> Array:
        """2, 3, ... w_max, in segments."""
        return windows_up_to(self.probability.size + 1)

    @property
    def mean(self) -> float:
        """In segments."""
        return float(self.probability @ self.windows)

    @property
    def standard_deviation(self) -> float:
        """In segments."""
        return math.sqrt(float(self.probability @ (self.windows - self.mean) ** 2))

    @property
    def mode(self) -> int:
        """The most likely window, in segments."""
        return int(self.windows[self.probability.argmax()])


def cwnd_distribution(
    pattern: LossPattern, basis: Basis, rtt: RttLaw | None = None, link: float = math.inf
) -> Cwnd:
    """Return the stationary distribution of cwnd.

    `rtt`, in seconds, and the sender's link, in segments per second, matter over time only, and there only
    together: unless a link holds the large windows up, all rounds last a mean RTT. Raises ValueError for a
    link that is not above 0, or one without an RTT over time.
    """
    weights = by_rounds(pattern)
    if basis is not Basis.ROUNDS:
        weights = weights * (pattern.sent / pattern.windows)
    if basis is Basis.SEGMENTS:
        weights = weights * pattern.windows
    elif basis is Basis.TIME and (rtt is not None or math.isfinite(link)):
        if rtt is None:
            raise ValueError("rtt: is missing; allowed over time: a distribution, or no link")
        weights = weights * round_durations(pattern.windows, rtt, link)
    return Cwnd(weights / weights.sum())


def round_durations(windows: Array, rtt: RttLaw, link: float) -> Array:
    """Return the mean seconds beta_w that rounds of these windows last (equation 8.2, its cases swapped)."""
    if not link > 0:
        raise ValueError(f"link: is {link}; allowed: a number of segments per second above 0")
    return rtt.mean_of_longer(windows / link)
