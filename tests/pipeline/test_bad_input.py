"""Mistakes of a user: one line that says what and where, before any job starts, and an exit status."""

import shutil
from pathlib import Path

import pytest
from tree import Outcome, Tree

from tcpatlas import __version__

SCENARIO = "scenarios/examples/my-link.yaml"


def error_lines(outcome: Outcome) -> list[str]:
    """Return the messages without Snakemake's remarks on profile and configuration."""
    remarks = ("Using workflow specific profile", "Config file config/config.yaml is extended")
    return [line for line in outcome.stderr.splitlines() if line and not line.startswith(remarks)]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    return Tree(tmp_path_factory.mktemp("bad") / "tree")


def test_a_mistake_in_a_scenario_is_one_line(tree: Tree) -> None:
    """As one in any other file is: tests/unit has what can be wrong."""
    tree.replace(SCENARIO, "mean: 30 packets", "mean: 2 packets")
    outcome = tree.snakemake("--config", f"scenarios={SCENARIO}")
    assert outcome.returncode != 0
    (line,) = error_lines(outcome)
    assert line.startswith(f"{SCENARIO}: base.sources.workload.file_size")
    assert not (tree.root / "results").exists()


def test_a_mistake_on_the_command_line_is_one_line(tree: Tree) -> None:
    outcome = tree.snakemake("--config", "scale=huge")
    assert outcome.returncode != 0
    (line,) = error_lines(outcome)
    assert line.startswith("config/config.yaml: scale: ")


@pytest.mark.parametrize("how", ["module", "directory"])
def test_another_folder_is_one_line(tree: Tree, tmp_path: Path, how: str) -> None:
    """As a module of another workflow, or by --directory."""
    (tmp_path / "Snakefile").write_text(
        f'module atlas:\n    snakefile: "{tree.root}/workflow/Snakefile"\nuse rule * from atlas\n'
    )
    file = str(tmp_path / "Snakefile") if how == "module" else "Snakefile"
    outcome = tree.snakemake("--snakefile", file, "--directory", str(tmp_path))
    assert outcome.returncode != 0
    assert error_lines(outcome)[-1] == f"TCP Atlas runs in its own folder only: cd {tree.root}"


def test_nested_numbers_of_the_command_line_are_numbers(tree: Tree) -> None:
    outcome = tree.snakemake("--config", "replications={minimum: 5, maximum: 4}", f"scenarios={SCENARIO}")
    (line,) = error_lines(outcome)
    assert line == "config/config.yaml: replications.maximum: 4 is below the minimum; at least 5"


def test_a_missing_tool_is_one_line(tree: Tree, tmp_path: Path) -> None:
    for program in ("env", "bash", "which", "cmake", "ninja", "latexmk"):
        (tmp_path / program).symlink_to(str(shutil.which(program)))
    tree.replace("envs/environment.txt", "PATH=/usr/bin:{PATH}", f"PATH={tmp_path}")
    outcome = tree.snakemake()
    tree.replace("envs/environment.txt", f"PATH={tmp_path}", "PATH=/usr/bin:{PATH}")
    assert outcome.returncode != 0
    assert error_lines(outcome) == ["Rscript is not installed; run ./atlas setup"]


def test_a_missing_image_is_one_line(tree: Tree) -> None:
    outcome = tree.snakemake("--sdm", "apptainer")
    assert outcome.returncode != 0
    (line,) = error_lines(outcome)
    assert line == f"tcp-atlas-{__version__}.sif is not here; docs/in-a-container.md says how to make it"


def test_atlas_names_its_commands(tree: Tree) -> None:
    outcome = tree.run("./atlas", "fly")
    assert outcome.returncode == 1
    assert outcome.stderr.startswith("atlas: unknown command fly; allowed: ask, compare, infer, judge, ")
    assert len(outcome.stderr.splitlines()) == 1
    likely = tree.run("./atlas", "reprodce")
    assert likely.stderr == "atlas: unknown command reprodce; did you mean reproduce?\n"
    for word in ("plan", "cleen"):
        assert "mean clean" not in tree.run("./atlas", word).stderr
