"""Selects points: by the values of their parameters, as baselines of ratios, and along a trend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from typing import Annotated, Any

from annotated_types import Len
from pydantic import Discriminator, GetCoreSchemaHandler, Tag, ValidationError
from pydantic_core import CoreSchema, InitErrorDetails, core_schema

from tcpatlas.base import units
from tcpatlas.base.errors import ConfigError
from tcpatlas.base.validation import Quantity, Scalar, plain_types, problem, type_at
from tcpatlas.points.kinds import ANY_BASE
from tcpatlas.points.types import SAMPLED_SET, Point, ScenarioSet, Study


def one_or_list(value: Any) -> str:
    """Return the tag of a value written alone or as a list."""
    return "?list" if isinstance(value, list) else "?one"


Values = Annotated[
    Annotated[list[Scalar], Len(1), Tag("?list")] | Annotated[Scalar, Tag("?one")], Discriminator(one_or_list)
]


class SelectionError(ValueError):
    """A mistake in a selection: `key` of the row or case, and what is `allowed` there."""

    def __init__(self, key: str, problem: str, allowed: str) -> None:
        super().__init__(problem)
        self.key, self.allowed = key, allowed


@dataclass(frozen=True)
class Reference:
    """The point that a number refers to and, if it is a ratio of two points, the baseline point."""

    set: ScenarioSet
    point: Point
    baseline: Reference | None = None


def sets_like(pattern: str, study: Study, file: str, where: str) -> list[ScenarioSet]:
    """Return the sets of a study whose names match; ConfigError if none does and the pattern has no `*`."""
    matching = [scenario_set for scenario_set in study.sets if fnmatchcase(scenario_set.name, pattern)]
    if not matching and "*" not in pattern:
        allowed = f"{study.file} has: {', '.join(one.name for one in study.sets)}"
        raise ConfigError(file, where, f"there is no set {pattern!r}", allowed)
    return matching


def set_named(name: str, sets: Sequence[ScenarioSet], key: str = "set") -> ScenarioSet:
    """Return the item's set of that name, or its only one; SelectionError if there is none."""
    if not name and len(sets) == 1:
        return sets[0]
    for scenario_set in sets:
        if scenario_set.name == name:
            return scenario_set
    problem = f"{name!r} is none of the item's sets" if name else "is empty, but the item has several sets"
    raise SelectionError(key, problem, f"one of: {', '.join(one.name for one in sets)}")


@dataclass(frozen=True)
class Where:
    """A selection of points: for each dotted path the values that it may have there.

    The path `set` stands for the name of the point's set.
    """

    written: Mapping[str, Sequence[str]] = field(default_factory=dict)
    values: Mapping[str, Sequence[str | int | float]] = field(default_factory=dict)

    @classmethod
    def read(cls, written: Mapping[str, Any]) -> Where:
        """Return the selection of values as people write them, one or a list for each path.

        SelectionError for a path or a value that no scenario can have.
        """
        texts = {
            path: [str(value) for value in (values if isinstance(values, list) else [values])]
            for path, values in written.items()
        }
        values = {}
        for path, listed in texts.items():
            try:
                values[path] = [parameter(path, text) for text in listed]
            except (LookupError, ValueError) as error:
                raise SelectionError(path, str(error.args[0]), "a swept path with a value") from None
        return cls(texts, values)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(cls._validated, handler(dict[str, Values]))

    @classmethod
    def _validated(cls, written: Mapping[str, Any]) -> Where:
        try:
            return cls.read(written)
        except SelectionError as error:
            details = InitErrorDetails(
                type=problem(f"{error}; {error.allowed}"), loc=(error.key,), input=written[error.key]
            )
            raise ValidationError.from_exception_data("Where", [details]) from None

    def fits(self, point: Point) -> bool:
        """Say whether a point is selected."""
        return all(_value(point, path) in values for path, values in self.values.items())

    def choose(self, scenario_set: ScenarioSet) -> list[Point]:
        """Return the selected points of a set; SelectionError for the first path that leaves none."""
        chosen = list(scenario_set.points)
        for path, values in self.values.items():
            matching = [point for point in chosen if _value(point, path) in values]
            if not matching:
                there = sorted({str(value) for point in chosen if (value := _value(point, path)) is not None})
                allowed = f"one of: {', '.join(there)}" if there else "it is not swept: leave it out"
                nothing = f"{', '.join(self.written[path])} selects no point of {scenario_set.full_name}"
                raise SelectionError(path, nothing, allowed)
            chosen = matching
        return chosen

    def closest_to(self, point: Point, points: Iterable[Point]) -> list[Point]:
        """Return the selected points; of several, those that equal one point in all else, if any."""
        chosen = [other for other in points if self.fits(other)]
        for path, value in point.parameters.items():
            if path not in self.values:
                chosen = [other for other in chosen if other.parameters.get(path) == value] or chosen
        return chosen


def _value(point: Point, path: str) -> str | int | float | None:
    return point.set if path == "set" else point.parameters.get(path)


def baseline(text: str, at: Reference, sets: Sequence[ScenarioSet]) -> Reference:
    """Return the point that differs from the given one in the one value, or the set, that the text names."""
    path, _, value = (part.strip() for part in text.partition("="))
    try:
        where = Where.read({path: value})
    except SelectionError as error:
        allowed = "<swept path> = <value>, set = <set>, or a metric"
        raise SelectionError("against", str(error), allowed) from None
    other_set = set_named(value, sets, "against") if path == "set" else at.set
    wanted = dict(at.point.parameters)
    if path != "set":
        wanted[path] = where.values[path][0]
    for other in other_set.points:
        if other.parameters == wanted and other != at.point:
            return Reference(other_set, other)
    if path == "set":
        raise SelectionError("against", f"{text} has no point {at.point.name}", "a set of the same sweep")
    nothing = f"{text} leads to no other point of {at.set.full_name}"
    raise SelectionError("against", nothing, "another value of a swept parameter, all else the same")


def parameter(path: str, text: str) -> str | int | float:
    """Return a value as a point's parameters hold it; ValueError or LookupError if it can be none."""
    if path in (SAMPLED_SET, "set"):
        return text
    for kind in parameter_types(path):
        if isinstance(kind, Quantity):
            return units.plain(units.parse(text, kind.unit))
        if kind in (int, float):
            return units.plain(units.parse(text, "1"))
    return text


@cache
def parameter_types(path: str) -> tuple[Any, ...]:
    """Return the types of a dotted path of a scenario's base; LookupError if there is no such path."""
    return tuple(plain_types(type_at(ANY_BASE, path)))


def series_from(
    first: Point, along: str, scenario_set: ScenarioSet, sets: tuple[ScenarioSet, ...]
) -> tuple[tuple[ScenarioSet, Point], ...]:
    """Return the points of a trend, each with its set: they differ only in one, increasing parameter.

    If the set sweeps the number `along`, these are the points with larger values, all else equal. If the
    item's sets differ in it, these are the points at the same place in the sweeps of sets with larger values.
    SelectionError if there is no other point.
    """
    if along in first.parameters:
        series = [(scenario_set, point) for point in _sweep(first, along, scenario_set)]
    else:
        series = list(_across(first, along, sets))
    if len(series) < 2:
        raise _no_trend(f"{along} leads from {first.name} to no other point")
    return tuple(series)


def _sweep(first: Point, along: str, scenario_set: ScenarioSet) -> list[Point]:
    """Return the points that differ from the first in one number only, and have a larger one."""
    start = _number(first, along, first.parameters[along])
    others = {path: value for path, value in first.parameters.items() if path != along}
    alike = [
        point
        for point in scenario_set.points
        if along in point.parameters and others == {k: v for k, v in point.parameters.items() if k != along}
    ]
    larger = [point for point in alike if _number(point, along, point.parameters[along]) >= start]
    return sorted(larger, key=lambda point: point.parameters[along])


def _across(first: Point, along: str, sets: tuple[ScenarioSet, ...]) -> Iterator[tuple[ScenarioSet, Point]]:
    """Yield the points at the first one's place in its own set and those with a larger number."""
    start = _number(first, along, first.setting(along))
    numbered = []
    for scenario_set in sets:
        for point in scenario_set.points:
            if point.place == first.place and point.parameters.keys() == first.parameters.keys():
                number = _number(point, along, point.setting(along))
                if point is first or number > start:
                    numbered.append((number, scenario_set, point))
    numbered.sort(key=lambda one: one[0])
    if len({number for number, *_ in numbered}) < len(numbered):
        raise _no_trend(f"{along} is the same in two sets")
    for _, scenario_set, point in numbered:
        yield scenario_set, point


def _number(point: Point, path: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _no_trend(f"{path} is no number at {point.name}")
    return value


def _no_trend(problem: str) -> SelectionError:
    return SelectionError("along", problem, "a parameter whose value grows")
