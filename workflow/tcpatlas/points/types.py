"""Studies, sets and points: the expanded form of scenarios."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any

from tcpatlas.base.units import plain

# The parameter that names the set that a sampled point was taken from.
SAMPLED_SET = "sampled_set"


@dataclass(frozen=True)
class Point:
    """One parameter combination; `document` is what its JSON file holds (`point.schema.json`, SI units).

    `place` is its position in the whole sweep of its set, from 0; `network` the base with the set's values
    applied; `differences` are values that are not swept, but in which sets of one item differ.
    """

    study: str
    set: str
    name: str
    document: Mapping[str, Any]
    place: int = field(compare=False)
    network: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    differences: Mapping[str, str | int | float] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def text(self) -> str:
        """The document on one line."""
        return json.dumps(self.document, separators=(",", ":"), ensure_ascii=False, allow_nan=False)

    def setting(self, path: str) -> Any:
        """Return the value, in SI units, at a dotted path of the point's base; None if there is none.

        A point read from results/ has lost its base and knows only what its item's sets differ in.
        """
        if not self.network:
            return {**self.parameters, **self.differences}.get(path)
        value: Any = self.network
        for part in path.split("."):
            if not isinstance(value, Mapping) or part not in value:
                return None
            value = value[part]
        return plain(value) if isinstance(value, Decimal | float) else value

    @property
    def parameters(self) -> Mapping[str, str | int | float]:
        """The swept values in SI units, keyed by dotted path."""
        parameters: Mapping[str, str | int | float] = self.document["parameters"]
        return parameters


@dataclass(frozen=True)
class ScenarioSet:
    """One sweep of a study, with who answers it.

    `engines` maps each engine to the factor on its run lengths (1: the point's own). `distributions` are
    shown in distributions.csv, None for all; `left_out` are engines that it asks for and that this machine
    cannot build; `extremes` are the metrics whose lowest and highest replication observations.csv also shows;
    `overridden` are the paths in which all points differ from the base; `unable` says why models that `auto`
    considers cannot answer it. A `mapped` set gets an error map if possible; `tests` is the set whose map its
    points test. `metrics` are those in its figure and table, empty for the usual ones. The models `of_source`
    know only the TCP of the set's source, and are asked about its points. `by_verdict`: verdicts decide the
    number of replications.
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
    overridden: tuple[str, ...] = ()
    unable: Mapping[str, str] = field(default_factory=dict)
    mapped: bool = False
    tests: str | None = None
    metrics: tuple[str, ...] = ()
    of_source: frozenset[str] = frozenset()
    by_verdict: bool = False

    @property
    def designed(self) -> bool:
        """Say whether its points are those of a design."""
        return self.mapped or self.tests is not None

    @property
    def full_name(self) -> str:
        """`<study>/<set>`."""
        return f"{self.study}/{self.name}"

    @property
    def text(self) -> str:
        """The text of the file of all points of the set (`points.schema.json`), a point a line."""
        head = f'"schema":"tcp-atlas/points/1","study":{json.dumps(self.study)},"set":{json.dumps(self.name)}'
        points = ",\n".join(point.text for point in self.points)
        return f'{{{head},"points":[\n{points}\n]}}\n'

    def points_path(self, results: Path) -> Path:
        """Return the file of all points of the set."""
        return results / "points" / self.study / f"{self.name}.json"


@dataclass(frozen=True)
class ReevaluatedSource:
    """A study that re-evaluates the sentences and numbers of the study `source` with the TCP named `tcp`.

    `not_run`: why sets of the source are not run with it; `length`: the factor on run lengths.
    """

    source: str
    tcp: str
    length: float
    not_run: Mapping[str, str]


@dataclass(frozen=True)
class Study:
    """One scenario file; `question` is the question that it answers.

    `folder`, relative to the root, holds its items, statements and causes; empty for a study without any.
    `again` describes the re-evaluation of another study, if it is one.
    """

    name: str
    file: str
    title: str
    paper: str | None
    sets: tuple[ScenarioSet, ...]
    question: str = ""
    folder: str = ""
    again: ReevaluatedSource | None = None

    @property
    def subject(self) -> str:
        """The name of its paper in tables, or else its own."""
        return self.paper or self.name
