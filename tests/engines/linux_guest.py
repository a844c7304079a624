"""Points of the engine linux, and how tests have them simulated.

The environment may name the program (LINUX_ENGINE) and User-Mode Linux (TCP_ATLAS_UML); otherwise they are
where the build leaves them. Tests are skipped where the program is not built; those that run it also where
there is no User-Mode Linux.
"""

import copy
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from processes import BUILD

from tcpatlas.base.engine_call import engine_arguments

PROGRAM = os.environ.get("LINUX_ENGINE", str(BUILD / "release/linux/linux"))


MSS = 524


POINT: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("data.yaml").read_text())["linux_guest.point"]
SOURCES = Path(__file__).parents[2] / "workflow/engines/linux/uml"


def changed(**changes: Any) -> dict[str, Any]:
    """Return the point with changes of its source's TCP, its bottleneck or its length."""
    point = copy.deepcopy(POINT)
    for key, value in changes.items():
        for part in (point["sources"][0]["tcp"], point["links"]["bottleneck"], point["stop"]):
            if key in part:
                part[key] = value
    return point


def write(point: dict[str, Any], folder: Path) -> Path:
    """Write a point into the folder; return the file."""
    file = folder / "point.json"
    file.write_text(json.dumps(point))
    return file


def write_point(folder: Path, **changes: Any) -> Path:
    """Write the point with such changes; return the file."""
    return write(changed(**changes), folder)


def call(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [PROGRAM, *words], env=os.environ | variables, capture_output=True, text=True, check=False
    )


def refusal(point: dict[str, Any], folder: Path) -> str:
    """Return the one line that refuses a point, or a network that is not offered; no other file is left."""
    file = write(point, folder)
    result = call(*engine_arguments(file, 1, folder / "run.json"))
    assert (result.returncode in (1, 3), result.stderr.count("\n")) == (True, 1), result.stderr
    assert list(folder.iterdir()) == [file]
    return result.stderr


def simulate(point: Path, seed: int, name: str = "run.json") -> dict[str, Any]:
    out = point.with_name(name)
    result = call(*engine_arguments(point, seed, out))
    assert (result.returncode, result.stderr) == (0, "")
    run: dict[str, Any] = json.loads(out.read_text())
    return run


def metrics(run: dict[str, Any]) -> dict[str, float]:
    return {name: metric["value"] for name, metric in run["metrics"].items()}


TAKES = yaml.safe_load((SOURCES.parent / "engine.yaml").read_text())["takes"][0]["only"]


def dumbbell(*groups: dict[str, Any], stop: dict[str, Any], **bottleneck: Any) -> dict[str, Any]:
    """Return a point of 10 Mbit/s and 50 ms, with 1,500 bytes a packet."""
    point = copy.deepcopy(POINT)
    point["links"]["bottleneck"] = {
        "rate_bit_per_s": 1e7,
        "delay_s": 0.01,
        "loss_probability": 0,
        "queue": "drop-tail",
        "buffer_packets": 42,
    } | bottleneck
    source = point["sources"][0] | {"workload": {"kind": "bulk", "start_spread_s": 1}}
    point["sources"] = [
        source | group | {"tcp": source["tcp"] | {"min_rto_s": 1, "rwnd_packets": 1000} | group["tcp"]}
        for group in groups
    ]
    return point | {"return_delay_s": 0.04, "packet_bytes": 1500, "stop": stop, "probes": []}


def bulk(
    name: str, count: int, variant: str, tcp: dict[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    return {"name": name, "count": count, "tcp": {"variant": variant} | (tcp or {})} | more


def simulate_point(
    folder: Path, point: dict[str, Any], seed: int = 1, name: str = "run.json"
) -> dict[str, Any]:
    folder.mkdir(exist_ok=True)
    return simulate(write(point, folder), seed, name)


def by_packetsim(folder: Path, point: dict[str, Any]) -> dict[str, float]:
    """Return packetsim's metrics of the point; a test is skipped where packetsim is not built."""
    program = BUILD / "release/packetsim/packetsim"
    if not program.exists():
        pytest.skip("packetsim is not built")
    out = folder / "simulated.json"
    subprocess.run([program, *engine_arguments(write(point, folder), 1, out)], check=True)
    return metrics(json.loads(out.read_text()))


ON_OFF = {
    "kind": "on-off",
    "file_size": {"distribution": "exponential", "mean_packets": 12, "minimum_packets": 1},
    "off_time": {"distribution": "exponential", "mean_s": 1},
}


def web(count: int, variant: str) -> dict[str, Any]:
    return {
        "name": "web",
        "count": count,
        "workload": ON_OFF,
        "tcp": {"variant": variant, "rwnd_packets": 64, "initial_window_packets": 2},
    }
