"""What scenarios become: a study holds sets, a set points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# The parameter that names the set that a sampled point was taken from.
SAMPLED_SET = "sampled_set"


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
    """One scenario file."""

    name: str
    file: str
    title: str
    paper: str | None
    sets: tuple[ScenarioSet, ...]
