"""Finds written keys that no point of a scenario takes, such as those of another TCP or queue."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from tcpatlas.base.errors import ConfigError
from tcpatlas.base.validation import Model
from tcpatlas.points.parts.sources import Traffic
from tcpatlas.points.parts.tagged import Tagged, models_in
from tcpatlas.points.parts.tcp import Tcp, with_own

# Where each key is written, by its dotted path in a base.
Written = Mapping[str, str]


def written_at(place: str, value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the path of each key of a value at `path`, and where it is written, the value at `place`."""
    if isinstance(value, Mapping):
        for key, entry in value.items():
            yield from written_at(f"{place}.{key}", entry, f"{path}.{key}" if path else key)
    elif value is not None:
        yield path, place


def over(written: Written, later: Written, paths: Mapping[str, Any]) -> Written:
    """Return what is written once later values at these paths have replaced all that was there."""
    return {
        path: place
        for path, place in written.items()
        if not any(f"{path}.".startswith(f"{other}.") for other in paths)
    } | dict(later)


class Unused:
    """Keys unused at all points of a scenario: one may be unused at some, so that its owner can be swept."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._taken: set[str] = set()
        self._aside: dict[str, tuple[str, set[str]]] = {}
        self._known: set[Any] = set()

    def see(self, base: Model, written: Written) -> None:
        """Record which of the keys written for a point it takes."""
        assert isinstance(base, Traffic)
        aside = dict(_left_aside(base))
        seen = (tuple(aside.items()), tuple(written.items()))
        if seen in self._known:
            return
        self._known.add(seen)
        for path, place in written.items():
            key = next((key for key in aside if f"{path}.".startswith(f"{key}.")), None)
            if key is None:
                self._taken.add(place)
            else:
                tag, of = aside[key]
                self._aside.setdefault(place, (of, set()))[1].add(tag)

    def places(self) -> list[str]:
        """Return the places of keys that no point takes."""
        return [place for place in self._aside if place not in self._taken]

    def check(self, own: Collection[str] | None = None) -> None:
        """Raise ConfigError for the first key that no point takes, of sets' values at `own` paths if any."""
        for place in self.places():
            path = place.partition(".override.")[2]
            if own is None or any(f"{path}.".startswith(f"{one}.") for one in own):
                of, tags = self._aside[place]
                who = " and ".join(sorted(tags))
                verb = "does" if len(tags) == 1 else "do"
                raise ConfigError(
                    self._file, place, f"{who} {verb} not take it", f"leave it out; it is of {of}"
                )


def _left_aside(base: Traffic) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the keys of a base that its point leaves aside, each with the tag and the tags that take it."""
    groups = {} if base.groups is None else base.groups
    merged = {name: with_own(base.tcp, group.tcp) for name, group in groups.items()}
    for name in Tcp.own():
        users = [tcp for group, tcp in merged.items() if getattr(groups[group].tcp, name, None) is None]
        sender = next((tcp for tcp in users if name not in tcp.left_aside()), users[0] if users else base.tcp)
        yield from _of(sender, name, "tcp")
        for group, tcp in merged.items():
            yield from _of(tcp, name, f"groups.{group}.tcp")
    for path in ("sources", "links", "stations"):
        yield from _inside(getattr(base, path, None), path)
    for place, one in groups.items():
        yield from _inside(one.workload, f"groups.{place}.workload")


def _of(value: Tagged, name: str, path: str) -> Iterator[tuple[str, tuple[str, str]]]:
    if name in value.left_aside():
        yield f"{path}.{name}", (str(getattr(value, value.TAG)), " or ".join(value.own()[name].values))


def _inside(value: Any, path: str) -> Iterator[tuple[str, tuple[str, str]]]:
    if isinstance(value, Mapping):
        for key, entry in value.items():
            yield from _inside(entry, f"{path}.{key}")
    elif isinstance(value, Model):
        if isinstance(value, Tagged):
            for name in value.left_aside():
                yield from _of(value, name, path)
        for name in models_in(type(value)):
            if name not in value.left_aside():
                yield from _inside(getattr(value, name), f"{path}.{name}")
