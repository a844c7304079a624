"""Compares the figures, tables and verdicts of a project's studies with the accepted ones."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from tcpatlas.base.files import read_csv_rows, to_csv, write_atomically
from tcpatlas.config.project import Project
from tcpatlas.points.engines import all_engines
from tcpatlas.regression.baseline import baseline_path
from tcpatlas.regression.drawn import Column, accepted_text, differences, drawn, read_accepted, tabulated
from tcpatlas.regression.verdicts import NOW, SUMMARY, Told, Verdicts, verdicts

PICTURE_COLUMNS = ("version", "plot", "panel", "layer", "curve", "x", "y")


@dataclass
class Moved:
    """Differences from the accepted figures, tables and verdicts.

    `lines` describe them, by item; `figures` has the old and new columns of those that moved, by
    `<study>/<item>`; `unknown` are items without accepted columns, `left_out` those that need an engine
    which is not here or does not repeat its numbers.
    """

    lines: list[str] = field(default_factory=list)
    figures: dict[str, tuple[list[Column], list[Column]]] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Shown:
    """A figure or table of results, as `items.csv` has it; `file` holds what it shows."""

    study: str
    name: str
    kind: str
    title: str
    sets: tuple[str, ...]

    def file(self, results: Path) -> Path:
        """Return the CSV of its drawn or tabulated contents."""
        return results / f"{self.kind}s" / self.study / f"{self.name}.csv"

    def columns(self, results: Path) -> list[Column]:
        """Read that file, without rows that no seed repeats; ConfigError if it holds something else."""
        if self.kind == "figure":
            return drawn(self.file(results), self.name)
        unrepeated = [engine.title for engine in all_engines().values() if not engine.deterministic]
        return tabulated(self.file(results), self.name, unrepeated)


Item = Shown | Verdicts | Told


def shown_items(results: Path) -> list[Shown]:
    """Return the figures and tables of results; none where nothing was compared yet."""
    path = results / "items.csv"
    rows = read_csv_rows(path) if path.exists() else ()
    return [
        Shown(row["study"], row["item"], row["kind"], row["title"], tuple(row["sets"].split()))
        for row in rows
    ]


def moved_items(project: Project, results: Path) -> Moved:
    """Compare the figures, tables and verdicts of results with the accepted ones.

    Raises ConfigError if a file cannot be read, or a figure or table has not been made.
    """
    moved = Moved()
    for study, items in _by_study(project, results).items():
        accepted = _accepted(project, study)
        for item in items:
            name = f"{study}/{item.name}"
            old = accepted.pop(item.name, None)
            if old is None and not item.file(results).exists():
                continue
            if _depends_on_the_machine(project, study, item):
                moved.left_out.append(name)
            elif old is not None:
                new = item.columns(results)
                lines = [f"{study}/{line}" for line in differences(old, new)]
                moved.lines += lines
                if lines and item.kind == "figure":
                    moved.figures[name] = (old, new)
            else:
                moved.unknown.append(name)
        moved.lines += [f"{study}/{name}: is gone" for name in accepted]
    return moved


def accept_items(project: Project, results: Path) -> None:
    """Make the figures, tables and verdicts of results the accepted ones.

    Those of items that were not made, or that are not compared, stay.
    """
    for study, items in _by_study(project, results).items():
        accepted = _accepted(project, study)
        kept = {item.name: accepted[item.name] for item in items if item.name in accepted}
        for item in items:
            if item.file(results).exists() and not _depends_on_the_machine(project, study, item):
                kept[item.name] = item.columns(results)
        if kept:
            columns = chain.from_iterable(kept[item.name] for item in items if item.name in kept)
            write_atomically(_accepted_path(project, study), accepted_text(columns))


def _by_study(project: Project, results: Path) -> dict[str, list[Item]]:
    """Return the items of the studies, and the results of all re-evaluations if this project has them all."""
    shown: dict[str, list[Item]] = {study.name: [] for study in project.studies if study.folder}
    for item in shown_items(results):
        if item.study in shown:
            shown[item.study].append(item)
    judged = verdicts(project)
    if {study.name for study in project.again} < _accepted_studies(project):
        judged.pop(NOW, None)
    return {study: [*shown.get(study, ()), *items] for study, items in judged.items()}


def _accepted_studies(project: Project) -> set[str]:
    """Return the studies covered by the accepted verdicts of `now`."""
    of = (column.kept for column in _accepted(project, NOW).get(SUMMARY, ()) if column.key[-1] == "of")
    return set(next(of, ("",))[0].split())


def _depends_on_the_machine(project: Project, study: str, item: Item) -> bool:
    """Say whether a set of an item lacks an engine here, or shows numbers that no seed repeats."""
    if not isinstance(item, Shown):
        studies = project.again if study == NOW else (*project.studies, *project.again)
        return any(one.left_out for other in studies if study in (NOW, other.name) for one in other.sets)
    names = {f"{item.study}/{name}" for name in item.sets}
    return any(
        scenario_set.left_out
        or not all(all_engines()[engine].deterministic for engine in scenario_set.engines)
        for scenario_set in project.sets
        if scenario_set.full_name in names
    )


def write_points(moved: Moved, folder: Path) -> None:
    """Write the kept points of figures that moved, for pictures of both: `<folder>/<study>/<item>.csv`."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, (old, new) in moved.figures.items():
        rows = [*_points("accepted", old), *_points("now", new)]
        write_atomically(folder / f"{name}.csv", to_csv(PICTURE_COLUMNS, rows))


def _points(version: str, columns: list[Column]) -> Iterator[dict[str, str]]:
    """Yield the kept points of each curve, those at the same places of x and y."""
    axes: dict[tuple[str, ...], dict[str, Column]] = {}
    for column in columns:
        axes.setdefault(column.key[1:-1], {})[column.key[-1]] = column
    for key, curve in axes.items():
        x, y = (curve.get(axis) for axis in ("x", "y"))
        if x and y and x.count == y.count:
            for values in zip(x.kept, y.kept, strict=True):
                yield dict(zip(PICTURE_COLUMNS, (version, *key, *values), strict=True))


def _accepted_path(project: Project, study: str) -> Path:
    return baseline_path(project) / "items" / f"{study}.csv"


def _accepted(project: Project, study: str) -> dict[str, list[Column]]:
    """Return the accepted columns of each item of a study; none where no file has them."""
    items: dict[str, list[Column]] = {}
    path = _accepted_path(project, study)
    for column in read_accepted(path) if path.exists() else ():
        items.setdefault(column.key[0], []).append(column)
    return items
