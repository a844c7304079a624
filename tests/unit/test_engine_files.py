"""The parts of an engine's program: the files whose changes build it again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tcpatlas.points.engines import code_of_engine

FILES = (
    "CMakeLists.txt",
    "kit/CMakeLists.txt",
    "kit/traces/trace.hpp",
    "kit/tests/trace_test.cpp",
    "packetsim/CMakeLists.txt",
    "packetsim/src/tcp/tahoe.hpp",
    "packetsim/tests/tahoe_test.cpp",
    "linux/src/main.cpp",
)


@pytest.mark.parametrize(
    ("engine", "own"),
    [
        ("packetsim", ["packetsim/CMakeLists.txt", "packetsim/src/tcp/tahoe.hpp"]),
        ("linux_live", ["linux/src/main.cpp"]),
    ],
)
def test_they_are_its_own_and_every_folder_of_the_kit_but_tests(
    engine: str, own: list[str], tmp_path: Path
) -> None:
    for file in FILES:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    shared = ["CMakeLists.txt", "kit/CMakeLists.txt", "kit/traces/trace.hpp"]
    assert code_of_engine(tmp_path, engine) == sorted(str(tmp_path / file) for file in [*shared, *own])
