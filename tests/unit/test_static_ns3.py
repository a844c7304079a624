"""The reference engine's build with a static ns-3 of one's own instead of Debian's libraries."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tcpatlas.points.engines import missing

SIMULATORS = Path(__file__).parents[2] / "workflow/engines"
WITHOUT_NS3 = missing("ns3")


def configure(folder: Path, library: Path) -> subprocess.CompletedProcess[str]:
    off = ("-DTCP_ATLAS_TESTS=OFF", "-DTCP_ATLAS_BENCHMARKS=OFF", f"-DTCP_ATLAS_NS3_LIBRARY={library}")
    return subprocess.run(
        ("cmake", "-S", SIMULATORS, "-B", folder, "-G", "Ninja", *off),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(WITHOUT_NS3 is not None, reason=str(WITHOUT_NS3))
def test_the_static_library_is_linked_whole_and_instead_of_debians(tmp_path: Path) -> None:
    library = tmp_path / "libns3.37-static.a"
    library.write_bytes(b"!<arch>\n")  # an archive of nothing
    outcome = configure(tmp_path / "build", library)
    assert outcome.returncode == 0, outcome.stderr
    commands = subprocess.run(
        ("ninja", "-C", tmp_path / "build", "-t", "commands", "ns3/ns3"),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    link = commands.splitlines()[-1]
    before, after = link.split(f" {library} ")
    assert "--whole-archive" in before
    assert after.split()[0] in {"-Wl,--pop-state", "-Wl,--no-whole-archive"}
    assert "libns3-" not in link


@pytest.mark.skipif(WITHOUT_NS3 is not None, reason=str(WITHOUT_NS3))
def test_a_library_that_is_not_there_is_said(tmp_path: Path) -> None:
    outcome = configure(tmp_path / "build", tmp_path / "libns3.37-static.a")
    assert outcome.returncode != 0
    said = " ".join(outcome.stderr.split())  # cmake breaks lines
    assert f"TCP_ATLAS_NS3_LIBRARY: {tmp_path}/libns3.37-static.a is not there" in said


def test_the_script_says_how_it_is_called(tmp_path: Path) -> None:
    outcome = subprocess.run(
        (SIMULATORS / "ns3/build_ns3.sh", "one", "two"),
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert outcome.returncode != 0
    assert outcome.stderr == "build_ns3: usage: build_ns3.sh [FOLDER]\n"
    assert list(tmp_path.iterdir()) == []
