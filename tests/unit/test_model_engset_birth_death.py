"""Stationary distributions against exact fractions, closed forms and the package fast-engset."""

from fractions import Fraction

import numpy as np
import pytest
from conftest import cases
from engset_blocking import assert_is_engset_blocking
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tcpatlas.models.engset.birth_death import stationary_distribution

rates = st.lists(st.tuples(st.integers(1, 1000), st.integers(1, 1000)), max_size=60)


def exact_distribution(births: list[int], deaths: list[int]) -> list[Fraction]:
    weights = [Fraction(1)]
    for birth, death in zip(births, deaths, strict=True):
        weights.append(weights[-1] * Fraction(birth, death))
    return [weight / sum(weights) for weight in weights]


@given(rates)
def test_probabilities_are_the_exact_ones(steps: list[tuple[int, int]]) -> None:
    births, deaths = [birth for birth, _ in steps], [death for _, death in steps]
    expected = [float(probability) for probability in exact_distribution(births, deaths)]
    np.testing.assert_allclose(stationary_distribution(births, deaths), expected, rtol=1e-13)


@given(rates)
def test_flows_between_neighbours_balance(steps: list[tuple[int, int]]) -> None:
    births, deaths = np.array([birth for birth, _ in steps]), np.array([death for _, death in steps])
    probabilities = stationary_distribution(births, deaths)
    assert probabilities.sum() == pytest.approx(1, abs=1e-14)
    np.testing.assert_allclose(probabilities[:-1] * births, probabilities[1:] * deaths, rtol=1e-13)


@pytest.mark.parametrize("load", [1e-3, 0.1, 1.0, 10.0, 1e3])
def test_a_hundred_thousand_free_sources_are_binomial(load: float) -> None:
    count = 100_000
    active = np.arange(count + 1)
    probabilities = stationary_distribution((count - active[:-1]) * load, active[1:])
    expected = stats.binom.pmf(active, count, load / (1 + load))
    assert np.isfinite(probabilities).all()
    # scipy's own error grows to some 1e-10 far from the mean, where it sums logarithms.
    likely = expected > 1e-200
    np.testing.assert_allclose(probabilities[likely], expected[likely], rtol=1e-9)
    assert np.arange(count + 1) @ probabilities == pytest.approx(count * load / (1 + load), rel=1e-12)


def test_a_hundred_thousand_states_keep_their_digits() -> None:
    # Overload beyond state 500: growth, then a slow fall. Exact by integers, from a likely state on.
    count, threshold = 100_000, 500
    state = np.arange(1, count + 1)
    births, deaths = count + 1 - state, np.minimum(state, threshold) * 70
    probabilities = stationary_distribution(births, deaths)
    reference = 65_000
    ratio = Fraction(1)
    for j in range(reference, reference + 500):
        ratio *= Fraction(int(births[j]), int(deaths[j]))
    assert probabilities[reference + 500] / probabilities[reference] == pytest.approx(float(ratio), rel=1e-12)
    assert probabilities.sum() == pytest.approx(1, abs=1e-12)


@cases("model_engset_birth_death.engset_blocking_is_that_of_fast_engset")
def test_engset_blocking_is_that_of_fast_engset(servers: int, sources: int, idle_traffic: float) -> None:
    """An arrival sees the servers as the other sources use them; traffic includes what is blocked."""
    active = np.arange(servers + 1)
    seen = stationary_distribution((sources - 1 - active[:-1]) * idle_traffic, active[1:])
    assert seen[-1] > 1e-4
    assert_is_engset_blocking(seen[-1], servers, sources, idle_traffic)


def test_one_state_has_all_probability() -> None:
    assert stationary_distribution([], []).tolist() == [1.0]


@pytest.mark.parametrize(
    ("births", "deaths"),
    [([1], [1, 2]), ([[1]], [[1]]), ([0], [1]), ([1], [0]), ([-1], [1]), ([np.inf], [1]), ([1], [np.nan])],
)
def test_rates_must_be_positive_and_as_many(births: list[float], deaths: list[float]) -> None:
    with pytest.raises(ValueError, match="rates"):
        stationary_distribution(births, deaths)
