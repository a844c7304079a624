"""Answers about a point: from simulation, and from every model that applies."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tcpatlas.answers.headline_metrics import (
    GOODPUT_OF_ALL,
    HEADLINES,
    SPEED_PER_USER,
    answered,
    given,
    groups,
)
from tcpatlas.ask.simulation import Simulated
from tcpatlas.base.errors import AtlasError
from tcpatlas.base.statistics import Interval
from tcpatlas.models import automatic, check, engine_of
from tcpatlas.points.errors import PointError
from tcpatlas.points.types import Point
from tcpatlas.runs.predict import answers_of
from tcpatlas.trust.error_map import CONFIDENCE, ErrorMap, Expected

OUTSIDE = "outside of the error map"
NOT_CONVERGED = "does not converge here"
TAKES_LONGER = "takes longer than the simulation; --precise asks it too"
# A model whose error certainly exceeds these is useless: less than half, or more than twice, the truth.
_USABLE = (-0.5, 1.0)
# An interval wider than this, in relative errors, is too wide to tell the error of a value inside it.
_TELLING = 0.2


@dataclass(frozen=True)
class Predicted:
    """Values by model and metric; why models were left out, and which failed, in what words."""

    values: Mapping[str, Mapping[str, float]]
    left_out: Mapping[str, str]
    failed: Mapping[str, str]


def predicted(point: Mapping[str, Any], *, quick: bool = False) -> Predicted:
    """Ask every model that applies to a point; those without any of the asked metrics are skipped.

    A `quick` answer leaves out the models that run an engine. A model that fails is named, whatever it
    raises: anybody's model may be among them.
    """
    values, left_out, failed = {}, {}, {}
    for name in automatic():
        try:
            if quick and engine_of(name):
                check(name, point)
                left_out[name] = TAKES_LONGER
                continue
            metrics = predicted_by(name, point)
        except PointError as error:
            left_out[name] = str(error).removeprefix(f"the {name} model ")
        except Exception as error:
            failed[name] = str(error) if isinstance(error, AtlasError) else f"{type(error).__name__}: {error}"
        else:
            if metrics:
                values[name] = metrics
            elif engine_of(name):
                left_out[name] = NOT_CONVERGED
    return Predicted(values, left_out, failed)


def predicted_by(model: str, point: Mapping[str, Any]) -> dict[str, float]:
    """Return the asked metrics that a model gives; raises PointError if it cannot answer the point."""
    check(model, point)
    return answered(point, answers_of(model, [point])[0])


@dataclass(frozen=True)
class Value:
    """A metric of a point by simulation and by models, and the errors that error maps expect of these."""

    metric: str
    simulated: Interval
    models: Mapping[str, float]
    expected: Mapping[str, Expected] = field(default_factory=dict)

    def error(self, model: str) -> float | None:
        """Return the relative error of a model's value to the mean; None as of `errors`."""
        return None if self.errors(model) is None else self.models[model] / self.simulated.mean - 1

    def errors(self, model: str) -> tuple[float, float] | None:
        """Return between which relative errors a model's value lies, by the ends of the interval.

        None where the model does not give the metric, or the interval reaches 0.
        """
        if model not in self.models or self.simulated.low <= 0:
            return None
        value = self.models[model]
        return value / self.simulated.high - 1, value / self.simulated.low - 1

    def unusable(self, model: str) -> bool:
        """Say whether a model is off by more than a factor of two for certain."""
        errors = self.errors(model)
        return errors is not None and (errors[1] < _USABLE[0] or errors[0] > _USABLE[1])

    def unclear(self, model: str) -> bool:
        """Say whether a model's value lies inside an interval that is too wide to tell its error."""
        errors = self.errors(model)
        return errors is not None and errors[0] <= 0 <= errors[1] and errors[1] - errors[0] > _TELLING


@dataclass(frozen=True)
class Answer:
    """The asked metrics of a point; `map_note` is how near the points of an error map are, or why none is."""

    point: Point
    values: tuple[Value, ...]
    models: Predicted
    simulated: Simulated
    map_note: str = ""

    def value(self, metric: str) -> Value | None:
        """Return the value of a metric."""
        return next((value for value in self.values if value.metric == metric), None)


def answer_of(simulated: Simulated, models: Predicted, maps: Sequence[ErrorMap] = ()) -> Answer:
    """Return the answer to a point as far as it has been simulated, with what the maps expect there."""
    point = simulated.point
    expected, note = expected_at(point.document, models.values, maps)
    values = []
    has = {*given(point.document)}
    names = [row.metric for row in HEADLINES if row.metric in has]
    for metric in (*names, *(row.metric for row in groups(point.document))):
        interval = simulated.interval(metric)
        if interval is None:
            continue
        by_model = {name: each[metric] for name, each in models.values.items() if metric in each}
        # Users share the goodput: the error is the same.
        mapped = "goodput" if metric in (SPEED_PER_USER, GOODPUT_OF_ALL) else metric
        near = {model: expected[model, mapped] for model in by_model if (model, mapped) in expected}
        values.append(Value(metric, interval, by_model, near))
    return Answer(point, tuple(values), models, simulated, note)


def expected_at(
    point: Mapping[str, Any], models: Iterable[str], maps: Sequence[ErrorMap]
) -> tuple[dict[tuple[str, str], Expected], str]:
    """Return what the first map that the point is inside of expects of models and metrics, and a note on it.

    Only maps of any of the models are looked at; without one there is nothing to note.
    """
    wanted = set(models)
    outside: list[list[str]] = []
    for error_map in maps:
        if wanted.isdisjoint(model for model, _ in error_map.columns):
            continue
        if not (ways := error_map.outside(point)):
            expected = error_map.expected([point])[0]
            factor = next(iter(expected.values())).factor
            near = f"neighbours in the error map differ by a factor of {factor:.2g} in each parameter"
            return expected, f"{near}; bands hold {CONFIDENCE:.0%} of errors".replace("%", " %")
        outside.append(ways)
    if not outside:
        return {}, ""
    return {}, f"{OUTSIDE}: {', '.join(sorted(outside, key=len)[0])}"
