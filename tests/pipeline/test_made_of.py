"""Results say themselves what they are of: Snakemake's records may be lost, ignored or of another tree."""

import os
import shutil

import pytest
from tree import Tree

MINE = ("--config", "scenarios=scenarios/examples/my-link.yaml")
STEPS = {"configuration", "simulate", "predict", "compare", "gather"}
IGNORED = ("--rerun-triggers", "mtime")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """A tree with tables at smoke scale, of which Snakemake knows nothing; its engine was built later."""
    tree = Tree(tmp_path_factory.mktemp("made-of") / "tree")
    tree.take_engines()
    tree.make("--until", "gather", *MINE, "scale=smoke")
    shutil.rmtree(tree.root / ".snakemake")
    (tree.root / "build/release/packetsim/packetsim").touch()
    return tree


def until_gather(*config: str) -> tuple[str, ...]:
    return ("--until", "gather", *MINE, *config)


def test_what_is_there_is_not_made_again(tree: Tree) -> None:
    assert tree.due(*until_gather("scale=smoke")) == set()


@pytest.mark.parametrize("records", [(), IGNORED])
def test_results_of_another_configuration_are_made_again(tree: Tree, records: tuple[str, ...]) -> None:
    assert tree.due(*records, *until_gather("scale=quick")) == STEPS
    assert tree.due(*records, *until_gather("scale=smoke", "confidence=0.9")) == STEPS - {"predict"}


def test_a_longer_run_and_another_program_make_runs_again(tree: Tree) -> None:
    """Where nothing is newer than the results."""
    before = (tree.root / "results/config.json").stat()
    for file, old, new in (
        ("scenarios/examples/my-link.yaml", "connections: 200000", "connections: 300000"),
        ("workflow/engines/packetsim/CMakeLists.txt", "packetsim", "packetsim "),
    ):
        tree.replace(file, old, new)
        os.utime(tree.root / file, (before.st_atime - 60, before.st_mtime - 60))
        assert tree.due(*until_gather("scale=smoke")) >= {"simulate", "compare", "gather"}
        tree.replace(file, new, old)


def test_touched_results_are_still_of_what_they_were(tree: Tree) -> None:
    """And files that are lost, of another configuration, are made again in the first run."""
    tree.make("--touch", *until_gather("scale=smoke", "seed=2"))
    shutil.rmtree(tree.root / ".snakemake")
    assert tree.due(*until_gather("scale=smoke", "seed=2")) == STEPS
    (tree.root / "results/studies/my-link/points.csv").unlink()
    before = tree.rows("observations.csv")
    tree.make(*until_gather("scale=smoke", "seed=2"))
    assert tree.rows("observations.csv") != before
