"""Expanded studies on disk: `results/points/<study>.json` beside the points of its sets."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any, Literal, cast, get_type_hints

from annotated_types import Ge
from pydantic import with_config
from typing_extensions import TypedDict

from tcpatlas.base.errors import ConfigError
from tcpatlas.base.files import read_json, to_json, write_if_changed
from tcpatlas.base.validation import CLOSED, MetricName, check
from tcpatlas.points.types import Point, ReevaluatedSource, ScenarioSet, Study

_UNORDERED = ("distributions", "extremes", "of_source")


@with_config(CLOSED)
class StoredSet(TypedDict):
    """A set without its points; `places` and `differences`, by name, complete the file of the points."""

    name: str
    title: str
    engines: dict[str, float]
    models: list[str]
    distributions: list[str] | None
    left_out: list[str]
    extremes: list[MetricName]
    overridden: list[str]
    mapped: bool
    tests: str | None
    metrics: list[MetricName]
    of_source: list[str]
    by_verdict: bool
    places: list[Annotated[int, Ge(0)]]
    differences: dict[str, dict[str, str | int | float]]


@with_config(CLOSED)
class StoredSource(TypedDict):
    """The study that is re-evaluated, and the TCP."""

    source: str
    tcp: str
    length: float
    not_run: dict[str, str]


@with_config(CLOSED)
class StoredStudy(TypedDict):
    """A study as expanded when the workflow started; every later step reads it.

    `configuration` is the digest of the configuration in force, `points` that of the files of its points.
    """

    schema: Literal["tcp-atlas/study/1"]
    configuration: str
    points: str
    name: str
    file: str
    title: str
    question: str
    paper: str | None
    folder: str
    again: StoredSource | None
    sets: list[StoredSet]


def write_study(study: Study, results: Path, configuration: str) -> None:
    """Write the study and the points of its sets if they changed."""
    for scenario_set in study.sets:
        write_if_changed(scenario_set.points_path(results), scenario_set.text)
    write_if_changed(study_path(results, study.name), study_text(study, configuration))


def study_text(study: Study, configuration: str) -> str:
    """Return the file of a study, expanded under the configuration of this digest."""
    stored: StoredStudy = {
        "schema": "tcp-atlas/study/1",
        "configuration": configuration,
        "points": digest_of("".join(scenario_set.text for scenario_set in study.sets)),
        "name": study.name,
        "file": study.file,
        "title": study.title,
        "question": study.question,
        "paper": study.paper,
        "folder": study.folder,
        "again": None if study.again is None else cast(StoredSource, asdict(study.again)),
        "sets": [_stored(scenario_set) for scenario_set in study.sets],
    }
    return to_json(stored)


def digest_of(text: str) -> str:
    """Return the digest of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def read_study(name: str, results: Path, configuration: str) -> Study:
    """Return a study as it was written; its points were validated when they were expanded.

    Raises ConfigError if it is not there, or is of another configuration than that of the digest.
    """
    path = study_path(results, name)
    stored = check(StoredStudy, read_json(path), path)
    if stored["configuration"] != configuration:
        problem = "these points are of another configuration than results/config.json"
        raise ConfigError(path, "configuration", problem, "run again: every run writes both")
    sets = tuple(_read_set(name, scenario_set, results) for scenario_set in stored["sets"])
    return Study(
        stored["name"],
        stored["file"],
        stored["title"],
        stored["paper"],
        sets,
        stored["question"],
        stored["folder"],
        None if stored["again"] is None else ReevaluatedSource(**stored["again"]),
    )


def study_path(results: Path, study: str) -> Path:
    """Return the file of a study."""
    return results / "points" / f"{study}.json"


def _stored(one: ScenarioSet) -> StoredSet:
    cells = {name: _plain(getattr(one, name)) for name in get_type_hints(StoredSet) if hasattr(one, name)}
    places = [point.place for point in one.points]
    differences = {point.name: dict(point.differences) for point in one.points if point.differences}
    return cast(StoredSet, cells | {"places": places, "differences": differences})


def _plain(value: Any) -> Any:
    if isinstance(value, frozenset):
        return sorted(value)
    return list(value) if isinstance(value, tuple) else dict(value) if isinstance(value, Mapping) else value


def _read_set(study: str, stored: StoredSet, results: Path) -> ScenarioSet:
    cells: dict[str, Any] = {
        name: (frozenset if name in _UNORDERED else tuple)(value) if isinstance(value, list) else value
        for name, value in stored.items()
        if name not in ("places", "differences")
    }
    empty = ScenarioSet(study=study, points=(), **cells)
    documents: list[Mapping[str, Any]] = read_json(empty.points_path(results))["points"]
    points = (
        Point(study, empty.name, name, document, place, differences=stored["differences"].get(name, {}))
        for document, place in zip(documents, stored["places"], strict=True)
        if (name := document["point"])
    )
    return replace(empty, points=tuple(points))
