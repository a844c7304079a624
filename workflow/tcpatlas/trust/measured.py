"""From what engines and models say at a study's designs to its error maps, and to the test of their bands."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tcpatlas import __version__
from tcpatlas.claims.answers import Answer
from tcpatlas.claims.source import Source
from tcpatlas.everyday import answered, asked
from tcpatlas.points.types import ScenarioSet, Study
from tcpatlas.project import Project
from tcpatlas.runs.store import digest
from tcpatlas.trust.error_map import ErrorMap, can_be_mapped, error_map, error_of
from tcpatlas.trust.stored import maps_bytes

IN_BAND = "error_in_band"


def has_map(study: Study) -> bool:
    """Say whether error maps are made of any set of the study."""
    return any(map(_is_mapped, study.sets))


def _is_mapped(one: ScenarioSet) -> bool:
    """Say whether a set has an error map: a design that models and engines answer, and that can be mapped.

    Engines that this machine lacks may leave a design without any.
    """
    return bool(
        one.mapped and one.models and one.engines and can_be_mapped([point.document for point in one.points])
    )


def measured_maps(project: Project, study: Study, answers: Sequence[Answer]) -> bytes:
    """Return the file of a study's error maps; the maps are of the first engine of each set."""
    sets = [one for one in study.sets if _is_mapped(one)]
    simulated = [answer.source for answer in answers if answer.set.mapped and answer.source.engine]
    head = {
        "schema": "tcp-atlas/error-map/2",
        "study": study.name,
        "tcp_atlas": __version__,
        # An engine that runs in real time may have left out all points.
        "engine": next(iter([*(source.engine for source in simulated), *sets[0].engines])),
        "scale": project.scale,
        "seed": project.config["seed"],
        "digest": digest(point.document for one in sets for point in one.points),
    }
    return maps_bytes(head, [(one.title, _map_of(one, answers)) for one in sets])


def tests(answers: Iterable[Answer], maps: Iterable[ErrorMap]) -> Iterator[Answer]:
    """Yield, of each point that tests a map, the share of its errors that are in their bands.

    By each model `<metric>_in_band`, 1 or 0, and of all together the share of all models and metrics.
    """
    by_set = {one.set: one for one in maps}
    pairs: dict[str, list[tuple[Answer, Answer]]] = {}
    for answer in answers:
        if answer.source.relation == "error" and answer.of is not None and answer.set.tests in by_set:
            pairs.setdefault(answer.set.name, []).append(answer.of)
    for found in pairs.values():
        points = list(dict.fromkeys(engine.point.name for _, engine in found))
        documents = {engine.point.name: engine.point.document for _, engine in found}
        expected = by_set[str(found[0][0].set.tests)].expected([documents[name] for name in points])
        for name, here in zip(points, expected, strict=True):
            yield from _tested([pair for pair in found if pair[1].point.name == name], here)


def _tested(
    pairs: Sequence[tuple[Answer, Answer]], expected: Mapping[tuple[str, str], Any]
) -> Iterator[Answer]:
    held: list[int] = []
    for model, engine in pairs:
        name = model.source.model
        said, simulated = (_asked(answer) for answer in (model, engine))
        inside = {
            metric: int(expected[name, metric].holds(said[metric], simulated[metric]))
            for metric in said
            if metric in simulated and (name, metric) in expected
        }
        if inside:
            held += inside.values()
            metrics = {f"{metric}_in_band": {"unit": "1", "value": value} for metric, value in inside.items()}
            yield Answer(
                Source("inference", model=name, fed_by=engine.source.engine),
                model.set,
                model.point,
                metrics,
                engine.replications,
            )
    if held:
        metric = {"unit": "1", "value": sum(held) / len(held)}
        model, engine = pairs[0]
        source = Source("band", against=engine.source.engine)
        yield Answer(source, model.set, model.point, {IN_BAND: metric}, engine.replications)


def _map_of(one: ScenarioSet, answers: Iterable[Answer]) -> ErrorMap:
    here = [answer for answer in answers if answer.set is one]
    simulated: dict[str, dict[str, float]] = {}
    said: dict[str, dict[str, dict[str, float]]] = {}
    for answer in here:
        if answer.source.relation == "simulation":
            simulated.setdefault(answer.point.name, _asked(answer))
        elif answer.source.relation == "model":
            said.setdefault(answer.source.model, {})[answer.point.name] = _asked(answer)
    documents = [point.document for point in one.points]
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
        for model, values in said.items()
        for metric in asked(documents[0])
    }
    return error_map(one.name, documents, errors)


def _asked(answer: Answer) -> dict[str, float]:
    """Return the metrics that people ask for, of an engine's or a model's answer."""
    return answered(answer.point.document, {"metrics": answer.metrics, "distributions": answer.distributions})
