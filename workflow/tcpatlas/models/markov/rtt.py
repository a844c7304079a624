"""Distributions of the RTT: normal, measured samples, and mixtures of them. Times are in seconds.

The model (Bogoiavlenskaia et al. 2002, chapter 5 and appendix C) needs of a distribution R its function, the
mean duration E max(RTT, w t_0) of a round, and for the throughput w / RTT the means of 1 / RTT and 1 / RTT^2
where RTT is above a bound.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from .loss import Array


class RttLaw(Protocol):
    """A distribution of the RTT. All methods take an array of times and keep its shape."""

    def at_most(self, time: ArrayLike) -> Array:
        """Return P(RTT <= time)."""

    def below(self, time: ArrayLike) -> Array:
        """Return P(RTT < time)."""

    def mean_of_longer(self, time: ArrayLike) -> Array:
        """Return E max(RTT, time), of times not below 0; the mean RTT at 0."""

    def inverse_moments(self, bound: ArrayLike) -> tuple[Array, Array]:
        """Return E(1 / RTT; RTT > bound) and E(1 / RTT^2; RTT > bound), of bounds not below 0.

        Raises ValueError where they are infinite.
        """


def _normal(score: ArrayLike) -> Array:
    """Return the share of the standard normal distribution below a score."""
    # Takes longer to load than the models' checks of all points.
    from scipy.special import ndtr

    below: Any = ndtr
    return np.asarray(below(score))


@dataclass(frozen=True)
class NormalRtt:
    """A normal distribution, cut at 0 because no RTT is negative.

    The part of it that is not above 0 is excluded, so that the rest is the whole; `mean` and
    `standard_deviation` are of the distribution before the cut. Raises ValueError for one of them that is not
    above 0.
    """

    mean: float
    standard_deviation: float

    def __post_init__(self) -> None:
        for name, value in (("mean", self.mean), ("standard deviation", self.standard_deviation)):
            if not 0 < value < math.inf:
                raise ValueError(f"RTT {name}: is {value}; allowed: a number of seconds above 0")

    @property
    def _at_0(self) -> float:
        """The share of the normal distribution that is not above 0."""
        return float(_normal(-self.mean / self.standard_deviation))

    @property
    def _whole(self) -> float:
        """The divisor of the densities above 0."""
        return 1 - self._at_0

    def at_most(self, time: ArrayLike) -> Array:
        """P(RTT <= time)."""
        share = _normal((np.maximum(time, 0) - self.mean) / self.standard_deviation)
        return np.asarray((share - self._at_0) / self._whole)

    def below(self, time: ArrayLike) -> Array:
        """P(RTT < time)."""
        return self.at_most(time)

    def mean_of_longer(self, time: ArrayLike) -> Array:
        """E max(RTT, time)."""
        time = np.asarray(time, float)
        z = (time - self.mean) / self.standard_deviation
        density = np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)
        return np.asarray(time + self.standard_deviation * (density - z * _normal(-z)) / self._whole)

    def inverse_moments(self, bound: ArrayLike) -> tuple[Array, Array]:
        """Integrate the density by Gauss's rule, between all bounds and points that follow the density.

        1 / RTT has no mean at a bound of 0, where the density is not 0.
        """
        bound = np.asarray(bound, float)
        if not np.all(bound > 0):
            raise ValueError(
                "1 / RTT: has no mean for a normal RTT; allowed: a link that limits the throughput"
            )
        # The tails beyond these bounds are below the last digit of the rest.
        low, high = (max(self.mean + side * 12 * self.standard_deviation, 0.0) for side in (-1, 1))
        start = max(low, min(float(bound.min()), high))
        panels = int(math.log(high / start) / math.log(_PANEL_RATIO)) + 1
        points = np.concatenate(
            [
                np.geomspace(start, high, panels + 1),
                np.arange(low, high, self.standard_deviation / 2),
                bound.ravel(),
            ]
        )
        points = np.unique(np.clip(points, start, high))
        half = np.diff(points)[:, None] / 2
        times = points[:-1, None] + half * (1 + _GAUSS_NODES)
        z = (times - self.mean) / self.standard_deviation
        weights = half * _GAUSS_WEIGHTS * np.exp(-(z**2) / 2) / times
        weights /= math.sqrt(2 * math.pi) * self.standard_deviation * self._whole
        position = np.searchsorted(points, np.clip(bound, start, high))
        first, second = (
            np.append(np.cumsum(panel.sum(axis=1)[::-1])[::-1], 0.0)[position]
            for panel in (weights, weights / times)
        )
        return first, second


# The integrands are smooth on panels whose ends differ by this factor.
_PANEL_RATIO = 1.4
_GAUSS_NODES, _GAUSS_WEIGHTS = np.polynomial.legendre.leggauss(10)


@dataclass(frozen=True)
class EmpiricalRtt:
    """Measured samples as frequencies (section 7.2).

    Raises ValueError if there are none, or one is not above 0.
    """

    samples: Sequence[float] | Array

    def __post_init__(self) -> None:
        samples = np.asarray(self.samples, float)
        if samples.ndim != 1 or samples.size == 0 or not np.all((samples > 0) & np.isfinite(samples)):
            raise ValueError("RTT samples: allowed: one or more numbers of seconds above 0")

    @cached_property
    def _sorted(self) -> Array:
        return np.sort(np.asarray(self.samples, float))

    def at_most(self, time: ArrayLike) -> Array:
        """P(RTT <= time)."""
        return np.asarray(np.searchsorted(self._sorted, time, side="right") / self._sorted.size)

    def below(self, time: ArrayLike) -> Array:
        """P(RTT < time)."""
        return np.asarray(np.searchsorted(self._sorted, time, side="left") / self._sorted.size)

    def mean_of_longer(self, time: ArrayLike) -> Array:
        """E max(RTT, time)."""
        return np.asarray(np.asarray(time) * self.at_most(time) + self._partial_mean(self._sorted, time))

    def inverse_moments(self, bound: ArrayLike) -> tuple[Array, Array]:
        """E(1 / RTT; RTT > bound) and E(1 / RTT^2; RTT > bound)."""
        return self._partial_mean(1 / self._sorted, bound), self._partial_mean(1 / self._sorted**2, bound)

    def _partial_mean(self, values: Array, bound: ArrayLike) -> Array:
        """Mean over all samples of `values`, which is in their order, where the sample is above the bound."""
        tails = np.append(np.cumsum(values[::-1])[::-1], 0.0) / values.size
        return np.asarray(tails[np.searchsorted(self._sorted, bound, side="right")])


@dataclass(frozen=True)
class MixtureRtt:
    """Each RTT comes from one of `laws`, with the probability of that law in `shares`.

    Raises ValueError for shares below 0, or that do not add up to 1, or are not one for each law.
    """

    laws: Sequence[RttLaw]
    shares: Sequence[float]

    def __post_init__(self) -> None:
        if not (
            len(self.laws) == len(self.shares)
            and all(share >= 0 for share in self.shares)
            and math.isclose(sum(self.shares), 1)
        ):
            raise ValueError(f"RTT shares: are {list(self.shares)}; allowed: a share of each law, 1 in all")

    def at_most(self, time: ArrayLike) -> Array:
        """P(RTT <= time)."""
        return self._mean([law.at_most(time) for law in self.laws])

    def below(self, time: ArrayLike) -> Array:
        """P(RTT < time)."""
        return self._mean([law.below(time) for law in self.laws])

    def mean_of_longer(self, time: ArrayLike) -> Array:
        """E max(RTT, time)."""
        return self._mean([law.mean_of_longer(time) for law in self.laws])

    def inverse_moments(self, bound: ArrayLike) -> tuple[Array, Array]:
        """E(1 / RTT; RTT > bound) and E(1 / RTT^2; RTT > bound)."""
        first, second = zip(*(law.inverse_moments(bound) for law in self.laws), strict=True)
        return self._mean(first), self._mean(second)

    def _mean(self, values: Sequence[Array]) -> Array:
        return np.asarray(sum(share * value for share, value in zip(self.shares, values, strict=True)))
