"""What provenance.json says of the files that decide the results."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from tcpatlas.base.errors import ConfigError
from tcpatlas.config import load_project
from tcpatlas.provenance import provenance, record_inputs

ROOT = Path(__file__).parents[2]
SCENARIO = "mine.yaml"


def git(root: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


def test_an_untracked_or_edited_scenario_counts_as_a_change(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "config", tmp_path / "config")
    scenario = tmp_path / SCENARIO
    scenario.write_text((ROOT / "examples/my-link.yaml").read_text())
    config = tmp_path / "config/config.yaml"
    config.write_text(config.read_text() + f"scenarios: {SCENARIO}\n")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", "config")
    git(tmp_path, "commit", "--quiet", "--message", "a")
    project = load_project("config/config.yaml", tmp_path)

    assert provenance(project, tmp_path / "results")["commit"]["dirty"]
    git(tmp_path, "add", SCENARIO)
    git(tmp_path, "commit", "--quiet", "--message", "b")
    made = provenance(project, tmp_path / "results")
    assert not made["commit"]["dirty"]
    assert made["inputs"] == {SCENARIO: hashlib.sha256(scenario.read_bytes()).hexdigest()}
    scenario.write_text(scenario.read_text() + "\n")
    assert provenance(project, tmp_path / "results")["commit"]["dirty"]


def test_the_printed_numbers_of_a_paper_are_inputs(tmp_path: Path) -> None:
    project = load_project(
        {
            **yaml.safe_load((ROOT / "config/config.yaml").read_text()),
            "scenarios": ["config/papers/compound/scenario.yaml"],
        },
        ROOT,
    )
    inputs = provenance(project, tmp_path)["inputs"]
    assert {
        f"config/papers/compound/{name}" for name in ("scenario.yaml", "items.yaml", "table-1.csv")
    } <= set(inputs)


def test_a_file_that_is_edited_while_the_run_is_going_is_named(tmp_path: Path) -> None:
    (tmp_path / SCENARIO).write_text((ROOT / "examples/my-link.yaml").read_text())
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
