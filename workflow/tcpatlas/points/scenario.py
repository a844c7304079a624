"""What a scenario file may say: a base, and sets that override parts of it and sweep others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from annotated_types import Len
from pydantic import Discriminator, Field, Tag, model_validator
from pydantic.functional_validators import AfterValidator

from tcpatlas.base.validation import MetricName, Model, Name, Scalar, Text, Unique, problem, short
from tcpatlas.points import engines
from tcpatlas.points.design import Design
from tcpatlas.points.engines import Factor
from tcpatlas.points.paths import DottedPath
from tcpatlas.points.run_length import OwnReplications

# The home of all scenarios of this repository; its folders only sort them for readers.
SCENARIOS = "scenarios"
# The scenario of a folder that may hold more of a study, e.g. `scenarios/papers/<paper>/`.
SCENARIO_FILE = "scenario.yaml"
ITEMS_FILE = "items.yaml"
PAPERS_FOLDER = f"{SCENARIOS}/papers"


def _known(value: Any) -> Any:
    if not isinstance(value, str):
        raise problem(f"{short(value)} is not a text or a mapping")
    if value not in engines.all_engines():
        raise problem(f"{short(value)} is unknown; one of: {', '.join(engines.all_engines())}")
    return value


def _is_mapping(value: Any) -> str:
    return "?mapping" if isinstance(value, dict | Model) else "?other"


def _form(value: Any) -> str:
    return "?list" if isinstance(value, list) else _is_mapping(value)


EngineName = Annotated[str, AfterValidator(_known)]


class OwnLength(Model):
    """The length of an engine's runs in a set."""

    length: Factor


class Span(Model):
    """Evenly spaced values: {from: 10 Mbit/s, to: 100 Mbit/s, step: 5 Mbit/s}."""

    first: Scalar = Field(alias="from")
    to: Scalar
    step: Scalar


Engine = Annotated[
    Annotated[Any, AfterValidator(_known), Tag("?other")]
    | Annotated[dict[EngineName, OwnLength], Len(1, 1), Tag("?mapping")],
    Discriminator(_is_mapping),
]
Values = Annotated[
    Annotated[list[Scalar], Len(1), Tag("?other")] | Annotated[Span, Tag("?mapping")],
    Discriminator(_is_mapping),
]


def _models_form(value: Any) -> str:
    return "?text" if isinstance(value, str) else "?list"


# auto: every model that can answer all points of a set.
Models = Annotated[
    Annotated[Literal["auto"], Tag("?text")] | Annotated[list[str], Unique, Tag("?list")],
    Discriminator(_models_form),
]
ValueOrValues = Annotated[
    Annotated[Scalar, Tag("?other")]
    | Annotated[list[Scalar], Len(1), Tag("?list")]
    | Annotated[Span, Tag("?mapping")],
    Discriminator(_form),
]


class Sweep(Model):
    """A grid (every combination of values), a list of grids, whose single values need no list, a design."""

    grid: Annotated[dict[DottedPath, Values], Len(1)] | None = None
    entries: Annotated[list[Annotated[dict[DottedPath, ValueOrValues], Len(1)]], Len(1)] | None = Field(
        None, alias="list"
    )
    design: Design | None = None

    @model_validator(mode="after")
    def _one(self) -> Sweep:
        if not self.model_fields_set:
            raise problem("is empty; at least one is needed")
        if len(self.model_fields_set) > 1:
            raise problem("has too many entries; at most 1 of grid, list, design")
        return self


class SetSpec(Model):
    """A set: overrides of the base, swept values, and the engines and models that answer.

    Without a sweep the set has one point, named base. `engines`: default those of config.yaml; empty: only
    the models answer. `distributions` are shown in distributions.csv, default all; `extremes` are metrics
    whose lowest and highest replication observations.csv also shows. `metrics` are shown, in this order, in
    the figure and table of a set without printed numbers; default: what people ask about a link. A `base` of
    its own replaces the scenario's.
    """

    title: Text
    base: dict[str, Any] | None = None
    engines: Annotated[list[Engine], Unique] | None = None
    models: Models | None = None
    replications: OwnReplications | None = None
    distributions: Annotated[list[str], Unique] | None = None
    extremes: Annotated[list[MetricName], Unique] = Field(default_factory=list)
    metrics: Annotated[list[MetricName], Unique] = Field(default_factory=list)
    override: dict[DottedPath, Any] = Field(default_factory=dict)
    sweep: Sweep | None = None


class CrossCheck(Model):
    """Adds a set for every other study, with a few short points of each of its sets, for these engines."""

    engines: Annotated[list[Engine], Unique, Len(2)]
    points: Annotated[int, Field(ge=1)]


class Scenario(Model):
    """A complete base, and sets that override parts of it and sweep others.

    The report of a user's scenario opens with its `title` and `question`.
    """

    paper: Name | None = None
    title: Text
    question: Text | None = None
    models: Models = Field(default_factory=list)
    base: dict[str, Any]
    sets: Annotated[dict[Name, SetSpec], Len(1)]
    cross_check: CrossCheck | None = None


def study_name(file: str | Path) -> str:
    """Return the name of a scenario file's study: its folder, or the file's stem."""
    path = Path(file)
    return path.parent.name if path.name == SCENARIO_FILE else path.stem
