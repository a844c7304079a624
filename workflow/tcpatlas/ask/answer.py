"""Answers: what simulation says of a point, and every model that applies beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tcpatlas.ask.metrics import answered, asked
from tcpatlas.ask.simulation import Simulated
from tcpatlas.base.statistics import Interval
from tcpatlas.models import automatic, check, engine_of, load
from tcpatlas.trust.error_map import CONFIDENCE, ErrorMap, Expected

OUTSIDE = "outside of the error map"
NOT_CONVERGED = "does not converge here"


@dataclass(frozen=True)
class Predicted:
    """A model's values of the asked metrics, by model and metric, and why the other models were left out."""

    values: Mapping[str, Mapping[str, float]]
    left_out: Mapping[str, str]


def predicted(point: Mapping[str, Any], *, quick: bool = False) -> Predicted:
    """Ask every model that applies to a point; one that gives none of the asked metrics is left aside.

    A `quick` answer leaves out the models that run an engine.
    """
    values, left_out = {}, {}
    for name in automatic():
        try:
            if quick and engine_of(name):
                check(name, point)
                left_out[name] = "takes longer than the simulation; --precise asks it too"
                continue
            said = predicted_by(name, point)
        except ValueError as error:
            left_out[name] = str(error).removeprefix(f"the {name} model ")
            continue
        if said:
            values[name] = said
        elif engine_of(name):
            left_out[name] = NOT_CONVERGED
    return Predicted(values, left_out)


def predicted_by(model: str, point: Mapping[str, Any]) -> dict[str, float]:
    """Return the asked metrics that a model gives; raises ValueError if it cannot answer the point."""
    check(model, point)
    return answered(point, load(model).predict([point])[0])


@dataclass(frozen=True)
class Value:
    """A metric of a point by simulation, what models say of it, and how far off error maps expect them."""

    metric: str
    simulated: Interval
    models: Mapping[str, float]
    expected: Mapping[str, Expected] = field(default_factory=dict)

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
    """All asked metrics of a point; `map_note` is how near the points of an error map are, or why none is."""

    set: str
    point: str
    parameters: Mapping[str, str | int | float]
    values: tuple[Value, ...]
    left_out: Mapping[str, str]
    replications: int
    map_note: str = ""

    @property
    def models(self) -> tuple[str, ...]:
        """The models that give any of the metrics."""
        return tuple(dict.fromkeys(model for value in self.values for model in value.models))


def answer_of(
    set_name: str, simulated: Simulated, maps: Sequence[ErrorMap] = (), *, quick: bool = False
) -> Answer:
    """Return the answer to a point as far as it has been simulated, with what the maps expect there."""
    point = simulated.point
    models = predicted(point, quick=quick)
    expected, note = expected_at(point, models.values, maps)
    values = []
    for metric in asked(point):
        interval = simulated.interval(metric)
        if interval is not None:
            given = {model: said[metric] for model, said in models.values.items() if metric in said}
            near = {model: expected[model, metric] for model in given if (model, metric) in expected}
            values.append(Value(metric, interval, given, near))
    parameters = point["parameters"]
    return Answer(
        set_name, point["point"], parameters, tuple(values), models.left_out, simulated.replications, note
    )


def expected_at(
    point: Mapping[str, Any], models: Iterable[str], maps: Sequence[ErrorMap]
) -> tuple[dict[tuple[str, str], Expected], str]:
    """Return what the first map that the point is inside of expects of models and metrics, and a note on it.

    Only maps of any of the models are looked at; without one there is nothing to note.
    """
    of_models = [one for one in maps if not {model for model, _ in one.columns}.isdisjoint(models)]
    outside: list[list[str]] = []
    for one in of_models:
        if not (ways := one.outside(point)):
            found = one.expected([point])[0]
            factor = next(iter(found.values())).factor
            near = f"neighbours in the error map differ by a factor of {factor:.2g} in each parameter"
            return found, f"{near}; bands hold {CONFIDENCE:.0%} of errors"
        outside.append(ways)
    if not outside:
        return {}, ""
    return {}, f"{OUTSIDE}: {', '.join(sorted(outside, key=len)[0])}"
