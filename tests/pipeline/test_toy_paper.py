"""A sixth paper, by following docs/adding-a-paper.md in a copy of the tree: five new files, nothing else."""

from __future__ import annotations

import csv
import re
import textwrap

import pytest
from tree import ROOT, Tree

PAGE = (ROOT / "docs/adding-a-paper.md").read_text()
STEP = re.compile(r"^\d\. \*\*.*?`([\w/.-]+)`.*?^   ```\w+\n(.*?)^   ```$", re.DOTALL | re.MULTILINE)
FILES = {match[1]: textwrap.dedent(match[2]) for match in STEP.finditer(PAGE)}


@pytest.fixture
def tree(built_tree: Tree) -> Tree:
    assert len(FILES) == 5
    for name, text in FILES.items():
        file = built_tree.root / name
        assert not file.exists()
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    return built_tree


def test_a_new_paper_is_found_and_answered(tree: Tree) -> None:
    planned = tree.snakemake("--dry-run", "--config", "scale=smoke")
    assert "mathis_figures" in planned.stdout + planned.stderr
    done = tree.snakemake("--config", "scenarios=config/papers/mathis/scenario.yaml", "scale=smoke")
    assert done.returncode == 0, done.stdout + done.stderr
    results = tree.root / "results"
    with (results / "claims.csv").open(newline="") as file:
        claims = list(csv.DictReader(file))
    assert [claim["published"] for claim in claims] == ["387.3", "173.2", "122.5"]
    for claim in claims:
        assert float(claim["value"]) == pytest.approx(float(claim["published"]), abs=0.05)
    with (results / "observations.csv").open(newline="") as file:
        goodputs = [float(row["value"]) for row in csv.DictReader(file) if row["metric"] == "goodput"]
    assert len(goodputs) == 3
    assert goodputs == sorted(goodputs, reverse=True)
    assert (results / "figures/mathis/figure-1.pdf").read_bytes().startswith(b"%PDF")
    assert (results / "tables/mathis/table-1.html").stat().st_size > 0
    assert (results / "report.pdf").read_bytes().startswith(b"%PDF")
    regression = tree.snakemake(
        "--config", "scenarios=config/papers/mathis/scenario.yaml", "scale=smoke", "--", "regression"
    )
    assert regression.returncode == 0, regression.stdout + regression.stderr
    assert "no accepted numbers yet: mathis/table-1" in (results / "regression.txt").read_text()


def test_the_tests_of_the_papers_stay_green(tree: Tree) -> None:
    done = tree.run(
        ".venv/bin/python", "-m", "pytest", "-q", "tests/unit/test_sampling.py", "tests/unit/test_jobs.py"
    )
    assert done.returncode == 0, done.stdout
