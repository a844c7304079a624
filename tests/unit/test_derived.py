"""Ratios, means and changes of a few metrics, by hand."""

from typing import Any

import pytest
from conftest import cases

from tcpatlas.answers.derived import (
    Metric,
    change,
    interval,
    magnitude,
    mean,
    model_error,
    of_distribution,
    ratio,
)
from tcpatlas.base.statistics import ratio_interval, t_interval


def metric(value: float, half: float | None = None) -> dict[str, Any]:
    ends = {} if half is None else {"ci_low": value - half, "ci_high": value + half}
    return {"unit": "packets", "value": value} | ends


def replicated(*values: float, seeds: tuple[int, ...] = (1, 2, 3)) -> Metric:
    """Return a metric of replications with these seeds."""
    interval = t_interval(values, 0.95)
    ends = {"value": interval.mean, "ci_low": interval.low, "ci_high": interval.high}
    return {"unit": "s", **ends, "values": list(values), "seeds": seeds, "confidence": 0.95}


ONE, OTHER = replicated(1.0, 2.0, 3.0), replicated(2.0, 4.5, 6.0)
APART = replicated(2.0, 4.5, 6.0, seeds=(4, 5, 6))


def test_chance_cancels_in_a_ratio_of_runs_with_the_same_seeds() -> None:
    paired, apart = ratio(ONE, OTHER), ratio(ONE, APART)
    assert paired is not None
    assert apart is not None
    expected = ratio_interval(ONE["values"], OTHER["values"], 0.95)
    assert paired["value"] == apart["value"] == expected.mean - 1
    assert (paired["ci_low"], paired["ci_high"]) == pytest.approx((expected.low - 1, expected.high - 1))
    assert apart["ci_high"] - apart["ci_low"] > 5 * (paired["ci_high"] - paired["ci_low"])


def test_a_mean_and_a_change_are_taken_replication_by_replication() -> None:
    halves, steps = t_interval([1.5, 3.25, 4.5], 0.95), t_interval([1.0, 2.5, 3.0], 0.95)
    assert mean([ONE, OTHER])["ci_high"] == pytest.approx(halves.high)
    changed = change([ONE, OTHER], "increasing")
    assert (changed["ci_low"], changed["ci_high"]) == pytest.approx((steps.low, steps.high))
    reversal = change([OTHER, ONE], "increasing")
    assert (reversal["max_reversal_low"], reversal["max_reversal_high"]) == pytest.approx(
        (max(0, steps.low), steps.high)
    )


def test_the_error_of_a_model_is_relative_to_the_simulation() -> None:
    error = model_error(metric(12), metric(10, 2))
    assert error["value"] == pytest.approx(0.2)
    assert (error["ci_low"], error["ci_high"]) == pytest.approx((0.0, 0.5))


def test_a_ratio_has_relative_half_widths_in_quadrature() -> None:
    quotient = ratio(metric(200, 6), metric(100, 4))  # 3 % and 4 % of each: 5 % of 2
    assert quotient is not None
    assert (quotient["unit"], quotient["value"]) == ("1", 1.0)
    assert (quotient["ci_low"], quotient["ci_high"]) == pytest.approx((0.9, 1.1))


def test_a_ratio_of_nothing_or_over_nothing_is_none() -> None:
    assert ratio(None, metric(1)) is None
    assert ratio(metric(1), None) is None
    assert ratio(metric(1), metric(0)) is None


def test_the_mean_of_three() -> None:
    average = mean([metric(1, 2), metric(2, 2), metric(6, 1)])
    assert (average["unit"], average["value"]) == ("packets", 3.0)
    assert (average["ci_low"], average["ci_high"]) == pytest.approx((2.0, 4.0))  # sqrt(4 + 4 + 1) / 3 = 1


def test_a_mean_of_models_has_no_interval() -> None:
    assert mean([metric(1, 2), metric(2)]) == {"unit": "packets", "value": 1.5}


@cases("derived.a_change_and_the_largest_step_the_other_way")
def test_a_change_and_the_largest_step_the_other_way(
    values: tuple[float, ...], direction: str, value: float, max_reversal: float
) -> None:
    changed = change([metric(text, 1) for text in values], direction)
    assert (changed["value"], changed["max_reversal"]) == (value, max_reversal)
    assert changed["ci_high"] - changed["value"] == pytest.approx(2**0.5)  # of the first and the last


EXACT = {**metric(4.0, 0.0), "exact": True}


def test_what_follows_from_exact_numbers_alone_is_exact() -> None:
    distribution = {"probability": [0.5, 0.5], "ci_low": [0.5, 0.5], "ci_high": [0.5, 0.5], "exact": True}
    for derived in (
        ratio(EXACT, EXACT),
        mean([EXACT, EXACT]),
        change([EXACT, EXACT], "increasing"),
        model_error(metric(5.0), EXACT),
        magnitude(EXACT),
        of_distribution(distribution, 1, above=False),
    ):
        assert derived is not None
        assert interval(derived) == {"interval": "exact"}


def test_what_follows_from_an_exact_and_a_measured_number_has_the_interval_of_the_latter() -> None:
    ends = interval(mean([EXACT, metric(2.0, 1.0)]))
    assert ends == {"interval": "confidence", "ci_low": 2.5, "ci_high": 3.5}


def test_what_follows_from_several_has_the_runs_of_the_one_with_fewest() -> None:
    many, few, model = (
        metric(4.0, 1.0) | {"runs": 9, "confidence": 0.95},
        metric(2.0, 1.0) | {"runs": 3, "confidence": 0.951},
        metric(2.0),
    )
    for derived in (
        ratio(many, few),
        mean([few, many]),
        change([many, few, many], "increasing"),
        model_error(model, few),
        magnitude(few),
    ):
        assert derived is not None
        assert (derived["runs"], derived["confidence"]) == (3, 0.951)
    assert "runs" not in magnitude(model)


def test_a_number_has_an_interval_unless_all_replications_are_alike_or_there_is_one() -> None:
    assert interval(metric(2.0, 0.5)) == {"interval": "confidence", "ci_low": 1.5, "ci_high": 2.5}
    assert interval(metric(2.0, 0.0)) == {"interval": "alike"}
    assert interval(metric(2.0)) == {}
