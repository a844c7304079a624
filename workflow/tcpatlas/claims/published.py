"""The printed numbers of a paper (`config/papers/<paper>/`), each with its point and its tolerance."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from tcpatlas.base import schema, units
from tcpatlas.base.errors import ConfigError
from tcpatlas.base.files import read_text, read_yaml
from tcpatlas.claims.series import series_from
from tcpatlas.claims.verdict import TRENDS, Relation, Tolerance
from tcpatlas.points.types import SAMPLED_SET, Point, ScenarioSet, Study

REQUIRED = ("kind", "metric", "unit", "published", "note")
OPTIONAL = ("set", "relation", "against", "along", "inconsistent")
ALL = "*"
EACH = "[*]"
# What the printed number is; of the last kind, how far two engines are apart, which no paper prints.
EQUIVALENCE = "equivalence"
KINDS = ("simulation", "model", "measurement", EQUIVALENCE)
RELATIONS: Mapping[str, Relation] = {
    "": "=",
    "=": "=",
    "<=": "<=",
    ">=": ">=",
    "increasing": "increasing",
    "decreasing": "decreasing",
}

_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")
_METRIC = schema.load("run")["properties"]["metrics"]["propertyNames"]


@dataclass(frozen=True)
class Place:
    """A point where a printed number holds and, if it is a ratio of two places, the one that it is over."""

    set: ScenarioSet
    point: Point
    against: Place | None = None


@dataclass(frozen=True)
class PublishedNumber:
    """One printed number: a row of `<item>.csv`, counted from 1.

    `published` carries the digits as printed, None where the paper gives none; `tolerance` is None only where
    there is nothing to judge. `deviation` says why our number deviates, as far as is known, in case it does.
    `against` and `along` are as written: against another place or metric, the number is the metric over that,
    minus one; along an axis, or as `name[*]`, it speaks of several places or metrics.
    """

    row: int
    kind: str
    metric: str
    unit: str
    published: Decimal | None
    note: str
    relation: Relation
    against: str
    along: str
    inconsistent: str
    places: tuple[Place, ...]
    tolerance: Tolerance | None
    deviation: str

    @property
    def set(self) -> ScenarioSet:
        """The set of the row's own point."""
        return self.places[0].set

    @property
    def point(self) -> Point:
        """The row's own point."""
        return self.places[0].point

    @property
    def over(self) -> str:
        """The metric that the number is over at the same point, if any."""
        return self.against if self.places[0].against is None else ""

    @property
    def of_each(self) -> bool:
        """Whether the metric stands for all that differ in what they are of: `name[*]`."""
        return self.metric.endswith(EACH)


@dataclass(frozen=True)
class Item:
    """One table or figure of a paper, with the sets that answer it and its printed numbers."""

    paper: str
    name: str
    title: str
    file: str
    sets: tuple[ScenarioSet, ...]
    numbers: tuple[PublishedNumber, ...]


def load_items(study: Study, root: Path) -> tuple[Item, ...]:
    """Return the items of the study's paper; ConfigError for anything wrong in items.yaml or a CSV."""
    assert study.paper is not None
    folder = Path("config/papers") / study.paper
    file = str(folder / "items.yaml")
    data = read_yaml(root / file, file)
    schema.validate(data, schema.load("items"), file)
    return tuple(_load_item(study, root, folder, name, spec) for name, spec in data["items"].items())


def printed_points(items: Iterable[Item]) -> set[tuple[str, str]]:
    """Return the names of the sets and points that printed numbers refer to."""
    return {
        (place.set.name, place.point.name)
        for item in items
        for number in item.numbers
        for each in number.places
        for place in (each, each.against)
        if place is not None
    }


def _load_item(study: Study, root: Path, folder: Path, name: str, spec: Mapping[str, Any]) -> Item:
    items_file, where = str(folder / "items.yaml"), f"items.{name}"
    by_name = {scenario_set.name: scenario_set for scenario_set in study.sets}
    for index, set_name in enumerate(spec["sets"]):
        if set_name not in by_name:
            allowed = f"{study.file} has: {', '.join(by_name)}"
            raise ConfigError(items_file, f"{where}.sets[{index}]", f"there is no set {set_name!r}", allowed)
    sets = tuple(by_name[set_name] for set_name in spec["sets"])
    file = str(folder / f"{name}.csv")
    if not spec.get("numbers", True):
        if (root / file).exists():
            raise ConfigError(
                items_file, f"{where}.numbers", f"is false, but there is {file}", "one or the other"
            )
        return Item(folder.name, name, spec["title"], file, sets, ())
    rows = _Rows(file, sets, _read_csv(root / file, file))
    numbers = _with_rules(rows.numbers(), spec, items_file, where)
    return Item(folder.name, name, spec["title"], file, sets, numbers)


def _read_csv(path: Path, file: str) -> list[dict[str, str]]:
    """Return the rows, cells stripped; ConfigError on missing, unknown or doubled columns and ragged rows."""
    reader = csv.reader(io.StringIO(read_text(path, file)))
    header = [column.strip() for column in next(reader, [])]
    for column in REQUIRED:
        if column not in header:
            raise ConfigError(file, column, "the column is missing", f"needed: {', '.join(REQUIRED)}")
    for column in header:
        if header.count(column) > 1:
            raise ConfigError(file, column, "the column is there twice", "each once")
        if column not in (*REQUIRED, *OPTIONAL, SAMPLED_SET):
            try:
                _network_schema(column)
            except LookupError as error:
                allowed = f"allowed: {', '.join((*REQUIRED, *OPTIONAL))}, dotted paths of the scenario"
                raise ConfigError(file, column, f"unknown column, {error.args[0]}", allowed) from None
    rows: list[dict[str, str]] = []
    for cells in reader:
        if not cells:
            continue
        if len(cells) != len(header):
            problem = f"has {len(cells)} cells"
            raise ConfigError(file, f"row {len(rows) + 1}", problem, f"{len(header)}, as many as the header")
        rows.append(dict(zip(header, (cell.strip() for cell in cells), strict=True)))
    if not rows:
        raise ConfigError(file, "", "has no rows", "at least one printed number")
    return rows


@dataclass(frozen=True)
class _Rows:
    """The rows of one CSV and the sets that may answer them."""

    file: str
    sets: tuple[ScenarioSet, ...]
    rows: list[dict[str, str]]

    def numbers(self) -> list[PublishedNumber]:
        return [self._number(row, cells) for row, cells in enumerate(self.rows, start=1)]

    def _error(self, row: int, column: str, problem: str, allowed: str) -> ConfigError:
        return ConfigError(self.file, f"row {row}.{column}" if column else f"row {row}", problem, allowed)

    def _number(self, row: int, cells: Mapping[str, str]) -> PublishedNumber:
        kind, metric, unit, printed = (cells[column] for column in ("kind", "metric", "unit", "published"))
        relation = cells.get("relation", "")
        if kind not in KINDS:
            raise self._error(row, "kind", f"{kind!r} is unknown", f"one of: {', '.join(KINDS)}")
        against, along = cells.get("against", ""), cells.get("along", "")
        if not _is_metric(metric.removesuffix(EACH)):
            raise self._error(row, "metric", f"{metric!r} is not a metric", _METRIC["description"])
        if relation not in RELATIONS:
            allowed = f"one of: {', '.join(name for name in RELATIONS if name)}, or empty"
            raise self._error(row, "relation", f"{relation!r} is unknown", allowed)
        if along and metric.endswith(EACH):
            raise self._error(row, "along", f"there are already several {metric}", "one or the other")
        if relation in TRENDS and along in ("", ALL) and not metric.endswith(EACH):
            problem = f"{along!r} has no direction, but {relation} is a trend"
            raise self._error(row, "along", problem, f"a parameter, or a metric with {EACH}")
        if printed and _NUMBER.fullmatch(printed) is None:
            raise self._error(row, "published", f"{printed!r} is not a number", "digits as printed, or empty")
        try:
            units.factor(unit, unit)
        except units.UnitError as error:
            raise self._error(row, "unit", str(error), "e.g. kbit/s, ms, %, packets, 1") from None
        scenario_set = self._set(row, cells.get("set", ""))
        answering = scenario_set.models if kind == "model" else scenario_set.engines
        if not answering:
            who = "model" if kind == "model" else "engine"
            problem = f"{kind}, but no {who} answers {scenario_set.full_name}"
            raise self._error(row, "kind", problem, f"a set with one in its {who}s")
        return PublishedNumber(
            row=row,
            kind=kind,
            metric=metric,
            unit=unit,
            published=Decimal(printed) if printed else None,
            note=cells["note"],
            relation=RELATIONS[relation],
            against=against,
            along=along,
            inconsistent=cells.get("inconsistent", ""),
            places=tuple(
                Place(at, point, self._against(row, against, point, at))
                for at, point in self._series(row, along, cells, scenario_set)
            ),
            tolerance=None,
            deviation="",
        )

    def _set(self, row: int, name: str, column: str = "set") -> ScenarioSet:
        names = ", ".join(scenario_set.name for scenario_set in self.sets)
        if not name and len(self.sets) == 1:
            return self.sets[0]
        for scenario_set in self.sets:
            if scenario_set.name == name:
                return scenario_set
        problem = (
            f"{name!r} is none of the item's sets" if name else "is empty, but the item has several sets"
        )
        raise self._error(row, column, problem, f"one of: {names}")

    def _points(self, row: int, cells: Mapping[str, str], scenario_set: ScenarioSet) -> list[Point]:
        """Return the points whose swept values are those of the row; an empty cell asks for nothing."""
        chosen = list(scenario_set.points)
        for path, text in cells.items():
            if path in REQUIRED or path in OPTIONAL or not text:
                continue
            try:
                wanted = _value(path, text)
            except ValueError as error:
                raise self._error(row, path, str(error), "a value as in the scenario") from None
            matching = [point for point in chosen if point.parameters.get(path) == wanted]
            if not matching:
                values = sorted({str(point.parameters[path]) for point in chosen if path in point.parameters})
                allowed = (
                    f"one of: {', '.join(values)}" if values else "it is not swept: leave the cell empty"
                )
                raise self._error(row, path, f"{text} selects no point of {scenario_set.full_name}", allowed)
            chosen = matching
        return chosen

    def _point(self, row: int, cells: Mapping[str, str], scenario_set: ScenarioSet) -> Point:
        """Return the one point that the row selects."""
        chosen = self._points(row, cells, scenario_set)
        if len(chosen) > 1:
            paths = sorted({path for point in chosen for path in point.parameters})
            problem = f"selects {len(chosen)} points of {scenario_set.full_name}"
            raise self._error(row, "", problem, f"exactly one, by columns among: {', '.join(paths)}")
        return chosen[0]

    def _series(
        self, row: int, along: str, cells: Mapping[str, str], scenario_set: ScenarioSet
    ) -> tuple[tuple[ScenarioSet, Point], ...]:
        """Return the points that the row speaks of, its own first, each with its set."""
        if along == ALL:
            return tuple((scenario_set, point) for point in self._points(row, cells, scenario_set))
        point = self._point(row, cells, scenario_set)
        if not along:
            return ((scenario_set, point),)
        try:
            return series_from(point, along, scenario_set, self.sets)
        except ValueError as error:
            raise self._error(row, "along", str(error), "a parameter whose value grows, or *") from None

    def _against(self, row: int, text: str, point: Point, scenario_set: ScenarioSet) -> Place | None:
        """Return the place that differs from the given one in the value, or the set, that the text names."""
        if not text or _is_metric(text):
            return None
        path, _, value = (part.strip() for part in text.partition("="))
        if path == "set":
            other_set = self._set(row, value, "against")
            for other in other_set.points:
                if other.parameters == point.parameters and other_set is not scenario_set:
                    return Place(other_set, other)
            raise self._error(row, "against", f"{text} has no point {point.name}", "a set of the same sweep")
        try:
            wanted = {**point.parameters, path: _value(path, value)}
        except (LookupError, ValueError) as error:
            allowed = "<swept path> = <value>, set = <set>, or a metric"
            raise self._error(row, "against", str(error.args[0]), allowed) from None
        for other in scenario_set.points:
            if other.parameters == wanted and other is not point:
                return Place(scenario_set, other)
        problem = f"{text} leads to no other point of {scenario_set.full_name}"
        raise self._error(row, "against", problem, "another value of a swept parameter, all else the same")


def _with_rules(
    numbers: Iterable[PublishedNumber], spec: Mapping[str, Any], file: str, where: str
) -> tuple[PublishedNumber, ...]:
    """Return the numbers with the first tolerance and all deviations that match each.

    ConfigError where a number has no tolerance, and where an entry matches none: it would be a misspelling.
    """
    tolerances = [(f"{where}.tolerances[{i}]", entry) for i, entry in enumerate(spec.get("tolerances", []))]
    deviations = [(f"{where}.deviations[{i}]", entry) for i, entry in enumerate(spec.get("deviations", []))]
    matches = {place: _matcher(entry, file, place) for place, entry in (*tolerances, *deviations)}
    used: set[str] = set()
    result = []
    for number in numbers:
        notes = [(place, entry["note"]) for place, entry in deviations if matches[place](number)]
        used.update(place for place, _ in notes)
        tolerance = None
        for place, entry in tolerances:
            if matches[place](number):
                used.add(place)
                tolerance = _tolerance(entry, number.unit, file, place)
                break
        if tolerance is None and number.published is not None and not number.inconsistent:
            problem = f"row {number.row} ({number.kind}, {number.metric}) has no tolerance"
            raise ConfigError(
                file, f"{where}.tolerances", problem, "an entry that matches it, with its reason"
            )
        result.append(replace(number, tolerance=tolerance, deviation="; ".join(note for _, note in notes)))
    for place in matches:
        if place not in used:
            raise ConfigError(
                file,
                place,
                "matches no row that an earlier entry has not",
                "a kind, metric and where of the CSV",
            )
    return tuple(result)


def _matcher(entry: Mapping[str, Any], file: str, place: str) -> Callable[[PublishedNumber], bool]:
    """Return the test whether a number is one that an entry of `tolerances` or `deviations` speaks of."""
    where: dict[str, list[str | int | float]] = {}
    for path, values in entry.get("where", {}).items():
        try:
            where[path] = [
                _value(path, str(value)) for value in (values if isinstance(values, list) else [values])
            ]
        except (LookupError, ValueError) as error:
            raise ConfigError(
                file, f"{place}.where.{path}", str(error.args[0]), "a swept path with a value"
            ) from None

    def matches(number: PublishedNumber) -> bool:
        return (
            entry.get("kind", number.kind) == number.kind
            and entry["metric"] in ("*", number.metric, _any_of(number.metric))
            and all(number.point.parameters.get(path) in values for path, values in where.items())
        )

    return matches


def _is_metric(text: str) -> bool:
    return re.fullmatch(_METRIC["pattern"], text) is not None


def _any_of(metric: str) -> str:
    """Return how an entry names a metric and its like: `on_time[*]` for `on_time[3-6]`."""
    return re.sub(r"\[.*\]", "[*]", metric)


def _tolerance(entry: Mapping[str, Any], unit: str, file: str, place: str) -> Tolerance:
    try:
        absolute = units.parse(entry["absolute"], unit) if "absolute" in entry else None
    except units.UnitError as error:
        raise ConfigError(
            file, f"{place}.absolute", str(error), f"a quantity that converts to {unit}"
        ) from None
    if absolute is not None and absolute <= 0:
        raise ConfigError(file, f"{place}.absolute", f"{entry['absolute']} is out of range", "more than 0")
    return Tolerance(
        reason=entry["reason"],
        relative=units.parse(entry["relative"], "1") if "relative" in entry else None,
        absolute=absolute,
        printed_digits=entry.get("printed_digits", False),
    )


def _network_schema(path: str) -> schema.Schema:
    return schema.property_at(schema.load("scenario")["properties"]["base"], path)


def _value(path: str, text: str) -> str | int | float:
    """Return a value as it stands in a point's parameters; ValueError or LookupError if it can be none."""
    if path == SAMPLED_SET:
        return text
    target = _network_schema(path)
    if "quantity" in target:
        return units.plain(units.parse(text, target["quantity"]["unit"]))
    if target.get("type") in ("integer", "number"):
        return units.plain(units.parse(text, "1"))
    return text
