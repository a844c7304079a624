"""Scenario files: from YAML to a study with its sets and points."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from tcpatlas.base import schema
from tcpatlas.base.errors import ConfigError
from tcpatlas.base.files import read_yaml
from tcpatlas.points.engines import missing
from tcpatlas.points.expand import expand
from tcpatlas.points.run_length import RunLength
from tcpatlas.points.sampling import sample
from tcpatlas.points.types import Point, ScenarioSet, Study

# A paper's, in its folder `config/papers/<paper>/`.
SCENARIO_FILE = "scenario.yaml"


class Scenarios:
    """The scenario files of a project: each set is expanded once, also if another one samples it.

    `root` is the folder that the files are relative to; `engines` answer every set that does not choose its
    own; `models` are the names of all there are. All methods raise ConfigError for anything wrong in a file.
    """

    def __init__(
        self, root: Path, engines: Sequence[str], length: RunLength, models: Collection[str] = ()
    ) -> None:
        self._root = root
        self._engines = engines
        self._length = length
        self._models = models
        self._files: dict[str, Mapping[str, Any]] = {}
        self._sets: dict[tuple[str, str], ScenarioSet] = {}

    def study(self, file: str) -> Study:
        """Return the study in a scenario file, which names it, without the published items."""
        data = self._read(file)
        sets = tuple(self._set(file, name) for name in data["sets"])
        return Study(study_name(file), file, data["title"], data.get("paper"), sets)

    def one_set(self, file: str, name: str) -> ScenarioSet:
        """Return one set of a scenario file; nothing else of it is expanded."""
        if name not in self._read(file)["sets"]:
            raise ConfigError(file, f"sets.{name}", "there is no such set")
        return self._set(file, name)

    def _read(self, file: str) -> Mapping[str, Any]:
        if file not in self._files:
            schema.validate(
                study_name(file), schema.load("scenario")["properties"]["sets"]["propertyNames"], file
            )
            data = read_yaml(self._root / file, file)
            schema.validate(data, schema.load("scenario"), file)
            self._check_models(data.get("models", []), file, "models")
            self._files[file] = data
        return self._files[file]

    def _set(self, file: str, name: str) -> ScenarioSet:
        if (file, name) not in self._sets:
            self._sets[file, name] = self._load_set(file, name)
        return self._sets[file, name]

    def _load_set(self, file: str, name: str) -> ScenarioSet:
        data, length = self._read(file), self._length
        spec = data["sets"][name]
        asked = _engines(spec.get("engines", self._engines), length, file, f"sets.{name}.engines")
        set_models = spec.get("models", data.get("models", []))
        engines = {engine: factor for engine, factor in asked.items() if missing(engine) is None}
        left_out = tuple(engine for engine in asked if engine not in engines)
        self._check_models(set_models, file, f"sets.{name}.models")
        if not engines and not set_models:
            reasons = [str(missing(engine)) for engine in left_out]
            problem = "; ".join(["neither an engine nor a model answers the set", *reasons])
            raise ConfigError(file, f"sets.{name}.engines", problem, "at least one")
        bounds = length.replications_of(spec)
        if bounds["maximum"] < bounds["minimum"]:
            problem = f"{bounds['maximum']} is below the minimum"
            raise ConfigError(
                file, f"sets.{name}.replications.maximum", problem, f"at least {bounds['minimum']}"
            )
        shown = spec.get("distributions")
        return ScenarioSet(
            study_name(file),
            name,
            spec["title"],
            engines,
            tuple(set_models),
            self._points(file, name, spec),
            None if shown is None else frozenset(shown),
            left_out,
            frozenset(spec.get("extremes", ())),
        )

    def _points(self, file: str, name: str, spec: Mapping[str, Any]) -> tuple[Point, ...]:
        """Return the points of a set: those of its sweep, or some of every set that has a sweep elsewhere."""
        if "points_of" not in spec:
            return expand(study_name(file), file, name, spec, self._read(file)["base"], self._length)
        for key in ("override", "sweep"):
            if key in spec:
                raise ConfigError(file, f"sets.{name}.{key}", "is there beside points_of", "one or the other")
        other = spec["points_of"]["scenario"]
        swept = [one for one, its in self._read(other)["sets"].items() if "points_of" not in its]
        sets = [self._set(other, one) for one in swept]
        points = sample(study_name(file), name, spec, sets, self._length)
        if not points:
            problem = f"no set of {other} has an engine"
            raise ConfigError(
                file, f"sets.{name}.points_of.scenario", problem, "a scenario that is simulated"
            )
        return points

    def _check_models(self, names: Sequence[str], file: str, where: str) -> None:
        for index, name in enumerate(names):
            if name not in self._models:
                allowed = f"one of: {', '.join(self._models)}"
                raise ConfigError(file, f"{where}[{index}]", f"{name!r} is unknown", allowed)


def study_name(file: str | Path) -> str:
    """Return the name of a scenario file's study: a paper's folder, or the file's stem."""
    path = Path(file)
    return path.parent.name if path.name == SCENARIO_FILE else path.stem


def _engines(
    asked: Sequence[str | Mapping[str, Any]], length: RunLength, file: str, where: str
) -> dict[str, float]:
    """Return the engines that are asked for, each with the factor on its run lengths."""
    engines: dict[str, float] = {}
    for index, entry in enumerate(asked):
        name, setting = (entry, {}) if isinstance(entry, str) else next(iter(entry.items()))
        if name in engines:
            raise ConfigError(file, f"{where}[{index}]", f"the engine {name} comes twice", "each once")
        engines[name] = setting.get("length", length.slow.get(name, 1))
    return engines
