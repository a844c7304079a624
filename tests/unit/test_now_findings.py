"""The sentences on what the panels of "Then and now" show."""

import re
from pathlib import Path

import pytest

from tcpatlas.base.errors import ConfigError
from tcpatlas.config.project import Project
from tcpatlas.pipeline.now_figure import Panel, read_panels
from tcpatlas.pipeline.now_findings import MODEL, THEN, finding_rows

ROOT = Path(__file__).resolve().parents[2]


def found(*sentences: str, unit: str = "bit/s") -> str:
    panel = Panel(
        question="Is it as fast?",
        paper="demo",
        sets=["load"],
        x="sources.count",
        metric="goodput_per_connection",
        then={"tcp": "NewReno", "engine": "packetsim"},
        models=["parrot"],
        findings=list(sentences),
    )
    common = {"panel": "rates", "unit": unit, "engine": "packetsim"}
    then = [common | {"then": "true", "tcp": "NewReno", "x": x, "value": v} for x, v in ((1, 2e6), (2, 1e6))]
    now = [common | {"then": "", "tcp": "CUBIC", "x": x, "value": v} for x, v in ((1, 3e6), (2, 0.99e6))]
    now[0] |= {"ci_low": "2.9e6", "ci_high": "3.1e6"}
    model = [common | {"then": "", "tcp": "", "engine": "model:parrot", "x": 1, "value": 2.5e6}]
    (row,) = finding_rows({"rates": panel, "others": panel}, [*then, *now, *model])
    return str(row["finding"])


def test_numbers_come_from_the_points() -> None:
    assert found("Faster by {CUBIC by packetsim: change}.") == "Faster by \u22121.0 to +50 %."
    assert found("{CUBIC by packetsim: change at 1}") == "+50 %"
    assert found(f"{{{THEN}: values}}") == "1.00 to 2.00 Mbit/s"
    assert found("{CUBIC by packetsim: values at 1}", unit="packets/s") == "3000000 packets/s"


def test_one_number_has_its_interval_where_that_differs() -> None:
    assert found("{CUBIC by packetsim: interval at 1}") == "3.00 Mbit/s (2.90 to 3.10 Mbit/s)"
    assert found("{CUBIC by packetsim: interval at 2}") == "990 kbit/s"


def test_the_error_is_the_models_where_it_has_an_answer() -> None:
    assert found("{CUBIC by packetsim: error}") == "\u221217 %"
    assert found(f"{{{THEN}: error}}") == "+25 %"
    assert found(f"{{{MODEL}: values}}") == "2.50 Mbit/s"


def test_a_sentence_on_what_did_not_run_is_left_out() -> None:
    assert found("{BBR by linux: change}", "It is {CUBIC by packetsim: change at 2}.") == "It is \u22121.0 %."
    assert found("{CUBIC by packetsim: change at 7}") == ""


def test_a_place_that_asks_for_nothing_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"panels.rates.findings: \{CUBIC: colour\} asks for nothing"):
        found("{CUBIC: colour}")


def test_the_findings_of_this_tree_are_of_series_that_are_asked(whole_project: Project) -> None:
    asked = {
        f"{study.again.tcp} by {engine}"
        for study in whole_project.again
        if study.again
        for scenario_set in study.sets
        for engine in (*scenario_set.engines, *scenario_set.left_out)
    }
    for panel in read_panels(ROOT).values():
        places = re.findall(r"\{([^{}:]+):", " ".join([*panel.findings, *panel.headline]))
        assert places
        assert set(places) <= asked | {THEN, MODEL}


def test_runs_are_as_many_and_as_long_as_is_said(whole_project: Project) -> None:
    """As LENGTHS has it for `now: paper`; Compound's are a band of settings, six or more."""
    shorter = {"seawind-cubic": (0.5, 5), "engset-bbr": (0.1, 10), "compound-bbr": (0.1, 6)}
    for study in whole_project.again:
        length, runs = shorter.get(study.name, (1, 5))
        for scenario_set in study.sets:
            if "packetsim" in scenario_set.engines:
                assert scenario_set.engines["packetsim"] == length, scenario_set.full_name
                for point in scenario_set.points:
                    assert point.document["replications"]["minimum"] >= runs, scenario_set.full_name
