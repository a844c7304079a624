"""The subject of a printed number or a statement: a quantity at one point or several."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tcpatlas.answers.answer import Answer, Answers
from tcpatlas.answers.derived import Metric, change, mean, one_ratio, one_run, ratio
from tcpatlas.answers.quantity import Quantity
from tcpatlas.answers.source import Source
from tcpatlas.claims.selection import Reference
from tcpatlas.points.types import Point, ScenarioSet

PrintedKind = Literal["simulation", "model", "measurement", "redone"]
Trend = Literal["", "increasing", "decreasing"]
Pair = tuple[Metric | None, Metric | None]  # a quantity and its reference


@dataclass(frozen=True)
class Subject:
    """A quantity at one point or several; over `reference`, minus one, if it is a ratio.

    It is a ratio to another quantity at the same point (`reference`), or to the same at a point's baseline.
    Over several points, or several quantities `name[*]`, it is the change from the first to the last if a
    `trend` is stated, else the mean. Only a trend has several `curves` of points: the change is then
    `averaged` over them.
    """

    kind: PrintedKind
    quantity: Quantity
    curves: tuple[tuple[Reference, ...], ...]
    reference: Quantity | None = None
    trend: Trend = ""
    averaged: bool = False

    @property
    def references(self) -> tuple[Reference, ...]:
        """All points, each with its baseline."""
        return tuple(at for curve in self.curves for at in curve)

    @property
    def places(self) -> tuple[Reference, ...]:
        """All points, and their baselines."""
        return tuple(at for each in self.references for at in (each, each.baseline) if at is not None)

    @property
    def set(self) -> ScenarioSet:
        """The set of the first point."""
        return self.references[0].set

    @property
    def point(self) -> Point:
        """The first point."""
        return self.references[0].point

    @property
    def is_ratio(self) -> bool:
        """Say whether the quantity is divided by something."""
        return self.reference is not None or self.references[0].baseline is not None

    @property
    def left_out(self) -> tuple[str, ...]:
        """The engines that could answer, were nothing missing on this machine."""
        return () if self.kind == "model" or self.quantity.is_error else self.set.left_out

    def metric_by(self, source: Source, answers: Answers) -> Metric | None:
        """Return the quantity by an engine or model; None where it lacks something.

        Ratios are taken at each point of a trend, elsewhere of the means. The mean of curves leaves out those
        that lack an end.
        """
        curves = [[pair for at in curve for pair in self._at(at, answers, source)] for curve in self.curves]
        return self._change(curves) if self.trend else self._mean(curves[0])

    def _mean(self, pairs: Sequence[Pair]) -> Metric | None:
        if len(self.references) > 1:
            # A model may lack values at some points; a mean and its reference are taken over the same points.
            pairs = [pair for pair in pairs if None not in pair] or pairs
        metric, other = (_mean([pair[part] for pair in pairs]) for part in (0, 1))
        return ratio(metric, other) if self.is_ratio else metric

    def _change(self, curves: Sequence[Sequence[Pair]]) -> Metric | None:
        changes = []
        for pairs in curves:
            points = _all_there([ratio(*pair) if self.is_ratio else pair[0] for pair in pairs])
            if len(points) > 1:
                changes.append(change(points, self.trend))
        if not changes:
            return None
        return {**mean(changes), "max_reversal": 0.0} if self.averaged else changes[0]

    def one_run(self, source: Source, answers: Answers, length: float) -> Metric | None:
        """Return how far one run is `below` and `above` the mean; None for means, trends and exact numbers.

        `length`: our runs' length, before the engine's factor, over that run's. The two runs of a ratio of
        points are taken as independent, even where ours are not.
        """
        # A model compared with an engine, or fed with its measurements, scatters as the engine does.
        length *= self.set.engines.get(source.measured_by, 1)
        (metric, other), *more = [pair for at in self.references for pair in self._at(at, answers, source)]
        if more or metric is None or (self.is_ratio and other is None):
            return None
        if other is not None and self.references[0].baseline is not None:
            return one_ratio(metric, other, length)
        whole = ratio(metric, other) if self.is_ratio else metric
        return whole and one_run(whole, length)

    def quantities(self, answer: Answer) -> list[Quantity]:
        """Return the answer's quantities that match `name[*]`, or the single one asked for."""
        return self.quantity.each(answer.metrics)

    def _at(self, at: Reference, answers: Answers, source: Source) -> Iterator[Pair]:
        """Yield the quantity's metrics at one point, each with its reference."""
        answer = answers.at(at, source)
        if answer is None:
            yield None, None
            return
        other = answers.at(at.baseline or at, source)
        for quantity in self.quantities(answer):
            yield answer.find(quantity), other.find(self.reference or quantity) if other else None


def _all_there(series: Sequence[Metric | None]) -> list[Metric]:
    """Return the metrics if none of them is missing, else nothing."""
    there = [metric for metric in series if metric is not None]
    return there if len(there) == len(series) else []


def _mean(series: Sequence[Metric | None]) -> Metric | None:
    metrics = _all_there(series)
    return metrics[0] if len(metrics) == 1 else mean(metrics) if metrics else None
