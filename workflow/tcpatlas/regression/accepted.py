"""The files of accepted numbers, `config/baseline/<scale>/<study>.csv`: a table for each set and engine.

A table's first line names set, engine and points, the others a metric and its unit, with empty cells where a
point has no such metric; tables are an empty line apart (see docs/formats.md).

Both ends of an interval follow from `half_width` to the last digit: `value - half_width` is `ci_low` and
`value + half_width` is `ci_high`, in floating point. Where none is found, the ends stand in its place.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from tcpatlas.base.errors import ConfigError
from tcpatlas.base.files import read_text

# A model is not compared to the last digit; this rounds it by at most 5e-12 of its value.
MODEL_DIGITS = 12

Row = Mapping[str, str]

_BESIDE_VALUE = ("half_width", "replications")
_ENDS = ".."
_ENOUGH_DIGITS = 17  # for any float


def is_model(engine: str) -> bool:
    """Say whether the engine of an observation is a model, which has neither intervals nor replications."""
    return engine.startswith("model:")


def number(text: str) -> float | None:
    """Return the number that a cell holds, None if it holds something else."""
    try:
        return float(text)
    except ValueError:
        return None


def accepted_text(rows: Iterable[Row]) -> str:
    """Return the file of a study's rows, which are observations."""
    tables: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        tables.setdefault((row["set"].partition("/")[2], row["engine"]), []).append(row)
    return "\n".join(_table_text(*of, table) for of, table in tables.items())


def _table_text(set_name: str, engine: str, rows: Sequence[Row]) -> str:
    points = list(dict.fromkeys(row["point"] for row in rows))
    lines: dict[tuple[str, str], dict[str, list[str]]] = {}
    for row in rows:
        lines.setdefault((row["metric"], row["unit"]), {})[row["point"]] = _cells(row)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_heading(set_name, engine, points))
    nothing = [""] * _width(engine)
    for names, cells in lines.items():
        writer.writerow([*names, *(cell for point in points for cell in cells.get(point, nothing))])
    return text.getvalue()


def _heading(set_name: str, engine: str, points: Iterable[str]) -> list[str]:
    of_each = ((point, *_BESIDE_VALUE)[: _width(engine)] for point in points)
    return [set_name, engine, *chain.from_iterable(of_each)]


def _width(engine: str) -> int:
    """Return how many cells of a line are of one point."""
    return 1 if is_model(engine) else 1 + len(_BESIDE_VALUE)


def _cells(row: Row) -> list[str]:
    if is_model(row["engine"]):
        return [repr(_rounded(float(row["value"]), MODEL_DIGITS))]
    return [row["value"], _interval_cell(row["value"], row["ci_low"], row["ci_high"]), row["replications"]]


def _interval_cell(value: str, low: str, high: str) -> str:
    if low and high:
        half = _half_width(float(value), float(low), float(high))
        if half is not None:
            return repr(half)
    return f"{low}{_ENDS}{high}" if low or high else ""


def _half_width(value: float, low: float, high: float) -> float | None:
    """Return the number of the fewest digits from which both ends follow; None if none is found."""
    for digits in range(1, _ENOUGH_DIGITS + 1):
        for about in ((high - low) / 2, value - low, high - value):
            half = _rounded(about, digits)
            if (value - half, value + half) == (low, high):
                return half
    return None


def _rounded(value: float, digits: int) -> float:
    return float(f"{value:.{digits}g}")


def read_accepted(path: Path) -> list[Row]:
    """Return the rows of such a file, each with the columns of an observation but `parameters`.

    Raises ConfigError, naming the line, if the file cannot be read or holds something else.
    """
    rows: dict[tuple[str, ...], Row] = {}
    reader = csv.reader(io.StringIO(read_text(path, path)))
    heading: list[str] = []
    for cells in reader:
        place = f"line {reader.line_num}"
        if not (heading and cells):
            heading = cells
            _check_heading(heading, path, place)
            continue
        if len(cells) != len(heading):
            needed = f"needed: {len(heading)}, as in the table's first line"
            raise ConfigError(path, place, f"number of cells: {len(cells)}", needed)
        for row in _rows(heading, cells, path, place):
            key = (row["set"], row["point"], row["engine"], row["metric"])
            if key in rows:
                raise ConfigError(path, place, f"{', '.join(key)}: is there twice", "each metric once")
            rows[key] = row
    return list(rows.values())


def _check_heading(cells: Sequence[str], path: Path, place: str) -> None:
    if not cells:
        return
    points = cells[2 :: _width(cells[1])] if len(cells) > 2 else []
    if not points or cells != _heading(cells[0], cells[1], points):
        needed = f"needed: set, engine and points, each point of an engine with {' and '.join(_BESIDE_VALUE)}"
        raise ConfigError(path, place, "no table begins so", needed)


def _rows(heading: Sequence[str], cells: Sequence[str], path: Path, place: str) -> Iterator[Row]:
    set_name, engine, *points = heading
    metric, unit, *numbers = cells
    width = _width(engine)
    for first in range(0, len(points), width):
        value, interval, replications = (*numbers[first : first + width], "", "")[:3]
        for text in (value, replications, *interval.split(_ENDS)):
            if text and number(text) is None:
                problem = f"{points[first]}: {text!r} is not a number"
                raise ConfigError(path, place, problem, "a number or nothing is allowed")
        if value:
            low, high = _ends(float(value), interval)
            yield {
                "set": f"{path.stem}/{set_name}",
                "point": points[first],
                "engine": engine,
                "metric": metric,
                "unit": unit,
                "value": value,
                "ci_low": low,
                "ci_high": high,
                "replications": replications,
            }


def _ends(value: float, interval: str) -> tuple[str, str]:
    if not interval or _ENDS in interval:
        low, _, high = interval.partition(_ENDS)
        return low, high
    return repr(value - float(interval)), repr(value + float(interval))
