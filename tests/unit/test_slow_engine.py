"""A slow engine: shorter runs, the least number of replications, and a machine that does not have it."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from conftest import SCENARIO, cases, data

from tcpatlas.base.errors import ConfigError
from tcpatlas.config.load import load_project
from tcpatlas.pipeline.plan import Cost, ended, engine_cost
from tcpatlas.points import engines
from tcpatlas.points.run_length import RunLength, shortened
from tcpatlas.points.scenario_file import load_study
from tcpatlas.points.types import Point, ScenarioSet, Study

ROOT = Path(__file__).parents[2]
COST = {name: engines.all_engines()[name].cost for name in ("packetsim", "ns3")}
DOCUMENT: dict[str, Any] = data("slow_engine.document")


def test_a_run_is_shortened_by_the_factor() -> None:
    point = shortened(DOCUMENT, 0.125)
    assert point["stop"] == {"connections": 100000, "warmup_connections": 1000}
    assert point["replications"] == {"minimum": 3, "maximum": 3, "targets": {}}
    assert DOCUMENT["stop"]["connections"] == 800000


@cases("slow_engine.something_is_left_of_a_short_run")
def test_something_is_left_of_a_short_run(stop: dict[str, float], expected: dict[str, float]) -> None:
    assert shortened(DOCUMENT | {"stop": stop}, 0.25)["stop"] == expected


def test_the_plan_counts_its_packets_and_its_time() -> None:
    point = Point("study", "set", "point", DOCUMENT, 0)
    one = ScenarioSet("study", "set", "Set", {"packetsim": 1, "ns3": 0.125}, (), (point, point))
    packets = 2 * 808000 * 12
    assert engine_cost(one, "packetsim", "maximum") == Cost(
        20, 10 * packets, COST["packetsim"].seconds(DOCUMENT, 10 * packets, 20)
    )
    assert engine_cost(one, "ns3", "maximum") == Cost(
        6, 3 * packets / 8, COST["ns3"].seconds(DOCUMENT, 3 * packets / 8, 6)
    )


def test_at_full_length_a_slow_engine_makes_as_many_runs_as_the_others() -> None:
    point = Point("study", "set", "point", DOCUMENT, 0)
    one = ScenarioSet("study", "set", "Set", {"packetsim": 1, "ns3": 1}, (), (point,))
    packets = 808000 * 12
    assert engine_cost(one, "ns3", "maximum") == Cost(
        10, 10 * packets, COST["ns3"].seconds(DOCUMENT, 10 * packets, 10)
    )


def load(tmp_path: Path, **more: Any) -> Study:
    """Return a study of the demonstration's network with one set, of which more may be said."""
    scenario = {"title": "A link", "base": SCENARIO["base"], "sets": {"load": {"title": "Load"} | more}}
    (tmp_path / "my.yaml").write_text(json.dumps(scenario))
    length = RunLength(Decimal(1), DOCUMENT["replications"], 1)
    return load_study(tmp_path, "my.yaml", ["packetsim", "ns3"], length, {})[0]


@pytest.mark.parametrize("there", [True, False])
def test_an_engine_that_is_not_there_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    (tmp_path / "ns3").mkdir()
    if there:
        (tmp_path / "ns3" / "point-to-point-net-device.h").touch()
    monkeypatch.setattr(engines, "_INCLUDE_FOLDERS", (tmp_path,))
    study = load(tmp_path)
    assert study.sets[0].engines == ({"packetsim": 1, "ns3": 0.125} if there else {"packetsim": 1})
    assert study.sets[0].left_out == (() if there else ("ns3",))
    assert engines.missing("packetsim") is None


@pytest.mark.parametrize("there", [True, False])
def test_an_engine_may_run_with_something_that_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    if there:
        (tmp_path / "uml").mkdir()
        (tmp_path / "uml" / "linux").touch()
    monkeypatch.setattr(engines, "_BUILD_FOLDER", tmp_path)
    lacks = "User-Mode Linux with virtual time is not installed (by ./atlas setup); "
    assert engines.missing("linux") == (None if there else lacks + "the engine linux is left out")


@pytest.mark.parametrize(
    ("asked", "length"), [("ns3", 0.125), ({"ns3": {"length": 0.5}}, 0.5), ({"ns3": {"length": 1}}, 1)]
)
def test_a_set_may_choose_how_long_the_runs_of_an_engine_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: Any, length: float
) -> None:
    monkeypatch.setattr(engines, "missing", lambda engine: None)
    (one,) = load(tmp_path, engines=["packetsim", asked]).sets
    assert one.engines == {"packetsim": 1, "ns3": length}


def test_a_set_that_nothing_else_answers_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "_INCLUDE_FOLDERS", (tmp_path / "empty",))
    with pytest.raises(ConfigError) as error:
        load(tmp_path, engines=["ns3"])
    assert "sets.load.engines" in str(error.value)
    assert "ns-3 is not installed (Debian: libns3-dev)" in str(error.value)


def test_the_projects_own_studies_stand_on_a_machine_that_has_packetsim_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "_INCLUDE_FOLDERS", (tmp_path,))
    monkeypatch.setattr(engines, "_BUILD_FOLDER", tmp_path)
    studies = load_project("config/config.yaml", ROOT).studies
    (own,) = (study for study in studies if study.name == "engines")
    lacking = {scenario_set.name: scenario_set.left_out for scenario_set in own.sets}
    assert lacking["kernel-on-off"] == ("linux",)


def test_a_run_ends_with_counts_and_the_pages_that_are_there(tmp_path: Path) -> None:
    assert ended(tmp_path) == ""
    (tmp_path / "claims.csv").write_text(
        "verdict,counted\nreproduced,true\ndeviates,true\nreproduced,true\nreproduced,\n"
    )
    (tmp_path / "report.pdf").touch()
    line = f"{tmp_path}/claims.csv: 3 printed numbers: 2 reproduced, 1 deviates"
    assert ended(tmp_path) == f"{line}\nOpen {tmp_path}/report.pdf"
