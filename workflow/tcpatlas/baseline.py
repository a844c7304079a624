"""Our own accepted numbers, `config/baseline/<scale>.csv`: what moved since they were accepted.

A simulation is the same to the last digit; a model may differ by rounding from one machine to another.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from tcpatlas.errors import ConfigError
from tcpatlas.files import write_atomically
from tcpatlas.observations import OBSERVATION_COLUMNS
from tcpatlas.project import Project

MODEL_TOLERANCE = 1e-9

_KEY = ["set", "point", "engine", "metric"]
_NUMBERS = ["value", "ci_low", "ci_high", "replications"]


def baseline_path(project: Project) -> Path:
    """Return the file of the accepted numbers at the project's scale."""
    return project.root / "config/baseline" / f"{project.scale}.csv"


def moved(project: Project, results: Path) -> pd.DataFrame:
    """Return what differs between the accepted numbers and results/observations.csv, for the project's studies.

    Columns: set, point, engine, metric, what (`value`, `unit`, ..., or `row` where one side has none), old, new.
    Raises ConfigError if a table cannot be read; without accepted numbers every row is new.
    """
    new = _read(results / "observations.csv")
    path = baseline_path(project)
    old = _of_studies(_read(path), project) if path.exists() else new.iloc[:0]
    both = old.merge(new, on=_KEY, how="outer", suffixes=("_old", "_new"), indicator="side")
    differences = []
    for row in both.to_dict("records"):
        key = {name: row[name] for name in _KEY}
        if row["side"] != "both":
            old_value, new_value = row["value_old"], row["value_new"]
            differences.append(key | {"what": "row", "old": old_value, "new": new_value})
            continue
        tolerance = MODEL_TOLERANCE if row["engine"].startswith("model:") else 0.0
        for name in ("unit", *_NUMBERS):
            old_value, new_value = row[f"{name}_old"], row[f"{name}_new"]
            if not _same(old_value, new_value, tolerance):
                differences.append(key | {"what": name, "old": old_value, "new": new_value})
    return pd.DataFrame(differences, columns=[*_KEY, "what", "old", "new"])


def accept(project: Project, results: Path) -> None:
    """Make the observations the accepted numbers, and keep those of studies that the project does not hold."""
    path = baseline_path(project)
    table = _read(results / "observations.csv")
    if path.exists():
        kept = _read(path)
        others = kept[~kept["set"].isin(_of_studies(kept, project)["set"])]
        table = pd.concat([others, table], ignore_index=True)
    write_atomically(path, table.to_csv(index=False, lineterminator="\n"))


def show(differences: pd.DataFrame) -> str:
    """Return the differences as lines for people: what moved, from what to what."""
    lines = [
        f"{row.set}/{row.point}: {row.metric} by {row.engine}: {_words(row.what, row.old, row.new)}"
        for row in differences.itertuples()
    ]
    return "\n".join([*lines, f"{len(lines)} moved" if lines else "nothing moved"])


def _words(what: str, old: object, new: object) -> str:
    if what != "row":
        relative = ""
        if isinstance(old, float) and isinstance(new, float) and old:
            relative = f" ({(new - old) / abs(old):+.3g})"
        return f"{what} {old} -> {new}{relative}"
    return f"is new, {new}" if pd.isna(old) else f"is gone, was {old}"


def _same(old: object, new: object, tolerance: float) -> bool:
    if pd.isna(old) or pd.isna(new):
        return bool(pd.isna(old) and pd.isna(new))
    if isinstance(old, float) and isinstance(new, float):
        return abs(new - old) <= tolerance * max(abs(old), abs(new))
    return old == new


def _of_studies(table: pd.DataFrame, project: Project) -> pd.DataFrame:
    return table[table["set"].str.partition("/")[0].isin([study.name for study in project.studies])]


def _read(path: Path) -> pd.DataFrame:
    try:
        table = pd.read_csv(path, dtype=dict.fromkeys(_NUMBERS, float), float_precision="round_trip")
    except (OSError, ValueError) as error:
        raise ConfigError(path, "", f"cannot be read: {error}", "a table of observations") from None
    for column in OBSERVATION_COLUMNS:
        if column not in table.columns:
            raise ConfigError(
                path, column, "the column is missing", f"needed: {', '.join(OBSERVATION_COLUMNS)}"
            )
    return table
