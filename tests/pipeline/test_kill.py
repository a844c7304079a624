"""A run that is killed in its middle resumes: what was simulated is kept."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tree import Tree

ARGUMENTS = ("--until", "simulate", "--config", "scenarios=examples/my-link.yaml", "scale=smoke")
KEPT = "results/cache/my-link/*/*/packetsim/[0-9]*"


@pytest.fixture
def held(smoke: Tree) -> Iterator[Tree]:
    """The tree of the smoke run; its engine waits after two points and a replication of the third."""
    with smoke.held(f'[ "$(ls {KEPT}.key.json | wc -l)" -ge 5 ]') as tree:
        yield tree


def test_a_killed_run_resumes(held: Tree) -> None:
    def kept() -> dict[Path, int]:
        return {path: path.stat().st_mtime_ns for path in held.root.glob(f"{KEPT}.json")}

    with held.started("--cores", "1", *ARGUMENTS) as run:
        while not (held.root / "held").exists():
            assert run.poll() is None
            time.sleep(0.1)
        before = kept()
        meanwhile = held.run("./atlas", "reproduce", *ARGUMENTS)
    assert meanwhile.returncode == 1
    assert "another run is at work in this directory" in meanwhile.stderr

    (held.root / "hold").unlink()
    held.output("./atlas", "reproduce", *ARGUMENTS)
    after = kept()
    # Eight points of two replications, each with its key; five replications are from before.
    assert (len(before), len(after)) == (5 * 2, 8 * 2 * 2)
    assert {path: after[path] for path in before} == before
