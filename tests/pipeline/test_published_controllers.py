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

import tcpatlas
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


def built(name: str) -> str:
    """Return what the judge is handed, or skip."""
    tool, controller = CONTROLLERS[name]
    if not shutil.which(tool):
        pytest.skip(f"{tool} is not installed")
    environment = os.environ | {"HOME": os.environ["TCP_ATLAS_USER_HOME"]}  # cargo's toolchain is there
    command = [QUIC / "build.sh", name.replace("aioquic-cubic", "aioquic")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode and re.search("resolv|connect|no matching distribution", done.stderr, re.IGNORECASE):
        pytest.skip(f"no registry is in reach: {done.stderr.splitlines()[-1]}")
    assert done.returncode == 0, done.stderr[-2000:]
    return controller


@pytest.mark.parametrize("name", CONTROLLERS)
def test_a_published_controller_is_built_and_answers_as_the_page_says(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("TCP_ATLAS_CACHE", str(tmp_path / "cache"))
    controller = built(name)
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


def test_the_whole_stack_of_ngtcp2_keeps_the_queue_of_its_controller() -> None:
    library = ROOT / built("ngtcp2-cubic")
    stack = subprocess.check_output([library.with_name("ngtcp2-stack"), "60", "1", "333"], text=True)
    tcp = {"variant": "external", "library": str(library), "rwnd": "1000000 packets"} | {
        "initial_window": "10 packets",
        "min_rto": "200 ms",
        "max_rto": "60 s",
        "delayed_ack": {"packets": 2, "timeout": "25 ms"},
    }
    link = {
        "links": {
            "access": {"rate": "10 Gbit/s"},
            "bottleneck": {"rate": "100 Mbit/s", "buffer": "333 packets", "queue": "drop-tail"},
            "egress": {"rate": "10 Gbit/s"},
        },
        "rtt": "40 ms",
        "packet_size": "1500 B",
        "ack_size": "52 B",
        "tcp": tcp,
        "sources": {"count": 1, "workload": {"kind": "bulk"}},
        "stop": {"duration": "60 s", "warmup": "0 s"},
    }
    found = tcpatlas.simulate(link, replications=1, allow_library=True).set_index("metric")["value"]
    assert float(stack.split()[-1]) == pytest.approx(found["queue_mean_on_arrival"], rel=0.03)
