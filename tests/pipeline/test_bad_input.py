"""What a user can do wrong: one line that says what and where, before any job starts, and an exit status."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tree import Outcome, Tree

SCENARIO = "examples/my-link.yaml"


def error_lines(outcome: Outcome) -> list[str]:
    """What was said but for Snakemake's own remarks on profile and configuration."""
    remarks = ("Using workflow specific profile", "Config file config/config.yaml is extended")
    return [line for line in outcome.stderr.splitlines() if line and not line.startswith(remarks)]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    return Tree(tmp_path_factory.mktemp("bad") / "tree")


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("queue: drop-tail", "queue: drop-tail, colour: red", "base.links.bottleneck"),
        ("mean: 30 packets", "mean: 2 packets", "base.sources.workload.file_size"),
        ("  buffer:\n    title", "  people:\n    title", "sets.people"),
    ],
    ids=["unknown key", "mean below minimum", "two sets of one name"],
)
def test_a_mistake_in_a_scenario_is_one_line(tree: Tree, old: str, new: str, place: str) -> None:
    text = (tree.root / SCENARIO).read_text()
    tree.replace(SCENARIO, old, new)
    outcome = tree.snakemake("--config", f"scenarios={SCENARIO}")
    (tree.root / SCENARIO).write_text(text)
    assert outcome.returncode != 0
    (line,) = error_lines(outcome)
    assert line.startswith(f"{SCENARIO}: {place}")
    assert not (tree.root / "results").exists()


def test_a_published_table_without_a_column_is_one_line(tree: Tree) -> None:
    file = "config/papers/engset/table-06.csv"
    text = (tree.root / file).read_text()
    tree.replace(file, "metric", "matric")
    outcome = tree.snakemake()
    (tree.root / file).write_text(text)
    assert outcome.returncode != 0
    (line,) = error_lines(outcome)
    assert line.startswith(f"{file}: metric: ")


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("scenarios=nowhere.yaml", "nowhere.yaml: "),
        ("scale=huge", "config/config.yaml: scale: "),
        ("colour=red", "config/config.yaml: "),
    ],
)
def test_a_mistake_on_the_command_line_is_one_line(tree: Tree, setting: str, said: str) -> None:
    outcome = tree.snakemake("--config", setting)
    assert outcome.returncode != 0
    (line,) = error_lines(outcome)
    assert line.startswith(said)


def test_a_missing_tool_is_one_line(tree: Tree, tmp_path: Path) -> None:
    for program in ("env", "bash", "which", "cmake", "ninja", "latexmk"):
        (tmp_path / program).symlink_to(str(shutil.which(program)))
    outcome = tree.run("env", f"PATH={tmp_path}", ".venv/bin/snakemake", "--cores", "1")
    assert outcome.returncode != 0
    assert error_lines(outcome) == ["Rscript is not installed; run ./atlas setup"]


def test_a_missing_image_is_one_line(tree: Tree) -> None:
    outcome = tree.snakemake("--sdm", "apptainer")
    assert outcome.returncode != 0
    (line,) = error_lines(outcome)
    assert line == "tcp-atlas-0.1.0.sif is not here; docs/in-a-container.md says how to make it"


def test_atlas_names_its_commands(tree: Tree) -> None:
    outcome = tree.run("./atlas", "fly")
    assert outcome.returncode == 1
    assert outcome.stderr.startswith("atlas: unknown command fly; allowed: ask, infer, reproduce, ")
    assert len(outcome.stderr.splitlines()) == 1
    likely = tree.run("./atlas", "reprodce")
    assert likely.stderr == "atlas: unknown command reprodce; did you mean reproduce?\n"
