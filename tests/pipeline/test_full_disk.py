"""A disk that fills up in mid-run."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tree import Tree

ARGUMENTS = ("--until", "simulate", "--config", "scenarios=examples/my-link.yaml", "scale=smoke")


@pytest.fixture
def small_disk(built_tree: Tree) -> Iterator[Path]:
    """A disk of 64 KiB at results/."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    results = built_tree.root / "results"
    results.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", results], capture_output=True, text=True
    )
    if mounted.returncode != 0:
        pytest.skip(f"no disk can be mounted here: {mounted.stderr.strip()}")
    yield results
    subprocess.run(["umount", results], check=True)


def test_a_full_disk_leaves_no_half_result(built_tree: Tree, small_disk: Path) -> None:
    full = built_tree.snakemake(*ARGUMENTS)
    assert full.returncode != 0
    # The log gives the reason, if there was room for it.
    assert re.search(r"No space left on device|its disk has 0\.\d MB left", full.stderr)
    runs = small_disk / "runs"
    for path in runs.glob("*/*.jsonl"):
        assert [json.loads(line) for line in path.read_text().splitlines()]

    subprocess.run(["mount", "-o", "remount,size=64m", small_disk], check=True)
    more = built_tree.snakemake(*ARGUMENTS)
    assert more.returncode == 0, more.stdout + more.stderr
    lines = [line for path in runs.glob("*/*.jsonl") for line in path.read_text().splitlines()]
    assert len([json.loads(line)["point"] for line in lines]) == 8
