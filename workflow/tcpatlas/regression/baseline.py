"""Our own accepted numbers, `config/baseline/<scale>/<study>.csv`: what moved since they were accepted.

The first, middle and last point of each set are watched, only the middle one in re-evaluations: any change
of the code moves them too, and the files stay small enough for a diff. Numbers that combine an engine and a
model are left out.

Simulations match to the last digit; models may differ by rounding between machines. Engines that do not
repeat their numbers are not compared.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tcpatlas.base.errors import ConfigError
from tcpatlas.base.files import write_atomically
from tcpatlas.config.project import Project
from tcpatlas.points.engines import all_engines
from tcpatlas.points.scenario import SCENARIO_FILE, SCENARIOS
from tcpatlas.regression.accepted import COLUMNS, KEY, NUMBERS, accepted_text, checked, read_table
from tcpatlas.regression.verdicts import NOW
from tcpatlas.trust.stored import ACCEPTED, maps_file

MODEL_TOLERANCE = 1e-9
# What observations.csv and predictions.csv hold of other studies.
_RELATIONS = ("simulation", "model")
_ONE_SIDED = {"left_only": "does not answer now and did", "right_only": "answers now and did not"}


def baseline_path(project: Project) -> Path:
    """Return the folder of the accepted numbers at the project's scale."""
    return project.root / "config/baseline" / project.scale


def moved(project: Project, results: Path) -> tuple[list[str], list[str]]:
    """Return what differs between accepted numbers and observations, and the sets without accepted numbers.

    An engine that answers a whole set on one side only is one difference. Only the project's studies are
    compared. Engines that cannot run on this machine are not missed.
    Raises ConfigError if a table cannot be read.
    """
    old = pd.concat(
        [
            pd.DataFrame(columns=COLUMNS),
            *(_accepted(path) for path in _files(project).values() if path.exists()),
        ]
    )
    new = _observed(project, results)
    unknown = ~new["set"].isin(old["set"])
    old = old[~_left_out(project, old)]
    both = old.merge(new[~unknown], on=KEY, how="outer", suffixes=(" old", " new"), indicator="side")
    lines: list[str] = []
    for (scenario_set, engine), rows in both.groupby(["set", "engine"], sort=False):
        side = rows["side"].unique()
        if len(side) == 1 and side[0] in _ONE_SIDED:
            numbers = "1 number" if len(rows) == 1 else f"{len(rows)} numbers"
            lines.append(f"{scenario_set}: {engine} {_ONE_SIDED[side[0]]} ({numbers})")
        else:
            lines += _moved_numbers(rows)
    return lines, list(new["set"][unknown].unique())


def _moved_numbers(both: pd.DataFrame) -> Iterator[str]:
    """Yield a line for each row on one side only, and for each cell that differs."""
    tolerance = np.where(both["model"].fillna("").ne(""), MODEL_TOLERANCE, 0.0)
    differs = {"unit": both["unit old"] != both["unit new"]}
    for column in NUMBERS:
        old, new = (_numbers(both[f"{column} {side}"]) for side in ("old", "new"))
        close = np.abs(old - new) <= tolerance * np.maximum(np.abs(old), np.abs(new))
        differs[column] = ~(close | (old == new) | (np.isnan(old) & np.isnan(new)))
    for place in np.flatnonzero(np.any(list(differs.values()), axis=0)):
        row = both.iloc[place]
        name = f"{row['set']}/{row['point']}: {row['metric']} by {row['engine']}"
        if row["side"] == "left_only":
            yield f"{name}: is gone, was {row['value old']}"
        elif row["side"] == "right_only":
            yield f"{name}: is new, {row['value new']}"
        else:
            for column in (column for column, there in differs.items() if np.asarray(there)[place]):
                yield f"{name}: {column} {_change(row[f'{column} old'], row[f'{column} new'])}"


def _numbers(cells: pd.Series[str]) -> NDArray[np.float64]:
    """Return cells as floats, NaN where empty."""
    return np.array([float(cell or math.nan) for cell in cells])


def _change(old: str, new: str) -> str:
    change = f"{old or 'nothing'} -> {new or 'nothing'}"
    try:
        return f"{change} ({float(new) / float(old) - 1:+.3g})"
    except (ValueError, ZeroDivisionError):
        return change


def accept(project: Project, results: Path) -> None:
    """Accept the observations; accepted numbers of studies outside the project stay.

    So do those of engines that this machine lacks something for. With the numbers of the scale `paper` error
    maps are accepted too.
    Raises ConfigError if the observations cannot be read, and for a study whose name is that of another's
    accepted numbers.
    """
    _check_names(project)
    observed = _observed(project, results)
    for study, path in _files(project).items():
        rows = observed[observed["set"].str.startswith(f"{study}/")]
        if path.exists():
            old = _accepted(path)
            rows = pd.concat([rows, old[_left_out(project, old)]])
        write_atomically(path, accepted_text(rows))
        made = maps_file(results / "error-maps", study)
        if project.scale == "paper" and made.exists():
            write_atomically(maps_file(project.root / ACCEPTED, study), made.read_bytes())


def _check_names(project: Project) -> None:
    """Refuse a scenario named like a study of the project: it would replace that one's numbers."""
    for study in project.studies:
        for path in project.root.glob(f"{SCENARIOS}/*/{study.name}/{SCENARIO_FILE}"):
            own = path.relative_to(project.root).as_posix()
            if study.file != own:
                problem = f"has the name of {own}, whose accepted numbers it would replace"
                raise ConfigError(study.file, "", problem, "another name")


def _left_out(project: Project, rows: pd.DataFrame) -> pd.Series[bool]:
    """Say for each row whether its engine cannot run on this machine."""
    names = {
        (scenario_set.full_name, engine) for scenario_set in project.sets for engine in scenario_set.left_out
    }
    return pd.Series([of in names for of in zip(rows["set"], rows["engine"], strict=True)], rows.index, bool)


def _files(project: Project) -> dict[str, Path]:
    every = (*project.studies, *project.again)
    return {study.name: baseline_path(project) / f"{study.name}.csv" for study in every}


def _accepted(path: Path) -> pd.DataFrame:
    return checked(read_table(path)[COLUMNS], path)


def _observed(project: Project, results: Path) -> pd.DataFrame:
    """Return the rows that are watched; ConfigError if a column is missing or a number is none."""
    tables = {
        path: read_table(path)
        for path in (results / f"{name}.csv" for name in ("observations", "predictions"))
    }
    again = [read_table(results / NOW / study.name / "measured.csv") for study in project.again]
    rows = pd.concat([*tables.values(), *(table[table["relation"].isin(_RELATIONS)] for table in again)])
    watched = {
        (scenario_set.full_name, scenario_set.points[place].name)
        for study in (*project.studies, *project.again)
        for scenario_set in study.sets
        for place in (len(scenario_set.points) // 2, *(() if study.again else (0, -1)))
        if scenario_set.points
    }
    unrepeated = [name for name, engine in all_engines().items() if not engine.deterministic]
    kept = [of in watched for of in zip(rows["set"], rows["point"], strict=True)]
    rows = checked(rows[pd.Series(kept, rows.index) & ~rows["engine"].isin(unrepeated)], results)
    # Equal replications give an interval of no width.
    same = rows["interval"].isin(["exact", "alike"]) if "interval" in rows else np.zeros(len(rows), bool)
    return rows[[*COLUMNS, "model"]].assign(
        **{end: rows[end].where(~same, rows["value"]) for end in ("ci_low", "ci_high")}
    )
