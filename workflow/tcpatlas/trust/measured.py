"""Builds error maps of a study's designs from engines' and models' answers, and tests their bands."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tcpatlas.answers.answer import Answer
from tcpatlas.answers.headline_metrics import answered, asked
from tcpatlas.answers.source import Source
from tcpatlas.base.version import VERSION
from tcpatlas.points.types import ScenarioSet, Study
from tcpatlas.runs.store import digest
from tcpatlas.trust.error_map import ErrorMap, can_be_mapped, error_map, error_of
from tcpatlas.trust.stored import maps_bytes

IN_BAND = "error_in_band"


def has_map(study: Study) -> bool:
    """Say whether error maps are made of any set of the study."""
    return any(map(_is_mapped, study.sets))


def _is_mapped(scenario_set: ScenarioSet) -> bool:
    """Say whether a set has an error map: a design that models and engines answer, and that can be mapped.

    Missing engines may leave a design without any.
    """
    answered_by_both = scenario_set.mapped and scenario_set.models and scenario_set.engines
    return bool(answered_by_both and can_be_mapped([point.document for point in scenario_set.points]))


def measured_maps(study: Study, answers: Sequence[Answer], *, scale: str, seed: int) -> bytes:
    """Return the file of a study's error maps; the maps are of the first engine of each set."""
    sets = [scenario_set for scenario_set in study.sets if _is_mapped(scenario_set)]
    head = {
        "schema": "tcp-atlas/error-map/3",
        "study": study.name,
        "tcp_atlas": VERSION,
        "engine": next(iter(sets[0].engines)),
        "scale": scale,
        "seed": seed,
        "digest": digest(point.document for scenario_set in sets for point in scenario_set.points),
    }
    return maps_bytes(head, [(each.title, _map_of(each, answers)) for each in sets])


def tests(answers: Iterable[Answer], maps: Iterable[ErrorMap]) -> Iterator[Answer]:
    """Yield the share of errors that lie in their bands, for each point that tests a map.

    Each model gives `<metric>_in_band`, 1 or 0; all together give the share over models and metrics.
    """
    by_set = {error_map.set: error_map for error_map in maps}
    pairs: dict[str, list[tuple[Answer, Answer]]] = {}
    for answer in answers:
        if answer.source.relation == "error" and answer.of is not None and answer.set.tests in by_set:
            pairs.setdefault(answer.set.name, []).append(answer.of)
    for of_set in pairs.values():
        documents = {engine.point.name: engine.point.document for _, engine in of_set}
        model, _ = of_set[0]
        expected = by_set[str(model.set.tests)].expected([*documents.values()])
        for name, at_point in zip(documents, expected, strict=True):
            yield from _tested([pair for pair in of_set if pair[1].point.name == name], at_point)


def _tested(
    pairs: Sequence[tuple[Answer, Answer]], expected: Mapping[tuple[str, str], Any]
) -> Iterator[Answer]:
    """Yield whether the models' errors at one point lie in their bands, by model and of all together."""
    all_in_band: list[int] = []
    for model, engine in pairs:
        name = model.source.model
        predicted, simulated = (_asked(answer) for answer in (model, engine))
        in_band = {
            metric: int(expected[name, metric].holds(predicted[metric], simulated[metric]))
            for metric in predicted
            if metric in simulated and (name, metric) in expected
        }
        if in_band:
            all_in_band += in_band.values()
            metrics = {
                f"{metric}_in_band": {"unit": "1", "value": value} for metric, value in in_band.items()
            }
            yield Answer(
                Source("inference", model=name, fed_by=engine.source.engine),
                model.set,
                model.point,
                metrics,
                engine.replications,
            )
    if all_in_band:
        metric = {"unit": "1", "value": sum(all_in_band) / len(all_in_band)}
        model, engine = pairs[0]
        source = Source("band", against=engine.source.engine)
        yield Answer(source, model.set, model.point, {IN_BAND: metric}, engine.replications)


def _map_of(scenario_set: ScenarioSet, answers: Iterable[Answer]) -> ErrorMap:
    simulated: dict[str, dict[str, float]] = {}
    predicted: dict[str, dict[str, dict[str, float]]] = {}
    for answer in answers:
        if answer.set is not scenario_set:
            continue
        if answer.source.relation == "simulation":
            simulated.setdefault(answer.point.name, _asked(answer))
        elif answer.source.relation == "model":
            predicted.setdefault(answer.source.model, {})[answer.point.name] = _asked(answer)
    documents = [point.document for point in scenario_set.points]
    errors = {
        (model, metric): [
            error_of(
                metric,
                document,
                values[document["point"]].get(metric, math.nan),
                simulated.get(document["point"], {}).get(metric, math.nan),
            )
            for document in documents
        ]
        for model, values in predicted.items()
        for metric in asked(documents[0])
    }
    return error_map(scenario_set.name, documents, errors)


def _asked(answer: Answer) -> dict[str, float]:
    """Return the metrics of an answer that people ask for."""
    return answered(answer.point.document, {"metrics": answer.metrics, "distributions": answer.distributions})
