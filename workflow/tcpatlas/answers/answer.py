"""The answer of one engine or model at a point, or a comparison of two."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from tcpatlas.answers.derived import Metric, magnitude, model_error, of_distribution, ratio
from tcpatlas.answers.quantity import Quantity
from tcpatlas.answers.source import Source
from tcpatlas.points.types import Point, ScenarioSet

_OF_DISTRIBUTION = re.compile(r"\[(>?)(\d+)\]")


@dataclass(frozen=True)
class Answer:
    """The metrics that one engine or model gives at one point, or the differences of two of them there.

    `metrics` maps a name to `unit`, `value` and, from engines, `ci_low` and `ci_high`; `distributions` a name
    to `unit`, `probability` and, from engines, `ci_low` and `ci_high`; both hold `exact` where a run is the
    same for every seed, and `band` where the ends are those of a nuisance. `traces` maps a name to `unit`,
    `time_s` and `value`. The metrics of a model that was fed with an engine's runs are those of as many runs;
    those of an error or a difference are one value over the other minus one, and `of` are the two answers.
    `replications` is None for a model; `seeds` are those of an engine's replications, `confidence` that of
    its intervals.
    """

    source: Source
    set: ScenarioSet
    point: Point
    metrics: Mapping[str, Metric]
    replications: int | None = None
    distributions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    traces: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    of: tuple[Answer, Answer] | None = None
    seeds: tuple[int, ...] = ()
    confidence: float = 0.95

    def replications_of(self, metric: Metric) -> int | None:
        """Return how many replications give one of the metrics: fewer than all where it is rare."""
        return len(metric["values"]) if "values" in metric else self.replications

    def find(self, quantity: Quantity) -> Metric | None:
        """Return the metric that a quantity names; None if there is none.

        A value or tail of a distribution counts as a metric. An interval comes with its number of `runs`, a
        metric that each replication gives with their seeds.
        """
        metric = self.metrics.get(quantity.name) or self._of_distribution(quantity)
        if metric is None:
            return None
        if self.replications and "ci_low" in metric and not {"band", "exact"} & metric.keys():
            metric = {**metric, "runs": self.replications_of(metric), "confidence": self.confidence}
        # The runs of a band differ in their parameters, so they do not pair with another point's runs.
        if self.seeds and "band" not in metric and len(metric.get("values", ())) == len(self.seeds):
            metric = {**metric, "seeds": self.seeds, "confidence": self.confidence}
        return magnitude(metric) if quantity.statistic == "error_size" else metric

    def _of_distribution(self, quantity: Quantity) -> Metric | None:
        match = _OF_DISTRIBUTION.fullmatch(quantity.of)
        if match is None:
            return None
        if self.of is not None:
            one, other = (answer.find(Quantity(quantity.metric, quantity.of)) for answer in self.of)
            if one is None or other is None or other["value"] == 0:
                return None
            return ratio(one, other) if "ci_low" in one else model_error(one, other)
        distribution = self.distributions.get(quantity.metric)
        return distribution and of_distribution(distribution, int(match[2]), above=bool(match[1]))


class Place(Protocol):
    """Anything at a point of a set."""

    @property
    def set(self) -> ScenarioSet:
        """The set."""

    @property
    def point(self) -> Point:
        """The point."""


class Answers:
    """The table that printed numbers and sentences are compared with: an answer per set, point and source.

    A set has the name of a study's set; the answers of a derived study stand under its `source`'s sets.
    """

    def __init__(self, answers: Iterable[Answer] = (), source: str | None = None) -> None:
        self._sets: dict[str, dict[tuple[str, Source], Answer]] = {}
        for answer in answers:
            if answer.source.relation in ("simulation", "model", "error", "fed", "band"):
                name = f"{source}/{answer.set.name}" if source else answer.set.full_name
                self._sets.setdefault(name, {})[answer.point.name, answer.source] = answer

    def __contains__(self, set_name: str) -> bool:
        return set_name in self._sets

    def of_set(self, set_name: str) -> Collection[Answer]:
        """Return the answers at all points of a set, by its full name."""
        return self._sets.get(set_name, {}).values()

    def at(self, place: Place, source: Source) -> Answer | None:
        """Return the answer of a source at a point; None if there is none."""
        return self._sets.get(place.set.full_name, {}).get((place.point.name, source))
