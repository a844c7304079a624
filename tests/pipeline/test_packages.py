"""A package of simulators alone: its README, followed in a bare folder without Python, R and Snakemake."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tree import ROOT

ENGINES = ROOT / "workflow/engines"
TOOLS = "ar as c++ cat cc ccache cmake ctest dirname env grep ld ln make mkdir mv ranlib rm sed sh sha256sum"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
# CMake would find one that is not on the path.
NO_PYTHON = "-DCMAKE_DISABLE_FIND_PACKAGE_Python3=ON"
FILES = {"cpp": "gentle.cpp", "cmake": "CMakeLists.txt"}

pytestmark = pytest.mark.slow


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A folder with `tools`, all that is on the path, and the kit."""
    (tmp_path / "tools").mkdir()
    for tool in TOOLS.split():
        if found := shutil.which(tool, path="/usr/bin:/bin"):
            (tmp_path / "tools" / tool).symlink_to(found)
    shutil.copytree(ENGINES / "kit", tmp_path / "kit")
    return tmp_path


def run(folder: Path, script: str) -> str:
    environment = {"PATH": str(folder / "tools"), "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    if "CCACHE_DIR" in os.environ:
        environment["CCACHE_DIR"] = os.environ["CCACHE_DIR"]
    done = subprocess.run(
        ["sh", "-ec", script], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    said = done.stdout.decode()
    assert done.returncode == 0, said[-4000:]
    return said


def shares(values: list[str]) -> tuple[float, float]:
    """Return the packets per second of two groups, which fill 50 Mbit/s for the 60 s that are measured."""
    first, second = map(float, values)
    rate, queued = 50e6 / (8 * 1500), 100
    assert 0.95 * rate < first + second <= rate + queued / 60
    return first, second


def test_a_stranger_adds_a_window_with_packetsims_readme_alone(bare: Path) -> None:
    """A window that gives way by an eighth gets more beside CUBIC than one that gives way by a half."""
    shutil.copytree(ENGINES / "packetsim", bare / "packetsim")
    said: list[str] = []
    for language, block in BLOCK.findall((bare / "packetsim/README.md").read_text("utf-8")):
        if language == "sh":
            said.append(run(bare, block.replace("cmake -S packetsim", f"cmake {NO_PYTHON} -S packetsim")))
        elif language in FILES:
            (bare / FILES[language]).write_text(block)
    built, ran, gentle = said
    assert "SameBytes is left out" in built
    assert "100% tests passed" in built
    reno, _ = shares(re.findall(r'"value": ([\d.]+)', ran))
    mine, _ = shares(re.findall(r"^(\d+) packets/s$", gentle, re.MULTILINE))
    assert mine > reno
    assert len((bare / "gentle.cpp").read_text().splitlines()) <= 20
    documents = bare / "installed/share/doc/packetsim"
    assert {file.name for file in documents.iterdir()} == {"README.md", "LICENSE", "THIRD-PARTY.txt"}


def test_the_linux_bed_is_built_and_tested_alone(bare: Path) -> None:
    shutil.copytree(ENGINES / "linux", bare / "linux")
    (first, *_) = re.findall(r"(?m)^cmake -S linux .*$", (bare / "linux/README.md").read_text("utf-8"))
    assert "100% tests passed" in run(bare, first)
    assert (bare / "build/release/linux/linux").exists()
