"""Files that arrive by themselves, against processor sharing of an independent script."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import tcpatlas
from tcpatlas.base.files import read_yaml

PACKET = 1e-5  # seconds of 1000 B at 800 Mbit/s
LOAD, MEAN = 0.6, 30


def shared_alike(sizes: list[float], gaps: list[float]) -> list[float]:
    """Return how long each file takes that gets an equal share of a link from its arrival on."""
    took: list[float] = []
    now, next_file = 0.0, 0
    arrival = gaps[0]
    left: dict[int, float] = {}
    began: dict[int, float] = {}
    while len(took) < len(sizes):
        shortest = min(left, key=left.__getitem__) if left else None
        ends = now + left[shortest] * len(left) if shortest is not None else float("inf")
        passed = (min(ends, arrival) - now) / max(len(left), 1)
        for file in left:
            left[file] -= passed
        now = min(ends, arrival)
        if shortest is not None and ends <= arrival:
            took.append(now - began[shortest])
            del left[shortest]
        else:
            left[next_file], began[next_file] = sizes[next_file], now
            next_file += 1
            arrival = now + gaps[next_file] if next_file < len(sizes) else float("inf")
    return took


@pytest.mark.parametrize("law", ["fixed", "exponential"])
def test_times_are_those_of_processor_sharing(law: str) -> None:
    """Within 8 %: some four standard errors of the means, and a packet of 30, which is not divided."""
    base = read_yaml(Path(__file__).with_name("data.yaml"), "data.yaml")["arrivals.base"]
    size = {"distribution": law, "mean": f"{MEAN} packets"}
    base["sources"]["workload"] |= {"load": f"{LOAD:.0%}", "file_size": size}
    metrics = tcpatlas.simulate(base, replications=1).set_index("metric")["value"]
    draw = random.Random(1)
    sizes = [float(MEAN) if law == "fixed" else 1 + draw.expovariate(1 / (MEAN - 1)) for _ in range(60_000)]
    took = sorted(shared_alike(sizes, [draw.expovariate(LOAD / MEAN) for _ in sizes]))
    for percent in (50, 95, 99):
        expected = PACKET * took[len(took) * percent // 100 - 1]
        assert metrics[f"transfer_time[{percent}]"] == pytest.approx(expected, rel=0.08)
    assert metrics["on_time"] == pytest.approx(PACKET * MEAN / (1 - LOAD), rel=0.08)
