"""What each engine says of itself in its `engine.yaml`: what it takes, costs and requires."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Le, Len
from pydantic import Field, model_validator

from tcpatlas.base.files import read_yaml
from tcpatlas.base.validation import Model, Number, problem, read
from tcpatlas.points.errors import PointError

FOLDER = Path(__file__).resolve().parents[2] / "engines"
_INCLUDE_FOLDERS = (Path("/usr/include"), Path("/usr/local/include"))
_BUILD_FOLDER = FOLDER.parents[1] / "build"

Texts = list[str]
Factor = Annotated[Number, Gt(0), Le(1)]


class Cost(Model):
    """How fast an engine is, and where it is slower or faster with a TCP variant or a kind of points."""

    packets_per_core_second: Annotated[Number, Gt(0)]
    of_kind: dict[str, Annotated[Number, Gt(0)]] = Field(default_factory=dict)
    of_variant: dict[str, Annotated[Number, Gt(0)]] = Field(default_factory=dict)

    def seconds(self, point: Mapping[str, Any], packets: float) -> float:
        """Return how long a core takes for so many packets of a point, about."""
        variant = point["sources"][0]["tcp"].get("variant", "")
        speed = self.of_variant.get(variant) or self.of_kind.get(point["kind"], self.packets_per_core_second)
        return packets / float(speed)


class Requirement(Model):
    """What an engine is made of or runs with: a `header`, or a `file` below build/.

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
        """Where it may be."""
        if self.header is not None:
            return [folder / self.header for folder in _INCLUDE_FOLDERS]
        return [_BUILD_FOLDER / str(self.file)]


class OfVariant(Model):
    """What replaces an engine's own lists for one TCP variant; `sources` is the most of them."""

    kinds: Texts = Field(default_factory=lambda: ["dumbbell"])
    workloads: dict[str, Texts] | None = None
    queues: Texts | None = None
    cross_traffic: Texts | None = None
    sources: Annotated[int, Ge(1)] | None = None


class OfLocalLoops(Model):
    """What an engine takes of local loops, where that is not all; `load` of a router in the backbone."""

    queues: Texts | None = None
    head_of_line: Texts | None = None
    load: bool = True


class OfProbe(Model):
    """The workloads and, where it matters, the variants that a probe applies to."""

    workloads: Texts
    variants: Texts | None = None


class Range(Model):
    """The least and the most that an engine takes of a number; `key` is where a base has it."""

    least: float
    most: float
    key: str


class Takes(Model):
    """The points that an engine simulates; `workloads` has the stop rules of each.

    `schemes` are those of local loops. `ranges` are of numbers by their path in a point, through lists too.
    """

    kinds: Annotated[Texts, Len(1)]
    groups: Literal["one", "many"]
    queues: Texts
    ties: Texts = Field(default_factory=lambda: ["departure-first"])
    cross_traffic: Texts
    schemes: Texts = Field(default_factory=list)
    local_loops: OfLocalLoops = Field(default_factory=OfLocalLoops)
    workloads: dict[str, Texts]
    variants: dict[str, OfVariant]
    probes: dict[str, OfProbe]
    ranges: dict[str, Range] = Field(default_factory=dict)

    def of(self, key: str, variant: str) -> Any:
        """Return the variant's own `workloads`, `queues` or `cross_traffic`, else the general ones."""
        own = getattr(self.variants[variant], key)
        return getattr(self, key) if own is None else own


class Engine(Model):
    """An `engine.yaml`.

    `run_length` is the default factor on run lengths; `at_once` is how many replications of a point run at
    the same time.
    """

    title: str
    colour: Annotated[str, Field(pattern=r"^#[0-9A-F]{6}$")]
    shape: int
    deterministic: bool
    real_time: bool
    cost: Cost
    run_length: Factor = 1
    at_once: Annotated[int, Field(ge=1)] = 1
    requires: list[Requirement]
    takes: Takes


@cache
def known() -> Mapping[str, Engine]:
    """Return all engines by name; raises ConfigError for what is wrong in an `engine.yaml`."""
    files = {path.parent.name: path for path in sorted(FOLDER.glob("*/engine.yaml"))}
    shown = {name: path.relative_to(FOLDER.parents[1]) for name, path in files.items()}
    return {name: read(Engine, read_yaml(path, shown[name]), shown[name]) for name, path in files.items()}


def missing(engine: str) -> str | None:
    """Say in one line what an engine lacks here, None if nothing."""
    for required in known()[engine].requires:
        if not any(place.exists() for place in required.places):
            by = f"Debian: {required.package}" if required.package else f"by {required.command}"
            return f"{required.what} is not installed ({by}); the engine {engine} is left out"
    return None


@cache
def offered(key: str) -> tuple[str, ...]:
    """Return what at least one engine takes of a dumbbell: `queues`, `variants`, `probes`, ..."""
    takes = [engine.takes for engine in known().values() if "dumbbell" in engine.takes.kinds]
    return tuple(dict.fromkeys(name for one in takes for name in getattr(one, key)))


def check_takes(name: str, point: Mapping[str, Any]) -> None:
    """Raise PointError unless the engine takes the point."""
    takes = known()[name].takes
    _one_of(name, takes.kinds, point["kind"], ("kind",), "points of kind {}")
    if takes.groups == "one" and len(point["sources"]) > 1:
        raise PointError(("groups",), f"{name} takes one group of sources, not {len(point['sources'])}")
    if "fixed_point" in point:
        scheme = point["fixed_point"]["scheme"]
        _one_of(name, takes.schemes, scheme, ("fixed_point.scheme",), "scheme {}")
        _check_local_loop(name, takes.local_loops, point)
    bottleneck = point.get("links", {}).get("bottleneck", {})
    for key, place in (("rtt_distribution", point), ("loss_growth", bottleneck)):
        if key in place:
            path = key if place is point else f"links.bottleneck.{key}"
            raise PointError((path,), f"is for models, and {name} is an engine; leave it out, or no engines")
    for group in point["sources"]:
        _check_group(name, takes, point, group)
    for path, taken in takes.ranges.items():
        for value in _numbers(point, path.split(".")):
            if not taken.least <= value <= taken.most:
                problem = f"{name} does not take {path.rpartition('.')[2]} of {value:g}"
                allowed = f"from {taken.least:g} to {taken.most:g}"
                if taken.least == taken.most:
                    allowed = f"only {taken.most:g}"
                raise PointError((taken.key, "groups"), f"{problem}; {allowed}")


def _numbers(value: Any, path: Sequence[str]) -> Iterator[float]:
    """Yield the numbers at a path, of each element of a list on it; none if it ends early."""
    if isinstance(value, list):
        for element in value:
            yield from _numbers(element, path)
    elif not path:
        yield value
    elif path[0] in value:
        yield from _numbers(value[path[0]], path[1:])


def _check_local_loop(name: str, of: OfLocalLoops, point: Mapping[str, Any]) -> None:
    shared, where = _shared(point)
    for taken, value, path, what in (
        (of.queues, shared["queue"], f"{where}.queue", "local loops behind {}"),
        (of.head_of_line, shared["head_of_line"], f"{where}.head_of_line", "first packets {}"),
    ):
        if taken is not None:
            _one_of(name, taken, value, (path,), what)
    for station in point["stations"]:
        if "load" in station and not of.load:
            raise PointError((f"stations.{station['name']}.load",), f"{name} takes no load; leave it out")


def _check_group(name: str, takes: Takes, point: Mapping[str, Any], group: Mapping[str, Any]) -> None:
    variant, workload = group["tcp"]["variant"], group["workload"]["kind"]
    fitting = [one for one, of in takes.variants.items() if point["kind"] in of.kinds]
    _one_of(name, fitting, variant, ("tcp.variant",), "{}")
    for key in ("delayed_ack",):
        if key in group["tcp"]:
            raise PointError((f"tcp.{key}",), f"{name} does not take it; leave it out")
    for key in ("file_size", "off_time"):
        law = group["workload"].get(key, {}).get("distribution")
        if law is not None and (law == "lognormal") != (workload == "http"):
            raise PointError(
                (f"sources.workload.{key}.distribution", "groups"),
                f"{name} does not take {law} for {workload}; another",
            )
    workloads = takes.of("workloads", variant)
    if workload not in workloads:
        fitting = [other for other in takes.variants if workload in takes.of("workloads", other)]
        what = f"{variant} with {workload} sources"
        raise _refusal(name, what, fitting, ("tcp.variant", "sources.workload.kind", "groups"))
    rules = ("connections", "loss_events", "duration", "transfer", "packets")
    rule = next(rule for rule in rules if any(key.startswith(rule) for key in point["stop"]))
    if rule not in workloads[workload]:
        what = f"{workload} sources of {variant} that stop by {rule}"
        raise _refusal(name, what, workloads[workload], ("stop", "sources.workload.kind", "tcp.variant"))
    shared, where = _shared(point)
    paths = (f"{where}.queue", "tcp.variant")
    _one_of(name, takes.of("queues", variant), shared["queue"], paths, f"{variant} behind {{}}")
    ties = shared.get("ties", "departure-first")
    _one_of(name, takes.ties, ties, (f"{where}.ties",), "ties decided {}")
    if "cross_traffic" in point:
        kinds = takes.of("cross_traffic", variant)
        traffic = f"{{}} cross traffic beside {variant}"
        _one_of(name, kinds, point["cross_traffic"]["kind"], ("cross_traffic", "tcp.variant"), traffic)
    most = takes.variants[variant].sources
    if most is not None and sum(one["count"] for one in point["sources"]) > most:
        problem = f"{name} takes no more than {most} source{'s' if most > 1 else ''} of {variant}"
        raise PointError(("sources.count", "tcp.variant", "groups"), f"{problem}; at most {most}")
    for index, probe in enumerate(point["probes"]):
        _check_probe(name, takes, probe["kind"], index, workload, variant)


def _shared(point: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
    """Return the link that the sources share, and its path in the base."""
    if point["kind"] == "local-loop":
        (shared,) = (station for station in point["stations"] if "queue" in station)
        return shared, f"stations.{shared['name']}"
    return point["links"]["bottleneck"], "links.bottleneck"


def _check_probe(name: str, takes: Takes, probe: str, index: int, workload: str, variant: str) -> None:
    fitting = [
        kind
        for kind, of in takes.probes.items()
        if workload in of.workloads and (of.variants is None or variant in of.variants)
    ]
    if probe not in fitting:
        problem = f"the probe {probe} does not go with {workload} sources of {variant}"
        allowed = f"of {name}, one of: {', '.join(fitting)}" if fitting else "none"
        raise PointError((f"probes[{index}]",), f"{problem}; {allowed}")


def _one_of(
    name: str, known_ones: Sequence[str] | Mapping[str, Any], value: str, paths: tuple[str, ...], what: str
) -> None:
    if value not in known_ones:
        raise _refusal(name, what.format(value), list(known_ones), paths)


def _refusal(name: str, what: str, allowed: Sequence[str], paths: tuple[str, ...]) -> PointError:
    return PointError(paths, f"{name} does not take {what}; {_allowed(allowed)}")


def _allowed(names: Sequence[str]) -> str:
    return f"one of: {', '.join(names)}" if names else "none"
