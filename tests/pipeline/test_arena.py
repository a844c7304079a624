"""The arena at smoke scale, which is no part of a run of all papers: designs and error maps."""

import pytest
from tree import Tree

from tcpatlas.trust.stored import read_maps

pytestmark = pytest.mark.slow


def test_the_arena_runs_and_gives_its_accepted_numbers(built_tree: Tree) -> None:
    wanted = (
        "results/regression.txt",
        "results/tables/arena/bands.html",
        "results/figures/arena/figure-errors.svg",
    )
    arena = "scenarios=scenarios/studies/arena/scenario.yaml"
    built_tree.make("--config", "scale=smoke", arena, "--", *wanted)
    assert "nothing moved" in (built_tree.root / wanted[0]).read_text()
    maps = {
        error_map.set: error_map for error_map in read_maps(built_tree.root / "results/error-maps/arena.npz")
    }
    everyday = {"everyday-cubic", "everyday-loss", "everyday-newreno"}
    assert set(maps) == everyday | {"files", "loss", "cross-traffic", "compound", "web-users"}
    # Nine points of a set are no neighbourhood.
    assert all(error_map.bands == {} for error_map in maps.values())
