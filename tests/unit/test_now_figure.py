"""The figure of what the papers' own TCP, today's and the models give on the same networks."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import cases, data
from handmade import RESULTS, Results
from test_reevaluation import FALLS, SAME, Again

from tcpatlas.answers.metrics import catalogue, entry_name
from tcpatlas.base.errors import ConfigError
from tcpatlas.config.project import Project
from tcpatlas.pipeline.now_figure import FILE, figure_rows, read_panels

ROOT = Path(__file__).resolve().parents[2]
PANEL = data("now_figure.panel")


@pytest.fixture
def again(results: Results) -> Again:
    made = Again(results)
    made.rows(SAME, FALLS)
    return made


def shown(again: Again, **changed: Any) -> list[dict[str, Any]]:
    project = again.project()
    file = project.root / FILE
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(yaml.safe_dump({"panels": {"rates": PANEL | changed}}))
    return list(figure_rows(read_panels(project.root), project.studies, project.again, RESULTS))


def test_each_point_has_its_place_and_who_gave_it(again: Again) -> None:
    rows = shown(again, where={"sources.count": 82})
    assert [(row.get("then"), row.get("tcp"), row["engine"], row["x"]) for row in rows] == [
        ("true", "NewReno", "packetsim", 82),
        (None, None, "model:parrot", 82),
        (None, "CUBIC", "packetsim", 82),
    ]
    assert float(rows[-1]["value"]) == SAME["count-82"]


def test_points_may_stand_in_their_order(again: Again) -> None:
    rows = shown(again, x="point", x_title="case", models=[])
    assert {(row["x"], row["x_title"]) for row in rows} == {(1, "case"), (2, "case")}


@cases("now_figure.what_is_not_there_is_named")
def test_what_is_not_there_is_named(again: Again, changed: dict[str, Any], line: str) -> None:
    with pytest.raises(ConfigError, match=line):
        shown(again, **changed)


def test_a_paper_that_is_not_run_has_no_panel(again: Again) -> None:
    assert shown(again, paper="engset") == []


def test_the_panels_of_this_tree_are_of_sets_and_metrics_that_are_there(whole_project: Project) -> None:
    sets = {study.name: {scenario_set.name for scenario_set in study.sets} for study in whole_project.studies}
    for panel in yaml.safe_load((ROOT / FILE).read_text("utf-8"))["panels"].values():
        assert set(panel["sets"]) <= sets[panel["paper"]]
        assert entry_name(panel["metric"]) in catalogue()
