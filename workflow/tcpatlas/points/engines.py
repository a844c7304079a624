"""Descriptions of the engines, `engine.yaml`: what each takes, costs and requires."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, TypeVar

from annotated_types import Ge, Gt, Le, Len
from pydantic import Field, model_validator

from tcpatlas.base.files import read_yaml
from tcpatlas.base.repository import TREE
from tcpatlas.base.validation import Model, Number, problem, read
from tcpatlas.points.engine_rules import Paths, Rule, Where, by_group, check_rules, outline, paths_of
from tcpatlas.points.errors import PointError

READS = ("workflow/engines/*/engine.yaml",)
FOLDER = TREE / "workflow" / "engines"
_INCLUDE_FOLDERS = (Path("/usr/include"), Path("/usr/local/include"))
_BUILD_FOLDER = FOLDER.parents[1] / "build"
_TARGET = r"\badd_(?:library|executable)\((\w+)\s"
_NO_CODE = {"tests", "bench", "engine.yaml", "README.md", "LICENSE"}

# By the identity of rules: the rules, the paths that they look at, and the answers by outlines of points.
_KNOWN: dict[int, tuple[Sequence[Where], Paths, dict[Any, Any]]] = {}

T = TypeVar("T")
Factor = Annotated[Number, Gt(0), Le(1)]


class Speed(Where):
    """The speed of an engine with some points."""

    packets_per_core_second: Annotated[Number, Gt(0)]


class Cost(Model):
    """The speed of an engine; in `but`, other speeds for some points: the first that matches applies.

    `run_seconds` is the fixed cost of a run: a process, and files.
    """

    packets_per_core_second: Annotated[Number, Gt(0)]
    run_seconds: Annotated[Number, Ge(0)] = 0.005
    but: list[Speed] = Field(default_factory=list)

    def seconds(self, point: Mapping[str, Any], packets: float, runs: int = 1) -> float:
        """Return the approximate core-seconds for a number of packets of a point, in a number of runs."""
        speed = _remembered(self.but, point, self._speed) if self.but else self.packets_per_core_second
        return packets / speed + runs * self.run_seconds

    def _speed(self, point: Mapping[str, Any]) -> float:
        seen = next(by_group(point))
        fitting = (exception.packets_per_core_second for exception in self.but if exception.holds(seen))
        return float(next(fitting, self.packets_per_core_second))


class Requirement(Model):
    """A requirement to build or run an engine: a `header`, or a `file` below build/.

    `what` it belongs to, and what installs it: a Debian `package`, or a `command` of the project.
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

    `run_length` is the default factor on run lengths. `takes` are rules that all hold.
    """

    title: str
    colour: Annotated[str, Field(pattern=r"^#[0-9A-F]{6}$")]
    shape: int
    deterministic: bool
    cost: Cost
    run_length: Factor = 1
    requires: list[Requirement]
    takes: Annotated[list[Rule], Len(1)]


@cache
def all_engines() -> Mapping[str, Engine]:
    """Return all engines by name; raises ConfigError for an error in an `engine.yaml`."""
    files = {path.parent.name: path for path in sorted(FOLDER.glob("*/engine.yaml"))}
    shown = {name: path.relative_to(FOLDER.parents[1]) for name, path in files.items()}
    return {name: read(Engine, read_yaml(path, shown[name]), shown[name]) for name, path in files.items()}


def missing(engine: str) -> str | None:
    """Say in one line what an engine lacks here, None if nothing."""
    for required in all_engines()[engine].requires:
        if not any(place.exists() for place in required.places):
            by = f"Debian: {required.package}" if required.package else f"by {required.command}"
            return f"{required.what} is not installed ({by}); the engine {engine} is left out"
    return None


def why_left_out(engine: str) -> str:
    """Say in one line why an engine is left out: what it lacks here, or nothing but the scale of the run."""
    return missing(engine) or f"at this scale the engine {engine} is left out"


@cache
def code_of_engine(folder: Path, engine: str) -> list[str]:
    """Return the files in the folder of all engines that a program is made of.

    These are all of its own folder and of each whose libraries or folder its CMakeLists.txt names, and so on,
    without tests and benchmarks: no less than what CMake compiles, and the same whether anything is built.
    """
    lists = {path.parent.name: path.read_text("utf-8") for path in folder.glob("*/CMakeLists.txt")}
    lists = {name: re.sub(r"(?s)add_engine_tests\(.*?\)", "", text) for name, text in lists.items()}
    makers = {target: name for name, text in lists.items() for target in re.findall(_TARGET, text)} | {
        name: name for name in lists
    }
    needed, waiting = set(), {makers[engine]}
    while waiting:
        needed |= waiting
        words = {word for name in waiting for word in re.findall(r"\w+", lists[name])}
        waiting = {makers[word] for word in words & makers.keys()} - needed
    files = (path for name in needed for path in (folder / name).rglob("*") if path.is_file())
    code = (path for path in files if _NO_CODE.isdisjoint(path.relative_to(folder).parts))
    return sorted(map(str, [*folder.glob("CMake*"), *code]))


@cache
def offered(path: str) -> tuple[str, ...]:
    """Return the values at a path of a point that at least one engine takes."""
    lists = (rule.only.get(path) for engine in all_engines().values() for rule in engine.takes)
    return tuple(dict.fromkeys(value for values in lists if isinstance(values, list) for value in values))


def taken(name: str, path: str, point: Mapping[str, Any]) -> list[str]:
    """Return the values that an engine takes at a path of a point with the given keys of one group."""
    lists = [
        one
        for rule in all_engines()[name].takes
        if rule.holds(point) and isinstance(one := rule.only.get(path), list)
    ]
    return [value for value in lists[0] if all(value in values for values in lists)] if lists else []


def taken_by_dumbbells(name: str, path: str) -> list[str]:
    """Return the values that an engine takes at a path of dumbbells, whatever else they have."""
    return taken(name, path, {"kind": "dumbbell", "sources": {}})


def check_takes(name: str, point: Mapping[str, Any]) -> None:
    """Raise PointError unless the engine takes the point."""
    if not takes(name, point):
        check_rules(name, all_engines()[name].takes, point)


def takes(name: str, point: Mapping[str, Any]) -> bool:
    """Return whether the engine takes the point."""
    rules = all_engines()[name].takes

    def passes(point: Mapping[str, Any]) -> bool:
        try:
            check_rules(name, rules, point)
        except PointError:
            return False
        return True

    return _remembered(rules, point, passes)


def _remembered(rules: Sequence[Where], point: Mapping[str, Any], ask: Callable[[Mapping[str, Any]], T]) -> T:
    """Return an answer about a point that depends on these rules only: computed once per outline."""
    if id(rules) not in _KNOWN:
        _KNOWN[id(rules)] = rules, paths_of(rules), {}
    _, paths, known = _KNOWN[id(rules)]
    seen = outline(point, paths)
    if seen not in known:
        known[seen] = ask(point)
    answer: T = known[seen]
    return answer
