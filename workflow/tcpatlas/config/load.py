"""Loads a project: configuration, scenarios and published numbers, all validated before anything runs."""

import gc
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Len, Lt
from pydantic.functional_validators import BeforeValidator

from tcpatlas.base.errors import ConfigError
from tcpatlas.base.files import (
    parse_yaml,
    read_csv_rows,
    read_json,
    read_text,
    read_yaml,
    to_json,
    write_if_changed,
)
from tcpatlas.base.validation import Model, Number, Text, Unique, problem, read, short
from tcpatlas.claims.paper import paper_of, read_paper
from tcpatlas.claims.published import Item
from tcpatlas.claims.reevaluation import points_of
from tcpatlas.config.project import Project
from tcpatlas.config.study_sources import scenario_files
from tcpatlas.models import add_folder, automatic, checks, predicts
from tcpatlas.points.differences import with_differences
from tcpatlas.points.engines import Factor
from tcpatlas.points.reevaluation import reevaluating_study
from tcpatlas.points.run_length import Bounds, Replications, RunLength
from tcpatlas.points.sampling import with_samples
from tcpatlas.points.scenario import (
    PAPERS_FOLDER,
    SCENARIO_FILE,
    SCENARIOS,
    CrossCheck,
    EngineName,
    study_name,
)
from tcpatlas.points.scenario_file import DerivedScenario, declared, load_study, read_reevaluation
from tcpatlas.points.stored import digest_of, read_study, study_path, write_study
from tcpatlas.points.thinning import thinned
from tcpatlas.points.types import Study

CONFIG_FILE = "config/config.yaml"
# The factor on the run lengths of re-evaluations.
NOW_LENGTHS = {"paper": 1.0, "tenth": 0.1}
EFFECTIVE_CONFIG_FILE = "config.json"
# The folder of models next to a user's scenario.
MODELS_FOLDER = "models"
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]\d+)?")


def _listed(value: Any) -> Any:
    if not isinstance(value, str | list):
        raise problem(f"{short(value)} is not a text or a list")
    return [value] if isinstance(value, str) else value


class Scale(Model):
    """Run lengths as a factor on the scenarios', and bounds that replace the general replications.

    `points`: the maximum of points per set, evenly spread, besides those that printed numbers refer to.
    """

    length: Factor
    points: Annotated[int, Ge(1)] | None = None
    replications: Bounds | None = None


class Scales(Model):
    """The scales that can be chosen."""

    paper: Scale
    quick: Scale
    smoke: Scale


class Config(Model):
    """The studies to run, with run lengths and precision.

    `scenarios` are names of studies, files, folders that hold scenarios, or archives of such folders, with
    paths relative to the root of the project; one may stand alone. Default: those in scenarios/ with a key
    `paper`, `cross_check` or (unless `now` is off) `again`. `now` is the run length of re-evaluations
    relative to the paper's.
    `engines` are those of every set that does not choose its own.
    """

    scale: Literal["paper", "quick", "smoke"]
    scenarios: Annotated[list[Text], Len(1), BeforeValidator(_listed)] | None = None
    engines: Annotated[list[EngineName], Len(1), Unique]
    now: Literal["paper", "tenth", "off"] = "paper"
    confidence: Annotated[Number, Gt(0), Lt(1)]
    seed: Annotated[int, Ge(0), Lt(2**53)]
    replications: Replications
    scales: Scales

    @property
    def chosen(self) -> Scale:
        """The scale in force."""
        scale: Scale = getattr(self.scales, self.scale)
        return scale


def _with_numbers(source: Mapping[str, Any]) -> dict[str, Any]:
    """Return a configuration of Snakemake's, which hands nested numbers of its command line over as texts."""

    def read_again(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: read_again(inner) for key, inner in value.items()}
        return (
            parse_yaml(value, CONFIG_FILE) if isinstance(value, str) and _NUMBER.fullmatch(value) else value
        )

    return {key: read_again(value) if isinstance(value, Mapping) else value for key, value in source.items()}


@contextmanager
def _collecting_nothing() -> Iterator[None]:
    """Suspend garbage collection: all data read stay, and collecting would add a fifth to the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@_collecting_nothing()
def load_project(source: str | Path | Mapping[str, Any], root: str | Path = ".") -> Project:
    """Return the project that a configuration file, or its data, describes.

    `root` is the folder that scenario files and `scenarios/papers/` are relative to. Raises ConfigError, one
    line, for the first error in any of the files.
    """
    root = Path(root)
    file = CONFIG_FILE if isinstance(source, Mapping) else str(source)
    data = _with_numbers(source) if isinstance(source, Mapping) else read_yaml(root / source, file)
    config: Config = read(Config, data, file)
    _check_bounds(config, file)
    chosen = enumerate(config.scenarios or ())
    listed = [path for at, place in chosen for path in scenario_files(root, place, file, f"scenarios[{at}]")]
    by_default = () if listed else _default_scenarios(root, config, file)
    scenarios = [*listed, *by_default]
    config = config.model_copy(update={"scenarios": scenarios})
    _add_models(scenarios, root)
    data = config.model_dump(exclude_none=True)
    again = {name: derived for name in scenarios if (derived := read_reevaluation(root, name))}
    first = [name for name in scenarios if name not in again]
    studies = _studies(config, first, file, root)
    papers = [read_paper(study, root) for study in studies]
    if (most := config.chosen.points) is not None:
        papers = [paper_of(thinned(paper.study, most, paper.points), paper.folder) for paper in papers]
        studies = [paper.study for paper in papers]
    items = {paper.study.name: paper.items for paper in papers}
    described = (with_differences(study, _together(study, items[study.name])) for study in studies)
    asked = (_again(config, root, name, derived, studies, items) for name, derived in again.items())
    return Project(root, data, tuple(described), items, tuple(asked))


def _again(
    config: Config,
    root: Path,
    file: str,
    derived: DerivedScenario,
    studies: list[Study],
    items: Mapping[str, tuple[Item, ...]],
) -> Study:
    def wanted(source: str) -> Mapping[str, Collection[str]]:
        return points_of(items[source], derived)

    share = NOW_LENGTHS.get(config.now, 1.0)
    length = _run_length(config)
    return reevaluating_study(root, file, derived, studies, wanted, config.engines, length, share, checks())


def _together(study: Study, items: Iterable[Item]) -> list[list[str]]:
    """Return the names of the sets that are shown together: those of each item, else all."""
    return [[scenario_set.name for scenario_set in item.sets] for item in items] or [
        [scenario_set.name for scenario_set in study.sets]
    ]


def _studies(config: Config, scenarios: Iterable[str], file: str, root: Path) -> list[Study]:
    length = _run_length(config)
    models = checks()
    studies: list[Study] = []
    cross_checks: dict[str, CrossCheck] = {}
    for index, scenario in enumerate(scenarios):
        study, cross_check = load_study(root, scenario, config.engines, length, models, automatic)
        _check_models(study)
        for other in studies:
            if study.name == other.name or (study.paper and study.paper == other.paper):
                what = f"study {study.name!r}" if study.name == other.name else f"paper {study.paper!r}"
                same = f"{scenario} and {other.file} are the same {what}"
                raise ConfigError(file, f"scenarios[{index}]", same, "each once")
        studies.append(study)
        if cross_check is not None:
            cross_checks[study.name] = cross_check
    others = [study for study in studies if study.name not in cross_checks]
    return [
        with_samples(study, cross_checks[study.name], others, length) if study.name in cross_checks else study
        for study in studies
    ]


def _run_length(config: Config) -> RunLength:
    bounds = config.chosen.replications
    return RunLength(
        Decimal(str(config.chosen.length)),
        config.replications.model_dump(exclude_none=True),
        config.seed,
        bounds.model_dump() if bounds else {},
    )


def _add_models(scenarios: Iterable[str], root: Path) -> None:
    """Register the models that come with scenarios; ConfigError if two have the same name."""
    for scenario in scenarios:
        folder = Path(scenario).parent / MODELS_FOLDER
        if Path(scenario).name == SCENARIO_FILE and (root / folder).is_dir():
            for name in add_folder((root / folder).resolve()):
                problem = "a model of this name is there already"
                raise ConfigError(f"{folder}/{name}.py", "", problem, "another name")


def _check_models(study: Study) -> None:
    for scenario_set in study.sets:
        for model in scenario_set.models:
            if not predicts(model):
                what = f"{model!r} has no predict(points), so it is no model"
                raise ConfigError(
                    study.file, f"sets.{scenario_set.name}.models", what, "see docs/adding-a-model.md"
                )


def write_project(project: Project, results: Path) -> None:
    """Write the inputs of the steps that changed: the points, and the configuration in force."""
    write_if_changed(results / EFFECTIVE_CONFIG_FILE, to_json(project.config))
    write_points(project, results)


def write_points(project: Project, results: Path) -> None:
    """Write the points if they changed."""
    for study in (*project.studies, *project.again):
        write_study(study, results, project.configuration)


def written_project(results: Path, root: Path, *names: str) -> Project:
    """Return the project that `write_project` wrote, of these studies (default: all), without their items.

    Nothing is expanded again. Raises ConfigError if there is no such project, or no such study in it.
    """
    config = read_json(results / EFFECTIVE_CONFIG_FILE)
    there = written_studies(results)
    for name in names:
        if name not in there:
            raise ConfigError("--study", name, "there is no such study", f"one of: {', '.join(there)}")
    empty = Project(root, config, (), {})
    studies = [read_study(name, results, empty.configuration) for name in names or there]
    return replace(
        empty,
        studies=tuple(study for study in studies if study.again is None),
        again=tuple(study for study in studies if study.again is not None),
    )


def check_digest(digest: str, expected: str | None) -> None:
    """Raise ConfigError if the digest of points is not the expected one: others were written since."""
    if expected is not None and digest != expected:
        problem = "were written again with another configuration while this run was at work"
        raise ConfigError("results/points", "", problem, "start this run again")


def check_tables(project: Project, results: Path) -> None:
    """Raise ConfigError unless the joined tables are of these studies under this configuration."""
    path = results / "studies.csv"
    rows = read_csv_rows(path)
    made = {row["study"]: row.get("digest") for row in rows}
    for name in dict.fromkeys([*made, *(study.name for study in project.studies)]):
        study = study_path(results, name)
        if not study.exists() or made.get(name) != digest_of(read_text(study, study)):
            problem = f"the tables are of another configuration than {results / EFFECTIVE_CONFIG_FILE}"
            again = f"./atlas reproduce --config scale={project.scale}"
            raise ConfigError(path, name, problem, f"finish the run that was begun last: {again}")


def written_studies(results: Path) -> list[str]:
    """Return the names of the studies that `write_project` wrote."""
    return [study_name(file) for file in read_json(results / EFFECTIVE_CONFIG_FILE)["scenarios"]]


def _default_scenarios(root: Path, config: Config, file: str) -> list[str]:
    wanted = {"paper", "cross_check"} | ({"again"} if config.now != "off" else set())
    folders = sorted(root.glob(f"{SCENARIOS}/*/*/{SCENARIO_FILE}"), key=lambda path: path.parent.name)
    files = (*folders, *sorted(root.glob(f"{SCENARIOS}/*/*.yaml")))
    scenarios = [name for path in files if declared(root, name := path.relative_to(root).as_posix()) & wanted]
    if not scenarios:
        missing = "is missing, and no paper has a scenario"
        raise ConfigError(file, "scenarios", missing, f"{PAPERS_FOLDER}/<paper>/{SCENARIO_FILE}")
    return scenarios


def _check_bounds(config: Config, file: str) -> None:
    places: list[tuple[str, Bounds | None]] = [
        ("replications", config.replications),
        (f"scales.{config.scale}.replications", config.chosen.replications),
    ]
    for where, bounds in places:
        if bounds is not None and bounds.maximum < bounds.minimum:
            below = f"{bounds.maximum} is below the minimum"
            raise ConfigError(file, f"{where}.maximum", below, f"at least {bounds.minimum}")
