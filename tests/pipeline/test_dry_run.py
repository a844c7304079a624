"""Looking changes nothing: a dry run, a lint, a list of rules write no byte below results/."""

from pathlib import Path

import pytest
from tree import Tree


def contents(tree: Tree) -> dict[Path, tuple[bytes, int]]:
    files = (path for path in (tree.root / "results").rglob("*") if path.is_file())
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    return Tree(tmp_path_factory.mktemp("dry") / "tree")


MINE = ("--config", "scenarios=scenarios/examples/my-link.yaml")


def test_parsing_writes_nothing(tree: Tree) -> None:
    """Neither into an empty tree nor where a run of another scale and another seed has begun."""
    planned = tree.snakemake("--dry-run", *MINE)
    assert planned.returncode == 0
    assert "million packets" in planned.stderr  # what a run would cost
    assert not (tree.root / "results").exists()
    expand = ("env", "PYTHONPATH=workflow", ".venv/bin/python", "-m", "tcpatlas", "expand")
    tree.replace(
        "config/config.yaml", "scale: paper", "scenarios: [scenarios/examples/my-link.yaml]\nscale: smoke"
    )
    tree.output(*expand)
    before = contents(tree)
    assert tree.root / "results/config.json" in before
    for arguments in (("--dry-run", *MINE, "scale=quick", "seed=2"), ("--lint", *MINE, "scale=paper")):
        tree.make(*arguments)
        assert contents(tree) == before
