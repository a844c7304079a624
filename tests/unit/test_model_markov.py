"""The chain of cwnd over rounds, against the dense solution of its Kolmogorov equations and closed forms."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tcpatlas.models.markov.chain import by_rounds
from tcpatlas.models.markov.loss import LossPattern

PROBABILITIES = st.one_of(st.just(1e-300), st.floats(1e-300, 1e-3), st.floats(1e-3, 1 - 1e-12))
ROUNDS_DELIVERED = st.integers(1, 299).flatmap(
    lambda size: arrays(float, size, elements=PROBABILITIES, fill=PROBABILITIES)
)


def pattern_of(delivered):
    delivered = np.asarray(delivered, float)
    return LossPattern(delivered, 1 - delivered, np.ones_like(delivered))


def transitions(pattern):
    """The transition matrix; row and column 0 are cwnd = 2."""
    size = pattern.delivered.size
    matrix = np.zeros((size, size))
    for row in range(size):
        window = row + 2
        matrix[row, min(row + 1, size - 1)] += pattern.delivered[row]
        matrix[row, max(2, window // 2) - 2] += pattern.lost[row]
    return matrix


def eliminated(matrix):
    """The stationary distribution by Grassmann, Taksar and Heyman's elimination, which never subtracts."""
    matrix = matrix.copy()
    for n in range(len(matrix) - 1, 0, -1):
        matrix[:n, n] /= matrix[n, :n].sum()
        matrix[:n, :n] += np.outer(matrix[:n, n], matrix[n, :n])
    stationary = np.ones(len(matrix))
    for n in range(1, len(matrix)):
        stationary[n] = stationary[:n] @ matrix[:n, n]
        stationary[: n + 1] /= stationary[: n + 1].max()
    return stationary / stationary.sum()


@given(ROUNDS_DELIVERED)
def test_any_pattern_has_the_dense_solution(delivered):
    pattern = pattern_of(delivered)
    shares = by_rounds(pattern)
    np.testing.assert_allclose(shares, eliminated(transitions(pattern)), rtol=1e-9, atol=1e-280)
    assert shares.sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("p", [1e-6, 1e-4, 0.003, 0.05, 0.4])
@pytest.mark.parametrize("max_window", [2, 3, 4, 7, 8, 9, 64, 300])
def test_bernoulli_losses_solve_the_linear_equations(p, max_window):
    pattern = LossPattern.bernoulli(p, max_window)
    equations = transitions(pattern).T - np.eye(max_window - 1)
    equations[-1] = 1
    right = np.zeros(max_window - 1)
    right[-1] = 1
    np.testing.assert_allclose(by_rounds(pattern), np.linalg.solve(equations, right), rtol=0, atol=1e-9)


@pytest.mark.parametrize("size", [1, 2, 299, 5000])
def test_rounds_that_are_never_delivered_whole_keep_the_smallest_window(size):
    shares = by_rounds(pattern_of(np.full(size, 1e-300)))
    assert np.all(np.isfinite(shares))
    assert shares[0] == 1
    assert shares.sum() == 1


def test_one_unlikely_step_divides_two_regimes():
    """Below cwnd 20 a round is nearly always delivered, and of 20 segments never: cwnd is 10 to 20."""
    delivered = np.full(99, 0.5)
    delivered[: 20 - 2] = 1 - 1e-12
    delivered[20 - 2] = 1e-300
    shares = by_rounds(pattern_of(delivered))
    np.testing.assert_allclose(shares[10 - 2 : 20 - 1], 1 / 11, rtol=1e-9)
    assert shares[20 - 1 :].max() < 1e-299


@pytest.mark.parametrize("p", [1e-120, 1e-30, 1e-17])
def test_rare_losses_keep_their_precision(p):
    pattern = LossPattern.bernoulli(p, 300)
    dense = eliminated(transitions(pattern))
    np.testing.assert_allclose(by_rounds(pattern), dense, rtol=1e-9, atol=1e-280)
    assert dense[150] == pytest.approx(300 * p, rel=1e-9)


def test_two_and_three_windows_in_closed_form():
    assert by_rounds(LossPattern.bernoulli(0.3, 2)) == pytest.approx([1])
    # Up from 2 with s_2, down from 3 with l_3.
    delivered_2, lost_3 = 0.7**2, 1 - 0.7**3
    expected = np.array([lost_3, delivered_2]) / (lost_3 + delivered_2)
    assert by_rounds(LossPattern.bernoulli(0.3, 3)) == pytest.approx(expected, rel=1e-14)


def test_above_half_of_the_maximum_the_balance_is_a_product():
    """No loss leads there, so a window is as likely as that it grows from the one below."""
    pattern = LossPattern.bernoulli(0.01, 41)
    shares = by_rounds(pattern)
    upper = np.arange(22, 41) - 2
    np.testing.assert_allclose(shares[upper], shares[upper - 1] * pattern.delivered[upper - 1], rtol=1e-12)
    np.testing.assert_allclose(shares[-1] * pattern.lost[-1], shares[-2] * pattern.delivered[-2], rtol=1e-12)


def test_large_windows_are_those_of_the_continuous_chain():
    """For p -> 0 and no maximum: E(w^2) = 2 / p, and E(w) of Ott, Kemperman and Mathis 1996."""
    p = 1e-8
    pattern = LossPattern.bernoulli(p, 200_000)
    shares = by_rounds(pattern)
    n = np.arange(1, 60)
    constant = math.sqrt(2 / math.pi) * np.prod((1 - 0.25**n) / (1 - 2 * 0.25**n))
    assert shares @ pattern.windows * math.sqrt(p) == pytest.approx(constant, rel=1e-3)
    assert shares @ pattern.windows**2 * p == pytest.approx(2, rel=1e-3)


def test_without_loss_cwnd_is_at_its_maximum():
    assert by_rounds(LossPattern.bernoulli(0, 64)).tolist() == [0.0] * 62 + [1.0]


def test_a_million_windows():
    pattern = LossPattern.bernoulli(1e-10, 1_000_000)
    shares = by_rounds(pattern)
    assert shares.sum() == pytest.approx(1, abs=1e-12)
    # What goes up across each of some cuts also comes down.
    falls = shares * pattern.lost
    for window in (1000, 99_999, 262_144, 499_999, 500_000, 777_777):
        down = falls[window + 1 - 2 : 2 * window + 2 - 2].sum()
        assert shares[window - 2] * pattern.delivered[window - 2] == pytest.approx(down, rel=1e-9)


def test_growing_loss_is_bernoulli_if_it_does_not_grow():
    growing, bernoulli = LossPattern.growing(1, 0.002, 120), LossPattern.bernoulli(0.002, 120)
    np.testing.assert_allclose(growing.delivered, bernoulli.delivered, rtol=1e-12)
    np.testing.assert_allclose(growing.sent, bernoulli.sent, rtol=1e-12)


def test_growing_loss_ends_where_it_is_certain():
    """2^w / 1024 is 1 at w = 10: cwnd reaches 10 and no more."""
    pattern = LossPattern.growing(2, 2**-10, 10**6)
    shares = by_rounds(pattern)
    assert pattern.delivered[3 - 2] == pytest.approx((1 - 2**-7) ** 3)
    assert shares[10 - 2] > 0
    assert shares[11 - 2 :].max() == 0
    np.testing.assert_allclose(
        shares[:9], eliminated(transitions(LossPattern.growing(2, 2**-10, 10))), rtol=1e-9
    )


def test_a_loss_after_every_fifth_segment():
    """Four segments are always delivered and never five: cwnd is 2, 3, 4, 5, and 2 after each loss."""
    shares = by_rounds(pattern_of([1, 1, 1, 0, 0, 0, 0]))
    np.testing.assert_allclose(shares, [0.25, 0.25, 0.25, 0.25, 0, 0, 0])


@pytest.mark.parametrize("p", [-0.1, 1, 1.5, math.nan])
def test_p_outside_its_range_is_refused(p):
    with pytest.raises(ValueError, match=r"loss_probability: is .*; allowed: 0 or more and less than 1"):
        LossPattern.bernoulli(p, 10)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LossPattern.bernoulli(0.1, 1), "max_window: is 1; allowed: at least 2"),
        (lambda: LossPattern.by_window([]), "loss_probability: allowed"),
        (lambda: LossPattern.by_window([0.1, 1.1]), "loss_probability: allowed"),
        (lambda: LossPattern.growing(0, 0.1, 10), "factor: is 0; allowed"),
        (lambda: LossPattern.growing(1.1, 1, 10), "base: is 1; allowed"),
        (lambda: pattern_of([]), "loss pattern: allowed: arrays of one length"),
        (lambda: pattern_of([0.5, math.nan]), "loss pattern: delivered: allowed"),
        (lambda: LossPattern(np.array([0.5]), np.array([0.4]), np.array([1.0])), "add up to 1"),
    ],
)
def test_bad_patterns_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
