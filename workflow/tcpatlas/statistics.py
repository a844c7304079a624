"""Means and confidence intervals of independent replications."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit


@dataclass(frozen=True)
class Interval:
    """A mean with the ends of its confidence interval."""

    mean: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half of the interval's length."""
        return (self.high - self.low) / 2


def t_interval(values: Sequence[float], confidence: float) -> Interval:
    """Return Student's interval for the mean of two or more independent values.

    The sums are exact (fsum), so that the result does not hang on the order or on the machine's vector width.
    """
    n = len(values)
    mean = math.fsum(values) / n
    variance = math.fsum((value - mean) ** 2 for value in values) / (n - 1)
    half_width = float(stdtrit(n - 1, (1 + confidence) / 2)) * math.sqrt(variance / n)
    return Interval(mean, mean - half_width, mean + half_width)


def pointwise_intervals(
    replications: Sequence[Sequence[float]], confidence: float
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return mean, lower and upper ends of two or more distributions over 0, 1, 2, ..., value by value.

    Shorter distributions are filled with zeros. The ends are kept within 0 and 1, where every probability
    lies.
    """
    table = np.zeros((len(replications), max(map(len, replications))))
    for row, probabilities in zip(table, replications, strict=True):
        row[: len(probabilities)] = probabilities
    intervals = [t_interval(column, confidence) for column in table.T.tolist()]
    mean, low, high = np.array([(i.mean, i.low, i.high) for i in intervals]).reshape(-1, 3).T
    return mean, np.clip(low, 0, 1), np.clip(high, 0, 1)


def narrow_enough(interval: Interval, relative: float = 0, absolute: float = 0) -> bool:
    """Say whether the half-width is at most the larger of `relative` times the mean and `absolute`."""
    return interval.half_width <= max(relative * abs(interval.mean), absolute)
