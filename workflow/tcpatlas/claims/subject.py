"""The subject of a printed number or a statement, and the replies of engines and models to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from tcpatlas.base import units
from tcpatlas.claims.answers import Answer
from tcpatlas.claims.derived import ENDS, Metric, change, interval, mean, one_ratio, one_run, ratio
from tcpatlas.claims.quantity import Quantity
from tcpatlas.claims.selection import Reference
from tcpatlas.claims.source import Relation, Source
from tcpatlas.points import engines
from tcpatlas.points.types import Point, ScenarioSet

Answers = dict[str, dict[tuple[str, Source], Answer]]  # set, then point and who answers
PrintedKind = Literal["simulation", "model", "measurement"]
Trend = Literal["", "increasing", "decreasing"]
Pair = tuple[Metric | None, Metric | None]  # of a quantity and what it is over


class NobodyAnswersError(ValueError):
    """Nobody gives the metric at any point of the set; `metrics` are those that somebody gives."""

    def __init__(self, problem: str, metrics: Iterable[str]) -> None:
        super().__init__(problem)
        self.metrics = sorted(metrics)


@dataclass(frozen=True)
class Scale:
    """The length of our runs: too short to judge by, or not, and how long beside the authors'."""

    too_short: bool
    length: float = 1


@dataclass(frozen=True)
class Reply:
    """The reply of an engine or model; empty if the machine `lacks` something for it. One of all counts."""

    source: Source
    metric: Metric
    counts: bool
    lacks: str = ""

    def numbers(self, unit: str) -> tuple[Decimal | None, Decimal | None, Decimal | None]:
        """Return the value and the ends of its interval in a unit, None where there is none; UnitError."""
        ends = interval(self.metric)
        low, high = (in_unit(self.metric, end, unit) if end in ends else None for end in ENDS)
        return in_unit(self.metric, "value", unit), low, high


@dataclass(frozen=True)
class Subject:
    """A quantity at one point or several; over `reference`, minus one, if it is a ratio.

    It is a ratio to another quantity at the same point (`reference`), or to the same at a point's baseline.
    Of several points, or several quantities `name[*]`, it is the change from the first to the last if a
    `trend` is stated, else the mean. Only a trend has several `curves` of points: it is then the change that
    is `averaged` over them.
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
        """The engines that could answer, but that this machine lacks something for."""
        return () if self.kind == "model" or self.quantity.is_error else self.set.left_out

    def replies(self, all_answers: Answers, scale: Scale) -> list[Reply]:
        """Return what everybody replies who is eligible, or would be if the machine lacked nothing for it.

        Errors are those of `_eligible`.
        """
        answers = self._eligible(all_answers, too_short=scale.too_short)
        metrics = {answer.source: self.metric_by(answer.source, all_answers) or {} for answer in answers}
        best = best_placed([answer for answer in answers if metrics[answer.source]] or answers)
        replies = [Reply(answer.source, metrics[answer.source], answer is best) for answer in answers]
        return replies + [
            Reply(Source("simulation", engine), {}, not replies and place == 0, str(engines.missing(engine)))
            for place, engine in enumerate(self.left_out)
        ]

    def _eligible(self, all_answers: Answers, *, too_short: bool) -> list[Answer]:
        """Return the answers at the first point: of models for a model's number, of engines for the others.

        Models fed with what was measured in runs come before those that are not; whether errors are in the
        bands of an error map, the map says for the engine. Only who gives the quantity
        at some point of the set is asked. NobodyAnswersError if that is no one, unless the runs are too short
        (what is rare may not have happened yet) or engines are left out.
        """
        by_itself: Relation = (
            "error" if self.quantity.is_error else "model" if self.kind == "model" else "simulation"
        )
        before: Mapping[str, tuple[Relation, ...]] = {"model": ("fed",), "simulation": ("band",)}
        for kind in (*before.get(by_itself, ()), by_itself):
            of_kind = [
                answer
                for answer in all_answers.get(self.set.full_name, {}).values()
                if answer.source.relation == kind
            ]
            giving = {answer.source for answer in of_kind if any(map(answer.find, self._quantities(answer)))}
            if self.reference is not None:
                giving &= {answer.source for answer in of_kind if answer.find(self.reference)}
            if giving:
                break
        if not giving and too_short and kind != "model":
            giving = {answer.source for answer in of_kind}
        if not giving and not self.left_out:
            names = (self.quantity, self.reference)
            asked = " and ".join(name.full_name for name in names if name is not None)
            problem = f"nobody gives {asked} in {self.set.full_name}"
            raise NobodyAnswersError(problem, {metric for answer in of_kind for metric in answer.metrics})
        return [
            answer for answer in of_kind if answer.point.name == self.point.name and answer.source in giving
        ]

    def metric_by(self, source: Source, all_answers: Answers) -> Metric | None:
        """Return the quantity by an engine or model; None where it lacks something.

        A ratio is one at each point of a trend, else as a whole: the mean over the mean. A curve that
        lacks an end is left out of a mean.
        """
        curves = [
            [pair for at in curve for pair in self._at(at, all_answers, source)] for curve in self.curves
        ]
        return self._change(curves) if self.trend else self._mean(curves[0])

    def _mean(self, pairs: Sequence[Pair]) -> Metric | None:
        if len(self.references) > 1:
            # A model need not have a value in each corner; a mean and its reference are of the same points.
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

    def one_run(self, source: Source, all_answers: Answers, length: float) -> Metric | None:
        """Return how far one run is `below` and `above` the mean; None of a mean, a trend, or what is exact.

        `length` is that of our runs, before the engine's share of it, over that of the run. The two runs of a
        ratio of points are taken as independent, whatever ours are.
        """
        # What a model says of an engine, or of its measurements, scatters as the engine does.
        length *= self.set.engines.get(source.measured_by, 1)
        (metric, other), *more = [
            pair for at in self.references for pair in self._at(at, all_answers, source)
        ]
        if more or metric is None or (self.is_ratio and other is None):
            return None
        if other is not None and self.references[0].baseline is not None:
            return one_ratio(metric, other, length)
        whole = ratio(metric, other) if self.is_ratio else metric
        return whole and one_run(whole, length)

    def _quantities(self, answer: Answer) -> list[Quantity]:
        return self.quantity.each(answer.metrics)

    def _at(self, at: Reference, all_answers: Answers, source: Source) -> Iterator[Pair]:
        """Yield the quantity's metrics at one point, each with its reference."""
        answer = all_answers.get(at.set.full_name, {}).get((at.point.name, source))
        if answer is None:
            yield None, None
            return
        base = at.baseline or at
        other = all_answers.get(base.set.full_name, {}).get((base.point.name, source))
        for quantity in self._quantities(answer):
            yield answer.find(quantity), other.find(self.reference or quantity) if other else None


def by_point(answers: Iterable[Answer]) -> Answers:
    """Return the answers by set, point and source."""
    all_answers: Answers = {}
    for answer in answers:
        if answer.source.relation in ("simulation", "model", "error", "fed", "band"):
            all_answers.setdefault(answer.set.full_name, {})[answer.point.name, answer.source] = answer
    return all_answers


def best_placed(answers: Sequence[Answer]) -> Answer | None:
    """Return the answer that counts where several are there: of the first engine of its set."""

    def place(answer: Answer) -> int:
        engines = [*answer.set.engines, answer.source.measured_by]
        return engines.index(answer.source.measured_by)

    return min(answers, key=place, default=None)


def yes_or_no(truth: bool) -> str:
    """Return a cell of a table of results."""
    return "true" if truth else "false"


def float_or_none(number: Decimal | None) -> float | None:
    """Return a number as tables have it; None stays."""
    return None if number is None else float(number)


def in_unit(metric: Metric, key: str, unit: str) -> Decimal | None:
    """Return one of a metric's numbers in a unit; None if it has none, UnitError if the unit does not fit."""
    if metric.get(key) is None:
        return None
    return Decimal(repr(metric[key])) * units.factor(metric["unit"], unit)


def _all_there(series: Sequence[Metric | None]) -> list[Metric]:
    """Return the metrics if none of them is missing, else nothing."""
    there = [metric for metric in series if metric is not None]
    return there if len(there) == len(series) else []


def _mean(series: Sequence[Metric | None]) -> Metric | None:
    metrics = _all_there(series)
    return metrics[0] if len(metrics) == 1 else mean(metrics) if metrics else None
