"""Descriptions of the engines, `engine.yaml`: what each takes, costs and requires."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Le, Len
from pydantic import BeforeValidator, Discriminator, Field, Tag, model_validator

from tcpatlas.base.errors import ConfigError
from tcpatlas.base.files import read_yaml
from tcpatlas.base.tree import TREE
from tcpatlas.base.validation import Model, Number, problem, read
from tcpatlas.points.errors import PointError

FOLDER = TREE / "workflow" / "engines"
_INCLUDE_FOLDERS = (Path("/usr/include"), Path("/usr/local/include"))
_BUILD_FOLDER = FOLDER.parents[1] / "build"
# Parts of a point that an engine takes only if it names them: without them a point is simpler.
_ON_REQUEST = (
    "cross_traffic",
    "links.bottleneck.ecn",
    "links.bottleneck.flow_limit_packets",
    "links.bottleneck.flows",
    "links.bottleneck.interval_s",
    "links.bottleneck.loss_growth",
    "links.bottleneck.loss_process",
    "links.bottleneck.max_drop",
    "links.bottleneck.max_threshold_packets",
    "links.bottleneck.min_threshold_packets",
    "links.bottleneck.rate_steps",
    "links.bottleneck.target_s",
    "links.bottleneck.token_bucket",
    "links.bottleneck.weight",
    "rtt_distribution",
    "sources.tcp.delayed_ack",
    "sources.tcp.ecn",
    "sources.tcp.idle_restart_s",
    "sources.tcp.loss_detection",
    "sources.tcp.pacing",
    "sources.tcp.sack_recovery",
    "sources.tcp.sack",
    "sources.tcp.timestamps",
    "stations.drop",
    "stations.load",
)
# What a key of a point has that the same key of a base has not.
_SI_SUFFIX = re.compile(r"_(bit_per_s|s|packets|probability)$")

Factor = Annotated[Number, Gt(0), Le(1)]


def _list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _form(value: Any) -> str:
    return "?text" if isinstance(value, str) else "?list" if isinstance(value, list) else "?mapping"


class Range(Model):
    """The least and the most that is taken of a number, or of the entries of a list."""

    least: Number = 0
    most: Number


Values = Annotated[list[str], BeforeValidator(_list)]
# Values that are taken, a range, or whether there may be anything at all.
Allowed = Annotated[
    Annotated[Literal["any", "none"], Tag("?text")]
    | Annotated[list[str], Tag("?list")]
    | Annotated[Range, Tag("?mapping")],
    Discriminator(_form),
]


class Where(Model):
    """The points that have one of these values at each of these paths; without any, all of them.

    A path goes through lists, and names one group of sources after the other; `groups` is the list of them.
    Where it ends at a mapping, its keys are its values: `stop: connections`.
    """

    where: dict[str, Values] = Field(default_factory=dict, alias="with")

    def holds(self, point: Mapping[str, Any]) -> bool:
        """Say whether a point, seen from one of its groups, is one of them."""
        for path, wanted in self.where.items():
            if not any(choice in wanted for value in _at(point, path) for choice in _values(value)):
                return False
        return True


class Rule(Where):
    """The values that are taken, by path; where a point has no such path, there is nothing to take."""

    only: dict[str, Allowed]

    def check(self, name: str, point: Mapping[str, Any]) -> None:
        """Raise PointError unless the engine of this name takes a point, seen from one of its groups."""
        if not self.holds(point):
            return
        for path, allowed in self.only.items():
            if not all(_is_taken(value, allowed) for value in _at(point, path)):
                placed = _found(point, path)
                value, place = next(seen for seen in placed if not _is_taken(seen[0], allowed))
                raise self._refusal(name, value, place, allowed)

    def _refusal(self, name: str, value: Any, place: str, allowed: Any) -> PointError:
        what = f"{len(value)} {place}" if isinstance(value, list) else f"{place} {next(iter(_values(value)))}"
        if isinstance(value, Mapping) and allowed == "none":
            what = place
        beside = " and ".join(
            f"{_base_path(path)} {' or '.join(wanted)}" for path, wanted in self.where.items()
        )
        culprits = [place, *(_base_path(path) for path in self.where), "groups"]
        instead = _shown(allowed)
        return PointError(
            tuple(dict.fromkeys(culprits)),
            f"{name} does not take {what}{f' with {beside}' if beside else ''}; {instead}",
        )


class Speed(Where):
    """The speed of an engine with some points."""

    packets_per_core_second: Annotated[Number, Gt(0)]


class Cost(Model):
    """The speed of an engine; of `but`, other speeds with some points, the first that fits counts."""

    packets_per_core_second: Annotated[Number, Gt(0)]
    but: list[Speed] = Field(default_factory=list)

    def seconds(self, point: Mapping[str, Any], packets: float) -> float:
        """Return how long a core takes for so many packets of a point, about."""
        seen = next(_by_group(point))
        fitting = (exception.packets_per_core_second for exception in self.but if exception.holds(seen))
        return packets / float(next(fitting, self.packets_per_core_second))


class Requirement(Model):
    """A thing that an engine is made of or runs with: a `header`, or a `file` below build/.

    `what` it belongs to, and what puts it there: a Debian `package`, or a `command` of the project.
    """

    header: str | None = None
    file: str | None = None
    what: str
    package: str | None = None
    command: str | None = None

    @model_validator(mode="after")
    def _one_of_each(self) -> Requirement:
        for one, other in (("header", "file"), ("package", "command")):
            if (getattr(self, one) is None) == (getattr(self, other) is None):
                raise problem(f"exactly one of {one} and {other} is needed")
        return self

    @property
    def places(self) -> list[Path]:
        """The paths where it may be."""
        if self.header is not None:
            return [folder / self.header for folder in _INCLUDE_FOLDERS]
        return [_BUILD_FOLDER / str(self.file)]


class Engine(Model):
    """An `engine.yaml`.

    `run_length` is the default factor on run lengths; `at_once` is how many replications of a point run at
    the same time. `takes` are rules that all hold. An engine `like` another is the same program: what it does
    not say is as with that one, whose rules hold too.
    """

    like: str | None = None
    title: str
    colour: Annotated[str, Field(pattern=r"^#[0-9A-F]{6}$")]
    shape: int
    deterministic: bool
    real_time: bool
    cost: Cost
    run_length: Factor = 1
    at_once: Annotated[int, Ge(1)] = 1
    requires: list[Requirement]
    takes: Annotated[list[Rule], Len(1)]


@cache
def all_engines() -> Mapping[str, Engine]:
    """Return all engines by name; raises ConfigError for what is wrong in an `engine.yaml`."""
    files = {path.parent.name: path for path in sorted(FOLDER.glob("*/engine.yaml"))}
    shown = {name: path.relative_to(FOLDER.parents[1]) for name, path in files.items()}
    written = {name: read_yaml(path, shown[name]) for name, path in files.items()}
    return {name: read(Engine, _like(written, name, shown[name]), shown[name]) for name in files}


def _like(written: Mapping[str, Any], name: str, file: Path) -> Any:
    """Return what an engine says, completed by what the one that it is like says."""
    description = written[name]
    if not isinstance(description, dict) or "like" not in description:
        return description
    others = [other for other, says in written.items() if isinstance(says, dict) and "like" not in says]
    if description["like"] not in others:
        raise ConfigError(file, "like", f"{description['like']!r} is unknown", f"one of: {', '.join(others)}")
    other = written[description["like"]]
    return {**other, **description, "takes": [*other.get("takes", []), *description.get("takes", [])]}


def missing(engine: str) -> str | None:
    """Say in one line what an engine lacks here, None if nothing."""
    for required in all_engines()[engine].requires:
        if not any(place.exists() for place in required.places):
            by = f"Debian: {required.package}" if required.package else f"by {required.command}"
            return f"{required.what} is not installed ({by}); the engine {engine} is left out"
    return None


def code_of_engine(folder: Path, engine: str) -> list[str]:
    """Return the files in the folder of all engines that a program is made of: its own, and the kit's.

    An engine that is `like` another is made of that one's; tests are no part of it.
    """
    program = all_engines()[engine].like or engine
    patterns = ("CMake*", f"{program}/CMakeLists.txt", f"{program}/src/**/*", f"{program}/uml/*", "kit/**/*")
    files = {path for pattern in patterns for path in folder.glob(pattern) if path.is_file()}
    return sorted(str(path) for path in files if not path.is_relative_to(folder / "kit/tests"))


@cache
def offered(path: str) -> tuple[str, ...]:
    """Return the values at a path of a point that at least one engine takes."""
    lists = (rule.only.get(path) for engine in all_engines().values() for rule in engine.takes)
    return tuple(dict.fromkeys(value for values in lists if isinstance(values, list) for value in values))


def taken(name: str, path: str, point: Mapping[str, Any]) -> list[str]:
    """Return the values that an engine takes at a path, where a point has what is given of one group."""
    lists = [
        one
        for rule in all_engines()[name].takes
        if rule.holds(point) and isinstance(one := rule.only.get(path), list)
    ]
    return [value for value in lists[0] if all(value in values for values in lists)] if lists else []


def check_takes(name: str, point: Mapping[str, Any]) -> None:
    """Raise PointError unless the engine takes the point."""
    rules = all_engines()[name].takes
    for seen in _by_group(point):
        for rule in rules:
            rule.check(name, seen)
        there = [path for path in _ON_REQUEST if _at(seen, path)]
        named = [path for rule in rules if there and rule.holds(seen) for path in rule.only]
        for path in there:
            if not any(f"{taken}.".startswith(f"{path}.") for taken in named):
                _, place = next(_found(seen, path))
                raise PointError((place, "groups"), f"{name} does not take it; leave it out")


def takes(name: str, point: Mapping[str, Any]) -> bool:
    """Return whether the engine takes the point."""
    try:
        check_takes(name, point)
    except PointError:
        return False
    return True


def _by_group(point: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the point once for each group of its sources, with that group as its `sources`."""
    for group in point["sources"]:
        yield {**point, "sources": group, "groups": point["sources"]}


def _at(point: Any, path: str) -> list[Any]:
    """Return what is at a path, in each element of a list on it."""
    values = [point]
    for key in _keys(path):
        values = [
            element[key]
            for value in values
            for element in (value if isinstance(value, list) else (value,))
            if key in element
        ]
        if not values:
            break
    return values


@cache
def _keys(path: str) -> list[str]:
    return path.split(".")


def _found(value: Any, path: str, place: str = "") -> Iterator[tuple[Any, str]]:
    """Yield what `_at` returns, with its path in the base."""
    if not path:
        yield value, _base_path(place)
    elif isinstance(value, list):
        for index, element in enumerate(value):
            yield from _found(
                element, path, f"{place}.{element['name']}" if "name" in element else f"{place}[{index}]"
            )
    else:
        key, _, rest = path.partition(".")
        if key in value:
            yield from _found(value[key], rest, f"{place}.{key}" if place else key)


def _base_path(path: str) -> str:
    """Return where a base has what a point has at a path."""
    for prefix, instead in (
        ("sources.tcp", "tcp"),
        ("sources.access", "links.access"),
        ("packet_bytes", "packet_size"),
    ):
        if f"{path}.".startswith(f"{prefix}."):
            path = instead + path.removeprefix(prefix)
    # A probe has its name as its key.
    return _SI_SUFFIX.sub("", re.sub(r"\]\.kind$", "]", path))


def _values(value: Any) -> Collection[Any]:
    return value if isinstance(value, dict) else (value,)


def _is_taken(value: Any, allowed: Any) -> bool:
    if isinstance(allowed, Range):
        return allowed.least <= (len(value) if isinstance(value, list) else value) <= allowed.most
    if isinstance(allowed, list):
        return any(choice in allowed for choice in _values(value))
    return bool(allowed == "any" or value == [])


def _shown(allowed: Any) -> str:
    if isinstance(allowed, Range):
        return (
            f"from {allowed.least:g} to {allowed.most:g}"
            if allowed.least < allowed.most
            else f"only {allowed.most:g}"
        )
    if allowed == "none":
        return "leave it out"
    return f"one of: {', '.join(allowed)}" if len(allowed) > 1 else f"only {allowed[0]}"
