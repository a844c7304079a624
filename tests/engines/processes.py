"""Shared by tests of the programs that run transfers: where the build leaves them, and their processes."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

BUILD = Path(__file__).parents[2] / "build"
KERNEL = os.environ.get("TCP_ATLAS_UML", str(BUILD / "uml/linux"))
virtual = pytest.mark.skipif(not os.access(KERNEL, os.X_OK), reason="no User-Mode Linux here")


def parents() -> dict[int, int]:
    """Return the parent of each living process."""
    parent_of = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = stat.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if state not in "ZX":
            parent_of[int(stat.parent.name)] = int(parent)
    return parent_of


def descendants(ancestor: int) -> set[int]:
    """Return the ancestor and all processes below it."""
    tree, group = parents(), {ancestor}
    while more := {child for child, parent in tree.items() if parent in group} - group:
        group |= more
    return group


def wait_until(holds: Callable[[], bool], seconds: float = 300) -> bool:
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def all_end(processes: set[int]) -> bool:
    return wait_until(lambda: not processes & set(parents()))
