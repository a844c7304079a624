"""Studies that re-evaluate the sentences and numbers of another study with another TCP."""

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tcpatlas.base.errors import ConfigError
from tcpatlas.points import engines
from tcpatlas.points.errors import PointError
from tcpatlas.points.expand import Base, Check, expand
from tcpatlas.points.run_length import RunLength
from tcpatlas.points.scenario import Scenario, SetSpec, study_name
from tcpatlas.points.scenario_file import DerivedScenario, check_sets, derived_set, source_of, swept
from tcpatlas.points.study import available, engine_factors
from tcpatlas.points.types import Point, ReevaluatedSource, ScenarioSet, Study

# The reason why a set is not run when the scenario names other sets.
NOT_NAMED = "the set is not among those that are run with it"
# Replications before the first look at the verdicts.
FIRST_LOOK = 8


def reevaluating_study(
    root: Path,
    file: str,
    derived: DerivedScenario,
    studies: Sequence[Study],
    wanted: Callable[[str], Mapping[str, Collection[str]]],
    default: Sequence[str],
    length: RunLength,
    share: float,
    models: Mapping[str, Check],
) -> Study:
    """Return the study in a file that re-evaluates one of the `studies`.

    `wanted` returns for a study, by set, the names of the points that its sentences and numbers refer to;
    these are run. An engine runs `share` of its run length, unless the file says whole, and is left out
    of a set if it does not take every point. A model that refuses a point is asked about the source's
    point. Raises ConfigError if the source is not among the studies, and for any error in the file; for
    a set that no engine takes, the study says why it is not run.
    """
    assert derived.again is not None, "the caller has looked"
    original, source_file = source_of(root, derived, file)
    check_sets(derived, original, file)
    source = next((study for study in studies if study.file == source_file), None)
    if source is None:
        problem = f"{source_file} is not among the scenarios that are run"
        raise ConfigError(
            file, "derive.from", problem, "name it in scenarios too: its own verdicts are needed"
        )
    share = 1.0 if derived.again.whole else share
    asked = engine_factors(default if derived.engines is None else derived.engines, file, "engines")
    asked = {engine: factor * share for engine, factor in asked.items()}
    name = study_name(file)
    sets, not_run = [], {}
    wanted_of = wanted(source.name)
    for scenario_set in source.sets:
        spec = original.sets[scenario_set.name]
        points = wanted_of.get(scenario_set.name, ())
        if not points:
            continue
        if derived.derive.sets and scenario_set.name not in derived.derive.sets:
            not_run[scenario_set.name] = NOT_NAMED
        elif path := swept(derived, spec):
            not_run[scenario_set.name] = f"the set varies {path} itself"
        else:
            base = Base(spec.base or original.base, f"{file} (derived from {source_file})")
            made = derived_set(derived, scenario_set.name, spec, file)
            asked_set, reason = _set(
                name, scenario_set, made, base, points, asked, length, _models(spec, original), models
            )
            if asked_set and not length.bounds:
                asked_set = _at_least(
                    asked_set, math.ceil(derived.again.least_replications / math.sqrt(share))
                )
                asked_set = _by_verdict(asked_set) if derived.again.by_verdict else asked_set
            if asked_set is None:
                not_run[scenario_set.name] = reason
            else:
                sets.append(asked_set)
    if not sets and not not_run:
        raise ConfigError(
            file, "derive.from", f"{source_file} has no sentence or number to ask", "another one"
        )
    again = ReevaluatedSource(source.name, derived.again.tcp, share, not_run)
    return Study(name, file, derived.title, None, tuple(sets), derived.question or "", again=again)


def _models(spec: SetSpec, original: Scenario) -> Sequence[str]:
    models = original.models if spec.models is None else spec.models
    return () if models == "auto" else models


def _set(
    study: str,
    one: ScenarioSet,
    spec: SetSpec,
    base: Base,
    names: Collection[str],
    asked: Mapping[str, float],
    length: RunLength,
    models: Sequence[str],
    checks: Mapping[str, Check],
) -> tuple[ScenarioSet | None, str]:
    """Return a set with the named points, or none with the reason why no engine can run it."""
    points = expand(study, one.name, spec, base, length, wanted=names)
    refused = {engine: reason for engine in asked if (reason := _refused(points, engine))}
    taking = {engine: factor for engine, factor in asked.items() if engine not in refused}
    if not taking:
        return None, "; ".join(dict.fromkeys(refused.values()))
    here, left_out = available(taking)
    knowing = tuple(models)
    of_source = frozenset(model for model in knowing if not _knows(checks[model], points))
    scenario_set = ScenarioSet(
        study,
        one.name,
        one.title,
        here,
        knowing,
        points,
        frozenset(),
        left_out,
        overridden=tuple(spec.override),
        of_source=of_source,
    )
    return scenario_set, ""


def _at_least(one: ScenarioSet, least: int) -> ScenarioSet:
    """Return a set with at least that many replications of each point.

    Replications that form a nuisance band are left as they are.
    """

    def with_least(point: Point) -> Point:
        own = point.document["replications"]
        if "variants" in own:
            return point
        bounds = {key: max(own[key], least) for key in ("minimum", "maximum")}
        return replace(point, document={**point.document, "replications": {**own, **bounds}})

    return replace(one, points=tuple(map(with_least, one.points)))


def _by_verdict(one: ScenarioSet) -> ScenarioSet:
    """Return a set whose verdicts are looked at before all replications are run, unless these are few."""
    points = []
    for point in one.points:
        planned = point.document["replications"]["minimum"]
        if planned <= FIRST_LOOK or "variants" in point.document["replications"]:
            return one
        bounds = {"minimum": FIRST_LOOK, "maximum": planned, "targets": {}}
        replications = {**point.document["replications"], **bounds}
        points.append(replace(point, document={**point.document, "replications": replications}))
    return replace(one, points=tuple(points), by_verdict=True)


def _refused(points: Sequence[Point], engine: str) -> str:
    """Return what the engine does not take in the points; empty if it takes all."""
    for point in points:
        try:
            engines.check_takes(engine, point.document)
        except PointError as error:
            probe = re.fullmatch(r"probes\[([0-9]+)\]", error.paths[0])
            if probe:
                kind = point.document["probes"][int(probe[1])]["kind"]
                return f"{engine} has no {kind} with this TCP yet"
            return str(error).partition(";")[0]
    return ""


def _knows(check: Check, points: Sequence[Point]) -> bool:
    try:
        for point in points:
            check(point.document)
    except PointError:
        return False
    return True
