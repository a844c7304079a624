"""Comparisons of two answers at a point: a model with an engine, or an engine with another."""

from collections.abc import Iterator, Mapping
from typing import Any

from tcpatlas.answers.answer import Answer
from tcpatlas.answers.derived import Metric, difference, largest_difference, model_error
from tcpatlas.answers.metrics import estimate_of
from tcpatlas.answers.source import Source
from tcpatlas.base.errors import ConfigError
from tcpatlas.base.statistics import summary

LARGEST = "largest_difference"


def error(model: Answer, engine: Answer) -> Answer:
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


def difference_of(one: Answer, other: Answer) -> Answer:
    """Return one engine over another minus one for each common metric, and the largest of all differences.

    Replications of the same seeds are pairs: engines make the same draws from a seed.
    """
    paired = one.seeds == other.seeds
    metrics: dict[str, Metric] = {
        LARGEST: {"unit": "1", "value": largest_difference(one.metrics, other.metrics)}
    }
    for name in one.metrics.keys() & other.metrics.keys():
        change = difference(
            one.metrics[name], other.metrics[name], len(one.seeds) if paired else 0, one.confidence
        )
        if change is not None:
            metrics[name] = change
    in_order = {name: metrics[name] for name in (LARGEST, *one.metrics) if name in metrics}
    source = Source("difference", one.source.engine, against=other.source.engine)
    return _beside(source, one, other, in_order)


def by_measurement(
    model: Answer, engine: Answer, by_engine: Mapping[str, Mapping[str, Mapping[str, Any]]]
) -> Iterator[Answer]:
    """Yield a model's answers at a point fed with an engine's measurements: with their mean, and run by run.

    `by_engine` holds the former as `inferred` and the latter as `fed`, by engine and point. The intervals of
    the latter cover the runs that give a metric.
    """
    name, by = model.source.model, engine.source.engine
    measured = by_engine.get(by, {}).get(model.point.name)
    if measured is None:
        return
    if measured["inferred"]:
        source = Source("inference", model=name, fed_by=by)
        yield _beside(source, model, engine, measured["inferred"])
    if measured["fed"]:
        kinds = {
            key: True
            for key in ("exact", "band")
            if any(key in metrics_of_run for metrics_of_run in engine.metrics.values())
        }
        metrics = {
            metric: {**summary(of["unit"], of["values"], engine.confidence, band="band" in kinds), **kinds}
            for metric, of in measured["fed"].items()
        }
        yield _beside(Source("fed", model=name, fed_by=by), model, engine, metrics)


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
