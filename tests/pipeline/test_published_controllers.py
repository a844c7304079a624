"""Published controllers, built from their registries, answer what docs/nine-cubics.csv has of them."""

import csv
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tree import ROOT

from tcpatlas.judge.__main__ import main

QUIC = ROOT / "scenarios/examples/controllers/quic"
BUILT = "build/nine-cubics"
# What builds each, and what the judge is handed then.
CONTROLLERS = {
    "aioquic-cubic": ("cc", f"{QUIC}/src/aioquic_cubic.py:Cubic"),
    "ngtcp2-cubic": ("apt-get", f"{BUILT}/ngtcp2-cubic.so"),
    **{name: ("cargo", f"{BUILT}/{name}.so") for name in ("quinn-cubic", "noq-cubic", "s2n-cubic")},
}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not os.getenv("TCP_ATLAS_NIGHTLY"), reason="TCP_ATLAS_NIGHTLY=1 asks for it"),
]


@pytest.mark.parametrize("name", CONTROLLERS)
def test_a_published_controller_is_built_and_answers_as_the_page_says(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("TCP_ATLAS_CACHE", str(tmp_path / "cache"))
    tool, controller = CONTROLLERS[name]
    if not shutil.which(tool):
        pytest.skip(f"{tool} is not installed")
    environment = os.environ | {"HOME": os.environ["TCP_ATLAS_USER_HOME"]}  # cargo's toolchain is there
    command = [QUIC / "build.sh", name.replace("aioquic-cubic", "aioquic")]
    built = subprocess.run(command, env=environment, capture_output=True, text=True)
    if built.returncode and re.search("resolv|connect|no matching distribution", built.stderr, re.IGNORECASE):
        pytest.skip(f"no registry is in reach: {built.stderr.splitlines()[-1]}")
    assert built.returncode == 0, built.stderr[-2000:]
    assert main([controller, "--only", "ramp-up,restart", "--baselines", "", "--out", str(tmp_path)]) in (
        0,
        1,
    )
    with (ROOT / "docs/nine-cubics.csv").open(encoding="utf-8") as file:
        page = {
            (row["question"], row["case"]): row["value"]
            for row in csv.DictReader(file)
            if (row["suite"], row["controller"]) == ("quick", name)
        }
    questions = json.loads((tmp_path / "judge.json").read_text())["questions"]
    found = {
        (one["name"], case["case"]): f"{case['value']:.6g}" for one in questions for case in one["cases"]
    }
    assert len(found) == 4
    assert found.items() <= page.items()
