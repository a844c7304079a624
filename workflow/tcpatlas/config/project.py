"""The project: studies, and the printed numbers that they answer."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tcpatlas.base.files import to_json
from tcpatlas.claims.published import Item
from tcpatlas.claims.replies import Scale
from tcpatlas.points.stored import digest_of, study_text
from tcpatlas.points.types import Point, ScenarioSet, Study


@dataclass(frozen=True)
class Project:
    """Everything that config.yaml asks for, validated; `config` is its data, scenarios as a list.

    `items` are the tables and figures of each study that has any of its own, else none. The studies `again`
    re-evaluate sentences and numbers of some of the `studies` with another TCP.
    """

    root: Path
    config: Mapping[str, Any]
    studies: tuple[Study, ...]
    items: Mapping[str, tuple[Item, ...]]
    again: tuple[Study, ...] = ()

    @property
    def scale(self) -> str:
        """`paper`, `quick` or `smoke`."""
        return str(self.config["scale"])

    @property
    def run_scale(self) -> Scale:
        """The length of the runs relative to the papers' own."""
        return Scale(self.scale == "smoke", self.config["scales"][self.scale]["length"])

    @cached_property
    def configuration(self) -> str:
        """The digest of the configuration in force, whichever scenarios it is applied to."""
        return digest_of(to_json({key: value for key, value in self.config.items() if key != "scenarios"}))

    def digest(self, study: Study) -> str:
        """Return a digest that changes with the configuration or with the expansion of any study."""
        return digest_of(study_text(study, self.configuration))

    @cached_property
    def sets(self) -> tuple[ScenarioSet, ...]:
        """All sets of all studies."""
        every = (*self.studies, *self.again)
        return tuple(scenario_set for study in every for scenario_set in study.sets)

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """All points of all sets."""
        return tuple(point for scenario_set in self.sets for point in scenario_set.points)

    @cached_property
    def all_items(self) -> tuple[Item, ...]:
        """All published items of all studies."""
        return tuple(item for items in self.items.values() for item in items)

    def runs(self) -> Iterator[tuple[Point, str]]:
        """Yield every point with every engine that simulates it."""
        for scenario_set in self.sets:
            for engine in scenario_set.engines:
                for point in scenario_set.points:
                    yield point, engine
