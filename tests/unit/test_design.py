"""Designs: points of a low-discrepancy sequence over a space, as a sweep of a set."""

from typing import Any

import numpy as np
import pytest
from conftest import SCENARIO
from handmade import expanded
from test_bulk import REPLICATIONS

from tcpatlas.points.types import Point

RATE, COUNT, SIZE = "links.bottleneck.rate", "sources.count", "sources.workload.file_size.distribution"
OVER: dict[str, Any] = {
    RATE: {"from": "1 Mbit/s", "to": "100 Mbit/s"},
    COUNT: {"from": 1, "to": 100},
    "sources.workload.off_time.mean": {"from": "1 s", "to": "3 s", "scale": "linear"},
    SIZE: ["exponential", "exponential-pareto"],
}


def design(**changes: Any) -> tuple[Point, ...]:
    asked = {"points": 64, "over": OVER, **changes}
    return expanded(SCENARIO["base"], {"sweep": {"design": asked}}, REPLICATIONS)


@pytest.mark.parametrize("method", ["halton", "sobol"])
def test_the_points_cover_the_space_evenly(method: str) -> None:
    points = design(method=method)
    assert [point.name for point in points[:2]] == ["01", "02"]
    rates = np.array([float(point.parameters[RATE]) for point in points])
    assert rates.min() >= 1e6
    assert rates.max() <= 100e6
    # A quarter of the range of the logarithm holds a quarter of the points, give or take two of scrambling.
    counts, _ = np.histogram(np.log10(rates), bins=4, range=(6, 8))
    assert np.all(np.abs(counts - 16) <= 2)
    pauses = [float(point.parameters["sources.workload.off_time.mean"]) for point in points]
    assert np.mean(pauses) == pytest.approx(2, rel=0.03)
    heavy = [point.parameters[SIZE] == "exponential-pareto" for point in points]
    assert abs(sum(heavy) - 32) <= 2


def test_values_are_as_people_would_write_them() -> None:
    for point in design():
        count, rate = point.parameters[COUNT], float(point.parameters[RATE])
        assert isinstance(count, int)
        assert rate == float(f"{rate:.3g}")


def test_a_seed_decides_the_points() -> None:
    def texts(seed: int) -> list[str]:
        return [str(point.parameters) for point in design(seed=seed)]

    assert texts(1) == texts(1)
    assert not set(texts(1)) & set(texts(2))


def test_a_run_of_so_many_packets_has_connections_by_the_mean_file() -> None:
    base = {**SCENARIO["base"], "stop": {"packets": "12000 packets"}}
    spec = {"sweep": {"grid": {"sources.workload.file_size.mean": ["12 packets", "120 packets"]}}}
    rules = [point.document["stop"] for point in expanded(base, spec, REPLICATIONS)]
    # 82 sources; of the large files there would be 100, which is less than 10 of each source.
    assert rules == [
        {"connections": 1000, "warmup_connections": 246},
        {"connections": 820, "warmup_connections": 246},
    ]
