"""The cross-check of engines: some points of every set of every other study, shortened."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tcpatlas.base.files import read_yaml
from tcpatlas.claims.equivalence import load_agreements
from tcpatlas.claims.folder import read_folder
from tcpatlas.config.load import load_project
from tcpatlas.config.project import Project
from tcpatlas.points import engines
from tcpatlas.points.engine_rules import Rule, check_rules
from tcpatlas.points.errors import PointError
from tcpatlas.points.run_length import RunLength
from tcpatlas.points.sampling import with_samples
from tcpatlas.points.scenario import CrossCheck
from tcpatlas.points.scenario_file import load_study
from tcpatlas.points.types import SAMPLED_SET, ScenarioSet, Study

ROOT = Path(__file__).parents[2]
KNOWN = engines.all_engines()
REPLICATIONS = {"minimum": 3, "maximum": 10, "targets": {}}

LINK = """
title: A link
base:
  links:
    access: {rate: 100 Mbit/s}
    bottleneck: {rate: 12 Mbit/s, buffer: 50 packets, queue: drop-tail}
    egress: {rate: 100 Mbit/s}
  propagation: 50 ms
  packet_size: 1500 B
  ack_size: 0 B
"""
ON_OFF = (
    LINK
    + """
  tcp: {variant: newreno, rwnd: 44 packets, initial_window: 2 packets, min_rto: 1 s, max_rto: 64 s}
  sources:
    count: 8
    workload:
      kind: on-off
      file_size: {distribution: fixed, mean: 12 packets}
      off_time: {distribution: exponential, mean: 1 s}
  stop: {connections: 800000}
sets:
  load: {title: Load, replications: {minimum: 7}, sweep: {grid: {sources.count: [1, 2, 3, 4, 5]}}}
  isolated: {title: One}
  theory: {title: Models only, engines: [], models: [engset], sweep: {grid: {sources.count: [1, 2]}}}
"""
)
BULK = (
    LINK
    + """
  tcp: {variant: %s, rwnd: 500 packets, initial_window: 2 packets, min_rto: 1 s, max_rto: 64 s}
  sources: {count: 1, workload: {kind: bulk}}
  stop: {%s}
sets:
  rates: {title: Rates, sweep: {grid: {links.bottleneck.rate: [12 Mbit/s, %s]}}}
"""
)
EMPTY = Study("cross", "cross.yaml", "The engines", None, ())


def load(folder: Path, other: str, factor: str) -> tuple[Study, RunLength]:
    (folder / "other.yaml").write_text(other)
    length = RunLength(Decimal(factor), REPLICATIONS, 1)
    study, _ = load_study(folder, "other.yaml", ["packetsim"], length, {"engset": lambda point: None})
    return study, length


def samples(folder: Path, other: str, points: int = 2, factor: str = "1") -> tuple[ScenarioSet, ...]:
    study, length = load(folder, other, factor)
    return with_samples(EMPTY, CrossCheck(engines=["packetsim", "ns3"], points=points), [study], length).sets


def documents(folder: Path, other: str, **more: Any) -> list[dict[str, Any]]:
    (one,) = samples(folder, other, **more)
    return [dict(point.document) for point in one.points]


@pytest.mark.parametrize(("points", "counts"), [(1, [1]), (2, [1, 5]), (3, [1, 3, 5]), (9, [1, 2, 3, 4, 5])])
def test_the_points_of_each_set_with_an_engine_are_evenly_spread(
    tmp_path: Path, points: int, counts: list[int]
) -> None:
    chosen = samples(tmp_path, ON_OFF, points)[0].points
    assert [point.parameters for point in chosen] == [
        *({"sampled_set": "load", "sources.count": count} for count in counts),
        {"sampled_set": "isolated"},
    ]
    assert [point.name for point in chosen] == [*(f"load_count-{count}" for count in counts), "isolated_base"]
    assert [point.place for point in chosen] == list(range(len(chosen)))


def test_a_point_is_that_of_the_other_set_under_a_name_of_its_own(tmp_path: Path) -> None:
    taken = documents(tmp_path, ON_OFF)[1]
    study, _ = load(tmp_path, ON_OFF, "1")
    original = study.sets[0].points[-1].document
    own = {"study": "cross", "set": "all-other", "point": "load_count-5"}
    replications = {"minimum": 4, "maximum": 4, "targets": {}}
    parameters = {"sampled_set": "load", "sources.count": 5}
    assert {**original, **own, "parameters": parameters, "replications": replications, "stop": 0} == {
        **taken,
        "stop": 0,
    }


def test_files_of_12_packets_with_one_more_in_a_hundred_make_50000_packets(tmp_path: Path) -> None:
    stop = documents(tmp_path, ON_OFF)[0]["stop"]
    assert stop == {"connections": 4125, "warmup_connections": 41}
    assert sum(stop.values()) * 12 == pytest.approx(50000, abs=12)


def test_a_second_at_12_mbit_is_1000_packets_and_seconds_are_whole(tmp_path: Path) -> None:
    slow, fast = documents(tmp_path, BULK % ("tahoe", "duration: 1000 s", "24 Mbit/s"))
    assert slow["stop"] == pytest.approx({"duration_s": 50 / 1.1, "warmup_s": 5 / 1.1}, abs=0.5)
    assert fast["stop"] == pytest.approx({"duration_s": 25 / 1.1, "warmup_s": 2.5 / 1.1}, abs=0.5)


def test_no_run_is_longer_than_that_of_its_set(tmp_path: Path) -> None:
    (stop, *_) = (document["stop"] for document in documents(tmp_path, ON_OFF.replace("800000", "4000")))
    assert stop == {"connections": 4000, "warmup_connections": 40}


@pytest.mark.parametrize(("factor", "connections"), [("0.1", 413), ("0.002", 100)])
def test_the_scale_shortens_these_runs_too(tmp_path: Path, factor: str, connections: int) -> None:
    assert documents(tmp_path, ON_OFF, factor=factor)[0]["stop"]["connections"] == connections


@pytest.fixture
def alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let ns-3 take what packetsim takes."""
    ns3 = KNOWN["ns3"].model_copy(update={"takes": KNOWN["packetsim"].takes})
    monkeypatch.setattr(engines, "all_engines", lambda: {**KNOWN, "ns3": ns3})


@pytest.mark.usefixtures("alike")
def test_points_that_would_take_too_many_packets_are_skipped(tmp_path: Path) -> None:
    """From one loss to the next are 3/8 w^2 packets, for w 100, 150 and 1050; a run takes two at least."""
    points = documents(tmp_path, BULK % ("compound", "loss_events: 20", "24 Mbit/s, 240 Mbit/s"), points=3)
    assert [point["parameters"]["links.bottleneck.rate"] for point in points] == [12e6, 24e6]
    assert all(point["replications"]["maximum"] == 2 for point in points)


@pytest.mark.usefixtures("alike")
def test_of_a_set_without_a_cheaper_one_the_cheapest_point_is_taken(tmp_path: Path) -> None:
    bulk = BULK % ("compound", "loss_events: 20", "480 Mbit/s")
    (point,) = documents(tmp_path, bulk.replace("12 Mbit/s, ", "240 Mbit/s, "))
    assert point["parameters"]["links.bottleneck.rate"] == 240e6
    assert point["stop"] == {"loss_events": 1, "warmup_loss_events": 1}


@pytest.mark.usefixtures("alike")
def test_a_set_whose_shortest_run_takes_minutes_is_left_out(tmp_path: Path) -> None:
    """At 4.8 Gbit/s a cycle of losses is of 0.4 x 20,000^2 packets, a thousand samples."""
    bulk = (BULK % ("compound", "loss_events: 20", "9.6 Gbit/s")).replace("12 Mbit/s, ", "4.8 Gbit/s, ")
    assert load(tmp_path, bulk, "1")[0].sets
    assert samples(tmp_path, bulk) == ()


def test_only_points_that_all_engines_take_are_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A variant that one engine has alone is a set like any other, and turns nothing red."""
    ns3 = engines.all_engines()["ns3"]
    rule = Rule.model_validate({"only": {"sources.tcp.variant": ["tahoe"]}})
    less = ns3.model_copy(update={"takes": [*ns3.takes, rule]})
    monkeypatch.setattr(engines, "all_engines", lambda: {**KNOWN, "ns3": less})
    assert samples(tmp_path, ON_OFF) == ()


def test_both_engines_answer_every_simulated_set_of_the_papers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where this machine cannot build one of them; and each is judged."""
    monkeypatch.setattr(engines, "missing", lambda engine: None)
    project = load_project("config/config.yaml", ROOT)
    own = next(study for study in project.studies if study.name == "engines")
    simulated = {
        (f"all-{study.name}", scenario_set.name)
        for study in project.studies
        if study is not own
        for scenario_set in study.sets
        if scenario_set.engines.keys() & {"packetsim", "ns3"}
        and not scenario_set.designed
        # Of local loops ns-3 takes those that name it, and of dumbbells those whose TCPs and queues it has.
        and (scenario_set.points[0].document["kind"] == "dumbbell" or "ns3" in scenario_set.engines)
        and any(engines.takes("ns3", point.document) for point in scenario_set.points)
    }
    sampled_sets = [
        scenario_set for scenario_set in own.sets if SAMPLED_SET in scenario_set.points[0].parameters
    ]
    sampled = [point for scenario_set in sampled_sets for point in scenario_set.points]
    assert {(point.set, point.parameters[SAMPLED_SET]) for point in sampled} == simulated
    assert all(dict(scenario_set.engines) == {"packetsim": 1, "ns3": 1} for scenario_set in sampled_sets)
    judged = load_agreements(own, read_folder(own, ROOT)).judged_points(own)
    assert {(point.set, point.name) for point in sampled} <= judged


@pytest.mark.parametrize(
    ("others", "shown"), [((), {}), (("scenarios/examples/my-link.yaml",), {"every-set": "all-my-link"})]
)
def test_the_table_of_every_set_shows_those_of_the_studies_that_run(
    others: tuple[str, ...], shown: dict[str, str]
) -> None:
    """Its item names them by a pattern, so that no study has to be entered there."""
    config = read_yaml(ROOT / "config/config.yaml", "config.yaml")
    config["scenarios"] = [*others, "scenarios/studies/engines/scenario.yaml"]
    items = {item.name: item for item in load_project(config, ROOT).items["engines"]}
    assert "same-events" in items
    assert {name: items[name].sets[0].name for name in items.keys() & {"every-set"}} == shown


@pytest.mark.parametrize("engine", KNOWN)
def test_points_of_one_outline_are_the_same_to_an_engine(engine: str, whole_project: Project) -> None:
    """What is remembered of other points is what the rules say of this one."""
    for point in whole_project.points[::7]:
        remembered = engines.takes(engine, point.document)
        if remembered:
            check_rules(engine, KNOWN[engine].takes, point.document)
        else:
            with pytest.raises(PointError):
                check_rules(engine, KNOWN[engine].takes, point.document)
