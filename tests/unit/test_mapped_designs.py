"""Of which designs error maps are made, and that the others are compared without one."""

from pathlib import Path
from typing import Any

import pytest
from conftest import change
from handmade import Results

from tcpatlas import cli
from tcpatlas.config.load import load_project
from tcpatlas.trust.measured import has_map

RATE, SIZE = "links.bottleneck.rate", "sources.workload.file_size.distribution"
VARIED: dict[str, Any] = {RATE: {"from": "1 Mbit/s", "to": "2 Mbit/s"}}
LOAD = "sets/load"


def compared(results: Results, *changes: tuple[str, Any]) -> bool:
    """Compare a design of three points with its changes, as a run does; say whether it has a map."""
    workspace = results.workspace
    del workspace.scenario["paper"]
    change(workspace.scenario, f"{LOAD}/sweep", {"design": {"points": 3, "over": VARIED}})
    for path, value in changes:
        change(workspace.scenario, path, value)
    names = ("1", "2", "3")
    results.rates = dict.fromkeys(names, (560000.0, 558000.0, 562000.0))
    results.model_rates = dict.fromkeys(names, 547760.0)
    workspace.write()
    results.write()
    (study,) = load_project("config/config.yaml", workspace.root).studies
    if has_map(study):
        assert cli.main(["error-map", "--study", "demo"]) == 0
    assert cli.main(["compare"]) == 0
    return has_map(study)


def test_a_design_that_models_and_engines_answer_has_a_map(results: Results) -> None:
    assert compared(results)
    assert Path("results/error-maps/demo.npz").is_file()


@pytest.mark.parametrize(
    "changes",
    [
        [("models", [])],
        [(f"{LOAD}/models", [])],
        [(f"{LOAD}/engines", [])],
        [(f"{LOAD}/sweep/design/over", {SIZE: ["exponential", "fixed"]}), (f"{LOAD}/sweep/design/points", 2)],
    ],
    ids=["no model", "no model of the set", "no engine", "no number varies"],
)
def test_other_designs_have_none(results: Results, changes: list[tuple[str, Any]]) -> None:
    assert not compared(results, *changes)


def test_a_design_over_several_groups_has_none(results: Results) -> None:
    base = results.workspace.scenario["base"]
    base["sources"] = {"workload": {"kind": "bulk"}}
    base["stop"] = {"duration": "100 s"}
    base["groups"] = {"near": {"count": 10}, "far": {"count": 20, "extra_delay": "100 ms"}}
    assert not compared(results)
