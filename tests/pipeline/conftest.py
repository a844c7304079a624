"""A whole run at smoke scale, which the tests here share; in a copy of the tree, so that results/ stays."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tree import ROOT, Tree

from tcpatlas.base.environment import adopt

# As programs have it, so that no test depends on a user's machine.
adopt()


@pytest.fixture(scope="session")
def smoke() -> Tree:
    """All of it at smoke scale, from nothing, by `./atlas reproduce`; it stays in build/smoke to look at."""
    place = ROOT / "build" / "smoke"
    shutil.rmtree(place, ignore_errors=True)
    tree = Tree(place)
    # It builds no kernel, but runs that of this tree.
    if (ROOT / "build/uml").is_dir():
        (place / "build").mkdir()
        (place / "build/uml").symlink_to(ROOT / "build/uml")
    tree.output("./atlas", "reproduce", "--config", "scale=smoke")
    return tree


@pytest.fixture
def new_tree(tmp_path: Path) -> Tree:
    """A copy of the tree with nothing made in it."""
    return Tree(tmp_path / "tree")


@pytest.fixture
def built_tree(new_tree: Tree) -> Tree:
    """A copy of the tree with the engines, but no results."""
    new_tree.take_engines()
    return new_tree
