"""The distribution of cwnd by rounds, by segments and over time (Bogoiavlenskaia et al. 2002, appendix C).

A segment sees large windows more often than a round does: a round sends as many segments as its window holds.
Over time a round counts for as long as it lasts: an RTT, or, if the link needs longer for the window, w t_0.
Equation (8.2) is printed with the two cases swapped: U_w = max(RTT, w t_0).
"""

import math
from dataclasses import dataclass
from enum import Enum

import numpy as np

from .chain import by_rounds
from .loss import Array, LossPattern, windows_up_to
from .rtt import RttLaw


class Basis(Enum):
    """What the share of a window is a share of."""

    ROUNDS = "rounds"
    SEGMENTS = "segments"
    TIME = "time"


@dataclass(frozen=True)
class Reading:
    """What the paper leaves open about the distribution of cwnd.

    In appendix C, theorem 1, a loss ends its round: the n-th segment of a window is only sent if the n - 1
    before it were delivered. In theorem 2 a round sends its whole window. By rounds there is no difference.
    """

    basis: Basis
    loss_ends_round: bool


ROUNDS = Reading(Basis.ROUNDS, loss_ends_round=False)
SEGMENTS = Reading(Basis.SEGMENTS, loss_ends_round=False)
SEGMENTS_UNTIL_LOSS = Reading(Basis.SEGMENTS, loss_ends_round=True)
"""What table 7.2 was computed with."""
TIME = Reading(Basis.TIME, loss_ends_round=False)
"""Theorem 2."""
TIME_UNTIL_LOSS = Reading(Basis.TIME, loss_ends_round=True)
"""Theorem 1, the distribution that chapter 5 calls omega."""
READINGS = (ROUNDS, SEGMENTS, SEGMENTS_UNTIL_LOSS, TIME, TIME_UNTIL_LOSS)


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

    def quantile(self, level: float) -> int:
        """Return the smallest window w with P(cwnd <= w) >= level, in segments."""
        position = np.searchsorted(np.cumsum(self.probability), level * (1 - _ROUNDING))
        return int(self.windows[min(int(position), self.windows.size - 1)])


# A level that the probabilities add up to counts as reached, however they round.
_ROUNDING = 1e-12


def cwnd_distribution(
    pattern: LossPattern, reading: Reading, rtt: RttLaw | None = None, link: float = math.inf
) -> Cwnd:
    """Return the stationary distribution of cwnd.

    `rtt`, in seconds, and the sender's link, in segments per second, matter over time only, and there only
    together: unless a link holds the large windows up, all rounds last a mean RTT. Raises ValueError for a
    link that is not above 0, or one without an RTT over time.
    """
    weights = by_rounds(pattern)
    if reading.loss_ends_round and reading.basis is not Basis.ROUNDS:
        weights = weights * (pattern.sent / pattern.windows)
    if reading.basis is Basis.SEGMENTS:
        weights = weights * pattern.windows
    elif reading.basis is Basis.TIME and (rtt is not None or math.isfinite(link)):
        if rtt is None:
            raise ValueError("rtt: is missing; allowed over time: a distribution, or no link")
        weights = weights * round_durations(pattern.windows, rtt, link)
    return Cwnd(weights / weights.sum())


def round_durations(windows: Array, rtt: RttLaw, link: float) -> Array:
    """Return the mean seconds beta_w that rounds of these windows last (equation 8.2, its cases swapped)."""
    if not link > 0:
        raise ValueError(f"link: is {link}; allowed: a number of segments per second above 0")
    return rtt.mean_of_longer(windows / link)
