"""The distribution of the throughput of congestion avoidance (Bogoiavlenskaia et al. 2002, chapter 5).

With a window of w segments the throughput is w / RTT, or the sender's link rate L where that is less. Windows
and RTT are independent.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from .cwnd import Basis, Cwnd, cwnd_distribution
from .loss import Array, LossPattern
from .rtt import RttLaw


@dataclass(frozen=True)
class Throughput:
    """The throughput min(w / RTT, L), in segments per second.

    `link` is L, infinite if nothing but w_max limits the throughput. An RTT below w / L makes the throughput
    exactly L, so the distribution has an atom there. Raises ValueError for a link that is not above 0; and
    without a link, in `mean` and `standard_deviation`, where there is no mean.
    """

    cwnd: Cwnd
    rtt: RttLaw
    link: float = math.inf

    def __post_init__(self) -> None:
        if not self.link > 0:
            raise ValueError(f"link: is {self.link}; allowed: a number of segments per second above 0")

    def below(self, x: ArrayLike) -> Array:
        """Return P(T < x): T(x) of equation (5.3), and 1 above the link rate."""
        x = np.asarray(x, float)
        return np.where(x > self.link, 1.0, 1 - self._mixed(self.rtt.at_most, x))

    def above(self, x: ArrayLike) -> Array:
        """Return P(T > x), precise where it is small; 0 from the link rate on."""
        x = np.asarray(x, float)
        return np.where(x >= self.link, 0.0, self._mixed(self.rtt.below, x))

    def _mixed(self, of_rtt: Callable[[Array], Array], x: Array) -> Array:
        """Return the sum over all windows w of their probability times `of_rtt`, taken at w / x."""
        mixed = np.ones(x.shape)
        for position, value in np.ndenumerate(x):
            if value > 0:
                mixed[position] = self.cwnd.probability @ of_rtt(self.cwnd.windows / value)
        return mixed

    @cached_property
    def mean(self) -> float:
        """E(T), in segments per second."""
        at_link, first, _ = self._parts
        means = self.cwnd.windows * first + _unless_never(self.link, at_link)
        return float(self.cwnd.probability @ means)

    @cached_property
    def standard_deviation(self) -> float:
        """In segments per second."""
        windows, mean = self.cwnd.windows, self.mean
        at_link, first, second = self._parts
        free = windows**2 * second - 2 * mean * windows * first + mean**2 * (1 - at_link)
        squares = np.maximum(free, 0) + _unless_never((self.link - mean) ** 2, at_link)
        return math.sqrt(float(self.cwnd.probability @ squares))

    @cached_property
    def _parts(self) -> tuple[Array, Array, Array]:
        """For each cwnd w: P(RTT <= w / L), and E(1 / RTT) and E(1 / RTT^2) over what is above w / L."""
        bounds = self.cwnd.windows / self.link
        return self.rtt.at_most(bounds), *self.rtt.inverse_moments(bounds)


def avoidance_throughput(
    pattern: LossPattern, rtt: RttLaw, link: float = math.inf, basis: Basis = Basis.TIME
) -> Throughput:
    """Return the throughput by all steps of chapter 5, from loss pattern, RTT and link.

    The RTT is in seconds, the link in segments per second. Raises ValueError as Throughput does.
    """
    return Throughput(cwnd_distribution(pattern, basis, rtt, link), rtt, link)


def _unless_never(value: float, share: Array) -> Array:
    """Return the product, 0 where the share is 0: without a link the value is infinite."""
    return value * share if share.any() else share
