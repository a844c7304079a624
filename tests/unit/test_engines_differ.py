"""The distance of two engines, by arithmetic done by hand."""

from typing import Any

import pytest

from tcpatlas.answers.answer import Answer
from tcpatlas.answers.comparisons import difference_of
from tcpatlas.answers.source import Source
from tcpatlas.points.types import Point, ScenarioSet

POINT = Point("study", "set", "point", {"parameters": {}}, 0)
SET = ScenarioSet("study", "set", "Set", {"packetsim": 1, "ns3": 0.125}, (), (POINT,))


def answer(engine: str, replications: int, **metrics: dict[str, Any]) -> Answer:
    return Answer(Source("simulation", engine), SET, POINT, metrics, replications)


def test_the_difference_has_the_interval_of_two_independent_means() -> None:
    """3 % and 4 % of the values make 5 % of the ratio."""
    one = answer("ns3", 3, on_time={"unit": "s", "value": 1.1, "ci_low": 1.067, "ci_high": 1.133})
    other = answer("packetsim", 10, on_time={"unit": "s", "value": 1.0, "ci_low": 0.96, "ci_high": 1.04})
    difference = difference_of(one, other)
    assert (difference.source.name, difference.replications) == ("ns3/packetsim", 3)
    metric = difference.metrics["on_time"]
    assert metric["unit"] == "1"
    assert metric["value"] == pytest.approx(0.1)
    assert metric["ci_low"] == pytest.approx(0.1 - 0.055)
    assert metric["ci_high"] == pytest.approx(0.1 + 0.055)


def test_what_either_lacks_has_no_difference() -> None:
    sure = {"unit": "1", "value": 0.5, "ci_low": 0.4, "ci_high": 0.6}
    zero = {"unit": "1", "value": 0.0, "ci_low": 0.0, "ci_high": 0.0}
    one = answer("ns3", 3, loss_ratio=zero, rtt_sender_mean=sure, utilisation=sure)
    other = answer("packetsim", 3, loss_ratio=sure, utilisation=sure)
    metrics = difference_of(one, other).metrics
    assert set(metrics) == {"utilisation", "largest_difference"}
    assert metrics["largest_difference"] == {"unit": "1", "value": 1}


def replicated(engine: str, seeds: tuple[int, ...], *values: float) -> Answer:
    """Return an answer with one metric, whose own interval is as wide as can be."""
    mean = sum(values) / len(values)
    metric = {"unit": "s", "value": mean, "ci_low": 0.0, "ci_high": 2 * mean, "values": list(values)}
    return Answer(Source("simulation", engine), SET, POINT, {"on_time": metric}, len(values), seeds=seeds)


def test_replications_of_the_same_seeds_are_pairs() -> None:
    """What moves both alike cancels out: twice the others, each time, is twice the others for sure."""
    one = replicated("ns3", (1, 2, 3), 2.0, 4.0, 12.0)
    other = replicated("packetsim", (1, 2, 3), 1.0, 2.0, 6.0)
    metric = difference_of(one, other).metrics["on_time"]
    assert (metric["value"], metric["ci_low"], metric["ci_high"]) == pytest.approx((1, 1, 1))
    other = replicated("packetsim", (1, 2, 4), 1.0, 2.0, 6.0)
    assert difference_of(one, other).metrics["on_time"]["ci_high"] > 2


def test_the_interval_of_pairs() -> None:
    """The pairs 11/10, 9/10 and 10/10 have residuals 1, -1, 0, of variance 1; t is 4.302653."""
    one = replicated("ns3", (1, 2, 3), 11.0, 9.0, 10.0)
    other = replicated("packetsim", (1, 2, 3), 10.0, 10.0, 10.0)
    metric = difference_of(one, other).metrics["on_time"]
    assert metric["value"] == 0
    assert metric["ci_high"] == pytest.approx(4.302653 / 3**0.5 / 10, rel=1e-6)


def test_the_largest_difference_is_over_all_metrics() -> None:
    def of(**values: float) -> dict[str, Any]:
        return {name: {"unit": "1", "value": value} for name, value in values.items()}

    one = answer("ns3", 2, **of(rtt_sender_mean=1.0, loss_ratio=0.0, queue_mean=4.0))
    other = answer("packetsim", 2, **of(rtt_sender_mean=1.0, loss_ratio=0.0, queue_mean=5.0))
    assert difference_of(one, other).metrics["largest_difference"]["value"] == pytest.approx(0.2)
    assert difference_of(one, one).metrics["largest_difference"]["value"] == 0
    lacking = answer("packetsim", 2, **of(rtt_sender_mean=1.0, loss_ratio=0.0))
    assert difference_of(one, lacking).metrics["largest_difference"]["value"] == 1
