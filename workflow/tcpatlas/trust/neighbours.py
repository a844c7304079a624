"""Neighbours: a local linear fit to the errors at the nearest points of a map.

Weights fall with the distance as in loess (Cleveland 1979, tricube). A band is the local scatter times
quantiles of the same ratio at the nearest points of the map, each predicted from the others, so that its
coverage is as stated for any distribution of errors (normalised conformal prediction: Lei et al. 2018,
section 5.2; localised: Guan 2023).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

NEIGHBOURS = 40
# Points whose errors calibrate a band: enough for 5 % at either end, few enough to be like the asked one.
CALIBRATION = 100
# Ridge that keeps slopes finite where neighbours hardly differ in a coordinate (which ranges from 0 to 1).
_RIDGE = 0.05
# Minimum scatter: the difference between two replications of a simulation.
_LEAST_SCATTER = 0.01
# Minimum weight, so that the farthest neighbour still contributes.
_LEAST_WEIGHT = 1e-3
_CHUNK = 500  # points per block: bounds the memory, not the result


@dataclass(frozen=True)
class Fitted:
    """The fit and the scatter around it at some points, `(points, errors)` both.

    `nearness` `(points,)` is the root mean square distance of the neighbours in a coordinate.
    """

    value: Array
    scatter: Array
    nearness: Array


def fit(at: Array, coordinates: Array, errors: Array, *, without_itself: bool = False) -> Fitted:
    """Return the errors predicted at the points `at` from their neighbours in `coordinates`.

    Both are `(points, coordinates)`, `errors` `(points of coordinates, errors)`. With `without_itself` each
    point's nearest neighbour, which is itself, is left out. There must be more than NEIGHBOURS points.
    """
    parts = [
        _fit(at[first : first + _CHUNK], coordinates, errors, int(without_itself))
        for first in range(0, len(at), _CHUNK)
    ]
    return Fitted(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _nearest(at: Array, coordinates: Array, count: int) -> NDArray[np.intp]:
    """Return the indices of the `count` nearest points, nearest first: `(points, count)`."""
    squares = np.sum(at**2, axis=1)[:, None] + np.sum(coordinates**2, axis=1) - 2 * at @ coordinates.T
    nearest = np.argpartition(squares, count - 1, axis=1)[:, :count]
    order = np.argsort(np.take_along_axis(squares, nearest, axis=1), axis=1)
    return np.take_along_axis(nearest, order, axis=1)


def _fit(at: Array, coordinates: Array, errors: Array, skip: int) -> tuple[Array, Array, Array]:
    nearest = _nearest(at, coordinates, NEIGHBOURS + skip)[:, skip:]
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


def scores(coordinates: Array, errors: Array) -> Array:
    """Return how many scatters each point's errors are from the others' prediction, `(points, errors)`."""
    fitted = fit(coordinates, coordinates, errors, without_itself=True)
    return (errors - fitted.value) / fitted.scatter


def band_ends(at: Array, coordinates: Array, of_points: Array, confidence: float) -> tuple[Array, Array]:
    """Return the ends of the bands at some points, in scatters from the fit, `(points, errors)` both.

    `of_points` are the `scores` of the points in `coordinates`, of which the nearest CALIBRATION decide.
    """
    tail = (1 - confidence) / 2
    parts = [
        np.quantile(
            of_points[_nearest(at[first : first + _CHUNK], coordinates, CALIBRATION)],
            [tail, 1 - tail],
            axis=1,
            # A further point lies below the k-th of n with a probability of k / (n + 1).
            method="weibull",
        )
        for first in range(0, len(at), _CHUNK)
    ]
    low, high = np.concatenate(parts, axis=1)
    return low, high
