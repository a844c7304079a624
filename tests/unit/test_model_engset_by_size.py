"""The mean ON_0 over file sizes against closed forms, and the rate that follows from it."""

import math
from typing import Any

import pytest
from test_model_engset import point

from tcpatlas.models import engset, engset_by_size

EXPONENTIAL = {"distribution": "exponential", "minimum_packets": 3}


def predicted(one: dict[str, Any], model: Any = engset_by_size) -> dict[str, float]:
    (answer,) = model.predict([one])
    return {name: metric["value"] for name, metric in answer["metrics"].items()}


def with_sizes(one: dict[str, Any], **size: Any) -> dict[str, Any]:
    one["sources"][0]["workload"]["file_size"] = size
    return one


def test_files_of_one_size_make_no_difference() -> None:
    """Table 3: a file of 12 packets takes 3 round trips and 5 packet times, here of 6 ms."""
    one = with_sizes(point(), distribution="fixed", mean_packets=12)
    assert predicted(one)["isolated_on_time_by_size"] == pytest.approx(3 * 0.05 + 5 * 0.006)
    same = predicted(one, engset)["goodput_per_connection"]
    assert predicted(one)["goodput_per_connection_by_size"] == pytest.approx(same)


def test_on_a_fast_path_the_mean_counts_the_rounds() -> None:
    """Packets take no time, and the window has no limit: beyond 2^j - 2 packets a round is the j-th."""
    rate = 1e15
    one = with_sizes(point(mean=12, rwnd=5000, rates=(rate,) * 3), mean_packets=12, **EXPONENTIAL)
    more = [1.0] + [math.exp(-(2**j - 1.5 - 3) / 9) for j in range(3, 12)]
    assert predicted(one)["isolated_on_time_by_size"] == pytest.approx(0.05 * (1 + sum(more)), rel=1e-6)


def test_on_a_saturated_path_each_packet_takes_its_time() -> None:
    """Beta is below 2: a file of n packets lasts RTT_0 + (n - 1) Delta, on average with the mean of n."""
    one = with_sizes(
        point(mean=12, rates=(1e8, 1e7, 2e5)),
        mean_packets=12,
        minimum_packets=3,
        distribution="exponential-pareto",
        tail_share=0.1,
        tail_index=1.5,
    )
    # Rounded to whole packets the mean is 12 but for what the midpoint rule is off.
    assert predicted(one)["isolated_on_time_by_size"] == pytest.approx(0.05 + 11 * 0.06, rel=1e-3)
