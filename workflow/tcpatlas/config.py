"""Loading a project: configuration, scenarios and published numbers, all validated before anything runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from tcpatlas.base import schema
from tcpatlas.base.errors import ConfigError
from tcpatlas.base.files import read_yaml, to_json, write_if_changed
from tcpatlas.claims.equivalence import load_equivalence
from tcpatlas.claims.published import Item, load_items, printed_points
from tcpatlas.models import known_models
from tcpatlas.points.expand import write_points
from tcpatlas.points.run_length import RunLength
from tcpatlas.points.scenario import SCENARIO_FILE, Scenarios, study_name
from tcpatlas.points.thinning import thinned
from tcpatlas.points.types import ScenarioSet, Study
from tcpatlas.project import Project

CONFIG_FILE = "config/config.yaml"
PAPERS_FOLDER = "config/papers"
EFFECTIVE_CONFIG_FILE = "config.json"


def load_project(source: str | Path | Mapping[str, Any], root: str | Path = ".") -> Project:
    """Return the project that a configuration file, or its data, describes.

    `root` is the folder that scenario files and `config/papers/` are relative to. Raises ConfigError, one
    line, for the first thing that is wrong in any of the files.
    """
    root = Path(root)
    config, file = _config(source, root)
    scenarios = Scenarios(root, config["engines"], _run_length(config), known_models())
    studies: list[Study] = []
    for index, scenario in enumerate(config["scenarios"]):
        study = scenarios.study(scenario)
        for other in studies:
            if study.name == other.name or (study.paper and study.paper == other.paper):
                what = f"study {study.name!r}" if study.name == other.name else f"paper {study.paper!r}"
                where = f"scenarios[{index}]"
                raise ConfigError(
                    file, where, f"{scenario} and {other.file} are the same {what}", "each once"
                )
        studies.append(study)
    points = config["scales"][config["scale"]].get("points")
    items = _items(studies, root)
    if points is not None:
        studies = [
            thinned(
                study,
                points,
                printed_points(items.get(study.name, ()))
                | load_equivalence(study, root).judged_points(study),
            )
            for study in studies
        ]
        items = _items(studies, root)
    return Project(root, config, tuple(studies), items)


def _items(studies: Iterable[Study], root: Path) -> dict[str, tuple[Item, ...]]:
    return {study.name: load_items(study, root) for study in studies if study.paper}


def load_set(source: str | Path | Mapping[str, Any], full_name: str, root: str | Path = ".") -> ScenarioSet:
    """Return the set `<study>/<set>` as load_project does, but with all of its points at any scale.

    Nothing else is expanded or read, which makes it quick. Raises ConfigError as load_project does, and where
    there is no such set.
    """
    config, _ = _config(source, Path(root))
    study, _, name = full_name.partition("/")
    for scenario in config["scenarios"]:
        if study_name(scenario) == study:
            scenarios = Scenarios(Path(root), config["engines"], _run_length(config), known_models())
            return scenarios.one_set(scenario, name)
    studies = ", ".join(study_name(scenario) for scenario in config["scenarios"])
    raise ConfigError("--set", full_name, "there is no such study", f"one of: {studies}")


def _config(source: str | Path | Mapping[str, Any], root: Path) -> tuple[dict[str, Any], str]:
    """Return the checked configuration, and the name of its file."""
    file = CONFIG_FILE if isinstance(source, Mapping) else str(source)
    return _checked_config(
        source if isinstance(source, Mapping) else read_yaml(root / source, file), file, root
    ), file


def write_project(project: Project, results: Path) -> None:
    """Write what the steps read, where it changed: the points, and the configuration in force."""
    write_if_changed(results / EFFECTIVE_CONFIG_FILE, to_json(project.config))
    write_points(project.points, results)


def _checked_config(data: Any, file: str, root: Path) -> dict[str, Any]:
    schema.validate(data, schema.load("config"), file)
    config = dict(data)
    scenarios = config.get("scenarios") or [
        path.relative_to(root).as_posix() for path in sorted(root.glob(f"{PAPERS_FOLDER}/*/{SCENARIO_FILE}"))
    ]
    if not scenarios:
        raise ConfigError(
            file,
            "scenarios",
            "is missing, and no paper has a scenario",
            f"{PAPERS_FOLDER}/<paper>/{SCENARIO_FILE}",
        )
    config["scenarios"] = [scenarios] if isinstance(scenarios, str) else list(scenarios)
    scale_bounds = config["scales"][config["scale"]].get("replications")
    places = [
        ("replications", config["replications"]),
        (f"scales.{config['scale']}.replications", scale_bounds),
    ]
    for where, bounds in places:
        if bounds is not None and bounds["maximum"] < bounds["minimum"]:
            problem = f"{bounds['maximum']} is below the minimum"
            raise ConfigError(file, f"{where}.maximum", problem, f"at least {bounds['minimum']}")
    return config


def _run_length(config: Mapping[str, Any]) -> RunLength:
    scale = config["scales"][config["scale"]]
    bounds = scale.get("replications", {})
    slow = {engine: entry["length"] for engine, entry in config.get("slow_engines", {}).items()}
    return RunLength(Decimal(str(scale["length"])), config["replications"], config["seed"], bounds, slow)
