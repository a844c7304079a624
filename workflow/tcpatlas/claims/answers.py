"""What runs and predictions say of each point of a study."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tcpatlas.base.errors import ConfigError
from tcpatlas.base.statistics import band_of, t_interval
from tcpatlas.claims.derived import (
    Metric,
    difference,
    largest_difference,
    magnitude,
    model_error,
    of_distribution,
    ratio,
)
from tcpatlas.claims.metrics import check, estimate_of
from tcpatlas.claims.quantity import Quantity
from tcpatlas.claims.source import Source
from tcpatlas.points.engines import known
from tcpatlas.points.types import Point, ScenarioSet, Study
from tcpatlas.runs.documents import Predictions
from tcpatlas.runs.jobs import jobs
from tcpatlas.runs.store import Runs, predictions_file, read_predictions, read_runs, run_of

_OF_DISTRIBUTION = re.compile(r"\[(>?)(\d+)\]")

LARGEST = "largest_difference"


@dataclass(frozen=True)
class Answer:
    """What one engine or model says of one point, or how two of them differ there.

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
        """Return the metric that a quantity names; None if there is nothing of the kind.

        A value or tail of a distribution counts as a metric; tails and errors of distributions have no
        interval but for those of one value. A metric that each replication gives comes with their seeds.
        """
        found = self.metrics.get(quantity.name) or self._of_distribution(quantity)
        if found is None:
            return None
        # The runs of a band are of different points: they are no pairs of those of another point.
        if self.seeds and "band" not in found and len(found.get("values", ())) == len(self.seeds):
            found = {**found, "seeds": self.seeds, "confidence": self.confidence}
        return magnitude(found) if quantity.statistic == "error_size" else found

    def _of_distribution(self, quantity: Quantity) -> Metric | None:
        match = _OF_DISTRIBUTION.fullmatch(quantity.of)
        if match is None:
            return None
        if self.of is not None:
            return ratio(*(answer.find(Quantity(quantity.metric, quantity.of)) for answer in self.of))
        distribution = self.distributions.get(quantity.metric)
        return distribution and of_distribution(distribution, int(match[2]), above=bool(match[1]))


def read_answers(study: Study, results: Path, confidence: float) -> list[Answer]:
    """Return every answer, point by point, engines first; ConfigError if a file is missing or wrong."""
    runs = read_runs(job.file(results) for job in jobs(study))
    models = dict.fromkeys(model for one in study.sets for model in one.models)
    predicted = {model: read_predictions(predictions_file(results, study.name, model)) for model in models}
    return [answer for one in study.sets for answer in _set_answers(one, runs, predicted, confidence)]


def _set_answers(
    scenario_set: ScenarioSet,
    made: Runs,
    predicted: Mapping[str, Mapping[str, Predictions]],
    confidence: float,
) -> Iterator[Answer]:
    runs = {
        engine: {
            point.name: _run(scenario_set, point, engine, made, confidence)
            for point in scenario_set.points
            # The machine may have kept an engine in real time from a run.
            if (point.set, point.name, engine) in made or not known()[engine].real_time
        }
        for engine in scenario_set.engines
    }
    predictions = {
        model: _predictions(scenario_set, model, predicted[model]) for model in scenario_set.models
    }
    for index, point in enumerate(scenario_set.points):
        simulated = [answers[point.name] for answers in runs.values() if point.name in answers]
        yield from simulated
        for other in simulated[1:]:
            yield _difference(other, simulated[0])
        for model, answers in predictions.items():
            yield answers[index]
            for answer in simulated:
                yield _error(answers[index], answer)
                yield from _by_measurement(answers[index], answer, predicted[model])


def _run(scenario_set: ScenarioSet, point: Point, engine: str, runs: Runs, confidence: float) -> Answer:
    run = run_of(runs, point.set, point.name, engine)
    _check(f"runs by {engine}", f"{point.set}.{point.name}", run)
    kind: Metric = {key: True for key in ("exact", "band") if key in run}
    return Answer(
        Source("simulation", engine),
        scenario_set,
        point,
        {name: {**metric, **kind} for name, metric in run["metrics"].items()},
        len(run["seeds"]),
        {name: {**distribution, **kind} for name, distribution in run["distributions"].items()},
        run.get("traces", {}),
        seeds=tuple(run["seeds"]),
        confidence=confidence,
    )


def _predictions(scenario_set: ScenarioSet, model: str, said_of: Mapping[str, Predictions]) -> list[Answer]:
    predicted = said_of[scenario_set.name]["points"] if scenario_set.name in said_of else {}
    answers = []
    for point in scenario_set.points:
        if point.name not in predicted:
            where = f"points.{scenario_set.name}.{point.name}"
            raise ConfigError(f"model {model}", where, "is missing", "predict again")
        said = predicted[point.name]
        _check(f"model {model}", f"points.{scenario_set.name}.{point.name}", said)
        answers.append(
            Answer(
                Source("model", model=model),
                scenario_set,
                point,
                said["metrics"],
                distributions=said["distributions"],
                traces=said.get("traces", {}),
            )
        )
    return answers


def _by_measurement(model: Answer, engine: Answer, said_of: Mapping[str, Predictions]) -> Iterator[Answer]:
    """Yield what a model says of a point by what an engine measured there: of the mean, and run by run.

    Intervals of the latter are over the runs that give a metric.
    """
    name, by = model.source.model, engine.source.engine
    measured = said_of[model.set.name].get("measured", {}).get(by, {}).get(model.point.name)
    if measured is None:
        return
    where = f"measured.{by}.{model.set.name}.{model.point.name}"
    check(f"model {name}", where, {**measured["fed"], **measured["inferred"]}, "metric")
    if measured["inferred"]:
        source = Source("inference", model=name, fed_by=by)
        yield _beside(source, model, engine, measured["inferred"])
    if measured["fed"]:
        kinds = {key: True for key in ("exact", "band") if any(key in one for one in engine.metrics.values())}
        metrics = {
            metric: {**_over_runs(of["unit"], of["values"], engine.confidence, band="band" in kinds), **kinds}
            for metric, of in measured["fed"].items()
        }
        yield _beside(Source("fed", model=name, fed_by=by), model, engine, metrics)


def _over_runs(unit: str, values: list[float], confidence: float, *, band: bool) -> Metric:
    if len(values) == 1:
        return {"unit": unit, "value": values[0], "values": values}
    interval = band_of(values) if band else t_interval(values, confidence)
    ends = {"ci_low": interval.low, "ci_high": interval.high}
    return {"unit": unit, "value": interval.mean, **ends, "values": values}


def _check(who: str, where: str, data: Mapping[str, Any]) -> None:
    for kind in ("metric", "distribution", "trace"):
        check(who, f"{where}.{kind}s", data.get(f"{kind}s", {}), kind)


def _beside(source: Source, one: Answer, other: Answer, metrics: Mapping[str, Metric]) -> Answer:
    replications = min(each.replications for each in (one, other) if each.replications is not None)
    return Answer(
        source,
        one.set,
        one.point,
        metrics,
        replications,
        of=(one, other),
        seeds=other.seeds if source.relation == "error" else (),
        confidence=other.confidence,
    )


def _error(model: Answer, engine: Answer) -> Answer:
    """Return model over simulation minus one for each common metric.

    Several estimates of a model (`goodput_per_connection_1`, `goodput_per_connection_2`) are compared with
    the one metric of the engine (`goodput_per_connection`).
    """
    metrics = {}
    for name, predicted in model.metrics.items():
        simulated = engine.metrics.get(name) or engine.metrics.get(estimate_of(name) or name)
        if simulated is None or simulated["value"] == 0:
            continue
        if predicted["unit"] != simulated["unit"]:
            problem = f"{name} is in {predicted['unit']} for one, in {simulated['unit']} for the other"
            raise ConfigError(model.set.full_name, model.point.name, problem, "one unit for one metric")
        metrics[name] = model_error(predicted, simulated)
    source = Source("error", model=model.source.model, against=engine.source.engine)
    return _beside(source, model, engine, metrics)


def _difference(one: Answer, other: Answer) -> Answer:
    """Return one engine over another minus one for each common metric, and the largest of all differences.

    Replications of the same seeds are pairs: engines make the same draws from a seed.
    """
    paired = one.seeds == other.seeds
    metrics: dict[str, Metric] = {
        LARGEST: {"unit": "1", "value": largest_difference(one.metrics, other.metrics)}
    }
    for name in one.metrics.keys() & other.metrics.keys():
        found = difference(
            one.metrics[name], other.metrics[name], len(one.seeds) if paired else 0, one.confidence
        )
        if found is not None:
            metrics[name] = found
    in_order = {name: metrics[name] for name in (LARGEST, *one.metrics) if name in metrics}
    source = Source("difference", one.source.engine, against=other.source.engine)
    return _beside(source, one, other, in_order)
