"""The figures and tables of a project's papers against the accepted ones."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from tcpatlas.base.files import write_atomically
from tcpatlas.claims.published import Item
from tcpatlas.claims.tables import to_csv
from tcpatlas.project import Project
from tcpatlas.regression.baseline import baseline_path
from tcpatlas.regression.drawn import (
    Column,
    accepted_text,
    differences,
    drawn,
    read_accepted,
    tabulated,
)

PICTURE_COLUMNS = ("version", "plot", "panel", "layer", "curve", "x", "y")


@dataclass
class Moved:
    """What differs from the accepted figures and tables.

    `lines` say it, by item; `figures` has the old and new columns of those that moved, by `<study>/<item>`;
    `unknown` are items without accepted columns, `left_out` those that need an engine that cannot be built here.
    """

    lines: list[str] = field(default_factory=list)
    figures: dict[str, tuple[list[Column], list[Column]]] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def moved_items(project: Project, results: Path) -> Moved:
    """Compare the figures and tables of results with the accepted ones.

    Raises ConfigError if a file cannot be read, or a figure or table has not been made.
    """
    moved = Moved()
    for study, items in project.items.items():
        path = _accepted_path(project, study)
        accepted = _by_item(read_accepted(path)) if path.exists() else {}
        for item in items:
            name, file = f"{study}/{item.name}", _rendered(results, study, item)
            old = accepted.pop(item.name, None)
            if any(one.left_out for one in item.sets):
                moved.left_out.append(name)
            elif old is not None:
                new = _columns(file, item)
                found = [f"{study}/{line}" for line in differences(old, new)]
                moved.lines += found
                if found and item.kind == "figure":
                    moved.figures[name] = (old, new)
            elif file.exists():
                moved.unknown.append(name)
        moved.lines += [f"{study}/{name}: is gone" for name in accepted]
    return moved


def accept_items(project: Project, results: Path) -> None:
    """Make the figures and tables of results the accepted ones.

    Those of items that were not made, or that an engine is left out of, stay.
    """
    for study, items in project.items.items():
        path = _accepted_path(project, study)
        accepted = _by_item(read_accepted(path)) if path.exists() else {}
        kept = {item.name: accepted[item.name] for item in items if item.name in accepted}
        for item in items:
            file = _rendered(results, study, item)
            if file.exists() and not any(one.left_out for one in item.sets):
                kept[item.name] = _columns(file, item)
        columns = chain.from_iterable(kept[item.name] for item in items if item.name in kept)
        if kept:
            write_atomically(path, accepted_text(columns))


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


def _rendered(results: Path, study: str, item: Item) -> Path:
    return results / f"{item.kind}s" / study / f"{item.name}.csv"


def _columns(file: Path, item: Item) -> list[Column]:
    return drawn(file, item.name) if item.kind == "figure" else tabulated(file, item.name)


def _by_item(columns: list[Column]) -> dict[str, list[Column]]:
    items: dict[str, list[Column]] = {}
    for column in columns:
        items.setdefault(column.key[0], []).append(column)
    return items
