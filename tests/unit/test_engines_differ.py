"""How far two engines are apart, by arithmetic done by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tcpatlas.observations import Answer, _difference
from tcpatlas.project import Point, ScenarioSet

POINT = Point("study", "set", "point", {"parameters": {}}, 0)
SET = ScenarioSet("study", "set", "Set", ("packetsim", "ns3"), (), (POINT,))


def answer(engine: str, replications: int, **metrics: dict[str, Any]) -> Answer:
    return Answer(SET, POINT, engine, metrics, {}, replications)


def test_the_difference_has_the_interval_of_two_independent_means() -> None:
    """3 % and 4 % of the values make 5 % of the ratio."""
    one = answer("ns3", 3, on_time={"unit": "s", "value": 1.1, "ci_low": 1.067, "ci_high": 1.133})
    other = answer("packetsim", 10, on_time={"unit": "s", "value": 1.0, "ci_low": 0.96, "ci_high": 1.04})
    difference = _difference(one, other)
    assert (difference.engine, difference.replications) == ("ns3/packetsim", 3)
    metric = difference.metrics["on_time_error"]
    assert metric["unit"] == "1"
    assert metric["value"] == pytest.approx(0.1)
    assert metric["ci_low"] == pytest.approx(0.1 - 0.055)
    assert metric["ci_high"] == pytest.approx(0.1 + 0.055)


def test_what_either_lacks_has_no_difference() -> None:
    sure = {"unit": "1", "value": 0.5, "ci_low": 0.4, "ci_high": 0.6}
    zero = {"unit": "1", "value": 0.0, "ci_low": 0.0, "ci_high": 0.0}
    one = answer("ns3", 3, loss_ratio=zero, rtt_mean=sure, utilisation=sure)
    other = answer("packetsim", 3, loss_ratio=sure, utilisation=sure)
    assert set(_difference(one, other).metrics) == {"utilisation_error"}
