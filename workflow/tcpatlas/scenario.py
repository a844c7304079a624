"""Scenario files: from YAML to a study with its sets and points."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tcpatlas import models, schema
from tcpatlas.engines import missing
from tcpatlas.errors import ConfigError
from tcpatlas.expand import RunLength, expand
from tcpatlas.files import read_yaml
from tcpatlas.project import ScenarioSet, Study


def known_models() -> list[str]:
    """Return the names of the modules in `tcpatlas.models` (a helper's name starts with an underscore)."""
    return sorted(
        module.name for module in pkgutil.iter_modules(models.__path__) if not module.name.startswith("_")
    )


def load_study(
    root: Path, file: str, engines: list[str], length: RunLength, only: str | None = None
) -> Study:
    """Return the study in a scenario file, without the published items; of its sets `only` one, if given.

    `file` is relative to `root` and names the study; `engines` answer every set that does not choose its own.
    Raises ConfigError for anything wrong in the file.
    """
    name = Path(file).stem
    schema.validate(name, schema.load("scenario")["properties"]["sets"]["propertyNames"], file)
    data = read_yaml(root / file, file)
    schema.validate(data, schema.load("scenario"), file)
    default_models = data.get("models", [])
    _check_models(default_models, file, "models")
    sets = tuple(
        _load_set(name, file, set_name, spec, data["base"], engines, default_models, length)
        for set_name, spec in data["sets"].items()
        if only in (None, set_name)
    )
    return Study(name, file, data["title"], data.get("paper"), sets)


def _load_set(
    study: str,
    file: str,
    name: str,
    spec: Mapping[str, Any],
    base: Mapping[str, Any],
    default_engines: list[str],
    default_models: list[str],
    length: RunLength,
) -> ScenarioSet:
    asked = _engines(spec.get("engines", default_engines), length, file, f"sets.{name}.engines")
    set_models = spec.get("models", default_models)
    engines = {engine: factor for engine, factor in asked.items() if missing(engine) is None}
    left_out = tuple(engine for engine in asked if engine not in engines)
    _check_models(set_models, file, f"sets.{name}.models")
    if not engines and not set_models:
        reasons = [str(missing(engine)) for engine in left_out]
        problem = "; ".join(["neither an engine nor a model answers the set", *reasons])
        raise ConfigError(file, f"sets.{name}.engines", problem, "at least one")
    bounds = length.replications_of(spec)
    if bounds["maximum"] < bounds["minimum"]:
        problem = f"{bounds['maximum']} is below the minimum"
        raise ConfigError(file, f"sets.{name}.replications.maximum", problem, f"at least {bounds['minimum']}")
    points = expand(study, file, name, spec, base, length)
    shown = spec.get("distributions")
    return ScenarioSet(
        study,
        name,
        spec["title"],
        engines,
        tuple(set_models),
        points,
        None if shown is None else frozenset(shown),
        left_out,
        frozenset(spec.get("extremes", ())),
    )


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


def _check_models(names: list[str], file: str, where: str) -> None:
    known = known_models()
    for index, name in enumerate(names):
        if name not in known:
            raise ConfigError(
                file, f"{where}[{index}]", f"{name!r} is unknown", f"one of: {', '.join(known)}"
            )
