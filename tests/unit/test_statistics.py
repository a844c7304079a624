"""Intervals beside scipy's."""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from tcpatlas.base.statistics import Interval, narrow_enough, pointwise_intervals, ratio_interval, t_interval

VALUES = st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=12)


@given(VALUES, st.sampled_from([0.9, 0.95, 0.99]))
def test_t_interval_is_students(values: list[float], confidence: float) -> None:
    scale = scipy.stats.sem(values)
    low, high = scipy.stats.t.interval(
        confidence, len(values) - 1, loc=np.mean(values), scale=scale or 1e-300
    )
    interval = t_interval(values, confidence)
    assert interval.mean == pytest.approx(np.mean(values), rel=1e-12, abs=1e-9)
    assert interval.low == pytest.approx(low, rel=1e-9, abs=1e-6)
    assert interval.high == pytest.approx(high, rel=1e-9, abs=1e-6)


def test_t_interval_covers_the_mean_as_often_as_it_says() -> None:
    normal = np.random.default_rng(7).normal(5.0, 2.0, size=(4000, 4))
    intervals = [t_interval(row, 0.95) for row in normal.tolist()]
    covered = sum(interval.low <= 5.0 <= interval.high for interval in intervals)
    assert scipy.stats.binomtest(covered, 4000, 0.95).pvalue > 1e-3


def test_equal_values_have_no_width() -> None:
    assert t_interval([0.1, 0.1, 0.1], 0.95) == Interval(0.1, 0.1, 0.1)


@given(VALUES)
def test_the_order_of_replications_does_not_matter(values: list[float]) -> None:
    assert t_interval(values, 0.95) == t_interval(values[::-1], 0.95)


def test_a_ratio_of_what_moves_alike_has_no_width() -> None:
    assert ratio_interval([2.0, 4.0, 6.0], [1.0, 2.0, 3.0], 0.95) == Interval(2.0, 2.0, 2.0)


def test_a_ratio_over_a_constant_has_the_interval_of_the_mean_over_it() -> None:
    """Student's 4.3027 times 1 / sqrt(3), over 2."""
    quotient = ratio_interval([1.0, 2.0, 3.0], [2.0, 2.0, 2.0], 0.95)
    assert (quotient.mean, quotient.low, quotient.high) == pytest.approx((1, -0.24207, 2.24207), abs=1e-4)


def test_pointwise_intervals_fill_up_and_stay_probabilities() -> None:
    mean, low, high = pointwise_intervals([[0.9, 0.1], [0.5, 0.3, 0.2]], 0.95)
    assert mean.tolist() == pytest.approx([0.7, 0.2, 0.1])
    quantile = scipy.stats.t.ppf(0.975, 1)
    assert 0.7 - quantile * 0.2 < 0
    assert low.tolist() == [0, 0, 0]
    assert high.tolist() == pytest.approx([1, 1, min(1, 0.1 + quantile * 0.1)])


def test_pointwise_intervals_of_nothing() -> None:
    assert all(part.size == 0 for part in pointwise_intervals([[], []], 0.95))


@pytest.mark.parametrize(
    ("relative", "absolute", "expected"),
    [(0.1, 0, True), (0.09, 0, False), (0, 1, True), (0, 0.9, False), (0.01, 1, True), (0, 0, False)],
)
def test_narrow_enough(relative: float, absolute: float, expected: bool) -> None:
    assert narrow_enough(Interval(10, 9, 11), relative, absolute) is expected
    assert narrow_enough(Interval(-10, -11, -9), relative, absolute) is expected
    assert math.isclose(Interval(10, 9, 11).half_width, 1)
