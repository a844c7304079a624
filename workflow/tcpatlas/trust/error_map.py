"""Error maps: interpolate models' errors at a design's points to any point among them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tcpatlas.answers.headline_metrics import QUEUEING_DELAY, QUEUEING_DELAY_95
from tcpatlas.trust.neighbours import CALIBRATION, Array, band_ends, fit, scores
from tcpatlas.trust.place import DERIVED, NO_LOWER_LIMIT, NO_UPPER_LIMIT, UNITS, WEIGHTS, Place, place_of

CONFIDENCE = 0.9
# Smaller loss ratios, and delays below a tenth of a packet's transmission time, count as equal.
_LEAST_LOSS = 1e-4
_LEAST_DELAY = 0.1
# Relative tolerance within which numbers are equal and limits hold.
_SAME = 1.01
# Metrics given at fewer points are left out; for the others, points that lack one are.
_MOSTLY = 0.9
_BITS = 8


@dataclass(frozen=True)
class Expected:
    """The ratio of a model's value to the simulation's predicted from the neighbours, with its band.

    `floor` is added to both values before they are divided. `factor` is the approximate distance of the
    neighbours: the ratio by which they differ from the point in each parameter.
    """

    ratio: float
    low: float
    high: float
    floor: float
    factor: float

    def error(self) -> tuple[float, float, float]:
        """Return the relative error to expect, and the ends of its band."""
        return self.ratio - 1, self.low - 1, self.high - 1

    def holds(self, model: float, simulated: float) -> bool:
        """Say whether the band contains the ratio of two values of a model and a simulation."""
        return self.low <= (model + self.floor) / (simulated + self.floor) <= self.high


@dataclass(frozen=True)
class ErrorMap:
    """The errors of models at the points of a set.

    - `limits`: the least and the largest value of each number of the points' places;
    - `words`: the words of each point's place;
    - `coordinates` `(points, numbers that vary)`: logarithms, scaled from 0 to a number's weight between the
      limits;
    - `columns`: pairs of model and metric;
    - `errors` `(points, columns)`: logarithms of model over simulation;
    - `scores` `(points, columns)`: deviations of errors from the other points' prediction, in scatters.

    Errors and scores are NaN in columns that points with these words lack, and scores also where too few
    points have the words.
    """

    set: str
    limits: Mapping[str, tuple[float, float]]
    words: tuple[str, ...]
    coordinates: Array
    columns: tuple[tuple[str, str], ...]
    errors: Array
    scores: Array

    @cached_property
    def varied(self) -> tuple[str, ...]:
        """The numbers that differ between the points, in the order of the coordinates."""
        return varied(self.limits)

    @cached_property
    def bands(self) -> Mapping[str, tuple[int, ...]]:
        """The places of the columns that have bands, by the words of the points that have them."""
        words_of_points = np.array(self.words)
        there = {
            words: np.flatnonzero(np.isfinite(self.scores[words_of_points == words][0]))
            for words in dict.fromkeys(self.words)
        }
        return {words: tuple(map(int, columns)) for words, columns in there.items() if len(columns)}

    def outside(self, point: Mapping[str, Any]) -> list[str]:
        """Return the properties in which a point is outside the map, as text; nothing if it is inside."""
        place = place_of(point)
        if place is None or place.numbers.keys() != self.limits.keys() or place.words not in self.bands:
            return ["another network, TCP or traffic than any of its points"]
        return [
            f"{name} {_number(value, name)} (inside: {_limits(name, *self.limits[name])})"
            for name, value in place.numbers.items()
            if name not in DERIVED and not _within(name, value, *self.limits[name])
        ]

    def expected(self, points: Sequence[Mapping[str, Any]]) -> list[dict[tuple[str, str], Expected]]:
        """Return the expected ratios by model and metric at points inside the map; nothing without a band."""
        result: list[dict[tuple[str, str], Expected]] = [{} for _ in points]
        if not self.varied:
            return result
        places = {
            index: place
            for index, point in enumerate(points)
            if (place := place_of(point)) is not None and self._has(place)
        }
        words_of_points = np.array(self.words)
        spread = [
            (math.log(high / low) / WEIGHTS.get(name, 1)) ** 2
            for name, (low, high) in self.limits.items()
            if name in self.varied
        ]
        size = math.sqrt(sum(spread) / len(spread))
        for words in self.bands:
            inside = [index for index, place in places.items() if place.words == words]
            if not inside:
                continue
            at = np.array([coordinates_of(places[index], self.limits) for index in inside])
            same, columns = words_of_points == words, self.bands[words]
            coordinates, part = self.coordinates[same], np.ix_(same, columns)
            fitted = fit(at, coordinates, self.errors[part])
            ends = band_ends(at, coordinates, self.scores[part], CONFIDENCE)
            low, high = (fitted.value + end * fitted.scatter for end in ends)
            ratios = np.exp([fitted.value, np.minimum(low, fitted.value), np.maximum(high, fitted.value)])
            for row, index in enumerate(inside):
                factor = math.exp(fitted.nearness[row] * size)
                for column, ratio in zip(columns, ratios[:, row].T, strict=True):
                    model, metric = self.columns[column]
                    middle, least, most = map(float, ratio)
                    floor = floor_of(metric, points[index])
                    result[index][model, metric] = Expected(middle, least, most, floor, factor)
        return result

    def _has(self, place: Place) -> bool:
        """Say whether a place has coordinates in the map, whether inside its limits or not."""
        return place.numbers.keys() == self.limits.keys() and all(
            place.numbers[name] > 0 for name in self.varied
        )


def can_be_mapped(points: Sequence[Mapping[str, Any]]) -> bool:
    """Say whether an error map can be made of points: all have places of the same numbers, and some vary."""
    places = [place_of(point) for point in points]
    if len({None if place is None else tuple(place.numbers) for place in places}) != 1:
        return False
    return bool(varied(_limits_of([place for place in places if place is not None])))


def _limits_of(places: Sequence[Place]) -> dict[str, tuple[float, float]]:
    """Return the least and the largest of each number of places that have the same ones."""
    return {
        number: (min(values), max(values))
        for number in (places[0].numbers if places else ())
        if (values := [place.numbers[number] for place in places])
    }


def error_map(
    name: str, points: Sequence[Mapping[str, Any]], errors: Mapping[tuple[str, str], Sequence[float]]
) -> ErrorMap:
    """Return the map of a set's points; `errors` are by model and metric, NaN where missing.

    `can_be_mapped` must be true of the points.
    """
    places = [place for point in points if (place := place_of(point)) is not None]
    if len(places) < len(points):
        raise ValueError("an error map is of dumbbells with one group of sources, and of loops of web users")
    limits = _limits_of(places)
    table = np.array([errors[column] for column in errors], float).reshape(len(errors), -1).T
    words_of_points = np.array([place.words for place in places])
    complete = np.zeros(len(places), bool)
    for words in dict.fromkeys(words_of_points):
        same = words_of_points == words
        common = np.mean(np.isfinite(table[same]), axis=0) >= _MOSTLY
        table[np.ix_(same, ~common)] = math.nan
        complete[same] = np.all(np.isfinite(table[np.ix_(same, common)]), axis=1)
    kept = np.any(np.isfinite(table[complete]), axis=0)
    table, words_of_points = table[np.ix_(complete, kept)], words_of_points[complete]
    coordinates = np.array(
        [coordinates_of(place, limits) for place, there in zip(places, complete, strict=True) if there]
    ).reshape(len(words_of_points), len(varied(limits)))
    columns = tuple(column for column, there in zip(errors, kept, strict=True) if there)
    of_points = np.full_like(table, math.nan)
    for words in dict.fromkeys(words_of_points):
        same = words_of_points == words
        if columns and same.sum() > CALIBRATION:
            part = np.ix_(same, np.isfinite(table[same][0]))
            of_points[part] = scores(coordinates[same], table[part])
    return ErrorMap(name, limits, tuple(map(str, words_of_points)), coordinates, columns, table, of_points)


def error_of(metric: str, point: Mapping[str, Any], model: float, simulated: float) -> float:
    """Return the logarithm of the model's value over the simulation's; NaN where it cannot be."""
    floor = floor_of(metric, point)
    if not min(model, simulated) + floor > 0:
        return math.nan
    return math.log((model + floor) / (simulated + floor))


def floor_of(metric: str, point: Mapping[str, Any]) -> float:
    """Return the size of a metric below which all values count as equal."""
    if metric == "loss_ratio":
        return _LEAST_LOSS
    if metric in (QUEUEING_DELAY, QUEUEING_DELAY_95):
        packet_bits = _BITS * float(point["packet_bytes"])
        return _LEAST_DELAY * packet_bits / float(point["links"]["bottleneck"]["rate_bit_per_s"])
    return 0.0


def varied(limits: Mapping[str, tuple[float, float]]) -> tuple[str, ...]:
    """Return the numbers whose logarithms are coordinates."""
    one_sided = NO_LOWER_LIMIT | NO_UPPER_LIMIT
    return tuple(
        name
        for name, (low, high) in limits.items()
        if name not in one_sided and low > 0 and high > _SAME * low
    )


def coordinates_of(place: Place, limits: Mapping[str, tuple[float, float]]) -> list[float]:
    """Return the coordinates of a place: 0 to their weights between the limits of the numbers that vary."""
    return [
        WEIGHTS.get(name, 1)
        * math.log(place.numbers[name] / limits[name][0])
        / math.log(limits[name][1] / limits[name][0])
        for name in varied(limits)
    ]


def _within(name: str, value: float, low: float, high: float) -> bool:
    return (name in NO_LOWER_LIMIT or value >= low / _SAME) and (
        name in NO_UPPER_LIMIT or value <= high * _SAME
    )


def _number(value: float, name: str) -> str:
    return f"{value:.4g} {UNITS[name]}".rstrip()


def _limits(name: str, low: float, high: float) -> str:
    if name in NO_LOWER_LIMIT:
        return f"at most {_number(high, name)}"
    if name in NO_UPPER_LIMIT:
        return f"at least {_number(low, name)}"
    return _number(low, name) if high <= _SAME * low else f"{low:.4g} to {_number(high, name)}"
