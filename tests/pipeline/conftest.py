"""A whole run at smoke scale, which the tests here share; in a copy of the tree, so that results/ stays."""

import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tree import ROOT, Tree
from xdist.scheduler import LoadScopeScheduling

from tcpatlas.base.environment import adopt

# As programs have it, so that no test depends on a user's machine.
adopt()

# One study of each kind, which together have all engines; tests that are not slow use no other.
SMALL = ("fixed-point", "seawind")


class Groups(LoadScopeScheduling):
    """One of two workers runs what needs the smoke run, the other one all else, a file at a time.

    Groups of pytest-xdist's own are marked in node ids, which pytest 9.2 lets nobody change.
    """

    def _split_scope(self, nodeid: str) -> str:
        return _group(nodeid.partition("::")[0])


@cache
def _group(file: str) -> str:
    return "smoke" if "smoke: Tree" in (ROOT / file).read_text() else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling:
    """Make the scheduler of workers that have tests of this folder."""
    return Groups(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the smoke run go first (--no-loadscope-reorder): it takes longest."""
    items.sort(key=lambda item: _group(item.nodeid.partition("::")[0]) != "smoke")


@pytest.fixture(scope="session")
def smoke(pytestconfig: pytest.Config) -> Tree:
    """A run at smoke scale, from nothing, by `./atlas reproduce`; it stays in build/smoke to look at.

    With the slow tests it is of all studies.
    """
    small = "not slow" in pytestconfig.option.markexpr
    place = ROOT / "build" / "smoke"
    shutil.rmtree(place, ignore_errors=True)
    tree = Tree(place)
    # It builds no kernel, but runs that of this tree.
    if (ROOT / "build/uml").is_dir():
        (place / "build").mkdir()
        (place / "build/uml").symlink_to(ROOT / "build/uml")
    if small:
        scenarios = ",".join(f"scenarios/papers/{paper}/scenario.yaml" for paper in SMALL)
        tree.papers, tree.asked = SMALL, (*tree.asked, f"scenarios=[{scenarios}]")
    tree.output("./atlas", "reproduce", *tree.asked)
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
