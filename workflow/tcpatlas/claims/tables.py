"""The tables of results: their columns, and the rows that follow from answers alone."""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from tcpatlas.answers.answer import Answer
from tcpatlas.answers.derived import interval
from tcpatlas.answers.source import SOURCE_COLUMNS, Relation
from tcpatlas.base.validation import Quantity
from tcpatlas.claims.selection import parameter_types
from tcpatlas.points.types import Point, Study

Row = dict[str, Any]

_METRIC = ("set", "point", "engine", "metric", "unit", "value")
_INTERVAL = ("ci_low", "ci_high")
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "points": ("set", "point", "parameter", "value", "unit"),
    "observations": (*_METRIC, *_INTERVAL, "replications", "interval", *SOURCE_COLUMNS),
    "predictions": (*_METRIC, *SOURCE_COLUMNS),
    "errors": (*_METRIC, *_INTERVAL, "replications", "interval", *SOURCE_COLUMNS),
    "distributions": (
        *("set", "point", "engine", "distribution", "unit", "x", "probability"),
        *_INTERVAL,
        *SOURCE_COLUMNS,
    ),
    "traces": ("set", "point", "engine", "trace", "unit", "time_s", "value", *SOURCE_COLUMNS),
}
# Whose answers are in a table of metrics.
RELATIONS: Mapping[str, tuple[Relation, ...]] = {
    "observations": ("simulation",),
    "predictions": ("model",),
    "errors": ("error", "inference", "fed", "band"),
}
# Further digits of a model are rounding errors, which differ from machine to machine.
MODEL_DIGITS = 12


def point_rows(study: Study) -> Iterator[Row]:
    """Yield a row for each parameter of each point, in SI units; one row for a point without any."""
    for scenario_set in study.sets:
        for point in scenario_set.points:
            identity = {"set": scenario_set.full_name, "point": point.name}
            for path, value in (parameters := {**point.parameters, **point.differences}).items():
                yield identity | {"parameter": path, "value": value, "unit": si_unit(path)}
            if not parameters:
                yield identity


def si_unit(path: str) -> str | None:
    """Return the SI unit of a parameter of the scenario; None for a word or a count."""
    try:
        types = parameter_types(path)
    except LookupError:
        return None
    return next((kind.unit for kind in types if isinstance(kind, Quantity)), None)


def metric_rows(table: str, answers: Iterable[Answer]) -> Iterator[Row]:
    """Yield a row of a table for each metric of each answer that belongs there."""
    for answer in answers:
        relation = answer.source.relation
        for name, metric in _with_extremes(answer) if relation in RELATIONS[table] else ():
            cells = {**_own(answer), "metric": name, "unit": metric["unit"]}
            if relation == "model":
                yield cells | {"value": float(f"{metric['value']:.{MODEL_DIGITS}g}")}
            else:
                replications = {"replications": answer.replications_of(metric)}
                yield cells | {"value": metric["value"]} | interval(metric) | replications


def _with_extremes(answer: Answer) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the metrics of an answer; of an engine's, also the extremes that its set lists."""
    for name, metric in answer.metrics.items():
        yield name, metric
        if answer.source.relation == "simulation" and name in answer.set.extremes and "values" in metric:
            for end, of in {"lowest": min, "highest": max}.items():
                yield f"{name}_{end}", {"unit": metric["unit"], "value": of(metric["values"])}


def _own(answer: Answer) -> dict[str, Any]:
    point: Point = answer.point
    return {"set": answer.set.full_name, "point": point.name, **answer.source.cells}


def distribution_rows(answers: Iterable[Answer]) -> Iterator[Row]:
    """Yield a row for each value x of each distribution that the sets show."""
    for answer in answers:
        shown = answer.set.distributions
        for name, distribution in answer.distributions.items():
            if shown is not None and name not in shown:
                continue
            common = _own(answer) | {"distribution": name, "unit": distribution["unit"]}
            ends = [end for end in _INTERVAL if end in distribution]
            for x, probability in enumerate(distribution["probability"]):
                yield common | {
                    "x": x,
                    "probability": probability,
                    **{end: distribution[end][x] for end in ends},
                }


def trace_rows(answers: Iterable[Answer]) -> Iterator[Row]:
    """Yield a row for each moment of each trace; an engine's is that of its first replication."""
    for answer in answers:
        for name, trace in answer.traces.items():
            common = _own(answer) | {"trace": name, "unit": trace["unit"]}
            for time_s, value in zip(trace["time_s"], trace["value"], strict=True):
                yield common | {"time_s": time_s, "value": value}


def yes_or_no(truth: bool) -> str:
    """Return a cell of a table of results."""
    return "true" if truth else "false"


def float_or_none(number: Decimal | None) -> float | None:
    """Return a number as tables have it; None stays."""
    return None if number is None else float(number)
