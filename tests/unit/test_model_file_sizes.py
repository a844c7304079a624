"""Shares and means of intervals of sizes against direct summation and against the paper."""

import math
from typing import Any

import pytest
from scipy.integrate import quad

from tcpatlas.models.file_sizes import interval_of, predict, tail_of

E = {"distribution": "exponential", "mean_packets": 12, "minimum_packets": 3}
EE = {**E, "distribution": "exponential-exponential", "tail_share": 0.1, "tail_mean_ratio": 7}
EP = {**E, "distribution": "exponential-pareto", "tail_share": 0.1, "tail_index": 1.5}
FIXED = {"distribution": "fixed", "mean_packets": 54}


@pytest.mark.parametrize("size", [E, EE, EP])
def test_the_mean_before_rounding_is_the_mean(size: dict[str, Any]) -> None:
    tail = tail_of(size)
    body, _ = quad(tail.at, 0, 1000, points=[3, 17.2], limit=500)
    assert body + tail.integral(1000) == pytest.approx(12, rel=1e-6)


@pytest.mark.parametrize(("size", "start"), [(EP, 17.2), (EE, 3 - 0.6 / 0.9 * math.log(0.1))])
def test_a_tenth_is_in_the_tail(size: dict[str, Any], start: float) -> None:
    """Table 1 prints k = 17.2 for EP; for EE(7) it is A - B ln H with B = (12 - 3 - 8.4) / 0.9."""
    assert tail_of(size).at(start) == pytest.approx(0.1, rel=0.01)


@pytest.mark.parametrize("size", [E, EE, EP])
def test_an_interval_is_the_sum_of_its_sizes(size: dict[str, Any]) -> None:
    tail = tail_of(size)
    shares = {k: tail.at(k - 0.5) - tail.at(k + 0.5) for k in range(7, 15)}
    share, mean = interval_of(tail, 7, 14)
    assert share == pytest.approx(sum(shares.values()))
    assert mean == pytest.approx(sum(k * part for k, part in shares.items()) / sum(shares.values()))


def test_an_open_interval_of_a_pareto_tail_has_the_mean_of_a_pareto_distribution() -> None:
    """Above k the mean is k alpha / (alpha - 1) = 3 k; a rounded size is nearly a half above its own."""
    _, mean = interval_of(tail_of(EP), 4097, None)
    assert mean == pytest.approx(3 * 4096.5, rel=1e-4)


def test_a_fixed_size() -> None:
    assert interval_of(tail_of(FIXED), 54, 54) == (1, 54)
    share, mean = interval_of(tail_of(FIXED), 55, 60)
    assert share == 0
    assert math.isnan(mean)


def point(size: dict[str, Any], *probes: dict[str, Any]) -> dict[str, Any]:
    workload = {"kind": "on-off", "file_size": size}
    return {
        "kind": "dumbbell",
        "links": {"bottleneck": {}},
        "sources": [{"workload": workload, "extra_delay_s": 0}],
        "probes": list(probes),
    }


def test_what_a_point_gets() -> None:
    probe = {"kind": "size-intervals", "intervals": [[3, 6], [7, None]]}
    (answer,) = predict([point(E, {"kind": "loss-recovery"}, probe)])
    metrics = answer["metrics"]
    assert metrics["file_share[3-6]"]["value"] == pytest.approx(1 - math.exp(-3.5 / 9))
    assert metrics["file_share[3-6]"]["value"] + metrics["file_share[>6]"]["value"] == pytest.approx(1)
    probability = answer["distributions"]["file_size_by_count"]["probability"]
    assert sum(probability[3:7]) == pytest.approx(1 - math.exp(-3.5 / 9))
    assert sum(probability) == pytest.approx(1)


@pytest.mark.parametrize(("size", "start", "mean"), [(E, 23.7, 32.7), (EP, 17.22, 51.65), (EE, 4.535, 88.5)])
def test_the_largest_tenth(size: dict[str, Any], start: float, mean: float) -> None:
    """3 + 9 ln 10 and 9 more; k and 3 k; 3 + 2/3 ln 10 and 84 more: section 3.2 prints 33, 52 and 89."""
    (answer,) = predict([point(size)])
    assert answer["metrics"]["tail_start"]["value"] == pytest.approx(start, abs=0.05)
    assert answer["metrics"]["tail_mean"]["value"] == pytest.approx(mean, abs=0.05)
