"""From scenario sets to points: sweeps, names, and the files in `results/points/`."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from tcpatlas.base import schema, units
from tcpatlas.base.errors import ConfigError
from tcpatlas.base.files import digest_line, to_json, write_if_changed
from tcpatlas.base.units import plain
from tcpatlas.points.network import NetworkError, point_fields
from tcpatlas.points.probes import ProbeError, point_probes
from tcpatlas.points.run_length import RunLength
from tcpatlas.points.types import Point

_ALTERNATIVES = {"rtt": "propagation", "propagation": "rtt"}
_LONGEST_NAME = 200
_MOST_SPACED = 100000


@dataclass(frozen=True)
class Layer:
    """Values by dotted path, and where in the scenario file they stand."""

    origin: str
    values: Mapping[str, Any]


def expand(
    study: str, file: str, name: str, spec: Mapping[str, Any], base: Mapping[str, Any], length: RunLength
) -> tuple[Point, ...]:
    """Return the points of the set `name`; `base` is the scenario's base as written.

    Raises ConfigError for a path that does not exist, a value that is not allowed where it is applied, values
    that exclude one another, and points that do not differ.
    """
    base_si = schema.to_si(base, schema.load("scenario")["properties"]["base"])
    where = f"sets.{name}"
    override = Layer(f"{where}.override", _checked(spec.get("override", {}), f"{where}.override", file))
    points: dict[str, Point] = {}
    names: dict[str, str] = {}
    for swept, written in _sweep(spec.get("sweep"), f"{where}.sweep", file):
        network = _apply(base_si, [override, swept])
        point_name = _point_name(written)
        try:
            fields = point_fields(network)
        except NetworkError as error:
            place = _origin(error.paths, [override, swept])
            raise ConfigError(file, place, f"{error} (at {study}/{name}/{point_name})") from None
        try:
            probes = point_probes(network["probes"], fields["sources"]["workload"], fields["tcp"]["variant"])
        except ProbeError as error:
            place = _origin(("probes",), [override, swept]) + error.where
            raise ConfigError(file, place, str(error)) from None
        twin = names.setdefault(json.dumps(fields | {"stop": network["stop"]}, default=str), point_name)
        problem = None
        if point_name in points:
            problem = f"the point {point_name} comes twice"
        elif twin != point_name:
            problem = f"the points {twin} and {point_name} are the same"
        elif len(point_name) > _LONGEST_NAME:
            problem = f"the point's name {point_name} is longer than {_LONGEST_NAME} characters"
        if problem:
            raise ConfigError(file, f"{where}.sweep", problem, "short values that differ")
        parameters = {path: _json_value(value) for path, value in swept.values.items()}
        points[point_name] = Point(
            study,
            name,
            point_name,
            {
                "schema": "tcp-atlas/point/1",
                "study": study,
                "set": name,
                "point": point_name,
                "parameters": parameters,
                **fields,
                "stop": length.stop(network["stop"]),
                "probes": probes,
                "replications": length.replications_of(spec),
                "seed": length.seed,
            },
            place=len(points),
        )
    return tuple(points.values())


def write_points(points: Iterable[Point], results: Path) -> list[str]:
    """Write each point's file where its content changed; return a line for each as `sha256sum` writes it."""
    lines = []
    for point in points:
        text = to_json(point.document)
        write_if_changed(point.path(results), text)
        lines.append(digest_line(text, point.path(results)))
    return lines


def _sweep(
    sweep: Mapping[str, Any] | None, where: str, file: str
) -> Iterator[tuple[Layer, Mapping[str, Any]]]:
    """Yield each point's swept values: in SI units, and as written."""
    if sweep is None:
        yield Layer(where, {}), {}
    elif "grid" in sweep:
        grid = {
            path: _spaced(values, f"{where}.grid.{path}", file) if isinstance(values, Mapping) else values
            for path, values in sweep["grid"].items()
        }
        columns = [_column(path, values, f"{where}.grid.{path}", file) for path, values in grid.items()]
        for raw, values in zip(itertools.product(*grid.values()), itertools.product(*columns), strict=True):
            layer = Layer(f"{where}.grid", dict(zip(grid, values, strict=True)))
            yield layer, dict(zip(grid, raw, strict=True))
    else:
        for index, entry in enumerate(sweep["list"]):
            origin = f"{where}.list[{index}]"
            yield Layer(origin, _checked(entry, origin, file)), entry


def _spaced(span: Mapping[str, Any], where: str, file: str) -> list[str]:
    """Return the values of `{from, to, step}` as one would write them, in the unit of `from`.

    Raises ConfigError for units that do not fit, a step that is not positive, and no or too many values.
    """
    try:
        start, unit = units.split(span["from"])
        end, step = (units.parse(span[key], unit) for key in ("to", "step"))
    except units.UnitError as error:
        raise ConfigError(file, where, str(error), "from, to and step in one dimension") from None
    if step <= 0:
        raise ConfigError(file, f"{where}.step", f"{span['step']} is out of range", "more than 0")
    count = int((end - start) / step) + 1
    if not start <= end or count > _MOST_SPACED:
        problem = f"holds {max(count, 0) if start <= end else 0} values"
        raise ConfigError(file, where, problem, f"1 to {_MOST_SPACED}")
    suffix = "" if unit == "1" else f" {unit}"
    return [f"{(start + index * step).normalize():f}{suffix}" for index in range(count)]


def _column(path: str, values: list[Any], where: str, file: str) -> list[Any]:
    target = _target(path, where, file)
    return [_si(value, target, f"{where}[{index}]", file) for index, value in enumerate(values)]


def _checked(values: Mapping[str, Any], origin: str, file: str) -> dict[str, Any]:
    checked = {}
    for path, value in values.items():
        where = f"{origin}.{path}"
        checked[path] = _si(value, _target(path, where, file), where, file)
    return checked


def _target(path: str, where: str, file: str) -> schema.Schema:
    """Return the schema of the place in the base where a value will be applied."""
    try:
        return schema.property_at(schema.load("scenario")["properties"]["base"], path)
    except LookupError as error:
        raise ConfigError(file, where, str(error.args[0])) from None


def _si(value: Any, target: schema.Schema, where: str, file: str) -> Any:
    schema.validate(value, target, file, where)
    return schema.to_si(value, target)


def _apply(base: Mapping[str, Any], layers: list[Layer]) -> dict[str, Any]:
    """Return the network with each layer's values in place.

    `rtt` and `propagation` say the same thing in two ways: a layer that gives one drops what it inherits of
    the other.
    """
    network: dict[str, Any] = _copied(base)
    for layer in layers:
        for path, value in layer.values.items():
            *folders, key = path.split(".")
            target = network
            for folder in folders:
                target = target[folder]
            target[key] = _copied(value)
            other = _ALTERNATIVES.get(path)
            if other is not None and other not in layer.values:
                network.pop(other, None)
    return network


def _copied(value: Any) -> Any:
    """Return a copy whose mappings may be changed; what else there is nobody changes."""
    return {key: _copied(item) for key, item in value.items()} if isinstance(value, Mapping) else value


def _origin(paths: tuple[str, ...], layers: list[Layer]) -> str:
    """Return where in the file the values at the paths come from: the last layer that touches one of them."""
    for layer in reversed(layers):
        for path in paths:
            for key in layer.values:
                if f"{key}.".startswith(f"{path}.") or f"{path}.".startswith(f"{key}."):
                    return f"{layer.origin}.{key}"
    return f"base.{paths[0]}"


def _point_name(raw: Mapping[str, Any]) -> str:
    """Name a point by the last part of each swept path and its value as written."""
    return "_".join(f"{path.rpartition('.')[2]}-{_slug(value)}" for path, value in raw.items()) or "base"


def _slug(value: str | float) -> str:
    text = str(value).replace("%", "percent").replace("µ", "u").replace("μ", "u")
    return re.sub(r"[^A-Za-z0-9.]+", "-", text).strip("-")


def _json_value(value: Any) -> str | int | float:
    return plain(value) if isinstance(value, Decimal) else value
