"""Infers the exogenous rate from a Tahoe connection's own throughput and round-trip time.

The paper's conclusion suggests to turn its analysis round: what a transfer measures on a path whose capacity,
buffer and delays are known tells how much other traffic shares the bottleneck.
"""

import numpy as np
from numpy.typing import ArrayLike

from .fluid import Array, Path, cycle

# lambda/mu is searched in [0, 1) by a grid that is then refined around its best point.
_GRID = 1000
_REFINEMENTS = 3
_ZOOM = 20


def infer_exogenous_rate(path: Path, throughput: ArrayLike, rtt: ArrayLike | None = None) -> Array:
    """Return the exogenous rate in packets/s at which the model comes nearest to what was measured.

    `path` gives everything but the exogenous rate, which is not looked at; `goodput` is in packets/s,
    `rtt`, the mean round-trip time, in seconds. Nearest is the least sum of the squared logarithms of model
    over measurement; without `rtt` the throughput alone decides. The model jumps where criterion (26) turns,
    so there can be two rates that fit alike: the global minimum is taken. Raises ValueError for a measurement
    that is not positive.
    """
    measured = [np.asarray(value, dtype=float) for value in (throughput, rtt) if value is not None]
    if not all(np.all(value > 0) for value in measured):
        raise ValueError("throughput and rtt must be more than 0")
    shape = np.broadcast_shapes(path.buffer.shape, *(value.shape for value in measured))

    low, high = np.zeros(shape), np.full(shape, 1 - 1 / _GRID)
    best = low
    steps = _GRID
    for _ in range(_REFINEMENTS + 1):
        shares = np.linspace(low, high, steps + 1)
        result = cycle(_with_share(path, shares))
        predicted = (result.throughput, result.mean_delay)
        distance = sum(np.log(ours / theirs) ** 2 for ours, theirs in zip(predicted, measured, strict=False))
        index = np.argmin(distance, axis=0)
        best = np.take_along_axis(shares, index[None], axis=0)[0]
        width = (high - low) / steps
        low, high = np.maximum(best - width, 0), np.minimum(best + width, 1 - 1e-9)
        steps = _ZOOM
    return best * path.service_rate


def _with_share(path: Path, shares: Array) -> Path:
    return Path.of(
        path.buffer,
        path.service_rate,
        shares * path.service_rate,
        path.delay_before,
        path.delay_after,
        path.access_rate,
    )
