"""Our own accepted numbers, `config/baseline/<scale>/<study>.csv`: what moved since they were accepted.

Of each set the first, the middle and the last point are watched: a change of the code moves them too, and the
files stay small enough for a diff. What follows from two other rows (`model:engset/packetsim`) is left out.

A simulation is the same to the last digit; a model may differ by rounding from one machine to another. What
an engine measures that does not repeat its numbers is not compared.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from tcpatlas.base.errors import ConfigError
from tcpatlas.base.files import read_text, write_atomically
from tcpatlas.claims.tables import COLUMNS
from tcpatlas.points.engines import known
from tcpatlas.project import Project
from tcpatlas.regression.accepted import Row, accepted_text, is_model, number, read_accepted
from tcpatlas.trust.stored import ACCEPTED, maps_file

MODEL_TOLERANCE = 1e-9

_KEY = ("set", "point", "engine", "metric")
_NUMBERS = ("value", "ci_low", "ci_high", "replications")
_COMPARED = ("unit", *_NUMBERS)


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
        old, new = number(self.old), number(self.new)
        return f"{change} ({new / old - 1:+.3g})" if old and new is not None else change


@dataclass(frozen=True)
class EngineChange:
    """An engine or model that answers a set now and did not, or the reverse, with how many numbers."""

    scenario_set: str
    engine: str
    count: int
    is_new: bool

    def __str__(self) -> str:
        change = "answers now and did not" if self.is_new else "does not answer now and did"
        numbers = "1 number" if self.count == 1 else f"{self.count} numbers"
        return f"{self.scenario_set}: {self.engine} {change} ({numbers})"


def baseline_path(project: Project) -> Path:
    """Return the folder of the accepted numbers at the project's scale."""
    return project.root / "config/baseline" / project.scale


def moved(project: Project, results: Path) -> tuple[list[Difference | EngineChange], list[str]]:
    """Return what differs between accepted numbers and observations, and the sets without accepted numbers.

    An engine that answers all of a set or nothing of it is one difference. Only the project's studies are
    compared. Engines that this machine lacks something for are not missed.
    Raises ConfigError if a table cannot be read.
    """
    old = _by_key(row for path in _files(project).values() if path.exists() for row in read_accepted(path))
    new = _by_key(_observed(results))
    known = {row["set"] for row in old.values()}
    unknown = dict.fromkeys(row["set"] for row in new.values() if row["set"] not in known)
    old = {key: row for key, row in old.items() if not _is_left_out(project, row)}
    differences: list[Difference | EngineChange] = []
    of_old, of_new = (Counter((key[0], key[2]) for key in table) for table in (old, new))
    for key in dict.fromkeys([*old, *new]):
        one = (key[0], key[2])
        if key[0] in unknown or one not in of_old or one not in of_new:
            continue
        if key not in old or key not in new:
            was, now = (table[key]["value"] if key in table else None for table in (old, new))
            differences.append(Difference(key, "value", was, now))
            continue
        tolerance = MODEL_TOLERANCE if is_model(key[2]) else 0.0
        differences += [
            Difference(key, column, old[key][column], new[key][column])
            for column in _COMPARED
            if not _same(old[key][column], new[key][column], tolerance)
        ]
    for one in dict.fromkeys([*of_old, *of_new]):
        if one[0] not in unknown and (one in of_old) != (one in of_new):
            differences.append(EngineChange(*one, of_old[one] + of_new[one], one in of_new))
    return differences, list(unknown)


def accept(project: Project, results: Path) -> None:
    """Make the observations the accepted numbers; those of studies that the project does not hold stay.

    So do those of engines that this machine lacks something for. With the numbers of the scale `paper` error
    maps are accepted too.
    Raises ConfigError if the observations cannot be read.
    """
    place = {scenario_set.full_name: index for index, scenario_set in enumerate(project.sets)}
    observed = _observed(results)
    for study, path in _files(project).items():
        kept = [row for row in read_accepted(path) if _is_left_out(project, row)] if path.exists() else []
        rows = [row for row in observed if row["set"].startswith(f"{study}/")]
        rows = sorted([*rows, *kept], key=lambda row: place.get(row["set"], -1))
        write_atomically(path, accepted_text(rows))
        made = maps_file(results / "error-maps", study)
        if project.scale == "paper" and made.exists():
            write_atomically(maps_file(project.root / ACCEPTED, study), read_text(made, made))


def _is_left_out(project: Project, row: Row) -> bool:
    return any(row["set"] == one.full_name and row["engine"] in one.left_out for one in project.sets)


def _files(project: Project) -> dict[str, Path]:
    return {study.name: baseline_path(project) / f"{study.name}.csv" for study in project.studies}


def _observed(results: Path) -> list[Row]:
    """Return the rows that are watched; ConfigError if a column is missing or a number is none."""
    tables = (_table(results, table) for table in ("observations", "predictions"))
    rows = _watched(row for row in chain.from_iterable(tables) if _repeats(row["engine"]))
    for row in rows:
        for column in _NUMBERS:
            if number(row[column]) is None and (row[column] or column == "value"):
                place = f"{row['set']}/{row['point']}: {row['metric']} by {row['engine']}: {column}"
                raise ConfigError(results, place, f"{row[column]!r} is not a number", "compare again")
    return rows


def _repeats(engine: str) -> bool:
    known_one = known().get(re.split("[/@]", engine)[-1])
    return known_one is None or known_one.deterministic


def _table(results: Path, name: str) -> Iterator[Row]:
    """Yield the rows of a table of results, with every column of an observation."""
    path = results / f"{name}.csv"
    reader = csv.DictReader(io.StringIO(read_text(path, path)), restval="")
    missing = [column for column in COLUMNS[name] if column not in (reader.fieldnames or ())]
    if missing:
        raise ConfigError(path, missing[0], "the column is missing", f"needed: {', '.join(COLUMNS[name])}")
    for row in reader:
        known = dict.fromkeys(COLUMNS["observations"], "") | row
        # Accepted numbers keep what is the same in all replications by a half-width of 0.
        same = known["interval"] in ("exact", "alike")
        yield known | (dict.fromkeys(("ci_low", "ci_high"), known["value"]) if same else {})


def _watched(rows: Iterable[Row]) -> list[Row]:
    own = list(rows)
    points: dict[str, list[str]] = {}
    for scenario_set, point in dict.fromkeys((row["set"], row["point"]) for row in own):
        points.setdefault(scenario_set, []).append(point)
    watched = {name: {found[0], found[len(found) // 2], found[-1]} for name, found in points.items()}
    return [row for row in own if row["point"] in watched[row["set"]]]


def _by_key(rows: Iterable[Row]) -> dict[tuple[str, ...], Row]:
    return {tuple(row[column] for column in _KEY): row for row in rows}


def _same(old: str, new: str, tolerance: float) -> bool:
    if old == new:
        return True
    a, b = number(old), number(new)
    return a is not None and b is not None and math.isclose(a, b, rel_tol=tolerance)
