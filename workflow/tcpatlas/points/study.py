"""Builds a study, with its sets and their points, from a scenario."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, cast

from tcpatlas.base.errors import ConfigError
from tcpatlas.base.validation import Name, read
from tcpatlas.points import engines
from tcpatlas.points.errors import PointError
from tcpatlas.points.expand import Base, Check, expand
from tcpatlas.points.run_length import RunLength
from tcpatlas.points.scenario import OwnLength, Scenario, SetSpec, study_name
from tcpatlas.points.types import Point, ScenarioSet, Study
from tcpatlas.points.unused import Unused


def study_of(
    scenario: Scenario,
    file: str,
    default: Sequence[str],
    length: RunLength,
    models: Mapping[str, Check],
    automatic: Callable[[], Sequence[str]] = tuple,
    source: str = "",
    own: Collection[str] | None = None,
) -> Study:
    """Return the study of a scenario that was read from a file.

    The engines `default` answer every set that does not choose its own; `models` are all there are, each with
    its check of a point, and `automatic` returns those that `auto` chooses from. Messages about points name
    `source` too, which the scenario derives from with values of its `own` at these paths. Raises ConfigError
    for anything wrong.
    """
    study: str = read(cast(Any, Name), study_name(file), file)
    of_points = f"{file} (derived from {source})" if source else file
    base = Base(scenario.base, of_points)
    if scenario.models != "auto":
        _check_models(scenario.models, models, file, "models")
    sets = []
    unused = Unused(of_points)
    for name, spec in scenario.sets.items():
        where = f"sets.{name}"
        asked = engine_factors(default if spec.engines is None else spec.engines, file, f"{where}.engines")
        set_models = scenario.models if spec.models is None else spec.models
        named = [] if set_models == "auto" else set_models
        _check_models(named, models, file, f"{where}.models")
        _check_bounds(length.replications_of(spec.replications), file, where)
        checks: list[Check] = [
            *(partial(engines.check_takes, engine) for engine in asked),
            *(models[model] for model in named),
        ]
        base_of_set = base if spec.base is None else Base(spec.base, of_points, f"{where}.base")
        points = expand(study, name, spec, base_of_set, length, checks, unused=unused)
        unable: dict[str, str] = {}
        if set_models == "auto":
            offered = automatic()
            unable = _unable(points, models, offered)
            named = [model for model in offered if model not in unable]
        here, left_out = available(asked)
        one = ScenarioSet(
            study,
            name,
            spec.title,
            here,
            tuple(named),
            points,
            None if spec.distributions is None else frozenset(spec.distributions),
            left_out,
            frozenset(spec.extremes),
            tuple(spec.override),
            unable,
            *_map_role(spec, scenario, file, where),
            tuple(spec.metrics),
        )
        # Without it a paper's numbers, or comparisons of engines, are unavailable, and the rest is not.
        if not left_out or (scenario.paper is None and scenario.cross_check is None):
            _check_answered(one, file)
        sets.append(one)
    # The source may have keys of the TCP that a derived scenario replaces.
    unused.check(None if not source else own or ())
    return Study(study, file, scenario.title, scenario.paper, tuple(sets), scenario.question or "")


def engine_factors(asked: Sequence[str | Mapping[str, OwnLength]], file: str, where: str) -> dict[str, float]:
    """Return the requested engines, each with the factor on its run lengths."""
    factors: dict[str, float] = {}
    for index, entry in enumerate(asked):
        name = entry if isinstance(entry, str) else next(iter(entry))
        if name in factors:
            raise ConfigError(file, f"{where}[{index}]", f"the engine {name} comes twice", "each once")
        factors[name] = (
            engines.all_engines()[name].run_length if isinstance(entry, str) else entry[name].length
        )
    return factors


def available(asked: Mapping[str, float]) -> tuple[dict[str, float], tuple[str, ...]]:
    """Return the engines that this machine can build, and the names of the others."""
    buildable = {engine: factor for engine, factor in asked.items() if engines.missing(engine) is None}
    return buildable, tuple(engine for engine in asked if engine not in buildable)


def _check_models(names: Sequence[str], models: Mapping[str, Check], file: str, where: str) -> None:
    for index, name in enumerate(names):
        if name not in models:
            allowed = f"one of: {', '.join(models)}"
            raise ConfigError(file, f"{where}[{index}]", f"{name!r} is unknown", allowed)


def _map_role(spec: SetSpec, scenario: Scenario, file: str, where: str) -> tuple[bool, str | None]:
    """Return whether a set gets an error map, and which set's map it tests."""
    design = spec.sweep.design if spec.sweep else None
    if design is None or design.tests is None:
        return design is not None, None
    mapped = [
        name
        for name, one in scenario.sets.items()
        if one.sweep and one.sweep.design and one.sweep.design.tests is None
    ]
    if design.tests not in mapped:
        problem = f"{design.tests!r} is no set with a design of its own"
        raise ConfigError(file, f"{where}.sweep.design.tests", problem, f"one of: {', '.join(mapped)}")
    return False, design.tests


def _unable(points: Iterable[Point], models: Mapping[str, Check], automatic: Iterable[str]) -> dict[str, str]:
    """Return why models cannot answer every point: the error at the first point that they refuse."""
    reasons = {}
    for model in automatic:
        try:
            for point in points:
                models[model](point.document)
        except PointError as error:
            reasons[model] = f"{error.paths[0]}: {error} (at {point.name})"
    return reasons


def _check_bounds(bounds: Mapping[str, Any], file: str, where: str) -> None:
    if bounds["maximum"] < bounds["minimum"]:
        below = f"{bounds['maximum']} is below the minimum"
        raise ConfigError(file, f"{where}.replications.maximum", below, f"at least {bounds['minimum']}")


def _check_answered(one: ScenarioSet, file: str) -> None:
    if not one.engines and not one.models:
        reasons = [str(engines.missing(engine)) for engine in one.left_out]
        nobody = "; ".join(["neither an engine nor a model answers the set", *reasons])
        raise ConfigError(file, f"sets.{one.name}.engines", nobody, "at least one")
