"""A run that is killed in its middle goes on where it stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tree import Tree

# Long enough for a replication to take about a second: 800,000 connections of 30 packets.
CONNECTIONS = 400_000_000


def simulations(scenario: str) -> list[str]:
    """Only these, so that the other results of the tree stay."""
    return ["--config", f"scenarios={scenario}", "scale=smoke", "--until", "simulate"]


@contextmanager
def started(tree: Tree, scenario: str) -> Iterator[subprocess.Popen[bytes]]:
    """Start a run in a process group of its own, and kill all of it at the end."""
    process = subprocess.Popen(
        [".venv/bin/snakemake", "--cores", "1", *simulations(scenario)],
        cwd=tree.root,
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def wait_for(condition: Callable[[], object], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


# In the tree of the smoke run, whose simulators are built.
def test_a_killed_run_goes_on_where_it_stopped(smoke: Tree) -> None:
    scenario = "long.yaml"
    example = (smoke.root / "examples/my-link.yaml").read_text()
    four_points = example.partition("\n  buffer:\n    title")[0]
    (smoke.root / scenario).write_text(four_points.replace("200000", str(CONNECTIONS)))
    runs = smoke.root / "results/cache/long/people"

    def finished() -> list[Path]:
        return sorted(runs.glob("*/packetsim/2.key.json"))

    def kept() -> list[Path]:
        return sorted(runs.glob("*/packetsim/1.key.json"))

    with started(smoke, scenario):
        # One point done, and the first replication of the next.
        wait_for(lambda: finished() and len(kept()) > len(finished()))
        meanwhile = smoke.run("./atlas", "reproduce", *simulations(scenario))
    assert meanwhile.returncode == 1
    assert "another run is at work in this directory" in meanwhile.stderr

    before = {path: path.stat().st_mtime_ns for path in [*finished(), *kept()]}
    assert len(finished()) < 4
    done = smoke.run("./atlas", "reproduce", *simulations(scenario))
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(finished()) == 4
    assert {path: path.stat().st_mtime_ns for path in before} == before
