"""What runs and predictions say of each point: the rows of observations.csv and distributions.csv."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tcpatlas import schema
from tcpatlas.errors import ConfigError
from tcpatlas.files import read_json
from tcpatlas.project import Point, Project, ScenarioSet

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


@dataclass(frozen=True)
class Answer:
    """What one engine or model (`model:<name>`) says of one point.

    `metrics` maps a name to `unit`, `value` and, from engines, `ci_low` and `ci_high`; `distributions` a name
    to `unit`, `probability` and, from engines, `ci_low` and `ci_high`. `replications` is None for a model.
    """

    set: ScenarioSet
    point: Point
    engine: str
    metrics: Mapping[str, Mapping[str, Any]]
    distributions: Mapping[str, Mapping[str, Any]]
    replications: int | None

    @property
    def kind(self) -> Literal["simulation", "model"]:
        """Whether a model or an engine answers."""
        return "simulation" if self.replications is not None else "model"


def read_answers(project: Project, results: Path) -> list[Answer]:
    """Return every answer, point by point, engines first; ConfigError if a file is missing or wrong."""
    return [answer for scenario_set in project.sets for answer in _set_answers(scenario_set, results)]


def _set_answers(scenario_set: ScenarioSet, results: Path) -> Iterator[Answer]:
    predictions = {
        model: _read(
            scenario_set.prediction_path(results, model), "predictions", scenario_set.study, scenario_set.name
        )
        for model in scenario_set.models
    }
    for point in scenario_set.points:
        for engine in scenario_set.engines:
            path = point.run_path(results, engine)
            run = _read(path, "replications", point.study, point.set, point.name)
            yield Answer(scenario_set, point, engine, run["metrics"], run["distributions"], len(run["seeds"]))
        for model, prediction in predictions.items():
            if point.name not in prediction["points"]:
                path = scenario_set.prediction_path(results, model)
                raise ConfigError(path, f"points.{point.name}", "is missing", "predict again")
            said = prediction["points"][point.name]
            yield Answer(scenario_set, point, f"model:{model}", said["metrics"], said["distributions"], None)


def _read(path: Path, schema_name: str, study: str, set_name: str, point: str | None = None) -> Any:
    data = read_json(path)
    schema.validate(data, schema.load(schema_name), path)
    for key, value in {"study": study, "set": set_name, "point": point}.items():
        if value is not None and data[key] != value:
            raise ConfigError(path, key, f"{data[key]!r} is not what belongs here", value)
    return data


def observation_rows(answers: list[Answer]) -> list[dict[str, Any]]:
    """Return a row for each metric of each answer, and for each error of a model against an engine."""
    rows = []
    for answer in answers:
        rows += [_row(answer, answer.engine, name, metric) for name, metric in answer.metrics.items()]
        if answer.kind == "model":
            rows += [
                row for other in answers if _same_point(other, answer) for row in _error_rows(answer, other)
            ]
    return rows


def _same_point(engine: Answer, model: Answer) -> bool:
    return engine.kind == "simulation" and engine.point is model.point


def _error_rows(model: Answer, engine: Answer) -> Iterator[dict[str, Any]]:
    """Yield model over simulation minus one for each common metric, with the interval of the simulation."""
    for name, predicted in model.metrics.items():
        simulated = engine.metrics.get(name)
        if simulated is None or simulated["value"] == 0:
            continue
        if predicted["unit"] != simulated["unit"]:
            problem = f"{name} is in {predicted['unit']} for one, in {simulated['unit']} for the other"
            raise ConfigError(model.set.full_name, model.point.name, problem, "one unit for one metric")
        error: dict[str, Any] = {"unit": "1", "value": predicted["value"] / simulated["value"] - 1}
        if simulated["ci_low"] > 0:
            ends = sorted(predicted["value"] / simulated[end] - 1 for end in ("ci_low", "ci_high"))
            error |= {"ci_low": ends[0], "ci_high": ends[1]}
        yield _row(model, f"{model.engine}/{engine.engine}", f"{name}_error", error)


def _row(answer: Answer, engine: str, name: str, metric: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "set": answer.set.full_name,
        "point": answer.point.name,
        "parameters": _parameters(answer.point),
        "engine": engine,
        "metric": name,
        "unit": metric["unit"],
        "value": metric["value"],
        "ci_low": metric.get("ci_low"),
        "ci_high": metric.get("ci_high"),
        "replications": answer.replications,
    }


def distribution_rows(answers: list[Answer]) -> Iterator[dict[str, Any]]:
    """Yield a row for each value x of each distribution of each answer."""
    for answer in answers:
        common = {
            "set": answer.set.full_name,
            "point": answer.point.name,
            "parameters": _parameters(answer.point),
        }
        for name, distribution in answer.distributions.items():
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


def _parameters(point: Point) -> str:
    return json.dumps(point.parameters, separators=(",", ":"), ensure_ascii=False)
