"""A scenario of the user's own: no code, no published numbers, and yet simulated and predicted."""

from __future__ import annotations

import csv

import pytest
from tree import Tree


@pytest.mark.parametrize(
    ("study", "sets", "metric", "models"),
    [
        ("my-link", ("people", "buffer"), "goodput_per_connection", ("engset",)),
        ("lossy-link", ("loss",), "goodput", ("markov", "floyd_fall", "padhye")),
        ("web-users", ("users",), "goodput_per_connection", ()),
    ],
)
def test_an_example_is_answered(
    built_tree: Tree, study: str, sets: tuple[str, ...], metric: str, models: tuple[str, ...]
) -> None:
    done = built_tree.snakemake("--config", f"scenarios=examples/{study}.yaml", "scale=smoke")
    assert done.returncode == 0, done.stdout + done.stderr
    results = built_tree.root / "results"
    for name in sets:
        assert (results / f"figures/{study}/{name}.pdf").read_bytes().startswith(b"%PDF")
        assert (results / f"tables/{study}/{name}.html").stat().st_size > 0
    rows = []
    for table in ("observations", "predictions"):
        with (results / f"{table}.csv").open(newline="") as file:
            rows += [row for row in csv.DictReader(file) if row["metric"] == metric]
    engines = ("packetsim", *(f"model:{model}" for model in models))
    assert {(row["set"], row["engine"]) for row in rows} == {
        (f"{study}/{name}", engine) for name in sets for engine in engines
    }
    assert (results / "report.pdf").read_bytes().startswith(b"%PDF")
    assert (results / "report.html").is_file()


def test_a_longer_sweep_simulates_only_what_is_new(built_tree: Tree) -> None:
    arguments = ("--until", "simulate", "--config", "scenarios=examples/my-link.yaml", "scale=smoke")
    assert built_tree.snakemake(*arguments).returncode == 0
    runs = built_tree.root / "results/cache/my-link"
    before = {path: path.stat().st_mtime_ns for path in runs.glob("*/*/packetsim/[12]*")}
    assert len(before) == 8 * 2 * 2
    built_tree.replace("examples/my-link.yaml", "[20, 40, 60, 80]", "[20, 40, 60, 80, 100]")
    assert built_tree.snakemake(*arguments).returncode == 0
    assert (runs / "people/count-100/packetsim/2.json").is_file()
    assert {path: path.stat().st_mtime_ns for path in before} == before
