"""Means and confidence intervals of independent replications."""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

# The fewest values whose range covers a further one with 95 % confidence: 2 of 40 ranks are outside.
PREDICTABLE_95 = 39
# 95 % of a normal distribution lies within this many standard deviations.
NORMAL_95 = 1.96


@dataclass(frozen=True)
class Interval:
    """A mean and its confidence interval, or a number and its band."""

    mean: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half of the interval's length."""
        return (self.high - self.low) / 2


def t_interval(values: Sequence[float], confidence: float) -> Interval:
    """Return Student's interval for the mean of two or more independent values.

    Mean and variance are exact before they are rounded: nothing depends on the order or on the machine.
    """
    n = len(values)
    mean = statistics.mean(values)
    half_width = t_quantile(n, confidence) * math.sqrt(statistics.variance(values) / n)
    return Interval(mean, mean - half_width, mean + half_width)


# The share of the error probability spent by all looks at growing replications but the last.
EARLY = 0.02


def early_look(confidence: float, look: int) -> float:
    """Return the confidence of an early look, counted from 1: each spends half of the remaining share."""
    return 1 - EARLY * (1 - confidence) * 0.5**look


def last_look(confidence: float) -> float:
    """Return the confidence of the last look, which spends what the early ones leave (Bonferroni)."""
    return 1 - (1 - EARLY) * (1 - confidence)


def band_of(values: Sequence[float]) -> Interval:
    """Return the first of the values between the lowest and the highest of all."""
    return Interval(values[0], min(values), max(values))


def summary(unit: str, values: list[float], confidence: float, *, band: bool) -> Any:
    """Return a metric over runs as a document: the mean, with an interval or a band if there are several."""
    if len(values) == 1:
        return {"unit": unit, "value": values[0], "values": values}
    interval = band_of(values) if band else t_interval(values, confidence)
    ends = {"ci_low": interval.low, "ci_high": interval.high}
    return {"unit": unit, "value": interval.mean, **ends, "values": values}


def prediction_interval(values: Sequence[float], confidence: float) -> tuple[float, float]:
    """Return the interval of a further independent value at this confidence, for any distribution.

    The ends are interpolated between ordered values; too few values give their range, at a lower
    confidence.
    """
    tail = (1 - confidence) / 2
    low, high = np.quantile(values, [tail, 1 - tail], method="weibull")
    return float(low), float(high)


def ratio_interval(values: Sequence[float], others: Sequence[float], confidence: float) -> Interval:
    """Return the ratio of the means of two metrics of the same two or more replications, with its interval.

    The replications are paired, so common variation does not widen the interval, which holds to first order.
    The mean of the divisor must not be 0.
    """
    mean, other = statistics.mean(values), statistics.mean(others)
    ratio = mean / other
    residuals = [value - ratio * beside for value, beside in zip(values, others, strict=True)]
    half_width = t_interval(residuals, confidence).half_width / abs(other)
    return Interval(ratio, ratio - half_width, ratio + half_width)


def above(probability: Sequence[float]) -> list[float]:
    """Return the probability of all values above 0, 1, 2, ... of a distribution."""
    tails: list[float] = np.append(np.cumsum(probability[:0:-1])[::-1], 0.0).tolist()
    return tails


def pointwise_intervals(
    replications: Sequence[Sequence[float]], confidence: float
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return mean, lower and upper ends of two or more distributions over 0, 1, 2, ..., value by value.

    Shorter ones are filled with zeros; the ends are kept within 0 and 1, where every probability lies.
    """
    n, table = len(replications), _filled(replications)
    mean = table.mean(axis=0)
    half_width = t_quantile(n, confidence) * table.std(axis=0, ddof=1) / math.sqrt(n)
    return mean, np.clip(mean - half_width, 0, 1), np.clip(mean + half_width, 0, 1)


def pointwise_band(
    replications: Sequence[Sequence[float]],
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the first of the distributions, and the lowest and highest of all, value by value."""
    table = _filled(replications)
    return table[0], table.min(axis=0), table.max(axis=0)


def _filled(replications: Sequence[Sequence[float]]) -> npt.NDArray[np.float64]:
    table = np.zeros((len(replications), max(map(len, replications))))
    for row, probabilities in zip(table, replications, strict=True):
        row[: len(probabilities)] = probabilities
    return table


@cache
def t_quantile(n: int, confidence: float) -> float:
    """Return by how many standard errors the interval of a mean of `n` values reaches to either side."""
    # Imported here because it loads slower than all else that importers of this module need.
    from scipy.special import stdtrit

    return float(stdtrit(n - 1, (1 + confidence) / 2))


def narrow_enough(interval: Interval, relative: float = 0, absolute: float = 0) -> bool:
    """Say whether the half-width is at most the larger of `relative` times the mean and `absolute`."""
    return interval.half_width <= max(relative * abs(interval.mean), absolute)
