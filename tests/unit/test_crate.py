"""The crate of a run: the files that it names are there, and it says what the run recorded."""

import csv
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from handmade import Results
from rocrate.rocrate import ROCrate

from tcpatlas import cli

ROOT = Path(__file__).parents[2]


@pytest.fixture
def crate(results: Results) -> ROCrate:
    """The crate of the demonstration, read again by the library."""
    write_crate(results)
    return ROCrate("results")


def write_crate(results: Results) -> None:
    shutil.copy(ROOT / "CITATION.cff", "CITATION.cff")
    Path("workflow").mkdir()
    shutil.copy(ROOT / "workflow/Snakefile", "workflow/Snakefile")
    results.write()
    for command in (["compare"], ["gather"], ["provenance"]):
        assert cli.main(command) == 0
    table = Path("results/tables/demo/table-01.html")
    table.parent.mkdir(parents=True)
    table.write_text("<table>")
    assert cli.main(["crate"]) == 0


def ids(entities: list[Any]) -> set[str]:
    return {entity.id for entity in entities}


def test_every_file_of_the_crate_is_there(crate: ROCrate) -> None:
    files = [entity.id for entity in crate.data_entities]
    assert "tables/demo/table-01.html" in files
    assert "claims.csv" in files
    assert [name for name in files if not (Path("results") / name).is_file()] == []


def test_the_run_has_its_workflow_inputs_parameters_and_outputs(crate: ROCrate) -> None:
    provenance = json.loads(Path("results/provenance.json").read_text())
    [run] = [entity for entity in crate.get_entities() if entity.type == "CreateAction"]
    assert run["instrument"].id == crate.mainEntity.id == "inputs/workflow/Snakefile"
    inputs = {f"inputs/{name}" for name in provenance["inputs"]}
    assert ids(run["object"]) == inputs | {"#value-scale", "#value-seed", "#value-confidence"}
    assert crate.get("#value-seed")["value"] == provenance["seed"]
    assert crate.get("#value-seed")["exampleOfWork"].id == "#parameter-seed"
    assert ids(run["result"]) >= {"claims.csv", "observations.csv", "tables/demo/table-01.html"}
    assert run["startTime"] <= run["endTime"] == crate.root_dataset["datePublished"]


@pytest.mark.parametrize("relative", [True, False])
def test_a_scenario_from_elsewhere_is_copied_into_the_crate_and_left_alone(
    results: Results, tmp_path_factory: pytest.TempPathFactory, relative: bool
) -> None:
    scenario = tmp_path_factory.mktemp("far") / "demo.yaml"
    data = results.workspace.scenario
    scenario.write_text(json.dumps(data))
    results.workspace.config["scenarios"] = [os.path.relpath(scenario) if relative else str(scenario)]
    results.workspace.write()
    before = scenario.stat()
    write_crate(results)
    after = scenario.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert json.loads(Path("results/inputs/demo.yaml").read_text()) == data
    [run] = [entity for entity in ROCrate("results").get_entities() if entity.type == "CreateAction"]
    assert "inputs/demo.yaml" in ids(run["object"])


def test_an_item_names_its_comparisons_with_print(crate: ROCrate) -> None:
    with Path("results/claims.csv").open(newline="") as file:
        claims = [row["claim"] for row in csv.DictReader(file)]
    assert crate.get("tables/demo/table-01.html")["subjectOf"]["identifier"] == claims


def test_profile_licence_and_papers_are_said(crate: ROCrate) -> None:
    root = crate.root_dataset
    profiles = {entity.id.split("/")[-2] for entity in root["conformsTo"]}
    assert profiles == {"process", "workflow", "workflow-ro-crate"}
    assert root["license"].id == "https://spdx.org/licenses/MIT"
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())["references"]
    assert len(root["citation"]) == len(cited)
    assert [entity["name"] for entity in root["author"]] == ["TCP Atlas contributors"]
