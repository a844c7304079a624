"""Expands scenario sets into points: sweeps, layers of values by path, and names."""

import itertools
import json
import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from tcpatlas.base import units
from tcpatlas.base.errors import ConfigError
from tcpatlas.base.units import plain
from tcpatlas.base.validation import LONGEST_NAME, Model, in_si, read, type_at
from tcpatlas.points import design, kinds, nuisance
from tcpatlas.points.errors import PointError
from tcpatlas.points.run_length import RunLength
from tcpatlas.points.scenario import SetSpec, Span, Sweep
from tcpatlas.points.types import Point
from tcpatlas.points.unused import Unused, over, written_at

_MOST_SPACED = 100000
_MOST_POINTS = 100000

Network = Mapping[str, Any]
# Raises PointError for a point that an engine or a model cannot answer.
Check = Callable[[Mapping[str, Any]], None]


@dataclass(frozen=True)
class Layer:
    """Values by dotted path, and where in the scenario file they stand."""

    origin: str
    values: Mapping[str, Any]


class Base:
    """A base, written in `file` at `where`, to which sets apply their values.

    Raises ConfigError for what is wrong in it.
    """

    def __init__(self, written: Mapping[str, Any], file: str, where: str = "base") -> None:
        name = written.get("kind", kinds.DEFAULT)
        if name not in kinds.KINDS:
            allowed = f"one of: {', '.join(kinds.KINDS)}"
            raise ConfigError(file, f"{where}.kind", f"{name!r} is unknown", allowed)
        self.file = file
        self.kind = kinds.KINDS[name]
        self.network: Network = _unfolded(read(self.kind.Base, written, file, where))
        self.written: Mapping[str, str] = dict(written_at(where, written))

    def type_of(self, path: str, where: str) -> Any:
        """Return the type of the value at a path, which is written at `where`."""
        try:
            return type_at(self.kind.Base, path)
        except LookupError as error:
            raise ConfigError(self.file, where, str(error.args[0])) from None

    def value(self, path: str, written: Any, where: str) -> Any:
        """Return a value, as written at `where`, as it will be applied at a path."""
        return self.values(path, [(where, written)])[0]

    def values(self, path: str, written: Sequence[tuple[str, Any]]) -> list[Any]:
        """Return several values, each with where it is written, as they will be applied at a path."""
        kind = self.type_of(path, re.sub(r"\[0\]$", "", written[0][0]))
        return [_unfolded(read(kind, value, self.file, where)) for where, value in written]

    def layer(self, values: Mapping[str, Any], origin: str) -> Layer:
        """Return values as written at `origin` as a layer."""
        return Layer(
            origin, {path: self.value(path, value, f"{origin}.{path}") for path, value in values.items()}
        )

    def applied(self, network: Network, layer: Layer) -> Network:
        """Return a copy of the network with the layer's values in place.

        Of two paths for the same quantity, a layer that gives one drops the inherited value of the other.
        """
        for path, value in layer.values.items():
            try:
                network = _replaced(network, path.split("."), value)
            except KeyError as missing:
                problem = f"the base has no {missing.args[0]!r} here that could be changed"
                raise ConfigError(self.file, f"{layer.origin}.{path}", problem) from None
            other = self.kind.ALTERNATIVES.get(path)
            if other is not None and other not in layer.values:
                network = _without(network, other.split("."))
        return network


def expand(
    study: str,
    name: str,
    spec: SetSpec,
    base: Base,
    length: RunLength,
    checks: Sequence[Check] = (),
    wanted: Collection[str] | None = None,
    unused: Unused | None = None,
) -> tuple[Point, ...]:
    """Return the points of the set `name` of a scenario, or those `wanted` by name; each passes the checks.

    `unused` records which of the written keys each point takes.

    Raises ConfigError for a path that does not exist, a value that is not allowed where it is applied, values
    that exclude one another, points that a check refuses, and points that do not differ.
    """
    where = f"sets.{name}"
    override = base.layer(spec.override, f"{where}.override")
    overridden = base.applied(base.network, override)
    entries = (
        entry
        for path, value in spec.override.items()
        for entry in written_at(f"{override.origin}.{path}", value, path)
    )
    written = over(base.written, dict(entries), spec.override)
    replications = length.replications_of(spec.replications)
    points: dict[str, Point] = {}
    names: dict[str, str] = {}
    first = ""
    before: Network = {}
    known: dict[int, tuple[Model, Any]] = {}
    typed: Model | None = None
    for position, (swept, point_name) in enumerate(_sweep(spec.sweep, f"{where}.sweep", base)):
        first = first or point_name
        if wanted is not None and point_name not in wanted:
            continue
        network = base.applied(overridden, swept)
        try:
            # Only values that differ from the previous point are validated.
            typed = read(base.kind.Base, _typed(network, before, typed), base.file, where)
            before = network
            fields = in_si(base.kind.point_fields(typed, length.factor), known)
            for check in checks:
                check(fields)
            if unused is not None:
                here = {path: f"{swept.origin}.{path}" for path in swept.values}
                unused.see(typed, over(written, here, here))
        except PointError as error:
            place = _origin(error.paths, [override, swept])
            raise ConfigError(base.file, place, f"{error} (at {study}/{name}/{point_name})") from None
        identity = {**fields, "stop": network["stop"], "probes": None}
        twin = names.setdefault(json.dumps(identity, default=str), point_name)
        problem = None
        if point_name in points:
            problem = f"the point {point_name} comes twice"
        elif twin != point_name:
            problem = f"the points {twin} and {point_name} are the same"
        elif len(point_name) > LONGEST_NAME:
            problem = f"the point's name {point_name} is longer than {LONGEST_NAME} characters"
        if problem:
            raise ConfigError(base.file, f"{where}.sweep", problem, "short values that differ")
        if spec.replications and spec.replications.common_random_numbers:
            replications = {**replications, "seeds_of": first}
        if spec.replications and spec.replications.nuisance:
            variants = _variants(base, network, fields, length, replications["maximum"] - 1, spec, where)
            replications = {**replications, "variants": variants}
        document = {
            "schema": "tcp-atlas/point/3",
            "study": study,
            "set": name,
            "point": point_name,
            "parameters": {path: _json_value(value) for path, value in swept.values.items()},
            **fields,
            "replications": replications,
            "seed": length.seed,
        }
        points[point_name] = Point(study, name, point_name, document, position, network)
    return tuple(points.values())


def _variants(
    base: Base, network: Network, fields: Network, length: RunLength, count: int, spec: SetSpec, where: str
) -> list[nuisance.Changes]:
    """Return what so many variants of a point change in its fields.

    Raises ConfigError where a parameter is no quantity, or its values are not allowed or change nothing.
    """
    assert spec.replications is not None
    origin = f"{where}.replications.nuisance"
    layers: list[dict[str, Decimal]] = [{} for _ in range(count)]
    for place, (path, share) in enumerate((spec.replications.nuisance or {}).items()):
        value: Any = network
        for key in path.split("."):
            value = value.get(key) if isinstance(value, Mapping) else None
        if not isinstance(value, Decimal) or value == 0:
            raise ConfigError(
                base.file, f"{origin}.{path}", "is no quantity that could be off", "a rate or a time"
            )
        for layer, shift in zip(layers, nuisance.shifts(count, place), strict=True):
            layer[path] = value * (1 + share * shift)
    variants = []
    for layer in layers:
        typed: Model = read(base.kind.Base, base.applied(network, Layer(origin, layer)), base.file, origin)
        try:
            variants.append(nuisance.changes(fields, in_si(base.kind.point_fields(typed, length.factor))))
        except PointError as error:
            raise ConfigError(base.file, origin, str(error), "a smaller share") from None
    return variants


def _sweep(sweep: Sweep | None, where: str, base: Base) -> Iterator[tuple[Layer, str]]:
    """Yield each point's swept values, as they will be applied, and its name."""
    if sweep is None:
        yield Layer(where, {}), _point_name({})
    elif sweep.grid is not None:
        written = _written(sweep.grid, f"{where}.grid", base.file)
        _check_count(_points_of_grid(written), f"{where}.grid", base.file)
        yield from _combinations(written, f"{where}.grid", base)
    elif sweep.design is not None:
        yield from _designed(sweep.design, f"{where}.design.over", base)
    else:
        grids = [
            _written(entry, f"{where}.list[{index}]", base.file)
            for index, entry in enumerate(sweep.entries or ())
        ]
        _check_count(sum(map(_points_of_grid, grids)), f"{where}.list", base.file)
        for index, written in enumerate(grids):
            yield from _combinations(written, f"{where}.list[{index}]", base)


def _designed(wanted: design.Design, origin: str, base: Base) -> Iterator[tuple[Layer, str]]:
    """Yield the points of a design written at `origin`, which are named by their numbers."""
    types = {path: base.type_of(path, f"{origin}.{path}") for path in wanted.over}
    columns = design.columns(wanted, types, origin, base.file)
    applied = [
        base.values(path, [(f"{origin}.{path}", value) for value in values])
        for path, values in columns.items()
    ]
    digits = len(str(wanted.points))
    for number, row in enumerate(zip(*applied, strict=True), start=1):
        yield Layer(origin, dict(zip(columns, row, strict=True))), f"{number:0{digits}}"


# The values of each path of a grid, each with where it is written.
Written = Mapping[str, list[tuple[str, Any]]]


def _written(grid: Mapping[str, Any], origin: str, file: str) -> Written:
    """Return the values of a grid written at `origin`; a single value needs no list."""
    written: dict[str, list[tuple[str, Any]]] = {}
    for path, values in grid.items():
        where = f"{origin}.{path}"
        if isinstance(values, str | int | float):
            written[path] = [(where, values)]
        else:
            several = values if isinstance(values, list) else _spaced(values, where, file)
            written[path] = [(f"{where}[{index}]", value) for index, value in enumerate(several)]
    return written


def _points_of_grid(written: Written) -> int:
    return math.prod(map(len, written.values()))


def _check_count(count: int, origin: str, file: str) -> None:
    if count > _MOST_POINTS:
        raise ConfigError(file, origin, f"makes {count} points", f"at most {_MOST_POINTS} of a set")


def _combinations(written: Written, origin: str, base: Base) -> Iterator[tuple[Layer, str]]:
    """Yield every combination of the values of a grid written at `origin`."""
    rows = [[value for _, value in values] for values in written.values()]
    columns = [base.values(path, values) for path, values in written.items()]
    for raw, applied in zip(itertools.product(*rows), itertools.product(*columns), strict=True):
        name = _point_name(dict(zip(written, raw, strict=True)))
        yield Layer(origin, dict(zip(written, applied, strict=True))), name


def _spaced(span: Span, where: str, file: str) -> list[str]:
    """Return evenly spaced values as one would write them, in the unit of the first.

    Raises ConfigError for units that do not fit, a step that is not positive, and no or too many values.
    """
    try:
        start, unit = units.split(span.first)
        end, step = (units.parse(text, unit) for text in (span.to, span.step))
    except units.UnitError as error:
        raise ConfigError(file, where, str(error), "from, to and step in one dimension") from None
    if step <= 0:
        raise ConfigError(file, f"{where}.step", f"{span.step} is out of range", "more than 0")
    count = int((end - start) / step) + 1
    if not start <= end or count > _MOST_SPACED:
        problem = f"holds {max(count, 0) if start <= end else 0} values"
        raise ConfigError(file, where, problem, f"1 to {_MOST_SPACED}")
    suffix = "" if unit == "1" else f" {unit}"
    return [f"{(start + index * step).normalize():f}{suffix}" for index in range(count)]


def _unfolded(value: Any) -> Any:
    """Return a value with models as mappings, without keys that are not given."""
    if isinstance(value, Mapping):
        return {key: _unfolded(entry) for key, entry in value.items()}
    return value.model_dump(exclude_none=True) if isinstance(value, Model) else value


def _typed(value: Any, before: Any, typed: Any) -> Any:
    """Return a value in which the parts equal to an earlier value keep their earlier types."""
    if value is before:
        return typed
    if isinstance(value, dict) and isinstance(typed, Model):
        return {
            key: _typed(entry, before.get(key), getattr(typed, key, entry)) for key, entry in value.items()
        }
    return value


def _replaced(tree: Network, keys: Sequence[str], value: Any) -> Network:
    """Return a tree with another value at the keys; KeyError names a folder that is not there."""
    first, *others = keys
    return {**tree, first: _replaced(tree[first], others, value) if others else value}


def _without(tree: Network, keys: Sequence[str]) -> Network:
    """Return a tree without the value at the keys, if any."""
    first, *others = keys
    if not others:
        return {key: entry for key, entry in tree.items() if key != first}
    return {**tree, first: _without(tree[first], others)} if first in tree else tree


def _origin(paths: tuple[str, ...], layers: Sequence[Layer]) -> str:
    """Return where in the file the values at the paths come from: the last layer that touches one of them."""
    for layer in reversed(layers):
        for path in paths:
            folder, bracket, index = path.partition("[")
            for key in layer.values:
                if f"{key}.".startswith(f"{folder}.") or f"{folder}.".startswith(f"{key}."):
                    return f"{layer.origin}.{key}" + (f"{bracket}{index}" if key == folder else "")
    return f"base.{paths[0]}"


def _point_name(raw: Mapping[str, Any]) -> str:
    """Name a point by the last part of each swept path and its value as written."""
    return "_".join(f"{path.rpartition('.')[2]}-{_slug(value)}" for path, value in raw.items()) or "base"


def _slug(value: str | float) -> str:
    text = str(value).replace("%", "percent").replace("µ", "u").replace("μ", "u")
    return re.sub(r"[^A-Za-z0-9.]+", "-", text).strip("-")


def _json_value(value: Any) -> str | int | float:
    return plain(value) if isinstance(value, Decimal | float) else value
