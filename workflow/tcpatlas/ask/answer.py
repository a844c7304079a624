"""Answers: what simulation says of a point, and every model that applies beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tcpatlas.ask.metrics import answered, asked
from tcpatlas.ask.simulation import Simulated
from tcpatlas.base.statistics import Interval
from tcpatlas.models import check, known_models, load, predicts


@dataclass(frozen=True)
class Predicted:
    """A model's values of the asked metrics, by model and metric, and why the other models were left out."""

    values: Mapping[str, Mapping[str, float]]
    left_out: Mapping[str, str]


def predicted(point: Mapping[str, Any]) -> Predicted:
    """Ask every model that applies to a point; one that gives none of the asked metrics is left aside."""
    values, left_out = {}, {}
    for name in known_models():
        if not predicts(name):
            continue
        try:
            said = predicted_by(name, point)
        except ValueError as error:
            left_out[name] = str(error).removeprefix(f"the {name} model ")
            continue
        if said:
            values[name] = said
    return Predicted(values, left_out)


def predicted_by(model: str, point: Mapping[str, Any]) -> dict[str, float]:
    """Return the asked metrics that a model gives; raises ValueError if it cannot answer the point."""
    check(model, point)
    return answered(point, load(model).predict([point])[0])


@dataclass(frozen=True)
class Value:
    """A metric of a point by simulation, and what each model says of it."""

    metric: str
    simulated: Interval
    models: Mapping[str, float]

    def error(self, model: str) -> tuple[float, float] | None:
        """Return between which relative errors a model's value lies, by the ends of the interval.

        None where the model does not give the metric, or the interval reaches 0.
        """
        if model not in self.models or self.simulated.low <= 0:
            return None
        value = self.models[model]
        return value / self.simulated.high - 1, value / self.simulated.low - 1


@dataclass(frozen=True)
class Answer:
    """All asked metrics of a point."""

    set: str
    point: str
    parameters: Mapping[str, str | int | float]
    values: tuple[Value, ...]
    left_out: Mapping[str, str]
    replications: int

    @property
    def models(self) -> tuple[str, ...]:
        """The models that give any of the metrics."""
        return tuple(dict.fromkeys(model for value in self.values for model in value.models))


def answer_of(set_name: str, simulated: Simulated) -> Answer:
    """Return the answer to a point as far as it has been simulated."""
    point = simulated.point
    models = predicted(point)
    values = []
    for metric in asked(point):
        interval = simulated.interval(metric)
        if interval is not None:
            given = {model: said[metric] for model, said in models.values.items() if metric in said}
            values.append(Value(metric, interval, given))
    parameters = point["parameters"]
    return Answer(
        set_name, point["point"], parameters, tuple(values), models.left_out, simulated.replications
    )
