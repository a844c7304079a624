"""What the pipeline works on: a project holds studies, a study sets, a set points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tcpatlas.claims.published import Item


@dataclass(frozen=True)
class Point:
    """One parameter combination; `document` is what its JSON file holds (`point.schema.json`, SI units).

    `place` is its position in the whole sweep of its set, from 0.
    """

    study: str
    set: str
    name: str
    document: Mapping[str, Any]
    place: int = field(compare=False)

    @property
    def parameters(self) -> Mapping[str, str | int | float]:
        """The swept values in SI units, keyed by dotted path."""
        parameters: Mapping[str, str | int | float] = self.document["parameters"]
        return parameters

    def path(self, results: Path) -> Path:
        """Return the point's own file."""
        return results / "points" / self.study / self.set / f"{self.name}.json"

    def run_path(self, results: Path, engine: str) -> Path:
        """Return the file of the engine's replications."""
        return results / "runs" / self.study / self.set / self.name / f"{engine}.json"


@dataclass(frozen=True)
class ScenarioSet:
    """One sweep of a study, with who answers it.

    `engines` has for each engine the factor on its run lengths (1: the point's own). `distributions` are
    those that distributions.csv shows of it, None for all; `left_out` are engines that it asks for and that
    this machine cannot build; `extremes` are the metrics whose lowest and highest replication
    observations.csv shows too.
    """

    study: str
    name: str
    title: str
    engines: Mapping[str, float]
    models: tuple[str, ...]
    points: tuple[Point, ...]
    distributions: frozenset[str] | None = None
    left_out: tuple[str, ...] = ()
    extremes: frozenset[str] = frozenset()

    @property
    def full_name(self) -> str:
        """`<study>/<set>`."""
        return f"{self.study}/{self.name}"

    def prediction_path(self, results: Path, model: str) -> Path:
        """Return the file of a model's predictions."""
        return prediction_path(results, self.study, self.name, model)


def prediction_path(results: Path, study: str, set_name: str, model: str) -> Path:
    """Return the file of a model's predictions for a set."""
    return results / "predictions" / study / set_name / f"{model}.json"


@dataclass(frozen=True)
class Study:
    """One scenario file; `items` are the published tables and figures, if it is a paper's."""

    name: str
    file: str
    title: str
    paper: str | None
    sets: tuple[ScenarioSet, ...]
    items: tuple[Item, ...] = ()


@dataclass(frozen=True)
class Project:
    """Everything that config.yaml asks for, validated; `config` is its data, scenarios as a list."""

    root: Path
    config: Mapping[str, Any]
    studies: tuple[Study, ...]

    @property
    def scale(self) -> str:
        """`paper`, `quick` or `smoke`."""
        return str(self.config["scale"])

    @cached_property
    def sets(self) -> tuple[ScenarioSet, ...]:
        """All sets of all studies."""
        return tuple(scenario_set for study in self.studies for scenario_set in study.sets)

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """All points of all sets."""
        return tuple(point for scenario_set in self.sets for point in scenario_set.points)

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """All published items of all studies."""
        return tuple(item for study in self.studies for item in study.items)

    def runs(self) -> Iterator[tuple[Point, str]]:
        """Yield every point with every engine that simulates it."""
        for scenario_set in self.sets:
            for point in scenario_set.points:
                for engine in scenario_set.engines:
                    yield point, engine
