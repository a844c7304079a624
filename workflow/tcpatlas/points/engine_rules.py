"""Rules of an `engine.yaml`: which points an engine takes, and why it refuses one."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag

from tcpatlas.base.validation import Model, Number
from tcpatlas.points.errors import PointError

# Optional parts of a point, which an engine takes only if it names them.
_ON_REQUEST = tuple(
    place + key
    for place, keys in {
        "": "cross_traffic cross_traffic.packet_bytes cross_traffic.rate_steps"
        " rtt_distribution stations.drop stations.load",
        "links.bottleneck.": "delay_steps ecn flow_limit_packets flows interval_s jitter loss_growth"
        " loss_process max_drop max_threshold_packets min_threshold_packets"
        " mtu_rule rules rate_steps reordering target_s token_bucket weight",
        "links.": "hops return",
        "sources.": "direction hops packet_bytes",
        "sources.tcp.": "delayed_ack ecn idle_restart_s loss_detection pacing partial_acks"
        " sack_recovery sack timestamps",
        "sources.workload.": "period_s start_s stop_s transfer_packets",
    }.items()
    for key in keys.split()
)
# Keys that a point adds to the same key of a base.
_SI_SUFFIX = re.compile(r"_(bit_per_s|s|packets|probability)$")


def _list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _form(value: Any) -> str:
    return "?text" if isinstance(value, str) else "?list" if isinstance(value, list) else "?mapping"


class Range(Model):
    """The smallest and largest accepted value of a number, or of the entries of a list."""

    least: Number = 0
    most: Number


Values = Annotated[list[str], BeforeValidator(_list)]
# Accepted values, a range, or whether the key is accepted at all.
Allowed = Annotated[
    Annotated[Literal["any", "none"], Tag("?text")]
    | Annotated[list[str], Tag("?list")]
    | Annotated[Range, Tag("?mapping")],
    Discriminator(_form),
]


class Where(Model):
    """The points that have one of these values at each of these paths; all points if there are none.

    A path goes through lists and visits the groups of sources in turn; `groups` is the list of them.
    If it ends at a mapping, the keys count as its values: `stop: connections`.
    """

    where: dict[str, Values] = Field(default_factory=dict, alias="with")

    def holds(self, point: Mapping[str, Any]) -> bool:
        """Say whether a point matches, as seen from one of its groups."""
        for path, wanted in self.where.items():
            if not any(choice in wanted for value in _at(point, path) for choice in _values(value)):
                return False
        return True


class Rule(Where):
    """The accepted values by path; a point without the path passes."""

    only: dict[str, Allowed]

    def check(self, name: str, point: Mapping[str, Any]) -> None:
        """Raise PointError unless the engine of this name takes a point, as seen from one of its groups."""
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


def check_rules(name: str, rules: Sequence[Rule], point: Mapping[str, Any]) -> None:
    """Raise PointError unless an engine of this name and with these rules takes a point."""
    for seen in by_group(point):
        for rule in rules:
            rule.check(name, seen)
        there = [path for path in _ON_REQUEST if _at(seen, path)]
        named = [path for rule in rules if there and rule.holds(seen) for path in rule.only]
        for path in there:
            if not any(f"{taken}.".startswith(f"{path}.") for taken in named):
                _, place = next(_found(seen, path))
                group = f"groups.{seen['sources']['name']}."
                place = re.sub(r"^sources\.(?=direction|hops|packet_size)", group, place)
                raise PointError((place, "groups"), f"{name} does not take it; leave it out")


Paths = dict[str, "Paths"]


def paths_of(rules: Iterable[Where]) -> Paths:
    """Return all paths of a point that a check of these rules looks at, as a tree of keys."""
    tree: Paths = {}
    for path in (
        *_ON_REQUEST,
        *(path for rule in rules for path in (*rule.where, *getattr(rule, "only", ()))),
    ):
        node = tree
        for key in _keys(re.sub(r"^groups\b", "sources", path)):
            node = node.setdefault(key, {})
    return tree


def outline(value: Any, paths: Paths) -> Any:
    """Return the part of a point that rules look at, hashable: points with one outline are taken alike."""
    if isinstance(value, dict):
        return (*value, *[outline(value[key], inner) for key, inner in paths.items() if key in value])
    if isinstance(value, list):
        return (len(value), *[outline(element, paths) for element in value if paths])
    return value


def by_group(point: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the point once for each group of its sources, with that group as its `sources`."""
    for group in point["sources"]:
        yield {**point, "sources": group, "groups": point["sources"]}


def _at(point: Any, path: str) -> list[Any]:
    """Return the values at a path, in each element of a list on it."""
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
    """Return the base's path for a path of a point."""
    for prefix, instead in (("sources.tcp", "tcp"), ("sources.access", "links.access")):
        if f"{path}.".startswith(f"{prefix}."):
            path = instead + path.removeprefix(prefix)
    # A probe's key is its name.
    path = re.sub(r"\bpacket_bytes$", "packet_size", re.sub(r"\]\.kind$", "]", path))
    return _SI_SUFFIX.sub("", path)


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
