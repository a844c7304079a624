"""Answers: what simulation says of a point, and every model that applies beside it."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tcpatlas.ask.metrics import answered, asked
from tcpatlas.ask.question import Question
from tcpatlas.ask.simulation import Simulated
from tcpatlas.base.statistics import Interval
from tcpatlas.models import check, known_models, predicts
from tcpatlas.points.errors import PointError


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
            check(name, point)
            answer = importlib.import_module(f"tcpatlas.models.{name}").predict([point])[0]
        except (PointError, ValueError) as error:
            left_out[name] = str(error).removeprefix(f"the {name} model ")
            continue
        if given := answered(point, answer):
            values[name] = given
    return Predicted(values, left_out)


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


@dataclass
class Asking:
    """A question's points while they are simulated."""

    question: Question
    program: Path
    folder: Path
    points: list[tuple[str, Simulated]] = field(init=False)

    def __post_init__(self) -> None:
        self.points = [
            (one.name, Simulated(point.document, self.program, self.folder))
            for one in self.question.sets
            for point in one.points
        ]

    @property
    def simulated(self) -> Sequence[Simulated]:
        """The points of all sets."""
        return [point for _, point in self.points]

    def answers(self) -> Iterable[Answer]:
        """Yield the answer to each point."""
        for name, simulated in self.points:
            yield answer_of(name, simulated)


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
