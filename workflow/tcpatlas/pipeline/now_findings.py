"""Sentences about the panels of "Then and now", with numbers from the results."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from tcpatlas.base.errors import ConfigError
from tcpatlas.base.formatting import Unit
from tcpatlas.claims.tables import Row
from tcpatlas.pipeline.now_figure import FILE, Panel

COLUMNS = ("panel", "question", "finding", "paper", "headline")
# Quantities of a series in a sentence, along the panel or at one place: the change from the paper's own TCP,
# the model's error against the series, the values themselves, or one with its interval.
_PLACE = re.compile(r"\{([^{}:]+): (change|error|values|interval)(?: at ([0-9.]+))?\}")
THEN, MODEL = "the paper's TCP", "the model"
_MINUS = "\N{MINUS SIGN}"

# For each series, by the place along the panel: the value, and the interval if there is one.
Series = Mapping[str, Mapping[float, float]]
Intervals = Mapping[tuple[str, float], tuple[float, float]]


def finding_rows(panels: Mapping[str, Panel], rows: Sequence[Row]) -> Iterator[Row]:
    """Yield the findings of each panel with points, as a paragraph, and its headline.

    `rows` are those of now_figure.csv. A sentence about a series that this run does not have is left out.
    Raises ConfigError for a sentence that cannot be filled in.
    """
    for name, panel in panels.items():
        panel_rows = [row for row in rows if row["panel"] == name]
        if not panel_rows:
            continue
        fill = partial(
            _filled, _series(panel_rows), _intervals(panel_rows), min(str(row["unit"]) for row in panel_rows)
        )
        yield {
            "panel": name,
            "question": panel.question,
            "finding": fill(panel.findings, f"panels.{name}.findings"),
            "paper": panel.paper,
            "headline": fill(panel.headline, f"panels.{name}.headline"),
        }


def _series(rows: Sequence[Row]) -> Series:
    series: dict[str, dict[float, float]] = {}
    for row in rows:
        if row.get("value") not in (None, ""):
            series.setdefault(_name(row), {})[float(row["x"])] = float(row["value"])
    return series


def _intervals(rows: Sequence[Row]) -> Intervals:
    return {
        (_name(row), float(row["x"])): (float(row["ci_low"]), float(row["ci_high"]))
        for row in rows
        if row.get("ci_low") not in (None, "")
    }


def _name(row: Row) -> str:
    if row.get("then") == "true":
        return THEN
    return f"{row['tcp']} by {row['engine']}" if row.get("tcp") else MODEL


def _filled(series: Series, intervals: Intervals, unit: str, sentences: Sequence[str], path: str) -> str:
    """Return the sentences with their numbers, without those about a series that has none of the places."""
    filled = (_sentence(one, series, intervals, unit, path) for one in sentences)
    return " ".join(filter(None, filled))


def _sentence(sentence: str, series: Series, intervals: Intervals, unit: str, path: str) -> str:
    """Return the sentence with its numbers; nothing if a series that it is about has none of its places."""
    numbers = []
    for name, quantity, at in _PLACE.findall(sentence):
        base = THEN if quantity == "change" else name
        measured = MODEL if quantity == "error" else name
        shared = [x for x in series.get(measured, {}) if x in series.get(base, {})]
        places = [x for x in shared if not at or x == float(at)]
        if not places:
            return ""
        values = [series[measured][x] for x in places]
        if quantity == "values":
            numbers.append(_values(values, unit))
        elif quantity == "interval":
            value, interval = (
                _values(one, unit) for one in (values, intervals.get((name, places[0]), values))
            )
            numbers.append(value if interval == value else f"{value} ({interval})")
        else:
            numbers.append(
                _percents([value / series[base][x] - 1 for x, value in zip(places, values, strict=True)])
            )
    filled = _PLACE.sub(lambda _: numbers.pop(0), sentence)
    if "{" in filled:
        problem = f"{filled[filled.index('{') :].partition('}')[0]}}} asks for nothing that a series has"
        raise ConfigError(
            FILE,
            path,
            problem,
            "{SERIES: change}, {SERIES: error}, {SERIES: values} or {SERIES: interval at X}",
        )
    return filled


def _percents(ratios: Sequence[float]) -> str:
    low, high = (_signed(100 * ratio) for ratio in (min(ratios), max(ratios)))
    return f"{low} %" if low == high else f"{low} to {high} %"


def _signed(percent: float) -> str:
    digits = 0 if abs(percent) >= 2 else 1
    return f"{percent:+.{digits}f}".replace("-", _MINUS) if round(percent, digits) else "0"


def _values(values: Sequence[float], unit: str) -> str:
    """Return the least and the largest of values in SI units, in one that people read."""
    written = Unit.like(unit, max(values))
    low, high = (written.number(value) for value in (min(values), max(values)))
    return f"{low} {written.name}" if low == high else f"{low} to {high} {written.name}"
