"""Neighbours: a local linear fit to the errors at the nearest points of a map.

Weights fall with the distance as in loess (Cleveland 1979, tricube). A band takes the local scatter times
quantiles of the same ratio at the map's own points, each seen from the others, so that it holds as often as
stated however the errors are distributed (normalised conformal prediction: Lei et al. 2018, section 5.2).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

NEIGHBOURS = 60
# Keeps the slopes finite where neighbours hardly differ in a coordinate; coordinates go from 0 to 1.
_RIDGE = 0.05
# No scatter is smaller than what two replications of a simulation differ by.
_LEAST_SCATTER = 0.01
# The farthest neighbour counts a little too.
_LEAST_WEIGHT = 1e-3
_CHUNK = 500  # points at a time: bounds the memory, not the result


@dataclass(frozen=True)
class Fitted:
    """The fit and the scatter around it at some points, `(points, errors)` both.

    `nearness` `(points,)` is the root mean square distance of the neighbours in a coordinate.
    """

    value: Array
    scatter: Array
    nearness: Array


def fit(at: Array, coordinates: Array, errors: Array, *, without_itself: bool = False) -> Fitted:
    """Return the errors that the neighbours in `coordinates` suggest at the points `at`.

    Both are `(points, coordinates)`, `errors` `(points of coordinates, errors)`. With `without_itself` each
    point's nearest neighbour, which is itself, is left out. There must be more than NEIGHBOURS points.
    """
    parts = [
        _fit(at[first : first + _CHUNK], coordinates, errors, int(without_itself))
        for first in range(0, len(at), _CHUNK)
    ]
    return Fitted(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _fit(at: Array, coordinates: Array, errors: Array, skip: int) -> tuple[Array, Array, Array]:
    squares = np.sum(at**2, axis=1)[:, None] + np.sum(coordinates**2, axis=1) - 2 * at @ coordinates.T
    farthest = NEIGHBOURS + skip - 1
    nearest = np.argpartition(squares, farthest, axis=1)[:, : farthest + 1]
    order = np.argsort(np.take_along_axis(squares, nearest, axis=1), axis=1)
    nearest = np.take_along_axis(nearest, order, axis=1)[:, skip:]
    offsets = coordinates[nearest] - at[:, None, :]
    distance = np.sqrt(np.sum(offsets**2, axis=2))
    relative = distance / np.maximum(distance[:, -1:], np.finfo(float).tiny)
    weights = (1 - relative**3) ** 3 + _LEAST_WEIGHT
    weights /= weights.sum(axis=1, keepdims=True)
    design = np.concatenate([np.ones((*offsets.shape[:2], 1)), offsets], axis=2)
    weighted = design * weights[:, :, None]
    penalty = _RIDGE * np.diag([0.0] + [1.0] * at.shape[1]) / NEIGHBOURS
    normal = np.swapaxes(weighted, 1, 2) @ design + penalty
    slopes = np.linalg.solve(normal, np.swapaxes(weighted, 1, 2) @ errors[nearest])
    residuals = errors[nearest] - design @ slopes
    scatter = np.sqrt(np.sum(weights[:, :, None] * residuals**2, axis=1))
    nearness = np.sqrt(np.mean(offsets**2, axis=(1, 2)))
    return slopes[:, 0, :], np.maximum(scatter, _LEAST_SCATTER), nearness


def band_quantiles(coordinates: Array, errors: Array, confidence: float) -> Array:
    """Return the ends of the band below and above the fit, in scatters, `(2, errors)`."""
    fitted = fit(coordinates, coordinates, errors, without_itself=True)
    scores = (errors - fitted.value) / fitted.scatter
    tail = (1 - confidence) / 2
    return np.quantile(scores, [tail, 1 - tail], axis=0)
