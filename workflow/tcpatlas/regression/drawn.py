"""Contents of figures and tables, and files that accept them: `config/baseline/<scale>/items/<study>.csv`.

The code that draws a figure writes each drawn point, tick, legend entry and title to `<figure>.csv` beside
it; a table's `.csv` has its cells. Here each becomes columns (see `Column`): of the numbers or texts of one,
the accepted file keeps how many there are, the mean of all, and some of them, evenly spaced.
"""

import csv
import io
import math
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tcpatlas.base.errors import ConfigError
from tcpatlas.base.files import read_text

# Simulated numbers are the same to the last digit, and are compared so in baseline.py; models and logarithmic
# axes round.
TOLERANCE = 1e-9
# Smaller differences are rounding errors.
NOTHING = 1e-12
KEPT = 9

_PLACE = ("plot", "panel", "layer", "curve")
_HEADING = ("item", *_PLACE, "axis", "count", "mean", "values")
_NUMBER = re.compile(r"[-+\u2212]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


@dataclass(frozen=True)
class Column:
    """The values along one axis of one curve of a figure, or the cells of one column of a table.

    `key` is item, plot (or table), panel, layer, curve (or heading) and axis; `mean` is that of all numbers,
    None if there are none; `kept` are some of its `count` values.
    """

    key: tuple[str, ...]
    count: int
    mean: float | None
    kept: tuple[str, ...]

    @property
    def name(self) -> str:
        """The key as text."""
        item, plot, panel, layer, curve, axis = self.key
        parts = (
            item,
            plot and f"part {plot}",
            panel and f"panel {panel!r}",
            layer,
            curve and f"curve {curve!r}",
            axis,
        )
        return ", ".join(part for part in parts if part)


def summed_up(key: Iterable[str], values: Sequence[str]) -> Column:
    """Return a column of values."""
    numbers = [number for value in values for number in _numbers(value)]
    mean = math.fsum(numbers) / len(numbers) if numbers else None
    return Column(tuple(key), len(values), mean, tuple(values[place] for place in kept_places(len(values))))


def kept_places(count: int) -> list[int]:
    """Return which of so many values are kept: the first, the last, and those evenly spaced between."""
    if count <= KEPT:
        return list(range(count))
    return [round(index * (count - 1) / (KEPT - 1)) for index in range(KEPT)]


def _numbers(text: str) -> list[float]:
    return [float(number.replace("\u2212", "-")) for number in _NUMBER.findall(text)]


def drawn(path: Path, item: str) -> list[Column]:
    """Return the columns of a figure's file; ConfigError if it cannot be read or is none."""
    rows = csv.DictReader(io.StringIO(read_text(path, path)))
    axes = [column for column in rows.fieldnames or () if column not in _PLACE]
    if list(rows.fieldnames or ())[: len(_PLACE)] != list(_PLACE):
        raise ConfigError(path, "", "these are not the points of a figure", f"needed: {', '.join(_PLACE)}")
    columns: dict[tuple[str, ...], list[str]] = {}
    for row in rows:
        for axis in axes:
            if row[axis]:
                columns.setdefault((item, *(row[column] for column in _PLACE), axis), []).append(row[axis])
    return [summed_up(key, values) for key, values in columns.items()]


def tabulated(path: Path, item: str, unrepeated: Collection[str] = ()) -> list[Column]:
    """Return the columns of a file of tables, which empty lines separate (ConfigError without it).

    Without the rows of sources, each "<title>, <what>", whose numbers no seed repeats.
    """
    left_out = tuple(f"{title}, " for title in unrepeated)
    columns: list[Column] = []
    tables = read_text(path, path).split("\n\n")
    for number, text in enumerate(tables, 1):
        heading, *rows = (row for row in csv.reader(io.StringIO(text)) if not row[0].startswith(left_out))
        for place, name in enumerate(heading):
            key = (item, str(number), "", f"column {place + 1}", name, "cell")
            columns.append(summed_up(key, [row[place] for row in rows]))
    return columns


def accepted_text(columns: Iterable[Column]) -> str:
    """Return the file of a study's columns."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_HEADING)
    for column in columns:
        mean = "" if column.mean is None else repr(column.mean)
        writer.writerow([*column.key, column.count, mean, *column.kept])
    return text.getvalue()


def read_accepted(path: Path) -> list[Column]:
    """Return the columns of such a file; ConfigError, naming the line, if it holds something else."""
    reader = csv.reader(io.StringIO(read_text(path, path)))
    if tuple(next(reader, ())) != _HEADING:
        raise ConfigError(path, "line 1", "no accepted figures begin so", f"needed: {','.join(_HEADING)}")
    return [_read_column(cells, path, f"line {reader.line_num}") for cells in reader]


def _read_column(cells: Sequence[str], path: Path, place: str) -> Column:
    width = len(_HEADING) - 1
    try:
        *key, count, mean = cells[:width]
        column = Column(tuple(key), int(count), float(mean) if mean else None, tuple(cells[width:]))
        if len(column.kept) == len(kept_places(column.count)):
            return column
    except ValueError:
        pass
    needed = f"needed: {', '.join(_HEADING)}, a cell for each value"
    raise ConfigError(path, place, "these are no values of a figure", needed)


def differences(old: Sequence[Column], new: Sequence[Column]) -> Iterator[str]:
    """Yield a line for what differs of each column: which point, from what to what."""
    before, now = ({column.key: column for column in columns} for columns in (old, new))
    for key in dict.fromkeys([*before, *now]):
        if key not in now:
            yield f"{before[key].name}: is gone, {_told(before[key])}"
        elif key not in before:
            yield f"{now[key].name}: is new, {_told(now[key])}"
        else:
            change = _change(before[key], now[key])
            if change:
                yield f"{now[key].name}: {change}"


def _told(column: Column) -> str:
    return column.kept[0] if column.count == 1 else f"{column.count} points from {column.kept[0]}"


def _change(old: Column, new: Column) -> str:
    """Return what differs first between two columns of the same place; nothing if they are the same."""
    if old.count != new.count:
        return f"points {old.count} -> {new.count}"
    slack = NOTHING + TOLERANCE * max((abs(n) for value in old.kept for n in _numbers(value)), default=0.0)
    for place, was, now in zip(kept_places(old.count), old.kept, new.kept, strict=True):
        if not _same(was, now, slack):
            which = f"point {place + 1} of {old.count}: " if old.count > 1 else ""
            return f"{which}{was} -> {now}"
    if old.mean is not None and new.mean is not None and abs(old.mean - new.mean) > slack:
        return f"mean of all {old.count} points: {old.mean!r} -> {new.mean!r}"
    return ""


def _same(was: str, now: str, slack: float) -> bool:
    if was == now:
        return True
    try:
        return abs(float(was) - float(now)) <= slack
    except ValueError:
        return False
