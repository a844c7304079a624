"""Our own accepted numbers, `config/baseline/<scale>.csv`: what moved since they were accepted.

Of each set the first, the middle and the last point are watched: a change of the code moves them too, and the
file stays small enough for a diff. What follows from two other rows (`model:engset/packetsim`) is left out.

A simulation is the same to the last digit; a model may differ by rounding from one machine to another.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tcpatlas.compare import to_csv
from tcpatlas.errors import ConfigError
from tcpatlas.files import read_text, write_atomically
from tcpatlas.observations import OBSERVATION_COLUMNS
from tcpatlas.project import Project

MODEL_TOLERANCE = 1e-9

_KEY = ("set", "point", "engine", "metric")
COLUMNS = tuple(column for column in OBSERVATION_COLUMNS if column != "parameters")
_COMPARED = ("unit", "value", "ci_low", "ci_high", "replications")

Row = Mapping[str, str]


@dataclass(frozen=True)
class Difference:
    """One cell that moved, of the row `set, point, engine, metric`; None where the row is not there."""

    key: tuple[str, ...]
    column: str
    old: str | None
    new: str | None

    def __str__(self) -> str:
        scenario_set, point, engine, metric = self.key
        return f"{scenario_set}/{point}: {metric} by {engine}: {self._change()}"

    def _change(self) -> str:
        if self.old is None:
            return f"is new, {self.new}"
        if self.new is None:
            return f"is gone, was {self.old}"
        change = f"{self.column} {self.old or 'nothing'} -> {self.new or 'nothing'}"
        old, new = _number(self.old), _number(self.new)
        return f"{change} ({new / old - 1:+.3g})" if old and new is not None else change


def baseline_path(project: Project) -> Path:
    """Return the file of the accepted numbers at the project's scale."""
    return project.root / "config/baseline" / f"{project.scale}.csv"


def moved(project: Project, results: Path) -> list[Difference]:
    """Return what differs between the accepted numbers and the observations, for the project's studies.

    Raises ConfigError if a table cannot be read; without accepted numbers every row is new.
    """
    path = baseline_path(project)
    old = _by_key(row for row in _read(path) if _belongs(row, project)) if path.exists() else {}
    new = _by_key(_watched(_read(results / "observations.csv")))
    differences = []
    for key in dict.fromkeys([*old, *new]):
        if key not in old or key not in new:
            there = {**old, **new}[key]["value"]
            was, now = (there if key in table else None for table in (old, new))
            differences.append(Difference(key, "value", was, now))
            continue
        tolerance = MODEL_TOLERANCE if key[2].startswith("model:") else 0.0
        differences += [
            Difference(key, column, old[key][column], new[key][column])
            for column in _COMPARED
            if not _same(old[key][column], new[key][column], tolerance)
        ]
    return differences


def accept(project: Project, results: Path) -> None:
    """Make the observations the accepted numbers; those of studies that the project does not hold stay."""
    path = baseline_path(project)
    others = [row for row in _read(path) if not _belongs(row, project)] if path.exists() else []
    rows = [*others, *_watched(_read(results / "observations.csv"))]
    write_atomically(path, to_csv(COLUMNS, rows))


def _read(path: Path) -> list[Row]:
    reader = csv.DictReader(io.StringIO(read_text(path, path)))
    missing = [column for column in COLUMNS if column not in (reader.fieldnames or ())]
    if missing:
        raise ConfigError(path, missing[0], "the column is missing", f"needed: {', '.join(COLUMNS)}")
    return [{column: row[column] for column in COLUMNS} for row in reader]


def _watched(rows: Iterable[Row]) -> list[Row]:
    own = [row for row in rows if "/" not in row["engine"]]
    points: dict[str, list[str]] = {}
    for scenario_set, point in dict.fromkeys((row["set"], row["point"]) for row in own):
        points.setdefault(scenario_set, []).append(point)
    watched = {name: {found[0], found[len(found) // 2], found[-1]} for name, found in points.items()}
    return [row for row in own if row["point"] in watched[row["set"]]]


def _by_key(rows: Iterable[Row]) -> dict[tuple[str, ...], Row]:
    return {tuple(row[column] for column in _KEY): row for row in rows}


def _belongs(row: Row, project: Project) -> bool:
    return row["set"].partition("/")[0] in {study.name for study in project.studies}


def _same(old: str, new: str, tolerance: float) -> bool:
    if old == new:
        return True
    a, b = _number(old), _number(new)
    return a is not None and b is not None and math.isclose(a, b, rel_tol=tolerance)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
