"""Scenario files: a scenario, or one derived from the scenario of another file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, cast

from annotated_types import Ge, Len
from pydantic import Field

from tcpatlas.base.errors import ConfigError
from tcpatlas.base.files import parse_yaml, read_text
from tcpatlas.base.validation import Model, Name, Text, Unique, read
from tcpatlas.points.expand import Check
from tcpatlas.points.paths import DottedPath
from tcpatlas.points.run_length import OwnReplications, RunLength
from tcpatlas.points.scenario import (
    ITEMS_FILE,
    PAPERS_FOLDER,
    SCENARIO_FILE,
    CrossCheck,
    Engine,
    Models,
    Scenario,
    SetSpec,
    study_name,
)
from tcpatlas.points.study import study_of
from tcpatlas.points.types import Study


class Derivation(Model):
    """The scenario to start from, which of its sets to ask again, and the values that replace its own.

    `from` is a paper, or a scenario file relative to the project's folder. `with` holds values by dotted path
    as a set's `override` does; they come after the sets' own. Default of `sets`: all of them.
    """

    source: Text = Field(alias="from")
    sets: Annotated[list[Name], Unique, Len(1)] | None = None
    values: Annotated[dict[DottedPath, Any], Len(1)] = Field(alias="with")


class Inapplicable(Model):
    """Sentences and printed numbers of these items that do not apply to the other TCP, and the reason.

    `text` names the sentences, `metrics` the numbers (name[*]: all with brackets); without either, all of the
    items are meant.
    """

    items: Annotated[list[Name], Len(1)]
    text: Annotated[list[Text], Len(1)] | None = None
    metrics: Annotated[list[Text], Len(1)] | None = None
    reason: Text


class ReevaluationSpec(Model):
    """Re-evaluates the source's sentences and printed numbers.

    `tcp` names the TCP that replaces the source's; `does_not_apply` lists what does not apply to it. `whole`
    keeps the full run length, for runs so cheap that `now` need not shorten them. With `by_verdict` verdicts
    decide the number of replications; `least_replications` is the budget of sets that have fewer.
    """

    tcp: Text
    whole: bool = False
    by_verdict: bool = False
    least_replications: Annotated[int, Ge(2)] = 2
    does_not_apply: list[Inapplicable] = Field(default_factory=list)


class DerivedScenario(Model):
    """A scenario with base and sets derived from another one.

    `engines`, `models` and `replications` replace those of the sets; default of the engines: those of
    config.yaml, of the replications: the sets' own. With `again` only the points that the source's sentences
    and numbers refer to are run, and its models answer.
    """

    title: Text
    question: Text | None = None
    engines: Annotated[list[Engine], Unique] | None = None
    models: Models = Field(default_factory=list)
    replications: OwnReplications | None = None
    derive: Derivation
    again: ReevaluationSpec | None = None


def load_study(
    root: Path,
    file: str,
    default: Sequence[str],
    length: RunLength,
    models: Mapping[str, Check],
    automatic: Callable[[], Sequence[str]] = tuple,
) -> tuple[Study, CrossCheck | None]:
    """Return the study in a scenario file, which names it, and the cross-check that it asks for.

    `root` is the folder that the file is relative to; the engines `default` answer every set that does not
    choose its own; `models` are all there are, each with its check of a point, and `automatic` returns
    those that `auto` chooses from. Raises ConfigError for anything wrong in the file.
    """
    # A name that cannot be a folder is reported before errors in the file.
    read(cast(Any, Name), study_name(file), file)
    scenario, source = read_scenario(root, file)
    own = _parsed(read_text(root / file, file), file)["derive"]["with"] if source else None
    study = study_of(scenario, file, default, length, models, automatic, source, own)
    return replace(study, folder=_folder(root, file, scenario.paper)), scenario.cross_check


def _folder(root: Path, file: str, paper: str | None) -> str:
    """Return the folder of a study's items: that of its scenario if it has any, else that of its paper."""
    beside = Path(file).parent
    if Path(file).name == SCENARIO_FILE and (root / beside / ITEMS_FILE).exists():
        return beside.as_posix()
    return f"{PAPERS_FOLDER}/{paper}" if paper is not None else ""


def read_scenario(root: Path, file: str) -> tuple[Scenario, str]:
    """Return the scenario in a file, relative to `root`, and the file that it derives from, if any.

    Raises ConfigError for anything wrong in it or in the scenario that it derives from, for a set that is
    not there, and for a value that a set sweeps.
    """
    text = read_text(root / file, file)
    written = _parsed(text, file)
    if not (isinstance(written, Mapping) and "derive" in written):
        return _scenario(text, file), ""
    derived: DerivedScenario = read(DerivedScenario, written, file)
    original, source_file = source_of(root, derived, file)
    return _derived(derived, original, file), source_file


def declared(root: Path, file: str) -> frozenset[str]:
    """Return the keys of a scenario file, which tell a paper from a cross-check and a re-evaluation."""
    written = _parsed(read_text(root / file, file), file)
    return frozenset(written if isinstance(written, Mapping) else ())


def read_reevaluation(root: Path, file: str) -> DerivedScenario | None:
    """Return the scenario in a file if it re-evaluates another one, else None."""
    written = _parsed(read_text(root / file, file), file)
    if not (isinstance(written, Mapping) and "derive" in written):
        return None
    derived: DerivedScenario = read(DerivedScenario, written, file)
    return derived if derived.again else None


def source_of(root: Path, derived: DerivedScenario, file: str) -> tuple[Scenario, str]:
    """Return the scenario that one derives from, and its file; ConfigError if there is none."""
    source = derived.derive.source
    source_file = source if source.endswith(".yaml") else f"{PAPERS_FOLDER}/{source}/{SCENARIO_FILE}"
    if not (root / source_file).is_file():
        papers = sorted(path.parent.name for path in (root / PAPERS_FOLDER).glob(f"*/{SCENARIO_FILE}"))
        allowed = f"a scenario file, or a paper: {', '.join(papers)}"
        raise ConfigError(file, "derive.from", f"there is no {source_file}", allowed)
    return _scenario(read_text(root / source_file, source_file), source_file), source_file


# Cached: a paper's scenario is also the source of derived ones.
@lru_cache
def _parsed(text: str, file: str) -> Any:
    """Return a scenario as written; paths of libraries and traces are relative to its file."""
    return _beside(parse_yaml(text, file), Path(file).parent)


def _beside(written: Any, folder: Path, key: str = "") -> Any:
    if isinstance(written, dict):
        return {name: _beside(value, folder, str(name)) for name, value in written.items()}
    if isinstance(written, list):
        return [_beside(value, folder, key) for value in written]
    return (
        str(folder / written)
        if key.split(".")[-1] in {"library", "file"} and isinstance(written, str)
        else written
    )


@lru_cache
def _scenario(text: str, file: str) -> Scenario:
    scenario: Scenario = read(Scenario, _parsed(text, file), file)
    return scenario


def _derived(derived: DerivedScenario, original: Scenario, file: str) -> Scenario:
    there = original.sets
    check_sets(derived, original, file)
    names = derived.derive.sets or list(there)
    return Scenario(
        title=derived.title,
        question=derived.question,
        models=derived.models,
        base=original.base,
        sets={name: derived_set(derived, name, there[name], file) for name in names},
    )


def check_sets(derived: DerivedScenario, original: Scenario, file: str) -> None:
    """Raise ConfigError if the source lacks one of the sets that are named."""
    for index, name in enumerate(derived.derive.sets or ()):
        if name not in original.sets:
            allowed = f"one of: {', '.join(original.sets)}"
            raise ConfigError(file, f"derive.sets[{index}]", f"there is no set {name!r}", allowed)


def derived_set(derived: DerivedScenario, name: str, spec: SetSpec, file: str) -> SetSpec:
    """Return a set of the source with the values in place; ConfigError for one that it sweeps."""
    values = derived.derive.values
    if path := swept(derived, spec):
        allowed = "other values, or derive.sets without this one"
        raise ConfigError(file, f"derive.with.{path}", f"the set {name} sweeps it", allowed)
    kept = {path: value for path, value in spec.override.items() if path not in values}
    changes: dict[str, Any] = {"engines": derived.engines, "models": None, "override": {**kept, **values}}
    if derived.replications is not None:
        changes["replications"] = derived.replications
    return spec.model_copy(update=changes)


def swept(derived: DerivedScenario, spec: SetSpec) -> str:
    """Return the first path of the values that a set sweeps in whole or in part; empty if there is none."""
    paths = {path for grid in _grids(spec) for path in grid}
    for path in derived.derive.values:
        if any(f"{path}.".startswith(f"{other}.") or f"{other}.".startswith(f"{path}.") for other in paths):
            return path
    return ""


def _grids(spec: SetSpec) -> list[Mapping[str, Any]]:
    """Return a set's swept values by dotted path."""
    if spec.sweep is None:
        return []
    design = [spec.sweep.design.over] if spec.sweep.design else []
    return [*([spec.sweep.grid] if spec.sweep.grid else []), *(spec.sweep.entries or []), *design]
