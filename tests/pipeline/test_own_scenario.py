"""A scenario of the user's own: no code, no published numbers, and yet simulated and predicted."""

from __future__ import annotations

import csv

from tree import Tree


def test_a_scenario_of_ones_own_is_answered(built_tree: Tree) -> None:
    done = built_tree.snakemake("--config", "scenarios=examples/my-link.yaml", "scale=smoke")
    assert done.returncode == 0, done.stdout + done.stderr
    results = built_tree.root / "results"
    for name in ("people", "buffer"):
        assert (results / f"figures/my-link/{name}.pdf").read_bytes().startswith(b"%PDF")
        assert (results / f"tables/my-link/{name}.html").stat().st_size > 0
    rows = []
    for name in ("observations", "predictions"):
        with (results / f"{name}.csv").open(newline="") as file:
            rows += [row for row in csv.DictReader(file) if row["metric"] == "goodput_per_connection"]
    assert {(row["set"], row["engine"]) for row in rows} == {
        (f"my-link/{name}", engine)
        for name in ("people", "buffer")
        for engine in ("packetsim", "model:engset")
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
