"""Ratios, means and changes of a few metrics, by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tcpatlas.claims.derived import change, mean, ratio


def metric(value: float, half: float | None = None) -> dict[str, Any]:
    ends = {} if half is None else {"ci_low": value - half, "ci_high": value + half}
    return {"unit": "packets", "value": value} | ends


def test_a_ratio_has_relative_half_widths_in_quadrature() -> None:
    found = ratio(metric(200, 6), metric(100, 4))  # 3 % and 4 % of each: 5 % of 2
    assert found is not None
    assert (found["unit"], found["value"]) == ("1", 1.0)
    assert (found["ci_low"], found["ci_high"]) == pytest.approx((0.9, 1.1))


def test_a_ratio_of_nothing_or_over_nothing_is_none() -> None:
    assert ratio(None, metric(1)) is None
    assert ratio(metric(1), None) is None
    assert ratio(metric(1), metric(0)) is None


def test_the_mean_of_three() -> None:
    found = mean([metric(1, 2), metric(2, 2), metric(6, 1)])
    assert (found["unit"], found["value"]) == ("packets", 3.0)
    assert (found["ci_low"], found["ci_high"]) == pytest.approx((2.0, 4.0))  # sqrt(4 + 4 + 1) / 3 = 1


def test_a_mean_of_models_has_no_interval() -> None:
    assert mean([metric(1, 2), metric(2)]) == {"unit": "packets", "value": 1.5}


@pytest.mark.parametrize(
    ("values", "direction", "value", "max_reversal"),
    [
        ((9, 5, 6, 2), "decreasing", -7, 1),
        ((9, 5, 6, 2), "increasing", -7, 4),
        ((1, 2, 4), "increasing", 3, 0),
        ((1, 2, 4), "decreasing", 3, 2),
        ((3, 3), "decreasing", 0, 0),
    ],
)
def test_a_change_and_the_largest_step_the_other_way(
    values: tuple[float, ...], direction: str, value: float, max_reversal: float
) -> None:
    found = change([metric(one, 1) for one in values], direction)
    assert (found["value"], found["max_reversal"]) == (value, max_reversal)
    assert found["ci_high"] - found["value"] == pytest.approx(2**0.5)  # of the first and the last
