"""Stationary distribution of a finite birth-death process."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def stationary_distribution(birth_rates: ArrayLike, death_rates: ArrayLike) -> NDArray[np.float64]:
    """Return the probabilities of the states 0..n, which sum to 1.

    `birth_rates[j]` is the rate of j -> j + 1 and `death_rates[j]` that of j + 1 -> j, for j = 0..n-1, both
    positive and in the same unit. The weights are products of rate ratios, taken outward from the most
    probable state: none exceeds 1, so nothing overflows, what is too improbable becomes 0, and every
    probability keeps its digits, which a sum of logarithms would lose as it grows. Raises ValueError if the
    rates differ in number or are not positive and finite.
    """
    births, deaths = np.asarray(birth_rates, dtype=float), np.asarray(death_rates, dtype=float)
    if births.ndim != 1 or births.shape != deaths.shape:
        raise ValueError(f"birth and death rates: shapes {births.shape} and {deaths.shape}; as many of each")
    if not np.all((births > 0) & (deaths > 0) & np.isfinite(births) & np.isfinite(deaths)):
        raise ValueError("birth and death rates: must be positive and finite")
    ratios = births / deaths
    mode = int(np.argmax(np.concatenate([[0.0], np.cumsum(np.log(ratios))])))
    above = np.cumprod(ratios[mode:])
    below = np.cumprod(1 / ratios[:mode][::-1])[::-1]
    weights = np.concatenate([below, [1.0], above])
    probabilities: NDArray[np.float64] = weights / weights.sum()
    return probabilities
