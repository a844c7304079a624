"""The record in provenance.json of the files that decide the results."""

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from handmade import commit

from tcpatlas.base.errors import ConfigError
from tcpatlas.base.files import write_atomically
from tcpatlas.config.load import load_project
from tcpatlas.metadata.provenance import provenance, record_inputs
from tcpatlas.points import engines
from tcpatlas.runs.jobs import jobs

ROOT = Path(__file__).parents[2]
SCENARIO = "mine.yaml"


def test_an_untracked_or_edited_scenario_counts_as_a_change(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "config", tmp_path / "config")
    scenario = tmp_path / SCENARIO
    scenario.write_text((ROOT / "scenarios/examples/my-link.yaml").read_text())
    config = tmp_path / "config/config.yaml"
    config.write_text(config.read_text() + f"scenarios: {SCENARIO}\n")
    commit(tmp_path, "config")
    project = load_project("config/config.yaml", tmp_path)

    assert provenance(project, tmp_path / "results")["commit"]["dirty"]
    commit(tmp_path, SCENARIO)
    made = provenance(project, tmp_path / "results")
    assert not made["commit"]["dirty"]
    assert made["inputs"] == {SCENARIO: hashlib.sha256(scenario.read_bytes()).hexdigest()}
    scenario.write_text(scenario.read_text() + "\n")
    assert provenance(project, tmp_path / "results")["commit"]["dirty"]


def test_a_scenario_from_elsewhere_counts_as_a_change_and_its_path_is_not_told(tmp_path: Path) -> None:
    root = tmp_path / "project"
    shutil.copytree(ROOT / "config", root / "config")
    for name in ("beside.yaml", "far/my-study/scenario.yaml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text((ROOT / "scenarios/examples/my-link.yaml").read_text())
    shutil.copy(tmp_path / "beside.yaml", root / "within.yaml")
    commit(root, ".")
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text())

    def made(*scenarios: str) -> dict[str, Any]:
        project = load_project({**config, "scenarios": list(scenarios)}, root)
        return provenance(project, tmp_path / "results")

    assert not made("within.yaml")["commit"]["dirty"]
    within = made(str(root / "within.yaml"))
    assert not within["commit"]["dirty"]
    assert (list(within["inputs"]), within["scenarios"]) == (["within.yaml"], ["within.yaml"])
    for scenario in ("../beside.yaml", str(tmp_path / "beside.yaml")):
        assert made(scenario)["commit"]["dirty"]
        assert list(made(scenario)["inputs"]) == ["beside.yaml"]
    several = made("within.yaml", str(tmp_path / "far/my-study/scenario.yaml"))
    assert several["scenarios"] == ["within.yaml", "my-study.yaml"]
    assert str(tmp_path) not in json.dumps(several)


def test_the_printed_numbers_of_a_paper_are_inputs(tmp_path: Path) -> None:
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text())
    paper = "scenarios/papers/compound"
    project = load_project(config | {"scenarios": [f"{paper}/scenario.yaml"]}, ROOT)
    inputs = provenance(project, tmp_path)["inputs"]
    assert {f"{paper}/{name}" for name in ("scenario.yaml", "items.yaml", "table-1.csv")} <= set(inputs)


@pytest.mark.parametrize("here", [True, False])
def test_what_only_a_study_that_asks_again_needs_is_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, here: bool
) -> None:
    """The kernel's version, or that it was left out."""
    monkeypatch.setattr(engines, "missing", lambda name: None if here or name != "linux" else "is gone")
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text())
    scenarios = ["scenarios/papers/compound/scenario.yaml", "scenarios/now/compound-cubic-kernel.yaml"]
    project = load_project(config | {"scenarios": scenarios, "engines": ["packetsim"]}, ROOT)
    for job in (job for study in project.again for job in jobs(study)):
        write_atomically(job.file(tmp_path), '{"engine_version": "6.1"}\n')
    made = provenance(project, tmp_path)
    assert made["engines"] == ({"linux": "6.1"} if here else {})
    assert list(made["left_out"]) == ([] if here else ["linux"])


def test_a_file_that_is_edited_while_the_run_is_going_is_named(tmp_path: Path) -> None:
    (tmp_path / SCENARIO).write_text((ROOT / "scenarios/examples/my-link.yaml").read_text())
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text()) | {"scenarios": [SCENARIO]}
    project = load_project(config, tmp_path)
    results = tmp_path / "results"
    record_inputs(project, results)
    assert list(provenance(project, results)["inputs"]) == [SCENARIO]
    (tmp_path / SCENARIO).write_text((tmp_path / SCENARIO).read_text() + "\n")
    with pytest.raises(ConfigError) as error:
        provenance(project, results)
    assert str(error.value) == (
        f"{SCENARIO}: changed while the run was going; run again: what it changes is made anew"
    )
    record_inputs(project, results)
    assert provenance(project, results)["inputs"]
