"""The papers' own TCP, today's and the models on the same networks: results/now_figure.csv."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from annotated_types import Len
from pydantic import Field

from tcpatlas.base.errors import ConfigError
from tcpatlas.base.files import read_csv_rows, read_yaml
from tcpatlas.base.validation import MetricName, Model, Name, Text, read
from tcpatlas.claims.tables import Row, si_unit
from tcpatlas.pipeline.compare import study_folder
from tcpatlas.points.types import Point, Study

READS = ("config/then-and-now.yaml",)
FILE = READS[0]
# `tcp` is empty for a model, and `then` for today's TCPs.
COLUMNS = (
    *("panel", "question", "parameter", "x_title", "x", "x_unit", "metric", "unit"),
    *("then", "tcp", "engine", "value", "ci_low", "ci_high"),
)
_BY_ORDER = ("set", "point")


class Then(Model):
    """The paper's own TCP, and the engine that simulates it."""

    tcp: Text
    engine: Name


class Panel(Model):
    """A question, and one metric that answers it: along a parameter, or sets or points in their order.

    `headline`: what a reader of the paper is to know first.
    """

    question: Text
    paper: Name
    sets: Annotated[list[Name], Len(1)]
    where: dict[str, Any] = Field(default_factory=dict)
    x: Text
    x_title: Text | None = None
    metric: MetricName
    then: Then
    models: list[str]
    headline: list[Text] = Field(default_factory=list)
    findings: list[Text] = Field(default_factory=list)


class Panels(Model):
    """The file `then-and-now.yaml`."""

    panels: dict[Name, Panel]


def read_panels(root: Path) -> dict[str, Panel]:
    """Return the panels by name; none if the root lacks the file.

    Raises ConfigError for errors in it.
    """
    return read(Panels, read_yaml(root / FILE, FILE), FILE).panels if (root / FILE).exists() else {}


def figure_rows(
    panels: Mapping[str, Panel], papers: Sequence[Study], again: Sequence[Study], results: Path
) -> Iterator[Row]:
    """Yield the rows of the figure, panel by panel; a panel whose paper is not run has none.

    Values are in SI units. Raises ConfigError for errors in the file, or missing results.
    """
    named = {study.name: study for study in papers}
    for name, panel in panels.items():
        if panel.paper not in named:
            continue
        paper = named[panel.paper]
        places = _places(panel, paper, f"panels.{name}")
        common = {
            "panel": name,
            "question": panel.question,
            "parameter": panel.x,
            "x_title": panel.x_title,
            "metric": panel.metric,
        }
        for row in _measured(panel, paper, places, again, results):
            yield common | row


def _places(panel: Panel, paper: Study, path: str) -> dict[tuple[str, str], Row]:
    """Return the place of each point along x, by the names of its set (without study) and of the point."""
    sets = {scenario_set.name: scenario_set for scenario_set in paper.sets}
    places: dict[tuple[str, str], Row] = {}
    for number, name in enumerate(panel.sets, 1):
        if name not in sets:
            raise ConfigError(FILE, f"{path}.sets", f"{name} is no set of {paper.name}", ", ".join(sets))
        points = [point for point in sets[name].points if _fits(point, panel.where)]
        for index, point in enumerate(points, 1):
            by_order = {"set": number, "point": index}
            x = by_order[panel.x] if panel.x in _BY_ORDER else point.setting(panel.x)
            if x is None:
                raise ConfigError(FILE, f"{path}.x", f"{panel.x} is nothing of {name}", "a parameter's path")
            unit = None if panel.x in _BY_ORDER else si_unit(panel.x)
            places[name, point.name] = {"x": x, "x_unit": unit}
    return places


def _fits(point: Point, where: Mapping[str, Any]) -> bool:
    return all(point.setting(path) == value for path, value in where.items())


def _measured(
    panel: Panel, paper: Study, places: Mapping[tuple[str, str], Row], again: Sequence[Study], results: Path
) -> Iterator[Row]:
    folder = study_folder(results, paper.name)
    of_then = read_csv_rows(folder / "observations.csv")
    of_models = read_csv_rows(folder / "predictions.csv")
    for row in _at(places, panel.metric, (row for row in of_then if row["engine"] == panel.then.engine)):
        yield row | {"tcp": panel.then.tcp, "then": "true"}
    for row in _at(places, panel.metric, (row for row in of_models if row["model"] in panel.models)):
        yield row
    for study in again:
        assert study.again is not None
        if study.again.source == paper.name:
            table = read_csv_rows(results / "now" / study.name / "measured.csv")
            simulated = (row for row in table if row["relation"] == "simulation")
            for row in _at(places, panel.metric, simulated):
                yield row | {"tcp": study.again.tcp}


def _at(
    places: Mapping[tuple[str, str], Row], metric: str, rows: Iterable[Mapping[str, str]]
) -> Iterator[Row]:
    """Yield the rows of a metric at the places, in their order."""
    rows_of_series: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        place = row["set"].partition("/")[2], row["point"]
        if row["metric"] == metric and place in places:
            cells = {column: row.get(column) for column in ("unit", "engine", "value", "ci_low", "ci_high")}
            rows_of_series.setdefault(place, []).append(places[place] | cells)
    for place in places:
        yield from rows_of_series.get(place, ())
