"""What runs and predictions say of each point: the rows of observations.csv and distributions.csv."""

from __future__ import annotations

import importlib
import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from tcpatlas.base import schema
from tcpatlas.base.errors import ConfigError
from tcpatlas.base.files import read_json
from tcpatlas.base.statistics import ratio_interval
from tcpatlas.claims.derived import ratio
from tcpatlas.points.types import Point, ScenarioSet
from tcpatlas.project import Project

OBSERVATION_COLUMNS = (
    "set",
    "point",
    "parameters",
    "engine",
    "metric",
    "unit",
    "value",
    "ci_low",
    "ci_high",
    "replications",
)
DISTRIBUTION_COLUMNS = (
    "set",
    "point",
    "parameters",
    "engine",
    "distribution",
    "unit",
    "x",
    "probability",
    "ci_low",
    "ci_high",
)

TRACE_COLUMNS = ("set", "point", "parameters", "engine", "trace", "unit", "time_s", "value")

_WAY = re.compile(r"_\d+$")
_OF_DISTRIBUTION = re.compile(r"([^\[]+)\[(>?)(\d+)\]")
_EACH = re.compile(r"([^\[]+)\[(>?)(\d+)(?:-\d+)?\]")
_SIZE = "_size"
_BOUND = "_error_bound"


@dataclass(frozen=True)
class Answer:
    """What one engine or model (`model:<name>`) says of one point, or a model against an engine.

    `metrics` maps a name to `unit`, `value` and, from engines, `ci_low` and `ci_high`; `distributions` a name
    to `unit`, `probability` and, from engines, `ci_low` and `ci_high`. `replications` is None for a model.
    The error of a model against an engine (`model:<name>/<engine>`, metrics `<metric>_error`) is a
    simulation's: it has its replications and intervals; `of` are the answers of the model and the engine.
    `traces` maps a name to `unit`, `time_s` and `value`; `seeds` are those of an engine's replications.
    """

    set: ScenarioSet
    point: Point
    engine: str
    metrics: Mapping[str, Mapping[str, Any]]
    distributions: Mapping[str, Mapping[str, Any]]
    replications: int | None
    traces: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    of: tuple[Answer, Answer] | None = None
    seeds: tuple[int, ...] = ()

    def replications_of(self, metric: Mapping[str, Any]) -> int | None:
        """Return how many replications give one of the metrics: fewer than all where it is rare."""
        return len(metric["values"]) if "values" in metric else self.replications

    def find(self, name: str) -> Mapping[str, Any] | None:
        """Return a metric, or what follows from one or from a distribution; None if there is nothing.

        `drop_position[2]` is the probability of a value and `queue_by_time[>100]` that of all larger ones;
        `queue_by_time_error[>100]` is the model's over the engine's minus one, `goodput_per_connection_error_size`
        the magnitude of an error, `goodput_per_connection_error_bound` how far from 0 its interval reaches. Only the
        first has an interval.
        """
        if name in self.metrics:
            return self.metrics[name]
        if name.endswith(f"_error{_SIZE}"):
            error = self.find(name.removesuffix(_SIZE))
            return error and {"unit": error["unit"], "value": abs(error["value"])}
        if name.endswith(_BOUND):
            error = self.find(f"{name.removesuffix(_BOUND)}_error")
            if error is None or "ci_low" not in error:
                return None
            return {"unit": error["unit"], "value": max(abs(error["ci_low"]), abs(error["ci_high"]))}
        match = _OF_DISTRIBUTION.fullmatch(name)
        if match is None:
            return None
        if self.of is not None and match[1].endswith("_error"):
            same = f"{match[1].removesuffix('_error')}[{match[2]}{match[3]}]"
            return ratio(*(answer.find(same) for answer in self.of))
        distribution = self.distributions.get(match[1])
        return (
            None if distribution is None else _of_distribution(distribution, match[2] == ">", int(match[3]))
        )

    def each(self, name: str) -> list[str]:
        """Return the names of the metrics for which `name[*]` stands, by what they are of."""
        base = name.removesuffix("[*]")
        matches = (_EACH.fullmatch(metric) for metric in self.metrics)
        found = [match for match in matches if match and match[1] == base]
        return [match[0] for match in sorted(found, key=lambda match: int(match[3]) + (match[2] == ">"))]

    @property
    def kind(self) -> Literal["simulation", "model"]:
        """Whether a model or an engine answers."""
        return "simulation" if self.replications is not None else "model"

    @property
    def between_engines(self) -> bool:
        """Whether this says how far two engines are apart, which no paper does."""
        return "/" in self.engine and self.of is None


def _of_distribution(distribution: Mapping[str, Any], above: bool, x: int) -> dict[str, Any]:
    """Return the probability of x, with its interval where there is one, or of all values above x."""
    probability = distribution["probability"]
    if above:
        return {"unit": "1", "value": math.fsum(probability[x + 1 :])}
    if x >= len(probability):
        return {"unit": "1", "value": 0.0}
    ends = {end: distribution[end][x] for end in ("ci_low", "ci_high") if end in distribution}
    return {"unit": "1", "value": probability[x], **ends}


def read_answers(project: Project, results: Path) -> list[Answer]:
    """Return every answer, point by point, engines first; ConfigError if a file is missing or wrong."""
    confidence = project.config["confidence"]
    return [
        answer for scenario_set in project.sets for answer in _set_answers(scenario_set, results, confidence)
    ]


def _set_answers(scenario_set: ScenarioSet, results: Path, confidence: float) -> Iterator[Answer]:
    predictions = {
        model: _read(
            scenario_set.prediction_path(results, model), "predictions", scenario_set.study, scenario_set.name
        )
        for model in scenario_set.models
    }
    runs = {
        engine: [_run(scenario_set, point, engine, results) for point in scenario_set.points]
        for engine in scenario_set.engines
    }
    inferred = {
        (model, engine): _inferred(model, answers)
        for model in scenario_set.models
        for engine, answers in runs.items()
    }
    for index, point in enumerate(scenario_set.points):
        simulated = [answers[index] for answers in runs.values()]
        yield from simulated
        yield from (_difference(one, simulated[0], confidence) for one in simulated[1:])
        for model, prediction in predictions.items():
            if point.name not in prediction["points"]:
                path = scenario_set.prediction_path(results, model)
                raise ConfigError(path, f"points.{point.name}", "is missing", "predict again")
            said = prediction["points"][point.name]
            predicted = Answer(
                scenario_set,
                point,
                f"model:{model}",
                said["metrics"],
                said["distributions"],
                None,
                said.get("traces", {}),
            )
            yield predicted
            for answer in simulated:
                error = _error(predicted, answer)
                yield replace(error, metrics={**error.metrics, **inferred[model, answer.engine][index]})


def _run(scenario_set: ScenarioSet, point: Point, engine: str, results: Path) -> Answer:
    run = _read(point.run_path(results, engine), "replications", point.study, point.set, point.name)
    return Answer(
        scenario_set,
        point,
        engine,
        run["metrics"],
        run["distributions"],
        len(run["seeds"]),
        run.get("traces", {}),
        seeds=tuple(run["seeds"]),
    )


def _inferred(model: str, answers: list[Answer]) -> list[Mapping[str, Mapping[str, Any]]]:
    """Return what a model concludes from what an engine measured, point by point; most models say nothing."""
    module = importlib.import_module(f"tcpatlas.models.{model}")
    if not hasattr(module, "infer"):
        return [{}] * len(answers)
    measured = [{name: metric["value"] for name, metric in answer.metrics.items()} for answer in answers]
    said: list[Mapping[str, Mapping[str, Any]]] = module.infer(
        [answer.point.document for answer in answers], measured
    )
    return said


def _read(path: Path, schema_name: str, study: str, set_name: str, point: str | None = None) -> Any:
    data = read_json(path)
    schema.validate(data, schema.load(schema_name), path)
    for key, value in {"study": study, "set": set_name, "point": point}.items():
        if value is not None and data[key] != value:
            raise ConfigError(path, key, f"{data[key]!r} is not what belongs here", value)
    return data


def observation_rows(answers: list[Answer]) -> list[dict[str, Any]]:
    """Return a row for each metric of each answer, and for the extremes that its set asks for."""
    return [
        _row(answer, row_name, row_metric)
        for answer in answers
        for name, metric in answer.metrics.items()
        for row_name, row_metric in {name: metric, **_extremes(answer, name, metric)}.items()
    ]


def _extremes(answer: Answer, name: str, metric: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return a metric's lowest and highest replication, if the set shows them; a model has none."""
    if name not in answer.set.extremes or "values" not in metric:
        return {}
    ends = {"lowest": min, "highest": max}
    return {
        f"{name}_{end}": {"unit": metric["unit"], "value": of(metric["values"])} for end, of in ends.items()
    }


def _error(model: Answer, engine: Answer) -> Answer:
    """Return model over simulation minus one for each common metric, with the interval of the simulation.

    What a model finds in several ways (`goodput_per_connection_1`, `goodput_per_connection_2`) is beside the one metric of
    the engine (`goodput_per_connection`).
    """
    metrics: dict[str, Mapping[str, Any]] = {}
    for name, predicted in model.metrics.items():
        simulated = engine.metrics.get(name) or engine.metrics.get(_WAY.sub("", name))
        if simulated is None or simulated["value"] == 0:
            continue
        if predicted["unit"] != simulated["unit"]:
            problem = f"{name} is in {predicted['unit']} for one, in {simulated['unit']} for the other"
            raise ConfigError(model.set.full_name, model.point.name, problem, "one unit for one metric")
        error: dict[str, Any] = {"unit": "1", "value": predicted["value"] / simulated["value"] - 1}
        if simulated.get("ci_low", 0) > 0:
            ends = sorted(predicted["value"] / simulated[end] - 1 for end in ("ci_low", "ci_high"))
            error |= {"ci_low": ends[0], "ci_high": ends[1]}
        metrics[_error_name(name)] = error
    name = f"{model.engine}/{engine.engine}"
    return Answer(model.set, model.point, name, metrics, {}, engine.replications, of=(model, engine))


def _difference(one: Answer, other: Answer, confidence: float) -> Answer:
    """Return how far an engine is from another: one over the other minus one for each common metric.

    Replications of the same seeds are pairs: engines make the same draws from a seed. Else the interval is
    that of two independent means, to first order. A metric that is 0 for either, or has no interval, is left
    out of these, but not of `largest_difference`, over all metrics.
    """
    metrics: dict[str, Mapping[str, Any]] = {
        "largest_difference": {"unit": "1", "value": _largest_difference(one.metrics, other.metrics)}
    }
    for name, metric in one.metrics.items():
        beside = other.metrics.get(name, {"value": 0})
        error = ratio(metric, beside)
        if error is None or "ci_low" not in error:
            continue
        values, others = (each.get("values", ()) for each in (metric, beside))
        if one.seeds == other.seeds and len(values) == len(others) == len(one.seeds) > 1:
            half_width = ratio_interval(values, others, confidence).half_width
            error |= {"ci_low": error["value"] - half_width, "ci_high": error["value"] + half_width}
        metrics[_error_name(name)] = error
    replications = min(each.replications or 0 for each in (one, other))
    return Answer(one.set, one.point, f"{one.engine}/{other.engine}", metrics, {}, replications)


def _error_name(name: str) -> str:
    """Return `goodput_per_connection_error[3-6]` for `goodput_per_connection[3-6]`."""
    base, bracket, of = name.partition("[")
    return f"{base}_error{bracket}{of}"


def _largest_difference(
    one: Mapping[str, Mapping[str, Any]], other: Mapping[str, Mapping[str, Any]]
) -> float:
    """Return the largest difference in any metric, over the larger value; 1 if only one gives it."""
    differences = [0.0]
    for name in {**one, **other}:
        values = [each[name]["value"] for each in (one, other) if name in each]
        largest = max(map(abs, values))
        if len(values) < 2:
            differences.append(1.0)
        elif largest > 0:
            differences.append(abs(values[0] - values[1]) / largest)
    return max(differences)


def _row(answer: Answer, name: str, metric: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "set": answer.set.full_name,
        "point": answer.point.name,
        "parameters": _parameters(answer.point),
        "engine": answer.engine,
        "metric": name,
        "unit": metric["unit"],
        "value": metric["value"],
        "ci_low": metric.get("ci_low"),
        "ci_high": metric.get("ci_high"),
        "replications": answer.replications_of(metric),
    }


def distribution_rows(answers: list[Answer]) -> Iterator[dict[str, Any]]:
    """Yield a row for each value x of each distribution of each answer."""
    for answer in answers:
        common = {
            "set": answer.set.full_name,
            "point": answer.point.name,
            "parameters": _parameters(answer.point),
        }
        shown = answer.set.distributions
        for name, distribution in answer.distributions.items():
            if shown is not None and name not in shown:
                continue
            for x, probability in enumerate(distribution["probability"]):
                yield common | {
                    "engine": answer.engine,
                    "distribution": name,
                    "unit": distribution["unit"],
                    "x": x,
                    "probability": probability,
                    "ci_low": distribution["ci_low"][x] if "ci_low" in distribution else None,
                    "ci_high": distribution["ci_high"][x] if "ci_high" in distribution else None,
                }


def trace_rows(answers: list[Answer]) -> Iterator[dict[str, Any]]:
    """Yield a row for each moment of each trace; an engine's is that of its first replication."""
    for answer in answers:
        for name, trace in answer.traces.items():
            for time, value in zip(trace["time_s"], trace["value"], strict=True):
                yield {
                    "set": answer.set.full_name,
                    "point": answer.point.name,
                    "parameters": _parameters(answer.point),
                    "engine": answer.engine,
                    "trace": name,
                    "unit": trace["unit"],
                    "time_s": time,
                    "value": value,
                }


def _parameters(point: Point) -> str:
    return json.dumps(point.parameters, separators=(",", ":"), ensure_ascii=False)
