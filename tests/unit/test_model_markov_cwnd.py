"""The distributions of cwnd by rounds, by segments and over time, against a simulation of rounds."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tcpatlas.models.markov.cwnd import Basis, Cwnd, cwnd_distribution, round_durations
from tcpatlas.models.markov.loss import LossPattern
from tcpatlas.models.markov.rtt import EmpiricalRtt, NormalRtt
from tcpatlas.models.markov.throughput import Throughput

P, MAX_WINDOW, LINK = 0.03, 12, 100.0
# So narrow that the simulation never has to cut it at 0.
RTT = NormalRtt(0.1, 0.015)
CONNECTIONS, ROUNDS_EACH = 2000, 1500


@pytest.fixture(scope="module")
def simulated():
    """Windows, segments up to the first loss and RTTs: a row per round, a column per connection."""
    generator = np.random.default_rng(20020401)
    windows = np.empty((ROUNDS_EACH, CONNECTIONS))
    until_loss = np.empty_like(windows)
    cwnd = np.full(CONNECTIONS, 2)
    for i in range(-200, ROUNDS_EACH):
        first_loss = generator.geometric(P, CONNECTIONS)
        if i >= 0:
            windows[i], until_loss[i] = cwnd, np.minimum(first_loss, cwnd)
        grown, halved = np.minimum(cwnd + 1, MAX_WINDOW), np.maximum(cwnd // 2, 2)
        cwnd = np.where(first_loss <= cwnd, halved, grown)
    return windows, until_loss, generator.normal(RTT.mean, RTT.standard_deviation, windows.shape)


@pytest.mark.parametrize("basis", Basis)
def test_each_distribution_is_that_of_simulated_rounds(simulated, basis):
    windows, until_loss, rtts = simulated
    weights = {
        Basis.ROUNDS: np.ones_like(windows),
        Basis.SEGMENTS: until_loss,
        # A round in which only part of the window is sent lasts as much less.
        Basis.TIME: np.maximum(rtts, windows / LINK) * until_loss / windows,
    }[basis]
    cwnd = cwnd_distribution(LossPattern.bernoulli(P, MAX_WINDOW), basis, RTT, LINK)
    total = weights.sum(axis=0).mean()
    for window, probability in zip(cwnd.windows, cwnd.probability, strict=True):
        # A ratio of means over independent connections, and its standard error.
        excess = (weights * ((windows == window) - probability)).sum(axis=0) / total
        assert abs(excess.mean()) < 4.5 * excess.std() / math.sqrt(CONNECTIONS)


def test_the_three_bases_are_far_enough_apart_for_the_simulation_to_tell(simulated):
    cwnds = [cwnd_distribution(LossPattern.bernoulli(P, MAX_WINDOW), basis, RTT, LINK) for basis in Basis]
    means = sorted(cwnd.mean for cwnd in cwnds)
    assert min(np.diff(means)) > 0.01


def test_throughput_by_rounds_is_that_of_simulated_rounds(simulated):
    windows, _, rtts = simulated
    sampled = np.minimum(windows / rtts, LINK)
    throughput = Throughput(cwnd_distribution(LossPattern.bernoulli(P, MAX_WINDOW), Basis.ROUNDS), RTT, LINK)
    for of_connections, value in [
        (sampled.mean(axis=0), throughput.mean),
        ((sampled > 70).mean(axis=0), throughput.above(70)),
        ((sampled < 25).mean(axis=0), throughput.below(25)),
        ((sampled == LINK).mean(axis=0), 1 - throughput.below(LINK)),
        (((sampled - throughput.mean) ** 2).mean(axis=0), throughput.standard_deviation**2),
    ]:
        error = of_connections.std() / math.sqrt(CONNECTIONS)
        assert abs(of_connections.mean() - value) < 4.5 * error


@pytest.mark.parametrize("rtt", [RTT, NormalRtt(0.1, 0.03), EmpiricalRtt([0.05, 0.15])])
def test_a_round_lasts_the_longer_of_rtt_and_window(rtt):
    """Equation (8.2) as printed would make a round last the shorter of the two."""
    windows = np.array([2.0, 10.0, 1000.0])
    durations = round_durations(windows, rtt, LINK)
    mean = rtt.mean_of_longer(0)
    assert durations[0] == pytest.approx(mean, rel=0.01)
    assert np.all(durations >= np.maximum(mean, windows / LINK) * (1 - 1e-12))
    assert durations[1] > 1.05 * max(mean, 10 / LINK)  # the mean of the larger is above the larger mean
    assert durations[2] == pytest.approx(1000 / LINK)


def test_with_a_constant_rtt_the_cases_of_equation_8_2_are_where_the_text_puts_them():
    """Chapter 5: if w t_0 > RTT the sender is held by its link; else it sends a window per RTT."""
    windows = np.arange(2.0, 21.0)
    durations = round_durations(windows, EmpiricalRtt([0.1]), LINK)
    np.testing.assert_allclose(durations, np.where(windows / LINK > 0.1, windows / LINK, 0.1))


def test_segments_weigh_a_window_by_what_its_rounds_send():
    pattern = LossPattern.bernoulli(0.2, 3)
    # Up from 2 with s_2, down from 3 with l_3.
    rounds = np.array([1 - 0.8**3, 0.8**2])
    until_loss = rounds * [1 + 0.8, 1 + 0.8 + 0.8**2]
    assert cwnd_distribution(pattern, Basis.SEGMENTS).probability == pytest.approx(
        until_loss / until_loss.sum()
    )


@given(p=st.floats(0, 0.99), max_window=st.integers(2, 200), link=st.floats(1, 1e5))
def test_every_distribution_adds_up_to_1(p, max_window, link):
    pattern = LossPattern.bernoulli(p, max_window)
    for basis in Basis:
        cwnd = cwnd_distribution(pattern, basis, RTT, link)
        assert cwnd.probability.sum() == pytest.approx(1, abs=1e-12)
        assert cwnd.probability.min() >= 0


def test_over_time_without_a_link_is_by_rounds_up_to_their_loss():
    """All rounds then last an RTT, whatever the window, or as much less as a loss ends them."""
    pattern = LossPattern.bernoulli(0.01, 64)
    by_rounds = cwnd_distribution(pattern, Basis.ROUNDS).probability * pattern.sent / pattern.windows
    for rtt in (None, RTT):
        over_time = cwnd_distribution(pattern, Basis.TIME, rtt).probability
        np.testing.assert_allclose(over_time, by_rounds / by_rounds.sum(), rtol=1e-12)


def test_over_time_on_a_slow_link_is_by_segments():
    """All rounds then last w t_0: theorem 1's inter-departure times are all t_0."""
    pattern = LossPattern.bernoulli(0.01, 64)
    slow = cwnd_distribution(pattern, Basis.TIME, RTT, link=1.0).probability
    by_segments = cwnd_distribution(pattern, Basis.SEGMENTS).probability
    np.testing.assert_allclose(slow, by_segments, rtol=1e-9)


def test_moments_of_cwnd():
    cwnd = Cwnd(np.array([0.25, 0.5, 0.25]))
    assert (cwnd.mean, cwnd.standard_deviation, cwnd.mode) == (3, math.sqrt(0.5), 3)


def test_a_link_over_time_needs_an_rtt():
    pattern = LossPattern.bernoulli(0.01, 8)
    with pytest.raises(ValueError, match="rtt: is missing"):
        cwnd_distribution(pattern, Basis.TIME, link=100)
    with pytest.raises(ValueError, match="link: is 0; allowed"):
        cwnd_distribution(pattern, Basis.TIME, RTT, link=0)
